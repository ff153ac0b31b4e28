"""The mode Train: the user repeats positions of own mistakes until a better move is found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardState
from othello.gui.mode_registry import PLAY
from othello.gui.modes.train import exercise_text, train_widgets
from othello.gui.modes.train.train_widgets import AttemptRow, LineStep, StepBox, TriedMove
from othello.gui.modes.train.training_mode import TrainingMode
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.gui.widgets.overlays import PieceIcon, StatusIcon
from othello.play import session_commands as cmd
from othello.play.assessment import judged
from othello.players import levels
from othello.players.player_registry import unsupported_reason
from othello.rules.protocol import Color, GameSpec, Move, Position
from othello.study.training import Exercise, ExerciseAttempt, TrainingRun
from othello.texts import joined, tr

_USUAL_LEVEL: Final = 3
_MAX_EXERCISES: Final = 10  # exercises in a drill
_BUTTONS: Final = ("exercise_before", "hint", "show_answer", "retry", "exercise_next")
_FINAL_BUTTONS: Final = ("exercise_before", "practise_missed", "practise_more")


class TrainMode(TrainingMode):
    """Shows one exercise after the other. The answer is hidden until it is found or asked for."""

    name = "train"

    def enter(self, now: float) -> None:
        """Add the mistakes of the current game to the deck, and start a drill."""
        session, deck, history = self.session, self.person.deck, self.session.history
        assessments = judged(history.tree, history.tree.line, history.referee.job.opening_plies)
        deck.add(exercise_text.exercises(session, assessments, self.person.limits))
        self._game = session.game.rules.spec
        self._begin(deck.take())

    def _begin(self, exercises: Sequence[Exercise]) -> None:
        """Start a drill, grouped by game; exercises with the rules of the current game come first."""

        def order(exercise: Exercise) -> tuple[bool, str]:
            spec = exercise.game.rules.spec
            return spec != self._game, str(spec)

        self._drill = TrainingRun(self.person.deck, sorted(exercises, key=order)[:_MAX_EXERCISES])
        self._go_to(0)

    def _go_to(self, index: int) -> None:
        self._drill.go_to(index)
        self._take_back()
        self._shows_values = False
        self._message = ""
        self._begun = self.host.now

    @property
    def _attempt(self) -> ExerciseAttempt | None:
        return self._drill.attempt

    @property
    def spec(self) -> GameSpec:
        return self._game if self._attempt is None else self._attempt.exercise.game.rules.spec

    @property
    def shown_position(self) -> Position:
        return super().shown_position if self._attempt is None else self._attempt.exercise.game.position

    @property
    def named_game(self) -> AnyGame | None:
        return None if self._attempt is None else exercise_text.game_at(self._attempt, self._shown_step)

    @property
    def is_over(self) -> bool:
        return self._attempt is None or self._attempt.is_over

    # Commands.

    @gui.handles(cmd.Browse)
    def _browse(self, command: cmd.Browse, now: float) -> None:
        self._go_to(self._drill.index + command.steps)

    @property
    def _way_back(self) -> object:
        return None if self._step else super()._way_back

    def _take_back(self) -> None:
        super()._take_back()
        self._step = 0

    @gui.handles(gui.StepLine)
    def _step_line(self, command: gui.StepLine, now: float) -> None:
        """Play the answer's line up to a move, or take the line back if the move is the last one played."""
        self._step = 0 if command.steps == self._step else command.steps

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> gui.Answer:
        """Step along the line once the exercise is over; move the cursor before."""
        attempt = self._attempt
        if attempt is None or not attempt.is_over:
            return gui.NOT_HANDLED
        self._step = min(max(0, self._step + command.columns), len(exercise_text.best_line(attempt)))
        return None

    @gui.handles(gui.Practise)
    def _practise(self, command: gui.Practise, now: float) -> None:
        exercises = self._drill.missed if command.is_missed else self._drill.more
        if self._attempt is None and exercises:
            self._begin(exercises)

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        attempt, square = self._attempt, self.host.view_state.chosen
        if attempt is None:
            return gui.Practise(is_missed=bool(self._drill.missed))
        if attempt.is_over:
            self._go_to(self._drill.index + 1)
        elif square is not None:
            self.point(square)
        return None

    @gui.handles(gui.PlainCommand.HINT, gui.PlainCommand.SHOW_ANSWER)
    def _help(self, command: gui.PlainCommand, now: float) -> None:
        attempt, is_asked = self._attempt, command is gui.PlainCommand.SHOW_ANSWER
        if attempt is not None and not attempt.is_over:
            self._message = ""
            self._drill.change(replace(attempt, is_shown=is_asked, had_hint=attempt.had_hint or not is_asked))

    @gui.handles(gui.PlainCommand.RETRY, cmd.Undo)
    def _retry(self, command: object, now: float) -> None:
        if self._attempt is not None:
            self._go_to(self._drill.index)
            self._drill.change(ExerciseAttempt(self._attempt.exercise))

    @gui.handles(gui.Toggle)
    def _toggle(self, command: gui.Toggle, now: float) -> gui.Answer:
        if command.option != "shows_values" or self._attempt is None:
            return gui.NOT_HANDLED
        self._shows_values = self._attempt.is_over and not self._shows_values
        return None

    @gui.handles(gui.TakePosition, cmd.PlayFromHere)
    def _take_away(self, command: gui.TakePosition | cmd.PlayFromHere, now: float) -> object | None:
        """Open the position as a game with the user on the side to move."""
        attempt, players = self._attempt, self.session.players
        if attempt is None or not attempt.is_over:
            return None
        game = attempt.exercise.game
        level = levels.opponent(_USUAL_LEVEL, tr(f"levels.{_USUAL_LEVEL}"))  # the engine's levels play all games
        black, white = (level if unsupported_reason(player, self.spec) else player for player in players.values())
        if not players[game.to_move].is_user and players[game.to_move.opponent].is_user:
            black, white = white, black
        self._holds = False
        self.session.do(cmd.OpenGame(game, (black, white), date=attempt.exercise.played_on), now)
        return gui.SwitchMode(command.mode if isinstance(command, gui.TakePosition) else PLAY)

    def choose(self, move: Move) -> None:
        """Check a tried move. The position does not change."""
        attempt, self._message = self._attempt, ""
        if attempt is None:
            return
        if move == attempt.exercise.played:
            self._message = tr("training.was_played", move=labels.move(attempt.exercise.game, move))
        else:
            self._drill.change(replace(attempt.tried(move), seconds=self.host.now - self._begun))

    # View.

    def update(self, now: float) -> None:
        if self.session.game.rules.spec != self._game:
            self.enter(now)

    def state_key(self) -> int:
        return self._shown_step

    @property
    def _shown_step(self) -> int:
        """The number of moves of the answer's line on the board: up to the mouse, else as many as were chosen."""
        attempt = self._attempt
        if attempt is None or not attempt.is_over:
            return 0
        name = self.widgets.pointed
        return int(name.removeprefix("line_")) if name.startswith("line_") else self._step

    def side_panel(self, now: float) -> ui.Widget:
        attempt, drill = self._attempt, self._drill
        if attempt is None:
            parts = [self._header_card(), self._task_card(*exercise_text.outside(drill), None)]
        else:
            task = self._task_card(*exercise_text.task(attempt), attempt.exercise.game.to_move)
            parts = [self._header_card(), task, self._tries_card(attempt), *self._answer_panels(attempt)]
        return ui.Column(parts, 8 if self.is_low else 16)

    def footer(self) -> Footer:
        names: Sequence[str] = _BUTTONS
        if self._attempt is None:
            exist = {"practise_missed": self._drill.missed, "practise_more": self._drill.more}
            names = [name for name in _FINAL_BUTTONS if exist.get(name, True)]
        if not self._drill.trials:
            names = "look_back", "train_new"
        return [self._button(name) for name in names], names[-2:]

    def _header_card(self) -> ui.Widget:
        """Return the card with the exercise's number and source, and the progress row."""
        drill, attempt, palette = self._drill, self._attempt, self.style.palette
        count = len(drill.trials)
        title, source = tr("training.done" if count else "training.title"), tuple[str, ...](("",))
        if attempt is not None:
            title = tr("training.of", number=drill.index + 1, count=count)
            source = exercise_text.source(attempt.exercise)
        texts = (exercise_text.step(drill, index) for index in range(count))
        steps = [StepBox(*text, n, n == drill.index + 1, grow=True, height=20) for n, text in enumerate(texts, 1)]
        named = ui.Label(title, 18, bold=True, must_fit=True)
        where = ui.Label(source, 12, palette.muted, align="right", must_fit=True, grow=True)
        tabs = train_widgets.switch(self.person.due, "mistakes")
        narrow = ui.Column((ui.Row((tabs,)), ui.Row((named, where))))
        head = ui.FirstThatFits((ui.Row((named, where, tabs), 16), narrow))
        return ui.Card(ui.Column((head, ui.Row(steps, 3)), 8), (16, 10), palette.panel, palette.edge)

    def _task_card(self, title: str, text: str, color: Color | None) -> ui.Widget:
        """Return the card with the task, and the piece of the side to move; None: no side is to move."""
        palette, piece = self.style.palette, None if color is None else PieceIcon(self.host.renderer, color, 40)
        return train_widgets.task_card(palette, title, text, piece, palette.accent, is_low=self.is_low)

    def _tries_card(self, attempt: ExerciseAttempt) -> ui.Widget:
        """Return the rows of the mistake and the tried moves; low windows omit the answer, which is shown below."""
        palette, is_low, game = self.style.palette, self.is_low, attempt.exercise.game
        title = ui.Label(tr("training.tries"), 13, palette.muted, bold=True, must_fit=True)
        unit = ui.Label(exercise_text.unit_of(attempt.exercise), 12, palette.muted, must_fit=True)
        rows = []
        for move, when in exercise_text.attempts(attempt)[: -1 if is_low and attempt.is_shown else None]:
            words, worth = exercise_text.outcome(attempt, move), exercise_text.worth(attempt, move)
            rows.append(AttemptRow(labels.move(game, move), when, words, *worth, height=30 if is_low else None))
        narrow = ui.Column((title, replace(unit, sizes=(11, 10, 9))), 2)
        head = ui.Card(ui.FirstThatFits((ui.Row((title, ui.Spacer(grow=True), unit), 12), narrow)), (6, 2))
        return ui.Card(ui.Column((head, *rows), 4 if is_low else 6), (10, 8), palette.panel, palette.edge)

    def _answer_panels(self, attempt: ExerciseAttempt) -> list[ui.Widget]:
        """Return the card of the answer or of a hint."""
        below: list[ui.Widget] = []
        if attempt.is_over:
            title, text = exercise_text.answer(attempt)
            buttons = self._button("play_on"), self._button("analyse_exercise")
            below = [*self._line_panels(attempt), ui.FirstThatFits((ui.Row(buttons), ui.Flow(buttons)))]
        elif attempt.had_hint:
            title, text = exercise_text.hint(attempt.exercise)
        else:
            return []
        palette, texts = self.style.palette, (ui.Paragraph(title, 16, bold=True), ui.Paragraph(text, 13, max_lines=3))
        words = ui.Column(texts, 2, grow=True, min_content=train_widgets.MIN_TEXT_WIDTH)
        badge = StatusIcon(_color(attempt, palette), "check" if attempt.is_solved else "i", width=34, height=40)
        card = ui.Column((ui.FirstThatFits((ui.Row((badge, words), 14), words)), *below), 8)
        return [ui.Card(card, (16, 8 if self.is_low else 12), palette.panel, badge.color)]

    def _line_panels(self, attempt: ExerciseAttempt) -> list[ui.Widget]:
        """Return the row with the answer's line."""
        renderer, palette, step = self.host.renderer, self.style.palette, self._shown_step
        title = ui.Label(tr("training.continuation"), 13, palette.muted, bold=True)
        hint = ui.Label((tr("training.point"), ""), 11, palette.muted, align="right")
        line = labels.line(attempt.exercise.game, exercise_text.best_line(attempt))
        moves, color = [], _color(attempt, palette)
        for number, (mover, move) in enumerate(line, 1):
            moves.append(LineStep(renderer, mover, move, number, number <= step, color, name=f"line_{number}"))
        return [ui.Row((title, ui.Spacer(grow=True), hint)), train_widgets.ExerciseMoves(moves, height=28)]

    def _button(self, name: str) -> ui.Button:
        attempt, is_over = self._attempt, self._attempt is not None and self._attempt.is_over
        is_open = attempt is not None and not is_over
        enabled = {
            "exercise_before": self._drill.index > 0,
            "hint": is_open,
            "show_answer": is_open,
            "retry": attempt is not None and (is_over or bool(attempt.tries)),
            "exercise_next": attempt is not None,
            "all_values": is_over,
        }.get(name, True)
        if name in _FINAL_BUTTONS[1:]:
            missed, more = len(self._drill.missed), len(self._drill.more)
            is_missed = name == "practise_missed"
            label = tr("training.practise_missed", n=missed) if is_missed else tr("training.practise_more", n=more)
            kind = "primary" if is_missed or not missed else "plain"
            return replace(button(name, Context.GAME), label=label, widest=(), kind=kind)
        is_hinted = name == "hint" and attempt is not None and attempt.had_hint
        chosen = is_hinted or (name == "all_values" and self._shows_values)
        return button(name, Context.GAME, enabled=enabled, chosen=chosen)

    def status_buttons(self) -> tuple[ui.Widget, ...]:
        return (self._button("all_values"),) if self._attempt is not None and self._attempt.is_over else ()

    def board(self, state: BoardState) -> BoardState:
        attempt = self._attempt
        if attempt is None:
            return replace(state, captures={}, others=None, report=None, cursor=None, typed=None, hover=None)
        step = self._shown_step
        game = exercise_text.game_at(attempt, step)
        tried = {attempt.exercise.played, *attempt.tries}
        captures, others = ({}, {}) if attempt.is_over else self.host.captures(game)
        untried = {move: count for move, count in captures.items() if move not in tried}
        report = attempt.exercise.report if self._shows_values and not step else None
        values = {"report": report, "losses": self.person.losses(report)}
        others_shown = None if state.others is None else others
        return self._board_of(state, game, captures=untried, others=others_shown, **values)

    def marks(self) -> tuple[BoardMark, ...]:
        attempt = self._attempt
        if attempt is None or self._shown_step or self._shows_values:
            return ()
        squares_of, moves = self.host.renderer.rules.squares_of, [move for move, _ in exercise_text.attempts(attempt)]
        return tuple(TriedMove(squares_of(move), *exercise_text.worth(attempt, move)) for move in moves)

    def announcement(self) -> str:
        """Return the latest news: the answer, a hint, the result of a try, or the task."""
        attempt = self._attempt
        if attempt is None or self._message:
            return "" if attempt is not None else joined(*exercise_text.outside(self._drill))
        if attempt.is_over:
            title, details = exercise_text.answer(attempt)
        elif attempt.had_hint:
            title, details = exercise_text.hint(attempt.exercise)
        elif attempt.tries:
            tried = attempt.tries[-1]
            move = labels.move(attempt.exercise.game, tried)
            return tr("training.result", move=move, outcome=exercise_text.outcome(attempt, tried))
        else:
            title, details = exercise_text.task(attempt)
        return joined(tr("sentence", words=title), details)

    def status(self) -> str:
        attempt = self._attempt
        if self.person.deck.notice is not None:
            return exercise_text.notice("training", self.person.deck.notice)
        if attempt is None or attempt.is_over:
            return tr("training.leave" if attempt is None else "training.next_position")
        return self._message or tr("training.advice")


def _color(attempt: ExerciseAttempt, palette: ui.Palette) -> ui.RGB:
    return palette.right if attempt.is_solved else palette.accent
