"""Reads files and texts of all formats; the format is recognised by the content."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello.errors import FileError, GameFileError, OthelloError, Reason
from othello.files import read_bytes, read_start
from othello.game import AnyGame
from othello.records.formats.format import MAX_BYTES, Format, SourceText
from othello.records.formats.ggf import GgfFormat
from othello.records.formats.native import NativeFormat
from othello.records.formats.obf import ObfFormat
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.formats.pgn import PgnFormat
from othello.records.formats.plain import PlainFormat
from othello.records.formats.results_file import ResultsFormat
from othello.records.formats.sgf import SgfFormat
from othello.records.formats.websites import WebsiteFormat
from othello.records.formats.wthor import WthorFormat
from othello.records.game_file import GameFile
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec

_USUAL: Final = game_spec()
_MAX_GAMES: Final = 1_000_000
_MAX_FAULTS: Final = 100_000

WTHOR: Final = WthorFormat()
FORMATS: Final[tuple[Format, ...]] = (
    WTHOR,
    ResultsFormat(),
    NativeFormat(),
    GgfFormat(),
    SgfFormat(),
    WebsiteFormat(),
    PgnFormat(),
    ObfFormat(),
    PlainFormat(),
)
"""All formats. The first one that recognises a file reads it."""

WRITTEN: Final = {suffix: form for form in FORMATS for suffix in form.suffixes}
"""The formats that can be written, by file suffix."""


def format_of(path: Path) -> Format | None:
    """Return the format in which a file would be written, None if its suffix is unknown."""
    return next((WRITTEN[suffix] for suffix in WRITTEN if path.name.lower().endswith(suffix)), None)


def read_games(path: Path | str, spec: GameSpec = _USUAL) -> Iterator[FileItem]:
    """Yield the games of a file of any format, and an error for each invalid game.

    Args:
        path: the file.
        spec: the game to assume if the file does not name one.

    Raises:
        FileError: the file cannot be read, or contains no games.
    """
    path = Path(path)
    source = SourceText(read_bytes(path, MAX_BYTES), spec, path)
    with _errors_in(path):
        yield from _games(source)


def count_games(path: Path) -> int | None:
    """Return the number of games that a file declares, None if its format has no such field."""
    return WTHOR.count(read_start(path, 16)) if path.suffix.lower() in WTHOR.suffixes else None


def games_in(text: str, spec: GameSpec) -> Iterator[FileItem]:
    """Yield the games of a text as `read_games` does; raise an OthelloError if it contains none."""
    return _games(SourceText(text.encode(errors="replace"), spec))


def read_game(path: Path, spec: GameSpec) -> GameFile:
    """Return the first game of a file; raise a FileError if there is none."""
    with _errors_in(path):
        return first_of(read_games(path, spec))


@contextmanager
def _errors_in(path: Path) -> Iterator[None]:
    """Convert errors that do not name the file into a FileError that does."""
    try:
        yield
    except FileError:
        raise
    except OthelloError as error:
        raise FileError("in_file", path=path, reason=error.reason) from None


def recognise(text: str, spec: GameSpec) -> GameFile:
    """Return the first game of a text; raise an OthelloError if it is invalid or there is none."""
    return first_of(games_in(text, spec))


def _games(source: SourceText) -> Iterator[FileItem]:
    """Yield games up to the limits on games and on errors."""
    faults = 0
    for number, game in enumerate(next(form for form in FORMATS if form.matches(source)).read(source)):
        if number == _MAX_GAMES:
            yield GameFileError("too_many_games", maximum=_MAX_GAMES)
            return
        yield game
        faults += isinstance(game, OthelloError)
        if faults == _MAX_FAULTS:
            yield GameFileError("too_many_faults", maximum=_MAX_FAULTS)
            return


def first_of(games: Iterable[FileItem]) -> GameFile:
    """Return the first valid game; raise an OthelloError if there is none."""
    faults: list[OthelloError] = []
    for game in games:
        if isinstance(game, ParsedGame):
            return game.opened
        faults = [*faults[:1], game]
    if not faults:
        raise GameFileError("nothing")
    reason = faults[0].reason
    alone = reason.parts.get("reason")
    raise GameFileError(alone if len(faults) == 1 and isinstance(alone, Reason) else reason)


def format_diagram(game: AnyGame) -> str:
    """Return the board as text: rows of squares with row and column names, black as X and white as O."""
    rules, owners = game.rules, game.rules.owners(game.position)
    signs = ["." if owner is None else "XO"[owner] for owner in owners]
    wide = max(map(len, (*rules.column_names, *rules.row_names)))
    rows = [("", *rules.column_names)]
    for number, name in enumerate(rules.row_names):
        rows.append((name, *signs[number * rules.columns : (number + 1) * rules.columns]))
    return "\n".join(" ".join(f"{cell:>{wide}}" for cell in row) for row in rows)
