"""`othello book`: making the engine's opening book, and what can be done with books."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from othello.cli.book_files import obf_lines, read_book, text_lines
from othello.cli.progress import show_share
from othello.engine.book import Book, Entry, Known, learn, write
from othello.engine.book_making import Draft, Searching, Task, compare
from othello.errors import CommandError, OutputError
from othello.kernel.interrupt import interruptible
from othello.tournament.processes import hear_no_interrupts, without_interrupts
from othello.writing import write_text

_DEPTH: Final = 12  # of a book that is begun
_SAVE_SECONDS: Final = 60.0
_EXPORTS: Final = {".obf": obf_lines, ".txt": text_lines}


def _files(arguments: argparse.Namespace, count: int) -> list[Path]:
    """The files that were named; CommandError: it is another number, or fewer where there may be any."""
    files: list[Path] = arguments.files
    if len(files) < count or (len(files) > count and arguments.action != "merge"):
        raise CommandError("book_files", action=arguments.action, count=count)
    return files


def _make(arguments: argparse.Namespace) -> None:
    """Go on where the same command was interrupted; another book is not overwritten."""
    file = _files(arguments, 1)[0]
    depth, seed, known = arguments.depth or _DEPTH, arguments.seed or 0, None
    if os.path.lexists(file) and not arguments.overwrite:
        begun = Book(file)
        if (begun.depth, begun.seed) != (depth, seed):
            raise OutputError("taken_file", path=file)
        known = begun.known
    _grow(Draft(depth, seed, known), arguments)


def _extend(arguments: argparse.Namespace) -> None:
    begun = Book(_files(arguments, 1)[0])
    seed = begun.seed if arguments.seed is None else arguments.seed
    _grow(Draft(arguments.depth or begun.depth, seed, begun.known), arguments)


def _grow(draft: Draft, arguments: argparse.Namespace) -> None:
    file: Path = arguments.files[0]

    def counts(search: Searching) -> Generator[tuple[int, int]]:
        saved = time.monotonic()
        for count in draft.grow(arguments.positions, search):
            if time.monotonic() >= saved + _SAVE_SECONDS:
                write(file, draft.known, draft.depth, draft.seed)
                saved = time.monotonic()
            yield count, arguments.positions

    with _searchers(arguments) as search:
        try:
            with closing(counts(search)) as shares:
                show_share(shares)
        finally:
            write(file, draft.known, draft.depth, draft.seed)
    print(f"{len(draft.nodes):,} positions")


@contextmanager
def _searchers(arguments: argparse.Namespace) -> Iterator[Searching]:
    """This process, others beside it, or the workers of a Dask cluster."""
    if arguments.cluster is not None:
        from othello.tournament.cluster import connected

        with connected(arguments.cluster) as client:
            yield client.get_executor(pure=False).map
    elif arguments.processes == 1:
        yield _one_by_one
    else:
        with without_interrupts():
            pool = ProcessPoolExecutor(
                arguments.processes, multiprocessing.get_context("spawn"), initializer=hear_no_interrupts
            )
        try:
            yield pool.map
        finally:
            pool.shutdown(cancel_futures=True)


def _one_by_one(work: Callable[[Task], list[Entry]], tasks: Iterable[Task]) -> Iterator[list[Entry]]:
    return (interruptible(partial(work, task)) for task in tasks)


def _merge(arguments: argparse.Namespace) -> None:
    """Of two values for a position the deeper search's counts."""
    *sources, out = _files(arguments, 2)
    if os.path.lexists(out) and not arguments.overwrite:
        raise OutputError("taken_file", path=out)
    depth = arguments.depth or _DEPTH
    known: Known = {}
    for source in sources:
        for boards, entry in read_book(source, depth).items():
            learn(known, *boards, entry)
    draft = Draft(depth, arguments.seed or 0, known)
    write(out, draft.known, draft.depth, draft.seed)
    print(f"{len(draft.nodes):,} positions")


def _export(arguments: argparse.Namespace) -> None:
    source, out = _files(arguments, 2)
    if os.path.lexists(out) and not arguments.overwrite:
        raise OutputError("taken_file", path=out)
    lines = _EXPORTS.get(out.suffix.lower())
    if lines is None:
        raise CommandError("book_suffix", path=out, suffixes=", ".join(_EXPORTS))
    write_text(out, "".join(lines(Book(source))))


def _check(arguments: argparse.Namespace) -> None:
    """Search positions of a book for ten times as long as the book did, and tell how far their values are off."""
    book = Book(_files(arguments, 1)[0])
    known = {boards: entry for boards, entry in book.known.items() if entry.error}
    chosen = random.Random(arguments.seed or 0).sample(sorted(known), min(arguments.sample, len(known)))
    differences = [known[each].value - interruptible(partial(compare, *each, book.depth)) for each in chosen]
    count = len(chosen)
    within = sum(abs(difference) <= known[each].error for each, difference in zip(chosen, differences, strict=True))
    print(f"positions        {count}")
    print(f"mean difference  {sum(map(abs, differences)) / count:.2f} discs")
    print(f"mean             {sum(differences) / count:+.2f}")
    print(f"largest          {max(map(abs, differences))}")
    print(f"within class     {within / count:.0%}")


ACTIONS: Final = {"make": _make, "extend": _extend, "merge": _merge, "export": _export, "check": _check}
"""What `othello book` does, by the word for it."""
