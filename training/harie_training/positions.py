"""Positions of one board size on a device, and batches of them: planes to look at, targets to learn.

Everything is seen by the player to move. A batch turns and mirrors each of its positions at random.
"""

from dataclasses import dataclass

import numpy as np
import torch

from .games import POLICY_STEP
from .replay import BLACK, WHITE, neighbours, replay

# Own stones, the other's; own chains with 1, 2, 3 liberties, the other's; the last five moves; ko; the board.
PLANES = 15
# Komi for the player to move / 15, territory rules, the last move was a pass, the last but one was.
GLOBALS = 4
LAST_MOVES = 5
# What the end of a game weighs beside a judgement of the position.
RECORD = 0.5


def symmetries(size):
    """For each of the eight symmetries, the point that each point of the turned board comes from; passes stay."""
    grid = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(grid, k) for k in range(4)]
    turned += [np.fliplr(board) for board in turned]
    return np.stack([np.append(board.reshape(-1), size * size) for board in turned])


@dataclass
class Batch:
    """Positions as a network sees them and what it is to say. A target that is not known has weight 0."""

    planes: torch.Tensor  # [n, PLANES, size, size]
    globals: torch.Tensor  # [n, GLOBALS]
    move: torch.Tensor  # [n] the move that was played in the record; -1 where the position is of no record
    result: torch.Tensor  # [n] 1 the player to move won, 0 lost, 0.5 drawn; -1 not known
    policy: torch.Tensor  # [n, points + 1] the judged policy; zeros where there is none
    win: torch.Tensor  # [n] the win rate; from records of strong players the result
    lead: torch.Tensor  # [n] the lead in points; from such records the final score
    owner: torch.Tensor  # [n, points] the owners, -1 to 1; from such records the final board
    weights: dict  # of "win", "lead", "owner": [n]

    def __len__(self):
        return len(self.planes)


def together(batches):
    """Batches behind each other."""
    if len(batches) == 1:
        return batches[0]
    columns = {name: torch.cat([getattr(batch, name) for batch in batches]) for name in TENSORS}
    weights = {name: torch.cat([batch.weights[name] for batch in batches]) for name in batches[0].weights}
    return Batch(**columns, weights=weights)


TENSORS = [name for name in Batch.__dataclass_fields__ if name != "weights"]


def areas(boards, size):
    """Who has each point where all stones live: 1 Black, -1 White, 0 neither ([n, points] from bytes of boards)."""
    around = torch.from_numpy(neighbours(size)).to(boards.device)
    color = boards >> 2
    beyond = torch.zeros_like(color[:, :1], dtype=torch.bool)
    reached = []
    for mine in (BLACK, WHITE):
        reach = torch.cat([color == mine, beyond], 1)
        while True:
            more = reach.clone()
            for k in range(4):
                more[:, :-1] |= (color == 0) & reach[:, around[:, k]]
            if torch.equal(more, reach):
                break
            reach = more
        reached.append(reach[:, :-1].to(torch.int8))
    return reached[0] - reached[1]


class Positions:
    """All positions of some `Games` that can be learned from, on a device."""

    def __init__(self, games, device, dtype=torch.float32, held_back=25):
        self.size, self.points = games.size, games.size**2
        self.device, self.dtype = device, dtype
        lengths = np.diff(games.start)
        labels = games.labels
        if labels is None:
            wanted = np.ones(len(games.moves), dtype=bool)
            order = np.arange(len(games.moves))
        else:
            # A label after the last move has no move to come; there are few.
            good = labels.ply < lengths[labels.game]
            place = games.start[labels.game] + labels.ply
            wanted = np.zeros(len(games.moves), dtype=bool)
            wanted[place[good]] = True
            order = np.flatnonzero(good)[np.argsort(place[good], kind="stable")]
        place = np.flatnonzero(wanted)
        game = np.searchsorted(games.start, place, side="right") - 1
        ply = place - games.start[game]
        self.boards, self.ko = replay(games, wanted, device)
        on = lambda array, dtype=None: torch.from_numpy(np.ascontiguousarray(array)).to(device, dtype)
        self.moves = on(games.moves, torch.int16)
        self.place, self.ply = on(place), on(ply.astype(np.int32))
        black = ply % 2 == 0
        self.black = on(black)
        self.komi = on(np.where(black, -games.komi[game], games.komi[game]).astype(np.float32))
        self.territory = on(games.territory[game])
        result = games.result[game]
        known = (result != 0) | (games.score[game] == 0)
        self.result = on(np.where(known, 0.5 + 0.5 * np.where(black, result, -result), -1).astype(np.float32))
        self.judged = labels is not None
        self.strong = on(games.strong)
        self.game = on(game.astype(np.int32))
        self.ends, self.score = self._ends(games)
        if self.judged:
            self.win, self.lead = on(labels.win[order]), on(labels.lead[order])
            self.policy_moves, self.policy_logs = on(labels.moves[order]), on(labels.logs[order])
            self.owner_row, self.owners = on(labels.owner_row[order]), on(labels.owners)
        # Games are held back whole, so that no position of a tested game was learned from.
        self.test = on(np.flatnonzero(game % held_back == 0))
        self.train = on(np.flatnonzero(game % held_back != 0))
        self.turn = on(symmetries(self.size))
        # Where each point of the board goes under each symmetry.
        self.goes = torch.argsort(self.turn, 1)

    def __len__(self):
        return len(self.place)

    def _ends(self, games):
        """The owners and the score for Black at the end of each game, and NaN for the score where they are not known:
        where players are not trusted, a game was not played to two passes, or what stands does not add up to its
        score."""
        n, device = len(games), self.device
        owners = torch.zeros((n, self.points), dtype=torch.int8, device=device)
        score = torch.full((n,), float("nan"), device=device)
        last, before = games.moves[games.start[1:] - 1], games.moves[np.maximum(games.start[1:] - 2, 0)]
        ended = games.strong & (last == self.points) & (before == self.points) & ~games.territory
        if ended.any():
            wanted = np.zeros(len(games.moves), dtype=bool)
            wanted[games.start[1:][ended] - 1] = True
            found = areas(replay(games, wanted, device)[0], self.size)
            points = found.sum(1).float() - torch.from_numpy(games.komi[ended]).to(device)
            agrees = points == torch.from_numpy(games.score[ended]).to(device)
            which = torch.from_numpy(np.flatnonzero(ended)).to(device)[agrees]
            owners[which], score[which] = found[agrees], points[agrees]
        return owners, score

    def draw(self, n, generator=None):
        """A batch of random positions to learn from, each turned at random."""
        which = self.train[torch.randint(len(self.train), (n,), device=self.device, generator=generator)]
        return self.batch(which, torch.randint(8, (n,), device=self.device, generator=generator))

    def tests(self, n, limit):
        """Batches of positions of the games held back, as they lie, at most `limit` positions spread over them."""
        step = max(1, len(self.test) // max(limit, 1))
        chosen = self.test[::step][:limit]
        for begin in range(0, len(chosen), n):
            which = chosen[begin : begin + n]
            yield self.batch(which, torch.zeros_like(which))

    def batch(self, which, turn):
        """The positions `which`, turned by the symmetries `turn`."""
        n, points, device = len(which), self.points, self.device
        source = self.turn[turn][:, :points]
        raw = self.boards[which].gather(1, source)
        color, libs = raw >> 2, raw & 3
        mine = torch.where(self.black[which], 1, 2).to(torch.uint8)[:, None]
        own, other = color == mine, color == 3 - mine
        planes = torch.zeros((n, PLANES, points + 1), dtype=self.dtype, device=device)
        planes[:, 0, :points], planes[:, 1, :points] = own, other
        for k in range(3):
            planes[:, 2 + k, :points] = own & (libs == k)
            planes[:, 5 + k, :points] = other & (libs == k)
        goes, ply = self.goes[turn], self.ply[which]
        rows = torch.arange(n, device=device)
        place = self.place[which]
        passes = []
        for back in range(1, LAST_MOVES + 1):
            there = ply >= back
            move = torch.where(there, self.moves[(place - back).clamp(min=0)].long(), points)
            planes[rows, 7 + back, goes[rows, move]] = 1
            if back <= 2:
                passes.append(there & (move == points))
        ko = self.ko[which].long()
        planes[rows, 13, goes[rows, torch.where(ko >= 0, ko, points)]] = 1
        planes = planes[:, :, :points]
        planes[:, 14] = 1
        planes = planes.reshape(n, PLANES, self.size, self.size)
        known = torch.stack([self.komi[which] / 15, self.territory[which], *passes], 1).to(self.dtype)
        if self.judged:
            return self._judged(which, source, goes, planes, known)
        game, side = self.game[which].long(), torch.where(self.black[which], 1.0, -1.0)
        move = goes[rows, self.moves[place].long()]
        score = self.score[game]
        ended, strong = score.isfinite().float(), self.strong[game].float()
        win = self.result[which]
        return Batch(
            planes,
            known,
            move,
            win,
            torch.zeros((n, points + 1), device=device),
            win.clamp(min=0),
            score.nan_to_num() * side,
            self.ends[game].gather(1, source) * side[:, None],
            dict(win=strong * (win >= 0) * RECORD, lead=ended * RECORD, owner=ended * RECORD),
        )

    def _judged(self, which, source, goes, planes, known):
        """The rest of a batch of judged positions."""
        n, points, device = len(which), self.points, self.device
        entries = self.policy_moves[which].long()
        chance = torch.exp(self.policy_logs[which].float() / -POLICY_STEP) * (entries >= 0)
        policy = torch.zeros((n, points + 1), device=device)
        policy.scatter_add_(1, goes.gather(1, entries.clamp(min=0)), chance)
        policy /= policy.sum(1, keepdim=True).clamp(min=1e-9)
        row = self.owner_row[which]
        half = (points + 1) // 2
        packed = self.owners[row.clamp(min=0).long()] if len(self.owners) else row.new_zeros((n, half), dtype=torch.uint8)
        both = torch.stack([packed & 15, packed >> 4], 2).reshape(n, -1)[:, :points]
        owner = (both.float() / 7.5 - 1).gather(1, source)
        unknown, all_known = torch.full_like(which, -1), torch.ones(n, device=device)
        return Batch(
            planes,
            known,
            unknown,
            unknown.float(),
            policy,
            self.win[which],
            self.lead[which],
            owner,
            dict(win=all_known, lead=all_known, owner=(row >= 0).float()),
        )
