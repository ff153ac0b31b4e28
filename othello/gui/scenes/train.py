"""The mode in which a person's own mistakes are put before them, until they find what was better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pygame
from pygame import Rect

from othello.gui import bars, wording
from othello.gui import commands as gui
from othello.gui import mode_commands as modes
from othello.gui.actions import Where
from othello.gui.commands import Command, Switch
from othello.gui.faces.board import BoardState, Typed
from othello.gui.faces.face import Face
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout
from othello.gui.scenes import coach, retrospect
from othello.gui.scenes.mode import PLAY, Mode, Person
from othello.gui.views import answer
from othello.gui.views import train as view
from othello.gui.views.train import Places, TrainState
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.drill import Drill
from othello.play.judging import judged, values_of
from othello.play.session import Session
from othello.play.training import Trial
from othello.players import levels
from othello.players.registry import refusal
from othello.rules.protocol import GameSpec, Move
from othello.texts import say

_USUAL_LEVEL: Final = 3
_MOST: Final = 10  # exercises at a time
_BUTTONS: Final = ("exercise_before", "hint", "show_answer", "retry", "exercise_next")
_WITHOUT: Final = ("look_back", "train_new")
_MOVES: Final = (play.PlayMove, play.Acknowledge, play.GoTo, play.Redo, play.MoveNow, play.Step)
_TURNS: Final = (play.SwapSides, play.HandOver, play.TogglePause)
_INPUT: Final = (gui.PressAt, gui.Confirm, gui.MoveCursor, gui.NextLegal, gui.Type, gui.Hint, play.Undo)


class TrainMode(Mode):
    """One exercise after the other: tries move nothing, and the answer stays hidden until it is found or asked for."""

    name = "train"
    shows_game = False
    holds_game = True

    def __init__(self, session: Session, now: float, person: Person) -> None:
        super().__init__(session, now, person)
        self._begin()

    def _begin(self) -> None:
        """Take what is to be trained, with the mistakes of the game on the table."""
        session, deck, history = self.session, self.person.deck, self.session.history
        found = judged(history.tree, history.tree.line, history.referee.job.opening_plies)
        deck.add(retrospect.exercises(session, found, self.person.limits))
        spec = self._table = session.game.rules.spec
        taken = sorted(deck.take(), key=lambda each: (each.game.rules.spec != spec, str(each.game.rules.spec)))
        self._drill = Drill(deck, taken[:_MOST])  # one game after the other, that of the table first
        self._state: TrainState | None = None
        self._go_to(0)

    def _go_to(self, index: int) -> None:
        self._drill.go_to(index)
        self._cursor: Move | None = None
        self._typed: Typed | None = None
        self._hover: Move | None = None
        self._step = self._shown_step = 0
        self._shows_values = False
        self._message = ""

    @property
    def _trial(self) -> Trial | None:
        return self._drill.trial

    @property
    def spec(self) -> GameSpec:
        return self._table if self._trial is None else self._trial.exercise.game.rules.spec

    # Commands.

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        style, (found, _) = layout.style, self._controls(layout)
        if self._trial is None or not self._trial.is_over:
            return found
        if not layout.is_cramped:
            width, height = bars.width_of(style, "all_values", Where.GAME), style.px(bars.BUTTON_HEIGHT)
            place = Rect(layout.board.right - width, layout.status.centery - height // 2, width, height)
            found["all_values"] = place
        return found | view.answer_buttons(style, self._places(layout).answer)

    def _controls(self, layout: Layout) -> tuple[dict[str, Rect], int]:
        """The buttons at the end of the column, and where they begin."""
        names: tuple[str, ...] = _BUTTONS if self._drill.trials else _WITHOUT
        names += ("all_values",) if self._drill.trials and layout.is_cramped else ()  # it has no place below the board
        return bars.controls(layout.style, layout.column, layout.column.bottom, Where.GAME, names)

    def _places(self, layout: Layout) -> Places:
        _, bottom = self._controls(layout)
        trial = self._trial
        rows = 1 if trial is None else 1 + len(trial.tries) + trial.is_shown
        return view.places(layout, bottom, rows, is_over=trial is not None and trial.is_over)

    def button_states(self) -> Mapping[str, ButtonState]:
        trial = self._trial
        is_open = trial is not None and not trial.is_over
        return {
            "exercise_before": ButtonState(enabled=self._drill.index > 0),
            "hint": ButtonState(enabled=is_open, selected=trial is not None and trial.had_hint),
            "show_answer": ButtonState(enabled=is_open),
            "retry": ButtonState(enabled=trial is not None and (trial.is_over or bool(trial.tries))),
            "exercise_next": ButtonState(enabled=trial is not None),
            "all_values": ButtonState(trial is not None and trial.is_over, selected=self._shows_values),
        }

    def do(self, command: Command, layout: Layout, now: float) -> Command | bool:
        trial = self._trial
        match command:
            case play.NewGame():
                self.session.do(command, now)
                return gui.SwitchMode(PLAY)
            case play.Browse(steps):
                self._go_to(self._drill.index + steps)
            case gui.Dismiss():
                return self._dismiss()
            case _ if isinstance(command, (*_MOVES, *_TURNS)):
                return True  # the game is not seen
            case _ if trial is not None:
                return self._do_with(trial, command, layout, now)
            case _:
                return isinstance(command, _INPUT)
        return True

    def _do_with(self, trial: Trial, command: Command, layout: Layout, now: float) -> Command | bool:
        """What concerns the exercise on the board."""
        match command:
            case gui.PressAt(at):
                self._press(at, trial, layout)
            case gui.MoveCursor(columns, rows):
                self._point(columns, rows, trial)
            case gui.NextLegal(steps):
                self._cursor = face_of(self.spec).next_legal(self._cursor, trial.exercise.game.position, steps)
            case gui.Type(letter):
                self._type(letter, trial)
            case gui.Confirm():
                self._confirm(trial)
            case gui.Hint() if not trial.is_over:
                self._drill.change(replace(trial, had_hint=True))
            case modes.ShowAnswer() if not trial.is_over:
                self._drill.change(replace(trial, is_shown=True))
            case modes.Retry() | play.Undo():
                self._go_to(self._drill.index)
                self._drill.change(Trial(trial.exercise))
            case gui.Toggle(Switch.VALUES):
                self._shows_values = trial.is_over and not self._shows_values
            case modes.TakePosition(mode) if trial.is_over:
                return self._take_away(trial, mode, now)
            case play.PlayFromHere() if trial.is_over:
                return self._take_away(trial, PLAY, now)
            case gui.Hint() | play.PlayFromHere():
                return True
            case _:
                return False
        return True

    def _press(self, at: tuple[int, int], trial: Trial, layout: Layout) -> None:
        self._cursor = self._typed = None
        if trial.is_over:
            pressed = self._step_at(at, trial, layout)
            self._step = 0 if pressed == self._step else pressed
        else:
            move = face_of(self.spec).move_at(layout.place, at, trial.exercise.game.position)
            if move is not None:
                self._try(move, trial)

    def _step_at(self, at: tuple[int, int], trial: Trial, layout: Layout) -> int:
        """How far the answer's line is played at a point of the window, 0 beside it."""
        places = answer.places(layout.style, self._places(layout).answer, coach.answer(trial, 0))
        return next((n for n, place in enumerate(places, 1) if place.collidepoint(at)), 0)

    def _point(self, columns: int, rows: int, trial: Trial) -> None:
        """Move the cursor; once all is over, step along the line."""
        if trial.is_over:
            line = coach.answer(trial, 0).line
            self._step = min(max(0, self._step + columns), len(line))
        else:
            self._cursor = face_of(self.spec).moved(self._cursor, trial.exercise.game.position, columns, rows)

    def _type(self, letter: str, trial: Trial) -> None:
        if trial.is_over:
            return
        typed = face_of(self.spec).typed(
            "" if self._typed is None else self._typed.text, letter, trial.exercise.game.position
        )
        if typed is not None and typed.move is not None and typed.is_complete:
            self._try(typed.move, trial)
        elif typed is not None:
            self._typed = typed

    def _confirm(self, trial: Trial) -> None:
        square = self._cursor if self._typed is None or self._typed.move is None else self._typed.move
        if trial.is_over:
            self._go_to(self._drill.index + 1)
        elif square is not None:
            self._try(square, trial)

    def _try(self, square: Move, trial: Trial) -> None:
        """Judge a move; nothing moves on the board."""
        game = trial.exercise.game
        self._typed, self._message = None, ""
        if square not in values_of(trial.exercise.report):
            self._message = say("status.illegal", move=wording.move(game, square))
        elif square == trial.exercise.played:
            self._message = say("training.was_played", move=wording.move(game, square))
        else:
            self._drill.change(trial.tried(square))

    def _take_away(self, trial: Trial, mode: str, now: float) -> Command:
        """Put the position on the table, with the person on the side to move."""
        game, seats = trial.exercise.game, self.session.seats
        level = levels.opponent(_USUAL_LEVEL, say(f"levels.{_USUAL_LEVEL}"))  # which plays all games
        black, white = (each if refusal(each, self.spec) is None else level for each in seats.values())
        if not seats[game.to_move].is_user and seats[game.to_move.opponent].is_user:
            black, white = white, black
        self._holds = False
        self.session.do(play.OpenGame(game, (black, white), date=trial.exercise.played_on), now)
        return gui.SwitchMode(mode)

    def _dismiss(self) -> Command | bool:
        if self._typed is None and self._cursor is None and not self._step:
            return gui.SwitchMode(PLAY)
        self._typed = self._cursor = None
        self._step = 0
        return True

    # What is shown.

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        if self.session.game.rules.spec != self._table:
            self._begin()
        trial = self._trial
        self._hover = None
        if mouse is not None and trial is not None and not trial.is_over:
            self._hover = face_of(self.spec).move_at(layout.place, mouse, trial.exercise.game.position)
        self._shown_step = self._step
        if mouse is not None and trial is not None and trial.is_over:
            self._shown_step = self._step_at(mouse, trial, layout) or self._step
        self._state = coach.column(self._drill, self._shown_step)

    def look(self) -> object:
        return self._state, self._shown_step

    def board(self, state: BoardState) -> BoardState:
        trial = self._trial
        if trial is None:
            return replace(state, captures={}, report=None, cursor=None, typed=None, hover=None)
        game = coach.game_at(trial, self._shown_step)
        tried = {trial.exercise.played, *trial.tries}
        untried = () if trial.is_over else (move for move in game.legal_moves() if move not in tried)
        return replace(
            state,
            position=game.position,
            captures={move: len(game.rules.captured(game.position, move)) for move in untried},
            report=trial.exercise.report if self._shows_values and not self._shown_step else None,
            last_move=game.last_move,
            cursor=None if trial.is_over else self._cursor,
            typed=self._typed,
            hover=self._hover,
            flip=None,
        )

    def status_place(self, layout: Layout) -> Rect:
        place, button = layout.status, self.buttons(layout).get("all_values")
        right = place.right if button is None else min(place.right, button.left)
        return Rect(place.left, place.top, right - place.left, place.height)

    def least(self, width: float) -> float:
        return 660 if width < view.NARROW else self.least_height

    def status(self) -> str:
        trial = self._trial
        if self.person.deck.notice is not None:
            return coach.deck_notice(self.person.deck.notice)
        if trial is None or trial.is_over:
            return say("training.leave" if trial is None else "training.next_position")
        return self._message or (self._typed.advice if self._typed else say("training.advice"))

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        if self._state is not None:
            view.draw(surface, layout.style, face, self._places(layout), self._state)

    def draw_on_board(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        if self._state is not None and not self._shown_step and not self._shows_values:
            for each in self._state.tries:
                view.draw_on_board(surface, layout.place, each)
