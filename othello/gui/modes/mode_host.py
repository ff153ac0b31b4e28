"""The part of the game screen that modes use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.gui import labels, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.game_files import Files
from othello.gui.mode_registry import PLAY
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen
from othello.gui.widgets.board_widget import BOARD, BoardPanel
from othello.gui.widgets.figures import is_forced
from othello.gui.widgets.hints import Hints
from othello.gui.widgets.move_list import MOVES, Listing, MoveList, listing, shape
from othello.gui.widgets.view_state import BoardViewState
from othello.play.assessment import Limits, MoveAssessment, in_discs, losses_of
from othello.play.session import Session
from othello.rules.protocol import Move, Square
from othello.search.report import Line, SearchReport, Unit
from othello.study.library import Library
from othello.study.repertoire import Repertoire
from othello.study.training import Deck
from othello.texts import tr

if TYPE_CHECKING:
    from othello.store.database import Store
    from othello.study.explorer import Explorer


class UserProfile(FrozenDataclass):
    """The user's settings, exercises and openings."""

    preferences: PreferencesFile
    deck: Deck
    repertoire: Repertoire

    @property
    def limits(self) -> Limits:
        """The losses from which a move is an inaccuracy, a mistake or a blunder."""
        wanted = self.preferences.value
        return Limits(wanted.inaccuracy, wanted.mistake, wanted.blunder)

    @property
    def due(self) -> dict[str, int]:
        """The number of exercises and of openings that are due today."""
        return {"mistakes": len(self.deck.due()), "openings": len(self.repertoire.due())}

    def losses(self, report: SearchReport | None) -> dict[Move, tuple[str, str]]:
        """Return the loss of each move of a search as text, with the sign of the mistake or an empty string."""
        if report is None:
            return {}
        return {move: self._loss_text(loss, report.unit) for move, loss in losses_of(report).items()}

    def lost(self, judgement: MoveAssessment) -> tuple[str, str]:
        """Return the loss of a played move as text, with the sign of the mistake or an empty string."""
        return self._loss_text(judgement.loss, judgement.unit)

    def _loss_text(self, loss: float, unit: Unit) -> tuple[str, str]:
        mistake = self.limits.of(in_discs(loss, unit))
        return labels.loss(loss, unit), "" if mistake is None else labels.SIGNS[mistake.value]


class Storage(FrozenDataclass):
    """The stores of the user's data. By default, the data is lost when the window is closed."""

    preferences: PreferencesFile | None = None  # None: the defaults
    library: Library | None = None  # games
    deck: Deck = field(default_factory=Deck)  # exercises
    repertoire: Repertoire = field(default_factory=Repertoire)  # openings
    store: Callable[[], Store] | None = None  # opens the database of games


class ModeHost(Screen):
    """The part of the game screen that modes use: the session, its services, and the state of the view."""

    def __init__(self, session: Session, size: ui.Point, storage: Storage) -> None:
        self.session = session
        super().__init__(session.game.rules.spec, storage.preferences or PreferencesFile(), size)
        self.person = UserProfile(self.preferences, storage.deck, storage.repertoire)
        self.files = Files(storage.library, session, lambda: self.renderer)
        self._store = storage.store
        self.view_state = BoardViewState()
        self.left_mode = PLAY  # name of the mode before the current one
        self.hints = Hints(session)
        self._explorer: Explorer | None = None
        self._captures: tuple[AnyGame, tuple[Mapping[Move, int], Mapping[Move, int]]] | None = None
        self._listed: tuple[object, Listing] | None = None

    @property
    def explorer(self) -> Explorer:
        """The explorer of the database, which is created when it is first used."""
        if self._explorer is None:
            from othello.study.explorer import Explorer

            self._explorer = Explorer(self._store)
        return self._explorer

    def close(self) -> None:
        """Wait until all files are written, and close the database."""
        self.files.close()
        if self._explorer is not None:
            self._explorer.close()

    @property
    def base_context(self) -> Context:
        return Context.TOURNAMENT_GAME if self.session.referee.job.is_rated else Context.GAME

    @property
    def letters(self) -> str:
        return self.renderer.letters

    @property
    def board_place(self) -> BoardLayout | None:
        """The layout of the board; None while no board is shown."""
        placed = self.widgets.find(BOARD)
        if placed is None or not isinstance(placed.widget, BoardPanel):
            return None
        return placed.widget.layout_in(self.style, placed.rect)

    def board_state(self) -> BoardState:
        """Return the state of the board in the mode Play."""
        session, view_state, shown = self.session, self.view_state, self.session.view.shown
        wanted = self.preferences.value
        hint = self.hints.report
        report = self._values(hint or session.history.tree.known(shown).report)
        is_forfeited = session.view.is_at_latest and session.referee.forfeit is not None
        captures, others = self.captures(shown) if view_state.flip is None and not is_forfeited else ({}, {})
        shows_counts = wanted.shows_captures and hint is None and self.renderer.has_captures
        return BoardState(
            position=shown.position,
            captures=captures,
            is_choice=not session.view.is_at_latest or session.referee.player.is_user,
            shows_counts=shows_counts,
            others=others if shows_counts and self.has_both else None,
            shows_legal=wanted.shows_legal,
            shows_coordinates=wanted.shows_coordinates,
            report=report,
            losses=self.person.losses(report),
            has_details=wanted.details,
            shows_bounds=wanted.details and wanted.values_by == "bound",
            hint=None if hint is None else hint.move,
            last_move=shown.last_move if wanted.shows_last_move else None,
            cursor=view_state.cursor,
            typed=view_state.typed,
            hover=view_state.hover,
            flip=view_state.flip,
            is_over=is_forfeited,
        )

    def _values(self, report: SearchReport | None) -> SearchReport | None:
        """Return a report if its values are on display."""
        is_shown = report is not None and not is_forced(report) and self.preferences.value.shows_values
        return report if is_shown else None

    def advice(self, picked: tuple[Square, ...]) -> str:
        """Return what to type or choose next; empty if no move is begun."""
        if self.view_state.typed is not None:
            return self.view_state.typed.advice
        return tr("status.picked", square=self.renderer.square_name(picked[-1])) if picked else ""

    @property
    def has_both(self) -> bool:
        """True if the captures of both sides are shown."""
        return self.renderer.has_captures and self.preferences.value.captures_of == "both"

    def captures(self, game: AnyGame) -> tuple[Mapping[Move, int], Mapping[Move, int]]:
        """Return the number of captures of each legal move, and of each move of the opponent if it were to move.

        The result is cached for the last position.
        """
        if self._captures is None or self._captures[0] is not game:
            rules, others = game.rules, dict[Move, int]()
            legal = () if game.must_pass else game.legal_moves()
            if self.renderer.has_captures and not game.is_over:
                position: Any = game.position
                turned = replace(position, to_move=game.to_move.opponent)
                moves = (move for move in rules.legal_moves(turned) if not rules.is_pass(move))
                others = {move: len(rules.captured(turned, move)) for move in moves}
            self._captures = game, ({move: len(rules.captured(game.position, move)) for move in legal}, others)
        return self._captures[1]

    def move_list(self, signs: Mapping[Line, str] | None = None, *, spare: float = 0) -> MoveList:
        """Return the list of moves, whose entries are cached until the tree changes.

        Args:
            signs: signs of mistakes by the lines that end with them.
            spare: as in `MoveList`.
        """
        tree, signs = self.session.history.tree, signs or {}
        seen = tree.line.positions[0], tree.line.moves, shape(tree.root), signs
        if self._listed is None or self._listed[0] != seen:
            self._listed = seen, listing(tree, signs)
        row = self.view_state.first_row
        shown = self.session.view.shown.moves
        return MoveList(self.renderer, self._listed[1], shown, row, spare, name=MOVES, grow=True, height=104)
