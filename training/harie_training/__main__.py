"""Learns nets from the command line; see `training/README.md`."""

import argparse
import json
import time
from dataclasses import fields
from pathlib import Path

import torch

from . import files, games
from .learn import Settings, learn, measure
from .positions import Positions


def positions_of(paths, device, dtype, strong=(), held_back=25):
    """Positions of record files and of judged ones, one for each board size, and how many records were left out."""
    found, left_out = [], 0
    for judged in (False, True):
        by_size, more = games.read([path for path in paths if (".sgf" not in path.name) == judged], strong)
        found.append([Positions(some, device, dtype, held_back) for some in by_size.values()])
        left_out += more
    return *found, left_out


def run_of(text):
    """Settings from `name=value` pairs with commas between them."""
    types = {field.name: type(field.default) for field in fields(Settings) if field.name != "shares"}
    types["inner"] = int
    values = {}
    for pair in filter(None, text.split(",")):
        name, _, value = pair.partition("=")
        if name not in types:
            raise SystemExit(f"--run: there is no setting {name!r}; there are {', '.join(types)}")
        try:
            values[name] = value.lower() in ("1", "true", "yes") if types[name] is bool else types[name](value)
        except ValueError:
            raise SystemExit(f"--run: {name}={value}: {value!r} is no number") from None
    return Settings(**values)


def main():
    parser = argparse.ArgumentParser(prog="python -m harie_training", description=__doc__)
    parser.add_argument("data", nargs="*", type=Path, help="game records (.sgf, .sgf.gz) and judged positions (.xz)")
    parser.add_argument("--strong", nargs="*", type=Path, default=[], help="records of players whose results and final boards say how positions stood")
    parser.add_argument("--run", action="append", default=[], metavar="NAME=VALUE,...", help="settings of a run; several runs share the data")
    parser.add_argument("--test", nargs="*", type=Path, default=[], help="records and judged positions that are only measured, at the end")
    parser.add_argument("--weights", type=Path, help="go on from these weights; --run must say their shape")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for weights and logs [default: runs]")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--every", type=float, default=30, help="seconds between lines of the log")
    options = parser.parse_args()
    runs = [run_of(text) for text in options.run or [""]]
    if len({run.name for run in runs}) < len(runs):
        parser.error("--run: each run needs a name of its own, such as name=small")
    for path in [*options.data, *options.strong, *options.test, *filter(None, [options.weights])]:
        if not path.is_file():
            parser.error(f"{path}: there is no such file")
    options.out.mkdir(parents=True, exist_ok=True)
    log_file = open(options.out / "log.jsonl", "a", buffering=1)

    def log(line):
        print(line, flush=True)
        print(line, file=log_file)

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    dtype = torch.bfloat16 if options.device == "cuda" else torch.float32
    begin = time.time()
    records, judged, left_out = positions_of(options.data + options.strong, options.device, dtype, options.strong)
    for kind, some in (("records", records), ("judged", judged)):
        for positions in some:
            log(json.dumps(dict(data=kind, size=positions.size, positions=len(positions))))
    tests = positions_of(options.test, options.device, dtype, held_back=1)[:2]
    log(json.dumps(dict(read=round(time.time() - begin, 1), left_out=left_out)))
    if not records and not judged:
        raise SystemExit("there is no game to learn from in these files")
    for settings in runs:
        weights = files.read(options.weights)[1] if options.weights else None
        keep = lambda net, about, name=settings.name: files.write(options.out / f"{name}.npz", net, about)
        try:
            net, figures, _ = learn(settings, records, judged, options.device, weights, log, options.every, keep)
        except (torch.cuda.OutOfMemoryError, ArithmeticError) as error:
            log(json.dumps(dict(failed=settings.name, why=str(error)[:200])))
            continue
        if any(tests):
            log(json.dumps(dict(test=measure(net, *tests, limit=1_000_000_000), name=settings.name)))


if __name__ == "__main__":
    main()
