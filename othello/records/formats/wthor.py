"""WTHOR, the archive of tournament games of the Fédération Française d'Othello.

The games of a year are in a .wtb file. The names of players and tournaments are in a .jou and a .trn file beside it.
https://www.ffothello.org/informatique/la-base-wthor/
"""

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from othello.errors import GameFileError, OthelloError, Reason
from othello.files import read_bytes, write_bytes
from othello.records.formats.format import Format, SourceText, othello_of, plain_size
from othello.records.formats.normalise import words_of
from othello.records.formats.parsed_game import FileItem, ParsedGame, fault_at, result_of

_HEAD: Final = struct.Struct("<4B I 2H 4B")  # century, year, month, day; games; names, year; size, solitaire, depth, 0
_GAME: Final = struct.Struct("<3H 2B 60s")  # tournament, black, white; black's discs, the same with best play; moves
_PLAYER: Final = 20  # bytes of a name with its final 0
_EVENT: Final = 26
_MAX_NAMES: Final = 1 << 16
_CODES: Final = bytes(10 * row + column for row in range(1, 9) for column in range(1, 9))  # of the squares from a1
_NO_SQUARE: Final = 255
_SQUARES: Final = bytes(_CODES.index(code) if code in _CODES else _NO_SQUARE for code in range(256))
_UNKNOWN: Final = "???"


class WthorFormat(Format):
    """The games of a year."""

    name = "WTHOR"
    suffixes = (".wtb",)
    supports = frozenset({"moves", "names", "event"})  # and the year

    def matches(self, source: SourceText) -> bool:
        suffix = "" if source.path is None else source.path.suffix.lower()
        if suffix == ".wtb" and (b"\0" in source.data or source.data[:1] in (b"", b"\x13", b"\x14")):
            return True  # binary, and therefore at most a damaged file
        return _has_header(source.data) and (suffix in (".wtb", ".jou", ".trn") or b"\0" in source.data)

    def count(self, header: bytes) -> int | None:
        """Return the number of games given in the header of a file."""
        return int(_HEAD.unpack_from(header)[4]) if len(header) >= _HEAD.size else None

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        data = source.data
        if not _has_header(data):
            raise GameFileError("wthor_head")
        *_, count, names, year, size, solitaire, _, _ = _HEAD.unpack_from(data)
        if count == 0 and names:
            raise GameFileError("names_of_games")
        if solitaire:
            raise GameFileError("solitaire")
        if size not in (0, 8):
            raise GameFileError("wthor_size", size=size)
        players = _names(source.path, ".jou", _PLAYER)
        events = _names(source.path, ".trn", _EVENT)
        rules, when = othello_of(), f"{year:04}" if 0 < year < 10_000 else ""
        whole = (len(data) - _HEAD.size) // _GAME.size
        body = memoryview(data)[_HEAD.size : _HEAD.size + whole * _GAME.size]
        for number, (event, black, white, discs, _, codes) in enumerate(_GAME.iter_unpack(body), 1):
            moves = codes.rstrip(b"\0").translate(_SQUARES)
            if _NO_SQUARE in moves:
                index = moves.index(_NO_SQUARE)
                reason = Reason("no_move", {"text": codes[index], "first": 11, "last": 88})
                yield fault_at(number, 0, GameFileError("at_move", number=index + 1, reason=reason))
                continue
            if not moves and not discs:
                yield fault_at(number, 0, GameFileError("empty_record"))
                continue
            yield ParsedGame(
                rules,
                rules.unpack(moves),
                players=(players.get(black, ""), players.get(white, "")),
                date=when,
                event=events.get(event, ""),
                result=result_of(2 * discs - 64) if discs <= 64 else {},
                number=number,
            )
        needed = _HEAD.size + count * _GAME.size
        if len(data) != needed:
            yield fault_at(whole + 1, 0, GameFileError("cut_off", count=count, needed=needed, given=len(data)))

    def unsupported_reason(self, parsed: ParsedGame) -> Reason | None:
        is_usual = plain_size(parsed.rules) == 8 and parsed.begun == othello_of().start()
        return None if is_usual else Reason("format_rules", {"format": self.name})

    def files(self, path: Path) -> tuple[Path, ...]:
        return path, path.with_suffix(".jou"), path.with_suffix(".trn")

    def save(self, path: Path, parsed_games: Iterable[ParsedGame]) -> None:
        players, events = {_UNKNOWN: 0}, {_UNKNOWN: 0}
        games, years = [], set()
        for parsed in parsed_games:
            black, white = (_number(name, players) for name in parsed.players)
            discs = (64 + (parsed.difference or 0)) // 2
            moves = bytes(_CODES[move] for move in parsed.moves if not parsed.rules.is_pass(move))
            games.append(_GAME.pack(_number(parsed.event, events), black, white, discs, discs, moves))
            years.add(int(parsed.date[:4] or 0))
        today = date.today()
        created = (*divmod(today.year, 100), today.month, today.day)
        year = years.pop() if len(years) == 1 else 0
        path, *beside = self.files(path)
        write_bytes(path, _HEAD.pack(*created, len(games), 0, year, 8, 0, 0, 0) + b"".join(games))
        for file, names, width in zip(beside, (players, events), (_PLAYER, _EVENT), strict=True):
            entries = b"".join(name.encode("latin-1", "replace")[: width - 1].ljust(width, b"\0") for name in names)
            write_bytes(file, _HEAD.pack(*created, 0, len(names), 0, 0, 0, 0, 0) + entries)


def _has_header(data: bytes) -> bool:
    return len(data) >= _HEAD.size and data[0] in (19, 20) and not data[15] and data[1] <= 99 and data[2] <= 12


def _names(path: Path | None, suffix: str, width: int) -> dict[int, str]:
    """Return the names in the .jou or .trn file beside a file of games: the one of the same name, or the usual one."""
    data = b""
    with suppress(OSError, OthelloError):  # the games can be read without names
        files = [] if path is None else sorted(path.parent.iterdir())
        candidates = [file for file in files if file.suffix.lower() == suffix]
        same_name = [file for file in candidates if path is not None and file.stem == path.stem]
        usual = [file for file in candidates if file.stem.lower() == "wth" or len(candidates) == 1]
        for file in (same_name + usual)[:1]:
            data = read_bytes(file, _HEAD.size + _MAX_NAMES * width)[_HEAD.size :]
    entries = (data[start : start + width] for start in range(0, len(data) - width + 1, width))
    names = (words_of(entry.split(b"\0", 1)[0].decode("latin-1")) for entry in entries)
    return {number: name for number, name in enumerate(names) if name != _UNKNOWN}


def _number(name: str, names: dict[str, int]) -> int:
    number = names.setdefault(name or _UNKNOWN, len(names))
    if number >= _MAX_NAMES:
        raise GameFileError("too_many_names", maximum=_MAX_NAMES)
    return number
