"""The mode Play."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pygame

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import actions, labels, ui
from othello.gui.actions import BROWSE
from othello.gui.boards.board_layout import BoardLayout, BoardState, draw_tag
from othello.gui.mode_registry import PLAY
from othello.gui.modes.mode import Mode
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.gui.widgets.figures import is_forced, legend, search_panel
from othello.gui.widgets.hints import unbounded
from othello.gui.widgets.overlays import turn_panel
from othello.gui.widgets.search_tree import SearchTree, TreePanel
from othello.gui.widgets.side_cards import ScoreBar, card, flat
from othello.play import session_commands as cmd
from othello.play.assessment import AssessmentCache, MoveAssessment, default_analyst
from othello.rules.protocol import Color, Square
from othello.search.report import SearchReport
from othello.texts import tr

_CHANGE: Final = ("undo", "redo", "swap", "step_move")
_TURN: Final = ("hint", "move_now")  # only one of them is shown; both have the same width
_JUDGE_SECONDS: Final = 20.0  # time limit of the search for values


class PlayMode(Mode):
    """Plays or watches a game."""

    name = PLAY
    has_switches = True

    def enter(self, now: float) -> None:
        self._verdicts = AssessmentCache()
        self._tree = SearchTree()

    def leave(self, now: float) -> None:
        super().leave(now)
        self.host.hints.drop(now)
        self._ask(None, now)

    def update(self, now: float) -> None:
        """Let the analyst search the shown position if the user wants its values."""
        is_free = self.host.dialog is None and not self.session.referee.job.is_rated
        if not self.host.hints.is_running:
            self._ask(default_analyst(self.spec).kind if is_free and self._wants_judge else None, now)
        ply, report = self._weighed or (0, None)
        self._tree.follow(self.session.view.listed.at(ply), report, 0, now)

    def next_wake(self, now: float) -> float | None:
        return self._tree.next_wake(None if self._weighed is None else self._weighed[1])

    def _ask(self, judge: str | None, now: float) -> None:
        megabytes = self.person.preferences.value.analysis_megabytes
        player = None if judge is None else unbounded(judge, _JUDGE_SECONDS, megabytes)
        if self.session.analysis is not None and self.session.analysis.player != player:
            self.session.do(cmd.Analyse(player), now)

    @property
    def _wants_judge(self) -> bool:
        """True if the analyst's values are shown: always, or where a user moves and no player has searched."""
        if not self.shows_values or self.person.preferences.value.values_of == "engine":
            return self.shows_values
        view = self.session.view
        is_users = not view.is_at_latest or self.session.referee.player.is_user
        return is_users and self.session.history.tree.known(view.shown).report is None

    @property
    def _searched(self) -> tuple[int, SearchReport] | None:
        """The ply and report of the search whose figures are shown."""
        hint = self.host.hints.report
        report = hint or (self.session.shown_analysis if self._wants_judge else None)
        return self.session.view.report if report is None else (self.session.view.shown.ply, report)

    @property
    def _weighed(self) -> tuple[int, SearchReport] | None:
        """The search whose moves are shown as a tree: with details, and if there was a choice."""
        searched, has_details = self._searched, self.person.preferences.value.details
        return searched if has_details and searched is not None and not is_forced(searched[1]) else None

    def board(self, state: BoardState) -> BoardState:
        if not self._wants_judge or state.report is self.host.hints.report is not None:
            return state
        report = self.session.shown_analysis
        report = None if report is None or is_forced(report) else report
        return replace(state, report=report, losses=self.person.losses(report))

    @property
    def _lost(self) -> list[MoveAssessment]:
        """The assessments of the last move of each side, if the user wants to see losses."""
        session, shown = self.session, self.session.view.shown
        if not self.person.preferences.value.shows_losses or session.referee.job.is_rated:
            return []
        assessments = self._verdicts.of(session.history.tree, shown, session.referee.job.opening_plies)
        return [judgement for judgement in assessments[-2:] if judgement is not None]

    def marks(self) -> tuple[BoardMark, ...]:
        """Return the losses of the last moves."""
        squares_of = self.session.game.rules.squares_of
        return tuple(
            LossTag(square, *self.person.lost(judgement))
            for judgement in self._lost
            for square in squares_of(judgement.move)[-1:]  # a pass has no square
        )

    def remark(self) -> str:
        shown, texts = self.session.view.shown, []
        for judgement in self._lost:
            loss, sign = self.person.lost(judgement)
            words = ", ".join(filter(None, (loss, labels.mistake(sign))))
            move = labels.move(shown.at(judgement.ply), judgement.move)
            texts.append(tr("losses.announcement", move=move, loss=words))
        return " · ".join(texts)

    def side_panel(self, now: float) -> ui.Widget:
        session, shown = self.session, self.session.view.shown
        renderer, has_details = self.host.renderer, self.host.preferences.value.details
        sides, hands = [], []
        for color in Color:
            other = session.next_players[color].is_user
            hands.append(button(f"hand_{color.label}", self.host.base_context, other=other))
            sides.append(card(session, renderer, color, hand=hands[-1], has_details=has_details))
        black, white = shown.rules.score(shown.position)
        score = ScoreBar(renderer, black, white, height=8)
        has_search = self.person.preferences.value.shows_values
        spare = 108 if has_search else 0
        rest: list[ui.Widget] = [replace(self.host.move_list(spare=spare), height=200 - spare)]
        if has_search:
            searched = self._searched
            signs: Sequence[ui.Widget] = ()
            if searched is not None and searched[0] == shown.ply and not is_forced(searched[1]):
                signs = legend(searched[1], self.style.palette, has_details=has_details)
            tree = TreePanel(renderer, self._tree.seen, unfolds=False, grow=True) if has_details else None
            figures = search_panel(session.view.listed, searched, signs, self.style.palette, tree)
            rest.append(ui.Column((ui.Spacer(), figures), 12, grow=figures.grow))
        below = (turn_panel(session, renderer, self.style.palette) or score, ui.Spacer(height=16), *rest)
        gap, narrow = ui.Spacer(height=8), ui.Column([*map(flat, sides)], 8)
        wide = ui.Column((ui.Row(sides, 16, "fill"), ui.Spacer(height=16), *below), 0)
        return ui.FirstThatFits((wide, ui.Column((narrow, gap, *below, gap, ui.Row(hands)), 0)))

    def footer(self) -> Footer:
        enabled, session = self.enabled(), self.session
        if session.referee.is_over and not session.referee.job.is_rated and session.next_game_at is None:
            names = [*BROWSE, "to_review", "play_again", *_CHANGE, "another"]
            return [self.control(name, enabled) for name in names], ("to_review", "play_again")
        is_watched = session.referee.job.is_rated or session.players.is_between_computers
        turn = "step" if is_watched else "hint" if session.awaits_user or session.referee.is_over else "move_now"
        names = [*BROWSE, "pause", turn, *_CHANGE, "resign", "draw"]
        return [self.control(name, enabled) for name in names], ("undo", turn)

    def enabled(self) -> dict[str, bool]:
        session = self.session
        return {
            **super().enabled(),
            "pause": session.allows(cmd.TogglePause),
            "step": session.allows(cmd.StepMoves),
            "move_now": session.allows(cmd.MoveNow),
            "hint": self.host.hints.is_possible,
            "step_move": session.view.shown.ply > session.referee.job.opening_plies,
            "resign": session.allows(cmd.Resign),
            "draw": session.allows(cmd.AgreeDraw),
        }

    def control(self, name: str, enabled: Mapping[str, bool]) -> ui.Button:
        """Return a button below the list of moves; `enabled`: which buttons are enabled."""
        is_hinted = self.host.hints.is_running or self.host.hints.report is not None
        is_paused = name == "pause" and self.session.pace.paused
        chosen = is_paused or (name == "hint" and is_hinted)
        shown = button(name, self.host.base_context, enabled=enabled.get(name, True), chosen=chosen, other=is_paused)
        if name not in _TURN:
            return shown
        return replace(shown, widest=tuple(actions.words(action, self.host.base_context)[0] for action in _TURN))


class LossTag(FrozenDataclass):
    """The loss of a move, drawn on the board."""

    square: Square  # the one that the move enters
    loss: str
    sign: str  # of the mistake; empty: none

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        palette = layout.style.palette
        color = labels.sign_color(palette, self.sign) if self.sign else palette.right
        draw_tag(surface, layout, self.square, f"{self.loss} {self.sign}".strip(), color)
