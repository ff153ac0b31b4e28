"""Assessment of moves: what each lost against the best move, and the accuracy of both sides.

Nothing is searched here; everything is derived from the positions that `othello.play.analysis` has searched.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

from othello.config import PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.play.history import PositionState, Tree
from othello.players.player_registry import computers, configure, type_of, unsupported_reason
from othello.rules.protocol import Color, GameSpec, Move
from othello.schema import options_of
from othello.search.report import SearchReport, Unit

CHANCE_PER_DISC: Final = 0.025  # win probability that counts as one disc, for analyses without discs
CLOSE: Final = 1.0  # discs; a smaller loss counts as a correct move
_EFFORT: Final = {"depth": 12, "simulation_count": 20_000}
_HALVING: Final = 4.0  # mean loss per move, in discs, that halves the accuracy
_RANKS: Final = (Unit.REWARD, Unit.EXPECTED, Unit.DISCS)


class Mistake(Enum):
    """The severity of a mistake, the smallest first."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Limits(FrozenDataclass):
    """The smallest losses, in discs, that count as inaccuracy, mistake and blunder."""

    inaccuracy: float = 2
    mistake: float = 6
    blunder: float = 12

    def of(self, discs: float) -> Mistake | None:
        """Return the severity of a loss in discs, None for a smaller loss."""
        return next((mistake for mistake in reversed(Mistake) if discs >= getattr(self, mistake.value)), None)


class MoveAssessment(FrozenDataclass):
    """The assessment of a move."""

    ply: int  # moves made before it
    color: Color
    move: Move
    report: SearchReport  # search of the position, with a value for every move
    is_persons: bool  # True if a user made the move

    @property
    def unit(self) -> Unit:
        return self.report.unit

    @property
    def is_exact(self) -> bool:
        return self.unit is Unit.DISCS

    @property
    def best(self) -> Move:
        """The best move; the move itself if it is as good."""
        values = values_of(self.report)
        return self.move if self.loss == 0 else max(values, key=lambda move: values[move])

    @property
    def best_value(self) -> float:
        """The value of the best move in `unit`, for the side to move."""
        return max(values_of(self.report).values())

    @property
    def value(self) -> float:
        """The value of the move in `unit`, for the side to move."""
        return values_of(self.report)[self.move]

    @property
    def loss(self) -> float:
        """The loss against the best move in `unit`, 0 or more."""
        return self.best_value - self.value

    @property
    def discs(self) -> float:
        return discs_lost(self.report, self.move)


Assessments: TypeAlias = list[MoveAssessment | None]  # of the moves of a line; None if a move is not assessed


class Summary(FrozenDataclass):
    """The assessment of one side."""

    moves: int  # assessed moves
    mean_loss: float  # per move, in the unit of the assessments
    accuracy: float  # 0 to 1; 1 if no move lost anything
    mistakes: Mapping[Mistake, int]  # number of mistakes by severity


@cache
def default_analyst(spec: GameSpec) -> PlayerConfig:
    """Return the usual analyst of a game: the engine, or else a search with win probabilities."""
    engine = _analyst_of_kind("engine")
    return _analyst_of_kind("mcts_uct") if unsupported_reason(engine, spec) else engine


def judge_named(kind: str, spec: GameSpec) -> PlayerConfig:
    """Return a kind of player as an analyst, or the usual analyst if the kind gives no result values."""
    analyst = _analyst_of_kind(kind)
    return analyst if type_of(kind).unit_of(analyst) in _RANKS else default_analyst(spec)


def judges(spec: GameSpec) -> list[str]:
    """Return the kinds of players that can analyse a game: the usual analyst, and programs that give result values."""
    programs = (kind for kind in computers(spec) if "program" in options_of(type_of(kind).config_type))
    return [default_analyst(spec).kind, *(kind for kind in programs if judge_named(kind, spec).kind == kind)]


@cache
def _analyst_of_kind(kind: str) -> PlayerConfig:
    return configure(kind, **{key: _EFFORT[key] for key in options_of(type_of(kind).config_type) if key in _EFFORT})


def counts_chances(analyst: PlayerConfig) -> bool:
    """Return whether an analyst's values are win probabilities; otherwise they are discs or points."""
    return type_of(analyst.kind).unit_of(analyst) is Unit.REWARD


def in_discs(loss: float, unit: Unit) -> float:
    """Convert a loss to discs."""
    return loss / CHANCE_PER_DISC if unit is Unit.REWARD else loss


def values_of(report: SearchReport) -> dict[Move, float]:
    """Return the exact values of moves, for the side to move."""
    return {stats.move: stats.value for stats in report.moves if stats.value is not None and stats.exact}


def losses_of(report: SearchReport) -> dict[Move, float]:
    """Return the losses of moves against the best, in the report's unit; lower limits if values are bounds.

    Empty if the values are not results.
    """
    best = max(values_of(report).values(), default=None) if report.unit in _RANKS else None
    if best is None:
        return {}
    return {stats.move: max(0.0, best - stats.value) for stats in report.moves if stats.value is not None}


def discs_lost(report: SearchReport, move: Move) -> float:
    """Return the loss of a move in discs, 0 or more."""
    values = values_of(report)
    return in_discs(max(values.values()) - values[move], report.unit)


def is_right(report: SearchReport, move: Move) -> bool:
    """Return whether a move is as good as the best, or nearly so."""
    return discs_lost(report, move) <= CLOSE


def plies_with_choice(line: AnyGame, opening_plies: int = 0) -> list[int]:
    """Return the plies of a line in which the side to move has a choice."""
    legal_moves, positions = line.rules.legal_moves, line.positions
    return [ply for ply in range(opening_plies, line.ply) if len(legal_moves(positions[ply])) > 1]


def best_report(moment: PositionState, analyst: PlayerConfig) -> SearchReport | None:
    """Return the best complete analysis of a position, None if there is none."""
    return _best(
        report for report in reports_by(moment, analyst) if report.final and len(values_of(report)) == len(report.moves)
    )


def newest_report(moment: PositionState, analyst: PlayerConfig) -> SearchReport | None:
    """Return the best analysis of a position, complete or in progress; None if there is none."""
    return _best(report for report in reports_by(moment, analyst) if report.value is not None)


def reports_by(moment: PositionState, analyst: PlayerConfig) -> Iterator[SearchReport]:
    """Yield the analyses of players of the analyst's kind, in the analyst's unit, and all proofs."""
    in_chances = counts_chances(analyst)
    for player, report in moment.analyses.items():
        is_own = player.kind == analyst.kind or report.unit is Unit.DISCS
        if is_own and report.unit in _RANKS and (report.unit is Unit.REWARD) == in_chances:
            yield report


def _best(reports: Iterable[SearchReport]) -> SearchReport | None:
    return max(
        reports, key=lambda report: (_RANKS.index(report.unit), report.simulations or report.depth), default=None
    )


def is_known(moment: PositionState, analyst: PlayerConfig) -> bool:
    """Return whether the analysis of a position is complete."""
    own, report = moment.analyses.get(analyst), best_report(moment, analyst)
    return (own is not None and own.final) or (report is not None and report.unit is Unit.DISCS)


def judged(tree: Tree, line: AnyGame, opening_plies: int = 0, analyst: PlayerConfig | None = None) -> Assessments:
    """Return the assessment of every move of a line; None for forced moves and moves that are not analysed."""
    analyst, moments = analyst or default_analyst(line.rules.spec), tree.along(line)
    assessments: Assessments = [None] * line.ply
    for ply in plies_with_choice(line, opening_plies):
        move, moment, color = line.moves[ply], moments[ply], line.positions[ply].to_move
        report = best_report(moment, analyst)
        if report is not None and move in values_of(report):
            is_persons = moment.players is not None and moment.players[color].is_user
            assessments[ply] = MoveAssessment(ply, color, move, report, is_persons)
    return assessments


class AssessmentCache:
    """A cache of a line's assessments, cheap enough to ask for every frame."""

    def __init__(self) -> None:
        self._asked: tuple[Tree, AnyGame, int, PlayerConfig | None] | None = None
        self._found: Assessments = []

    def of(self, tree: Tree, line: AnyGame, opening_plies: int, analyst: PlayerConfig | None = None) -> Assessments:
        old, asked = self._asked, (tree, line, opening_plies, analyst)
        if old is None or old[0] is not tree or old[1:] != asked[1:]:
            self._asked, self._found = asked, judged(*asked)
        return self._found


def unanalysed_plies(
    tree: Tree, line: AnyGame, opening_plies: int = 0, analyst: PlayerConfig | None = None
) -> list[int]:
    """Return the plies of a line that have a choice and are not analysed."""
    analyst, moments = analyst or default_analyst(line.rules.spec), tree.along(line)
    return [ply for ply in plies_with_choice(line, opening_plies) if not is_known(moments[ply], analyst)]


def summary(judgements: Iterable[MoveAssessment | None], color: Color, limits: Limits) -> Summary | None:
    """Return the assessment of one side, None if none of its moves is assessed."""
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


def worst(
    judgements: Iterable[MoveAssessment | None], limits: Limits, max_count: int | None = None
) -> list[MoveAssessment]:
    """Return the moves that were slips or worse, the largest loss first; of equal losses, the earlier first."""
    mistakes = [
        judgement for judgement in judgements if judgement is not None and limits.of(judgement.discs) is not None
    ]
    return sorted(mistakes, key=lambda mistake: (-mistake.discs, mistake.ply))[:max_count]
