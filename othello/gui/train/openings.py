"""The openings part of the mode Train: the user plays the lines of the repertoire from memory."""

import random
from dataclasses import replace
from typing import Final

from othello.game import AnyGame, Game
from othello.gui import commands as gui
from othello.gui import ui, wording
from othello.gui.actions import Where
from othello.gui.dialogs.notices import Question
from othello.gui.faces.board import BoardState
from othello.gui.play.board import BoardMark, Footer
from othello.gui.play.mode import PLAY, Aside
from othello.gui.play.over import Badge, Piece
from othello.gui.toolbar import button
from othello.gui.train import words
from othello.gui.train.panels import TriedSquare, switch
from othello.gui.train.words import Verdict
from othello.play import commands as play
from othello.play import explorer
from othello.play.repertoire import Line, Rehearsal
from othello.rules.protocol import GameSpec, Move, Position
from othello.texts import joined, say

_REPLY_SECONDS: Final = 0.6  # after the user's move
_MAX_REPLY_DELAY: Final = 2.0  # how long a reply waits for its frequencies in stored games
_POLL_SECONDS: Final = 0.03
_MIN_TEXT_WIDTH: Final = 200  # minimum width of the text beside a piece or a badge
_LINE_PREFIX: Final = "line_"  # prefix of the names of line panels; the line's number follows


class OpeningsMode(Aside):
    """Lists the lines of the repertoire, or asks for the user's moves of a line and plays the replies."""

    name = "openings"
    part_of = "train"
    holds_game = True
    ends_with_game = True

    def enter(self, now: float) -> None:
        self._game = self.session.game.rules.spec
        self._rehearsal: Rehearsal | None = None  # None: all lines are listed
        self._is_free = False  # True to drill lines that are not due, too
        self._message = ""
        self._reply_time = self._question_time = now  # when the reply is played; when the user was asked
        self._question: explorer.Question | None = None  # for the frequencies of replies; None: not needed

    @property
    def _board_game(self) -> AnyGame:
        """The game on the board: the drilled line, or the one under the mouse."""
        if self._rehearsal is not None and self._rehearsal.game is not None:
            return self._rehearsal.game
        pointed = self._pointed
        return Game.new(self.table.face.rules) if pointed is None else pointed.game

    @property
    def _pointed(self) -> Line | None:
        """The listed line under the mouse."""
        name = "" if self.stage.mouse is None else self.stage.panel_at(self.stage.mouse)
        number = name.removeprefix(_LINE_PREFIX)
        lines = self.person.repertoire.lines
        return lines[int(number)] if number != name and number.isdigit() and int(number) < len(lines) else None

    @property
    def spec(self) -> GameSpec:
        rehearsal = self._rehearsal
        return self._game if rehearsal is None or rehearsal.game is None else rehearsal.game.rules.spec

    @property
    def shown_position(self) -> Position:
        return self._board_game.position

    @property
    def named_game(self) -> AnyGame | None:
        return self._board_game if self.is_over else None  # hidden during a drill, because a name would reveal the move

    @property
    def is_over(self) -> bool:
        return self._rehearsal is None or not self._rehearsal.awaits_person

    # Commands.

    @gui.handles(gui.Drill)
    def _drill(self, command: gui.Drill, now: float) -> None:
        """Start the next line, or the first one."""
        if self._rehearsal is None:
            self._is_free = command.is_free
            self._rehearsal = Rehearsal(self.person.repertoire, self._game, random.Random(), is_free=self._is_free)
        else:
            self._rehearsal.begin(is_free=self._is_free)
        if self._rehearsal.game is None:  # no line is left
            self._rehearsal = None
        self._go_on(now)

    @gui.handles(play.Browse)
    def _browse(self, command: play.Browse, now: float) -> object | None:
        return gui.Drill() if self._rehearsal is not None and command.steps > 0 else None

    def _go_on(self, now: float) -> None:
        looking = self.table.looking
        looking.cursor = looking.typed = None
        self._message, self._reply_time, self._question_time = "", now + _REPLY_SECONDS, now
        rehearsal, self._question = self._rehearsal, None
        if rehearsal is not None and rehearsal.awaits_reply and len(rehearsal.replies) > 1:
            self._question = explorer.Question(self.spec, self.shown_position, is_of_people=True)
            self.table.explorer.ask(self._question)

    @gui.handles(gui.PlainCommand.END_DRILL)
    def _end_drill(self, command: gui.PlainCommand, now: float) -> None:
        self._rehearsal = None
        self._go_on(now)

    @gui.handles(gui.PlainCommand.DISMISS)
    def _leave(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        if self.stage.focus:
            return gui.PASS
        looking = self.table.looking
        if looking.typed is None and looking.cursor is None:
            return gui.SwitchMode(PLAY) if self._rehearsal is None else gui.PlainCommand.END_DRILL
        looking.typed = looking.cursor = None
        return None

    def _ask_to_remove(self, number: int) -> object | None:
        """Ask whether to remove a line from the repertoire."""
        lines = self.person.repertoire.lines
        if number >= len(lines):
            return None
        line = lines[number]
        name, side = wording.line_name(line.game), wording.side(line.game.rules, line.color)
        title, text = say("repertoire.remove_title"), say("repertoire.remove_text", name=name, side=side)
        return gui.OpenOver(Question(title, text, say("repertoire.remove"), gui.Call(self._remove, (line,))))

    def _remove(self, line: Line) -> None:
        self.table.close_dialog()
        self.person.repertoire.remove(line)

    @gui.handles(gui.PressSquare)
    def _press(self, command: gui.PressSquare, now: float) -> None:
        self.table.looking.cursor = None
        if command.move is not None:
            self.choose(command.move)

    @gui.handles(gui.NextLegal)
    def _next_legal(self, command: gui.NextLegal, now: float) -> gui.Answer:
        return gui.PASS

    @gui.handles(gui.MoveCursor, gui.Type)
    def _point(self, command: object, now: float) -> gui.Answer:
        return None if self.is_over else gui.PASS

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> object | None:
        rehearsal, square = self._rehearsal, self.table.looking.chosen
        if rehearsal is None or not (rehearsal.awaits_person or rehearsal.awaits_reply):
            return gui.Drill() if self.person.repertoire.lines else None
        if square is not None:
            self.choose(square)
        return None

    @gui.handles(gui.PlainCommand.SHOW_ANSWER)
    def _show(self, command: gui.PlainCommand, now: float) -> None:
        if self._rehearsal is not None and self._rehearsal.awaits_person:
            self._rehearsal.show()

    def choose(self, square: Move) -> None:
        """Play a correct move, or report a wrong one."""
        rehearsal, now = self._rehearsal, self.table.now
        self.table.looking.typed, self._message = None, ""
        if rehearsal is None or rehearsal.game is None or not rehearsal.awaits_person:
            return
        game = rehearsal.game
        if square not in game.legal_moves():
            self._message = self.table.face.why_not(game.position, square, wording.move(game, square))
            return
        seconds = now - self._question_time
        rehearsal.choose(square, seconds)
        if rehearsal.game is not game:
            self._go_on(now)
            if rehearsal.taken is not None and rehearsal.taken != square:
                taken = wording.move(game, rehearsal.taken)
                self._message = say("repertoire.instead", move=wording.move(game, square), taken=taken)

    # View.

    def update(self, now: float) -> None:
        if self.session.game.rules.spec != self._game:
            self.enter(now)
        rehearsal = self._rehearsal
        if rehearsal is not None and rehearsal.awaits_reply and now >= self._reply_time and not self._is_waiting(now):
            answer = None if self._question is None else self.table.explorer.answer
            is_told = answer is not None and answer.question == self._question
            rehearsal.reply({each.move: each.games for each in answer.moves} if answer and is_told else {})
            self._question_time = now

    def _is_waiting(self, now: float) -> bool:
        """Return whether to wait for the frequencies of the replies in stored games."""
        return self._question is not None and self.table.explorer.is_busy and now < self._reply_time + _MAX_REPLY_DELAY

    def next_wake(self, now: float) -> float | None:
        if self._rehearsal is None or not self._rehearsal.awaits_reply:
            return None
        return now + _POLL_SECONDS if now >= self._reply_time else self._reply_time

    def changes(self) -> object:
        return None if self._rehearsal is None else self._rehearsal.game, self._pointed

    def side_panel(self, now: float) -> ui.Panel:
        rehearsal = self._rehearsal
        parts = [self._header_card(), self._task_card()]
        if rehearsal is None:
            parts += [self._line_row(number, line) for number, line in enumerate(self.person.repertoire.lines)]
        elif rehearsal.game is not None and rehearsal.game.ply:
            moves = ui.Paragraph(wording.moves(rehearsal.game), 14, max_lines=12)
            parts.append(ui.Card(moves, (16, 10), self.style.palette.panel, self.style.palette.edge))
        return ui.Column(parts, 8 if self.is_low else 16)

    def footer(self) -> Footer:
        rehearsal = self._rehearsal
        if rehearsal is not None:
            names: tuple[str, ...] = ("end_drill", "show_answer", "drill")
        else:
            repertoire = self.person.repertoire
            names = ("learn", *(("drill_all",) if repertoire.lines else ()), *(("drill",) if repertoire.due() else ()))
        return [self._button(name) for name in names], names[-1:]

    def _button(self, name: str) -> ui.Button:
        rehearsal = self._rehearsal
        enabled = name != "show_answer" or (rehearsal is not None and rehearsal.awaits_person)
        kind = "primary" if name == "drill" else "plain"
        return replace(button(name, Where.GAME, enabled=enabled, other=rehearsal is not None), kind=kind)

    def _header_card(self) -> ui.Panel:
        rehearsal, palette = self._rehearsal, self.style.palette
        told = ""
        if rehearsal is not None and rehearsal.asked:
            told = say("repertoire.score", known=rehearsal.known, asked=rehearsal.asked)
        score = ui.Label((told, ""), 12, palette.muted, align="right", grow=1)
        tabs = switch(self.person.due, "openings")
        head = ui.First((ui.Row((tabs, score), 16), ui.Column((ui.Row((tabs, ui.Space(grow=1))), score))))
        return ui.Card(head, (16, 10), palette.panel, palette.edge)

    def _task_card(self) -> ui.Panel:
        """Return the card with the task or the result, and the piece of the side to move."""
        palette = self.style.palette
        title, text, sign = self._texts()
        heading = ui.Label(title, 20, bold=True, sizes=(18, 16))
        said = ui.Column((heading, ui.Paragraph(text, 13, max_lines=5)), 2, grow=1, min_content=_MIN_TEXT_WIDTH)
        rehearsal = self._rehearsal
        beside: tuple[ui.Panel, ...] = ()
        edge: ui.RGB = palette.accent
        if sign:
            edge = palette.warning if sign == "cross" else palette.right
            beside = (Badge(edge, sign, width=34, height=40), ui.Space(width=12))
        elif rehearsal is not None and rehearsal.awaits_person:
            beside = (Piece(self.table.face, rehearsal.color, 40), ui.Space(width=12))
        wide = ui.Row((ui.Space(width=4, height=56 if self.is_low else 72), *beside, said), 4)
        return ui.Card(ui.First((wide, said)), (16, 6 if self.is_low else 10), palette.chosen, edge)

    def _texts(self) -> tuple[str, str, str]:
        """Return the title, the text and the sign of the task; empty sign: none."""
        rehearsal, repertoire = self._rehearsal, self.person.repertoire
        if rehearsal is not None and rehearsal.game is not None:
            return self._drill_texts(rehearsal, rehearsal.game)
        due, following = len(repertoire.due()), repertoire.next_due
        if due:
            return say("repertoire.due", n=due), say("repertoire.how"), ""
        if following is None:
            return say("repertoire.empty"), say("repertoire.how_to_begin"), ""
        return say("training.nothing"), say("repertoire.next_due", date=following.isoformat()), ""

    def _drill_texts(self, rehearsal: Rehearsal, game: AnyGame) -> tuple[str, str, str]:
        if rehearsal.awaits_person:
            yours = wording.move(game, rehearsal.answer)
            if rehearsal.tried is not None:
                tried = wording.move(game, rehearsal.tried)
                return say("repertoire.wrong", move=tried), say("repertoire.yours", move=yours), "cross"
            if rehearsal.is_shown:
                return say("repertoire.shown", move=yours), say("repertoire.again"), ""
            side = wording.side(game.rules, game.to_move)
            reply = say("repertoire.replied", move=wording.last_move(game)) if game.ply else ""
            return say("repertoire.find"), joined(self._message, reply, say("repertoire.task", side=side)), ""
        if rehearsal.awaits_reply:
            if not game.ply or rehearsal.taken is None:
                return say("repertoire.find"), say("repertoire.reply"), ""
            title = say("repertoire.right", move=wording.last_move(game))
            return title, self._message or say("repertoire.reply"), "check"
        left = len(rehearsal.left)
        told = say("repertoire.left", n=left) if left else say("repertoire.none_left")
        return say("repertoire.end"), joined(self._message, told), "check" if rehearsal.known == rehearsal.asked else ""

    def _line_row(self, number: int, line: Line) -> ui.Panel:
        """Return a line of the list: side, name, moves, and what is due."""
        palette, repertoire = self.style.palette, self.person.repertoire
        due = sum(repertoire.memory(card).due <= repertoire.today for card in line.cards)
        soonest = min(repertoire.memory(card).due for card in line.cards)
        when = say("repertoire.row_due", n=due) if due else soonest.isoformat()
        name, side = wording.line_name(line.game), wording.side(line.game.rules, line.color)
        moves = ui.Label(wording.moves(line.game), 12, palette.muted)
        text = ui.Column((ui.Label(name, 14, bold=True, sizes=(13, 12)), moves), 1, grow=1)
        tip = say("repertoire.remove_tip", name=name, side=side)
        remove = ui.Button(
            say("repertoire.remove"),
            gui.Call(self._ask_to_remove, (number,)),
            "small",
            tip=tip,
            name=f"remove_{number}",
        )
        piece = Piece(self.table.face, line.color, 20, tip=side)
        told = ui.Label(when, 12, palette.accent if due else palette.muted, bold=due > 0, align="right")
        row = ui.Row((piece, text, told, remove), 12)
        return ui.Card(row, (12, 6), palette.panel, palette.edge, name=f"{_LINE_PREFIX}{number}")

    def board(self, state: BoardState) -> BoardState:
        game, is_over = self._board_game, self.is_over
        captures, _ = ({}, {}) if is_over else self.table.captures(game)
        return replace(
            state,
            position=game.position,
            captures=captures,
            others=None,
            report=None,
            losses={},
            last_move=game.last_move,
            cursor=None if is_over else state.cursor,
            hover=None if is_over else state.hover,
            flip=None,
        )

    def marks(self) -> tuple[BoardMark, ...]:
        """Mark the wrong move, and the right one if it is shown."""
        rehearsal = self._rehearsal
        if rehearsal is None or not rehearsal.awaits_person or (rehearsal.tried is None and not rehearsal.is_shown):
            return ()
        wrong = () if rehearsal.tried is None else (TriedSquare(rehearsal.tried, "", Verdict.WRONG),)
        return (*wrong, TriedSquare(rehearsal.answer, "", Verdict.RIGHT))

    def announcement(self) -> str:
        title, text, _ = self._texts()
        return joined(f"{title}.", text)

    def status(self) -> str:
        if self.person.repertoire.notice is not None:
            return words.repertoire_notice(self.person.repertoire.notice)
        if self.is_over:
            return say("training.leave") if self._rehearsal is None else " "
        typed = self.table.looking.typed
        return self._message or (typed.advice if typed else say("repertoire.advice"))
