"""The mode in which a position is set up: pieces by click and drag, whose turn it is, whether it can be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pygame
from pygame import Rect

from othello.errors import BoardTextError, OthelloError
from othello.game import Game
from othello.gui import bars
from othello.gui import commands as gui
from othello.gui import mode_commands as modes
from othello.gui.actions import Where
from othello.gui.commands import Command
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.scenes.mode import PLAY, Mode, Person
from othello.gui.scenes.setup import Mark, Setup
from othello.gui.views import editor as view
from othello.gui.views.editor import Places, Verdict
from othello.gui.widgets import ButtonState
from othello.gui.window import clipboard, copy
from othello.gui.wording import side
from othello.play import commands as play
from othello.play.session import Session
from othello.records.recognition import recognise
from othello.rules.protocol import Color, Position
from othello.texts import say

_PIECES: Final[Mapping[str, Mark]] = {"1": Color.BLACK, "2": Color.WHITE, "3": None}
_IGNORED: Final = (play.PlayMove, play.GoTo, play.Browse, play.Acknowledge, gui.NextLegal, gui.Scroll)
_CHANGES: Final = ("start", "clear", "fill", "swap", "mirror", "rotate")
_HELD_BACK: Final = object()


class EditMode(Mode):
    """A board whose every square can be changed."""

    name = "edit"
    shows_game = False
    holds_game = True

    def __init__(self, session: Session, now: float, person: Person) -> None:
        super().__init__(session, now, person)
        self._piece: Mark = Color.BLACK
        self._painting: object = _HELD_BACK
        self._cursor: int | None = None
        self._hover: int | None = None
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
            self._verdict = Verdict(title, say("editor.can_be_played"), is_valid=True)
            return
        self._verdict = Verdict(say("editor.invalid"), reason, is_valid=False)

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

    def do(self, command: Command, layout: Layout, now: float) -> Command | bool:
        match command:
            case gui.PressAt(at):
                self._press(at, layout)
            case gui.PressRight(at):
                other = None if self._piece is None else self._piece.opponent
                self._paint(layout.place.square_at(at), other)
            case gui.PointAt(at):
                self._hover = None if at is None else layout.place.square_at(at)
                if self._painting is not _HELD_BACK:
                    self._paint(self._hover, self._piece)
            case gui.Release():
                self._painting = _HELD_BACK
            case gui.Type(letter):
                self._piece = _PIECES.get(letter, self._piece)
            case gui.MoveCursor(columns, rows):
                self._cursor = self._moved(columns, rows)
            case gui.Confirm():
                self._paint(self._cursor, self._piece)
            case modes.EditBoard(change):
                self._change(self._setup.changed(change, self._rules, self._piece))
            case play.Undo() | play.Redo():
                self._walk(is_undo=isinstance(command, play.Undo))
            case gui.Copy():
                copy(self._setup.text)
                self._message = say("files.copied_board")
            case gui.Paste():
                self._paste()
            case modes.TakePosition(mode):
                if self.position is None:
                    return True
                self.session.do(play.OpenGame(Game.new(self.session.game.rules, self.position)), now)
                return gui.SwitchMode(mode)
            case gui.Dismiss():
                return gui.SwitchMode(PLAY)
            case _:
                return isinstance(command, _IGNORED)
        return True

    def _press(self, at: tuple[int, int], layout: Layout) -> None:
        places = view.places(layout)
        square = layout.place.square_at(at)
        self._cursor = None
        if square is not None:
            self._painting = self._piece
            self._paint(square, self._piece)
        for key, rect in zip(_PIECES, places.pieces, strict=True):
            if rect.collidepoint(at):
                self._piece = _PIECES[key]
        for color, rect in zip(Color, places.sides, strict=True):
            if rect.collidepoint(at):
                self._change(replace(self._setup, to_move=color))

    def _moved(self, columns: int, rows: int) -> int:
        width, height = self._rules.columns, self._rules.rows
        row, column = divmod(0 if self._cursor is None else self._cursor, width)
        return 0 if self._cursor is None else (row + rows) % height * width + (column + columns) % width

    def _walk(self, *, is_undo: bool) -> None:
        source, target = (self._done, self._undone) if is_undo else (self._undone, self._done)
        if source:
            target.append(self._setup)
            self._show(source.pop())

    def _paste(self) -> None:
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

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        if self.session.history is not self._history:
            self._take_game()

    # What is shown.

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        places = view.places(layout)
        buttons, names = {**places.buttons}, [f"edit_{change}" for change in _CHANGES]
        each = len(names) // len(places.changes)
        for index, rect in enumerate(places.changes):
            buttons |= _row(names[index * each : (index + 1) * each], rect, layout)
        return buttons

    def least(self, width: float) -> float:
        return view.HEIGHTS[width < view.NARROW]

    def button_states(self) -> Mapping[str, ButtonState]:
        playable = ButtonState(enabled=self.position is not None)
        return {
            "edit_play": playable,
            "edit_analyse": playable,
            "undo": ButtonState(enabled=bool(self._done)),
            "redo": ButtonState(enabled=bool(self._undone)),
        }

    def look(self) -> object:
        return self._setup, self._piece, self._cursor, self._hover, self._verdict, self._message

    def board(self, state: BoardState) -> BoardState:
        empty = Setup((None,) * len(self._setup.marks), Color.BLACK, Setup.of(self._rules, self._rules.start()).rest)
        cursor = self._cursor if self._hover is None else self._hover
        return BoardState(self._rules.parse_position(empty.text), cursor=cursor)

    def status(self) -> str | None:
        return self._message or say("editor.status")

    def draw_on_board(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        for square, mark in enumerate(self._setup.marks):
            if mark is not None:
                face.draw_piece(surface, layout.place.square_rect(square).center, layout.place.piece, mark)

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        names = [side(self._rules, color) for color in Color]
        chosen = [*_PIECES.values()].index(self._piece)
        places: Places = view.places(layout)
        view.draw(surface, layout.style, face, places, names, chosen, self._setup.to_move, self._setup.marks)
        view.draw_verdict(surface, layout.style, places.verdict, self._verdict)
        view.draw_text(surface, layout.style, places.text, self._setup.text, self._rules.columns)


def _row(names: Sequence[str], rect: Rect, layout: Layout) -> dict[str, Rect]:
    """Buttons side by side, as wide as their words share the room."""
    gap = layout.style.px(6)
    widths = [bars.width_of(layout.style, name, Where.GAME) for name in names]
    spare = (rect.width - gap * (len(names) - 1) - sum(widths)) // len(names)
    x, buttons = rect.left, {}
    for name, width in zip(names, widths, strict=True):
        buttons[name] = Rect(x, rect.top, width + spare, rect.height)
        x = buttons[name].right + gap
    return buttons
