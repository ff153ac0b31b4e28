"""The mode Review: accuracy and mistakes of both sides, the curve of the game, and the worst moves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import actions, commands as gui, labels, status_text, ui
from othello.gui.actions import Context
from othello.gui.modes.analyse.evaluation_scale import Evaluation
from othello.gui.modes.mode import BackgroundGameMode
from othello.gui.modes.review.review_widgets import ScoreCard, SmallBoard, WorstCard
from othello.gui.modes.train.exercise_text import exercises, notice
from othello.gui.toolbar import button, picture_of
from othello.gui.widgets.board_widget import Status
from othello.gui.widgets.overlays import PieceIcon
from othello.play import assessment, session_commands as cmd
from othello.play.history import History
from othello.play.session import Session
from othello.players.player_registry import type_title
from othello.rules.protocol import Color
from othello.search.report import Unit
from othello.study.training import Exercise
from othello.texts import number, percent, tr

PAGE_SIZE: Final = 3  # worst moves that are shown at a time

_JUDGE: Final = "judge"
_BESIDE_HEADING: Final = ("step_move", "learn", "stop_analysis", "analyse_game", "results", "copy", "play_again")


class ReviewMode(BackgroundGameMode):
    """The mode Review."""

    name = "review"
    fills_window = True
    ends_with_game = True

    def enter(self, now: float) -> None:
        self._evaluation = Evaluation(self.session)
        self._shows_both = False
        self._history: History | None = None
        self._known: tuple[object, ...] = ()
        self._worst: Sequence[assessment.MoveAssessment] = ()
        self._part = ""  # how many moves are analysed; empty: all
        self._exercises: Sequence[Exercise] = ()  # the user's mistakes in this game

    # Analysis

    @property
    def _judge(self) -> PlayerConfig:
        """The player that analyses the game: the chosen analyst if it can, else the default."""
        wanted = self.person.preferences.value.analyst
        kind = wanted if wanted in self._judges else self._judges[0]
        return assessment.judge_named(kind, self.session.game.rules.spec)

    @property
    def _judgements(self) -> list[assessment.MoveAssessment]:
        """The analysed moves."""
        return [judgement for judgement in self._evaluation.judgements if judgement is not None]

    @property
    def _missing(self) -> int:
        """The number of moves that are not analysed yet, forced ones excluded."""
        judged, total = self._progress
        return total - judged

    @property
    def _progress(self) -> tuple[int, int]:
        """The number of analysed moves and of all moves, forced ones excluded."""
        history = self.session.history
        choices = assessment.plies_with_choice(history.tree.line, history.referee.job.opening_plies)
        return len(self._judgements), len(choices)

    @property
    def _has_own(self) -> bool:
        """True if the user made a move that is analysed."""
        return any(judgement.is_persons for judgement in self._judgements)

    @property
    def _kind(self) -> str:
        """The unit of the analysis, as in the keys of texts."""
        return "discs" if self._evaluation.has_discs else "chance"

    # Commands

    @gui.handles(cmd.AnalyseGame)
    def _analyse_game(self, command: cmd.AnalyseGame, now: float) -> None:
        self.session.do(cmd.StopAnalysing() if self.session.is_judging else cmd.AnalyseGame(self._judge), now)

    @gui.handles(ui.ControlChanged)
    def _use(self, command: ui.ControlChanged, now: float) -> gui.Answer:
        """Change the analyst, and analyse the game again."""
        if command.name != _JUDGE:
            return gui.NOT_HANDLED
        self.person.preferences.change(analyst="" if command.value == self._judges[0] else command.value)
        self.session.do(cmd.AnalyseGame(self._judge), now)
        return None

    @gui.handles(gui.ShowWorst)
    def _show_worst(self, command: gui.ShowWorst, now: float) -> None:
        self._shows_both, self._first = command.of_both, 0

    def _analyse_worst(self, place: int) -> tuple[object, ...]:
        """Analyse the position before one of the worst moves; `place`: on the page, from 1."""
        if not 1 <= place <= len(self._shown_worst):
            return ()
        line = self.session.history.tree.line.moves[: self._shown_worst[place - 1].ply]
        return cmd.Visit(line), gui.SwitchMode("analyse")

    @gui.handles(gui.PlainCommand.TRY_AGAIN, gui.PlainCommand.CONFIRM)
    def _try_again(self, command: object, now: float) -> object | None:
        if not self._exercises:
            return None
        self.person.deck.add(self._exercises)
        self.person.deck.chosen = tuple(self._exercises)
        return gui.SwitchMode("train")

    @gui.handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> object | None:
        return self._analyse_worst(int(command.letter)) if command.letter.isdigit() else None

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> object | None:
        if command.rows:
            self.widgets.scroll_rows(command.rows)
        return cmd.Browse(command.columns) if command.columns else None

    @gui.handles(cmd.GoTo)
    def _go_to(self, command: cmd.GoTo, now: float) -> object:
        line = self.session.history.tree.line
        return cmd.Visit(line.moves[: command.ply])

    # Widgets

    def update(self, now: float) -> None:
        history, session = self.session.history, self.session
        is_new = self._history is not history
        if is_new:
            self._history, self._first = history, 0  # index of the first worst move shown
            self._judges = assessment.judges(session.game.rules.spec)
            self.widgets.to_top()
        self._evaluation.analyst = self._judge
        if is_new and self._missing and session.referee.is_over:
            session.do(cmd.AnalyseGame(self._judge), now)
        judgements, limits = self._evaluation.judgements, self.person.limits
        known = (id(judgements), limits, self._shows_both, session.is_judging, session.game)
        if known != self._known:
            self._known = known
            self._exercises = exercises(session, judgements, limits)
            is_own = self._has_own and not self._shows_both
            shown = (judgement for judgement in judgements if judgement and (judgement.is_persons or not is_own))
            self._worst = assessment.worst(shown, limits)
            line, opening = history.tree.line, history.referee.job.opening_plies
            done, total = self._progress
            self._part = ""
            if session.is_judging or assessment.unanalysed_plies(history.tree, line, opening, self._judge):
                self._part = tr("review.part", n=total, done=done, total=total)
            if not session.is_judging and not self._missing:
                self.person.deck.add(self._exercises)

        self._first = max(0, min(self._first, (len(self._worst) - 1) // PAGE_SIZE * PAGE_SIZE))

    @property
    def _shown_worst(self) -> Sequence[assessment.MoveAssessment]:
        return self._worst[self._first : self._first + PAGE_SIZE]

    def side_panel(self, now: float) -> ui.Widget:
        palette, gap, edge = self.style.palette, *((8.0, 8.0) if self.is_low else (12.0, 16.0))
        sides = [self._score_card(color) for color in Color]
        scores = ui.FirstThatFits((ui.Row(sides, 16, "fill"), ui.Column(sides)))
        heading, moves = self._heading(palette), self._worst_moves(palette)
        end = ui.Spacer(height=edge - gap)
        curves = (self._curve_card(palette, height) for height in (156, 132))
        pages = [ui.Column((end, heading, scores, curve, moves, end), gap) for curve in curves]
        shown = ui.FirstThatFits((*pages, ui.ScrollView(pages[0], name="column")), grow=True)
        return ui.Card(ui.FocusGroup((shown,), align="fill"), (24, 0))

    def _heading(self, palette: ui.Palette) -> ui.Widget:
        """Build the heading: result, status and buttons."""
        session, winner = self.session, self.session.referee.winner
        piece = () if winner is None else (PieceIcon(self.host.renderer, winner, 24),)
        heading = ui.Label(title(session), 20, bold=True, sizes=(18, 16, 14, 12, 11), height=36)
        is_shown = {"stop_analysis": session.is_judging, "analyse_game": not session.is_judging and self._missing > 0}
        buttons: list[ui.Widget] = [self._button(name) for name in _BESIDE_HEADING if is_shown.get(name, True)]
        judge: list[ui.Widget] = []
        if len(self._judges) > 1:
            kinds = tuple((kind, type_title(kind)) for kind in self._judges)
            judge = [ui.Select(kinds, self._judge.kind, tr("review.judge"), name=_JUDGE, height=36)]
        analysis = session.game_analysis
        live = "" if analysis is not None and analysis.is_running else "polite"  # progress is not announced
        status = Status(self.status(), live=live, name="status", grow=True, height=36, min_content=260)
        wide = ui.Row((*piece, heading, ui.Spacer(width=16), status, *judge, *buttons))
        whole = replace(heading, sizes=(), must_fit=True)
        said = ui.Row((*piece, ui.Paragraph(title(session), 18, bold=True, grow=True)))
        below = [replace(status, grow=0, height=40, min_content=0)] if self.status().strip() else []
        high = ui.Column((said, *judge, ui.Flow(buttons), *below))
        above = ui.Row((*piece, whole, ui.Spacer(grow=True), *judge, *buttons))
        return ui.FirstThatFits((wide, ui.Column((above, *below), 0), high))

    def _button(self, name: str) -> ui.Button:
        chosen = name == ("worst_both" if self._shows_both else "worst_own")
        resumes = name == "analyse_game" and self._progress[0] > 0
        enabled = name != "try_again" or bool(self._exercises)
        result = button(name, Context.GAME, enabled=enabled, chosen=chosen, other=resumes)
        return replace(result, kind="primary") if resumes else result

    def _curve_card(self, palette: ui.Palette, height: float) -> ui.Widget:
        curve = self._evaluation.curve(self.person.limits, self.host.renderer)
        subject = ui.Label(tr(f"review.curve_{self._kind}"), 13, palette.muted, bold=True, must_fit=True)
        how = ui.Label(self._certainty(), 12, palette.muted, sizes=(11, 10), must_fit=True)
        shown, side = self.session.view.shown, height - 36
        opens, tip = gui.SwitchMode("analyse"), actions.tooltip(actions.buttons(Context.GAME)["analyse"])
        board = SmallBoard(self.host.renderer, shown.position, shown.last_move, command=opens, tip=tip)
        opening = ui.Label((labels.opening_text(self.session.history.tree.line), ""), 12, palette.muted, grow=True)
        head = ui.FirstThatFits((ui.Row((subject, opening, how), 16), ui.Column((subject, how), 0)))
        chart = ui.Column((head, curve), 2, grow=True)
        moment = ui.Label(labels.moment(shown), 12, palette.muted, sizes=(11, 10, 9), align="center", height=18)
        position = ui.Column((moment, replace(board, height=side)), 2, width=side)
        return ui.Card(ui.Row((chart, position), 12, "fill"), (16, 8), palette.panel, palette.edge, height=height)

    def _worst_moves(self, palette: ui.Palette) -> ui.Widget:
        """Build the card with the worst moves, each on a small board."""
        title = ui.Label(tr("review.worst"), 16, bold=True, must_fit=True)
        switch = [self._button(name) for name in ("worst_own", "worst_both") if self._has_own]
        tried = "" if self._has_own or not self._worst else tr("review.not_yours")
        if self._exercises:
            tried = tr("review.tries", n=len(self._exercises))
        tries = ui.Label((tried, ""), 13, palette.muted, align="right", grow=True)
        end = self._button("try_again")
        pages = self._pager()
        wide = ui.Row((title, ui.FocusGroup(switch, 0), *pages, tries, end), 12)
        switches = ui.Row((ui.FocusGroup(switch, 0), ui.Spacer(grow=True), *pages))
        narrow = ui.Column((ui.Row((title, ui.Spacer(grow=True), end)), switches))
        head = ui.FirstThatFits((wide, narrow, ui.Column((title, switches, ui.Row((end,))))))
        cards = [self._worst_card(place, judgement) for place, judgement in enumerate(self._shown_worst, 1)]
        missing = [ui.Spacer(grow=True) for _ in range(PAGE_SIZE - len(cards))]
        rows = (ui.Row((*cards, *missing), gap, "fill") for gap in (24, 12))
        body = ui.FirstThatFits((*rows, ui.Column(cards, 12)), grow=True) if cards else self._empty(palette)
        return ui.Card(ui.Column((head, body), 12), (16, 12), palette.panel, palette.edge, grow=True)

    def _turn_page(self, steps: int) -> None:
        self._first += steps

    def _pager(self) -> Sequence[ui.Widget]:
        """Build the buttons that turn the pages of the worst moves; nothing if all are shown."""
        first, total = self._first, len(self._worst)
        if total <= PAGE_SIZE:
            return ()
        last = min(first + PAGE_SIZE, total)
        shown = number(last) if last == first + 1 else f"{number(first + 1)} – {number(last)}"
        words = ui.Label(tr("review.shown", shown=shown, total=total), 13, align="center", min_content=80)
        buttons = []
        for name, picture, steps in (("worst_before", "back", -PAGE_SIZE), ("worst_after", "forward", PAGE_SIZE)):
            turn, tip = gui.Call(self._turn_page, (steps,)), tr(f"review.pages.{name}")
            is_page = 0 <= first + steps < total
            buttons.append(ui.Button("", turn, icon=picture_of(picture), name=name, enabled=is_page, tip=tip))
        return (ui.FocusGroup((buttons[0], words, buttons[1])),)

    def _empty(self, palette: ui.Palette) -> ui.Widget:
        """Build the widget that says why there are no worst moves to show."""
        analysis = self.session.game_analysis
        bar: tuple[ui.Widget, ...] = ()
        if analysis is not None and self.session.is_judging:
            bar = (ui.Align(ui.ProgressBar(analysis.share, tip=self._why_empty())),)
        notice = ui.Paragraph(self._why_empty(), 14, palette.muted, align="center", max_lines=3)
        return ui.Column((ui.Spacer(grow=1, height=40), *bar, notice, ui.Spacer(grow=1, height=40)), 16, grow=1)

    def _why_empty(self) -> str:
        """Return why there are no worst moves to show."""
        session = self.session
        if not session.history.tree.line.moves:
            return tr("review.no_game")
        if session.is_judging:
            judge = session.game_analysis
            is_preparing = judge is not None and judge.is_running and judge.worker.preparing is not None
            return tr("status.preparing" if is_preparing else "review.running")
        if session.game_analysis is not None and session.game_analysis.worker.failure:
            return session.game_analysis.worker.failure.sentence()
        if self._missing:
            return self._part if self._progress[0] else tr("review.not_analysed")
        return tr("review.faultless_own" if self._has_own and not self._shows_both else "review.faultless")

    def status(self) -> str:
        analysis = self.session.game_analysis
        if analysis is not None and analysis.is_running:
            return tr("review.progress", done=analysis.done, total=analysis.total)
        if self.host.view_state.message:
            return self.host.view_state.message
        if self.person.deck.notice is not None:
            return notice("training", self.person.deck.notice)
        return self._part or self._story() or " "

    def _score_card(self, color: Color) -> ScoreCard:
        rules, players, limits = self.session.game.rules, self.session.players, self.person.limits
        lines = labels.player_details(players[color], rules.spec, has_details=self.person.preferences.value.details)
        details = tuple(f"{labels.side(rules, color)} · {line}" for line in lines) + lines
        name = labels.player_name(rules, players, color)
        card = ScoreCard(self.host.renderer, color, name, details, grow=True, height=88, min_content=380)
        result = None if self._part else assessment.summary(self._judgements, color, limits)
        if result is None:
            return card
        in_chances = any(judgement.unit is Unit.REWARD for judgement in self._judgements)
        counts = [(kind.value, result.mistakes[kind]) for kind in reversed(assessment.Mistake)]
        kinds = ((labels.SIGNS[name], count, tr(f"review.mistakes.{name}", n=count)) for name, count in counts)
        return replace(
            card,
            loss=percent(number(100 * result.mean_loss, ".1f")) if in_chances else number(result.mean_loss, ".1f"),
            accuracy=result.accuracy,
            kinds=tuple(kinds),
            lost=(tr("review.lost_chance" if in_chances else "review.lost_discs"), tr("review.per_move")),
            tip=tr(f"review.formula_{self._kind}"),
        )

    def _worst_card(self, place: int, judgement: assessment.MoveAssessment) -> WorstCard:
        game, mistake = self.session.history.tree.line.at(judgement.ply), self.person.limits.of(judgement.discs)
        assert mistake is not None
        in_chances = judgement.unit is Unit.REWARD
        was, best, sign = judgement.move, judgement.best, labels.SIGNS[mistake.value]
        analyse, tip = gui.Call(self._analyse_worst, (place,)), tr("review.analyse_tip", key=place)
        return WorstCard(
            SmallBoard(self.host.renderer, game.position, game.last_move, was, best, sign),
            ui.Button(tr("review.analyse"), analyse, "small", tip=tip, name=f"worst_{place}"),
            title=tr("review.move", move=game.number + 1),
            sign=sign,
            was=(labels.move(game, was), was),
            best=(labels.move(game, best), best),
            gain=percent(f"+{100 * judgement.loss:.0f}") if in_chances else f"+{judgement.loss:.0f}",
            unit=tr("review.chance") if in_chances else tr("review.discs", n=judgement.loss),
            how=labels.certainty(judgement.report),
            grow=True,
            height=204,
            min_content=260,
        )

    def _certainty(self) -> str:
        """Return from which move on values are exact, and how certain the others are."""
        known = self._judgements
        guessed = [judgement for judgement in known if not judgement.is_exact]
        if not guessed:
            return tr("review.all_exact") if known else ""
        after = [judgement for judgement in known if judgement.ply > guessed[-1].ply]
        estimate = labels.certainty(guessed[-1].report)
        if not after:
            return estimate
        move = self.session.history.tree.line.at(after[0].ply).number + 1
        return tr("review.exact_from", move=move, estimate=estimate)

    def _story(self) -> str:
        """Return how the loser lost: the last lead, and the most expensive moves after it."""
        session = self.session
        if session.referee.winner is None or session.referee.forfeit is not None:
            return ""
        loser, line = session.referee.winner.opponent, session.history.tree.line
        of_loser = (judgement for judgement in self._judgements if judgement.color is loser)
        losers = [judgement for judgement in of_loser if judgement.unit is not Unit.REWARD]
        led = next((judgement for judgement in reversed(losers) if judgement.best_value > 0), None)
        since = losers if led is None else [judgement for judgement in losers if judgement.ply >= led.ply]
        mistakes = self._costs(line, since)
        if not mistakes:
            return ""
        if led is None:
            return tr("review.costly", moves=mistakes)
        value, lead, move = led.best_value, f"{led.best_value:.0f}", line.at(led.ply).number
        if status_text.contender(session) is loser:
            return tr("review.you_led", n=value, lead=lead, move=move, moves=mistakes)
        side = labels.side(session.game.rules, loser)
        return tr("review.led", n=value, side=side, lead=lead, move=move, moves=mistakes)

    def _costs(self, line: AnyGame, judgements: Sequence[assessment.MoveAssessment]) -> str:
        """Return the most expensive moves with their costs; empty if there is no mistake."""
        return tr("review.and").join(
            tr("review.cost", n=item.loss, move=labels.move(line.at(item.ply), item.move), discs=f"{item.loss:.0f}")
            for item in sorted(assessment.worst(judgements, self.person.limits, 2), key=lambda item: item.ply)
        )


def title(session: Session) -> str:
    """Return the result of the game, or its number of moves so far."""
    rules, game = session.game.rules, session.game
    if not session.referee.is_over:
        return tr("review.so_far", n=game.number, move=game.number)
    title = status_text.ending(session)
    black, white = rules.score(game.position)
    score = f"{title} {black} : {white}" if rules.points else title
    return f"{score} · {counted}" if (counted := status_text.counted(session)) else score
