"""Every error that a user can cause: one class each, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from errno import errorcode
from typing import Final

_LONGEST: Final = 600


def legible(text: str, longest: int = _LONGEST) -> str:
    """Text that others wrote, in one line: what cannot be seen, or would turn the line around, is spelt out.

    What is too long loses its middle, for a message begins with a name and ends with the reason.
    """
    line = "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in text)
    half = (longest - 3) // 2
    return line if len(line) <= longest else f"{line[:half]}...{line[-half:]}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be, as a value: `str(reason)` is English, for logs and terminal.

    Attributes:
        english: the words, with parts in braces.
        name: what the same words are called in the window's catalogue; empty where they are not for the window.
        parts: what the words speak of: texts, numbers, other reasons.
    """

    english: str
    name: str = ""
    parts: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return legible(self.english.format(**self.parts) if self.parts else self.english)


def quoted(text: str) -> Reason:
    """A reason of which only the words are left, in whatever language: a file told it."""
    return Reason("{text}", "quoted", {"text": text})


class OthelloError(Exception):
    """What the user asked cannot be done; `str(error)` is one line of English that says why.

    Attributes:
        reason: the same as a value.
    """

    def __init__(self, words: str | Reason, name: str = "", /, **parts: object) -> None:
        self.reason = words if isinstance(words, Reason) else Reason(words, name, parts)
        super().__init__(str(self.reason))


def reason_of(error: BaseException) -> Reason:
    """Why something failed, whatever was raised, in one line."""
    if isinstance(error, OthelloError):
        return error.reason
    if isinstance(error, OSError) and error.strerror:
        name = f"os_{errorcode.get(error.errno or 0, 'other').lower()}"
        return Reason("{text}", name, {"text": error.strerror, "code": error.errno})
    return Reason("{kind}: {text}", "crash", {"kind": type(error).__name__, "text": " ".join(str(error).split())})


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


class TranscriptError(OthelloError):
    """A game record that cannot be read or replayed."""


class GameFileError(OthelloError):
    """A file of a game that cannot be read, or says of it what cannot be."""


class IllegalMoveError(OthelloError):
    """A move that the rules do not allow in this position.

    Attributes:
        move: what was to be played.
        ply: after so many moves.
        legal: what could have been played, empty where the game is over.
    """

    def __init__(self, move: str, ply: int, legal: list[str]) -> None:
        self.move, self.ply, self.legal = move, ply, legal
        allowed = ", ".join(legal) or "none, the game is over"
        english, name = "{move} is not legal at move {number}; legal: {legal}", "illegal_move" if legal else "game_over"
        super().__init__(english, name, move=move, number=ply + 1, legal=allowed)


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


class KnowledgeError(OthelloError):
    """Something is wrong with a file that a player needs."""


class TreeFileError(KnowledgeError):
    """A file with a search's knowledge that cannot be read, is another search's, or cannot be written."""


class WeightsError(KnowledgeError):
    """The engine's weights cannot be read, or are not what they should be."""


class TournamentError(OthelloError):
    """Games cannot be played, or not gone on with."""


class CommandError(OthelloError):
    """Command line arguments that do not go together."""
