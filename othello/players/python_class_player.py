"""Players written by users in Python, as docs/adding-a-player.md describes."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import ForfeitError, OthelloError, ProgramError, Reason, reason_of
from othello.game import AnyGame, Game
from othello.players.player import ComputerConfig, Player
from othello.rules.protocol import Color, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.schema import check, object_schema, options_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag

_SIGNS: Final[Mapping[Color | None, str]] = {Color.BLACK: "X", Color.WHITE: "O", None: "-"}
_WORDS: Final = {"true": True, "false": False}


class GameView:
    """A game as a user's class sees it. It is immutable: `play` returns another one.

    Attributes:
        name: the game, such as "othello".
        rules: its options by name, such as {"size": 8, ...}.
        board: the rows from the top, each a string of "X" (black), "O" (white) and "-" (empty).
        to_move: the side to move, "X" or "O".
        moves: all legal moves, such as ("d3", "c4"), or ("pass",).
        history: the moves played so far.
        text: the position in one line, in the notation of files and of the command line.
        seed: for random choices: different for every move, the same when the game is played again.
    """

    def __init__(
        self, game: AnyGame, seed: int, end: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        rules, position = game.rules, game.position
        marks = "".join(_SIGNS[owner] for owner in rules.owners(position))
        self._game, self._seed, self._end, self._clock = game, seed, end, clock
        self.name = rules.spec.game
        self.rules = dict(rules.spec.options)
        self.board = tuple(marks[start : start + rules.columns] for start in range(0, len(marks), rules.columns))
        self.to_move = _SIGNS[game.to_move]
        self.moves = tuple(map(game.text_of, game.legal_moves()))

    @classmethod
    def of(cls, text: str = "", game: str = "othello", *, seed: int = 0, seconds: float | None = None) -> GameView:
        """Create a view of a position, or of the start position, to try a class with.

        Args:
            text: the position in one line; empty: the start position.
            game: the game's name.
            seed: of the game.
            seconds: time for the move; None: no limit.
        """
        rules = rules_of(game_spec(game))
        start = rules.parse_position(text) if text else None
        return cls(Game.new(rules, start), seed, None if seconds is None else time.monotonic() + seconds)

    @property
    def seed(self) -> int:
        return random.Random(f"{self._seed} {self._game.ply}").getrandbits(63)

    @property
    def history(self) -> tuple[str, ...]:
        return tuple(self._game.at(0).texts_of(self._game.moves))

    @property
    def text(self) -> str:
        return self._game.rules.format_position(self._game.position)

    @property
    def seconds(self) -> float | None:
        """Time left for this move; None: no limit."""
        return None if self._end is None else max(0.0, self._end - self._clock())

    @property
    def is_over(self) -> bool:
        return not self.moves

    @property
    def result(self) -> str | None:
        """ "X", "O" or "draw"; None: the game is not over."""
        outcome = self._game.outcome
        return None if outcome is None else "draw" if outcome.winner is None else _SIGNS[outcome.winner]

    @property
    def score(self) -> dict[str, int]:
        """Points of both sides, such as {"X": 2, "O": 2}; in Othello, discs."""
        return dict(zip("XO", self._game.rules.score(self._game.position), strict=True))

    def place(self, move: str) -> tuple[int, int] | None:
        """Return the row and the column of the square that a move enters, both from 0, or None for a pass."""
        squares = self._game.rules.squares_of(self._number(move))
        return divmod(squares[-1], self._game.rules.columns) if squares else None

    def play(self, move: str) -> GameView:
        """Return the game after one more move.

        Raises:
            OthelloError: the move is not legal.
        """
        return GameView(self._game.play(self._number(move)), self._seed, self._end, self._clock)

    def copy(self) -> GameView:
        """Return the view itself, which is immutable."""
        return self

    def __reduce__(self) -> tuple[type[GameView], tuple[AnyGame, int, float | None]]:
        """Support pickling: the copy measures time with the other process's clock."""
        seconds = self.seconds
        return GameView, (self._game, self._seed, None if seconds is None else time.monotonic() + seconds)

    def _number(self, move: str) -> Move:
        return self._game.rules.parse_move(self._game.position, move)


class ChoosingPlayer(Player):
    """A player around a class that has only `choose(game) -> move`."""

    player_type = "python"
    config: ComputerConfig

    def __init__(self, config: PlayerConfig, rules: Rules[Position], chooser: Any) -> None:
        super().__init__(config, rules)
        self._chooser = chooser

    @property
    def is_deterministic(self) -> bool:
        return bool(getattr(self._chooser, "deterministic", False))

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun, limit = stop.clock(), self.config.limit(seconds)
        stop.wait()
        if stop.is_cancelled:
            return
        move = game.legal_moves()[0]
        if not game.must_pass:  # a pass is no choice
            view = GameView(game, self.seed, None if limit is None else begun + limit, stop.clock)
            move = self._legal(game, str(self._chooser.choose(view)))
        stop.wait()
        if stop.is_cancelled:
            return
        yield self._unsearched(game, move, stop.clock() - begun)

    @staticmethod
    def _legal(game: AnyGame, text: str) -> Move:
        legal = {game.text_of(move): move for move in game.legal_moves()}
        if text.lower() not in legal:
            raise ForfeitError("illegal_answer", move=text, legal=", ".join(legal))
        return legal[text.lower()]


@contextmanager
def class_errors_as(error: type[OthelloError]) -> Iterator[None]:
    """Turn any exception of a user's class into an `error` of one line."""
    try:
        yield
    except OthelloError as fault:
        raise error(fault.reason) from fault
    except Exception as fault:  # the class can run any code
        at = extract_tb(fault.__traceback__)[-1]
        parts = {"reason": reason_of(fault), "line": at.lineno, "file": Path(at.filename).name}
        raise error(Reason("class_raised", parts)) from fault


def load_player(name: str, options: str, rules: Rules[Position], folder: str | None) -> Player:
    """Load the class `module:Class` and create a player with its options.

    Args:
        name: `module:Class`.
        options: such as "depth=5 style=bold".
        rules: of the game.
        folder: in which the module is looked for; None: only installed packages.

    Raises:
        ProgramError: the class is missing, its options are wrong, or it does not play the game.
    """
    with class_errors_as(ProgramError):
        kind = _class_of(name, folder)
        values = _parse_options(options)
        if not (isinstance(kind, type) and issubclass(kind, Player)):
            games = getattr(kind, "games", None)
            if games is not None and rules.spec.game not in games:
                raise ProgramError("program_game", name=name, game=rules.spec.game)
            return ChoosingPlayer(ComputerConfig(ChoosingPlayer.player_type), rules, kind(**values))
        known = options_of(kind.config_type)
        check(values, object_schema(known.values()), ProgramError)
        config = kind.config_type(kind.player_type, **{key: known[key].read(value) for key, value in values.items()})
        if kind.plays(rules) is not None or config.conflict(rules) is not None:
            raise ProgramError("program_game", name=name, game=rules.spec.game)
        return kind.create(config, rules)


def _class_of(name: str, folder: str | None) -> Any:
    module, _, path = name.partition(":")
    if folder is not None and folder not in sys.path:
        sys.path.append(folder)  # at the end: a file there must not hide a library
    value: Any = import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value


def _parse_options(options: str) -> dict[str, Any]:
    """Parse options such as "depth=5 style=bold"."""
    values: dict[str, Any] = {}
    for word in options.split():
        key, sign, value = word.partition("=")
        if not sign or not key.isidentifier():
            raise ProgramError("class_options", text=word)
        values[key] = _WORDS.get(value.lower(), value)
        for number in (float, int):
            try:
                values[key] = number(value)
            except ValueError:
                break
    return values


def title_of(name: str, player: Player) -> str:
    """Return the name of a class for users."""
    return name.rpartition(":")[2] if isinstance(player, ChoosingPlayer) else player.title
