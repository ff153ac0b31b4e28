"""`othello nboard`: players of this program in NBoard and other programs with its protocol, version 1 or 2."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from typing import Final

from othello.cli.messages import print_message
from othello.cli.server import ServedPlayer, declare, judged, serve, whole
from othello.errors import CommandError, GameFileError, OthelloError
from othello.game import AnyGame, Game
from othello.play.clock import move_time
from othello.records.readers import recognise
from othello.records.transcript import forced_passes, play_text
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.schema import nearest
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag

_REPORT_SECONDS: Final = 0.25  # between two reports of a search
_FINISHED: Final = 10_000  # lowest positional score of a finished game
_MAX_DISCS: Final = 64
_CLOCK: Final = re.compile(r"\bTI\s*\[\s*([0-9:.]*)(?:/([0-9:.]*))?")  # main time and increment


class NBoard:
    """An NBoard session: the game, its clocks and the player."""

    searches: Mapping[str, Container[str] | None] = {"go": ("ping", "quit"), "hint": None, "analyze": None}

    def __init__(self, player: ServedPlayer) -> None:
        self._player = player
        self._current: AnyGame | None = Game.new(rules_of(player.spec))  # None: the last game was refused
        self._left: list[float] = []  # seconds on the clocks of black and white; empty: there are no clocks
        self._increment = 0.0  # seconds that a clock gains with each move

    @property
    def _game(self) -> AnyGame:
        if self._current is None:
            raise CommandError("no_game_set")
        return self._current

    def word(self, line: str) -> str:
        return line.partition(" ")[0].strip().lower()

    def answer(self, line: str, stop: StopFlag) -> Iterator[str]:
        word, _, rest = line.strip().partition(" ")
        command = self._COMMANDS.get(word.lower())
        try:
            for text in self._move_only(line.strip()) if command is None else command(self, rest.strip(), stop):
                yield f"{text}\n"
        except OthelloError as error:
            print_message(str(error))

    # The commands of NBoard.

    def _nboard(self, _: str, __: StopFlag) -> Iterator[str]:
        yield f"set myname {self._player.name}"

    def _set(self, rest: str, _: StopFlag) -> Iterator[str]:
        what, value = (part.strip() for part in f"{rest} ".split(" ", 1))
        match what.lower():
            case "game":
                self._set_game(value)
            case "depth":
                self._player.reach(depth=whole(value, 1, 100))
                yield f"set myname {self._player.name}"
            case "contempt":
                pass  # this program has no contempt for draws
            case _:
                hint = nearest(what, ("game", "depth", "contempt"))
                raise CommandError("unknown_word", word=f"set {what}", hint=hint)

    def _set_game(self, text: str) -> None:
        former, self._current = self._current, None
        if "(;" not in text:
            raise GameFileError("no_ggf")
        tree = recognise(text, game_spec()).tree
        game = tree.game
        ends_with_pass = text.rpartition("[")[2][:2].upper() == "PA"
        while game.ply and game.rules.is_pass(game.moves[-1]) and not ends_with_pass:
            game = game.at(game.ply - 1)  # NBoard asks for the pass itself
        self._player.play(game.rules.spec)
        common = 0 if former is None else min(game.ply, former.ply) + 1
        if not game.ply or former is None or game.positions[:common] != former.positions[:common]:
            self._player.new_game()  # not a continuation of the current game
        self._set_clock(text, game, tree.known(game).used or (0.0, 0.0))
        self._current = game

    def _set_clock(self, text: str, game: AnyGame, used: tuple[float, float]) -> None:
        clock = _CLOCK.search(text)
        main, increment = (_seconds(part or "") for part in clock.groups()) if clock is not None else (0.0, 0.0)
        moves_made = [sum(position.to_move is color for position in game.positions[:-1]) for color in Color]
        self._left = [main + increment * moves_made[color] - used[color] for color in Color] if main else []
        self._increment = increment

    def _move(self, rest: str, _: StopFlag) -> Iterator[str]:
        text = rest.strip()[:2]  # PASS becomes PA; value and time follow
        rules = self._game.rules
        game = self._game if rules.is_pass(rules.parse_move(self._game.position, text)) else forced_passes(self._game)
        self._current = play_text(game, text)
        if self._left:
            spent = next(map(_number, rest.split("/")[2:]), None)
            self._left[game.to_move] += self._increment - (spent or 0.0)
        if self._game.is_over:
            self._player.game_over(self._game)
        return iter(())

    def _move_only(self, line: str) -> Iterator[str]:
        """Play a line that is only a move, as version 1 of the protocol sends it."""
        if len(line.partition("/")[0]) != 2:
            raise CommandError("unknown_word", word=line, hint=nearest(line, self._COMMANDS))
        return self._move(line, StopFlag())

    def _ping(self, rest: str, _: StopFlag) -> Iterator[str]:
        self._player.ready()  # after the answer a search must start and stop at once
        yield f"pong {rest}"

    def _learn(self, _: str, __: StopFlag) -> Iterator[str]:
        yield "learned"  # required; clears the status
        yield f"status {self._player.name} learns no games"

    def _go(self, _: str, stop: StopFlag) -> Iterator[str]:
        game = self._game
        if game.is_over:
            raise CommandError("game_over", number=game.ply + 1, move="PA")
        if game.must_pass:
            yield "=== PA"
            return
        report = None
        yield f"status {self._player.name} is thinking"
        for report, is_due in self._reports(game, stop, self._allotted(game)):
            if is_due:
                yield from _hints(game, report, 1)
        yield "status"
        if report is not None:
            value = discs(report.value, report.unit)
            yield f"=== {_text(game, report.move)}/{'' if value is None else f'{value:.2f}'}/{report.seconds:.2f}"

    def _allotted(self, game: AnyGame) -> float | None:
        """Return the seconds that the clock allows for a move, None without a clock."""
        if not self._left:
            return None
        rules, config = game.rules, self._player.config
        left, ends = max(0.0, self._left[game.to_move]), partial(config.solving_seconds, rules)
        return move_time(left, self._increment, rules.moves_left(game.position), ends, used=config.allotment_used)

    def _hint(self, rest: str, stop: StopFlag) -> Iterator[str]:
        game, count = self._game, whole(rest or "1", 1, 100)
        if game.is_over:
            raise CommandError("game_over", number=game.ply + 1, move="PA")
        yield f"status {self._player.name} is analysing"
        for report, is_due in self._reports(game, stop, judges=True):
            if is_due:
                yield from _hints(game, report, count)
        yield "status"

    def _analyze(self, _: str, stop: StopFlag) -> Iterator[str]:
        """Yield the value of every position of the game, the last one first."""
        whole = self._game
        yield f"status {self._player.name} is analysing the game"
        for ply in range(whole.ply, -1, -1):
            game = whole.at(ply)
            value = _final(game)
            if not game.is_over:
                for report, _is_due in self._reports(game, stop):
                    value = discs(report.value, report.unit)
                if stop.is_set:
                    break
            if value is not None:
                yield f"analysis {ply} {value:.2f}"
        yield "status"

    def _reports(
        self, game: AnyGame, stop: StopFlag, seconds: float | None = None, *, judges: bool = False
    ) -> Iterator[tuple[SearchReport, bool]]:
        """Yield pairs: a report of a search, and True if it is time to send one."""
        last = -math.inf
        for report in self._player.search(game, stop, seconds, judges=judges):
            is_due = report.final or report.seconds >= last + _REPORT_SECONDS
            last = report.seconds if is_due else last
            yield report, is_due

    def _quit(self, _: str, __: StopFlag) -> Iterator[str]:
        return iter(())

    _METHODS = (_nboard, _set, _move, _ping, _learn, _go, _hint, _analyze, _quit)
    _COMMANDS: Final[Mapping[str, Callable[[NBoard, str, StopFlag], Iterator[str]]]] = {
        "": _quit,  # an empty line has no effect
        **{method.__name__[1:]: method for method in _METHODS},
    }


def _seconds(text: str) -> float:
    """Return the seconds of a time such as 15:00 or 1:00:00."""
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + (_number(part) or 0.0)
    return seconds


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{0,9})?", text.strip()) else None


def _text(game: AnyGame, move: Move) -> str:
    """Return a move in the notation of NBoard."""
    return game.text_of(move)[:2].upper()  # PA is a pass


def discs(value: float | None, unit: Unit) -> float | None:
    """Convert the value of a search to discs: 100 % is 64 discs, and a higher positional score is 64 discs, too."""
    if value is None:
        return None
    if unit is Unit.REWARD:
        return (2 * value - 1) * _MAX_DISCS
    if abs(value) >= _FINISHED:
        return value - math.copysign(_FINISHED, value)
    return max(-_MAX_DISCS, min(value, _MAX_DISCS))


def _final(game: AnyGame) -> float | None:
    """Return the discs by which the side to move has won a finished game, None for an unfinished one."""
    if game.outcome is None:
        return None
    black, white = game.outcome.counted
    return float(black - white if game.to_move is Color.BLACK else white - black)


def _hints(game: AnyGame, report: SearchReport, count: int) -> Iterator[str]:
    """Yield the best moves with values and expected lines, and the number of nodes."""
    depth = "100%" if report.unit is Unit.DISCS else str(max(1, report.depth))
    for stats in judged(report)[:count]:
        line = report.pv if stats.move == report.move and report.pv else (stats.move,)
        texts = "".join(text[:2].upper() for text in game.texts_of(line))
        source = "book" if report.from_book else "search"
        yield f"{source} {texts} {discs(stats.value, report.unit) or 0:.2f} 0 {depth}"
    yield f"nodestats {report.nodes or report.simulations} {report.seconds:.2f}"


declare_nboard: Final = declare
nboard: Final = partial(serve, NBoard)
