"""The threads in which computer players search.

The session submits requests and polls news; nothing else passes between the two threads. A player may take any time,
raise an exception, or return an illegal move: the session gets all of these as news. If a player does not stop when it
is cancelled, its thread is abandoned and replaced.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final, TypeAlias

from othello.config import PlayerConfig
from othello.errors import ForfeitError, PlayerError, Reason, reason_of
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.play.referee import GameJob, playable
from othello.play.start_positions import opening_of
from othello.players.compilation import Task, prepare, trim_memory
from othello.players.player import Player
from othello.players.player_registry import create_player
from othello.rules.protocol import GameSpec, Move
from othello.search.report import Line, SearchReport
from othello.search.stop import StopFlag

SNAPSHOT_SECONDS: Final = 0.05  # minimum interval between two snapshots
_GRACE_SECONDS: Final = 1.0
_NICE: Final = 5  # niceness of searches, which keeps the window responsive
_MAX_READY: Final = 2  # maximum number of prepared players; a game has two

_log = logging.getLogger(__name__)

# Messages between the session and the threads.


class PlayerRequest(FrozenDataclass):
    """A request for a move of a player: its configuration, game, and seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


class Preparing(FrozenDataclass):
    """A player is being compiled or loaded."""

    player: str | None  # its name; None: all players are ready


class Started(FrozenDataclass):
    """The player has started to search."""

    at: float


class SearchProgress(FrozenDataclass):
    """A snapshot of a running search."""

    report: SearchReport


class SearchAnswered(FrozenDataclass):
    """The final report of a search, with a legal move."""

    report: SearchReport
    at: float


class Failed(FrozenDataclass):
    """The player returned no move that can be played."""

    reason: Reason
    at: float
    is_forfeit: bool = False  # the player loses a tournament game by it; only external programs do


class OpeningDrawn(FrozenDataclass):
    """The opening that was requested."""

    game: AnyGame


class SaveFailed(FrozenDataclass):
    """A player could not save what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | SearchProgress | SearchAnswered | Failed | OpeningDrawn | SaveFailed

PlayerFactory: TypeAlias = Callable[[PlayerConfig, GameSpec], Player]
Ready: TypeAlias = dict[Task, Player]


@dataclass
class _SearchRequest:
    game: AnyGame
    asked: PlayerRequest | GameJob
    seconds: float | None = None
    stop: StopFlag = field(default_factory=StopFlag)
    cancelled_at: float | None = None


class Worker:
    """A thread in which computer players search, and the state of the latest request.

    All methods belong to the thread of the session. Times are in seconds of `clock`.
    """

    def __init__(
        self,
        make_player: PlayerFactory = create_player,
        clock: Callable[[], float] = time.monotonic,
        grace_seconds: float = _GRACE_SECONDS,
        *,
        analyses: bool = False,
        ready: Ready | None = None,
    ) -> None:
        """Start the thread.

        Args:
            make_player: creates the players.
            clock: returns the current time.
            grace_seconds: time after which the thread of a cancelled player that does not stop is abandoned.
            analyses: players evaluate every move, and save nothing that they learn.
            ready: players that exist already and wait for their first game.
        """
        self._make_player, self._clock, self._grace, self._analyses = make_player, clock, grace_seconds, analyses
        self._abandoned: list[_WorkerThread] = []
        self.preparing: str | None = None  # the player that is being compiled or loaded
        self.save_failure: Reason | None = None  # why a player could not save what it had learned
        self._forget()
        self._thread = self._start_thread(ready or {})

    def _start_thread(self, ready: Ready) -> _WorkerThread:
        return _WorkerThread(self._make_player, self._clock, self._analyses, ready)

    def _forget(self) -> None:
        self._request: _SearchRequest | None = None
        self.answer: Move | None = None  # the move that the player has chosen
        self.failure: Reason | None = None  # why there will be no answer
        self.started_at: float | None = None  # when the player began to search
        self.ended_at: float | None = None  # when the player answered or failed
        self.is_paused = False

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        """Compile or load players for their first move in a game."""
        for config in players:
            self._thread.give((config, spec))

    def submit(self, game: AnyGame, asked: PlayerRequest | GameJob, seconds: float | None = None) -> None:
        """Cancel the last request, and request a player's move or the opening of a job.

        Args:
            game: the moves so far.
            asked: the player, or the job.
            seconds: time limit of the search; None: no limit.
        """
        self.cancel()
        self._request = _SearchRequest(game, asked, seconds)
        self._thread.give(self._request)

    def move_now(self) -> None:
        """Request the answer now, with the best move found so far."""
        if self._request is not None:
            self._request.stop.time_is_up()
            self.set_paused(False)

    def set_paused(self, is_paused: bool) -> None:
        """Pause or resume the search; the time of a pause does not count."""
        if self._request is not None and is_paused != self.is_paused:
            self.is_paused = is_paused
            self._request.stop.set_paused(is_paused)

    def dismiss(self, game: AnyGame) -> None:
        """Let the players save what they learned in a game, and release them."""
        self.save_failure = None
        self._thread.give(game)

    def cancel(self) -> None:
        """Drop the latest request and its answer."""
        if self._request is not None and self.ended_at is None:
            self._request.cancelled_at = self._clock()
            self._request.stop.cancel()
        self._forget()

    def expand_lines(self, lines: Sequence[Line]) -> None:
        """Include the moves after these lines in the next snapshots (`SearchReport.below`)."""
        self._thread.expanded_lines = tuple(lines)

    def poll(self) -> list[News]:
        """Return the news since the last call, without those of cancelled requests."""
        self._replace_hanging_thread()
        news = [item for request, item in self._thread.read() if request is None or request is self._request]
        for item in news:
            match item:
                case Preparing(player):
                    self.preparing = player
                case SaveFailed(reason):
                    self.save_failure = reason
                case Started(at):
                    self.started_at = at
                case SearchAnswered(report, at):
                    self.answer, self.ended_at = report.move, at
                case Failed(reason, at):
                    self.failure, self.ended_at = reason, at
                case OpeningDrawn():
                    self._forget()
        return news

    @property
    def is_wanted(self) -> bool:
        """True from a request until it is cancelled, also after its answer."""
        return self._request is not None

    @property
    def is_running(self) -> bool:
        """True while a player searches."""
        return self.started_at is not None and self.ended_at is None and not self.is_paused

    @property
    def is_busy(self) -> bool:
        """True if news can arrive."""
        is_pending = self._request is not None and self.ended_at is None
        return (is_pending or self._thread.is_busy) and not self.is_paused

    def close(self, timeout: float) -> bool:
        """Cancel everything, and return whether all threads have ended within `timeout` seconds.

        A thread that compiles or hangs does not end.
        """
        self.cancel()
        self._thread.give(None)
        end = time.monotonic() + timeout
        return all(thread.join(max(0.0, end - time.monotonic())) for thread in (self._thread, *self._abandoned))

    def _replace_hanging_thread(self) -> None:
        request = self._thread.thinking
        cancelled_at = None if request is None else request.cancelled_at
        if cancelled_at is not None and self._clock() - cancelled_at > self._grace:
            _log.error("a cancelled player did not stop within %g s; its thread is abandoned", self._grace)
            self._thread.give(None)
            self._abandoned.append(self._thread)
            self._thread = self._start_thread({})
            if self._request is not None:
                self._thread.give(self._request)


class _WorkerThread:
    """A thread with an inbox and an outbox. It creates, calls and releases its players."""

    def __init__(self, make_player: PlayerFactory, clock: Callable[[], float], analyses: bool, ready: Ready) -> None:
        self._make_player = make_player
        self._clock = clock
        self._analyses = analyses
        self._inbox: SimpleQueue[_SearchRequest | Task | AnyGame | None] = SimpleQueue()
        self._outbox: SimpleQueue[tuple[_SearchRequest | None, News]] = SimpleQueue()
        self._players: dict[PlayerRequest, Player] = {}
        self._prepared: set[Task] = set()
        self._ready = ready
        self.thinking: _SearchRequest | None = None
        self.expanded_lines: tuple[Line, ...] = ()
        self._given = 0
        self._done = 0
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._thread.start()

    # Called by the session's thread.

    def give(self, job: _SearchRequest | Task | AnyGame | None) -> None:
        self._given += 1
        self._inbox.put(job)

    def read(self) -> list[tuple[_SearchRequest | None, News]]:
        """Return all news, each with its request, or None for general news."""
        news = []
        while not self._outbox.empty():
            news.append(self._outbox.get())
        return news

    def join(self, timeout: float) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def is_busy(self) -> bool:
        return self._done < self._given or not self._outbox.empty()

    # Called in the thread itself.

    def _run(self) -> None:
        while (job := self._inbox.get()) is not None:
            if isinstance(job, tuple):
                self._prepare(*job)
            elif isinstance(job, Game):
                self._dismiss(job)
            elif not job.stop.is_cancelled:
                self._answer(job)
            self._done += 1
        self._release()

    def _prepare(self, config: PlayerConfig, spec: GameSpec) -> None:
        try:
            if (config, spec) not in self._prepared:
                self._ready[config, spec] = self._make_ready(config, spec)
                if len(self._ready) > _MAX_READY:
                    _release(self._ready.pop(next(iter(self._ready))))
        except BaseException:
            # As in `_answer`. The player is created again for its first move, and its failure is shown then.
            _log.exception("%s could not be prepared", config.name)

    def _dismiss(self, game: AnyGame) -> None:
        """Let the players save what they learned in a game, and release them."""
        for player in () if self._analyses else self._players.values():
            try:
                player.game_over(game)
            except BaseException as error:
                # As in `_answer`: an exception of a player must not end the thread.
                _log.exception("%s could not keep what it learned", player.name)
                self._outbox.put((None, SaveFailed(reason_of(error))))
        self._release()
        trim_memory()

    def _release(self) -> None:
        for players in (self._players, self._ready):
            while players:
                _release(players.popitem()[1])

    def _answer(self, request: _SearchRequest) -> None:
        asked = request.asked
        try:
            if isinstance(asked, GameJob):
                self._outbox.put((request, OpeningDrawn(opening_of(asked))))
            else:
                self._search(request, self._player(asked))
        except BaseException as error:
            # A player can be any code. Its exceptions, even SystemExit, must not end this thread: the window shows
            # them as failures.
            if isinstance(asked, PlayerRequest) and asked in self._players:
                _release(self._players.pop(asked))
            _log.exception("%s failed at move %d", asked, request.game.ply + 1)
            if not request.stop.is_cancelled:
                is_forfeit = isinstance(error, ForfeitError)
                self._outbox.put((request, Failed(reason_of(error), self._clock(), is_forfeit)))
        finally:
            self.thinking = None

    def _search(self, request: _SearchRequest, player: Player) -> None:
        request.stop.wait()
        if request.stop.is_cancelled:
            return
        if sys.platform == "linux":  # priorities are per thread there
            thread = os.PRIO_PROCESS, threading.get_native_id()
            os.setpriority(*thread, max(_NICE, os.getpriority(*thread)))
        self.thinking = request
        self._outbox.put((request, Started(self._clock())))
        last = self._clock()
        search = player.analyse if self._analyses else player.think
        for report in search(request.game, request.stop, request.seconds):
            if request.stop.is_cancelled:
                return
            player.expanded_lines = self.expanded_lines  # lines to be expanded in the next snapshot
            now = self._clock()
            if report.final:
                self._outbox.put((request, SearchAnswered(playable(report, request.game), now)))
                return
            if report.from_book or now - last >= SNAPSHOT_SECONDS:  # the search after a book move may take long
                self._outbox.put((request, SearchProgress(report)))
                last = now
            request.stop.wait()
        if not request.stop.is_cancelled:
            raise PlayerError("no_answer", name=player.name)

    def _player(self, player_request: PlayerRequest) -> Player:
        if player_request not in self._players:
            player = self._make_ready(player_request.config, player_request.spec)
            player.new_game(player_request.seed)
            self._players[player_request] = player
        return self._players[player_request]

    def _make_ready(self, config: PlayerConfig, spec: GameSpec) -> Player:
        key = config, spec
        player = self._ready.pop(key, None)
        if key in self._prepared:
            return self._make_player(*key) if player is None else player
        self._outbox.put((None, Preparing(config.name)))
        try:
            player = self._make_player(*key) if player is None else player
            prepare(player)
            self._prepared.add(key)
            # The compiled code and its data are never garbage. Without this, a collection would go through all of it
            # and block the window for more than 50 ms.
            gc.freeze()
            trim_memory()
            return player
        finally:
            self._outbox.put((None, Preparing(None)))


def _release(player: Player) -> None:
    try:
        player.release()
    except BaseException:  # as in `_answer`
        _log.exception("%s could not be released", player.name)
