"""Games as flat arrays: from records (SGF) and from files of judged positions.

Both become a `Games`: the moves of all games of one board size behind each other, with the offsets of each game.
Points are numbered row by row from the top left corner; `size * size` is a pass. Black moves first and colours
alternate: records with variations or setup stones, without a board size, or with two moves of one colour in a row are left
out, and counted. Whether moves are legal is not checked: `harie records` does that.
"""

import gzip
import lzma
import re
import struct
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Moves of a judged policy that are kept, the likeliest first, and the step of their log probabilities.
POLICY_MOVES = 32
POLICY_STEP = 32.0

# What is between brackets; a bracket in a text is escaped.
VALUE = re.compile(rb"\[(?:\\.|[^\\\]])*\]", re.DOTALL)
PROPERTY = re.compile(rb"([A-Z]+)\s*(\[(?:\\.|[^\\\]])*\])", re.DOTALL)
NUMBER = re.compile(rb"-?\d+(?:\.\d*)?")
SCORE = re.compile(rb"[BW]\+(\d+(?:\.\d+)?)")


@dataclass
class Labels:
    """What a stronger network said about some positions of a `Games`."""

    game: np.ndarray  # int32, number of the game
    ply: np.ndarray  # int32, moves played before the position
    win: np.ndarray  # float32, for the player to move
    lead: np.ndarray  # float32, points for the player to move, komi included
    moves: np.ndarray  # int16 [n, POLICY_MOVES], -1 where there are fewer
    logs: np.ndarray  # uint8 [n, POLICY_MOVES], -log probability * POLICY_STEP
    owners: np.ndarray  # uint8 [m, (size * size + 1) // 2], two points a byte, low half first
    owner_row: np.ndarray  # int32 [n], row in `owners` or -1


@dataclass
class Games:
    """Games of one board size."""

    size: int
    moves: np.ndarray  # int16, all games behind each other
    start: np.ndarray  # int64 [games + 1], where each game begins in `moves`
    komi: np.ndarray  # float32
    territory: np.ndarray  # bool: territory rules, otherwise area rules
    result: np.ndarray  # int8: 1 Black won, -1 White, 0 neither or not known
    score: np.ndarray  # float32, points by which Black won, komi counted; NaN where the record has no number
    strong: np.ndarray  # bool: players whose results say how the positions stood
    labels: Labels | None = None

    def __len__(self):
        return len(self.start) - 1


def _texts(data):
    """The games of a file, one text each, and how many of them have variations and are left out."""
    # Brackets of values do not count when the parentheses of games do.
    bare = VALUE.sub(lambda found: b"[" + b"." * (len(found[0]) - 2) + b"]", data)
    texts, branching, depth, begin, deepest = [], 0, 0, 0, 0
    for found in re.finditer(rb"[()]", bare):
        if found[0] == b"(":
            begin = found.start() if depth == 0 else begin
            depth, deepest = depth + 1, max(deepest, depth + 1)
        elif depth:
            depth -= 1
            if depth == 0 and deepest == 1:
                texts.append(data[begin : found.end()])
            elif depth == 0:
                branching += 1
            deepest = deepest if depth else 0
    return texts, branching


def _sgf_game(text):
    """One record as (size, moves, komi, territory, result, score), or None if it does not fit the format above."""
    values = {}
    moves = []
    for name, value in PROPERTY.findall(text):
        if name in (b"B", b"W"):
            moves.append((name, value))
        elif name in (b"AB", b"AW", b"PL"):
            return None
        else:
            values.setdefault(name, value[1:-1].strip())
    number = lambda name: float(values[name]) if NUMBER.fullmatch(values.get(name, b"")) else None
    size, komi = number(b"SZ"), number(b"KM")
    if size is None or not 5 <= size <= 25 or size % 1 or len(moves) < 2:
        return None
    size, points = int(size), []
    for k, (color, value) in enumerate(moves):
        at = value[1:-1]
        if color != b"BW"[k % 2 : k % 2 + 1]:
            return None
        if len(at) == 2 and at.islower() and max(at) - 97 < size:
            points.append((at[1] - 97) * size + at[0] - 97)
        elif not at or (at == b"tt" and size <= 19):
            points.append(size * size)
        else:
            return None
    territory = values.get(b"RU", b"").lower() in (b"japanese", b"korean")
    ended = values.get(b"RE", b"").upper()
    result = {b"B": 1, b"W": -1}.get(ended[:1], 0)
    found = SCORE.fullmatch(ended)
    score = result * float(found[1]) if found else 0.0 if ended in (b"0", b"DRAW", b"JIGO") else np.nan
    return size, points, komi or 0.0, territory, result, score


def _read_records(path):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rb") as file:
        texts, branching = _texts(file.read())
    read = [_sgf_game(text) for text in texts]
    good = [game for game in read if game]
    sizes = sorted({game[0] for game in good})
    parts = {size: one_size(size, [game[1:] for game in good if game[0] == size]) for size in sizes}
    return parts, len(read) - len(good) + branching


def one_size(size, games):
    """Games of one size from (moves, komi, territory, result, score) each."""
    lengths = np.array([len(moves) for moves, *_ in games], dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(lengths)])
    moves = np.concatenate([np.array(moves, dtype=np.int16) for moves, *_ in games])
    _, komi, territory, result, score = zip(*games)
    return Games(
        size,
        moves,
        start,
        np.array(komi, dtype=np.float32),
        np.array(territory, dtype=bool),
        np.array(result, dtype=np.int8),
        np.array(score, dtype=np.float32),
        np.zeros(len(games), dtype=bool),
    )


def _read_labels(path):
    """A file of judged positions; its format is described in `training/README.md`."""
    data = lzma.open(path).read() if str(path).endswith(".xz") else Path(path).read_bytes()
    at, games, size = 0, [], data[0] if data else 0
    game_of, ply_of, win, lead, policies, owners, owner_row = [], [], [], [], [], [], []
    while at < len(data):
        other, komi, rules, plies, _, labels = struct.unpack_from("<BbBHHH", data, at)
        if other != size:
            raise ValueError(f"{path}: a game on {other}x{other} after games on {size}x{size}; split the file by size")
        at += 9
        moves = np.frombuffer(data, "<u2", plies, at).astype(np.int16)
        at += 2 * plies
        for _ in range(labels):
            ply, flags, winrate, points, n = struct.unpack_from("<HBHhB", data, at)
            at += 8
            policies.append((at, n))
            at += 3 * n
            game_of.append(len(games))
            ply_of.append(ply)
            win.append(winrate)
            lead.append(points)
            if flags & 1:
                owner_row.append(len(owners))
                bytes_ = (size * size + 1) // 2
                owners.append(np.frombuffer(data, np.uint8, bytes_, at))
                at += bytes_
            else:
                owner_row.append(-1)
        games.append((moves, komi / 2, rules == 1, 0, np.nan))
    together = one_size(size, games)
    raw = np.frombuffer(data, np.uint8)
    kept_moves = np.full((len(policies), POLICY_MOVES), -1, dtype=np.int16)
    kept_logs = np.full((len(policies), POLICY_MOVES), 255, dtype=np.uint8)
    for row, (begin, n) in enumerate(policies):
        entries = raw[begin : begin + 3 * n].reshape(n, 3)[:POLICY_MOVES]
        kept_moves[row, : len(entries)] = entries[:, 0] + 256 * entries[:, 1].astype(np.int16)
        kept_logs[row, : len(entries)] = entries[:, 2]
    together.labels = Labels(
        np.array(game_of, dtype=np.int32),
        np.array(ply_of, dtype=np.int32),
        np.array(win, dtype=np.float32) / 65535,
        np.array(lead, dtype=np.float32) / 10,
        kept_moves,
        kept_logs,
        np.array(owners, dtype=np.uint8).reshape(len(owners), (size * size + 1) // 2),
        np.array(owner_row, dtype=np.int32),
    )
    return ({size: together} if games else {}), 0


def _read(path):
    return _read_records(path) if ".sgf" in path.name else _read_labels(path)


def join(parts):
    """Several `Games` of one size behind each other."""
    if len(parts) == 1:
        return parts[0]
    starts, before = [np.zeros(1, dtype=np.int64)], 0
    for part in parts:
        starts.append(part.start[1:] + before)
        before += part.start[-1]
    joined = Games(
        parts[0].size,
        np.concatenate([part.moves for part in parts]),
        np.concatenate(starts),
        np.concatenate([part.komi for part in parts]),
        np.concatenate([part.territory for part in parts]),
        np.concatenate([part.result for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.strong for part in parts]),
    )
    if parts[0].labels is not None:
        columns = {name: [] for name in Labels.__dataclass_fields__}
        games = owners = 0
        for part in parts:
            for name, values in columns.items():
                column = getattr(part.labels, name)
                if name == "game":
                    column = column + games
                if name == "owner_row":
                    column = np.where(column >= 0, column + owners, -1).astype(np.int32)
                values.append(column)
            games += len(part)
            owners += len(part.labels.owners)
        joined.labels = Labels(**{name: np.concatenate(values) for name, values in columns.items()})
    return joined


def read(paths, strong=(), processes=None):
    """(all games of some files by board size, how many records were left out). Files: `.sgf`, `.sgf.gz`, `.sgf.xz`;
    judged positions `.xz` or plain. The players of the records `strong` are trusted: their results say how the
    positions of a game stood."""
    paths = [Path(path) for path in paths]
    with ProcessPoolExecutor(processes) as pool:
        read_files = list(pool.map(_read, paths))
    trusted = set(map(Path, strong))
    for path, (by_size, _) in zip(paths, read_files):
        for part in by_size.values():
            part.strong[:] = path in trusted
    sizes = sorted({size for by_size, _ in read_files for size in by_size})
    games = {size: join([by_size[size] for by_size, _ in read_files if size in by_size]) for size in sizes}
    return games, sum(left_out for _, left_out in read_files)
