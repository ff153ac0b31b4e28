"""What the moves of a game were worth: what each lost against the best, and what that says of both sides.

Nothing is searched here. Everything follows from the analysed positions; see `analysis`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Final

from othello.config import PlayerConfig
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.play.history import Moment, Tree
from othello.players.registry import computers, configure, refusal, type_of
from othello.rules.protocol import Color, GameSpec, Move
from othello.schema import options_of
from othello.search.report import SearchReport, Unit

CHANCE_PER_DISC: Final = 0.025  # so much winning chance counts as a disc where moves can only be judged in chances
CLOSE: Final = 1.0  # a move that loses at most this many discs is as good as the best
_EFFORT: Final = {"depth": 12, "simulation_count": 20_000}
_HALVING: Final = 4.0  # discs lost per move that halve the accuracy
_RANKS: Final = (Unit.REWARD, Unit.EXPECTED, Unit.DISCS)


class Mistake(Enum):
    """How much a move lost, the least first."""

    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Limits(Frozen):
    """From how many discs lost on a move is a slip, a mistake, a blunder."""

    slip: float = 2
    mistake: float = 6
    blunder: float = 12

    def of(self, discs: float) -> Mistake | None:
        """The kind of mistake that loses this many discs; None for a smaller loss."""
        reached = ((Mistake.BLUNDER, self.blunder), (Mistake.MISTAKE, self.mistake), (Mistake.SLIP, self.slip))
        return next((mistake for mistake, limit in reached if discs >= limit), None)


class Judgement(Frozen):
    """A move and what it was worth."""

    ply: int  # how many moves were made before it
    color: Color
    move: Move
    report: SearchReport  # the search of the position, which has a value for every move
    is_persons: bool = False  # whether a person chose it

    @property
    def unit(self) -> Unit:
        return self.report.unit

    @property
    def is_exact(self) -> bool:
        return self.unit is Unit.DISCS

    @property
    def best(self) -> Move:
        """The best move; what was played where it is as good."""
        values = values_of(self.report)
        return self.move if self.loss == 0 else max(values, key=lambda move: values[move])

    @property
    def best_value(self) -> float:
        """Of the best move, in `unit`, for the side to move."""
        return max(values_of(self.report).values())

    @property
    def value(self) -> float:
        """Of what was played, in the same."""
        return values_of(self.report)[self.move]

    @property
    def loss(self) -> float:
        """What was lost, 0 or more, in `unit`."""
        return self.best_value - self.value

    @property
    def discs(self) -> float:
        return discs_lost(self.report, self.move)


class Summary(Frozen):
    """How well a side played."""

    moves: int  # how many were judged
    mean_loss: float  # what a move lost, in the unit of the judgements
    accuracy: float  # 1 if no move lost anything; the more a move lost, the lower
    mistakes: Mapping[Mistake, int]  # how many of each kind


@cache
def judge_of(spec: GameSpec) -> PlayerConfig:
    """Who judges such games: the engine, or where it does not play a search in winning chances."""
    engine = _judging("engine")
    return _judging("mcts_uct") if refusal(engine, spec) else engine


def judge_named(kind: str, spec: GameSpec) -> PlayerConfig:
    """A kind of player as a judge of such games; whoever judges them usually where it tells no result."""
    judge = _judging(kind)
    return judge if _unit(judge) in _RANKS else judge_of(spec)


def judges(spec: GameSpec) -> list[str]:
    """The kinds of players that may judge such games: who usually does, and programs that tell results."""
    programs = (kind for kind in computers(spec) if "program" in options_of(type_of(kind).config_type))
    return [judge_of(spec).kind, *(kind for kind in programs if judge_named(kind, spec).kind == kind)]


@cache
def _judging(kind: str) -> PlayerConfig:
    return configure(kind, **{key: _EFFORT[key] for key in options_of(type_of(kind).config_type) if key in _EFFORT})


def _unit(judge: PlayerConfig) -> Unit:
    return type_of(judge.kind).unit_of(judge)


def tells_chances(judge: PlayerConfig) -> bool:
    """Whether a judge tells winning chances; what counts on the board, such as discs, otherwise."""
    return _unit(judge) is Unit.REWARD


def in_discs(loss: float, unit: Unit) -> float:
    """A loss in discs. A loss of winning chance is converted."""
    return loss / CHANCE_PER_DISC if unit is Unit.REWARD else loss


def values_of(report: SearchReport) -> dict[Move, float]:
    """What every move is worth that the search has judged, for the side to move."""
    return {stats.move: stats.value for stats in report.moves if stats.value is not None and stats.exact}


def losses_of(report: SearchReport) -> dict[Move, float]:
    """What every move loses against the best, in the report's unit, at least so much where its value is a bound.

    Empty where values are no results.
    """
    best = max(values_of(report).values(), default=None) if report.unit in _RANKS else None
    if best is None:
        return {}
    return {stats.move: max(0.0, best - stats.value) for stats in report.moves if stats.value is not None}


def discs_lost(report: SearchReport, move: Move) -> float:
    """What a judged move loses against the best, 0 or more, in discs or what stands for them."""
    values = values_of(report)
    return in_discs(max(values.values()) - values[move], report.unit)


def is_right(report: SearchReport, move: Move) -> bool:
    """Whether a move is as good as the best, or so nearly so that nobody need mind."""
    return discs_lost(report, move) <= CLOSE


def choices(line: AnyGame, opening_plies: int = 0) -> list[int]:
    """The plies of a line with a choice, without forced moves and passes."""
    legal_moves, positions = line.rules.legal_moves, line.positions
    return [ply for ply in range(opening_plies, line.ply) if len(legal_moves(positions[ply])) > 1]


def best_report(moment: Moment, judge: PlayerConfig) -> SearchReport | None:
    """What its judge knows best about a position, or what is certain; None where nobody has judged all moves."""
    return _best(each for each in told_by(moment, judge) if each.final and len(values_of(each)) == len(each.moves))


def newest_report(moment: Moment, judge: PlayerConfig) -> SearchReport | None:
    """The same, also of a search that is under way; None where nothing is known."""
    return _best(each for each in told_by(moment, judge) if each.value is not None)


def told_by(moment: Moment, judge: PlayerConfig) -> Iterator[SearchReport]:
    """What players of the judge's kind have said of a position in what the judge tells, and what others have proved."""
    in_chances = tells_chances(judge)
    for player, each in moment.analyses.items():
        is_own = player.kind == judge.kind or each.unit is Unit.DISCS
        if is_own and each.unit in _RANKS and (each.unit is Unit.REWARD) == in_chances:
            yield each


def _best(reports: Iterable[SearchReport]) -> SearchReport | None:
    return max(reports, key=lambda each: (_RANKS.index(each.unit), each.simulations or each.depth), default=None)


def is_known(moment: Moment, judge: PlayerConfig) -> bool:
    """Whether a position need not be searched any more."""
    own, report = moment.analyses.get(judge), best_report(moment, judge)
    return (own is not None and own.final) or (report is not None and report.unit is Unit.DISCS)


def judged(
    tree: Tree, line: AnyGame, opening_plies: int = 0, judge: PlayerConfig | None = None
) -> list[Judgement | None]:
    """The judgement of every move of a line; None for forced moves and for moves that are not analysed yet."""
    judge, moments = judge or judge_of(line.rules.spec), tree.along(line)
    found: list[Judgement | None] = [None] * line.ply
    for ply in choices(line, opening_plies):
        move, moment, color = line.moves[ply], moments[ply], line.positions[ply].to_move
        report = best_report(moment, judge)
        if report is not None and move in values_of(report):
            is_persons = moment.seats is not None and moment.seats[color].is_user
            found[ply] = Judgement(ply, color, move, report, is_persons)
    return found


class Verdicts:
    """The judgements of a line, worked out again only when something has changed: to be asked for every frame."""

    def __init__(self) -> None:
        self._asked: tuple[Tree, AnyGame, int, PlayerConfig | None] | None = None
        self._found: list[Judgement | None] = []

    def of(
        self, tree: Tree, line: AnyGame, opening_plies: int = 0, judge: PlayerConfig | None = None
    ) -> list[Judgement | None]:
        old, asked = self._asked, (tree, line, opening_plies, judge)
        if old is None or old[0] is not tree or old[1:] != asked[1:]:
            self._asked, self._found = asked, judged(*asked)
        return self._found


def unknown(tree: Tree, line: AnyGame, opening_plies: int = 0, judge: PlayerConfig | None = None) -> list[int]:
    """The plies of a line with a choice that are not analysed yet."""
    judge, moments = judge or judge_of(line.rules.spec), tree.along(line)
    return [ply for ply in choices(line, opening_plies) if not is_known(moments[ply], judge)]


def summary(judgements: Iterable[Judgement | None], color: Color, limits: Limits) -> Summary | None:
    """How well a side played; None where none of its moves was judged."""
    own = [judgement for judgement in judgements if judgement is not None and judgement.color is color]
    if not own:
        return None
    counts = Counter(limits.of(judgement.discs) for judgement in own)
    return Summary(
        moves=len(own),
        mean_loss=sum(judgement.loss for judgement in own) / len(own),
        accuracy=0.5 ** (sum(judgement.discs for judgement in own) / len(own) / _HALVING),
        mistakes={mistake: counts[mistake] for mistake in Mistake},
    )


def worst(judgements: Iterable[Judgement | None], limits: Limits, most: int | None = None) -> Sequence[Judgement]:
    """The moves that were slips or worse, those that lost most first; the earlier of two that lost the same."""
    found = [judgement for judgement in judgements if judgement is not None and limits.of(judgement.discs) is not None]
    return sorted(found, key=lambda judgement: (-judgement.discs, judgement.ply))[:most]
