"""Errors that a user can cause, with translated reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from errno import errorcode
from typing import Final

from othello.frozen_dataclass import FrozenDataclass
from othello.texts import ENGLISH, fill, find_text, language, tr

_LONGEST: Final = 600
_LONGEST_PART: Final = 200
_BLANKS: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"  # used by some languages


def is_printable(text: str) -> bool:
    """Return whether all characters are visible, and none changes the text's direction."""
    return text.isprintable() or all(symbol.isprintable() or symbol in _BLANKS for symbol in text)


def printable(text: str, longest: int = _LONGEST) -> str:
    """Return a text as one line in which invisible characters are escaped.

    A text that is too long loses its middle, because a message begins with a name and ends with the reason.
    """
    line = text
    if not is_printable(text):
        line = "".join(symbol if is_printable(symbol) else repr(symbol)[1:-1] for symbol in text)
    half = (longest - 3) // 2
    return line if len(line) <= longest else f"{line[:half]}...{line[-half:]}"


class Reason(FrozenDataclass):
    """The reason of an error. `str(reason)` is a text in the language in use."""

    name: str  # name of the text in the catalogue below `errors`; an unknown name is the text itself
    # the parts of the text: texts, numbers, other reasons; None is an empty text
    parts: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self._words(language())

    @property
    def english(self) -> str:
        """The text in English, for logs and results files."""
        return self._words(ENGLISH)

    def sentence(self) -> str:
        """Return the text as a sentence. Its first letter becomes a capital unless it belongs to a name."""
        words = str(self)
        words = f"{words[:1].upper() if self._begins_with_text() else words[:1]}{words[1:]}"
        return words if words.endswith("?") else tr("sentence", words=words)

    def _words(self, language: str) -> str:
        text = find_text(f"errors.{self.name}", language)
        if text is None:
            return printable(self.name)
        parts = {key: _part(key, value, language) for key, value in self.parts.items()}
        return printable(fill(text, language, defaultdict(str, parts)))  # a missing part must not raise another error

    def _begins_with_text(self) -> bool:
        """Return whether the first word comes from the catalogue, and not from a part such as a file name."""
        text, inner = find_text(f"errors.{self.name}", language()), self.parts.get("reason")
        if isinstance(text, str) and text.startswith("{reason}") and isinstance(inner, Reason):
            return inner._begins_with_text()
        return isinstance(text, str) and not text.startswith("{")


def _part(key: str, value: object, language: str) -> object:
    match key, value:
        case _, Reason():
            return value._words(language)
        case _, None:
            return ""
        case (("game" | "player"), str()):
            name = f"games.{value}.title" if key == "game" else f"player_types.{value}"
            return find_text(name, language) or printable(value, _LONGEST_PART)
        case _, int() | float():
            return value
    return printable(str(value), _LONGEST_PART)


def quoted(text: str) -> Reason:
    """Return a reason with the text of a file, in the language of the file."""
    return Reason("quoted", {"text": text})


class OthelloError(Exception):
    """A request that cannot be carried out. `str(error)` is the reason in one line, in the language in use."""

    def __init__(self, reason: str | Reason, /, **parts: object) -> None:
        self.reason = reason if isinstance(reason, Reason) else Reason(reason, parts)
        super().__init__(self.reason)


def reason_of(error: BaseException) -> Reason:
    """Return the reason of any exception in one line."""
    if isinstance(error, OthelloError):
        return error.reason
    if isinstance(error, OSError) and error.errno and error.strerror:
        name = f"os_{errorcode.get(error.errno, 'other').lower()}"
        known = find_text(f"errors.{name}", ENGLISH) is not None
        return Reason(name if known else "os_other", {"code": error.errno, "text": error.strerror})
    return Reason("crash", {"kind": type(error).__name__, "text": " ".join(str(error).split())})


def cause_of(reason: Reason) -> Reason:
    """Return the innermost reason, such as "the disk is full" of a file that cannot be written."""
    inner = reason.parts.get("reason")
    return cause_of(inner) if isinstance(inner, Reason) else reason


@contextmanager
def errors_as(
    kind: type[OthelloError],
    name: str,
    caught: type[Exception] | tuple[type[Exception], ...] = OthelloError,
    /,
    **parts: object,
) -> Iterator[None]:
    """Reraise `caught` errors as `kind`, with a reason `name` whose `parts` add the place of the error."""
    try:
        yield
    except caught as error:
        raise kind(name, **parts, reason=reason_of(error)) from None


class FileError(OthelloError):
    """A file cannot be read, or is too large."""


class UnreadableError(FileError):
    """A file whose content is unknown: it is missing, or not readable."""


class MissingError(UnreadableError):
    """A file does not exist."""


class ConfigError(OthelloError):
    """A config cannot be read, or breaks the schema or the rules between keys."""


class BoardTextError(OthelloError):
    """A text does not describe a position of the game."""


class SideMissingError(BoardTextError):
    """A diagram of a board does not name the side to move."""

    def __init__(self) -> None:
        super().__init__("side_missing")


class TranscriptError(OthelloError):
    """A transcript of moves cannot be read or replayed."""


class GameFileError(OthelloError):
    """A game file cannot be read, or contradicts the rules."""


class StoreError(OthelloError):
    """The store of games cannot be read or written, or has no such entry."""


class IllegalMoveError(OthelloError):
    """A move is illegal after `ply` moves. `legal` is empty if the game is over."""

    def __init__(self, move: str, ply: int, legal: list[str]) -> None:
        self.move, self.ply, self.legal = move, ply, legal
        super().__init__("illegal_move" if legal else "game_over", move=move, number=ply + 1, legal=", ".join(legal))

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[str, int, list[str]]]:
        return type(self), (self.move, self.ply, self.legal)


class OutputError(OthelloError):
    """A file cannot be written, or would be overwritten."""


class ResultsError(OthelloError):
    """A results file is damaged, or belongs to another experiment."""


class DisplayError(OthelloError):
    """No window can be opened, or the window has failed."""


class PlayerError(OthelloError):
    """A built-in player failed or played an illegal move. This is a bug: the game is not counted as lost."""


class ForfeitError(PlayerError):
    """An external player failed. It loses its game."""


class ProgramError(OthelloError):
    """An external program is not registered, is missing, or breaks its protocol."""


class KnowledgeError(OthelloError):
    """A file that a player needs cannot be read or written."""


class TreeFileError(KnowledgeError):
    """A file with learned values cannot be read or written, or belongs to another search."""


class WeightsError(KnowledgeError):
    """The engine's weights cannot be read, or have another format."""


class BookError(KnowledgeError):
    """An opening book cannot be read, or is not a book."""


class TournamentError(OthelloError):
    """Games of a tournament cannot be played or continued."""


class CommandError(OthelloError):
    """Command line arguments are invalid or contradict each other."""
