"""The user's settings, their file, and the colours of the themes."""

import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from othello import texts
from othello.aliases import renamed
from othello.errors import ConfigError, MissingError, OthelloError, OutputError, Reason, UnreadableError, is_printable
from othello.files import exclusive_lock, set_aside, write_text
from othello.frozen_dataclass import FrozenDataclass
from othello.gui.platform import desktop
from othello.gui.toolkit.style import RGB, Palette
from othello.players.player_registry import advisers
from othello.resources import asset, settings_folder
from othello.rules.protocol import GameSpec
from othello.schema import check, object_schema, option, options_of, read as read_options, up_to
from othello.strict_json import format_document, read as read_json
from othello.texts import SYSTEM, tr
from othello.translations import read_languages

USUAL_THEME: Final = "dark"


_log = logging.getLogger(__name__)


@cache
def palette_named(name: str = USUAL_THEME) -> Palette:
    """Return the colours of a theme; colours that its file does not define are those of the default theme.

    Raises:
        OthelloError: the file cannot be read, or is not a theme.
    """
    path = _added_themes.get(name, asset(f"themes/{name}.json"))
    return Palette(**_colors(asset(f"themes/{USUAL_THEME}.json")) | _colors(path))


def _colors(path: Path) -> dict[str, RGB]:
    codes = read_json(path)
    is_named = len(path.stem) <= _LONGEST_NAME and is_printable(path.stem)
    if not isinstance(codes, dict) or not codes or not is_named:
        raise ConfigError("in_file", path=path, reason=Reason("no_theme"))
    refused = [name for name, code in codes.items() if name not in _COLOR_NAMES or not _is_color(code)]
    if refused:
        names = ", ".join(refused[:_MAX_NAMES]) + ("…" if len(refused) > _MAX_NAMES else "")
        raise ConfigError("in_file", path=path, reason=Reason("colors_refused", {"names": names}))
    return {color: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)) for color, code in codes.items()}


def _is_color(code: object) -> bool:
    """Return whether this is a colour: six hexadecimal digits for red, green and blue."""
    return isinstance(code, str) and re.fullmatch("[0-9a-fA-F]{6}", code) is not None


@cache
def theme_names() -> tuple[str, ...]:
    """Return the names of the valid themes: those of `_THEME_ORDER`, then all others by name."""
    names = {path.stem for path in asset("themes").glob("*.json")} | _added_themes.keys()
    first = [name for name in _THEME_ORDER if name in names]
    return tuple(name for name in (*first, *sorted(names.difference(first))) if theme_fault(name) is None)


def theme_fault(name: str) -> Reason | None:
    """Return why a theme cannot be used, or None."""
    try:
        palette_named(name)
    except OthelloError as error:
        return error.reason
    return None


def read_themes(folder: Path) -> list[Reason]:
    """Replace the themes of the user by those in the folder `themes`, and return the faults of its files."""
    _added_themes.clear()
    _added_themes.update({path.stem: path for path in sorted((folder / "themes").glob("*.json"))})
    palette_named.cache_clear()
    theme_names.cache_clear()
    faults = {name: theme_fault(name) for name in [*_added_themes]}
    for name, fault in faults.items():
        if fault is not None:
            del _added_themes[name]
    return [fault for fault in faults.values() if fault is not None]


def left_out() -> str:
    """Return a message about a damaged theme or catalogue of the program; empty if all are valid."""
    sound = {"themes": theme_names(), "texts": texts.languages()}
    files = (path for folder, names in sound.items() for path in asset(folder).glob("*.json") if path.stem not in names)
    return next((tr("preferences.left_out", file=path.name) for path in files), "")


_THEME_ORDER: Final = ("dark", "light", "high-contrast", "colour-safe", "green-felt")
_COLOR_NAMES: Final = frozenset(color.name for color in fields(Palette))
_LONGEST_NAME: Final = 40  # characters in the name of a theme
_MAX_NAMES: Final = 3  # names in a message
_added_themes: Final[dict[str, Path]] = {}  # files of the user's themes by name


class Preferences(FrozenDataclass):
    """The user's settings."""

    player_name: str = option(
        "", "What the user is called in the window and in records. Empty: You.", words={"maxLength": 40}
    )
    theme: str = option("dark", "The colours.", words=up_to(_LONGEST_NAME))
    text_size: int = option(100, "The size of text and of everything else in the window, in per cent.", 80, 200)
    language: str = option(SYSTEM, "The window's language. system: as the system.", words=up_to(12))
    motion: str = option(SYSTEM, "How long discs turn over.", choices={SYSTEM: "", "full": "", "short": "", "none": ""})
    pace_seconds: float | None = option(None, "The least time of a computer's move. null: as config.json says.", 0, 10)
    sound: bool = option(True, "Whether moves can be heard.")
    volume: int = option(60, "The volume in per cent.", 0, 100)
    shows_legal: bool = option(True, "Legal moves.")
    shows_captures: bool = option(True, "How many pieces each move captures.")
    captures_of: str = option(
        "mover", "Whose captures: the side to move's or both sides'.", choices={"mover": "", "both": ""}
    )
    shows_coordinates: bool = option(True, "Letters and digits at the board's edge.")
    shows_last_move: bool = option(True, "A mark on the last move.")
    shows_values: bool = option(False, "The value of each move in the computer's search.")
    values_of: str = option(
        "player", "Whose values a board shows while a game is played.", choices={"player": "", "engine": ""}
    )
    values_by: str = option(
        "mean", "What squares show of a search by simulations, with details.", choices={"mean": "", "bound": ""}
    )
    shows_losses: bool = option(False, "Whether each move's loss is told after the move.")
    details: bool = option(False, "Whether simulations, speed, nodes, visits and the search tree are shown.")
    inaccuracy: int = option(2, "A move that loses at least this many discs is an inaccuracy.", 1, 64)
    mistake: int = option(6, "A move that loses at least this many discs is a mistake.", 1, 64)
    blunder: int = option(12, "A move that loses at least this many discs is a blunder.", 1, 64)
    hint_player: str = option("engine", "The player that gives hints, if it plays the game.", words=up_to(60))
    hint_seconds: float = option(2.0, "How many seconds the search for a hint takes.", 0.1, 60)
    analyst: str = option(
        "", "The player that analyses, if it plays the game. Empty: the usual one.", words={"maxLength": 60}
    )
    analyst_seconds: float | None = option(60.0, "How many seconds it searches a position. null: no limit.", 1, 3600)
    analysis_megabytes: int = option(512, "How many megabytes an analysis may take.", 64, 65536)
    curve_in_chances: bool = option(False, "Whether the curve of a game shows winning chances, and not discs.")
    analyses_games: bool = option(True, "Whether a game is analysed when it ends.")
    has_finished: bool = option(False, "Whether a game was finished at this window.")
    new_game: Mapping[str, Any] = field(default_factory=dict)
    usual: Mapping[str, Any] = field(default_factory=dict)  # the last game, as keys of a config file
    configs: Mapping[str, Any] = field(default_factory=dict)  # hashes of config files at the last start
    window: Mapping[str, Any] = field(default_factory=dict)


def palette_of(wanted: Preferences) -> Palette:
    """Return the colours of the chosen theme."""
    return palette_named(wanted.theme if wanted.theme in theme_names() else USUAL_THEME)


def adviser_kind(preferences: Preferences, spec: GameSpec) -> str:
    """Return the kind of player for hints: the chosen one if it plays the game."""
    kind = preferences.hint_player
    return kind if kind in advisers(spec) else "mcts_uct"


def motion_of(preferences: Preferences) -> str:
    """Return the length of animations: "full", "short" or "none". The default is the desktop's setting."""
    if preferences.motion != SYSTEM:
        return preferences.motion
    return "full" if desktop.animates() else "none"


def toggled(preferences: Preferences, option: str) -> dict[str, Any]:
    """Return the preferences that change when the user presses the button of an option."""
    if option == "motion":
        return {"motion": "full" if motion_of(preferences) == "none" else "none"}
    if option != "shows_captures":
        return {option: not getattr(preferences, option)}
    if preferences.shows_captures and preferences.captures_of == "mover":
        return {"captures_of": "both"}
    return {"shows_captures": not preferences.shows_captures, "captures_of": "mover"}


_SCHEMA: Final = object_schema(options_of(Preferences).values())
# State that the window stores by itself. It is not checked by the schema, but where it is used.
_REMEMBERED: Final = ("new_game", "usual", "configs", "window")

_FILE_SCHEMA: Final = {
    "type": "object",
    **_SCHEMA,
    "properties": {**_SCHEMA["properties"], **{key: {"type": "object"} for key in _REMEMBERED}},
}


class PreferencesFile:
    """The user's settings and their file."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the settings; without a path they are not stored."""
        self.path = path
        self._folder = None if path is None else path.parent  # set even if the file cannot be read
        self.value = Preferences()
        self.notice = left_out()  # a problem to be shown to the user; empty: none
        self.language_faults: list[Reason] = []  # problems of the languages that the user has added
        self.theme_faults: list[Reason] = []  # problems of the themes that the user has added
        if path is not None:
            self.notice = self.read_additions() or self.notice
            self._read(path)

    def read_additions(self) -> str:
        """Load the languages and themes that the user has added, and return the first problem as text."""
        before = (*self.language_faults, *self.theme_faults)
        if self._folder is not None:
            self.language_faults, self.theme_faults = read_languages(self._folder), read_themes(self._folder)
        faults = (*self.language_faults, *self.theme_faults)
        for fault in faults:
            if fault not in before:
                _log.warning("%s", fault.english)
        return next((fault.sentence() for fault in faults), "")

    def _read(self, path: Path) -> None:
        """Read the settings of the file.

        A damaged file is renamed. A file that can be neither read nor renamed is never written.
        """
        try:
            document = _document_of(path)
            remembered = {key: document.pop(key, {}) for key in _REMEMBERED}
            self.value = read_options(Preferences, document, **remembered)
        except UnreadableError as error:
            self._refuse(error)
        except OthelloError as error:
            _log.warning("%s: %s", path, error.reason.english)
            try:
                self.notice = tr("preferences.damaged", file=set_aside(path))
            except OutputError:
                self._refuse(error)

    def _refuse(self, error: OthelloError) -> None:
        _log.warning("%s", error.reason.english)
        self.path, self.notice = None, tr("preferences.unreadable", reason=str(error.reason))

    def change(self, **values: Any) -> None:
        """Change some settings. Only these change in the file, because another window may have changed others."""
        changed = replace(self.value, **values)
        if changed == self.value:
            return
        self.value, known = changed, asdict(changed)
        if self.path is None:
            return
        try:
            with exclusive_lock(self.path):
                document = {**known, **_document_of(self.path), **{key: known[key] for key in values}}
                write_text(self.path, format_document(document))
        except OthelloError as error:
            _log.warning("%s", error.reason.english)
            self.notice = tr("preferences.save_failure", reason=str(error.reason))


def _document_of(path: Path) -> dict[str, Any]:
    """Return the settings in a file, none if it is not there; OthelloError if it cannot be read or is damaged."""
    try:
        document: dict[str, Any] = renamed(read_json(path))
    except MissingError:
        return {}
    check(document, _FILE_SCHEMA, ConfigError)
    return document


def preferences_path() -> Path:
    """Return the path of the user's settings."""
    return settings_folder() / "settings.json"
