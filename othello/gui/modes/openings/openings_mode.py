"""The openings part of the mode Train: the user plays the lines of the repertoire from memory."""

import random
from dataclasses import replace
from typing import Final

from othello.game import AnyGame, Game
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardState
from othello.gui.dialogs.notices import ConfirmDialog
from othello.gui.modes.train import exercise_text
from othello.gui.modes.train.exercise_text import Verdict
from othello.gui.modes.train.train_widgets import TriedMove, switch, task_card
from othello.gui.modes.train.training_mode import TrainingMode
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.gui.widgets.overlays import PieceIcon, StatusIcon
from othello.play import session_commands as cmd
from othello.rules.protocol import GameSpec, Move, Position
from othello.study import explorer
from othello.study.repertoire import OpeningDrill, RepertoireLine
from othello.texts import joined, tr

_REPLY_SECONDS: Final = 0.6  # after the user's move
_MAX_REPLY_DELAY: Final = 2.0  # how long a reply waits for its frequencies in stored games
_POLL_SECONDS: Final = 0.03
_LINE_PREFIX: Final = "line_"  # prefix of the names of line panels; the line's number follows


class OpeningsMode(TrainingMode):
    """Lists the lines of the repertoire, or asks for the user's moves of a line and plays the replies."""

    name = "openings"

    def enter(self, now: float) -> None:
        self._game = self.session.game.rules.spec
        self._drill: OpeningDrill | None = None  # None: all lines are listed
        self._go_on(now)

    @property
    def _board_game(self) -> AnyGame:
        """The game on the board: the drilled line, or the one under the mouse."""
        if self._drill is not None and self._drill.game is not None:
            return self._drill.game
        pointed = self._pointed
        return Game.new(self.host.renderer.rules) if pointed is None else pointed.game

    @property
    def _pointed(self) -> RepertoireLine | None:
        """The listed line under the mouse."""
        panels = {f"{_LINE_PREFIX}{number}": line for number, line in enumerate(self.person.repertoire.lines)}
        return panels.get(self.widgets.pointed)

    @property
    def spec(self) -> GameSpec:
        drill = self._drill
        return self._game if drill is None or drill.game is None else drill.game.rules.spec

    @property
    def shown_position(self) -> Position:
        return self._board_game.position

    @property
    def named_game(self) -> AnyGame | None:
        return self._board_game if self.is_over else None  # hidden during a drill, because a name would reveal the move

    @property
    def is_over(self) -> bool:
        return self._drill is None or not self._drill.awaits_user

    # Commands.

    @gui.handles(gui.StartTrainingRun)
    def _start_drill(self, command: gui.StartTrainingRun, now: float) -> None:
        """Start the next line, or the first one."""
        if self._drill is None:
            self._is_free = command.is_free
            self._drill = OpeningDrill(self.person.repertoire, self._game, random.Random(), is_free=self._is_free)
        else:
            self._drill.begin(is_free=self._is_free)
        if self._drill.game is None:  # no line is left
            self._drill = None
        self._go_on(now)

    @gui.handles(cmd.Browse)
    def _browse(self, command: cmd.Browse, now: float) -> object | None:
        return gui.StartTrainingRun() if self._drill is not None and command.steps > 0 else None

    def _go_on(self, now: float) -> None:
        self._take_back()
        self._message, self._question_time = "", now  # when the user was asked
        self._reply_time = now + _REPLY_SECONDS  # when the reply is played
        self._question: explorer.ExplorerQuery | None = None  # for the frequencies of replies; None: not needed
        drill = self._drill
        if drill is not None and drill.awaits_reply and len(drill.replies) > 1:
            self._question = explorer.ExplorerQuery(self.spec, self.shown_position, is_of_people=True)
            self.host.explorer.ask(self._question)

    @gui.handles(gui.PlainCommand.END_TRAINING_RUN)
    def _end_drill(self, command: gui.PlainCommand, now: float) -> None:
        self._drill = None
        self._go_on(now)

    @property
    def _way_back(self) -> object:
        return super()._way_back if self._drill is None else gui.PlainCommand.END_TRAINING_RUN

    def _ask_to_remove(self, line: RepertoireLine) -> object:
        """Ask whether to remove a line from the repertoire."""
        name, side = labels.line_name(line.game), labels.side(line.game.rules, line.color)
        title, text = tr("repertoire.remove_title"), tr("repertoire.remove_text", name=name, side=side)
        return gui.PushDialog(ConfirmDialog(title, text, tr("repertoire.remove"), gui.Call(self._remove, (line,))))

    def _remove(self, line: RepertoireLine) -> None:
        self.host.close_dialog()
        self.person.repertoire.remove(line)

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> object | None:
        drill, square = self._drill, self.host.view_state.chosen
        if drill is None or not (drill.awaits_user or drill.awaits_reply):
            return gui.StartTrainingRun() if self.person.repertoire.lines else None
        return None if square is None else self.point(square)

    @gui.handles(gui.PlainCommand.SHOW_ANSWER)
    def _show(self, command: gui.PlainCommand, now: float) -> None:
        if self._drill is not None and self._drill.awaits_user:
            self._drill.show()

    def choose(self, move: Move) -> None:
        """Play a correct move, or report a wrong one."""
        drill, now, self._message = self._drill, self.host.now, ""
        if drill is None or drill.game is None:
            return
        game = drill.game
        drill.choose(move, now - self._question_time)
        if drill.game is not game:
            self._go_on(now)
            if drill.taken is not None and drill.taken != move:
                taken = labels.move(game, drill.taken)
                self._message = tr("repertoire.instead", move=labels.move(game, move), taken=taken)

    # View.

    def update(self, now: float) -> None:
        if self.session.game.rules.spec != self._game:
            self.enter(now)
        drill = self._drill
        is_late = now >= self._reply_time + _MAX_REPLY_DELAY
        has_frequencies = self._question is None or is_late or not self.host.explorer.is_busy
        if drill is not None and drill.awaits_reply and now >= self._reply_time and has_frequencies:
            answer = None if self._question is None else self.host.explorer.answer
            is_told = answer is not None and answer.question == self._question
            drill.reply({move.move: move.games for move in answer.moves} if answer and is_told else {})
            self._question_time = now

    def next_wake(self, now: float) -> float | None:
        if self._drill is None or not self._drill.awaits_reply:
            return None
        return now + _POLL_SECONDS if now >= self._reply_time else self._reply_time

    def state_key(self) -> object:
        return None if self._drill is None else self._drill.game, self._pointed

    def side_panel(self, now: float) -> ui.Widget:
        drill = self._drill
        parts = [self._header_card(), self._task_card()]
        if drill is None:
            parts += [self._line_row(number, line) for number, line in enumerate(self.person.repertoire.lines)]
        elif drill.game is not None and drill.game.ply:
            moves = ui.Paragraph(labels.moves(drill.game), 14, max_lines=12)
            parts.append(ui.Card(moves, (16, 10), self.style.palette.panel, self.style.palette.edge))
        return ui.Column(parts, 8 if self.is_low else 16)

    def footer(self) -> Footer:
        drill = self._drill
        if drill is not None:
            names = ["end_drill", "show_answer", "drill"]
        else:
            repertoire = self.person.repertoire
            offered = {"learn": True, "drill_all": bool(repertoire.lines), "drill": bool(repertoire.due())}
            names = [name for name, is_offered in offered.items() if is_offered]
        return [self._button(name) for name in names], names[-1:]

    def _button(self, name: str) -> ui.Button:
        drill = self._drill
        enabled = name != "show_answer" or (drill is not None and drill.awaits_user)
        kind = "primary" if name == "drill" else "plain"
        return replace(button(name, Context.GAME, enabled=enabled, other=drill is not None), kind=kind)

    def _header_card(self) -> ui.Widget:
        drill, palette = self._drill, self.style.palette
        words = ""
        if drill is not None and drill.asked:
            words = tr("repertoire.score", known=drill.known, asked=drill.asked)
        score = ui.Label((words, ""), 12, palette.muted, align="right", grow=True)
        tabs = switch(self.person.due, "openings")
        head = ui.FirstThatFits((ui.Row((tabs, score), 16), ui.Column((ui.Row((tabs,)), score))))
        return ui.Card(head, (16, 10), palette.panel, palette.edge)

    def _task_card(self) -> ui.Widget:
        """Return the card with the task or the result, and the piece of the side to move."""
        palette, drill = self.style.palette, self._drill
        title, text, sign = self._texts()
        picture: ui.Widget | None = None
        edge: ui.RGB = palette.accent
        if sign:
            edge = palette.warning if sign == "cross" else palette.right
            picture = StatusIcon(edge, sign, width=34, height=40)
        elif drill is not None and drill.awaits_user:
            picture = PieceIcon(self.host.renderer, drill.color, 40)
        return task_card(palette, title, text, picture, edge, is_low=self.is_low)

    def _texts(self) -> tuple[str, str, str]:
        """Return the title, the text and the sign of the task; empty sign: none."""
        drill, repertoire = self._drill, self.person.repertoire
        if drill is not None and drill.game is not None:
            return self._drill_texts(drill, drill.game)
        due, following = len(repertoire.due()), repertoire.next_due
        if due:
            return tr("repertoire.due", n=due), tr("repertoire.how"), ""
        if following is None:
            return tr("repertoire.empty"), tr("repertoire.how_to_begin"), ""
        return tr("training.nothing"), tr("repertoire.next_due", date=following.isoformat()), ""

    def _drill_texts(self, drill: OpeningDrill, game: AnyGame) -> tuple[str, str, str]:
        if drill.awaits_user:
            yours = labels.move(game, drill.answer)
            if drill.tried is not None:
                tried = labels.move(game, drill.tried)
                return tr("repertoire.wrong", move=tried), tr("repertoire.yours", move=yours), "cross"
            if drill.is_shown:
                return tr("repertoire.shown", move=yours), tr("repertoire.again"), ""
            side = labels.side(game.rules, game.to_move)
            reply = tr("repertoire.replied", move=labels.last_move(game)) if game.ply else ""
            return tr("repertoire.find"), joined(self._message, reply, tr("repertoire.task", side=side)), ""
        if drill.awaits_reply:
            if not game.ply or drill.taken is None:
                return tr("repertoire.find"), tr("repertoire.reply"), ""
            title = tr("repertoire.right", move=labels.last_move(game))
            return title, self._message or tr("repertoire.reply"), "check"
        left = len(drill.left)
        rest = tr("repertoire.left", n=left) if left else tr("repertoire.none_left")
        return tr("repertoire.end"), joined(self._message, rest), "check" if drill.known == drill.asked else ""

    def _line_row(self, number: int, line: RepertoireLine) -> ui.Widget:
        """Return the row of a line: side, name, moves, and the number of due positions or the next date."""
        palette, repertoire = self.style.palette, self.person.repertoire
        due = sum(repertoire.memory(card).due <= repertoire.today() for card in line.cards)
        soonest = min(repertoire.memory(card).due for card in line.cards)
        when = tr("repertoire.row_due", n=due) if due else soonest.isoformat()
        name, side = labels.line_name(line.game), labels.side(line.game.rules, line.color)
        moves = ui.Label(labels.moves(line.game), 12, palette.muted)
        text = ui.Column((ui.Label(name, 14, bold=True, sizes=(13, 12)), moves), 1, grow=True)
        tip = tr("repertoire.remove_tip", name=name, side=side)
        ask = gui.Call(self._ask_to_remove, (line,))
        remove = ui.Button(tr("repertoire.remove"), ask, "small", tip=tip, name=f"remove_{number}")
        piece = PieceIcon(self.host.renderer, line.color, 20, tip=side)
        due_label = ui.Label(when, 12, palette.accent if due else palette.muted, bold=bool(due), align="right")
        row = ui.Row((piece, text, due_label, remove), 12)
        return ui.Card(row, (12, 6), palette.panel, palette.edge, name=f"{_LINE_PREFIX}{number}")

    def board(self, state: BoardState) -> BoardState:
        game = self._board_game
        captures, _ = ({}, {}) if self.is_over else self.host.captures(game)
        return self._board_of(state, game, captures=captures, others=None, report=None, losses={})

    def marks(self) -> tuple[BoardMark, ...]:
        """Mark the wrong move, and the right one if it is shown."""
        drill = self._drill
        if drill is None or not drill.awaits_user or (drill.tried is None and not drill.is_shown):
            return ()
        tried = ((drill.tried, Verdict.WRONG), (drill.answer, Verdict.RIGHT))
        squares_of = self.host.renderer.rules.squares_of
        return tuple(TriedMove(squares_of(move), "", verdict) for move, verdict in tried if move is not None)

    def announcement(self) -> str:
        title, text, _ = self._texts()
        return joined(f"{title}.", text)

    def status(self) -> str:
        if self.person.repertoire.notice is not None:
            return exercise_text.notice("repertoire", self.person.repertoire.notice)
        if self.is_over:
            return tr("training.leave") if self._drill is None else " "
        return self._message or tr("repertoire.advice")
