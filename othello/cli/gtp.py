"""`othello gtp`: players of this program in programs that use the Go Text Protocol (GTP), version 2."""

import math
import re
import sys
import time
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import othello
from othello.cli.server import ServedPlayer, declare, judged, serve, whole
from othello.config import MAX_SEED
from othello.errors import CommandError, OthelloError, errors_as
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.numbers import parse_whole
from othello.play.clock import move_time
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag

_COLORS: Final = {word: color for color in Color for word in (color.label, color.label[0])}
_BYO_YOMI_SHARE: Final = 0.9  # share of a move's byo-yomi to use: the answer also needs time to arrive
_MAIN_TIME_FACTOR: Final = math.e  # times longer than in byo-yomi: best if each doubling of time gains the same
_whole: Final = partial(whole, minimum=0, maximum=10**9)
_EMPTY_LINE: Final = "\n"  # also ends an analysis
_CERTAINTY: Final = {"kata-analyze": 1, "lz-analyze": 10_000}  # the number for a win rate of 100 %
_INTERRUPT: Final = "# interrupt"  # the comment with which GoGui ends a search


class _TimeSettings(FrozenDataclass):
    """Main time and then Canadian byo-yomi: periods of time for a number of moves. Times are in seconds."""

    main: float
    period: float
    stones: int

    @property
    def move_seconds(self) -> float:
        """Byo-yomi per move."""
        return self.period / self.stones if self.stones else 0.0

    @property
    def are_unlimited(self) -> bool:
        return self.period > 0 and not self.stones


class _GtpError(CommandError):
    """A command fails with a message of the protocol."""


@dataclass
class _Clock:
    """The remaining time of a side."""

    seconds: float
    stones: int = 0  # moves left in the byo-yomi period; 0: main time
    gains: bool = False  # byo-yomi is an increment per move, as some managers use it

    def spend(self, seconds: float, settings: _TimeSettings) -> None:
        self.seconds -= seconds
        if self.gains:
            self.seconds += settings.move_seconds
            return
        if not self.stones and self.seconds < 0 and settings.stones:
            self.seconds += settings.period
            self.stones = settings.stones
        if self.stones:
            self.stones -= 1
            if not self.stones:
                self.seconds, self.stones = settings.period, settings.stones


class Gtp:
    """A GTP session: the game, its clocks and the player."""

    searches: Mapping[str, Container[str] | None] = {
        **dict.fromkeys(("genmove", "reg_genmove", "othello-move_values", "othello-best_line"), (_INTERRUPT,)),
        **dict.fromkeys(_CERTAINTY, None),
    }

    def __init__(self, player: ServedPlayer) -> None:
        self._player = player
        self._settings: _TimeSettings | None = None
        self._clear()

    def _clear(self) -> None:
        self._games: list[AnyGame] = [Game.new(rules_of(self._player.spec))]  # one after every move
        self._reset_clocks()
        self._player.new_game()

    def _reset_clocks(self) -> None:
        settings, self._clocks = self._settings, dict[Color, _Clock]()
        if settings is not None and not settings.are_unlimited:
            begin = (settings.main, 0) if settings.main > 0 else (settings.period, settings.stones)
            self._clocks = {color: _Clock(*begin) for color in Color}

    @property
    def _game(self) -> AnyGame:
        return self._games[-1]

    @property
    def game_name(self) -> str:
        return self._player.spec.game.replace("_", " ").title()

    def word(self, line: str) -> str:
        return _INTERRUPT if line.strip() == _INTERRUPT else _parse(line)[1] or _EMPTY_LINE

    def answer(self, line: str, stop: StopFlag) -> Iterator[str]:
        number, word, words = _parse(line)
        if not word:
            return
        try:
            if word not in _COMMANDS:
                raise _GtpError("unknown command")
            if word in _CERTAINTY:
                yield f"={number}\n"
                yield from self._analyse(words, stop, _CERTAINTY[word])
                yield "\n"
                return
            text = _COMMANDS[word](self, words, stop)
            yield f"={number} {text}".rstrip() + "\n\n"
        except OthelloError as error:
            yield f"?{number} {error.reason.english}\n\n"

    # The game.

    def boardsize(self, words: list[str], _: StopFlag) -> str:
        (size,) = _read(words, _whole)
        spec, rules = self._player.spec, self._game.rules
        if (size, size) != (rules.columns, rules.rows):
            with errors_as(_GtpError, "unacceptable size"):
                self._player.play(game_spec(spec.game, {**dict(spec.options), "size": size}))
        return self.clear_board([], StopFlag())

    def clear_board(self, _: list[str], __: StopFlag) -> str:
        self._clear()
        self._player.ready()  # wait before a clock runs
        return ""

    def komi(self, words: list[str], _: StopFlag) -> str:
        _read(words, lambda word: _seconds(word.removeprefix("-")))  # Othello has no komi
        return ""

    def play(self, words: list[str], _: StopFlag) -> str:
        color, text = _read(words, _color, str)
        game, rules = self._turn(color), self._game.rules
        with errors_as(_GtpError, "illegal move"):
            move = rules.parse_move(game.position, text)
            if not (game.is_over and rules.is_pass(move)):  # a pass after the end changes nothing
                game = game.play(move)
        self._add(game)
        return ""

    def undo(self, _: list[str], __: StopFlag) -> str:
        if len(self._games) == 1:
            raise _GtpError("cannot undo")
        self._games.pop()
        return ""

    def _turn(self, color: Color) -> AnyGame:
        """Return the game with this side to move, after a forced pass that the other program may leave out."""
        game = self._game
        if game.to_move is not color and game.must_pass:
            game = game.play(game.legal_moves()[0])
        if game.to_move is not color and not game.is_over:
            raise _GtpError(f"illegal move: {game.to_move.label} is to move")
        return game

    def _add(self, game: AnyGame) -> None:
        self._games.append(game)
        if game.is_over:
            self._player.game_over(game)

    # The player.

    def genmove(self, words: list[str], stop: StopFlag) -> str:
        began = time.monotonic()
        (color,) = _read(words, _color)
        game = self._turn(color)
        text = self._choose(game, color, stop)
        if color in self._clocks and self._settings is not None:
            self._clocks[color].spend(time.monotonic() - began, self._settings)
        self._add(game if game.is_over else game.play(game.rules.parse_move(game.position, text)))
        return text

    def reg_genmove(self, words: list[str], stop: StopFlag) -> str:
        (color,) = _read(words, _color)
        return self._choose(self._turn(color), color, stop)

    def _choose(self, game: AnyGame, color: Color, stop: StopFlag) -> str:
        if game.is_over or game.must_pass:
            return "pass"
        move = None
        for report in self._player.search(game, stop, self._allotted(game, color)):
            move = report.move
        if move is None:
            raise _GtpError("the search was stopped")
        return _point(game.text_of(move))

    def _analyse(self, words: list[str], stop: StopFlag, certainty: int) -> Iterator[str]:
        """Yield the results of a search in the format of KataGo and Leela Zero, until the next command comes."""
        color = next((_COLORS[word] for word in map(str.lower, words) if word in _COLORS), self._game.to_move)
        game = self._turn(color)
        pause = next((number / 100 for word in words if (number := parse_whole(word, 0, sys.maxsize)) is not None), 1.0)
        if game.is_over or game.must_pass:
            return
        last = -math.inf
        for report in self._player.search(game, stop, judges=True):
            if report.final or report.seconds >= last + pause:
                last = report.seconds
                yield " ".join(_info(game, report, certainty)) + "\n"

    def _search(self, words: list[str], stop: StopFlag) -> tuple[AnyGame, SearchReport | None]:
        """Return the game with a side to move and the report of a search, or None if the side cannot move."""
        game = self._turn(_read(words, _color)[0] if words else self._game.to_move)
        if game.is_over or game.must_pass:
            return game, None
        return game, [*self._player.search(game, stop, judges=True)][-1]

    def move_values(self, words: list[str], stop: StopFlag) -> str:
        """Return moves and their values as pairs, which GoGui writes on the board."""
        game, report = self._search(words, stop)
        known = [] if report is None else [stats for stats in judged(report) if stats.value is not None]
        return " ".join(f"{_point(game.text_of(stats.move))} {_value(stats.value or 0.0, report)}" for stats in known)

    def best_line(self, words: list[str], stop: StopFlag) -> str:
        game, report = self._search(words, stop)
        return "" if report is None else " ".join(map(_point, game.texts_of(report.pv)))

    # Time.

    def time_settings(self, words: list[str], _: StopFlag) -> str:
        main, period, stones = _read(words, _seconds, _seconds, _whole)
        self._settings = _TimeSettings(main, period, stones)
        self._reset_clocks()
        if not self._game.ply or self._player.config.clock_seconds is None:  # some managers repeat the settings
            clock = None if self._settings.are_unlimited else max(0.1, main + period)
            self._player.reach(clock_seconds=clock)  # removes the limits of depth and simulations
        return ""

    def time_left(self, words: list[str], _: StopFlag) -> str:
        color, seconds, stones = _read(words, _color, _seconds, _whole)
        self._settings = self._settings or _TimeSettings(seconds, 0, 0)
        former, share = self._clocks.get(color), self._settings.move_seconds
        gains = former is not None and not stones and (former.gains or seconds > former.seconds + share / 2)
        self._clocks[color] = _Clock(seconds, stones, gains)
        return ""

    def _allotted(self, game: AnyGame, color: Color) -> float | None:
        """Return the seconds that a side's clock allots to its move, None without a clock."""
        if color not in self._clocks or self._settings is None:
            return None
        clock, share = self._clocks[color], self._settings.move_seconds
        rules, config = game.rules, self._player.config
        increment, stones = share if clock.gains else 0.0, clock.stones or None
        moves, ends = rules.moves_left(game.position), partial(config.solving_seconds, rules)
        if clock.stones or clock.gains:
            return move_time(clock.seconds, increment, moves, ends, stones, config.allotment_used)
        # Byo-yomi follows the main time.
        plan = move_time(clock.seconds, 0.0, moves, ends, None, config.allotment_used, _MAIN_TIME_FACTOR * share)
        return max(plan, _BYO_YOMI_SHARE * share)

    # Output.

    def showboard(self, _: list[str], __: StopFlag) -> str:
        game = self._game
        rows = self._rows(game)
        names = game.rules.row_names
        width = max(map(len, names))
        lines = [f"{name:>{width}} {row}" for name, row in zip(names, rows, strict=True)]
        columns = " ".join(game.rules.column_names)
        return "\n".join(["", f"{'':{width}} {columns}", *lines, f"{game.to_move.label} to move"])

    @staticmethod
    def _rows(game: AnyGame) -> list[str]:
        signs = ["." if mark is None else "XO"[mark] for mark in game.rules.owners(game.position)]
        columns = game.rules.columns
        return [" ".join(signs[start : start + columns]) for start in range(0, len(signs), columns)]

    def board(self, _: list[str], __: StopFlag) -> str:
        """Return the board for GoGui, whose row 1 is at the bottom."""
        return "\n" + "\n".join(reversed(self._rows(self._game)))

    def legal_moves(self, _: list[str], __: StopFlag) -> str:
        """Return the moves in upper case, which GoGui requires."""
        return " ".join(_point(self._game.text_of(move)) for move in self._game.legal_moves())

    def final_result(self, _: list[str], __: StopFlag) -> str:
        outcome = self._game.outcome
        if outcome is None:
            return "the game goes on"
        result = "draw" if outcome.winner is None else f"{outcome.winner.label} wins"
        return f"{result} {outcome.black} : {outcome.white}"

    def final_score(self, _: list[str], __: StopFlag) -> str:
        outcome = self._game.outcome
        if outcome is None:
            raise _GtpError("cannot score")
        black, white = outcome.counted
        return "0" if outcome.winner is None else f"{outcome.winner.label[0].upper()}+{abs(black - white)}"

    def known_command(self, words: list[str], _: StopFlag) -> str:
        return str(" ".join(words[:1]) in _COMMANDS).lower()

    def set_game(self, words: list[str], _: StopFlag) -> str:
        if " ".join(words).lower() != self.game_name.lower():
            raise _GtpError("unsupported game")
        return ""

    def set_random_seed(self, words: list[str], _: StopFlag) -> str:
        (seed,) = _read(words, partial(whole, minimum=0, maximum=MAX_SEED))
        self._player.new_game(seed)
        return ""


# The commands of GoGui's menu Analyze: type of the answer, label, command.
_ANALYSES: Final = (
    "pspairs/Values of the moves/othello-move_values %m",
    "var/Best line/othello-best_line %m",
    "plist/Legal moves/gogui-rules_legal_moves",
    "string/Final result/gogui-rules_final_result",
)

_METHODS: Final = (
    *(Gtp.known_command, Gtp.boardsize, Gtp.clear_board, Gtp.komi, Gtp.play, Gtp.genmove, Gtp.reg_genmove, Gtp.undo),
    *(Gtp.time_settings, Gtp.time_left, Gtp.showboard, Gtp.final_score, Gtp.set_game, Gtp.set_random_seed),
)
_COMMANDS: Final[Mapping[str, Callable[[Gtp, list[str], StopFlag], object]]] = {
    **{method.__name__: method for method in _METHODS},
    "protocol_version": lambda *_: 2,
    "name": lambda gtp, *_: gtp._player.name,
    "version": lambda *_: othello.__version__,
    "list_commands": lambda *_: "\n".join(_COMMANDS),
    "quit": lambda *_: "",
    "list_games": lambda gtp, *_: gtp.game_name,
    "cputime": lambda *_: f"{time.process_time():.3f}",
    **dict.fromkeys(_CERTAINTY, lambda *_: ""),  # `answer` carries these out
    "gogui-interrupt": lambda *_: "",  # tells GoGui that the comment is supported
    "gogui-analyze_commands": lambda *_: "\n".join(_ANALYSES),
    "othello-move_values": Gtp.move_values,
    "othello-best_line": Gtp.best_line,
    "gogui-rules_game_id": lambda gtp, *_: gtp.game_name.replace(" ", "").capitalize(),
    "gogui-rules_board": Gtp.board,
    "gogui-rules_board_size": lambda gtp, *_: gtp._game.rules.columns,
    "gogui-rules_legal_moves": Gtp.legal_moves,
    "gogui-rules_side_to_move": lambda gtp, *_: gtp._game.to_move.label,
    "gogui-rules_final_result": Gtp.final_result,
}


def _parse(line: str) -> tuple[str, str, list[str]]:
    """Return a line's id, command and arguments after the preprocessing that the protocol defines."""
    text = "".join(letter for letter in line.partition("#")[0].replace("\t", " ") if letter >= " " and letter != "\x7f")
    words = text.split()
    number = words.pop(0) if words and re.fullmatch("[0-9]+", words[0]) else ""
    return number, words[0] if words else "", words[1:]


def _read(words: list[str], *kinds: Callable[[str], Any]) -> list[Any]:
    """Convert the first arguments of a command."""
    with errors_as(_GtpError, "syntax error", (CommandError, LookupError, ValueError)):
        return [kind(words[place]) for place, kind in enumerate(kinds)]


def _color(word: str) -> Color:
    return _COLORS[word.lower()]


def _seconds(word: str) -> float:
    seconds = float(word)
    if not 0 <= seconds < 1e9:
        raise ValueError(word)
    return seconds


def _point(text: str) -> str:
    """Return a move in the notation of the protocol."""
    return text if text == "pass" else text.upper()


def _value(value: float, report: SearchReport | None) -> str:
    return f"{100 * value:.0f}%" if report is not None and report.unit is Unit.REWARD else f"{value:+.0f}"


def _info(game: AnyGame, report: SearchReport, certainty: int) -> Iterator[str]:
    """Yield the evaluated moves, the best first. `certainty` is the number for a win rate of 100 %."""
    for order, stats in enumerate(judged(report)):
        yield f"info move {_point(game.text_of(stats.move))} visits {stats.visits}"
        if stats.value is not None and report.unit is Unit.REWARD:
            yield f"winrate {round(certainty * stats.value, 4):g}"
        elif stats.value is not None:
            yield f"scoreMean {stats.value:.2f} scoreLead {stats.value:.2f}"
        line = report.pv if stats.move == report.move else (stats.move,)
        if report.from_book:
            yield "source book"
        yield f"order {order} pv {' '.join(map(_point, game.texts_of(line)))}"


declare_gtp: Final = declare
gtp: Final = partial(serve, Gtp)
