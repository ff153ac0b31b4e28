"""`othello book`: make, extend, merge, export and check opening books of the engine."""

import argparse
import os
import random
import re
import struct
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from othello.child_process import ignore_interrupts, spawn_context, without_interrupts
from othello.cli.arguments import Parser, parse_seed, whole_number
from othello.cli.progress import show_share
from othello.engine import discs_of
from othello.engine.book import Book, BookEntries, BookEntry, add_entry, after, canonical, legal, write
from othello.engine.book_builder import BookBuilder, Searching, compare, error_of
from othello.errors import BookError, CommandError, OthelloError, OutputError, Reason
from othello.files import read_bytes, read_start, refuse_existing, write_text
from othello.kernel.interrupt import interruptible
from othello.machine import cores
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of

_MAX_BYTES: Final = 1 << 30
_EDAX: Final = b"XADEKOOB"
_EDAX_HEADER: Final = 42  # bytes: names, version, date, settings, number of positions
_EDAX_POSITION: Final = struct.Struct("<QQ4I3hBB")  # boards, game counts, value and bounds, links, level
_EDAX_MOVE: Final = struct.Struct("<bB")
_EDAX_PASS: Final = 64  # higher numbers are no moves
_BOARD: Final = re.compile(r"([-.xo*]{64}) ?([xo*])\s*([,;])(.*)", re.IGNORECASE)
_EDAX_LINE: Final = re.compile(r"([0-9]{1,3}),([a-h][1-8]|--|ps|pa),([-+]?[0-9]{1,2})\s*", re.IGNORECASE)
_VALUE: Final = re.compile(r"\s*([a-h][1-8])\s*:\s*([-+]?[0-9]{1,2})\s*", re.IGNORECASE)
_LINE: Final = re.compile(r"((?:[a-h][1-8]\s*)+)\s([-+]?[0-9]{1,2})(?:\s+([0-9]{1,3}))?\s*", re.IGNORECASE)


def read_book(file: Path, depth: int) -> BookEntries:
    """Read a book of this program or of Edax, or a text file.

    Args:
        file: the book.
        depth: the search depth of values in text files without depths.

    Raises:
        FileError: the file cannot be read.
        BookError: the file is no book, or is damaged.
    """
    start = read_start(file, len(_EDAX))
    if start == b"othello ":
        return Book(file).known
    content = read_bytes(file, _MAX_BYTES)
    known: BookEntries = {}
    if start == _EDAX:
        try:
            _read_edax(content, known)
        except (struct.error, IndexError):
            raise BookError("in_file", path=file, reason=Reason("book_damaged")) from None
        return known
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        if line.strip() and line[0] not in "%#":
            try:
                _read_line(line.strip(), depth, known)
            except (OthelloError, IndexError, KeyError) as error:
                reason = error.reason if isinstance(error, OthelloError) else Reason("book_foreign")
                raise BookError("opening_line", path=file, line=number, reason=reason) from None
    return known


def _add(known: BookEntries, own: int, opponent: int, value: int, depth: int, is_open: bool = False) -> None:
    empties = 64 - (own | opponent).bit_count()
    depth = min(depth, empties)
    add_entry(
        known, own, opponent, BookEntry(value, depth, 0 if depth == empties else error_of(empties, depth), is_open)
    )


def _read_edax(content: bytes, known: BookEntries) -> None:
    offset = _EDAX_HEADER
    while offset < len(content):
        own, opponent, *_, value, _lower, _upper, links, level = _EDAX_POSITION.unpack_from(content, offset)
        offset += _EDAX_POSITION.size
        values = {}
        for _ in range(links + 1):  # the linked moves, and the best other move
            score, move = _EDAX_MOVE.unpack_from(content, offset)
            offset += _EDAX_MOVE.size
            if move < _EDAX_PASS:
                values[move] = score
        if own & opponent or not values.keys() <= set(legal(own, opponent)):
            raise IndexError(offset)
        _add_moves(known, own, opponent, values, level)
        _add(known, own, opponent, value, level, is_open=bool(values))


def _add_moves(known: BookEntries, own: int, opponent: int, values: dict[Move, int], depth: int) -> None:
    for move, value in values.items():
        mine, theirs, side = after(own, opponent, move)
        _add(known, mine, theirs, side * value, max(0, depth - 1))


def _read_line(line: str, depth: int, known: BookEntries) -> None:
    rules = rules_of(game_spec())
    board = _BOARD.fullmatch(line)
    if board is None:
        match = _LINE.fullmatch(line)
        if match is None:
            raise BookError("book_foreign")
        game = parse_transcript(match[1], rules)
        _add(known, *discs_of(game.position), int(match[2]), int(match[3] or depth))
        return
    position = rules.parse_position(f"{board[1]} {board[2]}")
    boards = discs_of(position)
    square = partial(rules.parse_move, position)
    values = {}
    if board[3] == ";":
        for part in filter(str.strip, board[4].split(";")):
            match = _VALUE.fullmatch(part)
            if match is None:
                raise BookError("no_value", text=part.strip()[:20])
            values[square(match[1].lower())] = int(match[2])
    else:
        match = _EDAX_LINE.fullmatch(board[4])
        if match is None:
            raise BookError("no_value", text=board[4][:20])
        depth = int(match[1])
        if match[2].lower() not in ("--", "ps", "pa"):
            values[square(match[2].lower())] = int(match[3])
    if not values.keys() <= set(rules.legal_moves(position)):
        raise BookError("book_foreign")
    _add_moves(known, *boards, values, depth)
    if values:
        _add(known, *boards, max(values.values()), depth, is_open=True)


def obf_lines(book: Book) -> Iterator[str]:
    """Yield the positions whose moves the book has, with the values of the moves."""
    for (own, opponent), entry in book.known.items():
        if entry.is_open:
            signs = ("X" if own >> square & 1 else "O" if opponent >> square & 1 else "-" for square in range(64))
            values = (f" {_text(move)}:{known.value:+d};" for move, known in book.moves(own, opponent).items())
            yield f"{''.join(signs)} X;{''.join(values)}\n"


def text_lines(book: Book) -> Iterator[str]:
    """Yield a shortest line to each position, its value for the side to move, and its depth."""
    rules = rules_of(game_spec())
    lines = {canonical(*discs_of(rules.start())): (discs_of(rules.start()), "")}
    waiting = list(lines.values())
    for (own, opponent), line in waiting:
        for move in book.moves(own, opponent):
            *boards, _ = after(own, opponent, move)
            key = canonical(*boards)
            entry = book.probe(*boards)
            if key not in lines and entry is not None:
                lines[key] = (boards[0], boards[1]), line + _text(move).lower()
                waiting.append(lines[key])
                yield f"{lines[key][1]} {entry.value:+d} {entry.depth}\n"


def _text(move: Move) -> str:
    return f"{'ABCDEFGH'[move % 8]}{move // 8 + 1}"


_DEPTH: Final = 12  # of a new book
_SAVE_SECONDS: Final = 60.0
_EXPORTS: Final = {".obf": obf_lines, ".txt": text_lines}


def _files(arguments: argparse.Namespace, count: int) -> list[Path]:
    """Return the file arguments, of which there must be `count`, or more to merge."""
    files: list[Path] = arguments.files
    if len(files) < count or (len(files) > count and arguments.action != "merge"):
        raise CommandError("book_files", action=arguments.action, count=count)
    return files


def _make(arguments: argparse.Namespace) -> None:
    """Make a book, or continue if the same command was interrupted. A different book is not overwritten."""
    file = _files(arguments, 1)[0]
    depth, seed, known = arguments.depth or _DEPTH, arguments.seed or 0, None
    if os.path.lexists(file) and not arguments.overwrite:
        begun = Book(file)
        if (begun.depth, begun.seed) != (depth, seed):
            raise OutputError("taken_file", path=file)
        known = begun.known
    _grow(BookBuilder(depth, seed, known), arguments)


def _extend(arguments: argparse.Namespace) -> None:
    begun = Book(_files(arguments, 1)[0])
    seed = begun.seed if arguments.seed is None else arguments.seed
    _grow(BookBuilder(arguments.depth or begun.depth, seed, begun.known), arguments)


def _grow(draft: BookBuilder, arguments: argparse.Namespace) -> None:
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
    """Yield a function like `map` that searches in this process, in several processes or on a Dask cluster."""
    if arguments.cluster is not None:
        from othello.tournament.cluster import connected

        with connected(arguments.cluster) as client:
            yield client.get_executor(pure=False).map
    elif arguments.processes == 1:
        yield lambda work, tasks: (interruptible(partial(work, task)) for task in tasks)
    else:
        context = spawn_context()
        with without_interrupts():
            pool = ProcessPoolExecutor(min(arguments.processes, cores()), context, initializer=ignore_interrupts)
        try:
            yield pool.map
        finally:
            pool.shutdown(cancel_futures=True)


def _merge(arguments: argparse.Namespace) -> None:
    """Merge books. Of two values for a position, the one of the deeper search counts."""
    *sources, out = _files(arguments, 2)
    if not arguments.overwrite:
        refuse_existing(out)
    depth = arguments.depth or _DEPTH
    known: BookEntries = {}
    for source in sources:
        for boards, entry in read_book(source, depth).items():
            add_entry(known, *boards, entry)
    draft = BookBuilder(depth, arguments.seed or 0, known)
    write(out, draft.known, draft.depth, draft.seed)
    print(f"{len(draft.nodes):,} positions")


def _export(arguments: argparse.Namespace) -> None:
    source, out = _files(arguments, 2)
    if not arguments.overwrite:
        refuse_existing(out)
    lines = _EXPORTS.get(out.suffix.lower())
    if lines is None:
        raise CommandError("book_suffix", path=out, suffixes=", ".join(_EXPORTS))
    book = Book(source)
    written = [*lines(book)]
    if not written:
        raise CommandError("book_nothing", path=source, suffix=out.suffix.lower())
    write_text(out, "".join(written))
    print(f"{len(written):,} lines written to {out}. The book has {len(book.known):,} positions.")


def _check(arguments: argparse.Namespace) -> None:
    """Search positions of a book ten times longer than the book did, and print how much the values differ."""
    book = Book(_files(arguments, 1)[0])
    known = {boards: entry for boards, entry in book.known.items() if entry.error}
    chosen = random.Random(arguments.seed or 0).sample(sorted(known), min(arguments.sample, len(known)))
    differences = [known[boards].value - interruptible(partial(compare, *boards, book.depth)) for boards in chosen]
    count = len(chosen)
    within = sum(abs(difference) <= known[boards].error for boards, difference in zip(chosen, differences, strict=True))
    print(f"positions        {count}")
    print(f"mean difference  {sum(map(abs, differences)) / count:.2f} discs")
    print(f"mean             {sum(differences) / count:+.2f}")
    print(f"largest          {max(map(abs, differences))}")
    print(f"within class     {within / count:.0%}")


_ACTIONS: Final = {"make": _make, "extend": _extend, "merge": _merge, "export": _export, "check": _check}


def declare_book(parser: Parser) -> None:
    parser.usage = """othello book {make,extend} BOOK [options]
       othello book merge BOOK ... OUT [options]
       othello book export BOOK OUT.{obf,txt}
       othello book check BOOK [options]"""
    add = parser.add_argument
    add("action", choices=_ACTIONS, metavar="ACTION", help=", ".join(_ACTIONS))
    text = "a book; merge also reads books of Edax and text files, and writes the last file"
    add("files", type=Path, nargs="+", metavar="BOOK", help=text)
    text = "number of positions to reach (default: %(default)s)"
    add("--positions", type=whole_number(1, 100_000_000), metavar="N", default=10_000, help=text)
    text = "search depth in plies (default: 12, or the book's); for merge, the depth of values without one"
    add("--depth", type=whole_number(1, 40), metavar="N", help=text)
    text = "chooses among equal positions; for check, the sample (default: 0)"
    add("--seed", type=parse_seed, metavar="N", help=text)
    text = "number of processes (default: %(default)s)"
    add("--processes", type=whole_number(1, 256), metavar="N", default=1, help=text)
    add("--cluster", metavar="ADDRESS", help="search on a Dask cluster, such as tls://host:8786")
    text = "size of the sample (default: %(default)s)"
    add("--sample", type=whole_number(1, 1_000_000), metavar="N", default=200, help=text)
    add("--overwrite", action="store_true", help="replace OUT; for make, start the book again")


def book(arguments: argparse.Namespace) -> None:
    """Carry out `othello book`."""
    _ACTIONS[arguments.action](arguments)
