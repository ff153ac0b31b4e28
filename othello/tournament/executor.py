"""Play single games: a job in, a record out. Executors hand jobs to processes or machines."""

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
from othello.play.referee import GameJob, Referee, playable
from othello.play.seeding import player_seed
from othello.play.start_positions import opening_of
from othello.players.player import Player, choose
from othello.players.player_registry import create_player
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag

_log = logging.getLogger("talk with programs")
Watcher: TypeAlias = Callable[[GameJob, AnyGame], None]  # called with positions of running games


class Executor(Protocol):
    """Plays jobs, in this process or elsewhere."""

    @property
    def free_slots(self) -> int:
        """The number of jobs that it can take now."""

    @property
    def max_lookahead(self) -> int:
        """The maximum number of games after the first unfinished one that may be running or finished."""

    def submit(self, job: GameJob) -> None:
        """Start a job, or queue it."""

    def collect(self, seconds: float) -> list[GameRecord]:
        """Wait for games to end, at most so many seconds, and return their records.

        Raises:
            TournamentError: a game cannot be played for a reason that the user can fix.
            PlayerError: a built-in player failed.
        """

    def close(self) -> None:
        """Drop all running games."""


class SerialExecutor:
    """Plays one game after another in this process."""

    max_lookahead = 1

    def __init__(self) -> None:
        self._jobs: list[GameJob] = []
        self._played: RunningGame | None = None  # closed after its record is written

    @property
    def free_slots(self) -> int:
        return 1 - len(self._jobs)

    def submit(self, job: GameJob) -> None:
        self._jobs.append(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        self._close_game()
        if not self._jobs:
            return []
        live = RunningGame(self._jobs.pop())
        record = interruptible(live.play)
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
    """A job that is being played."""

    def __init__(self, job: GameJob) -> None:
        self.job = job
        if job.log is not None:
            _write_log(job.log)
            _log.debug("game %d: %s - %s", job.number, *(player.name for player in job.players))
        self.referee = Referee(job, Game.new(rules_of(job.game)))
        self._players: dict[Color, Player] = {}
        self._reports: dict[int, SearchReport] = {}  # by the ply that was searched

    def play(self, on_position: Callable[[AnyGame], None] | None = None) -> GameRecord:
        """Play until the game ends or a player forfeits it.

        Args:
            on_position: called with the position after the opening and after every move.

        Raises:
            TournamentError: a player failed for a reason that the user can fix.
            PlayerError: a built-in player failed for another reason.
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
            if self._is_adjudicated:
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
    def _is_adjudicated(self) -> bool:
        """True if so few squares are empty that the engine ends the game."""
        rules, game = self.referee.game.rules, self.referee.game
        return not game.is_over and rules.moves_left(game.position) <= self.job.adjudicate

    def _best_play(self) -> tuple[Move, ...]:
        """Return the rest of the game with best play by both sides."""
        from othello.engine.endgame import solve  # slow to import and rarely needed

        solution = solve(self.referee.game.position, StopFlag(), rules=self.referee.game.rules)
        return () if solution is None else solution.pv

    def close(self) -> None:
        """Let the players learn from the game, and release them. Raises the errors of `play`."""
        try:
            for color, player in self._players.items():
                with suppress(ForfeitError), self._attribute_errors(color):  # the result does not change
                    player.game_over(self.referee.game)
        finally:
            self._release()

    def _release(self) -> None:
        while self._players:
            self._players.popitem()[1].release()

    def timeout_record(self, tolerance_seconds: float) -> GameRecord | None:
        """Return the record of a game lost on time, or None if no player exceeds its limit by `tolerance_seconds`.

        May be called from another thread while the player thinks.
        """
        referee = self.referee
        if referee.forfeit is not None:
            return None
        referee.check_clock(time.perf_counter(), tolerance_seconds)
        return None if referee.forfeit is None else self._record()

    def _take_turn(self) -> None:
        referee, color = self.referee, self.referee.game.to_move
        try:
            with self._attribute_errors(color):
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
    def _attribute_errors(self, color: Color) -> Iterator[None]:
        """Raise exceptions of a player, except a ForfeitError, as errors with the player's name and the game."""
        try:
            yield
        except ForfeitError:
            raise
        except Exception as error:  # players may be written by others
            parts = {"number": self.job.number, "name": self.job.players[color].name, "reason": reason_of(error)}
            reason = Reason("player_failed", parts)
            is_user_error = isinstance(error, (OthelloError, OSError)) and not isinstance(error, PlayerError)
            raise (TournamentError if is_user_error else PlayerError)(reason) from error

    def _player(self, color: Color) -> Player:
        if color not in self._players:
            config = self.job.players[color]
            _warm_up(config, self.job.game)
            self._players[color] = create_player(config, self.job.game)
            self._players[color].new_game(player_seed(self.job.seed, color))
        return self._players[color]


@cache
def _write_log(path: Path) -> None:
    """Write the messages of external programs of this process to a file."""
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    _log.addHandler(handler)
    _log.setLevel(logging.DEBUG)
    _log.propagate = False


def play_game(job: GameJob) -> GameRecord:
    live = RunningGame(job)
    record = live.play()
    live.close()
    return record


@cache
def _warm_up(config: PlayerConfig, spec: GameSpec) -> None:
    """Compile and load what a player needs, once per process and not on a game's clock."""
    with create_player(config, spec) as player:
        player.prepare()
