"""The common part of `othello gtp` and `othello nboard`: a player, and commands that are read while it thinks."""

import argparse
import math
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from typing import Any, Final, NoReturn, Protocol

from othello.cli import DONE, end_process
from othello.cli.arguments import Parser, add_player, parse_seconds, parse_seed, player_entry
from othello.cli.position_commands import rules_from
from othello.config import MAX_SEED
from othello.config_file import player_of
from othello.errors import CommandError, PlayerError
from othello.game import AnyGame
from othello.kernel.interrupt import interruptible
from othello.numbers import parse_whole
from othello.players.player import ComputerConfig, Player
from othello.players.player_registry import PLAYERS, create_player
from othello.rules.protocol import GameSpec
from othello.schema import options_of
from othello.search.report import MoveStats, SearchReport
from othello.search.stop import StopFlag

LONGEST_LINE: Final = 1 << 16  # bytes
_MAX_QUEUED: Final = 1000  # unanswered lines; with more, the other program has to wait
_EXIT_SECONDS: Final = 0.3  # for searches after the end of the input
_MIN_SEARCH_SECONDS: Final = 0.02  # for a search that was stopped before it found a move


class ServedPlayer:
    """A player that answers another program. It is prepared in the background."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """Create the player of the command line.

        Raises:
            PlayerError: the player does not play the game.
        """
        self._type: str = arguments.player
        self._options = player_entry(arguments)
        self._limit: float | None = arguments.time
        self._seed: int | None = arguments.seed
        self.config: ComputerConfig
        self.spec: GameSpec
        self._thread = ThreadPoolExecutor(1)  # prepares one player at a time: two may need the same compiled code
        self._prepared: Future[Player] | None = None
        self._former: Player | None = None  # the last player that the thread began to prepare
        self.new_game()
        self._configure(rules_from(arguments).spec, {})

    @property
    def name(self) -> str:
        """The player's type and strength in one word."""
        strength = "".join(f"-{key}-{value}" for key, value in self.config.strength.items())
        return f"Othello-{self._type}{strength}".replace("_", "-")

    def play(self, spec: GameSpec) -> None:
        """Change the game. A PlayerError, if the player does not play it, changes nothing."""
        if spec != self.spec:
            self._configure(spec, self._more)

    def reach(self, **bounds: Any) -> None:
        """Set bounds of the search, unless the command line or a level sets them."""
        if "level" not in self._options:
            self._configure(self.spec, bounds)

    def _configure(self, spec: GameSpec, more: Mapping[str, Any]) -> None:
        known = options_of(PLAYERS[self._type].config_type)
        entry = {key: value for key, value in more.items() if key in known} | self._options
        config = player_of({"player_type": self._type, "time_limit_seconds": self._limit, **entry}, {})
        assert isinstance(config, ComputerConfig)
        if self._prepared is None or (config, spec) != (self.config, self.spec):
            self._prepared, self._is_begun = self._thread.submit(self._prepare, create_player(config, spec)), False
        self.config, self.spec, self._more = config, spec, more

    def _prepare(self, player: Player) -> Player:
        former, self._former = self._former, player
        if former is not None:
            former.release()
        player.prepare()
        return player

    def new_game(self, seed: int | None = None) -> None:
        """Begin a game with the next search, with this seed or the next one."""
        self._is_begun = self._is_over = False
        self._seed = self._seed if seed is None else seed

    def game_over(self, game: AnyGame) -> None:
        """Let the player store what it learned from the game."""
        if self._is_begun and not self._is_over:
            self._is_over = True
            self.ready().game_over(game)

    def wait(self) -> None:
        """Wait until the player is ready, or has failed to prepare."""
        assert self._prepared is not None
        wait([self._prepared])

    def ready(self) -> Player:
        """Wait for the player and return it. Raises the error of a failed preparation."""
        assert self._prepared is not None
        return self._prepared.result()

    def search(
        self, game: AnyGame, stop: StopFlag, seconds: float | None = None, *, judges: bool = False
    ) -> Iterator[SearchReport]:
        """Search a position that has a legal move. The last report is final.

        Args:
            game: the position and its history.
            stop: ends the search as soon as possible.
            seconds: the time that the clock allots.
            judges: True to evaluate every move.
        """
        player = self.ready()
        if not self._is_begun:
            seed = secrets.randbelow(MAX_SEED) if self._seed is None else self._seed
            self._seed = None if self._seed is None else (self._seed + 1) & MAX_SEED
            player.new_game(seed)
            self._is_begun = True
        ask = player.analyse if judges else player.think
        for flag, maximum in ((stop, seconds), (StopFlag(), _MIN_SEARCH_SECONDS)):
            if not flag.is_set:
                for report in ask(game, flag, maximum):
                    yield report
                    if report.final:
                        return
        raise PlayerError("no_answer", name=player.name)


def judged(report: SearchReport) -> list[MoveStats]:
    """Return the moves that a search evaluated, the best first."""

    def worth(stats: MoveStats) -> tuple[bool, float, int]:
        return stats.move == report.move, -math.inf if stats.value is None else stats.value, stats.visits

    judged_moves = (stats for stats in report.moves if stats.exact or stats.move == report.move)
    return sorted(judged_moves, key=worth, reverse=True)


class Server(Protocol):
    """The server side of a line-based protocol."""

    @property
    def searches(self) -> Mapping[str, Container[str] | None]:
        """The commands that search, each with the commands that stop it. None: all commands stop it."""

    def word(self, line: str) -> str:
        """Return the command of a line, or an empty string."""

    def answer(self, line: str, stop: StopFlag) -> Iterator[str]:
        """Carry out a line and yield the output, with line ends. A search ends as soon as `stop` is set."""


@dataclass
class _PendingLine:
    """A line that is not answered yet."""

    line: str
    enders: Container[str] | None = ()
    stop: StopFlag = field(default_factory=StopFlag)


def declare(parser: Parser) -> None:
    """Add the arguments of a command that serves a player."""
    add = parser.add_argument
    add("--time", type=parse_seconds, metavar="S", help="maximum seconds for a move")
    add("--seed", type=parse_seed, metavar="N", help="seed of the first game; each further game adds 1")
    add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")
    add_player(parser, "engine")


def serve(make_server: Callable[[ServedPlayer], Server], arguments: argparse.Namespace) -> NoReturn:
    """Answer lines of the standard input on the standard output until `quit` or the end, then end the process."""
    player = ServedPlayer(arguments)
    loop = _Loop(make_server(player), player)
    threading.Thread(target=loop.read, name="input", daemon=True).start()
    with suppress(BrokenPipeError):  # the other program has closed our output
        interruptible(loop.answer)
    end_process(DONE)  # with searches and compilation that still run


def whole(text: str, minimum: int, maximum: int) -> int:
    """Parse a whole number; raise a CommandError if it is none, or outside its range."""
    number = parse_whole(text, minimum, maximum)
    if number is None:
        raise CommandError("no_whole_number", text=text, minimum=minimum, maximum=maximum)
    return number


class _Loop:
    """Answers lines one after another, while another thread reads them: a line may stop the search before it."""

    def __init__(self, server: Server, player: ServedPlayer) -> None:
        self._server, self._player = server, player
        self._requests: Queue[_PendingLine | None] = Queue(_MAX_QUEUED)
        self._searches: list[_PendingLine] = []

    def read(self) -> None:
        for line in _lines():
            word = self._server.word(line)
            self._stop(word)
            request = _PendingLine(line)
            if word in self._server.searches:
                request.enders = self._server.searches[word]
                self._searches.append(request)
            self._requests.put(request)
            if word == "quit":
                break
        self._requests.put(None)
        self._player.wait()
        time.sleep(_EXIT_SECONDS)
        self._stop()

    def _stop(self, word: str | None = None) -> None:
        """Stop the searches that a command ends, or all."""
        for request in tuple(self._searches):
            enders = request.enders
            if word is None or (word if enders is None else word in enders):
                request.stop.time_is_up()

    def answer(self) -> None:
        while (request := self._requests.get()) is not None:
            for text in self._server.answer(request.line, request.stop):
                sys.stdout.write(text)
                sys.stdout.flush()
            if request in self._searches:
                self._searches.remove(request)


def _lines() -> Iterator[str]:
    """Yield the lines of the standard input. A line that is too long loses its end.

    Reads the file descriptor: a thread that waits in `sys.stdin` holds its lock, and the process could not end.
    """
    rest = b""
    with suppress(OSError):  # the standard input is closed or broken
        while data := os.read(0, LONGEST_LINE):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace")
            rest = rest[:LONGEST_LINE]
    if rest:
        yield rest.decode(errors="replace")
