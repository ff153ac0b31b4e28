"""The base classes and options that computer players share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Final

from othello.config import PlayerConfig
from othello.errors import PlayerError, Reason
from othello.game import AnyGame
from othello.rules.protocol import Move, Position, Rules
from othello.schema import option, up_to
from othello.search.report import Line, MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag, earliest

if TYPE_CHECKING:
    from numpy.random import SeedSequence

    from othello.search.simulator import Halves


# The schema of an option that names the file of a search, except its description.
KEEPS: Final[Mapping[str, Any]] = {
    "words": up_to(4096, title="null or a file name that ends in .npz", pattern=r"\.npz$"),
    "is_personal": True,
    "is_memory": True,
}

# The schema of the option `depth`, except its default.
DEPTH: Final[Mapping[str, Any]] = {
    "description": "The search depth of heuristic and engine players, in plies.",
    "minimum": 1,
    "maximum": 100,
    "top_key": "heuristic_simulation_depth",
    "is_bound": True,
    "is_strength": True,
}

FINAL_TIES: Final = {"random": "a random one", "first": "the first in the order of the squares"}


class MoveTime(float):
    """A time limit in seconds whose unused rest stays on the clock for later moves."""


class ComputerConfig(PlayerConfig):
    """Options of every computer player."""

    endgame_empties: int = option(
        0,
        "From how many empty squares on computer players solve the end game and play perfectly. 0: never.",
        0,
        24,
    )

    def solving_seconds(self, rules: Rules[Position], moves: int) -> float:
        return 0.0 if moves <= self.endgame_empties else inf

    def limit(self, seconds: float | None) -> float | None:
        """Return the shorter of the player's own time limit and the clock's limit; None: no limit."""
        return earliest(self.time_limit_seconds, seconds)

    @property
    def max_seconds(self) -> float | None:
        """The longest that a search of a game can take; None: no limit."""
        clock = None if self.clock_seconds is None else self.clock_seconds + self.increment_seconds
        return self.limit(clock)

    def max_count(self, count: int, per_second: int) -> int:
        """Return how many of `count` simulations a search has time for at most.

        Args:
            count: the number without a time limit.
            per_second: an upper bound of the speed of one core.
        """
        seconds = self.max_seconds
        return count if seconds is None else min(count, 1000 + int(per_second * seconds))


class SearchConfig(ComputerConfig):
    """Options of players that search and may find several moves equally good."""

    tie_break: str = option(
        "random", "Which of equally good moves a player plays after its search.", choices=FINAL_TIES
    )


class Player(ABC):
    """A player of one side of a game, and the description of its type.

    The life of a player: `prepare`; for each game `new_game`, any number of calls of `think` and `analyse`,
    `game_over`; and at last `release`. A player searches in the thread of its caller.

    With a fixed simulation count or depth, the answer depends only on the game so far and on the game's seed: not on
    the time, on the slices in which the player searches, or on earlier questions. Players that keep their search tree
    (`remembers`, or by an option) are the exception: they build on all earlier searches of the game, including lines
    that were taken back, so they may answer differently after an undo.
    """

    player_type: ClassVar[str]  # the name of the type in config files
    title: ClassVar[str]  # the name of the type for users
    description: ClassVar[str]  # a few words for lists of players
    config_type: ClassVar[type[PlayerConfig]] = ComputerConfig  # the type's options
    unit: ClassVar[Unit] = Unit.NONE  # of the values in its reports, unless a value is proven
    counts: ClassVar[str] = "simulations"  # what `simulations` of its reports counts: "simulations" or "episodes"
    remembers: ClassVar[bool] = False  # True if the player always keeps what it learned earlier in the game

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        """Return why players of this type do not play such games, or None if they do."""
        return None

    @classmethod
    def unit_of(cls, config: PlayerConfig) -> Unit:
        """Return the unit of the values that a player with this configuration reports, unless a value is proven."""
        return cls.unit

    @classmethod
    def create(cls, config: PlayerConfig, rules: Rules[Position]) -> Player:
        """Create the player that `config` describes, for rules that it plays."""
        return cls(config, rules)

    def __init__(self, config: PlayerConfig, rules: Rules[Position]) -> None:
        """Create a player of a game, and allocate its memory.

        Raises:
            TreeFileError: its file cannot be read.
        """
        self.config = config
        self.rules = rules
        self.seed = 0
        self.expanded_lines: Sequence[Line] = ()  # lines after which snapshots report the next moves (`below`)

    @property
    def name(self) -> str:
        return self.config.name

    @property
    def is_deterministic(self) -> bool:
        """True if, without a time limit, the player makes the same decisions with the same seed."""
        return True

    def prepare(self) -> None:  # noqa: B027 (many players need no preparation)
        """Compile the kernels that `think` needs, or load them from the cache. Slow only the first time."""

    def compile_jobs(self) -> Halves:
        """Return the slow kernels to compile in two halves: for the main process and for a helper process."""
        return (), ()

    def new_game(self, seed: int) -> None:
        """Start a game. With the same `seed`, 0 .. 2**63 - 1, the player makes the same decisions."""
        self.seed = seed

    @abstractmethod
    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        """Search for a move in a position that has a legal move or a pass.

        Yields a snapshot after every slice and then the final report. A cancelled search ends without a final report.

        Args:
            game: the moves so far.
            stop: ends or pauses the search; `stop.clock` measures its time.
            seconds: the limit of the game's clock; the player's own limit may be shorter.
        """

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        """Search like `think`, but evaluate every move exactly instead of only the best.

        The chosen move is the same.
        """
        return self.think(game, stop, seconds)

    def report(self, move: Move, moves: Iterable[MoveStats], pv: Line, unit: Unit, **facts: Any) -> SearchReport:
        """Return a report of a search. Its value is that of `move` in `moves`; `facts` are further fields."""
        moves = tuple(moves)
        value = next((stats.value for stats in moves if stats.move == move), None)
        return SearchReport(self.config.player_type, move, value, moves, unit, pv=pv, **facts)

    def replies(self, lines: Iterable[Line]) -> dict[Line, tuple[MoveStats, ...]]:
        """Return the next moves after those expanded lines that are the beginning of one of `lines`."""
        known = list(lines) if self.expanded_lines else []
        return {
            line: tuple(MoveStats(best[len(line)], 0, None) for best in known if best[: len(line)] == line != best)[:1]
            for line in self.expanded_lines
        }

    def _unsearched(self, game: AnyGame, move: Move, seconds: float = 0.0) -> SearchReport:
        """Return the final report of a player that chose `move` without values for the moves."""
        moves = (MoveStats(other, 0, None) for other in game.legal_moves())
        return self.report(move, moves, (move,), self.unit, seconds=seconds, final=True)

    def game_over(self, game: AnyGame) -> None:  # noqa: B027
        """Store what was learned in the game, if the player keeps it.

        Raises:
            TreeFileError: the file cannot be written.
        """

    def release(self) -> None:  # noqa: B027
        """Free memory and other resources. The player cannot be used afterwards."""

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class JudgingPlayer(Player):
    """A player whose search finds the best move without an exact value for each move, unless it is asked for them."""

    config: ComputerConfig

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, self.config.limit(seconds), judge_all=False)

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, self.config.limit(seconds), judge_all=True)

    @abstractmethod
    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        """Search for a move within `limit` seconds, with exact values for all moves if `judge_all`; see `think`."""


class PlayerWrapper(JudgingPlayer):
    """A player around another player: it answers in some positions, and leaves all others to the inner player."""

    key: ClassVar[str]  # the option of computer players that turns the wrapper on

    def __init__(self, config: ComputerConfig, inner: Player) -> None:
        self.inner = inner
        super().__init__(config, inner.rules)

    @property
    def expanded_lines(self) -> Sequence[Line]:
        return self.inner.expanded_lines

    @expanded_lines.setter
    def expanded_lines(self, lines: Sequence[Line]) -> None:
        self.inner.expanded_lines = lines

    @property
    def is_deterministic(self) -> bool:
        return self.inner.is_deterministic

    def prepare(self) -> None:
        self.inner.prepare()

    def compile_jobs(self) -> Halves:
        return self.inner.compile_jobs()

    def new_game(self, seed: int) -> None:
        self.inner.new_game(seed)

    def game_over(self, game: AnyGame) -> None:
        self.inner.game_over(game)

    def release(self) -> None:
        self.inner.release()

    def _ask_inner(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        """Return the reports of the inner player."""
        return (self.inner.analyse if judge_all else self.inner.think)(game, stop, limit)


class User(Player):
    """The type of the user at the window.

    It is never instantiated: the session waits for the user's commands instead.
    """

    player_type = "user"
    title = "Human"
    description = "the person at the window"
    config_type = PlayerConfig


def choose(player: Player, game: AnyGame, seconds: float | None = None) -> SearchReport:
    """Return the final report of a search that nothing interrupts; `seconds` as for `Player.think`."""
    return final_report(player, player.think(game, StopFlag(), seconds))


def final_report(player: Player, reports: Iterator[SearchReport]) -> SearchReport:
    """Return the final one of a player's reports.

    Raises:
        PlayerError: there is none.
    """
    for report in reports:
        if report.final:
            return report
    raise PlayerError("no_answer", name=player.name)


def break_tie(moves: Sequence[Move], ties: str, seed: SeedSequence) -> Move:
    """Return one of several equal moves, by one of FINAL_TIES."""
    return min(moves) if ties == "first" else draw(moves, seed)


def move_seed(seed: int, game: AnyGame) -> SeedSequence:
    """Return the random seed for the next move of a game: the same for every search of the position."""
    from numpy.random import SeedSequence  # not at module level: `--help` should not import numpy

    return SeedSequence([seed, game.ply, int(game.to_move)])


def draw(moves: Sequence[Move], seed: SeedSequence) -> Move:
    """Return one of several moves at random."""
    from numpy.random import default_rng

    return moves[int(default_rng(seed).integers(len(moves)))]
