"""What all formats of files with games have in common.

A format reads sheets as they are written, before the rules have seen them, and then they are replayed.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Final

from othello.errors import FileError, GameFileError, OthelloError, OutputError, Reason, TranscriptError
from othello.frozen import Frozen
from othello.records.formats.replaying import replayed
from othello.records.formats.sheet import Found, Sheet
from othello.rules.protocol import GameSpec, Move, Position, Rules
from othello.rules.registry import DEFAULT_GAME, game_spec, rules_of
from othello.writing import claim, write_bytes

MOST_BYTES: Final = 1 << 28  # of a file of games
_LONGEST: Final = 200  # bytes of a file's name; systems allow 255
NO_NAME: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]')  # what no name of a file may have
_PASSES: Final = ("pass", "ps", "pa", "--", "-", "", "tt")


class Source(Frozen):
    """What is to be read."""

    data: bytes
    spec: GameSpec  # the game of a text that names none
    path: Path | None = None

    @cached_property
    def text(self) -> str:
        """FileError where it is no text."""
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return self.data.decode("utf-16", "replace")
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            if b"\0" not in self.data:
                return self.data.decode("cp1252", "replace")
            line = self.data.count(b"\n", 0, error.start) + 1
            raise FileError("no_text", path=self.path, line=line, byte=self.data[error.start]) from None


class Format:
    """Files of one kind."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()  # of files that are written; none where nothing is
    holds: ClassVar[frozenset[str]] = frozenset()  # which features of a sheet

    def knows(self, source: Source) -> bool:
        """Whether that is such a file."""
        raise NotImplementedError

    def written(self, source: Source) -> Iterator[Found]:
        """The games of such a file as they are written; the moves need not be legal yet."""
        raise NotImplementedError

    def read(self, source: Source) -> Iterator[Found]:
        """The games of such a file one after the other, and what is wrong with those that are none."""
        return replayed(self.written(source))

    def refusal(self, sheet: Sheet) -> Reason | None:
        """Why such a file cannot hold a game."""
        return None if plain_size(sheet.rules) else Reason("format_rules", {"format": self.name})

    def text_of(self, sheet: Sheet) -> str:
        """A game as such a file has it."""
        raise NotImplementedError

    def files(self, path: Path) -> tuple[Path, ...]:
        """All files that are written where one is."""
        return (path,)

    def save(self, path: Path, sheets: Iterable[Sheet]) -> None:
        """Write a file; OutputError where that fails."""
        write_bytes(path, "".join(map(self.text_of, sheets)).encode(errors="replace"))

    def save_each(self, folder: Path, sheets: Iterable[Sheet]) -> None:
        """Write a file for each game into a folder, called by when it began and who played."""
        for sheet in sheets:
            words = " ".join(filter(None, (sheet.date.replace(":", ""), " - ".join(filter(None, sheet.players)))))
            data = " ".join(NO_NAME.sub(" ", words).split()).encode(errors="ignore")[:_LONGEST]
            name = data.decode(errors="ignore").strip(". ") or "game"
            file = claim(folder / f"{name}{self.suffixes[0]}", self.suffixes[0])
            try:
                self.save(file, [sheet])
            except OutputError:  # such as a full disk: no empty file is left behind
                file.unlink()
                raise


def plain_size(rules: Rules[Position]) -> int:
    """The size of the board where the rules are those of Othello, wherever a game begins; else 0."""
    if rules.spec.game != DEFAULT_GAME or rules.spec["start"] == "reversi":
        return 0
    usual = dict(game_spec().options)
    is_plain = all(rules.spec[name] == usual[name] for name in ("no_legal_move", "goal"))
    return rules.spec.number("size") if is_plain else 0


@cache
def othello_of(size: int = 8) -> Rules[Position]:
    """Othello's rules on a board of so many rows; GameFileError where this program has none."""
    try:
        return rules_of(game_spec(DEFAULT_GAME, {"size": size}))
    except OthelloError:
        raise GameFileError("board_size", size=size) from None


@cache
def texts_of(size: int) -> Mapping[Move, str]:
    """What people write for every square."""
    rules = othello_of(size)
    return {square: rules.move_text(rules.start(), square) for square in range(size**2)}


@cache
def squares_of(size: int) -> Mapping[str, Move]:
    """The moves of Othello by all texts that stand for them, in lower case."""
    rules = othello_of(size)
    start, named = rules.start(), {text: square for square, text in texts_of(size).items()}
    letters = {name[0] + chr(ord("a") + int(name[1]) - 1): square for name, square in named.items()}
    return named | letters | dict.fromkeys(_PASSES, rules.parse_move(start, "pass"))


def moves_of(texts: Sequence[str], rules: Rules[Position], before: int = 0) -> bytes:
    """Moves out of their texts in lower case; TranscriptError names the first that is none.

    `before`: how many moves come before them.
    """
    squares = squares_of(rules.columns)
    try:
        return bytes(map(squares.__getitem__, texts))
    except KeyError:
        place = next(place for place, text in enumerate(texts) if text not in squares)
        last = rules.move_text(rules.start(), rules.columns**2 - 1)
        reason = Reason("no_move_or_pass", {"text": texts[place], "first": "a1", "last": last})
        raise TranscriptError("at_move", number=before + place + 1, reason=reason) from None
