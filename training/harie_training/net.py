"""The networks that are compared: one trunk after the other, the same heads.

No batch normalisation: boards of three sizes share the weights, and statistics over a batch of one size are not those
of another. Branches of the trunk begin small instead (`Scale`) and everything folds into plain convolutions with a bias.
"""

import torch
import torch.nn.functional as F
from torch import nn

from .positions import GLOBALS, PLANES


class Scale(nn.Module):
    """A factor for each channel, in front of what joins the trunk."""

    def __init__(self, channels, start):
        super().__init__()
        self.factor = nn.Parameter(torch.full((channels,), float(start)))

    def forward(self, x):
        return x * self.factor[:, None, None]


class Pool(nn.Module):
    """What the whole board says to each channel: means and maxima of some channels, made into a bias."""

    def __init__(self, channels, out):
        super().__init__()
        self.say = nn.Linear(2 * channels, out)

    def forward(self, x):
        return self.say(pooled(x))[:, :, None, None]


def pooled(x):
    """Mean and maximum of each channel over the board."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def conv(inside, outside, kernel, groups=1):
    return nn.Conv2d(inside, outside, kernel, padding=kernel // 2, groups=groups)


class Residual(nn.Module):
    """Two 3x3 convolutions; with `pool`, the first also hears of the whole board."""

    def __init__(self, channels, pool, start):
        super().__init__()
        self.first, self.second = conv(channels, channels, 3), conv(channels, channels, 3)
        self.pool = Pool(channels // 3, channels) if pool else None
        self.listened = channels // 3
        self.scale = Scale(channels, start)

    def forward(self, x):
        y = self.first(F.relu(x))
        if self.pool is not None:
            y = y + self.pool(F.relu(y[:, : self.listened]))
        return x + self.scale(self.second(F.relu(y)))


class Inverted(nn.Module):
    """1x1 to more channels, a convolution of each channel alone, 1x1 back."""

    def __init__(self, channels, inner, kernel, pool, start):
        super().__init__()
        self.wide, self.each = conv(channels, inner, 1), conv(inner, inner, kernel, inner)
        self.narrow = conv(inner, channels, 1)
        self.pool = Pool(channels // 3, inner) if pool else None
        self.listened = channels // 3
        self.scale = Scale(channels, start)

    def forward(self, x):
        y = self.each(F.relu(self.wide(F.relu(x))))
        if self.pool is not None:
            y = y + self.pool(F.relu(x[:, : self.listened]))
        return x + self.scale(self.narrow(F.relu(y)))


class Nested(nn.Module):
    """1x1 to fewer channels, residual blocks there, 1x1 back."""

    def __init__(self, channels, inner, inside, pool, start):
        super().__init__()
        self.down, self.up = conv(channels, inner, 1), conv(inner, channels, 1)
        self.inner = nn.Sequential(*(Residual(inner, pool and k == 0, inside**-0.5) for k in range(inside)))
        self.scale = Scale(channels, start)

    def forward(self, x):
        return x + self.scale(self.up(F.relu(self.inner(self.down(F.relu(x))))))


class Heads(nn.Module):
    """From the trunk to what is said."""

    def __init__(self, channels, policy=32, value=32, hidden=64):
        super().__init__()
        # Policies: the move of people (records), the best move (judged); the reply helps to learn the trunk.
        self.policy = conv(channels, policy, 1)
        self.hear = nn.Linear(2 * policy, policy)
        self.moves = conv(policy, 2, 1)
        self.passes = nn.Linear(2 * policy, 2)
        self.value = conv(channels, value, 1)
        self.hidden = nn.Linear(2 * value + GLOBALS, hidden)
        # Win rate as judged, result of the record, lead / 20.
        self.worth = nn.Linear(hidden, 3)
        self.owner = conv(value, 1, 1)

    def forward(self, x, known):
        p = self.policy(x)
        heard = pooled(F.relu(p))
        p = F.relu(p + self.hear(heard)[:, :, None, None])
        moves = self.moves(p).flatten(2)
        moves = torch.cat([moves, self.passes(heard)[:, :, None]], 2)
        v = F.relu(self.value(x))
        worth = self.worth(F.relu(self.hidden(torch.cat([pooled(v), known], 1))))
        return {
            "played": moves[:, 0],
            "best": moves[:, 1],
            "win": worth[:, 0],
            "result": worth[:, 1],
            "lead": worth[:, 2] * 20,
            "owner": torch.tanh(self.owner(v).flatten(1)),
        }


class Net(nn.Module):
    """A stem, a trunk of blocks, the heads."""

    def __init__(self, shape, depth, channels, inner=None, inside=1, pool_every=3, stem=3):
        super().__init__()
        self.shape = dict(
            shape=shape, depth=depth, channels=channels, inner=inner, inside=inside, pool_every=pool_every, stem=stem
        )
        self.stem = conv(PLANES, channels, stem)
        self.known = nn.Linear(GLOBALS, channels)
        start = depth**-0.5
        blocks = []
        for k in range(depth):
            pool = k % pool_every == pool_every - 1
            if shape == "residual":
                blocks.append(Residual(channels, pool, start))
            elif shape == "inverted":
                blocks.append(Inverted(channels, inner, 5 if k % 2 == 0 else 3, pool, start))
            elif shape == "nested":
                blocks.append(Nested(channels, inner, inside, pool, start))
            else:
                raise ValueError(f"no trunk is called {shape!r}: residual, inverted, nested")
        self.blocks = nn.ModuleList(blocks)
        self.heads = Heads(channels)
        self.apply(self._start)

    @staticmethod
    def _start(part):
        if isinstance(part, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            nn.init.zeros_(part.bias)

    def forward(self, planes, known):
        x = self.stem(planes) + self.known(known)[:, :, None, None]
        for block in self.blocks:
            x = block(x)
        return self.heads(F.relu(x), known)


def cost(net):
    """(parameters, multiply-adds a point, those of them where each channel is alone)."""
    dense = alone = 0
    for part in net.modules():
        if isinstance(part, nn.Conv2d):
            if part.groups == 1:
                dense += part.weight.numel()
            else:
                alone += part.weight.numel()
    return sum(p.numel() for p in net.parameters()), dense + alone, alone
