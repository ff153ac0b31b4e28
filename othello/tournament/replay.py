"""Games as positions, which the report replays without knowing the rules."""

import string
from itertools import product
from typing import Any, Final

from othello.errors import BoardTextError, TranscriptError
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.rules.protocol import GameSpec, Position, Rules
from othello.tournament.playing_style import PlayingStyle

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
            self.boards.append(
                {
                    "columns": rules.columns,
                    "rows": rules.rows,
                    "columnNames": list(rules.column_names),
                    "rowNames": list(rules.row_names),
                    "blockSize": rules.block_size,
                    "areTurned": False,
                }
            )
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
        "squares": [-1 if rules.is_pass(move) else move for move in game.moves],
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
        marks = [0 if owner is None else owner + 1 for owner in game.rules.marks(position)]
        changed = [3 * square + now for square, (was, now) in enumerate(zip(before, marks, strict=True)) if was != now]
        words.append("".join(_FIGURES[value] for value in changed))
        before = marks
    return ",".join(words)
