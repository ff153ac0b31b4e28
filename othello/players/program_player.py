"""An external program as a player. The program loses the game if it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.errors import ForfeitError, OthelloError, PlayerError, ProgramError, Reason, printable
from othello.game import AnyGame
from othello.players.player import ComputerConfig, JudgingPlayer
from othello.programs.engine_protocol import EngineAnalysis, EngineMove, EngineRequest, Fact, NodeCount
from othello.programs.program_registry import LONGEST_NAME, Program, find
from othello.programs.protocols import DIALOGUES
from othello.rules.protocol import Move, Position, Rules
from othello.schema import option
from othello.search.report import Line, MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag, earliest

if TYPE_CHECKING:
    from othello.programs.engine_connection import EngineConnection

_MAX_NAME: Final = 80
_HEAD_START: Final = 0.02  # seconds before a limit at which the program is asked to answer
_STALE_SECONDS: Final = 0.3  # longest wait for the answer to a cancelled request
_TIMEOUT_SECONDS: Final = 10.0  # beyond twice its limit, before a program is given up; the referee watches the clocks
_GRACE_SECONDS: Final = 0.5  # beyond the program's own limit
_MAX_SECONDS: Final = 600.0  # if there is no limit


class ProgramConfig(ComputerConfig):
    """Options of external programs."""

    program: str = option(
        "",
        "The registered name of the program. othello programs add registers one.",
        words={"maxLength": LONGEST_NAME},
        is_personal=True,
    )
    _: KW_ONLY
    inline_program: Program | None = None  # a program that a trusted config file defines

    @property
    def registered(self) -> Program:
        """The registered program.

        Raises:
            OthelloError: the program is not registered on this machine.
        """
        return find(self.program) if self.inline_program is None else self.inline_program

    @property
    def kind(self) -> str:
        return f"{self.player_type}.{self.program}"

    @property
    def usual_name(self) -> str:
        return self.program or self.player_type

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        try:
            program = self.registered
        except OthelloError as error:
            return "program", error.reason
        if DIALOGUES[program.protocol].plays(rules):
            return None
        return "program", Reason("program_game", {"name": program.name, "game": rules.spec.game})


class ProgramPlayer(JudgingPlayer):
    """Passes positions on to a program, and turns its answers into reports."""

    player_type = "external"
    title = "Program"
    description = "another program, by its registered name"
    config_type = ProgramConfig
    config: ProgramConfig

    @classmethod
    def unit_of(cls, config: PlayerConfig) -> Unit:
        try:
            return DIALOGUES[config.registered.protocol].unit if isinstance(config, ProgramConfig) else cls.unit
        except OthelloError:
            return cls.unit

    def __init__(self, config: ProgramConfig, rules: Rules[Position]) -> None:
        super().__init__(config, rules)
        self.program = config.registered
        self._connection: EngineConnection | None = None
        self._analysis: _Analysis | None = None  # of the latest request
        self._used = 0.0  # seconds of search in this game
        self._moves = 0  # searches in this game

    @property
    def called(self) -> str:
        """The program's own name; empty: unknown."""
        return "" if self._connection is None else printable(self._connection.protocol.name, _MAX_NAME)

    @property
    def cpu_seconds(self) -> float:
        """Processor time that the running program has used so far."""
        return 0.0 if self._connection is None else self._connection.child.cpu_seconds

    @property
    def is_deterministic(self) -> bool:
        return self._connection is not None and self._connection.protocol.is_deterministic

    def prepare(self, stop: StopFlag | None = None) -> None:
        """Start the program, unless `stop` is set.

        Raises:
            ProgramError: the program cannot be started.
        """
        try:
            self._connected(stop or StopFlag())
        except ProgramError as error:
            self.release()
            raise ProgramError("in_name", name=self.program.name, reason=error.reason) from None

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self._used, self._moves = 0.0, 0
        with self._forfeiting():
            self._connected(StopFlag())

    def game_over(self, game: AnyGame) -> None:
        with self._forfeiting():
            if self._connection is not None and self._connection.is_idle(_STALE_SECONDS):
                self._connection.end(game)

    def release(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _forfeiting(self) -> Iterator[None]:
        """End a program that fails, and raise `ForfeitError`; the program is started again for its next game."""
        try:
            yield
        except ProgramError as error:
            self.release()
            raise ForfeitError(error.reason) from None

    def _connected(self, stop: StopFlag) -> EngineConnection | None:
        """Return an idle program, restarted if it did not answer in time; None if the search was cancelled."""
        if self._connection is not None and not self._connection.is_idle(_STALE_SECONDS):
            self.release()
        if self._connection is None:
            from othello.programs.engine_connection import (
                EngineConnection,  # not at module level, to open the window sooner
            )

            self._connection = EngineConnection(self.program, self.rules, lambda: stop.is_cancelled)
        if stop.is_cancelled:
            self.release()
        return self._connection

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        analysis = self._analysis = _Analysis(game, self)
        if game.must_pass:  # a pass is no choice
            yield analysis.report(game.legal_moves()[0], 0.0, final=True)
            return
        if (reason := DIALOGUES[self.program.protocol].unsupported_reason(game)) is not None:
            raise PlayerError("in_name", name=self.program.name, reason=reason)
        begun, answer = stop.clock(), None
        try:
            with self._forfeiting():
                for report in self._ask(analysis, game, stop, limit, judge_all):
                    if report.final:
                        answer = report
                    else:
                        yield report
        finally:
            self._used += stop.clock() - begun
            self._moves += 1
            self._cancel_question(analysis)
        if answer is not None:  # yielded only after the cleanup: the caller may never resume this generator
            yield answer

    def _ask(
        self, analysis: _Analysis, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool
    ) -> Iterator[SearchReport]:
        """Ask the program for a move, and report what the program says until it answers."""
        begun, own = stop.clock(), self._own_limit
        connection = self._connected(stop)
        if connection is None:
            return
        allowed = earliest(limit, own)
        question = EngineRequest(game, allowed, self._clock, judge_all, self.seed)
        connection.ask(question)
        timeout = self._timeout(limit, own)
        was_hurried = False
        while not stop.is_cancelled:
            facts = self._pause(connection, stop)
            seconds = stop.clock() - begun
            if not was_hurried and (stop.is_set or (allowed is not None and seconds > allowed - _HEAD_START)):
                was_hurried = True
                connection.move_now()
            if seconds > timeout:
                raise connection.timeout_error(timeout)
            facts += connection.read()
            analysis.take(facts)
            move = analysis.chosen(facts)
            if move is not None:
                yield analysis.report(move, seconds, final=True)
                return
            if any(isinstance(fact, EngineMove) for fact in facts):
                connection.ask(replace(question, judges=False))
            elif facts and analysis.best is not None:
                yield analysis.report(analysis.best, seconds)

    @property
    def _own_limit(self) -> float | None:
        """The program's own time limit for the next move; None: none."""
        rest = None if self.program.game_seconds is None else max(0.05, self.program.game_seconds - self._used)
        return earliest(self.program.move_seconds, rest)

    def _timeout(self, limit: float | None, own: float | None) -> float:
        """Return how many seconds to wait for an answer. The referee enforces the game's limits long before."""
        if own is not None:
            return own + _GRACE_SECONDS
        if self._clock is not None:
            return max(0.0, self._clock[1]) + _TIMEOUT_SECONDS
        return _MAX_SECONDS if limit is None else 2 * limit + _TIMEOUT_SECONDS

    @property
    def _clock(self) -> tuple[float, float] | None:
        """The program's time for the game and the time left, as far as this player knows; None: no clock."""
        main = self.config.clock_seconds
        return None if main is None else (main, main + self._moves * self.config.increment_seconds - self._used)

    @staticmethod
    def _pause(connection: EngineConnection, stop: StopFlag) -> list[Fact]:
        """Pause the program while the search is paused; return its reports up to the pause."""
        if not stop.is_paused or stop.is_set:
            return []
        facts = connection.set_paused()
        stop.wait()
        connection.resume()
        return facts

    def _cancel_question(self, analysis: _Analysis) -> None:
        """Cancel the latest question, unless it is answered or another one was asked since."""
        try:
            if analysis is self._analysis and self._connection is not None and self._connection.protocol.expected:
                self._connection.drop()
        except ProgramError:
            self.release()


class _Analysis:
    """A program's reports about a position, collected for snapshots."""

    def __init__(self, game: AnyGame, player: ProgramPlayer) -> None:
        self._game = game
        self._player = player
        self._judged: dict[Move, EngineAnalysis] = {}
        self._nodes = 0

    def take(self, facts: list[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, NodeCount):
                self._nodes = max(self._nodes, fact.nodes)
            elif isinstance(fact, EngineAnalysis):
                if any(other.unit is not fact.unit for other in self._judged.values()):
                    self._judged.clear()
                known = self._judged.get(fact.move)
                # The final answer repeats the value without its line.
                is_plain = known is not None and not fact.line[1:] and fact.depth == 0
                self._judged[fact.move] = known._replace(value=fact.value) if known and is_plain else fact

    def chosen(self, facts: list[Fact]) -> Move | None:
        """Return the move of an answer, or the best move so far if the answer names none; None: no answer yet."""
        answers = [fact for fact in facts if isinstance(fact, EngineMove)]
        return None if not answers else self.best if answers[-1].move is None else answers[-1].move

    @property
    def best(self) -> Move | None:
        """The move with the highest value."""
        values = {move: judged.value for move, judged in self._judged.items() if judged.value is not None}
        return max(values, key=lambda move: values[move], default=None)

    def report(self, move: Move, seconds: float, *, final: bool = False) -> SearchReport:
        known = {other: self._judged.get(other, EngineAnalysis(other, None)) for other in self._game.legal_moves()}
        line: Line = known[move].line or (move,)
        moves = [MoveStats(other, stats.visits, stats.value) for other, stats in known.items()]
        unit = next((report.unit for report in self._judged.values()), Unit.NONE)
        simulations = sum(stats.visits for stats in moves) if unit is Unit.REWARD else 0
        counts = {"simulations": simulations, "nodes": self._nodes, "depth": max(len(line), known[move].depth)}
        return self._player.report(move, moves, line, unit, **counts, seconds=seconds, final=final)
