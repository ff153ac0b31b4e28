"""Games move by move for the report: positions, which it replays without knowing the rules, and playing style."""

import string
from collections import defaultdict
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello.errors import BoardTextError, TranscriptError
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec, Move, Position, Rules

# Legal moves; captured squares; after the move, own game points minus the opponent's, and own corners minus theirs.
MEASURES: Final = ("mobility", "captured", "lead", "corners")
MEANINGS: Final = ("moves to choose from", "squares taken", "points ahead", "corners ahead")
_FIGURES: Final = ["".join(pair) for pair in product(string.digits + string.ascii_lowercase, repeat=2)]
_MAX_GAMES: Final = 1000  # about a megabyte


class Replays:
    """The first games of results files."""

    def __init__(self) -> None:
        # for every set of rules: columns, rows, their labels, the size of small boards, and whether moves flip discs
        self.boards: list[dict[str, Any]] = []
        # each with the index of its board, number, players, score, whether it was forfeited, moves, their squares
        # (-1: pass), scores (empty without game points), changes at the start and after every move, and the result
        self.games: list[dict[str, Any]] = []
        self.style = PlayingStyle()
        self.left_out = 0  # number of games beyond the limit
        self.illegal = 0  # number of games that break the rules
        self._board_of: dict[GameSpec, int] = {}

    def add(self, record: GameRecord) -> None:
        """Add a game, up to the limit."""
        if len(self.games) == _MAX_GAMES:
            self.left_out += 1
            return
        try:
            game = record.replayed()
        except (BoardTextError, TranscriptError):
            self.illegal += 1
            return
        self.style.add(record, game)
        board = self._board(game.rules)
        self.boards[board]["areTurned"] |= any(map(game.rules.captured, game.positions, game.moves))
        self.games.append({"board": board, **_entry(record, game)})

    def grouped(self) -> list[dict[str, Any]]:
        """Return the games, grouped by pairs of players."""
        groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for game in self.games:
            groups.setdefault(tuple(sorted(game["players"])), []).append(game)
        return [game for group in groups.values() for game in group]

    def _board(self, rules: Rules[Position]) -> int:
        if rules.spec not in self._board_of:
            self._board_of[rules.spec] = len(self.boards)
            self.boards.append({**rules.grid, "areTurned": False})
        return self._board_of[rules.spec]


def _entry(record: GameRecord, game: AnyGame) -> dict[str, Any]:
    rules = game.rules
    end = "A draw" if record.winner_name is None else f"{record.winner_name} wins"
    scores = (rules.score(position) for position in game.positions) if rules.points else ()
    return {
        "number": record.game,
        "players": [record.black, record.white],
        "score": f"{record.black_points} : {record.white_points}" if rules.points else "",
        "isForfeited": bool(record.reason) and not record.is_adjudicated,
        "note": f"{end}: {record.reason}." if record.reason else f"{end}.",
        "moves": " ".join(map(rules.move_text, game.positions, game.moves)),
        "squares": [rules.squares_of(move) for move in game.moves],
        "scores": ",".join(f"{black} : {white}" for black, white in scores),
        "changes": _changes(game),
    }


def _changes(game: AnyGame) -> str:
    """Return the squares that change at the start and with every move, separated by commas.

    Each square is a number of two digits in base 36: three times its index, plus 1 if it becomes black or 2 if white.
    """
    before = [0] * (game.rules.columns * game.rules.rows)
    words = []
    for position in game.positions:
        marks = [0 if owner is None else owner + 1 for owner in game.rules.owners(position)]
        changed = [3 * square + now for square, (was, now) in enumerate(zip(before, marks, strict=True)) if was != now]
        words.append("".join(_FIGURES[value] for value in changed))
        before = marks
    return ",".join(words)


class PlayingStyle:
    """Sums over the moves that players chose, without passes and openings."""

    def __init__(self) -> None:
        # by name, an array of shape (plies, 1 + measures): the number of moves, and the sum of each measure
        self.players: defaultdict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros((0, 1 + len(MEASURES))))

    def add(self, record: GameRecord, game: AnyGame) -> None:
        for ply, move in enumerate(game.moves):
            if ply < record.opening_plies or game.rules.is_pass(move):
                continue
            before, after = game.positions[ply], game.positions[ply + 1]
            name = (record.black, record.white)[before.to_move]
            sums = self.players[name]
            if ply >= len(sums):
                sums = self.players[name] = np.vstack([sums, np.zeros((ply + 1 - len(sums), sums.shape[1]))])
            sums[ply] += (1, *_measured(game.rules, before, move, after))

    @property
    def known(self) -> list[int]:
        """The indices of the measures that are not always 0. Some games have no captures or no game points."""
        sums = sum(np.abs(player).sum(axis=0) for player in self.players.values())
        return [measure for measure in range(len(MEASURES)) if np.any(sums) and sums[1 + measure]]

    def mean(self, name: str) -> tuple[float, ...]:
        """Return the mean of every measure over all moves of a player."""
        number, *sums = self.players[name].sum(axis=0)
        return tuple(total / number for total in sums)

    def course(self, name: str, measure: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the plies at which a player moved, from 1, and the mean of a measure at each."""
        number, *sums = self.players[name].T
        plies = np.flatnonzero(number)
        return plies + 1, sums[measure][plies] / number[plies]


def _measured(rules: Rules[Position], before: Any, move: Move, after: Any) -> tuple[int, ...]:
    own: Color = before.to_move
    score = rules.score(after)
    marks = rules.owners(after)
    last_row, last_column = (rules.rows - 1) * rules.columns, rules.columns - 1
    corners = [marks[row + column] for row in (0, last_row) for column in (0, last_column)]
    return (
        len(rules.legal_moves(before)),
        len(rules.captured(before, move)),
        score[own] - score[own.opponent] if rules.points else 0,
        corners.count(own) - corners.count(own.opponent) if rules.corners_matter else 0,
    )
