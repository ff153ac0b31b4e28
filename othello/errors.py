"""Every error that a user can cause: one class each, one line each."""

from __future__ import annotations

from typing import Final

_LONGEST: Final = 600


def legible(text: str, longest: int = _LONGEST) -> str:
    """Text that others wrote, in one line: what cannot be seen, or would turn the line around, is spelt out.

    What is too long loses its middle, for a message begins with a name and ends with the reason.
    """
    line = "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in text)
    half = (longest - 3) // 2
    return line if len(line) <= longest else f"{line[:half]}...{line[-half:]}"


class OthelloError(Exception):
    """What the user asked cannot be done; `str(error)` is one line that says why."""

    def __init__(self, message: str) -> None:
        super().__init__(legible(message))


class FileError(OthelloError):
    """A file that cannot be read, or is larger than such files are."""


class ConfigError(OthelloError):
    """A config file that cannot be read or that breaks the schema."""


class BoardTextError(OthelloError):
    """A board text that is not 64 squares and a side to move."""


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
        super().__init__(f"{move} is not legal at move {ply + 1}; legal: {allowed}")


class OutputError(OthelloError):
    """A results file that cannot be written, or that would be overwritten."""


class ResultsError(OthelloError):
    """A results file that cannot be read."""


class DisplayError(OthelloError):
    """No window can be opened here."""


class PlayerError(OthelloError):
    """A player that raised, or that answered with an illegal move."""


class TreeFileError(OthelloError):
    """A file with a search's knowledge that cannot be read, is another search's, or cannot be written."""


class WeightsError(OthelloError):
    """The engine's weights cannot be read, or are not what they should be."""


class TournamentError(OthelloError):
    """Games cannot be played, or not gone on with."""


class CommandError(OthelloError):
    """Command line arguments that do not go together."""
