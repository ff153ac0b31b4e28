"""Dialog that adds, edits, tests and removes external programs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from othello.errors import ConfigError, FileError, OthelloError, Reason
from othello.files import is_folder, read_text
from othello.frozen_dataclass import FrozenDataclass
from othello.gui import commands as gui, ui
from othello.gui.dialogs.dialog import NARROW, Dialog, failure
from othello.gui.dialogs.file_dialogs import FolderDialog, Target
from othello.gui.dialogs.player_form import ANY_WIDTH, OTHER, free_name, labelled, typed_number
from othello.gui.preferences import PreferencesFile
from othello.play.session import Session
from othello.players.conformance import ProgramTest, ProgramTestRun
from othello.programs import program_registry
from othello.programs.program_registry import LONGEST_NAME, USUAL_DEPTH, Program, entry_of, program_of
from othello.rules.registry import game_spec, rules_of
from othello.schema import options_of
from othello.strict_json import MAX_BYTES
from othello.texts import number, tr

PYTHON: Final = "python"
PROTOCOLS: Final = (("nboard", "NBoard"), ("gtp", "GTP"), ("json", "JSON"), (PYTHON, "Python"))
"""Keys and names of the protocols. A class in Python needs no protocol."""
LIMITS: Final[Mapping[str, Sequence[float | None]]] = {
    "start_seconds": (2.0, 5.0, 10.0, 30.0, 60.0),
    "move_seconds": (None, 1.0, 5.0, 10.0, 30.0, 60.0),
    "memory_mb": (None, 256, 512, 1024, 2048, 4096),
}
_DEPTHS: Final = (*range(1, 11), *range(12, 31, 2))
_POLL_SECONDS: Final = 0.1  # how often a running test is polled
_LIST: Final = 288  # width of the list beside a form
_FACT: Final = 164
_STATE_COLORS: Final = {"good": "right", "mute": "warning", "bad": "warning"}  # of finished tests, in the palette
_TINT: Final = 0.15  # share of the colour in the background of a result


class _Line(NamedTuple):
    """A row of the list of programs."""

    name: str
    words: str
    state: str  # of its test, a key of the texts "programs.states"


class ProgramsDialog(Dialog):
    """Edits the external programs. Changes are saved at once if the program is complete."""

    buttons = ("done",)
    keeps_size = True
    results: ClassVar[dict[Program, ProgramTest | Reason]] = {}
    """Results of the tests since the window was opened."""

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title, self.subtitle = tr("programs.title"), tr("programs.note")
        self._at, self._drafts = 0, list[ProgramDraft]()
        self._test: ProgramTestRun | None = None
        self._installed = [*program_registry.installed_programs()]
        self._fault = failure(lambda: self._drafts.extend(map(ProgramDraft.of, program_registry.programs().values())))

    def footer_note(self) -> str:
        return tr("programs.stored")

    # Content

    def content(self) -> ui.Widget:
        none = ui.Paragraph(tr("programs.none"), color=self.style.palette.muted)
        parts = self._list(), self._form(self._draft) if self._drafts else ui.Column([none])
        if self.content_width < NARROW:
            return ui.Column(parts, 20)
        return ui.Row((replace(parts[0], width=_LIST), replace(parts[1], grow=True)), 32, "top")

    def _list(self) -> ui.Widget:
        """Return the list of programs with their states, and the buttons below."""
        lines = [self._line(draft) for draft in self._drafts]
        options = tuple((index, f"{line.name}, {line.words}") for index, line in enumerate(lines))
        rows = _Painter(tuple(lines)), len(lines), ui.Size(1, 56)
        choice = ui.SegmentedControl(options, self._at, 8, *rows, accessible_name=self.title, name="program")
        add = ui.Button(tr("programs.add"), name="add", grow=True, height=36)
        remove = ui.Button(tr("programs.remove"), enabled=bool(lines), name="remove", grow=True, height=36)
        added, here = {draft.command for draft in self._drafts}, []
        for program in self._installed:
            command, label = program.command[0], tr("programs.add_found", name=program.name)
            if command not in added:
                here.append(ui.Button(label, name=f"found.{program.name}", tip=command, height=36))
        return ui.Column((*self.warning(self._fault), *([choice] if lines else []), ui.Row((add, remove)), *here), 16)

    def _line(self, draft: ProgramDraft) -> _Line:
        state, seconds = "incomplete", ""
        with suppress(OthelloError):
            results = self.results.get(draft.program)
            if self._test is not None and self._test.program == draft.program:
                state = "trying"
            elif isinstance(results, ProgramTest):
                state, seconds = "good", number(results.start_seconds, ".1f")
            else:
                state = "untried" if results is None else "mute" if program_registry.is_mute(results) else "bad"
        words = tr(f"programs.states.{state}", seconds=seconds)
        return _Line(draft.name, f"{dict(PROTOCOLS)[draft.speaks]} · {words}", state)

    def _form(self, draft: ProgramDraft) -> ui.Widget:
        """Return the form of a program."""
        style, is_class = self.style, draft.speaks == PYTHON
        name = ui.TextField(draft.name, max_length=LONGEST_NAME, name="name")
        starts = tr("programs.class" if is_class else "programs.command")
        command = ui.TextField(draft.command, "module:Class" if is_class else "", max_length=1000, name="command")
        choose = ui.Button(tr("programs.choose"), name="choose")
        hint, entry = tr("programs.own_folder"), draft.entry
        folder = ui.TextField(entry.get("folder") or "", hint, max_length=1000, name="folder")
        arguments: list[ui.Widget] = [
            ui.TextField(text, max_length=1000, accessible_name=tr("programs.argument", n=n), name=f"argument.{n - 1}")
            for n, text in enumerate(draft.arguments, 1)
        ]
        more = ui.Button("+", tip=tr("programs.another"), name="more_arguments", width=34)
        fields = ui.Grid([*arguments, ui.Row((more,))], 4)
        return ui.Column(
            (
                labelled(style, tr("programs.name"), name),
                labelled(style, starts, ui.Row((replace(command, grow=True), choose))),
                *self.warning(draft.fault),
                self._result(draft),
                labelled(style, tr("programs.folder"), folder),
                *([] if is_class else [labelled(style, tr("programs.arguments"), fields, tr("programs.one_each"))]),
                labelled(style, tr("programs.speaks"), self._speaks(draft)),
                labelled(style, tr("programs.limits"), self._limits(draft), tr("programs.late")),
            )
        )

    def _speaks(self, draft: ProgramDraft) -> ui.Widget:
        """Return the choice of the protocol, and of the depth if the protocol can set one."""
        choice = ui.SegmentedControl(PROTOCOLS, draft.speaks, name="speaks")
        if draft.speaks != "nboard":
            return ui.Row((choice,))
        depth = draft.entry.get("depth") or USUAL_DEPTH
        depths = tuple((plies, tr("programs.plies", n=plies)) for plies in sorted({*_DEPTHS, depth}))
        strength = ui.Select(depths, depth, tr("programs.strength"), name="depth", grow=True)
        return ui.FirstThatFits((ui.Row((choice, strength)), ui.Column((choice, strength))))

    def _limits(self, draft: ProgramDraft) -> ui.Widget:
        limits = (self._limit(draft, key) for key in LIMITS)
        # In proportion to their texts, so no text is cut.
        controls = [replace(limit, grow=limit.size(self.style, ANY_WIDTH).width) for limit in limits]
        return ui.FirstThatFits((ui.Row(controls), ui.Column(controls)))

    def _limit(self, draft: ProgramDraft, key: str) -> ui.Widget:
        """Return a list of limits, and a field if another limit is typed."""
        option, text = options_of(Program)[key], draft.typed.get(key)
        value = draft.entry.get(key, option.default)
        with suppress(OthelloError):
            value = getattr(draft.program, key)  # a class in Python may define its limits
        values = tuple((value, _limit_words(key, value)) for value in LIMITS[key])
        other = OTHER, tr("programs.own")
        label = tr(f"programs.limit.{key}")
        select = ui.Select((*values, other), value if text is None else OTHER, label, name=key)
        if text is None:
            return select
        is_wrong = typed_number(option, text) is None
        least, most = (number(bound or 0, "") for bound in (option.minimum, option.maximum))
        tip = tr("programs.between", minimum=least, maximum=most, unit=_unit(key)) if is_wrong else _unit(key)
        typed = ui.TextField(text, "", True, is_wrong, accessible_name=label, tip=tip, name=f"{key}.own", width=64)
        return ui.Row((replace(select, grow=True), typed))

    def _result(self, draft: ProgramDraft) -> ui.Widget:
        """Return the result of the program's test, with the button that starts or stops the test."""
        palette, state = self.style.palette, self._line(draft).state
        is_running, is_over, color = state == "trying", state in _STATE_COLORS, _state_color(palette, state)
        fill = _mixed(palette.panel, color) if is_over else palette.raised
        ink = ui.readable(palette.muted, fill, palette.text)
        label, name = ("stop", "stop") if is_running else ("again" if is_over else "test", "test")
        button = ui.Button(tr(f"programs.do.{label}"), enabled=is_running or not draft.fault, name=name)
        title = tr(f"programs.results.{'untried' if state == 'incomplete' else state}")
        result = ui.Paragraph(title, 14, bold=True, live="polite", grow=True)
        results = self.results[draft.program] if is_over else None
        lines: list[ui.Widget] = []
        if isinstance(results, ProgramTest):
            for fact, words in _facts(results):
                fact_label = ui.Label(tr(f"programs.facts.{fact}"), 12, ink, width=_FACT)
                lines.append(ui.Row((fact_label, ui.Paragraph(words, 12, grow=True)), 8, "top"))
        elif results is not None:
            lines = [ui.Paragraph(results.sentence(), 12, live="polite")]
        elif not is_running:
            lines = [ui.Paragraph(tr("programs.about_test"), 12, ink)]
        inset = [ui.Row((ui.Spacer(width=26), line), 10, "top") for line in lines]
        return ui.Card(ui.Column((ui.Row((_Sign(state, color), result, button)), *inset), 6), (14, 12), fill, color, 12)

    # Input

    def update(self) -> gui.Command | None:
        """Store the result of a finished test."""
        test = self._test
        if test is not None and test.is_over:
            self._test = None
            if isinstance(test.result, ProgramTest) and test.result.program != test.program:
                self.on_control_changed("speaks", test.result.program.protocol)
                self.results[test.result.program] = test.result
            elif test.result is not None:
                self.results[test.program] = test.result
        return None

    def next_wake(self, now: float) -> float | None:
        return None if self._test is None else now + _POLL_SECONDS

    def leave(self) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._test is not None:
            self._test.stop()
            self._test = None

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        key, _, part = name.partition(".")
        match key:
            case "add":
                return gui.PushDialog(ProgramFileDialog(self._folder, self._add))
            case "choose":
                return gui.PushDialog(ProgramFileDialog(self._folder, self._choose))
            case "test":
                self._test = ProgramTestRun(self._draft.program, rules_of(game_spec()))
            case "more_arguments":
                self._draft.arguments.append("")
                self.widgets.go_to(f"argument.{len(self._draft.arguments) - 1}", shows=True)
            case _:
                self._stop()
                self._change(key, part, value)
        return None

    def _change(self, key: str, part: str, value: Any) -> None:
        """Change the list of programs, or a value of the chosen program."""
        match key:
            case "stop":
                pass
            case "program":
                self._at = value
            case "found":
                program = next(candidate for candidate in self._installed if candidate.name == part)
                self._put(ProgramDraft(program.name, program.command[0], [*program.command[1:]], program.protocol, {}))
                self._keep(self._draft)
            case "remove":
                self._remove(self._draft)
            case _:
                self._draft.change(key, part, value)
                if value == OTHER and key in LIMITS:
                    self.widgets.go_to(f"{key}.own", shows=True)
                self._keep(self._draft)

    @property
    def _draft(self) -> ProgramDraft:
        """The chosen program."""
        return self._drafts[self._at]

    @property
    def _folder(self) -> Path:
        """The folder in which the search for a program starts."""
        known = (Path(draft.command).parent for draft in reversed(self._drafts) if Path(draft.command).is_absolute())
        return next(known, Path.home())

    def _add(self, path: Path) -> None:
        self._put(ProgramDraft(path.stem[: LONGEST_NAME - 4].strip(), "", [], PROTOCOLS[0][0], {}))
        self._choose(path)

    def _put(self, draft: ProgramDraft) -> None:
        """Add a draft to the list under a unique name, and choose it."""
        self._stop()
        taken = {entry.name for entry in self._drafts}
        draft.name = free_name(draft.name, taken.__contains__)
        self._drafts.append(draft)
        self._at = len(self._drafts) - 1

    def _choose(self, path: Path) -> None:
        self._draft.take_file(path)
        self._keep(self._draft)

    def _keep(self, draft: ProgramDraft) -> None:
        """Register a program if it is complete, otherwise note the fault."""
        draft.fault = ""
        try:
            program = draft.program
            if any(other.name.strip() == program.name for other in self._drafts if other is not draft):
                raise ConfigError("program_taken", name=program.name)
            program_registry.register(program, instead_of=draft.registered)
            draft.registered = program.name
        except OthelloError as error:
            draft.fault = error.reason.sentence()

    def _remove(self, draft: ProgramDraft) -> None:
        if draft.registered is not None:
            draft.fault = failure(partial(program_registry.remove, draft.registered))
        if draft.registered is None or not draft.fault:
            self._drafts.remove(draft)
            self._at = min(self._at, len(self._drafts) - 1)


def _facts(program_test: ProgramTest) -> Iterator[tuple[str, str]]:
    """Yield the keys and texts of a test's results."""
    yield "calls", program_test.name or "–"
    yield "started", tr("players.seconds", seconds=number(program_test.start_seconds, ".2f"))
    move, depth = program_test.first, program_test.first_depth
    seconds = number(program_test.first_seconds, ".2f")
    yield "first", tr("programs.first_depth" if depth else "programs.first", move=move, seconds=seconds, depth=depth)
    yield "moves", tr("programs.all_legal", seconds=number(program_test.move_seconds, ".2f"))


def _limit_words(key: str, value: float | None) -> str:
    if value is None:
        return tr(f"programs.no_limit.{key}")
    if key != "memory_mb":
        return tr("players.seconds", seconds=number(value))
    if value % 1024:
        return tr("settings.memory_size", n=int(value))
    return tr("programs.gigabytes", n=int(value) // 1024)


def _unit(key: str) -> str:
    return tr("programs.units.memory_mb" if key == "memory_mb" else "programs.units.seconds")


def _state_color(palette: ui.Palette, state: str) -> ui.RGB:
    color: ui.RGB = getattr(palette, _STATE_COLORS.get(state, "control"))
    return color


def _mixed(ground: ui.RGB, color: ui.RGB) -> ui.RGB:
    red, green, blue = (round(one + _TINT * (other - one)) for one, other in zip(ground, color, strict=True))
    return red, green, blue


class _Sign(ui.Widget):
    """Sign for the result of a test: a check, a cross, or an empty ring if there is no result."""

    state: str
    color: ui.RGB

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(26, 26)

    def draw(self, on: ui.PaintContext) -> None:
        px, centre = on.style.px, on.rect.center
        on.image(ui.ring(px(24), px(2), self.color), at=centre)
        if self.state == "good":
            ui.draw_check(on.surface, self.color, centre, px(11))
        elif self.state in _STATE_COLORS:
            on.image(ui.cross(px(9), px(2), self.color), at=centre)


class _Painter(FrozenDataclass):
    """Draws a row of the list: a dot in the colour of the state, the name, and the state in words."""

    lines: tuple[_Line, ...]

    def __call__(self, on: ui.PaintContext, index: int, is_chosen: bool) -> None:
        style, rect, px, line = on.style, on.rect, on.style.px, self.lines[index]
        palette: ui.Palette = style.palette
        ui.draw_tile(on, chosen=is_chosen)
        on.image(ui.circle(px(10), _state_color(palette, line.state)), at=(rect.left + px(18), rect.centery))
        left, room = rect.left + px(34), rect.width - px(42)
        on.text((left, rect.centery - px(10)), line.name, 14, bold=True, room=room)
        muted = palette.text if is_chosen or on.mouse else palette.muted
        on.text((left, rect.centery + px(11)), line.words, (12, 11, 10), muted, room=room)


@dataclass
class ProgramDraft:
    """An external program while it is edited. It is registered as soon as it is complete."""

    name: str
    command: str  # path of the program, or MODULE:CLASS
    arguments: list[str]
    speaks: str  # a key of `PROTOCOLS`
    entry: dict[str, Any]  # the other options, as in the file of programs
    registered: str | None = None  # the name that it is registered under
    typed: dict[str, str] = field(default_factory=dict)  # limits as typed, by name
    fault: str = ""  # why the program cannot be registered

    @classmethod
    def of(cls, program: Program) -> ProgramDraft:
        entry = entry_of(program)
        command, *arguments = entry.pop("command", None) or [entry.pop("class")]
        speaks = entry.pop("protocol", PYTHON)
        unlisted = (key for key, values in LIMITS.items() if entry.get(key) not in (None, *values))
        typed = {key: number(entry[key], "") for key in unlisted}
        return cls(program.name, command, arguments, speaks, entry, program.name, typed)

    @property
    def program(self) -> Program:
        """The finished program. Raises OthelloError if the draft is not complete."""
        if not self.command.strip():
            raise ConfigError("program_no_file")
        how: dict[str, Any] = {"class": self.command.strip()}
        if self.speaks != PYTHON:
            how = {"command": [self.command.strip(), *filter(None, self.arguments)], "protocol": self.speaks}
        return program_of(self.name.strip(), {**self.entry, **how})

    def take_file(self, path: Path) -> None:
        """Use a file as the program. A Python module that is not executable is used by its class."""
        self.command = str(path)
        if path.suffix == ".py" and not os.access(path, os.X_OK):
            self.speaks, self.entry["folder"] = PYTHON, str(path.parent)
            self.command = f"{path.stem}:{_class_in(path)}"
        elif self.speaks == PYTHON:
            self.speaks = PROTOCOLS[0][0]

    def change(self, key: str, part: str, value: Any) -> None:
        """Set a value.

        Args:
            key: the value's name.
            part: number of an argument; for a limit, not empty if the limit was typed.
            value: the new value.
        """
        if key == "argument":
            self.arguments[int(part)] = value
        elif key in LIMITS:
            self._change_limit(key, value, is_typed=bool(part))
        elif key in ("name", "command", "speaks"):
            setattr(self, key, value)
        else:
            self.entry[key] = value or None

    def _change_limit(self, key: str, value: Any, *, is_typed: bool) -> None:
        if value == OTHER:
            now = self.entry.get(key) or options_of(Program)[key].default or next(filter(None, LIMITS[key]))
            self.typed[key] = number(now, "")
        elif is_typed:
            self.typed[key] = value
            limit = typed_number(options_of(Program)[key], value)
            self.entry |= {} if limit is None else {key: limit}
        else:
            self.typed.pop(key, None)
            self.entry[key] = value


def _class_in(path: Path) -> str:
    """Return the name of the first public class of a module, or "Player"."""
    text = ""
    with suppress(FileError):
        text = read_text(path, MAX_BYTES)
    match = re.search(r"^class ([^\W_]\w*)", text, re.MULTILINE)
    return match[1] if match else "Player"


class ProgramFileDialog(FolderDialog):
    """Chooses the file of a program and passes it to `on_chosen`."""

    suffixes = ("",)
    buttons = ("cancel", "choose")

    def __init__(self, folder: Path, on_chosen: Callable[[Path], None]) -> None:
        super().__init__(folder)
        self.title = tr("programs.choose_title")
        self._on_chosen = on_chosen

    def list_folder(self, folder: Path) -> list[ui.ListItem]:
        """Return folders, and files that can be run."""
        return [entry for entry in super().list_folder(folder) if _can_run(entry.data)]

    def open(self, target: Target) -> gui.Command | None:
        assert isinstance(target, Path)
        self._on_chosen(target)
        return gui.PlainCommand.CLOSE_DIALOG


def _can_run(path: Path) -> bool:
    return is_folder(path) or path.suffix == ".py" or os.access(path, os.X_OK)
