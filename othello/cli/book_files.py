"""Books of other programs: Edax's own files, its text, OBF, and lines of moves with a value; export to the last two."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from othello.engine import discs_of
from othello.engine.book import Book, Entry, Known, after, canonical, learn, legal
from othello.engine.book_making import error_of
from othello.errors import BookError, OthelloError, Reason
from othello.reading import read_bytes, read_start
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of

_MOST_BYTES: Final = 1 << 30
_EDAX: Final = b"XADEKOOB"
_EDAX_HEADER: Final = 42  # bytes: the names, version, date, settings and the number of positions
_EDAX_POSITION: Final = struct.Struct("<QQ4I3hBB")  # boards, counts of games, value and bounds, links, level
_EDAX_MOVE: Final = struct.Struct("<bB")
_EDAX_PASS: Final = 64  # and above it no move at all
_BOARD: Final = re.compile(r"([-.xo*]{64}) ?([xo*])\s*([,;])(.*)", re.IGNORECASE)
_EDAX_LINE: Final = re.compile(r"(\d+),([a-h][1-8]|--|ps|pa),([-+]?\d+)\s*", re.IGNORECASE)
_VALUE: Final = re.compile(r"\s*([a-h][1-8])\s*:\s*([-+]?\d+)\s*", re.IGNORECASE)
_LINE: Final = re.compile(r"((?:[a-h][1-8]\s*)+)\s([-+]?\d+)(?:\s+(\d+))?\s*", re.IGNORECASE)


def read_book(file: Path, depth: int) -> Known:
    """What a book of any known kind says; `depth` stands for that of values whose file does not tell it.

    Raises:
        FileError: it cannot be read.
        BookError: it is no book, or damaged.
    """
    start = read_start(file, len(_EDAX))
    if start == b"othello ":
        return Book(file).known
    content = read_bytes(file, _MOST_BYTES)
    known: Known = {}
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


def _enter(known: Known, own: int, opponent: int, value: int, depth: int, is_open: bool = False) -> None:
    empties = 64 - (own | opponent).bit_count()
    depth = min(depth, empties)
    learn(known, own, opponent, Entry(value, depth, 0 if depth == empties else error_of(empties, depth), is_open))


def _read_edax(content: bytes, known: Known) -> None:
    place = _EDAX_HEADER
    while place < len(content):
        own, opponent, *_, value, _lower, _upper, links, level = _EDAX_POSITION.unpack_from(content, place)
        place += _EDAX_POSITION.size
        values = {}
        for _ in range(links + 1):  # those that the book follows, and the best of the others
            score, move = _EDAX_MOVE.unpack_from(content, place)
            place += _EDAX_MOVE.size
            if move < _EDAX_PASS:
                values[move] = score
        if own & opponent or not values.keys() <= set(legal(own, opponent)):
            raise IndexError(place)
        _enter_moves(known, own, opponent, values, level)
        _enter(known, own, opponent, value, level, is_open=bool(values))


def _enter_moves(known: Known, own: int, opponent: int, values: dict[Move, int], depth: int) -> None:
    for move, value in values.items():
        mine, theirs, side = after(own, opponent, move)
        _enter(known, mine, theirs, side * value, max(0, depth - 1))


def _read_line(line: str, depth: int, known: Known) -> None:
    rules = rules_of(game_spec())
    found = _BOARD.fullmatch(line)
    if found is None:
        told = _LINE.fullmatch(line)
        if told is None:
            raise BookError("book_foreign")
        game = parse_transcript(told[1], rules)
        _enter(known, *discs_of(game.position), int(told[2]), int(told[3] or depth))
        return
    position = rules.parse_position(f"{found[1]} {found[2]}")
    boards = discs_of(position)
    square = partial(rules.parse_move, position)
    values = {}
    if found[3] == ";":
        for part in filter(str.strip, found[4].split(";")):
            told = _VALUE.fullmatch(part)
            if told is None:
                raise BookError("no_value", text=part.strip()[:20])
            values[square(told[1].lower())] = int(told[2])
    else:
        told = _EDAX_LINE.fullmatch(found[4])
        if told is None:
            raise BookError("no_value", text=found[4][:20])
        depth = int(told[1])
        if told[2].lower() not in ("--", "ps", "pa"):
            values[square(told[2].lower())] = int(told[3])
    if not values.keys() <= set(rules.legal_moves(position)):
        raise BookError("book_foreign")
    _enter_moves(known, *boards, values, depth)
    if values:
        _enter(known, *boards, max(values.values()), depth, is_open=True)


def obf_lines(book: Book) -> Iterator[str]:
    """All positions whose moves the book knows, with the moves' values."""
    for (own, opponent), entry in book.known.items():
        if entry.is_open:
            board = "".join(
                "X" if own >> square & 1 else "O" if opponent >> square & 1 else "-" for square in range(64)
            )
            values = (f" {_text(move)}:{known.value:+d};" for move, known in book.moves(own, opponent).items())
            yield f"{board} X;{''.join(values)}\n"


def text_lines(book: Book) -> Iterator[str]:
    """A shortest line to each position that moves lead to, its value for the side to move, and its depth."""
    rules = rules_of(game_spec())
    lines = {canonical(*discs_of(rules.start())): (discs_of(rules.start()), "")}
    waiting = list(lines.values())
    for (own, opponent), line in waiting:
        for move in book.moves(own, opponent):
            *boards, _ = after(own, opponent, move)
            key = canonical(*boards)
            entry = book.look_up(*boards)
            if key not in lines and entry is not None:
                lines[key] = (boards[0], boards[1]), line + _text(move).lower()
                waiting.append(lines[key])
                yield f"{lines[key][1]} {entry.value:+d} {entry.depth}\n"


def _text(move: Move) -> str:
    return f"{'ABCDEFGH'[move % 8]}{move // 8 + 1}"
