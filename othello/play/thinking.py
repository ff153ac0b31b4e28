"""The searches of a session: the one that it waits for, and the one that somebody looks at; what is said of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol, TypeAlias

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.play.history import History
from othello.play.referee import Job
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.search.report import Line, SearchReport

_TRIAL_SECONDS: Final = 1.5  # long enough to tell what a move costs
_ANALYSIS_SEED: Final = 0  # an opinion is of no game, and the same whenever it is asked for


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is asked: a computer player's configuration, what it plays, and its seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


@dataclass(frozen=True, slots=True)
class Preparing:
    """A player is being compiled or loaded; None: all are ready."""

    player: str | None


@dataclass(frozen=True, slots=True)
class Started:
    """The player has begun to think about a request."""

    request: int
    at: float


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of the search for a request."""

    request: int
    report: SearchReport


@dataclass(frozen=True, slots=True)
class Answered:
    """The final report of a request; its move is legal."""

    request: int
    report: SearchReport
    at: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The player gave no answer that can be played."""

    request: int
    reason: Reason
    at: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The opening that was asked for."""

    request: int
    game: AnyGame


@dataclass(frozen=True, slots=True)
class NotKept:
    """A player could not keep what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | Progress | Answered | Failed | Drawn | NotKept


class Searcher(Protocol):
    """What a session needs of the thread that thinks."""

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        """Make players ready for their first move in such a game."""
        ...

    def submit(self, request: int, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Ask a player for a move, within `seconds` where the game has a clock, or for the opening of a job.

        This cancels what was asked before.
        """
        ...

    def hurry(self) -> None:
        """The answer that was asked for is wanted now, as good as it is."""
        ...

    def dismiss(self, game: AnyGame) -> None:
        """The players get up from a game: they keep what they learned, and are released."""
        ...

    def cancel(self) -> None:
        """The answer that was asked for is no longer wanted."""
        ...

    def poll(self) -> list[News]:
        """What has happened since the last call."""
        ...

    def look_into(self, lines: Sequence[Line]) -> None:
        """Tell in snapshots from now on what is known of the moves after these lines (`SearchReport.below`)."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        ...


class Thinking:
    """Stamps requests, and keeps of all the news only what belongs to the latest one.

    Attributes:
        report: the newest snapshot of the current search.
        answer: its final report, until the session has played it.
        failure: why there will be no answer.
        not_kept: why a player could not keep what it had learned, None where it could.
        preparing: the player that is being made ready, None when all are.
        started_at: when the player began to think, None while it does not.
        ended_at: when it answered or failed.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._stamp = 0
        self.preparing: str | None = None
        self.not_kept: Reason | None = None
        self._clear()

    def _clear(self) -> None:
        self.is_wanted = False
        self.report: SearchReport | None = None
        self.answer: SearchReport | None = None
        self.failure: Reason | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None

    def ask(self, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Begin a search, of `seconds` at most where that is not None, or to draw an opening; drop the one before."""
        self._stamp += 1
        self._clear()
        self.is_wanted = True
        self._searcher.submit(self._stamp, game, asked, seconds)

    def dismiss(self, game: AnyGame) -> None:
        """The players are not needed any more."""
        self.not_kept = None
        self._searcher.dismiss(game)

    def hurry(self) -> None:
        """The answer is wanted now."""
        if self.is_wanted:
            self._searcher.hurry()

    def drop(self) -> None:
        """Stop the search. Its answer, should it still come, is out of date."""
        if self.is_wanted and self.answer is None and self.failure is None:
            self._searcher.cancel()
        self._stamp += 1
        self._clear()

    @property
    def is_running(self) -> bool:
        """Whether a player is at work on the current request."""
        return self.started_at is not None and self.ended_at is None

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        return self._searcher.is_busy

    def collect(self) -> list[News]:
        """The news that matter."""
        return [item for item in self._searcher.poll() if self._take(item)]

    def _take(self, item: News) -> bool:
        match item:
            case Preparing(player):
                self.preparing = player
            case NotKept(reason):
                self.not_kept = reason
            case Started(request, at) if request == self._stamp:
                self.started_at = at
            case Progress(request, report) if request == self._stamp:
                self.report = report
            case Answered(request, report, at) if request == self._stamp:
                self.report = self.answer = report
                self.ended_at = at
            case Failed(request, reason, at) if request == self._stamp:
                self.failure = reason
                self.ended_at = at
            case _:
                return isinstance(item, Drawn) and item.request == self._stamp
        return True


class Analysis:
    """A second search, of whatever position is looked at. What it finds is kept in the game's tree.

    Attributes:
        player: who searches, None while nobody does.
        trials: what players have shown of themselves in the middle of a game, by who played what.
        look_into: asks the search what it knows of the moves after some lines.
    """

    def __init__(self, searcher: Searcher) -> None:
        self.player: PlayerConfig | None = None
        self._thinking = Thinking(searcher)
        self.look_into = searcher.look_into
        self._asked: tuple[PlayerConfig, AnyGame] | None = None
        self._trial: tuple[PlayerConfig, AnyGame] | None = None
        self.trials: dict[tuple[PlayerConfig, GameSpec], SearchReport] = {}

    def try_out(self, player: PlayerConfig, spec: GameSpec) -> None:
        """Let a player search for a move in the middle of a game, to see what that costs."""
        if (player, spec) not in self.trials:
            self._trial = player, _middle(spec)

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        return self._thinking.is_busy

    def switch(self, player: PlayerConfig | None, game: AnyGame) -> None:
        """Let another player search, or nobody."""
        self._thinking.dismiss(game)
        self.player = player

    def stop(self) -> None:
        """Forget what is searched; `follow` begins anew."""
        self._thinking.drop()
        self._asked = None

    def follow(self, history: History, shown: AnyGame) -> bool:
        """Keep what was found, and search the shown position; whether anything new was found.

        A position whose search came to its end is not searched again. A trial waits until nobody searches.
        """
        found = [item.report for item in self._thinking.collect() if isinstance(item, Progress | Answered)]
        if found and self._asked is not None:
            self._keep(history, *self._asked, found[-1])
        wanted = None if self.player is None or shown.is_over or shown.must_pass else (self.player, shown)
        is_trial = self.player is None and self._trial is not None
        wanted = self._trial if is_trial else wanted
        if wanted != self._asked:
            self._thinking.drop()
            self._asked = wanted
            known = None if is_trial else self.report(history, shown)
            if wanted is not None and not (known is not None and known.final):
                player, game = wanted
                seat = Seat(player, game.rules.spec, _ANALYSIS_SEED)
                self._thinking.ask(game, seat, _TRIAL_SECONDS if is_trial else None)
        return bool(found)

    def _keep(self, history: History, player: PlayerConfig, game: AnyGame, report: SearchReport) -> None:
        if (player, game) != self._trial:
            analyses = history.tree.known(game).analyses
            history.remember(game, analyses={**analyses, player: report})
        elif report.final:
            self.trials[player, game.rules.spec] = report
            self._trial = None

    def report(self, history: History, shown: AnyGame) -> SearchReport | None:
        """What was found about a position."""
        return None if self.player is None else history.tree.known(shown).analyses.get(self.player)


@cache
def _middle(spec: GameSpec) -> AnyGame:
    """A position in which a player has to think."""
    game = Game.new(rules_of(spec))
    for ply in range(game.rules.max_moves // 3):
        legal = game.legal_moves()
        following = game.play(legal[ply * 7 % len(legal)])
        if following.is_over:
            break
        game = following
    return game
