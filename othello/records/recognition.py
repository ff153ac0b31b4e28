"""Any file or text that tells of games, known by its content."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello.errors import FileError, GameFileError, OthelloError, Reason
from othello.game import AnyGame
from othello.reading import read_bytes, read_start
from othello.records.formats.format import MOST_BYTES, Format, Source
from othello.records.formats.ggf import Ggf
from othello.records.formats.obf import Obf
from othello.records.formats.own import Own
from othello.records.formats.pgn import Pgn
from othello.records.formats.plain import Plain
from othello.records.formats.results_file import ResultsFile
from othello.records.formats.sgf import Sgf
from othello.records.formats.sheet import Found, Sheet
from othello.records.formats.sites import Sites
from othello.records.formats.wthor import Wthor
from othello.records.game_file import GameFile
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec

_USUAL: Final = game_spec()
_MOST_GAMES: Final = 1_000_000
_MOST_FAULTS: Final = 100_000

WTHOR: Final = Wthor()
FORMATS: Final[tuple[Format, ...]] = (WTHOR, ResultsFile(), Own(), Ggf(), Sgf(), Sites(), Pgn(), Obf(), Plain())
"""The first one that knows a file reads it."""

WRITTEN: Final = {suffix: each for each in FORMATS for suffix in each.suffixes}
"""What writes a file, by the end of its name."""


def format_of(path: Path) -> Format | None:
    """The format of a file that is to be written, None where no format has such files."""
    return next((WRITTEN[suffix] for suffix in WRITTEN if path.name.lower().endswith(suffix)), None)


def read_games(path: Path | str, spec: GameSpec = _USUAL) -> Iterator[Found]:
    """Yield the games of a file of any format, and an error for each that has a fault.

    Args:
        path: the file.
        spec: the game of a text that names none.

    Raises:
        FileError: the file cannot be read, or holds no games.
    """
    path = Path(path)
    source = Source(read_bytes(path, MOST_BYTES), spec, path)
    with _errors_in(path):
        yield from _games(source)


def count_games(path: Path) -> int | None:
    """How many games a file says that it has, None where it does not say that."""
    return WTHOR.count(read_start(path, 16)) if path.suffix.lower() in WTHOR.suffixes else None


def games_in(text: str, spec: GameSpec) -> Iterator[Found]:
    """As `read_games`, of a text; OthelloError where it tells of no games."""
    return _games(Source(text.encode(errors="replace"), spec))


def read_game(path: Path, spec: GameSpec) -> GameFile:
    """The first game of a file; FileError where there is none."""
    with _errors_in(path):
        return first_of(read_games(path, spec))


@contextmanager
def _errors_in(path: Path) -> Iterator[None]:
    """Raise a FileError with the path for an error that does not name the file."""
    try:
        yield
    except FileError:
        raise
    except OthelloError as error:
        raise FileError("in_file", path=path, reason=error.reason) from None


def recognise(text: str, spec: GameSpec) -> GameFile:
    """The first game that a text tells of; OthelloError where it tells of none, or of one with a fault."""
    return first_of(games_in(text, spec))


def _games(source: Source) -> Iterator[Found]:
    """The games of a file, as long as their number and that of their faults says that the file is one of games."""
    faults = 0
    for number, found in enumerate(next(each for each in FORMATS if each.knows(source)).read(source)):
        if number == _MOST_GAMES:
            yield GameFileError("too_many_games", most=_MOST_GAMES)
            return
        yield found
        faults += isinstance(found, OthelloError)
        if faults == _MOST_FAULTS:
            yield GameFileError("too_many_faults", most=_MOST_FAULTS)
            return


def first_of(games: Iterable[Found]) -> GameFile:
    """The first sound game of some; OthelloError where there is none."""
    faults: list[OthelloError] = []
    for found in games:
        if isinstance(found, Sheet):
            return found.opened
        faults = [*faults[:1], found]
    if not faults:
        raise GameFileError("nothing")
    reason = faults[0].reason
    alone = reason.parts.get("reason")
    raise GameFileError(alone if len(faults) == 1 and isinstance(alone, Reason) else reason)


def format_diagram(game: AnyGame) -> str:
    """The board as rows of squares with their names, black as X and white as O."""
    rules, marks = game.rules, game.rules.marks(game.position)
    signs = ["." if owner is None else "XO"[owner] for owner in marks]
    wide = max(map(len, (*rules.column_names, *rules.row_names)))
    rows = [("", *rules.column_names)]
    for number, name in enumerate(rules.row_names):
        rows.append((name, *signs[number * rules.columns : (number + 1) * rules.columns]))
    return "\n".join(" ".join(f"{cell:>{wide}}" for cell in row) for row in rows)
