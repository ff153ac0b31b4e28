"""Who plays games, and how one game is played: plain data in, a record out."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias

from othello.config import PlayerConfig
from othello.errors import ForfeitError, OthelloError, PlayerError, Reason, TournamentError, reason_of
from othello.game import AnyGame, Game
from othello.kernel.interrupt import interruptible
from othello.play.openings import opening_of
from othello.play.referee import Job, Referee, playable
from othello.play.seeding import player_seed
from othello.players.player import Player, choose
from othello.players.registry import create_player
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag

_log = logging.getLogger("talk with programs")
Watcher: TypeAlias = Callable[[Job, AnyGame], None]  # told of positions of games under way


class Crew(Protocol):
    """Plays jobs."""

    @property
    def room(self) -> int:
        """How many more jobs it can use right now."""

    @property
    def horizon(self) -> int:
        """How many games after the first unfinished one may be finished or in progress."""

    def submit(self, job: Job) -> None:
        """Hand over a job."""

    def collect(self, seconds: float) -> list[GameRecord]:
        """Wait for games to end, at most this long, and return the finished games.

        Raises:
            TournamentError: games cannot be played, for a reason that the user can fix.
            PlayerError: a player of ours failed.
        """

    def close(self) -> None:
        """Drop what is under way."""


class SoloCrew:
    """Plays one game after the other in this very process."""

    horizon = 1

    def __init__(self, watcher: Watcher | None = None) -> None:
        self._watcher = watcher
        self._jobs: list[Job] = []
        self._played: RunningGame | None = None  # still to be closed: first its record must be written

    @property
    def room(self) -> int:
        return 1 - len(self._jobs)

    def submit(self, job: Job) -> None:
        self._jobs.append(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        self._close_game()
        if not self._jobs:
            return []
        job = self._jobs.pop()
        watcher = self._watcher
        on_position = None if watcher is None else lambda game: watcher(job, game)
        live = RunningGame(job)
        record = interruptible(lambda: live.play(on_position))
        self._played = live
        return [record]

    def close(self) -> None:
        self._jobs.clear()
        self._close_game()

    def _close_game(self) -> None:
        live, self._played = self._played, None
        if live is not None:
            live.close()


class RunningGame:
    """A job while it is played."""

    def __init__(self, job: Job) -> None:
        self.job = job
        if job.log is not None:
            _write_log(job.log)
            _log.debug("game %d: %s - %s", job.number, *(player.name for player in job.players))
        self.referee = Referee(job, Game.new(rules_of(job.game)))
        self._players: dict[Color, Player] = {}
        self._reports: dict[int, SearchReport] = {}  # by the ply that was searched

    def play(self, on_position: Callable[[AnyGame], None] | None = None) -> GameRecord:
        """Play to the end, or until a player forfeits the game. `on_position` gets the opening and the position after
        every move.

        Raises:
            TournamentError: a player failed, for a reason that the user can fix.
            PlayerError: a player of ours failed for any other reason.
        """
        try:
            return self._play(on_position)
        except BaseException:
            self._release()
            raise

    def _play(self, on_position: Callable[[AnyGame], None] | None) -> GameRecord:
        referee = self.referee
        referee.game = opening_of(self.job)
        while True:
            if on_position is not None:
                on_position(referee.game)
            if self._can_be_proved:
                referee.adjudicate(self._best_play())
            if referee.is_over:
                return self._record()
            if referee.game.must_pass:
                referee.play(referee.game.legal_moves()[0])
            else:
                self._take_turn()
                if referee.forfeit is not None:
                    return self._record()

    def _record(self) -> GameRecord:
        return self.referee.record([self._reports.get(ply) for ply in range(self.referee.game.ply)])

    @property
    def _can_be_proved(self) -> bool:
        """Whether the engine is to end the game."""
        rules, game = self.referee.game.rules, self.referee.game
        return not game.is_over and rules.moves_left(game.position) <= self.job.adjudicate

    def _best_play(self) -> tuple[Move, ...]:
        """The rest of the game as both sides play it best."""
        from othello.engine.endgame import solve  # slow to import, and seldom needed

        solution = solve(self.referee.game.position, StopFlag(), rules=self.referee.game.rules)
        return () if solution is None else solution.pv

    def close(self) -> None:
        """Let the players learn from the game, and release them. Raises what `play` raises."""
        try:
            for color, player in self._players.items():
                with suppress(ForfeitError), self._blaming(color):  # the game is over, and nobody loses it any more
                    player.game_over(self.referee.game)
        finally:
            self._release()

    def _release(self) -> None:
        while self._players:
            self._players.popitem()[1].release()

    def hang_record(self, patience_seconds: float) -> GameRecord | None:
        """The game as lost by a player that is still thinking this long after its time limit; None if there is none.

        Another thread may ask this.
        """
        referee = self.referee
        if referee.forfeit is not None:
            return None
        referee.judge(time.perf_counter(), patience_seconds)
        return None if referee.forfeit is None else self._record()

    def _take_turn(self) -> None:
        referee, color = self.referee, self.referee.game.to_move
        try:
            with self._blaming(color):
                player = self._player(color)
                referee.begin(time.perf_counter())
                report = choose(player, referee.game, referee.allotment(referee.clock.since))
                referee.decide(time.perf_counter())
                move = playable(report, referee.game).move
                self._reports[referee.game.ply] = report
        except ForfeitError as error:
            if color in self._players:
                self._players.pop(color).release()  # the player forgets the game
            referee.fail(error.reason, time.perf_counter())
        else:
            if referee.forfeit is None:
                referee.play(move)

    @contextmanager
    def _blaming(self, color: Color) -> Iterator[None]:
        """Turn every exception of a player into one error that names the player and the game. A forfeit passes."""
        try:
            yield
        except ForfeitError:
            raise
        except Exception as error:  # a player is any code at all
            parts = {"number": self.job.number, "name": self.job.players[color].name, "reason": reason_of(error)}
            reason = Reason("player_failed", parts)
            is_mendable = isinstance(error, (OthelloError, OSError)) and not isinstance(error, PlayerError)
            raise (TournamentError if is_mendable else PlayerError)(reason) from error

    def _player(self, color: Color) -> Player:
        if color not in self._players:
            config = self.job.players[color]
            _warm_up(config, self.job.game)
            self._players[color] = create_player(config, self.job.game)
            self._players[color].new_game(player_seed(self.job.seed, color))
        return self._players[color]


@cache
def _write_log(path: Path) -> None:
    """Write what external programs say and hear in this process to a file."""
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    _log.addHandler(handler)
    _log.setLevel(logging.DEBUG)
    _log.propagate = False


def play_game(job: Job) -> GameRecord:
    live = RunningGame(job)
    record = live.play()
    live.close()
    return record


@cache
def _warm_up(config: PlayerConfig, spec: GameSpec) -> None:
    """Load or compile what a player needs, once in a process, so that no game's clock pays for it."""
    player = create_player(config, spec)
    player.prepare()
    player.release()
