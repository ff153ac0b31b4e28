"""The question at the start what to do with a results file that already contains games."""

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from othello.config import Config, ExistingOutput
from othello.errors import OthelloError
from othello.gui import commands as gui, ui
from othello.gui.actions import Context
from othello.gui.dialogs.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen
from othello.gui.toolbar import Toolbar, toolbar
from othello.records.results import ResultsWriter
from othello.rules.protocol import GameSpec
from othello.texts import tr
from othello.tournament.experiment import Experiment


class ResultsFileExistsDialog(Dialog):
    """Asks whether to add to the file, to replace it, or to use another name. Enter never replaces it.

    Attributes:
        answer: the config to play; None: not answered.
    """

    buttons = ("cancel", "add")

    def __init__(self, config: Config) -> None:
        assert config.output_file is not None
        self.title = tr("taken.title")
        self.answer: Config | None = None
        self._config, self._path, self._fault = config, config.output_file, ""
        names = (self._path.with_stem(f"{self._path.stem}-{number}") for number in count(2))
        self._typed = str(next(path for path in names if not path.exists()))

    def content(self) -> ui.Widget:
        muted, is_match = self.style.palette.muted, self._config.game_type == "match"
        adds = tr("taken.match") if is_match else tr("taken.tournament")
        texts = ui.Paragraph(tr("taken.text", file=str(self._path)), 14, max_lines=4), ui.Paragraph(adds, 13, muted)
        field = ui.TextField(self._typed, max_length=1000, name="name", height=36)
        return ui.Column((*texts, ui.Label(tr("taken.name"), bold=True), field, *self.warning(self._fault)), gap=12)

    def button_label(self, name: str) -> str:
        return tr("taken.add") if name == "add" else super().button_label(name)

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("replace", tr("taken.replace")), ("rename", tr("taken.rename"))]

    def is_button_enabled(self, name: str) -> bool:
        return name != "rename" or bool(self._typed.strip())

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        self._fault = ""
        match name:
            case "name":
                self._typed = value
            case "add":
                return self._choose(self._path, ExistingOutput.RESUME)
            case "replace":
                return self._choose(self._path, ExistingOutput.OVERWRITE)
            case "rename":
                return self._choose(Path(self._typed.strip()), ExistingOutput.REFUSE)
        return None

    def _choose(self, path: Path, existing: ExistingOutput) -> gui.Command | None:
        """Accept an answer, unless the games could not be written."""
        config = replace(self._config, output_file=path, existing_output=existing)
        try:
            (ResultsWriter(path, existing) if config.game_type == "match" else Experiment(config)).close()
        except OthelloError as error:
            self._fault = error.reason.sentence()
            return None
        self.answer = config
        return gui.PlainCommand.CLOSE_DIALOG


class StartupPromptScreen(Screen):
    """A window with one dialog, closed with the dialog."""

    def __init__(self, dialog: Dialog, spec: GameSpec, preferences: PreferencesFile, size: ui.Point) -> None:
        super().__init__(spec, preferences, size)
        self.enter_dialog(dialog)
        self.show(0.0)

    @property
    def base_context(self) -> Context:
        return Context.DIALOG

    def toolbar(self) -> Toolbar:
        return toolbar(self.renderer, self.base_context)

    def body(self, now: float) -> ui.Widget:
        return ui.Spacer()

    def follow(self, now: float) -> None:
        self.wants_to_quit = self.wants_to_quit or self.dialog is None
