"""What learning rests on: positions like those of a slow board, targets that turn with the board, a loss that falls."""

import copy
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from harie_training import files, games, oracle
from harie_training.learn import Settings, learn
from harie_training.net import Net, cost
from harie_training.positions import Positions, areas, symmetries
from harie_training.replay import replay

RECORDS = sorted((Path(__file__).parents[2] / "matches" / "gnugo-9x9").glob("*.sgf"))
SHAPES = [dict(shape="residual"), dict(shape="nested", inner=8, inside=2), dict(shape="inverted", inner=24)]


class SlowBoard:
    """Go by the book: groups and liberties are looked for at every move."""

    def __init__(self, size):
        self.size, self.color, self.ko = size, [0] * size * size, -1

    def around(self, point):
        y, x = divmod(point, self.size)
        steps = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
        return [v * self.size + u for v, u in steps if 0 <= v < self.size and 0 <= u < self.size]

    def group(self, point):
        group, liberties, open_ = {point}, set(), [point]
        while open_:
            for beside in self.around(open_.pop()):
                if self.color[beside] == 0:
                    liberties.add(beside)
                elif self.color[beside] == self.color[point] and beside not in group:
                    group.add(beside)
                    open_.append(beside)
        return group, liberties

    def play(self, move, color):
        self.ko, taken = -1, []
        if move == self.size**2:
            return
        self.color[move] = color
        for beside in self.around(move):
            if self.color[beside] == 3 - color:
                group, liberties = self.group(beside)
                if not liberties:
                    taken += group
                    for point in group:
                        self.color[point] = 0
        group, liberties = self.group(move)
        if not liberties:
            for point in group:
                self.color[point] = 0
        elif len(taken) == len(group) == len(liberties) == 1:
            self.ko = taken[0]

    def bytes(self):
        libs = [min(len(self.group(p)[1]), 4) if c else 0 for p, c in enumerate(self.color)]
        return [c * 4 + n - 1 if c else 0 for c, n in zip(self.color, libs)]


def random_games(size, n, plies, seed):
    """Games of random moves, suicides of one stone left out, with passes in between."""
    draw, found = random.Random(seed), []
    for _ in range(n):
        board, moves = SlowBoard(size), []
        for ply in range(plies):
            empty = [p for p, c in enumerate(board.color) if c == 0 and p != board.ko]
            move = draw.choice(empty) if empty and draw.random() > 0.05 else size * size
            board.play(move, 1 + ply % 2)
            moves.append(move)
        found.append((moves, 7.0, False, 0, np.nan))
    return games.one_size(size, found)


@pytest.mark.parametrize("size", [5, 9])
def test_positions_are_those_of_a_slow_board(size):
    played = random_games(size, 6, 150, seed=size)
    boards, ko = replay(played, np.ones(len(played.moves), bool), "cpu")
    for game in range(len(played)):
        slow = SlowBoard(size)
        for ply, row in enumerate(range(played.start[game], played.start[game + 1])):
            assert boards[row].tolist() == slow.bytes(), (game, ply)
            assert int(ko[row]) == slow.ko, (game, ply)
            slow.play(int(played.moves[row]), 1 + ply % 2)


def test_owners_of_a_final_board():
    rows = ["XX.OO", "X.XO.", "XXXOO", ".XO..", "..O.."]
    board = torch.tensor([[{"X": 4, "O": 8, ".": 0}[c] for c in "".join(rows)]], dtype=torch.uint8)
    wanted = ["XX.OO", "XXXOO", "XXXOO", ".XOOO", "..OOO"]
    values = [{"X": 1, "O": -1, ".": 0}[c] for c in "".join(wanted)]
    assert areas(board, 5)[0].tolist() == values


def test_what_is_to_be_said_turns_with_the_board():
    positions = Positions(games.read(RECORDS[:10], RECORDS[:10])[0][9], "cpu")
    which = torch.arange(0, len(positions), 7)
    lies = positions.batch(which, torch.zeros_like(which))
    for turn, source in enumerate(symmetries(9)):
        turned = positions.batch(which, torch.full_like(which, turn))
        source = torch.from_numpy(source)
        planes = lies.planes.flatten(2)[:, :, source[:81]]
        assert torch.equal(turned.planes.flatten(2), planes), turn
        assert torch.equal(source[turned.move], lies.move), turn
        assert torch.equal(turned.owner, lies.owner[:, source[:81]]), turn
        assert torch.equal(turned.lead, lies.lead), turn


def test_final_boards_and_scores_agree_as_players_see_them():
    positions = Positions(games.read(RECORDS, RECORDS)[0][9], "cpu")
    batch = positions.batch(torch.arange(len(positions)), torch.zeros(len(positions), dtype=torch.long))
    known = batch.weights["owner"] > 0
    assert known.any()
    komi = batch.globals[known, 0] * 15
    assert torch.equal(batch.owner[known].sum(1) + komi, batch.lead[known])
    decided = known & (batch.result != 0.5)
    assert torch.equal((batch.lead[decided] > 0).float(), batch.result[decided])
    untrusted = Positions(games.read(RECORDS[:5])[0][9], "cpu").draw(50)
    assert all(not weight.any() for weight in untrusted.weights.values())


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["shape"])
def test_a_loss_falls_and_a_file_holds_what_was_learned(shape, tmp_path):
    records = [Positions(games.read(RECORDS, RECORDS)[0][9], "cpu")]
    settings = Settings(depth=2, channels=16, steps=120, points=64 * 81, **shape)
    kept = tmp_path / "net.npz"
    lines = []
    net, _, history = learn(settings, records, [], "cpu", None, lines.append, 0, lambda n, about: files.write(kept, n, about))
    first, last = history[0], history[-1]
    assert last["9 played"] < first["9 played"] - 0.2
    assert last["9 owner"] < first["9 owner"]
    about, weights = files.read(kept)
    again = Net(**about["net"])
    again.load_state_dict(weights)
    batch = records[0].draw(8)
    with torch.no_grad():
        for name, said in again(batch.planes, batch.globals).items():
            assert torch.allclose(said, net(batch.planes, batch.globals)[name], atol=0.05), name
    assert cost(net)[0] == sum(weight.numel() for weight in weights.values())


def test_points_of_records_have_numbers():
    assert [oracle.number(point, 9) for point in ("A9", "J9", "A1", "J1", "pass")] == [0, 8, 72, 80, 81]


def test_records_are_read_as_they_are_written(tmp_path):
    file = tmp_path / "some.sgf"
    file.write_text(
        "(;SZ[9]KM[7]RE[B+2]C[a (;B[aa\\] in words];B[cc];W[gg]\n;B[])"
        "(;SZ[9]RE[W+R];B[cc];W[dd](;B[ee];W[ff])\n(;B[ff];W[ee]))"
        "(;SZ[9]AB[aa];B[cc];W[dd])(;B[cc];W[dd])(;SZ[9];B[cc];B[dd])(;SZ[13]KM[7.5]RE[?];B[mm];W[aa])"
    )
    found, left_out = games.read([file])
    assert left_out == 4
    assert {size: len(some) for size, some in found.items()} == {9: 1, 13: 1}
    assert found[9].moves.tolist() == [20, 60, 81]
    assert found[13].moves.tolist() == [168, 0]
    assert (found[9].komi[0], found[9].result[0], found[9].score[0]) == (7, 1, 2)
    unknown = Positions(found[13], "cpu").batch(torch.arange(2), torch.zeros(2, dtype=torch.long))
    assert unknown.result.tolist() == [-1, -1]


def test_a_loss_that_is_no_number_keeps_what_was_learned():
    records = [Positions(games.read(RECORDS[:5])[0][9], "cpu")]
    kept = []
    with pytest.raises(ArithmeticError, match="no number"):
        settings = Settings(depth=1, channels=8, steps=40, points=64 * 81, rate=1e30)
        learn(settings, records, [], "cpu", None, lambda line: None, 0, lambda net, about: kept.append(copy.deepcopy(net)))
    assert all(torch.isfinite(weight).all() for net in kept for weight in net.parameters())
