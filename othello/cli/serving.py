"""What `othello gtp` and `othello nboard` share: a player that answers, and lines that are read while it thinks."""

from __future__ import annotations

import argparse
import math
import os
import sys
import threading
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Queue
from typing import Any, Final, NoReturn, Protocol

from othello.cli import DONE, end_process
from othello.cli.positions import player_entry, rules_from
from othello.config_file import player_of
from othello.errors import PlayerError
from othello.game import AnyGame
from othello.kernel.interrupt import interruptible
from othello.players.player import ComputerConfig, Player
from othello.players.registry import PLAYERS, create_player
from othello.rules.protocol import GameSpec
from othello.schema import options_of
from othello.search.report import MoveStats, SearchReport
from othello.search.stop import StopFlag

LONGEST_LINE: Final = 1 << 16
_MOST_WAITING: Final = 1000  # lines that are not answered yet: then the other program waits
_PATIENCE_SECONDS: Final = 0.3  # that searches may still take once nobody asks any more
SEED_LIMIT: Final = 1 << 63
_HURRY_SECONDS: Final = 0.02  # for a search that is over before it has found a move


class ServedPlayer:
    """A player of ours that answers another program. It is made ready in the background, while others talk."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """PlayerError where the player that the command line describes does not play the game."""
        self._type: str = arguments.player
        self._told = player_entry(arguments)
        self._limit: float | None = arguments.time
        self._seed: int | None = arguments.seed
        self.config: ComputerConfig
        self.spec: GameSpec
        self._ready: _Ready | None = None
        self.new_game()
        self._sit(rules_from(arguments).spec, {})

    @property
    def name(self) -> str:
        """In one word, with how strong it was told to be."""
        strength = "".join(f"-{key}-{value}" for key, value in self.config.strength.items())
        return f"Othello-{self._type}{strength}".replace("_", "-")

    def play(self, spec: GameSpec) -> None:
        """Play such games from now on; PlayerError where the player does not, which changes nothing."""
        if spec != self.spec:
            self._sit(spec, self._more)

    def reach(self, **bounds: Any) -> None:
        """Search within these bounds, as far as the command line has not set them, and a level has not."""
        if "level" not in self._told:
            self._sit(self.spec, bounds)

    def _sit(self, spec: GameSpec, more: Mapping[str, Any]) -> None:
        known = options_of(PLAYERS[self._type].config_type)
        entry = {key: value for key, value in more.items() if key in known} | self._told
        config = player_of({"player_type": self._type, "time_limit_seconds": self._limit, **entry}, {})
        assert isinstance(config, ComputerConfig)
        former = self._ready
        if former is None or (config, spec) != (self.config, self.spec):
            self._ready, self._is_begun = _Ready(create_player(config, spec), former), False
        self.config, self.spec, self._more = config, spec, more

    def new_game(self, seed: int | None = None) -> None:
        """The next search begins a game, with this seed or the next one."""
        self._is_begun = self._is_over = False
        self._seed = self._seed if seed is None else seed

    def game_over(self, game: AnyGame) -> None:
        """The player may keep what it has learned."""
        if self._is_begun and not self._is_over:
            self._is_over = True
            self.ready().game_over(game)

    def wait(self) -> None:
        """Wait until the player is ready, or will never be."""
        assert self._ready is not None
        self._ready.done.wait()

    def ready(self) -> Player:
        """The player, as soon as it is ready; raises what has kept it from that."""
        self.wait()
        assert self._ready is not None
        if self._ready.errors:
            raise self._ready.errors[0]
        return self._ready.player

    def search(
        self, game: AnyGame, stop: StopFlag, seconds: float | None = None, *, judges: bool = False
    ) -> Iterator[SearchReport]:
        """Search a position that has a legal move.

        The last report is final, as soon as possible where `stop` is set.

        Args:
            game: the position, and how it came about.
            stop: says that the answer is wanted now.
            seconds: what the clock allows.
            judges: whether every move is judged.
        """
        player = self.ready()
        if not self._is_begun:
            seed = int.from_bytes(os.urandom(7)) if self._seed is None else self._seed
            self._seed = None if self._seed is None else (self._seed + 1) % SEED_LIMIT
            player.new_game(seed)
            self._is_begun = True
        ask = player.analyse if judges else player.think
        for flag, most in ((stop, seconds), (StopFlag(), _HURRY_SECONDS)):
            if not flag.is_set:
                for report in ask(game, flag, most):
                    yield report
                    if report.final:
                        return
        raise PlayerError("no_answer", name=player.name)


class _Ready:
    """A player that is made ready in a thread of its own, instead of a former one."""

    def __init__(self, player: Player, former: _Ready | None) -> None:
        self.player = player
        self.errors: list[BaseException] = []
        self.done = threading.Event()
        threading.Thread(target=self._prepare, args=(former,), name="prepare", daemon=True).start()

    def _prepare(self, former: _Ready | None) -> None:
        try:
            if former is not None:
                former.done.wait()  # both may need the same to be compiled
                former.player.release()
            self.player.prepare()
        except BaseException as error:  # handed to the thread that waits for the player, whatever it is
            self.errors.append(error)
        self.done.set()


def judged(report: SearchReport) -> list[MoveStats]:
    """The moves that a search has judged, the best first."""

    def worth(stats: MoveStats) -> tuple[bool, float, int]:
        return stats.move == report.move, -math.inf if stats.value is None else stats.value, stats.visits

    return sorted((stats for stats in report.moves if stats.exact or worth(stats)[0]), key=worth, reverse=True)


class Server(Protocol):
    """Our end of a protocol of lines."""

    @property
    def searches(self) -> Mapping[str, Container[str]]:
        """The commands that take time, each with those that end it when they come meanwhile."""

    def word(self, line: str) -> str:
        """The command of a line, empty where there is none."""

    def answer(self, line: str, stop: StopFlag) -> Iterator[str]:
        """Carry out a line: all that is written, lines' ends included. A search ends as soon as `stop` is set."""


class Everything(Container[str]):
    """Holds every word that is not empty."""

    def __contains__(self, word: object) -> bool:
        return bool(word)


@dataclass(slots=True, eq=False)
class _Order:
    """A line that waits for its answer."""

    line: str
    enders: Container[str] = ()
    stop: StopFlag = field(default_factory=StopFlag)


def serve(server: Server, player: ServedPlayer) -> NoReturn:
    """Answer lines of the standard input on the standard output, until `quit` or the end; then end the process.

    Lines are answered one after the other, but read in a thread of their own, so that one may end a search before it.
    """
    orders: Queue[_Order | None] = Queue(_MOST_WAITING)
    searches: list[_Order] = []
    nothing = StopFlag()

    def read() -> None:
        for line in _lines():
            word = server.word(line)
            for order in tuple(searches):
                if word in order.enders:
                    order.stop.time_is_up()
            if word in server.searches:
                order = _Order(line, server.searches[word])
                searches.append(order)
            else:
                order = _Order(line, stop=nothing)
            orders.put(order)
            if word == "quit":
                break
        orders.put(None)  # nobody asks any more
        player.wait()
        time.sleep(_PATIENCE_SECONDS)
        for order in tuple(searches):
            order.stop.time_is_up()

    def answer() -> None:
        while (order := orders.get()) is not None:
            for text in server.answer(order.line, order.stop):
                sys.stdout.write(text)
                sys.stdout.flush()
            if order.stop is not nothing:
                searches.remove(order)

    threading.Thread(target=read, name="input", daemon=True).start()
    with suppress(BrokenPipeError):  # nobody reads the answers any more
        interruptible(answer)
    end_process(DONE)  # whatever is still searched or compiled


def _lines() -> Iterator[str]:
    """The lines of the standard input; what follows after the first part of an endless one is dropped.

    They are read past Python's own stream, whose lock a thread that still reads would hold as the process ends.
    """
    rest = b""
    with suppress(OSError):  # nobody has opened it, or it is broken
        while data := os.read(0, LONGEST_LINE):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace")
            rest = rest[:LONGEST_LINE]
    if rest:
        yield rest.decode(errors="replace")
