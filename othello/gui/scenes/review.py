"""The mode that looks back on a game: how well both sides played it, and which moves lost most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pygame
from pygame import Rect

from othello.gui import bars
from othello.gui import commands as gui
from othello.gui import mode_commands as modes
from othello.gui.actions import Where
from othello.gui.commands import Command
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.scenes import coach, retrospect
from othello.gui.scenes.evaluation import Evaluation
from othello.gui.scenes.mode import PLAY, Mode, Person
from othello.gui.views import curve
from othello.gui.views import review as view
from othello.gui.views.review import ReviewState
from othello.gui.views.review_layout import MOST, Places, places
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.history import Ended, History
from othello.play.judging import Judgement, Verdicts, choices, worst
from othello.play.session import Session
from othello.play.training import Exercise
from othello.rules.protocol import Color
from othello.texts import say

_SCROLL: Final = 48  # design pixels that a turn of the wheel scrolls
_BESIDE_HEADING: Final = ("stop_analysis", "analyse_game", "copy", "play_again")
_EXERCISES: Final = 5  # a game gives so many at least, where there were so many mistakes
_CARDS: Final = tuple(f"worst_{number}" for number in range(1, MOST + 1))


class ReviewMode(Mode):
    """What the analysis of the whole game says of both sides."""

    name = "review"
    shows_game = False
    fills_window = True

    def __init__(self, session: Session, now: float, person: Person) -> None:
        super().__init__(session, now, person)
        self._verdicts = Verdicts()
        self._evaluation = Evaluation(session)
        self._shows_both = False
        self._scrolled = self._room = 0
        self._holds_curve = False
        self._history: History | None = None
        self._asked: tuple[object, ...] = ()
        self._state: ReviewState | None = None
        self._worst: Sequence[Judgement] = ()
        self._exercises: Sequence[Exercise] = ()  # the person's own mistakes in this game

    # What is known.

    @property
    def _judgements(self) -> list[Judgement | None]:
        history = self.session.history
        return self._verdicts.of(history.tree, history.tree.line, history.referee.job.opening_plies)

    @property
    def _missing(self) -> int:
        """How many choices nobody has judged yet."""
        history = self.session.history
        judged = sum(judgement is not None for judgement in self._judgements)
        return len(choices(history.tree.line, history.referee.job.opening_plies)) - judged

    @property
    def _has_own(self) -> bool:
        """Whether somebody made a move that could be judged, and not only computers did."""
        return any(each is not None and each.is_persons for each in self._judgements)

    @property
    def _kind(self) -> str:
        """What the game is judged in."""
        return "discs" if self._evaluation.has_discs else "chance"

    @property
    def _note(self) -> str:
        """How accuracy is worked out."""
        return say(f"review.formula_{self._kind}")

    # Commands.

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        style, at = layout.style, self._places(layout)
        px, height = style.px, style.px(bars.BUTTON_HEIGHT)
        found = dict(self._beside_heading(layout, at.heading))
        x, y = at.switch(style)
        for name in ("worst_own", "worst_both") if self._has_own else ():
            found[name] = Rect(x, y, bars.width_of(style, name, Where.GAME), height)
            x += found[name].width
        width = bars.width_of(style, "try_again", Where.GAME) + px(24)  # its words are larger
        found["try_again"] = Rect(at.worst.right - px(16) - width, at.worst.top + px(12), width, height)
        for name, card, _ in zip(_CARDS, at.boards, self._worst, strict=False):
            left = at.board(style, card).right + px(12)
            width = min(card.right - px(12) - left, px(200))
            found[name] = Rect(left, card.bottom - px(12) - height, width, height)
        page = at.page.inflate(px(8), px(8))
        return {name: rect for name, rect in found.items() if page.contains(rect)}

    def _beside_heading(self, layout: Layout, heading: Rect) -> Iterator[tuple[str, Rect]]:
        """Copy and play again, and what concerns the analysis, from the right."""
        style, x, is_judging = layout.style, heading.right, self.session.is_judging
        for name in reversed(_BESIDE_HEADING):
            is_wanted = {"stop_analysis": is_judging, "analyse_game": not is_judging and self._missing > 0}
            if is_wanted.get(name, True):
                width = bars.width_of(style, name, Where.GAME)
                x -= width
                yield name, Rect(x, heading.centery - style.px(16), width, style.px(bars.BUTTON_HEIGHT))
                x -= style.px(8)

    def _places(self, layout: Layout) -> Places:
        heading = Rect(0, 0, layout.window.width - layout.style.px(24), 0)
        left = min((rect.left for _, rect in self._beside_heading(layout, heading)), default=heading.right)
        return places(layout, retrospect.title(self.session), self._note, left, self._scrolled)

    def button_states(self) -> Mapping[str, ButtonState]:
        return {
            "worst_own": ButtonState(selected=not self._shows_both),
            "worst_both": ButtonState(selected=self._shows_both),
            "try_again": ButtonState(enabled=bool(self._exercises)),
        }

    def do(self, command: Command, layout: Layout, now: float) -> Command | bool:
        match command:
            case play.NewGame():
                self.session.do(command, now)
                return gui.SwitchMode(PLAY)
            case play.AnalyseGame() if self.session.is_judging:
                return play.StopAnalysing()
            case modes.ShowWorst(of_both):
                self._shows_both = of_both
            case modes.VisitWorst(index):
                return self._visit(index, now)
            case modes.TryAgain() | gui.Confirm():
                return self._try_again()
            case gui.Dismiss():
                return gui.SwitchMode(PLAY)
            case gui.Type(letter):
                return self._visit(int(letter) - 1, now) if letter.isdigit() else True
            case gui.MoveCursor(columns, rows):
                if columns:
                    self.session.do(play.Browse(columns), now)
                self._scroll(rows, layout)
            case gui.Scroll(rows):
                self._scroll(rows, layout)
            case gui.PressAt() | gui.PointAt() | gui.Release():
                return self._follow_mouse(command, layout, now)
            case gui.NextLegal() | gui.Hint() | play.Acknowledge() | play.SwapSides() | play.HandOver():
                return True
            case _:
                return False
        return True

    def _visit(self, index: int, now: float) -> Command | bool:
        """Look at the position before one of the worst moves."""
        if not 0 <= index < len(self._worst):
            return True
        self.session.do(play.Visit(self.session.history.tree.line.at(self._worst[index].ply)), now)
        return gui.SwitchMode("analyse")

    def _try_again(self) -> Command | bool:
        if not self._exercises:
            return True
        self.person.deck.add(self._exercises)
        self.person.deck.wanted = tuple(self._exercises)
        return gui.SwitchMode("train")

    def _follow_mouse(self, command: Command, layout: Layout, now: float) -> Command | bool:
        at, point = self._places(layout), getattr(command, "at", None)
        if isinstance(command, gui.PressAt):
            card = at.card_at(len(self._worst), command.at)
            if card is not None:
                return self._visit(card, now)
            self._holds_curve = at.curve is not None and at.curve.collidepoint(command.at)
        elif isinstance(command, gui.Release):
            self._holds_curve = False
        if self._holds_curve and point is not None and at.curve is not None and self._state is not None:
            ply = curve.ply_at(layout.style, at.curve, self._state.curve.plies, point, is_held=True)
            if ply is not None:
                line = self.session.history.tree.line
                self.session.do(play.Visit(line.at(min(ply, line.ply))), now)
        return isinstance(command, gui.PressAt)

    def _scroll(self, rows: int, layout: Layout) -> None:
        most = self._places(layout).longest
        self._scrolled = min(max(0, self._scrolled + rows * layout.style.px(_SCROLL)), most)

    # What is shown.

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        history = self.session.history
        if self._history is not history:
            self._history, self._scrolled = history, 0
            if self._missing and self.session.referee.is_over:
                self.session.do(play.AnalyseGame(), now)
        self._scroll(0, layout)
        judgements, analysis = self._judgements, self.session.game_analysis
        share = analysis.share if analysis is not None and self.session.is_judging else None
        drawn = self._evaluation.curve(self.person.limits)
        asked = (id(judgements), drawn, self.person.limits, self._shows_both, share, self.session.game)
        if asked != self._asked:
            self._asked = asked
            self._exercises = retrospect.exercises(self.session, judgements, self.person.limits)
            self._state = self._look_back(judgements, drawn, share)
            if share is None and not self._missing:
                self.person.deck.add(self._exercises)

    def hear(self, ended: Ended) -> None:
        self._asked = ()

    def _look_back(
        self, judgements: Sequence[Judgement | None], drawn: curve.CurveState, share: float | None
    ) -> ReviewState:
        session, limits, kind = self.session, self.person.limits, self._kind
        is_own = self._has_own and not self._shows_both
        self._worst = worst((each for each in judgements if each and (each.is_persons or not is_own)), limits, MOST)
        return ReviewState(
            title=retrospect.title(session),
            winner=session.referee.winner,
            sides=tuple(retrospect.side(session, judgements, color, limits) for color in Color),
            lost=(say(f"review.lost_{kind}"), say("review.on_average")),
            note=self._note,
            curve=drawn,
            subject=say(f"review.curve_{kind}"),
            how=retrospect.certainty(judgements),
            worst=tuple(retrospect.worst(session.history.tree.line, each, limits) for each in self._worst),
            empty=self._nothing(),
            training=self._training(),
            progress=share,
        )

    def _training(self) -> str:
        """How many mistakes can be tried again, or why none of those that are seen."""
        if self._has_own:
            return say("review.tries", n=len(self._exercises))
        return say("review.not_yours") if self._worst else ""

    def _nothing(self) -> str:
        """Why there are no worst moves to be seen."""
        session = self.session
        if not session.history.tree.line.moves:
            return say("review.no_game")
        if self.session.is_judging:
            return say("review.running")
        if session.game_analysis is not None and session.game_analysis.failure:
            return session.game_analysis.failure.sentence()
        if self._missing:
            return say("review.not_analysed")
        return say("review.faultless")

    def look(self) -> object:
        return self._state, self._scrolled

    def board(self, state: BoardState) -> BoardState:
        return BoardState(state.position)  # which is not drawn: nothing else of it needs drawing anew

    def status(self) -> str:
        analysis = self.session.game_analysis
        if analysis is not None and analysis.is_running:
            return say("review.progress", done=analysis.done, total=analysis.total)
        if self.person.deck.notice is not None:
            return coach.deck_notice(self.person.deck.notice)
        return retrospect.story(self.session, self._judgements, self.person.limits) or " "

    def status_place(self, layout: Layout) -> Rect:
        return self._places(layout).status

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        if self._state is not None:
            at = self._places(layout)
            left, right = (self.buttons(layout).get(name) for name in ("worst_both", "try_again"))
            view.draw(surface, layout, face, at, self._state)
            if right is not None:
                start = at.worst.left + layout.style.px(200) if left is None else left.right
                view.draw_training(surface, layout.style, (start, right), self._state.training)
