"""Published positions and games, with known results. `data/README.md` names the sources."""

from pathlib import Path
from typing import Final, NamedTuple

_DATA: Final = Path(__file__).with_name("data")


class EndGame(NamedTuple):
    """A test position."""

    number: int  # of the FFO test
    board: str
    scores: dict[str, int]  # by move: the final disc difference for the side to move, empties to the winner


class PlayedGame(NamedTuple):
    """A finished game: black's score of 64, empties to the winner, and all moves without passes."""

    score: int
    transcript: str


def end_games() -> list[EndGame]:
    """Return the 59 positions of the FFO test, in order."""
    found = []
    for line in _lines("ffo.txt"):
        number, board, side, *scores = line.split()
        by_move = {move: int(score) for move, score in (entry.split(":") for entry in scores)}
        found.append(EndGame(int(number), f"{board} {side}", by_move))
    return found


def openings() -> list[str]:
    """Balanced openings of eight moves each."""
    return _lines("xot.txt")


def played_games() -> list[PlayedGame]:
    """Games of tournaments."""
    return [PlayedGame(int(score), moves) for _, score, moves in map(str.split, _lines("wthor.txt"))]


def _lines(name: str) -> list[str]:
    return (_DATA / name).read_text(encoding="utf-8").splitlines()
