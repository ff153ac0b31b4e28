"""Every dialog and every mode of the window, by name: a further one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pygame import Rect

    from othello.gui.dialog import Dialog
    from othello.gui.preferences import PreferencesFile
    from othello.gui.scenes.mode import Mode
    from othello.gui.theme import Style
    from othello.play.session import Session

    DialogType: TypeAlias = Callable[[Session, PreferencesFile, Style, Rect], Dialog]

Kind = TypeVar("Kind")


class Shelf(Mapping[str, Kind]):
    """Classes by name, given as `file.Class` of this folder and read when first asked for: the window opens without."""

    def __init__(self, **places: str) -> None:
        self._places = places

    def __getitem__(self, name: str) -> Kind:
        file, _, kind = self._places[name].partition(".")
        found: Kind = getattr(import_module(f"{__package__}.{file}"), kind)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


MODES: Final[Mapping[str, type[Mode]]] = Shelf(
    analyse="analyse.AnalyseMode",
    review="review.ReviewMode",
    train="train.TrainMode",
    edit="editor.EditMode",
)

DIALOGS: Final[Mapping[str, DialogType]] = Shelf(
    new_game="new_game.NewGameDialog",
    note="note.NoteDialog",
    settings="settings.SettingsDialog",
    about="settings.AboutDialog",
    tournament="tournament_setup.TournamentDialog",
)
"""Those that need no more than these; the others are opened by whoever knows what they need."""
