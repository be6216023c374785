"""Plays many games at once: every position as one byte a point.

All games of a `Games` advance together, a move at a time, as rows of tensors; on a graphics processor nine million
positions take seconds. Chains carry the number of one of their points, so that joining chains, counting liberties
and capturing are comparisons of whole boards.
"""

import numpy as np
import torch

# A point's byte: colour (1 Black, 2 White) * 4 + liberties of its chain - 1, at most 3; 0 is an empty point.
BLACK, WHITE = 1, 2


def neighbours(size):
    """The four neighbours of each point, `size * size` (a slot beyond the board) where there is none."""
    table = np.full((size * size, 4), size * size, dtype=np.int64)
    for y in range(size):
        for x in range(size):
            around = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
            for k, (v, u) in enumerate(around):
                if 0 <= v < size and 0 <= u < size:
                    table[y * size + x, k] = v * size + u
    return table


class Boards:
    """The boards of many games side by side."""

    def __init__(self, games, size, device):
        self.size, self.points = size, size * size
        self.around = torch.from_numpy(neighbours(size)).to(device)
        # One slot beyond the board holds no colour and no chain.
        self.color = torch.zeros((games, self.points + 1), dtype=torch.int8, device=device)
        self.color[:, self.points] = 3
        self.chain = torch.full((games, self.points + 1), -1, dtype=torch.int16, device=device)
        self.ko = torch.full((games,), -1, dtype=torch.int16, device=device)
        self.rows = torch.arange(games, device=device)

    def liberties(self):
        """Liberties of each chain, at the place of the chain's number."""
        games = self.color.shape[0]
        count = torch.zeros((games, self.points + 1), dtype=torch.int16, device=self.color.device)
        empty = self.color[:, : self.points] == 0
        seen = []
        for k in range(4):
            chain = self.chain[:, self.around[:, k]]
            new = empty & (chain >= 0)
            for other in seen:
                new &= chain != other
            seen.append(chain)
            place = torch.where(new, chain, self.points).long()
            count.scatter_add_(1, place, new.to(torch.int16))
        count[:, self.points] = 0
        return count

    def remove(self, numbers):
        """Takes the chains with these numbers ([games], -1 for none) off the board; says how many stones."""
        gone = (self.chain[:, : self.points] == numbers[:, None]) & (numbers >= 0)[:, None]
        self.color[:, : self.points].masked_fill_(gone, 0)
        self.chain[:, : self.points].masked_fill_(gone, -1)
        return gone.sum(1)

    def play(self, move, color):
        """A move in each game; `size * size` passes. Chains without liberties leave, the opponent's first."""
        plays = move < self.points
        place = torch.where(plays, move, self.points).long()
        rows, others = self.rows, 3 - color
        self.color[rows, place] = torch.where(plays, color, 3).to(torch.int8)
        around = torch.cat([self.around, torch.full_like(self.around[:1], self.points)])[place]
        colors, chains = self.color[rows[:, None], around], self.chain[rows[:, None], around]
        # The new stone takes the chains of its colour beside it into its own.
        self.chain[rows, place] = torch.where(plays, place, -1).to(torch.int16)
        for k in range(4):
            number = torch.where((colors[:, k] == color) & plays, chains[:, k], -2)
            joined = self.chain == number[:, None]
            self.chain = torch.where(joined, place[:, None].to(torch.int16), self.chain)
        count = self.liberties()
        taken = torch.zeros_like(place)
        last = torch.full_like(place, -1)
        for k in range(4):
            number = chains[:, k]
            dead = (colors[:, k] == others) & plays & (count[rows, number.clamp(min=0).long()] == 0)
            stones = self.remove(torch.where(dead, number, -1))
            taken += stones
            last = torch.where(stones == 1, around[:, k], last)
        count = self.liberties()
        own = torch.where(plays, place, -1).to(torch.int16)
        left = count[rows, place]
        suicide = plays & (left == 0)
        if suicide.any():
            self.remove(torch.where(suicide, own, -1))
            count = self.liberties()
        alone = (self.chain[:, : self.points] == own[:, None]).sum(1) == 1
        self.ko = torch.where(plays & (taken == 1) & alone & (left == 1), last, -1).to(torch.int16)
        return count

    def bytes(self, count):
        """The boards, a byte a point (see the top of this file)."""
        color = self.color[:, : self.points]
        chain = self.chain[:, : self.points].clamp(min=0).long()
        libs = count.gather(1, chain).clamp(1, 4) - 1
        return torch.where(color > 0, color * 4 + libs.to(torch.int8), 0).to(torch.uint8)


def replay(games, wanted, device):
    """The positions before the moves `wanted` (bool, like `games.moves`): (boards [n, points], ko [n]) as they lie in
    `games.moves`. A position after the last move cannot be asked for."""
    lengths = np.diff(games.start)
    order = np.argsort(-lengths, kind="stable")
    lengths = lengths[order]
    wanted = torch.from_numpy(wanted).to(device)
    row_of = wanted.long().cumsum(0) - 1
    total = int(wanted.sum())
    boards = torch.zeros((total, games.size**2), dtype=torch.uint8, device=device)
    kos = torch.full((total,), -1, dtype=torch.int16, device=device)
    moves = torch.from_numpy(games.moves).to(device)
    starts = torch.from_numpy(games.start[:-1][order]).to(device)
    # So many games at once that their boards fit beside everything else.
    at_once = max(1, 24_000_000 // games.size**2)
    for begin in range(0, len(order), at_once):
        start = starts[begin : begin + at_once]
        length = lengths[begin : begin + at_once]
        playing = Boards(len(start), games.size, device)
        count = playing.liberties()
        for ply in range(int(length[0])):
            going = int(np.searchsorted(-length, -ply, side="left"))
            if going < len(playing.rows):
                for name in ("color", "chain", "ko", "rows"):
                    setattr(playing, name, getattr(playing, name)[:going])
                count = count[:going]
            index = start[:going] + ply
            keep = wanted[index]
            rows = row_of[index[keep]]
            if len(rows):
                boards[rows] = playing.bytes(count)[keep]
                kos[rows] = playing.ko[keep]
            count = playing.play(moves[index], BLACK if ply % 2 == 0 else WHITE)
    return boards, kos
