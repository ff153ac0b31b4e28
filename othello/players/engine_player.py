"""The strong player of standard Othello, and its levels in other games.

The engine is imported only when it is needed, because the compiler is slow to import.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log10
from typing import TYPE_CHECKING, Any, Final

from othello.config import PlayerConfig
from othello.engine import discs_of, knows
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.players.heuristic_player import HeuristicConfig, HeuristicPlayer
from othello.players.mcts_levels import MctsLevel, all_mcts_levels
from othello.players.mcts_player import THREADS, UctConfig, UctPlayer
from othello.players.player import DEPTH, ComputerConfig, JudgingPlayer, MoveTime, Player, PlayerWrapper, move_seed
from othello.players.slicing_player import pick_move
from othello.rules.protocol import Move, Position, Rules
from othello.schema import option
from othello.search.report import Line, MoveStats, SearchReport, Unit
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    import numpy.random

    from othello.engine.engine import Bounds, Engine, EngineResult
    from othello.engine.engine_levels import Level
    from othello.search.simulator import Halves

PLACES: Final = 1 << 20  # entries of the transposition table, 32 bytes each
_PAUSE: Final = 0.05  # seconds between two reports under a time limit: a report takes as long as 1,000 nodes
_HASTY_LEAP: Final = 8  # plies skipped to reach the end of the game if the clock may stop the search on the way
_FORCED: Final = 8  # depth in plies of a search with only one legal move
_CALM_SHARE: Final = 0.42  # of a move's time, after which no deeper search is started
_TENSE_SHARE: Final = 0.8  # the same if the last depth changed the best move or lowered its value
_WORSE: Final = 3  # a drop of the value in discs that counts as such
_USED: Final = 0.7  # of a move's time that is used on average
_BRIEF: Final = 0.1  # seconds per move, from which on stopping early to save time for later moves was no gain
_CLEAR: Final = 10  # lead of the best move in discs at which the search stops early
_CLEAR_SHARE: Final = 0.2  # of the time, before which the search does not stop early
_CLEAR_DEPTH: Final = 8  # depth in plies below which a lead is not trusted
_SOLVING: Final = 0.09, 20, 2.0  # seconds to solve 20 empty squares, and the factor for each further square
_NODES_PER_SECOND: Final = 8e6  # an upper bound for one core in the opening
_REACH: Final = 25, 5  # depth that this many nodes reach in the opening at most, and plies gained by ten times as many


class EngineConfig(ComputerConfig):
    """Options of the engine."""

    depth: int = option(12, **DEPTH)
    level: int | None = option(
        None,
        "The engine's level, from 1, which has just learned the rules, to 10. A level sets the depth, and weaker "
        "levels make mistakes. null: full strength.",
        1,
        10,
        is_personal=True,
        is_strength=True,
    )

    probcut_margin: float = option(
        1.0,
        "The factor of the margins of the engine's selective search in Othello on 8 x 8. Lower values cut more moves "
        "and are faster, higher values miss fewer good moves.",
        0.1,
        10,
    )
    search_threads: int = option(1, THREADS, 1, 64)
    book: bool = option(
        True,
        "Whether the engine uses its opening book for positions that the book has searched deeper than the engine "
        "would. Levels below 8 do not use it.",
    )
    book_tolerance_discs: float = option(
        0.0, "By how many discs a move from the book may be worse than the best one.", 0, 16
    )

    def allotment_used(self, seconds: float) -> float:
        return _USED if self.level is None and seconds < _BRIEF else 1.0

    def solving_seconds(self, rules: Rules[Position], moves: int) -> float:
        least, (seconds, empties, factor) = super().solving_seconds(rules, moves), _SOLVING
        return min(least, seconds * factor ** (moves - empties)) if knows(rules) else least

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        if self.level is None and not knows(rules):
            return "player_type", Reason("needs_level")
        return None

    @property
    def strength(self) -> dict[str, int]:
        return super().strength if self.level is None else {"level": self.level}

    @property
    def opponent(self) -> Level | None:
        """The level that limits its strength; None: full strength."""
        from othello.engine.engine_levels import levels

        return None if self.level is None else levels()[self.level - 1]

    @property
    def reads_book(self) -> bool:
        """True if it plays from the book. Levels that make mistakes on purpose do not."""
        return self.book and (self.opponent is None or self.opponent.temperature == 0)

    def bounds(self, empties: int) -> Bounds:
        """Return the limits of a search with this many empty squares.

        Endgames are solved from more than `depth` plies on.
        """
        from othello.engine.engine import Bounds

        if self.opponent is not None:
            return replace(self.opponent.bounds(empties), margin=self.probcut_margin)
        return Bounds(self.depth, exact_empties=min(2 * self.depth, self.depth + 6), margin=self.probcut_margin)


class EnginePlayer(JudgingPlayer):
    """Searches with an evaluation of disc patterns as deep as its limits allow, and solves endgames.

    Without a time limit it clears its transposition table before each move. With one thread, the same seed then plays
    the same game.
    """

    player_type = "engine"
    title = "Engine"
    description = "pattern evaluation, selective search and exact end games"
    unit = Unit.EXPECTED
    config_type = EngineConfig
    config: EngineConfig

    @classmethod
    def create(cls, config: PlayerConfig, rules: Rules[Position]) -> Player:
        assert isinstance(config, EngineConfig)
        if knows(rules):
            return cls(config, rules)
        assert config.level is not None
        return StandIn(config, rules, all_mcts_levels(rules.spec)[config.level - 1])

    def __init__(self, config: EngineConfig, rules: Rules[Position]) -> None:
        super().__init__(config, rules)
        self._engines: list[Engine] = []

    def _engine(self, number: int, stop: StopFlag, limit: float | None) -> Engine:
        """Return an engine ready for a move: 0 searches for the best move, 1 evaluates the other moves."""
        from othello.engine.engine import Engine

        while len(self._engines) <= number:
            self._engines.append(Engine(PLACES, stop, threads=self.config.search_threads))
        engine = self._engines[number]
        engine.set_stop_flag(stop)
        if limit is None:
            engine.forget()
        return engine

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        """Report the book's move at once, and search only if a search would be deeper than the book."""
        turn = _Turn(self, game, stop.clock)
        book_report = self._book_report(turn) if self.config.reads_book else None
        if book_report is None:
            yield from self._deepen(turn, stop, limit, judge_all)
            return
        seen = self._searched_for_book(book_report) if judge_all else book_report.depth
        if seen >= self._reach(turn, limit):
            if not stop.is_cancelled:
                yield book_report
        else:
            yield replace(book_report, final=False)
            for report in self._deepen(turn, stop, limit, judge_all):
                if report.depth > seen:
                    yield report
                elif report.final:
                    yield replace(book_report, seconds=report.seconds)

    def _deepen(self, turn: _Turn, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        random = turn.random()
        order = list(turn.moves)
        random.shuffle(order)
        turn.group(order)
        order = list(turn.equals)
        bounds, level = self._bounds(turn, limit, judge_all), self._erring_level(turn)
        engine, judge = self._engine(0, stop, limit), self._engine(1, stop, limit) if judge_all and not level else None
        with Deadline(limit, stop):
            search = engine.deepen(turn.own, turn.opponent, bounds, level is not None, tells=True, order=order)
            judging = judge.deepen(turn.own, turn.opponent, bounds, True, tells=True, order=order) if judge else None
            hurried = limit if self.config.level is None and not judge_all else None
            result, others = yield from self._progress(turn, engine, search, judging, limit, hurried)
            line = turn.line_to_end(result, engine) if judge_all and result and result.is_solved else ()
        if result is not None and not stop.is_cancelled:
            values = {equal: value for move, value in result.values.items() for equal in turn.equals[move]}
            move = level.pick(values, turn.own, turn.opponent, random) if level else result.move
            report = turn.report(result, move, engine, others, final=True)
            yield replace(report, pv=max(report.pv, line, key=len))

    def _erring_level(self, turn: _Turn) -> Level | None:
        """Return the level if it chooses among the moves at random, by their values."""
        level = self.config.opponent
        return level if level is not None and level.temperature_at(turn.empties) > 0 else None

    def _progress(
        self,
        turn: _Turn,
        engine: Engine,
        search: Iterator[EngineResult],
        judging: Iterator[EngineResult] | None,
        limit: float | None,
        hurried: float | None,
    ) -> Generator[SearchReport, None, tuple[EngineResult | None, Mapping[Move, int]]]:
        """Yield reports of a search, and return its last result with the values of the other moves.

        Args:
            turn: the position.
            engine: the engine that searches for the best move.
            search: the results of this search.
            judging: the results of a search of the other moves, which follows it depth by depth; None: there is none.
            limit: seconds for the search; None: no limit.
            hurried: the limit if the search may end before it.
        """
        result, former = None, None
        reported_at = 0.0
        others: Mapping[Move, int] = {}
        for result in search:
            if limit is None or turn.seconds >= reported_at + _PAUSE:
                reported_at = turn.seconds
                yield turn.report(result, result.move, engine, others)
            while judging and (judged := next(judging, None)):
                others = judged.values
                if (judged.depth, judged.confidence) == (result.depth, result.confidence):
                    break
                yield turn.report(result, result.move, engine, others)
            former = former or result
            if (result.depth, result.confidence) != (former.depth, former.confidence):
                if self._may_stop_early(turn, result, former, engine, hurried):
                    break
                former = result
        return result, others

    def _bounds(self, turn: _Turn, limit: float | None, judge_all: bool) -> Bounds:
        """Return the limits of the search of a position."""
        from othello.engine.probcut import AGGRESSIVE

        bounds = self.config.bounds(turn.empties)
        if limit is not None:
            bounds = replace(bounds, endgame_jump=_HASTY_LEAP)
        if limit is not None or bounds.nodes is not None:
            bounds = replace(bounds, confidence=AGGRESSIVE)
        if len(turn.moves) == 1 and not judge_all:
            bounds = replace(bounds, depth=min(bounds.depth, _FORCED), exact_empties=min(bounds.exact_empties, _FORCED))
        return bounds

    def _reach(self, turn: _Turn, limit: float | None) -> float:
        """Return an upper bound of the depth that a search of the position reaches, in plies."""
        bounds, (reach, more) = self.config.bounds(turn.empties), _REACH
        nodes = bounds.nodes if limit is None else limit * _NODES_PER_SECOND * self.config.search_threads
        return bounds.depth if nodes is None else min(bounds.depth, reach + more * log10(nodes / _NODES_PER_SECOND))

    def _searched_for_book(self, book_report: SearchReport) -> int:
        """Return the depth behind a book value: the book's line plus the search at the end of the line."""
        from othello.engine.book import shipped_book

        return max(book_report.depth, len(book_report.pv) + shipped_book().depth)

    def _book_report(self, turn: _Turn) -> SearchReport | None:
        """Return the report of the book's move, or None if the book does not have all moves of the position."""
        from othello.engine.book import shipped_book

        book, own, opponent = shipped_book(), turn.own, turn.opponent
        position = None if turn.is_pass else book.probe(own, opponent)
        values = {move: entry.value for move, entry in book.moves(own, opponent).items()} if position else {}
        if position is None or len(values) < len(turn.moves):
            return None
        random, level = turn.random(), self._erring_level(turn)
        if level is not None:
            move = level.pick(values, own, opponent, random)
        else:
            worst = max(values.values()) - self.config.book_tolerance_discs
            move = Move(int(random.choice([move for move, value in values.items() if value >= worst])))
        lines = {first: book.line(own, opponent, first) for first in (values if self.expanded_lines else (move,))}
        return turn.book_report(values, move, position.depth, lines)

    def _may_stop_early(
        self, turn: _Turn, result: EngineResult, former: EngineResult, engine: Engine, limit: float | None
    ) -> bool:
        """Return whether a deeper search is not worth its time: the clock needs it later, or the best move is clear."""
        if limit is None:
            return False
        if isinstance(limit, MoveTime) and self.config.solving_seconds(self.rules, turn.empties) > limit:
            is_calm = result.move == former.move and result.value > former.value - _WORSE
            if turn.seconds >= (_CALM_SHARE if is_calm else _TENSE_SHARE) * limit:
                return True
        if turn.seconds < _CLEAR_SHARE * limit or result.depth < _CLEAR_DEPTH:
            return False
        return engine.is_clear(turn.own, turn.opponent, result, _CLEAR)

    def prepare(self) -> None:
        """Load the weights and the book, and compile with a small search."""
        from othello.engine.book import shipped_book
        from othello.engine.engine import Bounds

        own, opponent = discs_of(self.rules.start())
        for _ in self._engine(0, StopFlag(), None).deepen(own, opponent, Bounds(4, exact_empties=0)):
            pass
        if self.config.reads_book:
            shipped_book()
        if self.config.level is not None:
            _sound_moves(Game.new(self.rules))

    def compile_jobs(self) -> Halves:
        import numpy as np

        from othello.engine.endgame_search import null_window
        from othello.search.blunders import prospects

        own, opponent = map(np.uint64, discs_of(self.rules.start()))
        state, moves = self.rules.kernel_state(self.rules.start()), np.empty(1, np.int64)
        solver = self._engine(0, StopFlag(), None).solver
        return (), [(null_window, (own, opponent, 0, 20, solver)), (prospects, (state, moves, moves))]

    def release(self) -> None:
        self._engines.clear()


class StandIn(PlayerWrapper):
    """The levels in games that the engine does not play: another search, deeper at higher levels.

    The search does not prove results: a proof would let the weakest level win with a handful of simulations.
    """

    player_type = EnginePlayer.player_type

    def __init__(self, config: ComputerConfig, rules: Rules[Position], level: MctsLevel) -> None:
        self._level = level
        if level.simulations:
            uct = UctConfig(self.player_type, simulation_count=level.simulations, mcts_solver=False)
            super().__init__(config, UctPlayer(uct, rules))
        else:
            super().__init__(config, HeuristicPlayer(HeuristicConfig(self.player_type, depth=level.depth), rules))

    def prepare(self) -> None:
        super().prepare()
        _sound_moves(Game.new(self.rules))

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        stop.wait()  # a search of a few plies may end before it reads the flag
        for report in self._ask_inner(game, stop, limit, judge_all or self._level.temperature > 0):
            yield self._erring(game, report)

    def _erring(self, game: AnyGame, report: SearchReport) -> SearchReport:
        """Return the report with the move that the level plays, which may be a mistake."""
        from numpy.random import default_rng

        from othello.search.blunders import sample_softmax

        seed = move_seed(self.inner.seed, game)
        safe = _sound_moves(game)
        moves = [stats for stats in report.moves if stats.move in safe]
        if self._level.temperature:
            move = sample_softmax(
                {stats.move: stats.value or 0.0 for stats in moves}, self._level.temperature, default_rng(seed)
            )
        elif report.move in safe:
            return report
        else:
            move = pick_move(moves, "robust", seed)
        value = next(stats.value for stats in moves if stats.move == move)
        return replace(report, move=move, value=value, pv=report.pv if move == report.move else (move,))


def _sound_moves(game: AnyGame) -> set[Move]:
    """Return the moves that win at once, else those that do not let the opponent win at once, else all."""
    from othello.search.blunders import safe_moves

    return set(safe_moves(game.rules.kernel_state(game.position), game.legal_moves()))


class _Turn:
    """A position that the engine searches. Translates the engine's results to reports."""

    def __init__(self, player: Player, game: AnyGame, clock: Callable[[], float]) -> None:
        self._player = player
        self._game = game
        self._clock = clock
        self._begun = clock()
        self.legal = game.legal_moves()
        self.is_pass = game.must_pass
        own, opponent = discs_of(game.position)
        self.own = opponent if self.is_pass else own
        self.opponent = own if self.is_pass else opponent
        self.moves: tuple[Move, ...] = game.play(self.legal[0]).legal_moves() if self.is_pass else self.legal
        self.empties = game.rules.moves_left(game.position)
        self.equals: dict[Move, list[Move]] = {}  # moves with the same value, by the one that is searched

    def group(self, order: Sequence[Move]) -> None:
        """Group the moves that lead to symmetric positions; only the first of each group in `order` is searched."""
        from othello.engine.book import after, canonical

        groups: dict[tuple[int, ...], list[Move]] = {}
        for move in order:
            own, opponent, side = after(self.own, self.opponent, move)
            groups.setdefault((*canonical(own, opponent), side), []).append(move)
        self.equals = {moves[0]: moves for moves in groups.values()}

    def line_to_end(self, result: EngineResult, engine: Engine) -> Line:
        """Return the best play from a solved position to the end of the game, or as much of it as there is time for."""
        from othello.engine.endgame import best_line

        rules: Any = self._game.rules  # only Othello positions are solved
        position: Any = self._game.position
        score, move = (-result.value, self.legal[0]) if self.is_pass else (result.value, result.move)
        return best_line(rules, position, score, move, engine)

    def random(self) -> numpy.random.Generator:
        """Return the random generator for choices in this position: the same for every search."""
        from numpy.random import default_rng

        return default_rng(move_seed(self._player.seed, self._game))

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return self._clock() - self._begun

    def report(
        self, result: EngineResult, move: Move, engine: Engine, others: Mapping[Move, int], final: bool = False
    ) -> SearchReport:
        """Return a report of the engine's result.

        Args:
            result: the result.
            move: the move to play.
            engine: reconstructs the best line from its transposition table.
            others: exact values of other moves, from a second search.
            final: True for the answer.
        """
        from othello.engine.win_probability import win_probability

        root = result.root
        stats = {}
        for square, value, exact, nodes in zip(*(field.tolist() for field in root[:-1]), strict=True):
            if square in others and square != result.move:
                value, exact = min(others[square], result.value), True
            for equal in self.equals[square]:
                stats[equal] = MoveStats(equal, nodes, float(value), bool(exact))
        value = stats[move].value or 0.0  # never None
        # Selective search does not see the end exactly.
        depth = result.depth if result.is_solved else min(result.depth, self.empties - 1)
        chance = win_probability(value, self.empties, depth)
        plies = max(1, result.depth)
        line = engine.line(self.own, self.opponent, move, plies)
        below = self._player.replies(engine.line(self.own, self.opponent, move, plies) for move in self.moves)
        if self.is_pass:
            move, chance, below = self.legal[0], 1.0 - chance, {}
            line = (move, *line)[:plies]
            stats = {move: MoveStats(move, result.nodes, -value)}
        unit = Unit.DISCS if result.is_solved else Unit.EXPECTED
        moves = (stats[move] for move in self.legal)
        counts = {"nodes": result.nodes, "depth": plies, "seconds": self.seconds, "chance": chance}
        return self._player.report(move, moves, line, unit, **counts, final=final, below=below)

    def book_report(
        self, values: Mapping[Move, int], move: Move, depth: int, lines: Mapping[Move, Line]
    ) -> SearchReport:
        """Return a report of the book's values.

        Args:
            values: in discs, by move.
            move: the move to play.
            depth: of the searches behind the values, in plies.
            lines: the book's lines by their first move.
        """
        from othello.engine.win_probability import win_probability

        moves = (MoveStats(move, 0, float(values[move])) for move in self.legal)
        below, chance = self._player.replies(lines.values()), win_probability(values[move], self.empties, depth)
        facts = {"depth": depth, "below": below, "chance": chance, "seconds": self.seconds}
        return self._player.report(move, moves, lines[move][:depth], Unit.EXPECTED, **facts, final=True, from_book=True)
