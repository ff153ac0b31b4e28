"""One game between two computer players: plain data in, a record out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from othello.config import PlayerConfig
from othello.errors import IllegalMoveError, PlayerError
from othello.game import AnyGame, Game
from othello.play.seeding import player_seed
from othello.players.player import choose
from othello.players.registry import create_player
from othello.records.record import GameRecord
from othello.rules.othello import Othello
from othello.rules.protocol import Color, Move


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played. It can be sent to any process on any machine and gives the same game everywhere.

    Attributes:
        number: of the game in the experiment, from 1.
        series: of the series that the game belongs to, from 1.
        players: black and white.
        seed: of the game; the seeds of both players derive from it.
        opening: moves that are set for the players, passes included.
        experiment: fingerprint of the settings, for the record.
    """

    number: int
    series: int
    players: tuple[PlayerConfig, PlayerConfig]
    seed: int
    opening: tuple[Move, ...] = ()
    experiment: str = ""


def play_game(job: Job, on_move: Callable[[AnyGame], None] | None = None) -> GameRecord:
    """Play a game from its opening to its end.

    Args:
        job: the game.
        on_move: called with the game so far after every move.

    Raises:
        PlayerError: a player gave no move, or an illegal one.
    """
    game: AnyGame = Game.new(Othello())
    for move in job.opening:
        game = game.play(move)
    players = [create_player(job.players[color], player_seed(job.seed, color)) for color in Color]
    seconds = [0.0, 0.0]
    while not game.is_over:
        color = game.to_move
        if game.must_pass:
            game = game.play(game.legal_moves()[0])
            continue
        began = time.perf_counter()
        report = choose(players[color], game)
        seconds[color] += time.perf_counter() - began
        try:
            game = game.play(report.move)
        except IllegalMoveError as error:
            raise PlayerError(f"{job.players[color].name} ({color.label}): {error}") from None
        if on_move is not None:
            on_move(game)
    return GameRecord.of(
        game,
        (job.players[Color.BLACK].name, job.players[Color.WHITE].name),
        job.seed,
        (seconds[Color.BLACK], seconds[Color.WHITE]),
        game=job.number,
        series=job.series,
        opening_plies=len(job.opening),
        experiment=job.experiment,
    )
