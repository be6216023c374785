"""How far a net is from what a strong engine found by searching: win rate, lead and owners.

    python -m harie_training.oracle net.npz judged-9.jsonl.gz ...

Reads the files that `harie oracle` writes.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch

from . import files
from .games import Labels, one_size
from .net import Net
from .positions import Positions


def read(path):
    """(games that end at the judged positions, win rates, leads and owners), all as the player to move sees them."""
    games, win, lead, owners = [], [], [], []
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
        for line in map(json.loads, file):
            size = line["size"]
            moves = [move.split() for move in line["moves"]]
            if any(color != "BW"[k % 2] for k, (color, _) in enumerate(moves)):
                continue
            territory = line["rules"].lower() in ("japanese", "korean")
            # A position is what stands before a move: one that is never looked at follows.
            points = [number(point, size) for _, point in moves] + [size * size]
            games.append((points, line["komi"], territory, 0, np.nan))
            black = len(moves) % 2 == 0
            win.append(line["winrate_black"] if black else 1 - line["winrate_black"])
            lead.append(line["score_black"] if black else -line["score_black"])
            owners.append(np.array(line["ownership_black"], np.float32) * (1 if black else -1))
    return one_size(size, games), np.array(win), np.array(lead), np.stack(owners)


def number(point, size):
    """The number of a point such as `D4`, row by row from the top left corner."""
    if point.lower() == "pass":
        return size * size
    return (size - int(point[1:])) * size + "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(point[0].upper())


@torch.no_grad()
def compare(net, path, device="cpu"):
    """Figures of a net against one file."""
    games, win, lead, owners = read(path)
    n = len(win)
    none = np.zeros((n, 1))
    games.labels = Labels(
        np.arange(n, dtype=np.int32),
        (np.diff(games.start) - 1).astype(np.int32),
        win.astype(np.float32),
        lead.astype(np.float32),
        none.astype(np.int16),
        none.astype(np.uint8),
        np.zeros((0, 1), np.uint8),
        np.full(n, -1, dtype=np.int32),
    )
    positions = Positions(games, device, held_back=1)
    said = [net(batch.planes, batch.globals) for batch in positions.tests(256, n)]
    said = {name: torch.cat([part[name] for part in said]).cpu().numpy() for name in said[0]}
    winrate = 1 / (1 + np.exp(-said["win"]))
    return dict(
        size=games.size,
        positions=n,
        win=round(float(np.square(winrate - win).mean()), 4),
        lead=round(float(np.abs(said["lead"] - lead).mean()), 3),
        owner=round(float(np.square(said["owner"] - owners).mean()), 4),
    )


def main():
    parser = argparse.ArgumentParser(prog="python -m harie_training.oracle", description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("judged", nargs="+", type=Path)
    options = parser.parse_args()
    about, weights = files.read(options.net)
    net = Net(**about["net"])
    net.load_state_dict(weights)
    net.eval()
    for path in options.judged:
        print(json.dumps(compare(net, path)))


if __name__ == "__main__":
    main()
