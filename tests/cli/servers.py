"""Drivers of `othello gtp` and `othello nboard`, in this process or over pipes."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from othello.cli.arguments import parse
from othello.cli.gtp import Gtp
from othello.cli.nboard import NBoard
from othello.cli.server import ServedPlayer
from othello.search.stop import StopFlag

S = TypeVar("S", Gtp, NBoard)


def server(kind: type[S], *options: str) -> S:
    return kind(ServedPlayer(parse([kind.__name__.lower(), *options])))


def ask(served: Gtp | NBoard, line: str, stop: StopFlag | None = None) -> str:
    """Return the whole answer to a line."""
    return "".join(served.answer(line, stop or StopFlag()))


class Program:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._says, self.hears = process.stdin, process.stdout

    def say(self, line: str) -> None:
        self._says.write(f"{line}\n")
        self._says.flush()

    def until(self, word: str) -> list[str]:
        """Return the lines up to the first one that begins with a word."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(word):
            line = self.hears.readline()
            assert line, lines
            lines.append(line.rstrip("\n"))
        return lines


@contextmanager
def program(*arguments: str) -> Iterator[Program]:
    """Return a process that ends when its input ends."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "othello", *arguments]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8") as process:
        running = Program(process)
        yield running
        _, complaints = process.communicate(timeout=30)
        assert process.returncode == 0
        assert complaints == ""
