"""One game between two computer players: plain data in, a record out, whatever the players do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from othello.config import PlayerConfig
from othello.errors import IllegalMoveError, PlayerError, TreeFileError
from othello.game import AnyGame, Game
from othello.play.seeding import player_seed
from othello.play.time_control import GameClock
from othello.players.player import Player, choose
from othello.players.registry import create_player
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import rules_of
from othello.search.limits import earliest
from othello.tournament.openings import balanced_opening


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played. It can be sent to any process on any machine and is the same game everywhere.

    Attributes:
        number: of the game in the experiment, from 1.
        series: of the series that the game belongs to, from 1.
        players: black and white.
        game: what is played.
        seed: of the game; the seeds of both players derive from it.
        opening_plies: so many moves are made for the players.
        opening_seed: which ones.
        time_margin_seconds: how far a player may overstep its time limit.
        experiment: fingerprint of the settings, for the record.
    """

    number: int
    series: int
    players: tuple[PlayerConfig, PlayerConfig]
    game: GameSpec
    seed: int
    opening_plies: int = 0
    opening_seed: int = 0
    time_margin_seconds: float = 0.5
    experiment: str = ""


class LiveGame:
    """A job while it is played.

    Attributes:
        job: what is played.
        game: the moves so far.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.game: AnyGame = Game.new(rules_of(job.game))
        self._players: dict[Color, Player] = {}
        self._clocks = [GameClock(player.clock_seconds, player.increment_seconds) for player in job.players]
        self._asked_at: float | None = None

    def play(self, on_position: Callable[[AnyGame], None] | None = None) -> GameRecord:
        """Play to the end, or until a player forfeits the game.

        Args:
            on_position: called with the game so far after the opening, and after every move.
        """
        self.game = balanced_opening(self.game, self.job.opening_plies, self.job.opening_seed)
        while True:
            if on_position is not None:
                on_position(self.game)
            if self.game.is_over:
                return self._record()
            if self.game.must_pass:
                self.game = self.game.play(self.game.legal_moves()[0])
            else:
                fault = self._take_turn()
                if fault:
                    return self._record(fault)

    def close(self) -> None:
        """Let the players keep what they want of the game.

        Raises:
            TreeFileError: one of them cannot.
        """
        try:
            for player in self._players.values():
                player.game_over(self.game)
        finally:
            for player in self._players.values():
                player.release()

    def hang_record(self, patience_seconds: float) -> GameRecord | None:
        """The game as lost by a player that overstepped its time limit long ago and still thinks, None otherwise.

        This can be asked in another thread.

        Args:
            patience_seconds: how long ago.
        """
        asked_at = self._asked_at
        limit = earliest(self._limit, self._clocks[self.game.to_move].remaining)
        if asked_at is None or limit is None or time.perf_counter() - asked_at <= limit + patience_seconds:
            return None
        self._clocks[self.game.to_move].spend(time.perf_counter() - asked_at)
        return self._record(f"hangs, {limit:g} s a move are allowed")

    @property
    def _limit(self) -> float | None:
        """The longest that the player to move may take, None where it may take any time."""
        limit = self.job.players[self.game.to_move].time_limit_seconds
        return None if limit is None else limit + self.job.time_margin_seconds

    def _take_turn(self) -> str:
        """Let the player to move think and move. Returns the fault that costs it the game, "" where there is none."""
        color = self.game.to_move
        spent = 0.0
        try:
            player = self._player(color)
            seconds = self._clocks[color].allotment(self.game.rules.moves_left(self.game.position))
            self._asked_at = time.perf_counter()
            report = choose(player, self.game, seconds)
            spent = time.perf_counter() - self._asked_at
            after = self.game.play(report.move)
        except TreeFileError:
            raise  # the user's file, not the player's play, is at fault
        except (PlayerError, IllegalMoveError) as error:
            return str(error)
        except Exception as error:  # whatever a player does wrong, it alone loses by it
            self._players.pop(color, None)  # nor is anything kept of what it thought
            return f"raised {type(error).__name__}: {error}"
        finally:
            self._asked_at = None
            in_time = self._clocks[color].spend(spent)
        if not in_time:
            return "has run out of time"
        if self._limit is not None and spent > self._limit:
            return f"took {spent:.2f} s for a move, {self._limit:g} s are allowed"
        self.game = after
        return ""

    def _player(self, color: Color) -> Player:
        if color not in self._players:
            config = self.job.players[color]
            _warm_up(config, self.job.game)
            self._players[color] = create_player(config, self.job.game)
            self._players[color].new_game(player_seed(self.job.seed, color))
        return self._players[color]

    def _record(self, fault: str = "") -> GameRecord:
        """The game as it stands; with a fault, lost by the side to move."""
        color = self.game.to_move
        black, white = self.job.players
        return GameRecord.of(
            self.game,
            (black.name, white.name),
            self.job.seed,
            (self._clocks[Color.BLACK].used, self._clocks[Color.WHITE].used),
            (color, f"{color.label} {fault}") if fault else None,
            game=self.job.number,
            series=self.job.series,
            opening_plies=self.job.opening_plies,
            experiment=self.job.experiment,
        )


def play_game(job: Job) -> GameRecord:
    """Play a game from its opening to its end."""
    live = LiveGame(job)
    record = live.play()
    live.close()
    return record


@cache
def _warm_up(config: PlayerConfig, spec: GameSpec) -> None:
    """Load or compile what a player needs, once in a process, so that no game's clock pays for it."""
    player = create_player(config, spec)
    player.prepare()
    player.release()
