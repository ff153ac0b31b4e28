"""The base class of all file formats.

A format parses games without checking the moves; they are replayed afterwards.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Final

from othello.errors import FileError, GameFileError, OthelloError, OutputError, Reason, TranscriptError
from othello.files import claim, write_bytes
from othello.frozen_dataclass import FrozenDataclass
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.formats.replaying import replayed
from othello.rules.protocol import GameSpec, Move, Position, Rules
from othello.rules.registry import DEFAULT_GAME, game_spec, rules_of

MAX_BYTES: Final = 1 << 28  # of a file of games
_LONGEST: Final = 200  # bytes of a file name; systems allow 255
NO_NAME: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]')  # characters that are not allowed in file names
_PASSES: Final = ("pass", "ps", "pa", "--", "-", "", "tt")


class SourceText(FrozenDataclass):
    """The text or file to read."""

    data: bytes
    spec: GameSpec  # game to assume if the text does not name one
    path: Path | None = None

    @cached_property
    def text(self) -> str:
        """The data as text; raises a FileError if it is binary."""
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
    """A file format."""

    name: ClassVar[str]
    # of files to write, the usual one first; empty for a format that is only read
    suffixes: ClassVar[tuple[str, ...]] = ()
    supports: ClassVar[frozenset[str]] = frozenset()  # features of a game that the format can store

    def matches(self, source: SourceText) -> bool:
        """Return whether the source has this format."""
        raise NotImplementedError

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        """Yield the games of a source as they are written; the moves may be illegal."""
        raise NotImplementedError

    def read(self, source: SourceText) -> Iterator[FileItem]:
        """Yield the games of a source with all passes, and an error for each invalid game."""
        return replayed(self.parse(source))

    def unsupported_reason(self, parsed: ParsedGame) -> Reason | None:
        """Return why the format cannot store a game, None if it can."""
        return None if plain_size(parsed.rules) else Reason("format_rules", {"format": self.name})

    def dump(self, parsed: ParsedGame) -> str:
        """Return a game as text."""
        raise NotImplementedError

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return all files that are written together with `path`."""
        return (path,)

    def save(self, path: Path, parsed_games: Iterable[ParsedGame]) -> None:
        """Write a file; raise an OutputError if that fails."""
        write_bytes(path, "".join(map(self.dump, parsed_games)).encode(errors="replace"))

    def save_each(self, folder: Path, parsed_games: Iterable[ParsedGame]) -> None:
        """Write one file per game into a folder, named after date and players."""
        for parsed in parsed_games:
            words = " ".join(filter(None, (parsed.date.replace(":", ""), " - ".join(filter(None, parsed.players)))))
            data = " ".join(NO_NAME.sub(" ", words).split()).encode(errors="ignore")[:_LONGEST]
            name = data.decode(errors="ignore").strip(". ") or "game"
            file = claim(folder / f"{name}{self.suffixes[0]}", self.suffixes[0])
            try:
                self.save(file, [parsed])
            except OutputError:  # such as a full disk: leave no empty file
                file.unlink()
                raise


def plain_size(rules: Rules[Position]) -> int:
    """Return the board size if the rules are those of Othello, whatever the start position; otherwise 0."""
    if rules.spec.game != DEFAULT_GAME or rules.spec["start"] == "reversi":
        return 0
    usual = dict(game_spec().options)
    is_plain = all(rules.spec[name] == usual[name] for name in ("no_legal_move", "goal"))
    return rules.spec.number("size") if is_plain else 0


@cache
def othello_of(size: int = 8) -> Rules[Position]:
    """Return Othello's rules for a board of `size` rows; raise a GameFileError if that size is not supported."""
    try:
        return rules_of(game_spec(DEFAULT_GAME, {"size": size}))
    except OthelloError:
        raise GameFileError("board_size", size=size) from None


@cache
def texts_of(size: int) -> Mapping[Move, str]:
    """Return the name of every square."""
    rules = othello_of(size)
    return {move: rules.move_text(rules.start(), move) for move in map(Move, range(size**2))}


@cache
def squares_of(size: int) -> Mapping[str, Move]:
    """Return the moves of Othello by all their spellings, in lower case."""
    rules = othello_of(size)
    start, named = rules.start(), {text: square for square, text in texts_of(size).items()}
    letters = {name[0] + chr(ord("a") + int(name[1]) - 1): square for name, square in named.items()}
    return named | letters | dict.fromkeys(_PASSES, rules.parse_move(start, "pass"))


def moves_of(texts: Sequence[str], rules: Rules[Position], before: int = 0) -> Sequence[Move]:
    """Parse moves in lower case.

    Args:
        texts: the moves.
        rules: of the game.
        before: the number of moves before them, for the error message.

    Raises:
        TranscriptError: a text is not a move.
    """
    squares = squares_of(rules.columns)
    try:
        return rules.unpack(bytes(map(squares.__getitem__, texts)))
    except KeyError:
        index = next(index for index, text in enumerate(texts) if text not in squares)
        last = rules.move_text(rules.start(), Move(rules.columns**2 - 1))
        reason = Reason("no_move_or_pass", {"text": texts[index], "first": "a1", "last": last})
        raise TranscriptError("at_move", number=before + index + 1, reason=reason) from None
