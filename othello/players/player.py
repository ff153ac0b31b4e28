"""What a computer player is, and what it says of itself."""

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


KEEPS: Final[Mapping[str, Any]] = {
    "words": up_to(4096, title="null or a file name that ends in .npz", pattern=r"\.npz$"),
    "is_personal": True,
    "is_memory": True,
}
"""All of an option that names the file of a search but its description."""

DEPTH: Final[Mapping[str, Any]] = {
    "description": "How many plies heuristic and engine players look ahead.",
    "minimum": 1,
    "maximum": 100,
    "top_key": "heuristic_simulation_depth",
    "is_bound": True,
    "is_strength": True,
}
"""All of the option `depth` but its default."""

FINAL_TIES: Final = {"random": "one of them, drawn at random", "first": "the first in the order of the squares"}


class Allotment(float):
    """Seconds for a move of a clock: what the move does not need is left for later ones."""


class ComputerConfig(PlayerConfig):
    """What every computer player can be told."""

    endgame_empties: int = option(
        0,
        "From how many empty squares on computer players solve the end game and play perfectly. 0: never.",
        0,
        24,
    )

    def solving_seconds(self, rules: Rules[Position], moves: int) -> float:
        return 0.0 if moves <= self.endgame_empties else inf

    def limit(self, seconds: float | None) -> float | None:
        """The longest that a search may take where the game's clock allows `seconds`; None: as long as it likes."""
        return earliest(self.time_limit_seconds, seconds)

    @property
    def most_seconds(self) -> float | None:
        """The longest that any search of a game can take, None where nothing ends it."""
        clock = None if self.clock_seconds is None else self.clock_seconds + self.increment_seconds
        return self.limit(clock)

    def most_of(self, count: int, a_second: int) -> int:
        """`count`, or less where a search has no time for so much; `a_second` is more than a core can do."""
        seconds = self.most_seconds
        return count if seconds is None else min(count, 1000 + int(a_second * seconds))


class SearchConfig(ComputerConfig):
    """What players can be told that search, and may find several moves equally good."""

    final_ties: str = option(
        "random", "Which of equally good moves a player plays after its search.", choices=FINAL_TIES
    )


class Player(ABC):
    """One side's decisions: all that there is to know of a type of player, and a player of that type.

    A player is made, prepared, told of every new game, asked to think or to analyse, told that the game is over, and in
    the end released, once. It thinks in the caller's thread.

    With a fixed simulation count or depth, the answer depends on the game so far and the game's seed alone: not on
    time, on the slices in which it thinks, or on what it was asked before. The exception is a player that keeps what it
    knows (`remembers`, or by its configuration): it builds on all that it searched before, lines that were taken back
    included, as what they taught is as true as before. Asked again after an undo, it knows more, and may answer
    differently.
    """

    player_type: ClassVar[str]  # what config files call it
    title: ClassVar[str]  # what people call it
    description: ClassVar[str]  # what it is, in a few words
    config_type: ClassVar[type[PlayerConfig]] = ComputerConfig  # what it can be told
    unit: ClassVar[Unit] = Unit.NONE  # of its reports, as long as nothing is certain
    counts: ClassVar[str] = "simulations"  # what its reports count as such: simulations, or "episodes"
    remembers: ClassVar[bool] = False  # whether it always builds on what it knows of the game so far

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        """Why such games are not for players of this type; None where they are."""
        return None

    @classmethod
    def unit_of(cls, config: PlayerConfig) -> Unit:
        """The unit of the reports of the player that `config` describes, as long as nothing is certain."""
        return cls.unit

    @classmethod
    def create(cls, config: PlayerConfig, rules: Rules[Position]) -> Player:
        """The player that `config` describes, for games that it does not refuse."""
        return cls(config, rules)

    def __init__(self, config: PlayerConfig, rules: Rules[Position]) -> None:
        """Make a player of a game, and what memory it needs; TreeFileError where its file cannot be read."""
        self.config = config
        self.rules = rules
        self.seed = 0
        self.opened: Sequence[Line] = ()  # lines from the position whose next moves snapshots tell (`below`)

    @property
    def name(self) -> str:
        return self.config.name

    @property
    def repeats(self) -> bool:
        """Whether it says of itself that, without a time limit, it makes the same decisions with the same seed."""
        return True

    def prepare(self) -> None:  # noqa: B027 (many have nothing to do)
        """Compile, or load from the cache, all that `think` needs. Slow the first time ever, then quick."""

    def halves(self) -> Halves:
        """What takes long to compile, for a process that then prepares, and for one that helps at the same time."""
        return (), ()

    def new_game(self, seed: int) -> None:
        """A game begins. With the same seed, 0 .. 2**63 - 1, the player makes the same decisions."""
        self.seed = seed

    @abstractmethod
    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        """Search for a move in a position that has a legal one.

        Yields a snapshot after every slice and ends with the final one; a cancelled search just ends.

        Args:
            stop: ends the search when it is set, and holds it while it is held; `stop.clock` tells the search's time.
            seconds: the longest that the search may take, where the game's clock says so; a player's own limit may be
                shorter.
        """

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        """As `think`, with every move judged exactly, also where less would find the best. The move is the same."""
        return self.think(game, stop, seconds)

    def _unsearched(self, game: AnyGame, move: Move, seconds: float = 0.0) -> SearchReport:
        """Return the final report of a player that chose `move` without values for the moves."""
        moves = tuple(MoveStats(other, 0, None) for other in game.legal_moves())
        return SearchReport(self.player_type, move, None, moves, self.unit, pv=(move,), seconds=seconds, final=True)

    def game_over(self, game: AnyGame) -> None:  # noqa: B027
        """Keep what is worth keeping of the game; TreeFileError where what was learned cannot be written."""

    def release(self) -> None:  # noqa: B027
        """Give back memory and whatever else is held. Nothing is asked of the player any more."""

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class JudgingPlayer(Player):
    """A player whose search finds the best move without judging all, and can be told to judge every one exactly."""

    config: ComputerConfig

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, self.config.limit(seconds), judge_all=False)

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, self.config.limit(seconds), judge_all=True)

    @abstractmethod
    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        """Search for a move within `limit` seconds; see `think`."""


class Wrapper(JudgingPlayer):
    """A player around another player: it answers in some positions, and leaves all others to the other player."""

    key: ClassVar[str]  # the option of computer players that asks for such a wrapper, where the option is set

    def __init__(self, config: ComputerConfig, inner: Player) -> None:
        self.inner = inner
        super().__init__(config, inner.rules)

    @property
    def opened(self) -> Sequence[Line]:
        return self.inner.opened

    @opened.setter
    def opened(self, lines: Sequence[Line]) -> None:
        self.inner.opened = lines

    @property
    def repeats(self) -> bool:
        return self.inner.repeats

    def prepare(self) -> None:
        self.inner.prepare()

    def halves(self) -> Halves:
        return self.inner.halves()

    def new_game(self, seed: int) -> None:
        self.inner.new_game(seed)

    def game_over(self, game: AnyGame) -> None:
        self.inner.game_over(game)

    def release(self) -> None:
        self.inner.release()

    def _ask_inner(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        """The other player's search."""
        return (self.inner.analyse if judge_all else self.inner.think)(game, stop, limit)


class User(Player):
    """The person at the window: described for files and lists, never made. A person is a state of the session."""

    player_type = "user"
    title = "Human"
    description = "the person at the window"
    config_type = PlayerConfig


def choose(player: Player, game: AnyGame, seconds: float | None = None) -> SearchReport:
    """`answer_of` an uninterrupted search; `seconds` as for `Player.think`."""
    return answer_of(player, player.think(game, StopFlag(), seconds))


def answer_of(player: Player, reports: Iterator[SearchReport]) -> SearchReport:
    """The final one of a player's reports; raises a `PlayerError` where there is none."""
    for report in reports:
        if report.final:
            return report
    raise PlayerError("no_answer", name=player.name)


def replies(lines: Iterable[Sequence[Move]], opened: Iterable[Line]) -> dict[Line, tuple[MoveStats, ...]]:
    """What the best lines of a search tell about the moves after the lines that are looked at."""
    known = [tuple(line) for line in lines]
    return {
        line: tuple(MoveStats(best[len(line)], 0, None) for best in known if best[: len(line)] == line != best)[:1]
        for line in opened
    }


def settle(moves: Sequence[Move], ties: str, seed: SeedSequence) -> Move:
    """One of several equal moves, by one of FINAL_TIES."""
    return min(moves) if ties == "first" else draw(moves, seed)


def move_seed(seed: int, game: AnyGame) -> SeedSequence:
    """Randomness for the next move of a game: the same wherever and whenever the move is searched."""
    from numpy.random import SeedSequence  # here, for a program that is only asked for --help

    return SeedSequence([seed, game.ply, int(game.to_move)])


def draw(moves: Sequence[Move], seed: SeedSequence) -> Move:
    """One of several equal moves."""
    from numpy.random import default_rng

    return moves[int(default_rng(seed).integers(len(moves)))]
