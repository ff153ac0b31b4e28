"""A game that can be taken back, and what is remembered of every position of it."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import TypeAlias

from othello.config import PlayerConfig
from othello.errors import OutputError, Reason
from othello.frozen import Frozen
from othello.game import AnyGame, GameTree, Node
from othello.play.clock import Clock
from othello.play.referee import Job, Referee
from othello.play.seats import Seats
from othello.records.record import GameRecord
from othello.rules.protocol import Move
from othello.search.report import SearchReport


class Moment(Frozen):
    """What is remembered of a position."""

    seats: Seats | None = None  # who sat where when it was left last, None where nobody has played in it
    # both sides' times at the beginning of the turn, or when it was taken back
    clock: Clock = field(default_factory=Clock)
    report: SearchReport | None = None  # the newest search of the player that was to move
    # the newest search of every player that was asked for its opinion
    analyses: Mapping[PlayerConfig, SearchReport] = field(default_factory=dict)
    note: str = ""


Tree = GameTree[Moment]


class _Change(Frozen):
    """A change that was no move of the game, with what was there before."""

    line: AnyGame  # leads to the position that was changed
    made_at: tuple[Move, ...]  # the game's moves when it had been made


class Annotated(_Change):
    """Something else was noted."""

    note: str


class Deleted(_Change):
    """A line was deleted; `node` is what the tree had at its end, as the move at `place` of its siblings."""

    node: Node[Moment]
    place: int


class Restored(_Change):
    """A line was put back."""


class Led(_Change):
    """The game was led elsewhere: it ended with `line`, and `ahead` had the moves that were taken back, too."""

    ahead: AnyGame
    seats: Seats


Edit: TypeAlias = Annotated | Deleted | Restored | Led


class History:
    """One game of a session: its referee, and a tree in which play, undo and redo are walks."""

    def __init__(self, job: Job, start: AnyGame | Tree, date: str = "") -> None:
        """Begin a game at `start`; an empty date means now."""
        self.tree = start if isinstance(start, GameTree) else Tree.of(start, Moment())  # all that was played and tried
        self.referee = Referee(job, self.tree.game)  # conducts it; its game is always the tree's
        self.referee.clock = self.tree.known(self.tree.game).clock
        self.date = date or time.strftime("%Y-%m-%dT%H:%M:%S")  # when it began, as 2026-01-31T18:30:00
        # whether it was over once. If a player then takes moves back and plays on, it is not recorded again
        self.is_recorded = False
        self._edits: list[Edit] = []  # the last one last
        self._undone: list[Edit] = []

    @property
    def game(self) -> AnyGame:
        return self.referee.game

    @property
    def is_begun(self) -> bool:
        """Whether a player has moved; the opening is made for them."""
        return self.game.ply > self.referee.job.opening_plies

    @property
    def is_edited(self) -> bool:
        """Whether somebody has written or changed something in it besides moves of the game."""
        return bool(self._edits)

    def remember(self, game: AnyGame, **changes: object) -> None:
        """Keep something of a position; see `Moment`."""
        self.tree = self.tree.know(game, replace(self.tree.known(game), **changes))  # type: ignore[arg-type]

    def opinion(self, game: AnyGame, player: PlayerConfig | None) -> SearchReport | None:
        """What a player that was asked for its opinion of a position has found."""
        return None if player is None else self.tree.known(game).analyses.get(player)

    def form_opinion(self, game: AnyGame, player: PlayerConfig, report: SearchReport) -> None:
        self.remember(game, analyses={**self.tree.known(game).analyses, player: report})

    def begin_turn(self, now: float) -> None:
        """Remember who sits where, and the times."""
        referee = self.referee
        referee.hold(now)
        self.remember(self.game, seats=referee.seats, clock=referee.clock)

    def call_off(self) -> None:
        """The side to move begins its turn once more: the time that it took is given back."""
        self.referee.clock = self.tree.known(self.game).clock

    def play(self, move: Move) -> None:
        self._undone.clear()
        self.referee.play(move)
        self.tree = self.tree.to(self.referee.game)

    def hand_on(self, write: Callable[[GameRecord], None] | None) -> Reason | None:
        """Give the finished game to whoever records it; why it could not be recorded, None where all is well."""
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
        """Whether all moves since the opening were made at this board, as in every game of a tournament."""
        if self.referee.job.is_rated:
            return True  # a game that was left is read from a file
        moments = self.tree.along(self.game)[self.referee.job.opening_plies : self.game.ply]
        return all(moment.seats is not None for moment in moments)

    def annotate(self, line: AnyGame, note: str) -> None:
        if note == self.tree.known(line).note:
            return
        self._edit(Annotated(line, self.game.moves, note))

    def delete(self, line: AnyGame) -> None:
        self._edit(Restored(line, self.game.moves))

    def lead(self, to: AnyGame, now: float) -> None:
        """Let the game go on from any position of the tree."""
        before = Led(self.game, to.moves, self.tree.line, self.referee.seats)
        self.stand_at(to, now)
        self._edits.append(before)
        self._undone.clear()

    def _edit(self, inverse: Edit) -> None:
        """Carry out what would take another edit back."""
        self._edits.append(self._take_back(inverse, 0.0))
        self._undone.clear()

    @property
    def undone_next(self) -> Edit | None:
        """What undo takes back, None where that is a move: no move was made since."""
        ply = self.game.ply
        edit = self._edits[-1] if self._edits else None
        return edit if edit is not None and edit.made_at[:ply] == self.game.moves else None

    @property
    def redone_next(self) -> Edit | None:
        """What redo makes again, None where that is a move."""
        edit = self._undone[-1] if self._undone else None
        is_reached = edit is not None and self.game.moves[: len(edit.made_at)] == edit.made_at
        return edit if is_reached else None

    def undo_edit(self, now: float) -> None:
        """Take the last edit back."""
        self._undone.append(self._take_back(self._edits.pop(), now))

    def redo_edit(self, now: float) -> None:
        """Make it again."""
        self._edits.append(self._take_back(self._undone.pop(), now))

    def _take_back(self, edit: Edit, now: float) -> Edit:
        """Put back what was there before an edit, and say what takes that back."""
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
            case Led(ahead=ahead, seats=seats):
                inverse = Led(self.game, line.moves, tree.line, self.referee.seats)
                self.tree = tree.to(ahead)
                self.stand_at(line, now)
                self.referee.seats = seats
                return inverse

    @property
    def undo_ply(self) -> int | None:
        """Where undo goes: the last earlier choice of a person; by one choice where no person played."""
        return max((ply for ply in self._choices() if ply < self.game.ply), default=None)

    @property
    def redo_ply(self) -> int | None:
        """Where redo goes: as far as undo would come back."""
        end = self.tree.line.ply
        return min((ply for ply in (*self._choices(), end) if ply > self.game.ply), default=None)

    def go(self, ply: int, now: float) -> None:
        """Take moves back, or make those again that were taken back, with the times and the seats as they were."""
        self.stand_at(self.tree.line.at(ply), now)
        seats = self.tree.known(self.game).seats
        self.referee.seats = seats or self.referee.seats

    def stand_at(self, game: AnyGame, now: float) -> None:
        """Let the game go on from any position of the tree, with the times that were remembered there."""
        referee = self.referee
        referee.hold(now)
        self.remember(self.game, clock=referee.clock)
        self.tree = self.tree.to(game)
        moment = self.tree.known(game)
        referee.game, referee.forfeit = self.tree.game, None
        if moment.seats is not None:
            referee.clock = moment.clock

    def _choices(self) -> Iterator[int]:
        """The plies of the line at which a person chose, or anybody where no person played."""
        line = self.tree.line
        turns = zip(line.positions, line.moves, self.tree.along(line), strict=False)
        for ply, (position, move, moment) in enumerate(turns):
            seats = moment.seats or self.referee.seats
            is_choosers = seats[position.to_move].is_user or seats.is_between_computers
            if is_choosers and ply >= self.referee.job.opening_plies and not line.rules.is_pass(move):
                yield ply


class Ended(Frozen):
    """A game that was played here is over."""

    history: History
