"""The mode Edit: the user sets up a position with pieces and the side to move, which is checked after each change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from othello.errors import BoardTextError, OthelloError, SideMissingError
from othello.frozen_dataclass import FrozenDataclass
from othello.game import Game
from othello.gui import commands as gui, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.labels import side
from othello.gui.modes.editor.editor_widgets import PieceChoice, PositionTextBox, SideChoice
from othello.gui.modes.mode import BackgroundGameMode
from othello.gui.platform.window import copy, pasted
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import Footer
from othello.gui.widgets.overlays import StatusIcon
from othello.play import session_commands as cmd
from othello.records.readers import recognise
from othello.rules.protocol import Color, Position, Rules, Square
from othello.texts import tr

Mark: TypeAlias = Color | None
_PIECES: Final[Mapping[str, Mark]] = {"1": Color.BLACK, "2": Color.WHITE, "3": None}
_CHANGES: Final = ("start", "clear", "fill", "swap", "mirror", "rotate")
_SIDE: Final = "side"
_REST: Final = "rest"


class Setup(FrozenDataclass):
    """The edited board, which need not be a position of the game."""

    marks: tuple[Mark, ...]  # row by row
    to_move: Color
    rest: str = ""  # the rest of the board text, after squares and side to move

    @classmethod
    def of(cls, rules: Rules[Position], position: Position) -> Setup:
        words = rules.format_position(position).split()
        return cls(tuple(rules.owners(position)), position.to_move, " ".join(words[2:]))

    @property
    def text(self) -> str:
        squares = "".join("-" if mark is None else "XO"[mark] for mark in self.marks)
        return f"{squares} {'XO'[self.to_move]} {self.rest}".rstrip()

    def changed(self, change: str, rules: Rules[Position], piece: Mark) -> Setup:
        """Return the board after one of `_CHANGES`, or with the other side to move. `piece` fills the empty squares."""
        marks, columns = self.marks, rules.columns
        rows = [marks[start : start + columns] for start in range(0, len(marks), columns)]
        if change == "start":
            return Setup.of(rules, rules.start())
        if change == "side":
            return replace(self, to_move=self.to_move.opponent)
        is_square = len(rows) == columns
        turned = [column[::-1] for column in zip(*rows, strict=True)] if is_square else [marks[::-1]]
        changed: dict[str, Iterable[Mark]] = {
            "clear": (None for _ in marks),
            "fill": (piece if mark is None else mark for mark in marks),
            "swap": (None if mark is None else mark.opponent for mark in marks),
            "mirror": chain(*(row[::-1] for row in rows)),
            "rotate": chain(*turned),
        }
        return replace(self, marks=tuple(changed[change]))


class EditMode(BackgroundGameMode):
    """The mode Edit."""

    name = "edit"
    holds_game = True

    def enter(self, now: float) -> None:
        self._piece: Mark = Color.BLACK
        self._cursor: int | None = None
        self._message = ""
        self._take_game()

    def _take_game(self) -> None:
        """Start with the shown position of the game."""
        self._history, self._rules = self.session.history, self.session.game.rules
        self._setup = Setup.of(self._rules, self.session.view.shown.position)
        self._undone: list[Setup] = []
        self._done: list[Setup] = []
        self._check_position()

    # Position

    def _check_position(self) -> None:
        """Set `position` to the edited position if it can be played; otherwise set the reason why not."""
        rules = self._rules
        self.position: Position | None = None
        self._reason = ""
        for rest in dict.fromkeys((self._setup.rest, Setup.of(rules, rules.start()).rest)):
            try:
                position = rules.parse_position(replace(self._setup, rest=rest).text)
            except BoardTextError as error:
                self._reason = self._reason or error.reason.sentence()
                continue
            if rules.legal_moves(position):
                self.position, self._setup = position, replace(self._setup, rest=rest)
                return
            self._reason = tr("editor.over")

    def _change(self, setup: Setup) -> None:
        if setup != self._setup:
            self._done.append(self._setup)
            self._undone.clear()
            self._show(setup)

    def _show(self, setup: Setup) -> None:
        self._setup, self._message = setup, ""
        self._check_position()

    def _paint(self, square: int | None, mark: Mark) -> None:
        if square is not None and self._setup.marks[square] is not mark:
            marks = [*self._setup.marks]
            marks[square] = mark
            self._change(replace(self._setup, marks=tuple(marks)))

    # Commands

    @gui.handles(gui.PressSquare, gui.DragSquare)
    def _press(self, command: gui.PressSquare | gui.DragSquare, now: float) -> None:
        self._cursor = None
        self._paint(command.square, self._piece)

    @gui.handles(gui.PressSquareRight)
    def _press_right(self, command: gui.PressSquareRight, now: float) -> None:
        self._paint(command.square, None if self._piece is None else self._piece.opponent)

    @gui.handles(ui.ControlChanged)
    def _use(self, command: ui.ControlChanged, now: float) -> None:
        if command.name == _SIDE:
            self._change(replace(self._setup, to_move=command.value))
        elif command.name == _REST:
            self._change(replace(self._setup, rest=command.value))
            self._message = "" if self._setup.rest == command.value else self._reason
        else:
            self._piece = _PIECES[command.value]

    @gui.handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> None:
        self._piece = _PIECES.get(command.letter, self._piece)

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> None:
        width, height = self._rules.columns, self._rules.rows
        if self._cursor is None:
            self._cursor = 0
            return
        row, column = divmod(self._cursor, width)
        self._cursor = (row + command.rows) % height * width + (column + command.columns) % width

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> None:
        self._paint(self._cursor, self._piece)

    @gui.handles(gui.EditBoard)
    def _edit(self, command: gui.EditBoard, now: float) -> None:
        self._change(self._setup.changed(command.change, self._rules, self._piece))

    @gui.handles(cmd.Undo, cmd.Redo)
    def _walk(self, command: cmd.Undo | cmd.Redo, now: float) -> None:
        source, target = (self._done, self._undone)[:: 1 if isinstance(command, cmd.Undo) else -1]
        if source:
            target.append(self._setup)
            self._show(source.pop())

    @gui.handles(gui.Copy)
    def _copy(self, command: gui.Copy, now: float) -> None:
        copy(self._setup.text)
        self._message = tr("files.copied_board")

    @gui.handles(gui.Paste)
    def _paste(self, command: gui.Paste, now: float) -> None:
        """Load a position from the clipboard. If the text does not name the side to move, the side does not change."""
        try:
            text = pasted()
            try:
                game = recognise(text, self._rules.spec).tree.game
            except SideMissingError:
                game = recognise(f"{text}\n{self._setup.to_move.label} to move", self._rules.spec).tree.game
        except OthelloError as error:
            self._message = error.reason.sentence()
            return
        if game.rules.spec == self._rules.spec:
            self._change(Setup.of(self._rules, game.position))
        else:
            self._message = tr("editor.other_game")

    @gui.handles(gui.TakePosition)
    def _take_position(self, command: gui.TakePosition, now: float) -> object | None:
        if self.position is None:
            return None
        self.session.do(cmd.OpenGame(Game.new(self.session.game.rules, self.position)), now)
        return gui.SwitchMode(command.mode)

    @gui.handles(cmd.Browse)
    def _browse(self, command: cmd.Browse, now: float) -> None:
        """Ignore the command: the game is not visible."""

    def update(self, now: float) -> None:
        if self.session.history is not self._history:
            self._take_game()

    # Widgets

    def side_panel(self, now: float) -> ui.Widget:
        title = ui.Label(tr("editor.title"), 18, bold=True, must_fit=True)
        walk = self._button("undo"), self._button("redo")
        narrow = ui.Column((title, ui.FocusGroup([replace(walk_button, grow=True) for walk_button in walk])))
        head = ui.FirstThatFits((ui.Row((title, ui.Spacer(grow=True), *walk)), narrow))
        return ui.Column((head, self._pieces_card(), self._turn_card(), self._verdict_card(), self._text_card()))

    def footer(self) -> Footer:
        return [self._button(f"edit_{name}") for name in ("cancel", "analyse", "play")], ("edit_cancel", "edit_play")

    def _labels(self) -> dict[Mark, str]:
        """Return the possible contents of a square with their labels."""
        return {**{color: side(self._rules, color) for color in Color}, None: tr("editor.empty")}

    def _pieces_card(self) -> ui.Widget:
        """Build the card with the pieces and the buttons that change the whole board."""
        palette, renderer, names = self.style.palette, self.host.renderer, self._labels()
        how = ui.Label((tr("editor.how"), ""), 11, palette.muted, align="right", grow=True)
        head = ui.Row((ui.Label(tr("editor.place"), 12, palette.muted, bold=True), how))
        choice, pieces = partial(PieceChoice, renderer=renderer, height=48, grow=True), []
        for key, mark in _PIECES.items():
            piece = choice(names[mark], ui.ControlChanged("piece", key), key_name=key, mark=mark, name=f"piece_{key}")
            pieces.append(replace(piece, chosen=mark is self._piece))
        changes = ui.Flow([replace(self._button(f"edit_{change}"), pad=6) for change in _CHANGES], 6)
        choices = ui.FirstThatFits((ui.FocusGroup(pieces), ui.Column(pieces)), group=tr("editor.place"))
        return ui.Card(ui.Column((head, choices, changes)), (12, 8), palette.panel)

    def _turn_card(self) -> ui.Widget:
        """Build the card with the side to move and the number of squares of each side."""
        palette, renderer, names, mover = self.style.palette, self.host.renderer, self._labels(), self._setup.to_move
        choice, sides = partial(SideChoice, renderer=renderer, grow=True), []
        for color in Color:
            command, is_chosen = ui.ControlChanged(_SIDE, color), color is mover
            sides.append(choice(names[color], command, color=color, chosen=is_chosen, name=f"side_{color.label}"))
        counts = ui.Row([self._count(mark, name) for mark, name in names.items()], 0)
        wide, close = ui.FocusGroup(sides, width=268), ui.FocusGroup([replace(choice, grow=0) for choice in sides])
        pair = ui.FirstThatFits((wide, ui.FocusGroup(sides), ui.Column(sides)))
        beside = [ui.Row((group, ui.Spacer(grow=True), counts)) for group in (wide, close)]
        title = ui.Label(tr("editor.side"), 12, palette.muted, bold=True)
        options = tuple((rest, renderer.rest_name(rest)) for rest in self._rules.extra_state_options)
        rest = [ui.Select(options, self._setup.rest, tr("editor.rest"), name=_REST)] if options else []
        movers = ui.Column((title, ui.FirstThatFits((*beside, ui.Column((pair, counts))), group=tr("editor.side"))), 2)
        return ui.Card(ui.Column((movers, *rest)), (12, 6), palette.panel)

    def _count(self, mark: Mark, name: str) -> ui.Widget:
        number = ui.Label(str(self._setup.marks.count(mark)), 18, bold=True, align="center", must_fit=True, height=20)
        below = ui.Label(name, 11, self.style.palette.muted, align="center", must_fit=True, height=18)
        return ui.Card(ui.Column((number, below), 2), (8, 0))

    def _verdict_card(self) -> ui.Widget:
        """Build the card that says whether the position can be played. An icon repeats the meaning of the colour."""
        palette, title, reason = self.style.palette, tr("editor.invalid"), self._reason
        color, sign = palette.warning, "cross"
        if self.position is not None:
            color, sign, reason = palette.best_value, "check", tr("editor.can_be_played")
            moves, mover = self._rules.legal_moves(self.position), side(self._rules, self._setup.to_move)
            is_pass, n = self._rules.is_pass(moves[0]), len(moves)
            title = tr("editor.must_pass" if is_pass else "editor.valid", side=mover, n=n, moves=n)
        words = ui.Column((ui.Paragraph(title, 14, bold=True), ui.Paragraph(reason, 12)), 0)
        badge = StatusIcon(color, sign, width=32, height=44)
        return ui.Card(ui.Row((badge, words), 14), (18, 8), palette.panel, color)

    def _text_card(self) -> ui.Widget:
        """Build the card with the position as text."""
        palette, buttons = self.style.palette, (self._button("copy_board"), self._button("paste"))
        title = ui.Label(tr("editor.text"), 12, palette.muted, bold=True)
        rows = ui.FirstThatFits((ui.Row(buttons), ui.Flow(buttons)))
        well = PositionTextBox(self._setup.text, self._rules.columns, min_content=100)
        return ui.Card(ui.Column((title, well, rows), 6), (12, 6), palette.panel)

    def _button(self, name: str) -> ui.Button:
        can_play, can_undo, can_redo = self.position is not None, bool(self._done), bool(self._undone)
        enabled = {"edit_play": can_play, "edit_analyse": can_play, "undo": can_undo, "redo": can_redo}
        return button(name, Context.GAME, enabled=enabled.get(name, True))

    def square_at(self, layout: BoardLayout, at: ui.Point) -> Square | None:
        return layout.square_at(at)

    def board(self, state: BoardState) -> BoardState:
        empty = Setup((None,) * len(self._setup.marks), Color.BLACK, self._setup.rest)
        at = self._cursor if state.hover is None else state.hover
        cursor = None if at is None else Square(at)
        return BoardState(self._rules.parse_position(empty.text), pieces=self._setup.marks, cursor=cursor)

    def status(self) -> str | None:
        return self._message or tr("editor.status")
