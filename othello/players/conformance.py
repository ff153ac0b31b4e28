"""Conformance checks: rules for every player, also those of users.

`othello check-player` runs them for one player, and the tests run them for all of ours. `try_out` tests whether a
program can be started and makes legal moves.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from othello import texts
from othello.config import PlayerConfig
from othello.errors import ForfeitError, OthelloError, PlayerError, ProgramError, Reason, reason_of
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import create_player, unsupported_reason
from othello.players.program_player import ProgramConfig, ProgramPlayer
from othello.programs.program_registry import Program
from othello.programs.protocols import DIALOGUES
from othello.rules.protocol import Move, Position, Rules
from othello.schema import options_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag

POSITIONS: Final = 500
_MOVE_SECONDS: Final = 0.05
_LIMITS: Final = (0.05, 0.2)
_TIMEOUT: Final = 0.5
_LONG: Final = 10.0
_SEED: Final = 7


class CheckResult(FrozenDataclass):
    """The result of one check."""

    part: str
    detail: str
    is_kept: bool | None = True  # None: not tried


class ConformanceError(OthelloError):
    """A player fails a check."""


class _NotTriedError(Exception):
    """A check cannot be run with this player."""


class ConformanceCheck:
    """The conformance checks of one player in one game."""

    def __init__(
        self,
        config: PlayerConfig,
        rules: Rules[Position],
        positions: int = POSITIONS,
        timeout: float = _TIMEOUT,
        pause: float = 0.3,
    ) -> None:
        """Set up the checks; nothing runs yet.

        Args:
            config: the player.
            rules: of the game.
            positions: how many positions the player has to choose a move in.
            timeout: seconds that a search may take to end after its stop flag is set.
            pause: seconds after which a search is stopped. A search that ends earlier cannot be checked.
        """
        self._config = config
        bounds: dict[str, Any] = {
            key: option.maximum for key, option in options_of(type(config)).items() if option.is_bound
        }
        endless = replace(config, **bounds) if bounds else config  # searches until it is stopped
        self._endless = config if unsupported_reason(endless, rules.spec) else endless
        self._rules = rules
        self._positions = positions
        self._timeout = timeout
        self._pause = pause
        self._start: AnyGame = Game.new(rules)

    def findings(self) -> Iterator[CheckResult]:
        """Run all checks. A player that does not play the game has no results."""
        try:
            self._ready().release()
        except (PlayerError, ProgramError) as error:
            if not _is_refusal(error.reason):
                yield CheckResult("starts", str(error), is_kept=False)
            return
        parts: dict[str, Callable[[], str]] = {
            "moves": self._moves,
            "time": self._time,
            "stop": self._stop,
            "hold": self._hold,
            "two at once": self._two_at_once,
            "same again": self._same_again,
            "words": self._words,
        }
        for part, attempt in parts.items():
            try:
                yield CheckResult(part, attempt())
            except _NotTriedError as why:
                yield CheckResult(part, f"not tried: {why}", is_kept=None)
            except OthelloError as error:
                yield CheckResult(part, str(error), is_kept=False)

    def _ready(self, config: PlayerConfig | None = None, seed: int = _SEED) -> Player:
        player = create_player(config or self._config, self._rules.spec)
        try:
            player.prepare()
            player.new_game(seed)
        except BaseException:
            player.release()
            raise
        return player

    def _moves(self) -> str:
        """Check that every answer is legal and that the reports fit the position."""
        with self._ready() as player:
            for game in islice(_positions(self._rules), self._positions):
                self._check_report(choose(player, game, _MOVE_SECONDS), game)
        return f"legal in {self._positions} positions"

    @staticmethod
    def _check_report(report: SearchReport, game: AnyGame) -> None:
        legal = game.legal_moves()
        where = game.rules.format_position(game.position)
        if report.move not in legal:
            allowed = ", ".join(map(game.text_of, legal))
            raise ConformanceError(f"plays square {report.move} in {where}; legal: {allowed}")
        if tuple(stats.move for stats in report.moves) != legal:
            raise ConformanceError(f"reports other moves than the legal ones in {where}")
        if report.pv[:1] != (report.move,):
            raise ConformanceError(f"expects a line that does not begin with its move in {where}")
        game.after(report.pv)

    def _time(self) -> str:
        """Check that the player observes both its own time limit and the clock's."""
        latest = 0.0
        for limit in _LIMITS:
            own = replace(self._endless, time_limit_seconds=limit)
            for config, seconds in ((own, None), (self._endless, limit)):
                with self._ready(config) as player:
                    search = _Search(player, self._start, seconds)
                    search.must_end(limit + self._timeout, f"a search exceeds its limit of {limit} s")
                    latest = max(latest, search.answer().seconds - limit)
        return f"limits of {' and '.join(map(str, _LIMITS))} s: at most {latest:.2f} s late"

    def _cancel(self, search: "_Search", wanted: str) -> None:
        """Cancel a search, unless the search has ended before it could be `wanted`: "stopped" or "held"."""
        if search.ends(0.0):
            raise _NotTriedError(f"it answers too quickly to be {wanted}")
        search.stop.cancel()
        search.must_end(self._timeout, "a cancelled search goes on")

    def _stop(self) -> str:
        """Check that a search ends: with an answer if its time is up, without one if it is cancelled."""
        with self._ready(self._endless) as player:
            search = _Search(player, self._start)
            if search.ends(self._pause):
                search.answer()  # raises the player's exception
            self._cancel(search, "stopped")
            if search.is_answered:
                raise ConformanceError("a cancelled search gives an answer")
            search = _Search(player, self._start)
            search.ends(self._pause)
            search.stop.time_is_up()
            search.must_end(self._timeout, "a search goes on after its time is up")
            self._check_report(search.answer(), self._start)
        return "ends when it is told to, with an answer or without"

    def _hold(self) -> str:
        """Check that a paused search gives no answer until it is resumed."""
        with self._ready(self._endless) as player:
            search = _Search(player, self._start)
            search.ends(self._pause)
            self._cancel(search, "held")
            search = _Search(player, self._start, is_paused=True)
            if search.ends(2 * self._pause):
                raise ConformanceError("a paused search gives an answer")
            search.stop.time_is_up()
            search.must_end(self._timeout, "a paused search does not end when its time is up")
            self._check_report(search.answer(), self._start)
        return "gives no answer while it is paused"

    def _two_at_once(self) -> str:
        """Check that two players of the same type can search at the same time."""
        games = [game for game in islice(_positions(self._rules), 8) if not game.must_pass][-2:]
        limit = max(_LIMITS)
        with self._ready() as one, self._ready() as other:
            searches = [(_Search(player, game, limit), game) for player, game in zip((one, other), games, strict=True)]
            for search, game in searches:
                search.must_end(limit + self._timeout, "two searches at the same time do not end")
                self._check_report(search.answer(), game)
        return "two players can search at the same time"

    def _same_again(self) -> str:
        """Check that the same seed gives the same moves, if the player says that it repeats its moves."""
        if self._config.time_limit_seconds is not None:
            raise _NotTriedError("with a time limit, answers may differ")
        games = list(islice(_positions(self._rules), 6))
        answers: list[list[Move]] = [[], []]
        for answer in answers:
            with self._ready() as player:
                if not player.is_deterministic:
                    raise _NotTriedError("it does not say that it repeats its moves")
                for game in games:
                    search = _Search(player, game)
                    search.must_end(_LONG, "without a time limit it takes too long", _NotTriedError)
                    answer.append(search.answer().move)
        if answers[0] != answers[1]:
            raise ConformanceError("plays different moves with the same seed")
        return f"the same seed gives the same moves in {len(games)} positions"

    def _words(self) -> str:
        """Check that all languages have a sentence about such players."""
        name = f"player_tips.{self._config.player_type}"
        for language in texts.languages():
            if name not in texts.catalogue(language):
                raise ConformanceError(f"the catalogue {language} does not have {name}")
        return "known in all languages"


class _Search:
    """A search in its own thread."""

    def __init__(self, player: Player, game: AnyGame, seconds: float | None = None, *, is_paused: bool = False) -> None:
        self.stop = StopFlag()
        self.stop.set_paused(is_paused)
        self._player, self._game, self._seconds = player, game, seconds
        self._reports: list[SearchReport] = []
        self._fault: OthelloError | None = None
        self._thread = threading.Thread(target=self._think, daemon=True)
        self._thread.start()

    def _think(self) -> None:
        began = time.perf_counter()
        try:
            for report in self._player.think(self._game, self.stop, self._seconds):
                self._reports[:] = [replace(report, seconds=time.perf_counter() - began)]
        except OthelloError as error:
            self._fault = error
        except Exception as error:  # a player can run any code
            self._fault = PlayerError(reason_of(error))

    def ends(self, seconds: float) -> bool:
        """Return whether the search ends within `seconds`."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def must_end(self, seconds: float, words: str, error: type[Exception] = ConformanceError) -> None:
        """Wait at most this long for the end of the search, or cancel it and raise the error."""
        if not self.ends(seconds):
            self.stop.cancel()
            self.ends(seconds)
            raise error(words)

    @property
    def is_answered(self) -> bool:
        return bool(self._reports) and self._reports[-1].final

    def answer(self) -> SearchReport:
        if self._fault is not None:
            raise self._fault
        if not self.is_answered:
            raise ConformanceError("a search ends without an answer")
        return self._reports[-1]


def _positions(rules: Rules[Position]) -> Iterator[AnyGame]:
    """Yield the positions of an endless series of random games."""
    draw = random.Random(_SEED)
    while True:
        game: AnyGame = Game.new(rules)
        while not game.is_over:
            yield game
            game = game.play(draw.choice(game.legal_moves()))


def _is_refusal(reason: object) -> bool:
    """Return whether a reason means that the player does not play such games, not that the player is faulty."""
    names: list[str] = []
    while isinstance(reason, Reason):
        names.append(reason.name)
        reason = reason.parts.get("reason")
    is_wrong = any(name.startswith("program_") for name in names)
    return "program_game" in names or (not is_wrong and ("not_played" in names or "option" in names))


MOVES: Final = 10
_TRIAL_MOVE_SECONDS: Final = 5.0
_ABSENT: Final = ("program_missing", "program_not_started")  # no other protocol would help


class ProgramTest(FrozenDataclass):
    """The results of a program's test."""

    program: Program  # with the protocol that it understood
    name: str  # its own name; empty: unknown
    start_seconds: float
    first: str  # the player's first move
    first_seconds: float
    first_depth: int  # in plies; 0: unknown
    moves: int
    move_seconds: float  # on average


def try_out(program: Program, rules: Rules[Position], stop: StopFlag | None = None) -> ProgramTest | None:
    """Start a program and have it make ten moves, in another protocol if it does not answer in its own.

    Args:
        program: the program.
        rules: of the game.
        stop: ends the test when it is set.

    Returns:
        How it did; None if `stop` was set.

    Raises:
        ProgramError: the program is missing, answers in no protocol, or breaks the rules.
    """
    stop = stop or StopFlag()
    faults: list[ProgramError] = []
    for protocol in dict.fromkeys((program.protocol, *(() if program.class_name else DIALOGUES))):
        try:
            if not DIALOGUES[protocol].plays(rules):
                raise ProgramError("program_game", name=program.name, game=rules.spec.game)
            limit = program.move_seconds or _TRIAL_MOVE_SECONDS
            tried = replace(program, protocol=protocol)
            config = ProgramConfig("external", inline_program=tried, time_limit_seconds=limit)
            player = ProgramPlayer(config, rules)
            began = time.perf_counter()
            player.prepare(stop)
        except ProgramError as error:
            faults.append(error)
            inner = error.reason.parts.get("reason")
            if isinstance(inner, Reason) and inner.name in _ABSENT:
                break
            continue
        with player:
            return None if stop.is_cancelled else _played(player, stop, time.perf_counter() - began)
    raise faults[0] if len(faults) == 1 else ProgramError("program_tried", reason=faults[0].reason)


def _played(player: ProgramPlayer, stop: StopFlag, started: float) -> ProgramTest | None:
    """Have a running program make its moves."""
    game, reports = Game.new(player.rules), list[SearchReport]()
    try:
        player.new_game(_SEED)
        while len(reports) < MOVES and not game.is_over:
            reports.append(final_report(player, player.think(game, stop)))
            game = game.play(reports[-1].move)
    except ForfeitError as error:
        raise ProgramError(error.reason) from None
    except PlayerError:
        if stop.is_cancelled:
            return None
        raise
    first, mean = reports[0], sum(report.seconds for report in reports) / len(reports)
    depth = 0 if first.value is None else first.depth
    name, move = player.called, game.at(0).text_of(first.move)
    return ProgramTest(player.program, name, started, move, first.seconds, depth, len(reports), mean)


class ProgramTestRun:
    """The test of a program, in its own thread.

    Attributes:
        result: the result or the reason of a failure; None while the test runs, and after `stop`.
        is_over: True once the test has ended.
    """

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        self.program = program
        self.result: ProgramTest | Reason | None = None
        self.is_over = False
        self._rules, self._stop = rules, StopFlag()
        threading.Thread(target=self._run, name="program-trial", daemon=True).start()

    def _run(self) -> None:
        try:
            self.result = try_out(self.program, self._rules, self._stop)
        except OthelloError as error:
            self.result = error.reason
        finally:
            self.is_over = True

    def stop(self) -> None:
        """End the test and the program."""
        self._stop.cancel()
