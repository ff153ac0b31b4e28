"""The mode Play, and what it shows over or beside the board: notices, questions and the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pygame

from othello.gui import actions, labels, status_text, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardLayout, BoardState, draw_tag
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.play.board_widget import BoardMark, Footer
from othello.gui.play.figures import LegendSign, is_forced, legend_of, search_panel
from othello.gui.play.hints import unbounded
from othello.gui.play.mode import PLAY, Mode
from othello.gui.play.search_tree import SearchTree, TreePanel
from othello.gui.play.side_cards import ScoreBar, card, flat
from othello.gui.play.view_state import BoardViewState
from othello.gui.toolbar import button
from othello.play import commands as play
from othello.play.assessment import AssessmentCache, MoveAssessment, judge_of
from othello.play.session import Session
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport
from othello.texts import tr

_SIDE: Final = ("first", "back", "forward", "last", "pause", "turn", "undo", "redo", "swap", "resign", "draw")
_SIDE_OVER: Final = ("first", "back", "forward", "last", "to_review", "play_again", "undo", "redo", "swap", "another")
_TURN: Final = ("hint", "move_now")  # only one of them is shown; both have the same width
_SEARCH: Final = 96 + 12  # height of the figures, which the list of moves loses
_JUDGE_SECONDS: Final = 20.0  # time limit of the search for values
_LEAST: Final = 200  # minimum height of list and figures


class PlayMode(Mode):
    """Plays or watches a game."""

    name = PLAY
    has_switches = True

    def enter(self, now: float) -> None:
        self._verdicts = AssessmentCache()
        self._tree = SearchTree()

    def leave(self, now: float) -> None:
        super().leave(now)
        self.table.hints.drop(now)
        self._ask(None, now)

    def update(self, now: float) -> None:
        """Let the analyst search the shown position if the user wants its values."""
        is_free = self.table.dialog is None and not self.session.referee.job.is_rated
        if not self.table.hints.is_running:
            self._ask(judge_of(self.spec).kind if is_free and self._wants_judge else None, now)
        ply, report = self._weighed or (0, None)
        self._tree.follow(self.session.view.listed.at(ply), report, 0, now)

    def next_wake(self, now: float) -> float | None:
        return self._tree.next_wake(None if self._weighed is None else self._weighed[1])

    def _ask(self, judge: str | None, now: float) -> None:
        player = (
            None
            if judge is None
            else unbounded(judge, _JUDGE_SECONDS, self.person.preferences.value.analysis_megabytes)
        )
        if self.session.analysis is not None and self.session.analysis.player != player:
            self.session.do(play.Analyse(player), now)

    @property
    def _wants_judge(self) -> bool:
        """True if the analyst's values are shown: always, or where a user moves and no player has searched."""
        if not self.shows_values or self.person.preferences.value.values_of == "engine":
            return self.shows_values
        view = self.session.view
        is_users = not view.is_at_latest or self.session.referee.seat.is_user
        return is_users and self.session.history.tree.known(view.shown).report is None

    @property
    def _searched(self) -> tuple[int, SearchReport] | None:
        """The ply and report of the search whose figures are shown."""
        hint = self.table.hints.report
        found = hint or (self.session.shown_analysis if self._wants_judge else None)
        return self.session.view.report if found is None else (self.session.view.shown.ply, found)

    @property
    def _weighed(self) -> tuple[int, SearchReport] | None:
        """The search whose moves are shown as a tree: with details, and if there was a choice."""
        searched, has_details = self._searched, self.person.preferences.value.details
        return searched if has_details and searched is not None and not is_forced(searched[1]) else None

    def board(self, state: BoardState) -> BoardState:
        report = self.session.shown_analysis
        if not self._wants_judge or state.report is self.table.hints.report is not None:
            return state
        report = None if report is None or is_forced(report) else report
        return replace(state, report=report, losses=self.person.losses(report))

    @property
    def _lost(self) -> list[MoveAssessment]:
        """The assessments of the last move of each side, if the user wants to see losses."""
        session, shown = self.session, self.session.view.shown
        if not self.person.preferences.value.tells_losses or session.referee.job.is_rated:
            return []
        found = self._verdicts.of(session.history.tree, shown, session.referee.job.opening_plies)
        return [judgement for judgement in found[-2:] if judgement is not None]

    def marks(self) -> tuple[BoardMark, ...]:
        """Return the losses of the last moves."""
        return tuple(LossTag(each.move, *self.person.lost(each)) for each in self._lost)

    def remark(self) -> str:
        shown = self.session.view.shown
        told = ((labels.move(shown.at(each.ply), each.move), *self.person.lost(each)) for each in self._lost)
        return " · ".join(
            tr("losses.told", move=move, loss=", ".join(filter(None, (loss, labels.mistake(sign)))))
            for move, loss, sign in told
        )

    def side_panel(self, now: float) -> ui.Widget:
        session, shown = self.session, self.session.view.shown
        renderer, has_details = self.table.renderer, self.table.preferences.value.details
        hands = tuple(
            button(f"hand_{color.label}", self.table.place, other=session.next_seats[color].is_user) for color in Color
        )
        sides = tuple(
            card(session, renderer, color, hand=hand, has_details=has_details)
            for color, hand in zip(Color, hands, strict=True)
        )
        black, white = shown.rules.score(shown.position)
        score = ScoreBar(renderer, black, white, height=8)
        has_search = self.person.preferences.value.shows_values
        spare = _SEARCH if has_search else 0
        rest: list[ui.Widget] = [replace(self.table.move_list(spare=spare), height=_LEAST - spare)]
        if has_search:
            signs = self._legend(self._searched)
            tree = TreePanel(renderer, self._tree.seen, unfolds=False, grow=1) if has_details else None
            figures = search_panel(session.view.listed, self._searched, signs, self.style.palette, tree)
            rest.append(ui.Column((ui.Spacer(), figures), 12, grow=figures.grow))
        below = (turn_panel(session, renderer, self.style.palette) or score, ui.Spacer(height=16), *rest)
        narrow = ui.Column(tuple(map(flat, sides)), 8)
        return ui.FirstThatFits(
            (
                ui.Column((ui.Row(sides, 16, "fill"), ui.Spacer(height=16), *below), 0),
                ui.Column((narrow, ui.Spacer(height=8), *below, ui.Spacer(height=8), ui.Row(hands)), 0),
            )
        )

    def _legend(self, searched: tuple[int, SearchReport] | None) -> Sequence[ui.Widget]:
        """Return the legend of a search of the shown position, which comes with its ply."""
        shown, has_details = self.session.view.shown, self.person.preferences.value.details
        if searched is None or searched[0] != shown.ply or is_forced(searched[1]):
            return ()
        return [LegendSign(name) for name in reversed(legend_of(searched[1], has_details=has_details))]

    def footer(self) -> Footer:
        enabled, session = self.enabled(), self.session
        if session.referee.is_over and not session.referee.job.is_rated and session.next_game_at is None:
            return [self.control(name, enabled) for name in _SIDE_OVER], _SIDE_OVER[4:6]
        is_watched = session.referee.job.is_rated or session.seats.is_between_computers
        turn = "step" if is_watched else "hint" if session.awaits_person or session.referee.is_over else "move_now"
        return [self.control(turn if name == "turn" else name, enabled) for name in _SIDE], ("undo", turn)

    def enabled(self) -> dict[str, bool]:
        session = self.session
        return {
            **super().enabled(),
            "pause": session.allows(play.TogglePause),
            "step": session.allows(play.StepMoves),
            "move_now": session.allows(play.MoveNow),
            "hint": self.table.hints.is_possible,
            "resign": session.allows(play.Resign),
            "draw": session.allows(play.AgreeDraw),
        }

    def control(self, name: str, enabled: Mapping[str, bool]) -> ui.Button:
        """Return a button below the list of moves; `enabled`: which buttons are enabled."""
        is_hinted = self.table.hints.is_running or self.table.hints.report is not None
        is_paused = name == "pause" and self.session.pace.paused
        chosen = is_paused or (name == "hint" and is_hinted)
        shown = button(name, self.table.place, enabled=enabled.get(name, True), chosen=chosen, other=is_paused)
        if name not in _TURN:
            return shown
        return replace(shown, widest=tuple(actions.words(each, self.table.place)[0] for each in _TURN))


@dataclass(frozen=True)
class LossTag:
    """The loss of a move, drawn on the board."""

    square: Move
    loss: str
    sign: str  # of the mistake; empty: none

    def draw(self, surface: pygame.Surface, place: BoardLayout) -> None:
        palette = place.style.palette
        color = labels.sign_color(palette, self.sign) if self.sign else palette.right
        if self.square < place.squares:  # a pass has no square
            draw_tag(surface, place, self.square, f"{self.loss} {self.sign}".strip(), color)


_WAYS_ON: Final = ("hand_to", "programs")  # buttons that help after the failure of a player
_TITLES: Final = (20, 18, 16, 14)
_QUESTION: Final = 380  # width of a question


def turn_panel(session: Session, renderer: BoardRenderer, palette: ui.Palette) -> ui.Widget | None:
    """Return whose turn it is, or how the game has ended; None in games with discs, whose score says enough."""
    game, rules, is_at_latest = session.view.shown, session.game.rules, session.view.is_at_latest
    if rules.points == "discs":
        return None
    color: Color | None = game.to_move
    is_over, reason = game.is_over or (is_at_latest and session.referee.is_over), ""
    is_own = is_at_latest and not is_over and status_text.person(session) is color
    if is_over:
        outcome = game.outcome
        color = session.referee.winner if is_at_latest else None if outcome is None else outcome.winner
        title = status_text.ending(session) if is_at_latest else labels.outcome(rules, color)
    else:
        side = labels.side(rules, game.to_move)
        task, reason = renderer.task(game.position, game.last_move, is_own=is_own)
        if not task:
            title = tr("status.your_move") if is_own else tr("status.to_move", side=side)
        else:
            title = tr("turn.yours", task=task) if is_own else tr("turn.theirs", side=side, task=task)
    words = (ui.Label(title, 16, bold=True, sizes=(15, 14, 13, 12)), ui.Paragraph(reason, 13, max_lines=2))
    piece = () if color is None else (PieceIcon(renderer, color, 36),)
    line = ui.Row((*piece, ui.Column(words if reason else words[:1], 0, grow=1)), 16)
    fill, edge = (palette.chosen, palette.accent) if is_own else (palette.panel, palette.edge)
    return ui.Card(line, (16, 6), fill, edge, height=72)


def board_overlay(
    session: Session, view_state: BoardViewState, style: ui.Style, renderer: BoardRenderer
) -> ui.Widget | None:
    """Return the notice over the board: a question, a pass or an error; or None."""
    rules, color, palette = session.game.rules, session.game.to_move, style.palette
    offered = view_state.offered(session)
    if offered is not None:
        return _offer(session, offered, palette)
    if session.announces_pass and view_state.flip is None:
        words = *status_text.no_move(session), tr("pass.advice")
        return banner(renderer, palette, *words, color, play.Acknowledge())
    if view_state.shows_failure(session):
        failure, is_rated = session.worker.failure, session.referee.job.is_rated
        assert failure is not None
        title = tr("failure.title", name=labels.player_name(rules, session.seats, color))
        told = failure.sentence(), tr("failure.rated") if is_rated else ""
        lines = [ui.Paragraph(each, 13, palette.muted, align="center", max_lines=6) for each in told if each]
        lines.insert(0, ui.Paragraph(title, 16, bold=True, align="center", max_lines=3))
        names = "ask_again", *(() if is_rated else _WAYS_ON), "board"
        return question(
            palette, title, lines, names, palette.warning, Context.TOURNAMENT_GAME if is_rated else Context.GAME
        )
    return None


def _offer(session: Session, move: Move, palette: ui.Palette) -> ui.Widget:
    """Return the question whether to continue the game from the shown position."""
    shown = session.view.shown
    seats = session.history.tree.known(shown).seats or session.seats
    rules, color = shown.rules, shown.to_move
    if not seats[color].is_user:  # the computer chooses the move
        title, text = tr("offer.go_on"), tr("offer.computers", name=labels.player_name(rules, seats, color))
    else:
        title, text = tr("offer.title", move=labels.move(shown, move), number=shown.number + 1), tr("offer.text")
    words = (
        ui.Label(title, 16, bold=True, align="center", sizes=(15, 14, 13)),
        ui.Paragraph(text, 13, palette.muted, align="center", max_lines=3),
    )
    return question(palette, title, words, ("play_offered", "drop_offer"), palette.last_move)


def question(
    palette: ui.Palette,
    title: str,
    words: Sequence[ui.Widget],
    names: Sequence[str],
    edge: ui.RGB,
    place: Context = Context.GAME,
) -> ui.Widget:
    """Return text with buttons below it, the first one for Enter; `place`: the context of the buttons."""
    buttons = [button(name, place, height=38, grow=1) for name in names]
    buttons[0] = replace(buttons[0], kind="primary")
    rows = ui.FirstThatFits((ui.Row(buttons), ui.Column(buttons)))
    body = ui.Column(
        (ui.Column((*words, rows), 12), ui.Spacer(width=_QUESTION)), 0, group=title
    )  # narrower if there is less room
    return ui.Card(body, (20, 16), palette.panel, edge, 12, 2)


def banner(
    renderer: BoardRenderer, palette: ui.Palette, title: str, text: str, advice: str, color: Color, command: object
) -> ui.Widget:
    """Return an announcement about a side, with what follows and what to do next."""
    line = ui.Row(
        (
            ui.Spacer(grow=1),
            PieceIcon(renderer, color, 24),
            ui.Label(title, 20, bold=True, must_fit=True),
            ui.Spacer(grow=1),
        ),
        10,
    )
    head = ui.FirstThatFits((line, ui.Paragraph(title, 20, bold=True, align="center", max_lines=3)))
    lines = ((text, palette.muted), (advice, palette.text))
    rows = [head, *(ui.Paragraph(words, 14, shade, align="center", max_lines=4) for words, shade in lines)]
    return ui.Card(ui.Card(ui.Column(rows, 10), (24, 16), palette.raised, palette.last_move, 12, 2, command), (24, 0))


def result(
    session: Session,
    occasion: Sequence[str],
    now: float,
    style: ui.Style,
    renderer: BoardRenderer,
    *,
    has_details: bool,
) -> tuple[ui.Widget, ...]:
    """Return the result of the game, and a version with fewer words."""
    rules, palette = session.game.rules, style.palette
    details = [occasion[-1] if occasion else status_text.occasion(session, has_details=has_details)]
    if session.referee.forfeit is not None:
        details.insert(0, labels.fault(rules, session.referee.forfeit, status_text.contender(session)))
    details += filter(None, (status_text.next_game(session),))
    if session.next_game_at is not None:
        details.append(tr("results.countdown", seconds=max(1, round(session.next_game_at - now + 0.5))))
    black, white = rules.score(session.game.position)
    winner = session.referee.winner
    sides = []
    for color in Color:
        name = ui.Label(labels.player_name(rules, session.seats, color), 13, bold=True, align="center")
        sides.append(ui.Column((PieceIcon(renderer, color, 34, is_winner=color is winner), name), 8, grow=1))
    score, small = ([ui.Label(f"{black} : {white}", size, bold=True)] if rules.points else [] for size in (32, 24))
    pieces = [PieceIcon(renderer, color, 24, is_winner=color is winner) for color in Color]
    brief = ui.Row((ui.Spacer(grow=1), pieces[0], *small, pieces[1], ui.Spacer(grow=1)), 12)
    title = ui.Label(status_text.ending(session), 20, bold=True, align="center", sizes=_TITLES)
    facts = ui.Column([ui.Label(each, 13, palette.muted, align="center", sizes=(12, 11)) for each in details], 2)
    choices = (title, ui.Row((sides[0], *score, sides[1]), 8), facts), (title, brief)
    is_rated = session.referee.job.is_rated
    ways = ("again",) if is_rated else ("again", "look_back")[:: 1 if session.history.is_played_here else -1]
    names, place = (*ways, "board"), Context.TOURNAMENT_GAME if is_rated else Context.GAME
    ending = status_text.ending(session)
    return tuple(question(palette, ending, words, names, palette.accent, place) for words in choices)


class PieceIcon(ui.Widget):
    """A side's piece, with a halo for the winner."""

    renderer: BoardRenderer
    color: Color
    diameter: float
    is_winner: bool = False

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(self.diameter + 10, self.diameter + 10)

    def draw(self, on: ui.PaintContext) -> None:
        size = on.style.px(self.diameter)
        if self.is_winner:
            on.image(ui.circle(size + on.style.px(10), on.style.palette.accent), at=on.rect.center)
        self.renderer.draw_piece(on.surface, on.rect.center, size, self.color)


class StatusIcon(ui.Widget):
    """A disc with a sign: `check`, `cross`, or a letter."""

    color: ui.RGB
    sign: str

    def draw(self, on: ui.PaintContext) -> None:
        px, color, centre = on.style.px, on.style.palette.panel, on.rect.center
        on.image(ui.circle(px(30), self.color), at=centre)
        if self.sign == "check":
            ui.draw_check(on.surface, color, centre, on.rect.width // 2)
        elif self.sign == "cross":
            on.image(ui.cross(px(14), px(3), color), at=centre)
        else:
            on.text(centre, self.sign, 18, color, anchor="center", bold=True)
