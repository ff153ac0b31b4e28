"""A program that is no part of this one, as a player: what it does wrong is its own, and it loses by that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.errors import ForfeitError, OthelloError, PlayerError, ProgramError, Reason, legible
from othello.game import AnyGame
from othello.players.player import ComputerConfig, JudgingPlayer
from othello.programs.dialogue import Answered, Counted, Fact, Judged, Question
from othello.programs.protocols import DIALOGUES
from othello.programs.registered import LONGEST_NAME, Program, find
from othello.rules.protocol import Move, Position, Rules
from othello.schema import option
from othello.search.report import Line, MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag, earliest

if TYPE_CHECKING:
    from othello.programs.talk import Talk

_LONGEST_OWN_NAME: Final = 80
_HEAD_START: Final = 0.02  # seconds before a limit: from the request to the answer
_STALE_SECONDS: Final = 0.3  # how long an answer is waited for that nobody wants any more
_LATE_SECONDS: Final = 10.0  # beyond twice its limit, until a program is given up: clocks are the referee's
_GRACE_SECONDS: Final = 0.5  # beyond a limit of its own
_ENDLESS_SECONDS: Final = 600.0  # where no limit is set


class ProgramConfig(ComputerConfig):
    """Which program it is."""

    program: str = option(
        "",
        "The name under which this person has registered the program that plays: othello programs add registers one.",
        words={"maxLength": LONGEST_NAME},
        is_personal=True,
    )
    _: KW_ONLY
    lent: Program | None = None  # a program that a trusted config describes itself

    @property
    def registered(self) -> Program:
        """The program; OthelloError where it is not registered here."""
        return find(self.program) if self.lent is None else self.lent

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
    """Hands every question on to a program, and its answers back."""

    player_type = "external"
    title = "Program"
    description = "another program, by the name under which this person has registered it"
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
        self._talk: Talk | None = None
        self._finding: _Finding | None = None  # of the question that was asked last
        self._used = 0.0  # seconds of thought in this game
        self._moves = 0  # that it was asked for

    @property
    def called(self) -> str:
        """What the program calls itself, empty where it does not say."""
        return "" if self._talk is None else legible(self._talk.dialogue.name, _LONGEST_OWN_NAME)

    @property
    def cpu_seconds(self) -> float:
        """The processor time that the running program has taken so far."""
        return 0.0 if self._talk is None else self._talk.child.cpu_seconds

    @property
    def repeats(self) -> bool:
        return self._talk is not None and self._talk.dialogue.repeats

    def prepare(self, stop: StopFlag | None = None) -> None:
        """Start the program, unless `stop` is set meanwhile; ProgramError where that fails."""
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
            if self._talk is not None and self._talk.is_idle(_STALE_SECONDS):
                self._talk.end(game)

    def release(self) -> None:
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.close()

    @contextmanager
    def _forfeiting(self) -> Iterator[None]:
        """End a program that fails, and raise `ForfeitError`; the program is started again for its next game."""
        try:
            yield
        except ProgramError as error:
            self.release()
            raise ForfeitError(error.reason) from None

    def _connected(self, stop: StopFlag) -> Talk | None:
        """Return an idle program, restarted if it did not answer in time; None if the search was cancelled."""
        if self._talk is not None and not self._talk.is_idle(_STALE_SECONDS):
            self.release()
        if self._talk is None:
            from othello.programs.talk import Talk  # so that the window opens without all that starts programs

            self._talk = Talk(self.program, self.rules, lambda: stop.is_cancelled)
        if stop.is_cancelled:
            self.release()
        return self._talk

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        finding = self._finding = _Finding(game, self.player_type)
        if game.must_pass:  # no program is asked where there is nothing to choose
            yield finding.report(game.legal_moves()[0], 0.0, final=True)
            return
        if (reason := DIALOGUES[self.program.protocol].refusal(game)) is not None:
            raise PlayerError("in_name", name=self.program.name, reason=reason)
        begun, answer = stop.clock(), None
        try:
            with self._forfeiting():
                for report in self._ask(finding, game, stop, limit, judge_all):
                    if report.final:
                        answer = report
                    else:
                        yield report
        finally:
            self._used += stop.clock() - begun
            self._moves += 1
            self._drop(finding)
        if answer is not None:  # yielded only after the cleanup: the caller may never resume this generator
            yield answer

    def _ask(
        self, finding: _Finding, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool
    ) -> Iterator[SearchReport]:
        """Ask the program for a move, and report what the program says until it answers."""
        begun, own = stop.clock(), self._own_limit
        talk = self._connected(stop)
        if talk is None:
            return
        allowed = earliest(limit, own)
        question = Question(game, allowed, self._clock, judge_all, self.seed)
        talk.ask(question)
        patience = self._patience(limit, own)
        is_hurried = False
        while not stop.is_cancelled:
            facts = self._stand_still(talk, stop)
            seconds = stop.clock() - begun
            if not is_hurried and (stop.is_set or (allowed is not None and seconds > allowed - _HEAD_START)):
                is_hurried = True
                talk.hurry()
            if seconds > patience:
                raise talk.silence(patience)
            facts += talk.hear()
            finding.take(facts)
            move = finding.chosen(facts)
            if move is not None:
                yield finding.report(move, seconds, final=True)
                return
            if any(isinstance(fact, Answered) for fact in facts):
                talk.ask(replace(question, judges=False))
            elif facts and finding.best is not None:
                yield finding.report(finding.best, seconds)

    @property
    def _own_limit(self) -> float | None:
        """How long the program may think now by its own limits."""
        rest = None if self.program.game_seconds is None else max(0.05, self.program.game_seconds - self._used)
        return earliest(self.program.move_seconds, rest)

    def _patience(self, limit: float | None, own: float | None) -> float:
        """How many seconds an answer is waited for. The referee judges the game's own limits, long before."""
        if own is not None:
            return own + _GRACE_SECONDS
        if self._clock is not None:
            return max(0.0, self._clock[1]) + _LATE_SECONDS
        return _ENDLESS_SECONDS if limit is None else 2 * limit + _LATE_SECONDS

    @property
    def _clock(self) -> tuple[float, float] | None:
        """The program's time for this game, and what is left of it, as far as this player has seen the game."""
        main = self.config.clock_seconds
        return None if main is None else (main, main + self._moves * self.config.increment_seconds - self._used)

    @staticmethod
    def _stand_still(talk: Talk, stop: StopFlag) -> list[Fact]:
        """As long as the search is held, so is the program; what it has said before it stood still."""
        if not stop.is_held or stop.is_set:
            return []
        facts = talk.hold()
        stop.wait()
        talk.go_on()
        return facts

    def _drop(self, finding: _Finding) -> None:
        """The answer is not wanted any more, unless it is there, or something else was asked meanwhile."""
        try:
            if finding is self._finding and self._talk is not None and self._talk.dialogue.expected:
                self._talk.drop()
        except ProgramError:
            self.release()


class _Finding:
    """What a program has told of a position so far."""

    def __init__(self, game: AnyGame, player_type: str) -> None:
        self._game = game
        self._player_type = player_type
        self._judged: dict[Move, Judged] = {}
        self._nodes = 0

    def take(self, facts: list[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, Counted):
                self._nodes = max(self._nodes, fact.nodes)
            elif isinstance(fact, Judged):
                if any(other.unit is not fact.unit for other in self._judged.values()):
                    self._judged.clear()
                known = self._judged.get(fact.move)
                is_plain = known is not None and not fact.line[1:] and fact.depth == 0  # the answer repeats its value
                self._judged[fact.move] = known._replace(value=fact.value) if known and is_plain else fact

    def chosen(self, facts: list[Fact]) -> Move | None:
        """The move of an answer; where the answer names none, the best one so far; None without an answer."""
        answers = [fact for fact in facts if isinstance(fact, Answered)]
        return None if not answers else self.best if answers[-1].move is None else answers[-1].move

    @property
    def best(self) -> Move | None:
        """The move with the highest value."""
        values = {move: judged.value for move, judged in self._judged.items() if judged.value is not None}
        return max(values, key=lambda move: values[move], default=None)

    def report(self, move: Move, seconds: float, *, final: bool = False) -> SearchReport:
        judged = self._judged.get(move)
        line: Line = (judged.line if judged is not None else ()) or (move,)
        known = ((other, self._judged.get(other, Judged(other, None))) for other in self._game.legal_moves())
        moves = tuple(MoveStats(other, each.visits, each.value) for other, each in known)
        unit = next((each.unit for each in self._judged.values()), Unit.NONE)
        return SearchReport(
            player=self._player_type,
            move=move,
            value=None if judged is None else judged.value,
            moves=moves,
            unit=unit,
            simulations=sum(stats.visits for stats in moves) if unit is Unit.REWARD else 0,
            nodes=self._nodes,
            depth=max(len(line), judged.depth if judged is not None else 0),
            pv=line,
            seconds=seconds,
            final=final,
        )
