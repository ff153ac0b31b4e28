"""The mode in which a position is set up: pieces by click and drag, whose turn it is, whether it can be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import pygame

from othello.errors import BoardTextError, OthelloError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import Answer, handles
from othello.gui.editor import panels
from othello.gui.editor.panels import Mark, Setup, Soundness
from othello.gui.faces.board import BoardPlace, BoardState
from othello.gui.faces.face import Face
from othello.gui.mode import OF_GAME, PLAY, BoardMark, Mode
from othello.gui.toolbar import button
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.inputs import Use
from othello.gui.toolkit.panel import Panel
from othello.gui.window import clipboard, copy
from othello.gui.wording import side
from othello.play import commands as play
from othello.records.recognition import recognise
from othello.rules.protocol import Color, Position
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.play.table import Table

_PIECES: Final[Mapping[str, Mark]] = {"1": Color.BLACK, "2": Color.WHITE, "3": None}


@dataclass(frozen=True)
class Pieces:
    """The pieces of a position that need not be one of the game."""

    face: Face
    marks: tuple[Mark, ...]

    def draw(self, surface: pygame.Surface, place: BoardPlace) -> None:
        for square, mark in enumerate(self.marks):
            if mark is not None:
                self.face.draw_piece(surface, place.square_rect(square).center, place.piece, mark)


class EditMode(Mode):
    """A board whose every square can be changed."""

    name = "edit"
    shows_game = False
    holds_game = True

    def __init__(self, table: Table, now: float) -> None:
        super().__init__(table, now)
        self._piece: Mark = Color.BLACK
        self._cursor: int | None = None
        self._message = ""
        self._take_game()

    def _take_game(self) -> None:
        """Begin with the position that is looked at."""
        self._history, self._rules = self.session.history, self.session.game.rules
        self._setup = Setup.of(self._rules, self.session.view.shown.position)
        self._undone: list[Setup] = []
        self._done: list[Setup] = []
        self._judge()

    # The position.

    def _judge(self) -> None:
        """Find out whether it can be played."""
        self.position: Position | None = None
        rules = self._rules
        mover = side(rules, self._setup.to_move)
        usual = Setup.of(rules, rules.start()).rest
        reason = ""
        for rest in dict.fromkeys((self._setup.rest, usual)):
            try:
                position = rules.parse_position(replace(self._setup, rest=rest).text)
            except BoardTextError as error:
                reason = reason or error.reason.sentence()
                continue
            moves = rules.legal_moves(position)
            if not moves:
                reason = say("editor.over")
                continue
            self.position, self._setup = position, replace(self._setup, rest=rest)
            title = say("editor.valid", side=mover, n=len(moves), moves=len(moves))
            if rules.is_pass(moves[0]):
                title = say("editor.must_pass", side=mover)
            self._verdict = Soundness(title, say("editor.can_be_played"), is_valid=True)
            return
        self._verdict = Soundness(say("editor.invalid"), reason, is_valid=False)

    def _change(self, setup: Setup) -> None:
        if setup != self._setup:
            self._done.append(self._setup)
            self._undone.clear()
            self._show(setup)

    def _show(self, setup: Setup) -> None:
        self._setup, self._message = setup, ""
        self._judge()

    def _paint(self, square: int | None, mark: Mark) -> None:
        if square is not None and self._setup.marks[square] is not mark:
            marks = [*self._setup.marks]
            marks[square] = mark
            self._change(replace(self._setup, marks=tuple(marks)))

    # Commands.

    @handles(gui.PressSquare, gui.DragSquare)
    def _press(self, command: gui.PressSquare | gui.DragSquare, now: float) -> None:
        self._cursor = None
        self._paint(command.square, self._piece)

    @handles(gui.PressSquareRight)
    def _press_right(self, command: gui.PressSquareRight, now: float) -> None:
        self._paint(command.square, None if self._piece is None else self._piece.opponent)

    @handles(Use)
    def _use(self, command: Use, now: float) -> None:
        if command.name == panels.SIDE:
            self._change(replace(self._setup, to_move=command.value))
        else:
            self._piece = _PIECES[command.value]

    @handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> None:
        self._piece = _PIECES.get(command.letter, self._piece)

    @handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> None:
        width, height = self._rules.columns, self._rules.rows
        if self._cursor is None:
            self._cursor = 0
            return
        row, column = divmod(self._cursor, width)
        self._cursor = (row + command.rows) % height * width + (column + command.columns) % width

    @handles(gui.Confirm)
    def _confirm(self, command: gui.Confirm, now: float) -> None:
        self._paint(self._cursor, self._piece)

    @handles(gui.EditBoard)
    def _edit(self, command: gui.EditBoard, now: float) -> None:
        self._change(self._setup.changed(command.change, self._rules, self._piece))

    @handles(play.Undo)
    def _undo(self, command: play.Undo, now: float) -> None:
        self._walk(self._done, self._undone)

    @handles(play.Redo)
    def _redo(self, command: play.Redo, now: float) -> None:
        self._walk(self._undone, self._done)

    def _walk(self, source: list[Setup], target: list[Setup]) -> None:
        if source:
            target.append(self._setup)
            self._show(source.pop())

    @handles(gui.Copy)
    def _copy(self, command: gui.Copy, now: float) -> None:
        copy(self._setup.text)
        self._message = say("files.copied_board")

    @handles(gui.Paste)
    def _paste(self, command: gui.Paste, now: float) -> None:
        """Take the position that a copied text leads to, where it is of this game."""
        try:
            game = recognise(clipboard(), self._rules.spec).tree.game
        except OthelloError as error:
            self._message = error.reason.sentence()
            return
        if game.rules.spec == self._rules.spec:
            self._change(Setup.of(self._rules, game.position))
        else:
            self._message = say("editor.other_game")

    @handles(gui.TakePosition)
    def _take_position(self, command: gui.TakePosition, now: float) -> object | None:
        if self.position is None:
            return None
        self.session.do(play.OpenGame(Game.new(self.session.game.rules, self.position)), now)
        return gui.SwitchMode(command.mode)

    @handles(gui.Dismiss)
    def _dismiss(self, command: gui.Dismiss, now: float) -> Answer:
        return gui.SwitchMode(PLAY)

    @handles(*OF_GAME, play.Browse, gui.NextLegal, gui.Hint)
    def _ignore(self, command: object, now: float) -> None:
        """The game is not seen."""

    def update(self, now: float) -> None:
        if self.session.history is not self._history:
            self._take_game()

    # What is shown.

    def column(self, now: float) -> Panel:
        names = [side(self._rules, color) for color in Color]
        chosen = next(key for key, mark in _PIECES.items() if mark is self._piece)
        state = panels.EditorState(self.table.face, tuple(names), chosen, self._setup, self._verdict)
        return panels.editor(state, self.style.palette, self._button)

    def _button(self, name: str) -> Button:
        enabled = {
            "edit_play": self.position is not None,
            "edit_analyse": self.position is not None,
            "undo": bool(self._done),
            "redo": bool(self._undone),
        }.get(name, True)
        return button(name, Where.GAME, enabled=enabled)

    def square_at(self, place: BoardPlace, at: gui.Point) -> int | None:
        return place.square_at(at)

    def board(self, state: BoardState) -> BoardState:
        empty = Setup((None,) * len(self._setup.marks), Color.BLACK, Setup.of(self._rules, self._rules.start()).rest)
        cursor = self._cursor if state.hover is None else state.hover
        return BoardState(self._rules.parse_position(empty.text), cursor=cursor)

    def marks(self) -> tuple[BoardMark, ...]:
        return (Pieces(self.table.face, self._setup.marks),)

    def past(self) -> str:
        return ""

    def status(self) -> str | None:
        return self._message or say("editor.status")
