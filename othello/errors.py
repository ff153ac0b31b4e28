"""Why something cannot be: reasons, which the catalogue of texts words, and the errors that a user can cause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from errno import errorcode
from typing import Final

from othello.frozen import Frozen
from othello.texts import ENGLISH, fill, language, say, text_of

_LONGEST: Final = 600
_LONGEST_PART: Final = 200
_BLANKS: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"  # as languages write them


def is_legible(text: str) -> bool:
    """Whether all characters can be seen, and none turns the line around."""
    return text.isprintable() or all(symbol.isprintable() or symbol in _BLANKS for symbol in text)


def legible(text: str, longest: int = _LONGEST) -> str:
    """Text that others wrote, in one line. Characters that cannot be seen or that turn the line around are spelt out.

    A text that is too long loses its middle, for a message begins with a name and ends with the reason.
    """
    line = text
    if not is_legible(text):
        line = "".join(symbol if is_legible(symbol) else repr(symbol)[1:-1] for symbol in text)
    half = (longest - 3) // 2
    return line if len(line) <= longest else f"{line[:half]}...{line[-half:]}"


class Reason(Frozen):
    """Why something cannot be. `str(reason)` is in the language in use."""

    name: str  # the name of the words in the catalogue, below `errors`. Words that are not there are said as they are
    # what the words speak of: texts, numbers, other reasons. None is left out
    parts: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self._words(language())

    @property
    def english(self) -> str:
        """The words for a log or a results file."""
        return self._words(ENGLISH)

    def sentence(self) -> str:
        """The words as a sentence of its own. A sentence that begins with a name keeps the name as it is."""
        words = str(self)
        words = f"{words[:1].upper() if self._begins_itself() else words[:1]}{words[1:]}"
        return words if words.endswith("?") else say("sentence", words=words)

    def _words(self, language: str) -> str:
        text = text_of(f"errors.{self.name}", language)
        if text is None:
            return legible(self.name)
        parts = {key: _part(key, value, language) for key, value in self.parts.items()}
        return legible(fill(text, language, defaultdict(str, parts)))  # to tell an error must not be one

    def _begins_itself(self) -> bool:
        """Whether the first word comes from the catalogue, and is not a file's name or another text."""
        text, inner = text_of(f"errors.{self.name}", language()), self.parts.get("reason")
        if isinstance(text, str) and text.startswith("{reason}") and isinstance(inner, Reason):
            return inner._begins_itself()
        return isinstance(text, str) and not text.startswith("{")


def _part(key: str, value: object, language: str) -> object:
    match key, value:
        case _, Reason():
            return value._words(language)
        case _, None:
            return ""
        case (("game" | "player"), str()):
            name = f"games.{value}.title" if key == "game" else f"player_types.{value}"
            return text_of(name, language) or legible(value, _LONGEST_PART)
        case _, int() | float():
            return value
    return legible(str(value), _LONGEST_PART)


def quoted(text: str) -> Reason:
    """A reason that a file tells in words of its own, in whatever language."""
    return Reason("quoted", {"text": text})


class OthelloError(Exception):
    """What the user asked cannot be done; `str(error)` says why in one line, in the language in use."""

    def __init__(self, reason: str | Reason, /, **parts: object) -> None:
        self.reason = reason if isinstance(reason, Reason) else Reason(reason, parts)
        super().__init__(self.reason)


def reason_of(error: BaseException) -> Reason:
    """Why something failed, whatever was raised, in one line."""
    if isinstance(error, OthelloError):
        return error.reason
    if isinstance(error, OSError) and error.strerror:
        name = f"os_{errorcode.get(error.errno or 0, 'other').lower()}"
        known = text_of(f"errors.{name}", ENGLISH) is not None
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
    """Raise errors of the kind `caught` as `kind`, with the place where they occurred as `parts` of the reason."""
    try:
        yield
    except caught as error:
        raise kind(name, **parts, reason=reason_of(error)) from None


class FileError(OthelloError):
    """A file that cannot be read, or is larger than such files are."""


class UnreadableError(FileError):
    """A file whose content nobody knows: reading is not allowed, or the path leads to no file."""


class MissingError(UnreadableError):
    """A file that is not there."""


class ConfigError(OthelloError):
    """A config file that cannot be read or that breaks the schema."""


class BoardTextError(OthelloError):
    """A text that does not describe a board of the game, square by square, and the side to move."""


class SideMissingError(BoardTextError):
    """A diagram of a board that does not say whose turn it is."""

    def __init__(self) -> None:
        super().__init__("side_missing")


class TranscriptError(OthelloError):
    """A game record that cannot be read or replayed."""


class GameFileError(OthelloError):
    """A file of a game that cannot be read, or says of it what cannot be."""


class StoreError(OthelloError):
    """The store of games cannot be read or written, or does not hold what is asked for."""


class IllegalMoveError(OthelloError):
    """A move that the rules do not allow after `ply` moves; `legal` is empty where the game is over."""

    def __init__(self, move: str, ply: int, legal: list[str]) -> None:
        self.move, self.ply, self.legal = move, ply, legal
        super().__init__("illegal_move" if legal else "game_over", move=move, number=ply + 1, legal=", ".join(legal))

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[str, int, list[str]]]:
        return type(self), (self.move, self.ply, self.legal)


class OutputError(OthelloError):
    """A results file that cannot be written, or that would be overwritten."""


class ResultsError(OthelloError):
    """A results file that cannot be read."""


class DisplayError(OthelloError):
    """No window can be opened here, or the window cannot go on."""


class PlayerError(OthelloError):
    """A player of ours raised something, or answered with an illegal move. The program is at fault: no game is lost."""


class ForfeitError(PlayerError):
    """A player that is no part of this program failed. It loses its game."""


class ProgramError(OthelloError):
    """A program that is no part of this one is not registered, not there, or does what it must not do."""


class KnowledgeError(OthelloError):
    """Something is wrong with a file that a player needs."""


class TreeFileError(KnowledgeError):
    """A file with a search's knowledge that cannot be read, is another search's, or cannot be written."""


class WeightsError(KnowledgeError):
    """The engine's weights cannot be read, or are not what they should be."""


class BookError(KnowledgeError):
    """An opening book cannot be read, or is none."""


class TournamentError(OthelloError):
    """Games cannot be played, or not gone on with."""


class CommandError(OthelloError):
    """Command line arguments that do not go together."""
