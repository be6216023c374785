"""One run: batches of all board sizes in turn, losses, the average of the weights, what the games held back say."""

import copy
import json
import time
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F

from .muon import optimizers
from .net import Net, cost
from .positions import together


@dataclass
class Settings:
    """How to learn. The learning rate rises at the start of a run and falls to 0 at its end."""

    shape: str = "residual"
    depth: int = 6
    channels: int = 96
    inner: int | None = None
    inside: int = 1
    pool_every: int = 3
    stem: int = 3
    seconds: float = 60
    steps: int = 0  # ends after so many steps instead, where it is not 0
    rate: float = 2e-3
    warm: float = 0.02  # part of the time in which the learning rate rises
    fall: float = 0.5  # part of the time, at the end, in which it falls
    decay: float = 0.05
    muon: bool = True
    points: int = 1024 * 361  # points of board a step
    judged: float = 0.4  # part of a batch that is judged positions; the others are of records
    shares: tuple = ((9, 0.25), (13, 0.25), (19, 0.5))  # part of the steps for each size, others 0.25
    average: float = 0.999
    compile: bool = False
    seed: int = 1
    name: str = "net"


WEIGHTS = dict(played=1.0, best=1.0, win=1.5, result=0.3, lead=0.1, owner=1.5)


def losses(said, batch):
    """The parts of the loss over a batch."""

    def mean(values, weights):
        return (values * weights).sum() / weights.sum().clamp(min=1)

    said = {name: value.float() for name, value in said.items()}
    played, result, judged = (batch.move >= 0).float(), batch.result, batch.policy.sum(1)
    bce = F.binary_cross_entropy_with_logits
    move = F.cross_entropy(said["played"], batch.move, reduction="none", ignore_index=-1)
    lead = F.smooth_l1_loss(said["lead"], batch.lead, beta=3.0, reduction="none")
    return {
        "played": mean(move, played),
        "result": mean(bce(said["result"], result.clamp(min=0), reduction="none"), (result >= 0).float()),
        "best": mean(-(batch.policy * F.log_softmax(said["best"], 1)).sum(1), judged),
        "win": mean(bce(said["win"], batch.win, reduction="none"), batch.weights["win"]),
        "lead": mean(lead, batch.weights["lead"]),
        "owner": mean((said["owner"] - batch.owner).square().mean(1), batch.weights["owner"]),
    }


@torch.no_grad()
def measure(net, records, judged, limit=8192, batch=1024):
    """What the games held back say of a net, by size: a dictionary of figures."""
    net.eval()
    figures = {}
    sums = {}

    def add(name, values):
        total, count = sums.get(name, (0.0, 0))
        sums[name] = (total + float(values.double().sum()), count + values.numel())

    for positions in [*records, *judged]:
        for b in positions.tests(batch, limit):
            with torch.autocast(b.planes.device.type, torch.bfloat16, enabled=b.planes.is_cuda):
                said = net(b.planes.to(memory_format=torch.channels_last), b.globals)
            said = {name: value.float() for name, value in said.items()}
            size = positions.size
            if not positions.judged:
                add(f"{size} first", (said["played"].argmax(1) == b.move).float())
                add(f"{size} played", F.cross_entropy(said["played"], b.move, reduction="none"))
            else:
                add(f"{size} best", -(b.policy * F.log_softmax(said["best"], 1)).sum(1))
                add(f"{size} best first", (said["best"].argmax(1) == b.policy.argmax(1)).float())
                add(f"{size} win", (torch.sigmoid(said["win"]) - b.win).square())
                add(f"{size} lead", (said["lead"] - b.lead).abs())
                known = b.weights["owner"] > 0
                add(f"{size} owner", (said["owner"] - b.owner).square().mean(1)[known])
    for name, (total, count) in sorted(sums.items()):
        figures[name] = round(total / max(count, 1), 4)
    net.train()
    return figures


def learn(settings, records, judged, device, weights=None, log=print, every=60, keep=None):
    """Learns a net from positions of records and judged ones (lists, one for each size). Returns the averaged net, the
    figures of the run and its history. `keep(net, about)` is called with the averaged net now and then."""
    torch.manual_seed(settings.seed)
    generator = torch.Generator(device=device).manual_seed(settings.seed)
    shape = {name: getattr(settings, name) for name in ("shape", "depth", "channels", "inner", "inside", "pool_every", "stem")}
    net = Net(**shape)
    net = net.to(device).to(memory_format=torch.channels_last)
    if weights is not None:
        net.load_state_dict(weights)
    averaged = copy.deepcopy(net)
    parameters, adds, alone = cost(net)
    log(json.dumps(dict(run=asdict(settings), parameters=parameters, adds_a_point=adds, alone=alone)))
    if settings.compile:
        # Blocks of one kind share their code; it is made anew for each board size.
        torch._dynamo.config.cache_size_limit = 64
        torch._dynamo.config.suppress_errors = True
        for block in net.blocks:
            block.compile(dynamic=False)
        net.heads.compile(dynamic=False)
    steps = optimizers(net, settings.rate, settings.decay, settings.muon)
    by_size = {}
    for positions in [*records, *judged]:
        by_size.setdefault(positions.size, [None, None])[int(positions.judged)] = positions
    shares = [(size, dict(settings.shares).get(size, 0.25)) for size in sorted(by_size)]
    spent = {size: 0.0 for size, _ in shares}
    begin = last = time.time()
    warmed = None
    step, samples, sums, history = 0, 0, {}, []
    while True:
        now = time.time()
        # The first step of each size may compile; it is not counted.
        if step == 3 * len(shares):
            warmed = now
        done = step / settings.steps if settings.steps else (now - (warmed or now)) / settings.seconds
        if done >= 1:
            break
        rise = min(1.0, done / settings.warm) if settings.warm else 1.0
        fall = min(1.0, (1 - done) / settings.fall)
        rate = settings.rate * max(min(rise, fall), 1e-3)
        for optimizer in steps:
            for group in optimizer.param_groups:
                group["lr"] = rate
        size = min(shares, key=lambda share: spent[share[0]] / share[1])[0]
        spent[size] += 1.0
        n = max(8, settings.points // size**2)
        record, judge = by_size[size]
        many = n if record is None else 0 if judge is None else round(n * settings.judged)
        parts = []
        if n - many:
            parts.append(record.draw(n - many, generator))
        if many:
            parts.append(judge.draw(many, generator))
        batch = together(parts)
        planes = batch.planes
        with torch.autocast(planes.device.type, torch.bfloat16, enabled=planes.is_cuda):
            said = net(planes.to(memory_format=torch.channels_last), batch.globals)
        found = losses(said, batch)
        loss = sum(WEIGHTS[name] * value for name, value in found.items())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        for optimizer in steps:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        decay = min(settings.average, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(averaged.parameters()), list(net.parameters()), 1 - decay)
        step += 1
        samples += n
        for name, value in found.items():
            key = f"{size} {name}"
            sums.setdefault(key, []).append(value.detach())
        if time.time() - last > every:
            torch.cuda.synchronize() if planes.is_cuda else None
            means = {name: round(float(torch.stack(values).mean()), 4) for name, values in sorted(sums.items())}
            row = dict(seconds=round(time.time() - begin), step=step, samples=samples, rate=rate, **means)
            history.append(row)
            log(json.dumps(row))
            finite = all(bool(torch.isfinite(weight).all()) for weight in averaged.parameters())
            if not finite or any(value != value for value in means.values()):
                raise ArithmeticError(f"run {settings.name}: a loss or a weight is no number; try a lower rate than {settings.rate}")
            if keep is not None:
                keep(averaged, dict(name=settings.name, samples=samples))
            last, sums = time.time(), {}
    figures = measure(averaged, records, judged)
    figures.update(
        name=settings.name, steps=step, samples=samples, seconds=round(time.time() - begin), parameters=parameters, adds=adds
    )
    log(json.dumps(dict(result=figures)))
    if keep is not None:
        keep(averaged, dict(name=settings.name, samples=samples, figures=figures))
    return averaged, figures, history
