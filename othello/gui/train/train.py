"""The mode in which a person's own mistakes are put before them, until they find what was better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.actions import Where
from othello.gui.commands import PASS, Answer, Switch, handles
from othello.gui.faces.board import BoardState
from othello.gui.mode import OF_GAME, PLAY, BoardMark, Mode
from othello.gui.toolbar import button
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.layout import Column, First, Flow, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.train import panels, words
from othello.play import commands as play
from othello.play.drill import Drill
from othello.play.judging import judged, values_of
from othello.play.training import Trial
from othello.players import levels
from othello.players.registry import refusal
from othello.rules.protocol import GameSpec, Move, Position
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.play.table import Table

_USUAL_LEVEL: Final = 3
_MOST: Final = 10  # exercises at a time
_BUTTONS: Final = ("exercise_before", "hint", "show_answer", "retry", "exercise_next")
_WITHOUT: Final = ("look_back", "train_new")


class TrainMode(Mode):
    """One exercise after the other: tries move nothing, and the answer stays hidden until it is found or asked for."""

    name = "train"
    shows_game = False
    holds_game = True
    ends_with_game = True

    def __init__(self, table: Table, now: float) -> None:
        super().__init__(table, now)
        self._begin()

    def _begin(self) -> None:
        """Take what is to be trained, with the mistakes of the game on the table."""
        session, deck, history = self.session, self.person.deck, self.session.history
        found = judged(history.tree, history.tree.line, history.referee.job.opening_plies)
        deck.add(words.exercises(session, found, self.person.limits))
        spec = self._game = session.game.rules.spec
        taken = sorted(deck.take(), key=lambda each: (each.game.rules.spec != spec, str(each.game.rules.spec)))
        self._drill = Drill(deck, taken[:_MOST])  # one game after the other, that of the table first
        self._go_to(0)

    def _go_to(self, index: int) -> None:
        self._drill.go_to(index)
        self.table.looking.cursor = self.table.looking.typed = None
        self._step = 0
        self._shows_values = False
        self._message = ""

    @property
    def _trial(self) -> Trial | None:
        return self._drill.trial

    @property
    def spec(self) -> GameSpec:
        return self._game if self._trial is None else self._trial.exercise.game.rules.spec

    @property
    def shown_position(self) -> Position:
        return super().shown_position if self._trial is None else self._trial.exercise.game.position

    @property
    def is_over(self) -> bool:
        return self._trial is None or self._trial.is_over

    # Commands.

    @handles(play.Browse)
    def _browse(self, command: play.Browse, now: float) -> None:
        self._go_to(self._drill.index + command.steps)

    @handles(*OF_GAME, play.Redo, gui.VisitLine)
    def _ignore(self, command: object, now: float) -> None:
        """The game is not seen."""

    @handles(gui.Dismiss)
    def _dismiss(self, command: gui.Dismiss, now: float) -> Answer:
        if self.stage.focus:
            return PASS
        looking = self.table.looking
        if looking.typed is None and looking.cursor is None and not self._step:
            return gui.SwitchMode(PLAY)
        looking.typed = looking.cursor = None
        self._step = 0
        return None

    @handles(gui.PressSquare)
    def _press(self, command: gui.PressSquare, now: float) -> None:
        trial, self.table.looking.cursor, self.table.looking.typed = self._trial, None, None
        if trial is not None and trial.is_over:
            self._step = 0
        elif trial is not None and command.move is not None:
            self.choose(command.move)

    @handles(gui.StepLine)
    def _step_line(self, command: gui.StepLine, now: float) -> None:
        """A press on a move of the answer's line plays the line up to it, or takes it back."""
        self._step = 0 if command.steps == self._step else command.steps

    @handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> Answer:
        """Once all is over, step along the line; until then move the cursor."""
        trial = self._trial
        if trial is None or not trial.is_over:
            return PASS
        self._step = min(max(0, self._step + command.columns), len(words.best_line(trial)))
        return None

    @handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> Answer:
        return None if self.is_over else PASS

    @handles(gui.Confirm)
    def _confirm(self, command: gui.Confirm, now: float) -> None:
        trial, square = self._trial, self.table.looking.chosen
        if trial is not None and trial.is_over:
            self._go_to(self._drill.index + 1)
        elif square is not None:
            self.choose(square)

    @handles(gui.Hint)
    def _hint(self, command: gui.Hint, now: float) -> None:
        if self._trial is not None and not self._trial.is_over:
            self._drill.change(replace(self._trial, had_hint=True))

    @handles(gui.ShowAnswer)
    def _show_answer(self, command: gui.ShowAnswer, now: float) -> None:
        if self._trial is not None and not self._trial.is_over:
            self._drill.change(replace(self._trial, is_shown=True))

    @handles(gui.Retry, play.Undo)
    def _retry(self, command: object, now: float) -> None:
        if self._trial is not None:
            self._go_to(self._drill.index)
            self._drill.change(Trial(self._trial.exercise))

    @handles(gui.Toggle)
    def _toggle(self, command: gui.Toggle, now: float) -> Answer:
        if command.switch is not Switch.VALUES or self._trial is None:
            return PASS
        self._shows_values = self._trial.is_over and not self._shows_values
        return None

    @handles(play.PlayFromHere)
    def _play_from_here(self, command: play.PlayFromHere, now: float) -> object | None:
        return self._take_away(gui.TakePosition(PLAY), now)

    @handles(gui.TakePosition)
    def _take_away(self, command: gui.TakePosition, now: float) -> object | None:
        """Put the position on the table, with the person on the side to move."""
        trial, seats = self._trial, self.session.seats
        if trial is None or not trial.is_over:
            return None
        game = trial.exercise.game
        level = levels.opponent(_USUAL_LEVEL, say(f"levels.{_USUAL_LEVEL}"))  # which plays all games
        black, white = (each if refusal(each, self.spec) is None else level for each in seats.values())
        if not seats[game.to_move].is_user and seats[game.to_move.opponent].is_user:
            black, white = white, black
        self._holds = False
        self.session.do(play.OpenGame(game, (black, white), date=trial.exercise.played_on), now)
        return gui.SwitchMode(command.mode)

    def choose(self, square: Move) -> None:
        """Judge a move; nothing moves on the board."""
        trial = self._trial
        if trial is None:
            return
        game = trial.exercise.game
        self.table.looking.typed, self._message = None, ""
        if square not in values_of(trial.exercise.report):
            self._message = say("status.illegal", move=wording.move(game, square))
        elif square == trial.exercise.played:
            self._message = say("training.was_played", move=wording.move(game, square))
        else:
            self._drill.change(trial.tried(square))

    # What is shown.

    def update(self, now: float) -> None:
        if self.session.game.rules.spec != self._game:
            self._begin()

    @property
    def _shown_step(self) -> int:
        """So many moves of the answer's line are on the board: those up to the mouse, else those that were chosen."""
        trial = self._trial
        if trial is None or not trial.is_over:
            return 0
        name = "" if self.stage.mouse is None else self.stage.panel_at(self.stage.mouse)
        return int(name.removeprefix("line_")) + 1 if name.startswith("line_") else self._step

    def column(self, now: float) -> Panel:
        trial, drill, palette, face = self._trial, self._drill, self.style.palette, self.table.face
        is_low = self.is_low
        parts: list[Panel] = [panels.header(drill, palette)]
        if trial is None:
            parts.append(panels.task(face, palette, *words.outside(drill), None, is_low=is_low))
        else:
            color = trial.exercise.game.to_move
            parts.append(panels.task(face, palette, *words.task(trial.exercise), color, is_low=is_low))
            parts.append(panels.tries(trial, palette, is_low=is_low))
            parts += self._answer(trial, is_low=is_low)
        names = _BUTTONS if drill.trials else _WITHOUT
        return Column((*parts, Space(grow=1), Flow([self._button(name) for name in names])), 8 if is_low else 16)

    def _answer(self, trial: Trial, *, is_low: bool) -> list[Panel]:
        """What is said when the exercise is over, or as a hint."""
        palette, face = self.style.palette, self.table.face
        if trial.is_over:
            buttons = self._button("play_on"), self._button("analyse_exercise")
            row = First((Row((*buttons, Space(grow=1))), Flow(buttons)))
            below = [*panels.line(face, trial, palette, step=self._shown_step), row]
            return [panels.answer(palette, words.answer(trial), is_found=trial.is_solved, is_low=is_low, below=below)]
        if trial.had_hint:
            return [panels.answer(palette, words.hint(trial.exercise), is_found=False, is_low=is_low)]
        return []

    def _button(self, name: str) -> Button:
        trial = self._trial
        is_open = trial is not None and not trial.is_over
        is_over = trial is not None and trial.is_over
        enabled = {
            "exercise_before": self._drill.index > 0,
            "hint": is_open,
            "show_answer": is_open,
            "retry": trial is not None and (trial.is_over or bool(trial.tries)),
            "exercise_next": trial is not None,
            "all_values": is_over,
        }.get(name, True)
        is_hinted = name == "hint" and trial is not None and trial.had_hint
        chosen = is_hinted or (name == "all_values" and self._shows_values)
        return button(name, Where.GAME, enabled=enabled, chosen=chosen)

    def beside_status(self) -> tuple[Panel, ...]:
        return (self._button("all_values"),) if self._trial is not None and self._trial.is_over else ()

    def board(self, state: BoardState) -> BoardState:
        trial = self._trial
        if trial is None:
            return replace(state, captures={}, report=None, cursor=None, typed=None, hover=None)
        step = self._shown_step
        game = words.game_at(trial, step)
        tried = {trial.exercise.played, *trial.tries}
        untried = {} if trial.is_over else self.table.captures(game)
        return replace(
            state,
            position=game.position,
            captures={move: count for move, count in untried.items() if move not in tried},
            report=trial.exercise.report if self._shows_values and not step else None,
            last_move=game.last_move,
            cursor=None if trial.is_over else state.cursor,
            hover=None if trial.is_over else state.hover,
            flip=None,
        )

    def marks(self) -> tuple[BoardMark, ...]:
        trial = self._trial
        if trial is None or self._shown_step or self._shows_values:
            return ()
        return tuple(
            panels.TriedSquare(move, words.value(trial, move), words.verdict(trial, move))
            for move, _ in words.attempts(trial)
        )

    def past(self) -> str:
        return ""

    def status(self) -> str:
        trial = self._trial
        if self.person.deck.notice is not None:
            return words.deck_notice(self.person.deck.notice)
        if trial is None or trial.is_over:
            return say("training.leave" if trial is None else "training.next_position")
        typed = self.table.looking.typed
        return self._message or (typed.advice if typed else say("training.advice"))
