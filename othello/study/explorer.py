"""Queries the store for a position in a background thread, and reads archives in another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final

from othello.errors import GameFileError, OthelloError, Reason
from othello.files import BackgroundWriter
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.records.game_file import GameFile
from othello.rules.protocol import GameSpec, Position
from othello.rules.symmetry import symmetries_between
from othello.search.report import Line
from othello.store.database import ALL, GameFilter, GameLine, PlayedMove, Source, Store
from othello.store.import_job import ImportProgress

PAGE: Final = 100  # games per page
_BEFORE: Final = 2  # pages loaded in advance, before and after the one on display
_BEHIND: Final = 4
_CLOSE_SECONDS: Final = 10.0


class ExplorerQuery(FrozenDataclass):
    """A query of the explorer."""

    spec: GameSpec
    position: Position
    wanted: GameFilter = ALL
    page: int = 0  # of the list of games
    ended: AnyGame | None = None  # a finished game: the answer then says where other games left it
    # count computer tournaments only if no other game reached the position, and list no games
    is_of_people: bool = False


class ExplorerResult(FrozenDataclass):
    """The result of a query."""

    question: ExplorerQuery
    sources: tuple[Source, ...]  # all sources of the store
    moves: tuple[PlayedMove, ...]  # the most frequent first
    games: Mapping[int, GameLine]  # loaded games by their row in the list, the newest first
    left_at: int | None = None  # moves after which the last other game left the finished game; None: no other game
    hidden: int = 0  # games with the position that the filter excludes, if it excludes all

    @property
    def total(self) -> int:
        """The number of games with the position."""
        return max(max(self.games, default=-1) + 1, sum(move.games for move in self.moves))


class Explorer:
    """Queries a store. A new query replaces the one that waits.

    Args:
        opened: opens the store; None: there is no store.

    Attributes:
        wanted: the user's filter.
        answer: the latest answer; None before the first.
        progress: of the archive that is being read, or None.
        failure: why the last operation failed, until the error is shown; or None.
    """

    def __init__(self, opened: Callable[[], Store] | None = None) -> None:
        self.wanted = ALL
        self.answer: ExplorerResult | None = None
        self.progress: ImportProgress | None = None
        self.failure: Reason | None = None
        self.fetched: list[tuple[GameFile, bool]] = []  # requested games, each with True to add it as a variation
        self._open, self._opened = opened, list[Store]()
        self._asked: ExplorerQuery | None = None
        self._done: ExplorerQuery | None = None
        self._fetching = 0
        self._sources = list[tuple[Source, ...]]()  # empty until they are known
        self._asker, self._reader = BackgroundWriter("explorer"), BackgroundWriter("archives")
        self._stopped = Event()

    @property
    def is_busy(self) -> bool:
        """True while an answer is pending."""
        return self._asked != self._done or bool(self._fetching or self.fetched)

    def ask(self, question: ExplorerQuery) -> None:
        """Start a query unless it is the same as the last."""
        if self._open is not None and question != self._asked:
            self._asked = question
            self._asker.do("ask", partial(self._try, partial(self._answer, question)))

    def refresh(self) -> None:
        """Repeat the next query even if it is the same, because there may be new games."""
        # A new list, because an answer that began before may still fill the old one.
        self._sources, self._asked, self._done = [], None, None

    def fetch(self, number: int, *, as_variation: bool) -> None:
        """Load a game in the background, and add it to `fetched`."""
        self._fetching += 1
        self._asker.do(object(), partial(self._try, partial(self._fetch, number, as_variation)))

    def add(self, paths: Sequence[Path]) -> None:
        """Start reading archives."""
        self._stopped.clear()
        self.progress = ImportProgress(0, None, paths[0].name)
        self._reader.do(tuple(paths), partial(self._try, partial(self._add, paths)))

    def stop(self) -> None:
        """Stop reading archives; games that were read stay."""
        self._stopped.set()

    def close(self) -> None:
        """Stop all threads."""
        self.stop()
        for reader in (self._asker, self._reader):
            reader.close(_CLOSE_SECONDS)
        for store in self._opened:
            store.close()

    # In the background threads.

    @property
    def _store(self) -> Store:
        if not self._opened:
            assert self._open is not None
            self._opened.append(self._open())
            self.failure = self._opened[0].notice
        return self._opened[0]

    def _try(self, job: Callable[[], None]) -> None:
        try:
            job()
        except OthelloError as error:
            self.failure = error.reason

    def _answer(self, question: ExplorerQuery) -> None:
        try:
            store = self._store
            cached, before = self._sources, self.answer
            if not cached:
                store.add_tournaments()
                cached.append(store.sources())
                before = None
            (sources,) = cached
            asked = question.spec, question.position
            if question.is_of_people:
                people = frozenset(source.number for source in sources if source.kind != "tournament")
                moves = store.played(*asked, GameFilter(sources=people)) or store.played(*asked)
                self.answer = ExplorerResult(question, sources, moves, {})
                return
            is_known = before is not None and before.question == replace(question, page=before.question.page)
            moves = before.moves if before is not None and is_known else store.played(*asked, question.wanted)
            first = max(0, question.page - _BEFORE) * PAGE
            games = store.games(*asked, question.wanted, first, (question.page + _BEHIND) * PAGE - first)
            listed = dict(enumerate(games, first))
            hidden = 0 if moves or games or question.wanted == ALL else store.count(*asked)
            known = before.games if before is not None and is_known else {}
            left = None if question.ended is None else self._left_at(question.ended, question.wanted)
            self.answer = ExplorerResult(question, sources, moves, {**known, **listed}, left, hidden)
        finally:
            self._done = question

    def _left_at(self, game: AnyGame, wanted: GameFilter) -> int | None:
        """Return after how many moves the last other game left a finished game; None if there is none."""
        counts = (self._store.count(game.rules.spec, position, wanted) for position in reversed(game.positions))
        end = next(counts)  # the game itself, if the store has it, and identical games
        return next((game.ply - back for back, count in enumerate(counts, 1) if count > end), None)

    def _fetch(self, number: int, as_variation: bool) -> None:
        try:
            self.fetched.append((self._store.game(number), as_variation))
        finally:
            self._fetching -= 1

    def _add(self, paths: Sequence[Path]) -> None:
        def tell(progress: ImportProgress) -> None:
            self.progress = progress

        def fault(_path: Path, error: OthelloError) -> None:
            if not isinstance(error, GameFileError):  # the whole file is skipped
                self.failure = error.reason

        try:
            self._store.add(paths, None, tell, self._stopped.is_set, fault)
        finally:
            self.progress = None
            self.refresh()


def continued(line: AnyGame, position: Position) -> tuple[int, Line] | None:
    """Return where a line reaches a position or one of its images, and how the line continues.

    Returns:
        The number of moves before it, and the following moves as seen in `position`; None if the line does not reach
            it.
    """
    rules, made = line.rules, line.rules.moves_made(position)
    for ply, candidate in enumerate(line.positions):
        if rules.moves_made(candidate) == made and candidate.to_move is position.to_move:
            for symmetry in symmetries_between(rules, candidate, position):
                return ply, tuple(rules.image_of_move(move, symmetry) for move in line.moves[ply:])
    return None
