"""A game with undo and redo, and the data of every position of its tree."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import TypeAlias

from othello.config import PlayerConfig
from othello.errors import OutputError, Reason
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, GameTree, Node
from othello.play.clock import Clock
from othello.play.players import Players
from othello.play.referee import GameJob, Referee
from othello.records.record import GameRecord
from othello.rules.protocol import Move
from othello.search.report import SearchReport


class PositionState(FrozenDataclass):
    """The data of a position."""

    players: Players | None = None  # the players when the game last left it; None: it was never played
    # both sides' times at the start of the turn, or when it was taken back
    clock: Clock = field(default_factory=Clock)
    report: SearchReport | None = None  # the last search of the player to move
    # the last report of each player that has analysed it
    analyses: Mapping[PlayerConfig, SearchReport] = field(default_factory=dict)
    note: str = ""


Tree = GameTree[PositionState]


class _Change(FrozenDataclass):
    """An edit of the tree, with the data that undoes it."""

    line: AnyGame  # the line to the edited position
    made_at: tuple[Move, ...]  # the game's moves after the edit


class Annotated(_Change):
    """A note was changed; `note` is the former one."""

    note: str


class Deleted(_Change):
    """A line was deleted; `node` was its last node, at index `place` among its siblings."""

    node: Node[PositionState]
    place: int


class Restored(_Change):
    """A line was restored."""


class MainlineChanged(_Change):
    """The game was continued from another position; it was `line`, and with the moves taken back `ahead`."""

    ahead: AnyGame
    players: Players


Edit: TypeAlias = Annotated | Deleted | Restored | MainlineChanged


class History:
    """A game of a session: its referee, and a tree in which play, undo and redo move."""

    def __init__(self, job: GameJob, start: AnyGame | Tree, date: str = "") -> None:
        """Start a game at `start`; an empty date means now."""
        # all moves and variations
        self.tree = start if isinstance(start, GameTree) else Tree.of(start, PositionState())
        self.referee = Referee(job, self.tree.game)  # its game is always the main line of the tree
        self.referee.clock = self.tree.known(self.tree.game).clock
        self.date = date or time.strftime("%Y-%m-%dT%H:%M:%S")  # start of the game, as 2026-01-31T18:30:00
        # the game was over once: it is not recorded again if moves are taken back and it continues
        self.is_recorded = False
        self.edits: list[Edit] = []  # that the user has made, in order
        self._undone: list[Edit] = []

    @property
    def game(self) -> AnyGame:
        return self.referee.game

    @property
    def is_begun(self) -> bool:
        """True if a player has moved after the opening."""
        return self.game.ply > self.referee.job.opening_plies

    def remember(self, game: AnyGame, **changes: object) -> None:
        """Change fields of the `PositionState` of a position."""
        self.tree = self.tree.know(game, replace(self.tree.known(game), **changes))  # type: ignore[arg-type]

    def analysis_by(self, game: AnyGame, player: PlayerConfig | None) -> SearchReport | None:
        """Return the analysis of a position by a player, or None."""
        return None if player is None else self.tree.known(game).analyses.get(player)

    def store_analysis(self, game: AnyGame, player: PlayerConfig, report: SearchReport) -> None:
        """Store the analysis of a position by a player."""
        self.remember(game, analyses={**self.tree.known(game).analyses, player: report})

    def begin_turn(self, now: float) -> None:
        """Store the players and the times of the current position."""
        referee = self.referee
        referee.set_paused(now)
        self.remember(self.game, players=referee.players, clock=referee.clock)

    def play(self, move: Move) -> None:
        self._undone.clear()
        self.referee.play(move)
        self.tree = self.tree.to(self.referee.game)

    def record_result(self, write: Callable[[GameRecord], None] | None) -> Reason | None:
        """Record the finished game, and return the reason if that fails."""
        self.is_recorded = True
        try:
            if write is not None:
                moments = self.tree.along(self.game)
                write(self.referee.record([moment.report for moment in moments[: self.game.ply]]))
        except OutputError as error:
            return error.reason
        return None

    @property
    def is_played_here(self) -> bool:
        """True if all moves since the opening were played here, as in every tournament game."""
        if self.referee.job.is_rated:
            return True  # an unfinished game is read from a file
        moments = self.tree.along(self.game)[self.referee.job.opening_plies : self.game.ply]
        return all(moment.players is not None for moment in moments)

    def annotate(self, line: AnyGame, note: str) -> None:
        if note != self.tree.known(line).note:
            self._edit(Annotated(line, self.game.moves, note))

    def delete(self, line: AnyGame) -> None:
        self._edit(Restored(line, self.game.moves))

    def continue_from(self, to: AnyGame, now: float) -> None:
        """Continue the game from any position of the tree."""
        before = MainlineChanged(self.game, to.moves, self.tree.line, self.referee.players)
        self.stand_at(to, now)
        self.edits.append(before)
        self._undone.clear()

    def _edit(self, inverse: Edit) -> None:
        """Carry out the edit that `inverse` would undo."""
        self.edits.append(self._take_back(inverse, 0.0))
        self._undone.clear()

    @property
    def undone_next(self) -> Edit | None:
        """The edit that undo takes back; None: undo takes back a move."""
        ply = self.game.ply
        edit = self.edits[-1] if self.edits else None
        return edit if edit is not None and edit.made_at[:ply] == self.game.moves else None

    @property
    def redone_next(self) -> Edit | None:
        """The edit that redo repeats; None: redo repeats a move."""
        edit = self._undone[-1] if self._undone else None
        is_reached = edit is not None and self.game.moves[: len(edit.made_at)] == edit.made_at
        return edit if is_reached else None

    def undo_edit(self, now: float) -> None:
        """Undo the last edit."""
        self._undone.append(self._take_back(self.edits.pop(), now))

    def redo_edit(self, now: float) -> None:
        """Redo the last undone edit."""
        self.edits.append(self._take_back(self._undone.pop(), now))

    def _take_back(self, edit: Edit, now: float) -> Edit:
        """Undo an edit, and return its inverse."""
        tree, line = self.tree, edit.line
        match edit:
            case Annotated(note=note):
                self.remember(line, note=note)
                return replace(edit, note=tree.known(line).note)
            case Deleted(node=node, place=place):
                self.tree = tree.restored(line, node, place)
                return Restored(line, edit.made_at)
            case Restored():
                place = tree.variations(line.at(line.ply - 1)).index(line.moves[-1])
                self.tree = tree.without(line)
                return Deleted(line, edit.made_at, tree.node(line) or Node(tree.blank), place)
            case MainlineChanged(ahead=ahead, players=players):
                inverse = MainlineChanged(self.game, line.moves, tree.line, self.referee.players)
                self.tree = tree.to(ahead)
                self.stand_at(line, now)
                self.referee.players = players
                return inverse

    @property
    def undo_ply(self) -> int | None:
        """The ply that undo returns to: the user's last move, or the last move if only computers play."""
        return max((ply for ply in self._choices() if ply < self.game.ply), default=None)

    @property
    def redo_ply(self) -> int | None:
        """The ply that redo goes to."""
        end = self.tree.line.ply
        return min((ply for ply in (*self._choices(), end) if ply > self.game.ply), default=None)

    def go(self, ply: int, now: float) -> None:
        """Undo or redo moves up to a ply, and restore the times and players of that position."""
        self.stand_at(self.tree.line.at(ply), now)
        players = self.tree.known(self.game).players
        self.referee.players = players or self.referee.players

    def stand_at(self, game: AnyGame, now: float) -> None:
        """Move the game to any position of the tree, and restore its times."""
        referee = self.referee
        referee.set_paused(now)
        self.remember(self.game, clock=referee.clock)
        self.tree = self.tree.to(game)
        moment = self.tree.known(game)
        referee.game, referee.forfeit = self.tree.game, None
        if moment.players is not None:
            referee.clock = moment.clock

    def _choices(self) -> Iterator[int]:
        """Yield the plies of the line at which a user chose a move, or any player if only computers play."""
        line = self.tree.line
        turns = zip(line.positions, line.moves, self.tree.along(line), strict=False)
        for ply, (position, move, moment) in enumerate(turns):
            players = moment.players or self.referee.players
            is_choosers = players[position.to_move].is_user or players.is_between_computers
            if is_choosers and ply >= self.referee.job.opening_plies and not line.rules.is_pass(move):
                yield ply
