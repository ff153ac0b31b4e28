"""Whether a program answers and plays by the rules: a few moves of a game against itself."""

from __future__ import annotations

import threading
import time
from typing import Final

from othello.errors import ForfeitError, OthelloError, PlayerError, ProgramError, Reason
from othello.frozen import Frozen
from othello.game import Game
from othello.players.player import answer_of
from othello.players.program_player import ProgramConfig, ProgramPlayer
from othello.programs.protocols import DIALOGUES
from othello.programs.registered import Program
from othello.rules.protocol import Position, Rules
from othello.search.stop import StopFlag

MOVES: Final = 10
_MOVE_SECONDS: Final = 5.0


class Trial(Frozen):
    """How a program has played."""

    name: str  # what it calls itself, empty where it does not say
    start_seconds: float
    first: str  # its first move
    first_seconds: float
    first_depth: int  # in plies, 0 where it does not say
    moves: int
    move_seconds: float  # in the mean


def try_out(program: Program, rules: Rules[Position], stop: StopFlag | None = None) -> Trial | None:
    """Start a program and have it make ten moves; None where `stop` was set meanwhile.

    ProgramError: it is not there, does not answer, or breaks the rules.
    """
    stop = stop or StopFlag()
    if not DIALOGUES[program.protocol].plays(rules):
        raise ProgramError("program_game", name=program.name, game=rules.spec.game)
    limit = program.move_seconds or _MOVE_SECONDS
    config = ProgramConfig("external", program=program.name, lent=program, time_limit_seconds=limit)
    game, spent = Game.new(rules), list[float]()
    first, depth = "", 0
    player = ProgramPlayer(config, rules)
    with player:
        began = time.perf_counter()
        player.prepare(stop)
        if stop.is_cancelled:
            return None
        started = time.perf_counter() - began
        name = player.called
        try:
            player.new_game(1)
            while len(spent) < MOVES and not game.is_over:
                report = answer_of(player, player.think(game, stop))
                if not game.must_pass:
                    spent.append(report.seconds)
                if not first:
                    first, depth = game.text_of(report.move), report.depth if report.value is not None else 0
                game = game.play(report.move)
        except ForfeitError as error:
            raise ProgramError(error.reason) from None
        except PlayerError:
            if stop.is_cancelled:
                return None
            raise
    return Trial(name, started, first, spent[0], depth, len(spent), sum(spent) / len(spent))


class TrialRun:
    """A program that is tried in a thread of its own.

    Attributes:
        found: how it has played, or what it did wrong; None as long as that is not known, and where it was stopped.
        is_over: whether nothing more will be found.
    """

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        self.program = program
        self.found: Trial | Reason | None = None
        self.is_over = False
        self._rules, self._stop = rules, StopFlag()
        threading.Thread(target=self._run, name="program-trial", daemon=True).start()

    def _run(self) -> None:
        try:
            self.found = try_out(self.program, self._rules, self._stop)
        except OthelloError as error:
            self.found = error.reason
        finally:
            self.is_over = True

    def stop(self) -> None:
        """Nobody wants to know any more: the program is ended."""
        self._stop.cancel()
