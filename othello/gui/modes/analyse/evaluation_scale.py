"""The course of a game: the value of each position, and the mistakes, for the curve and the move list."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from othello.config import PlayerConfig
from othello.engine.win_probability import win_probability
from othello.game import AnyGame
from othello.gui import labels
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.labels import SIGNS
from othello.gui.modes.analyse.curve import CURVE, CurvePanel, CurvePoint, disc_scale
from othello.play import assessment
from othello.play.history import Tree
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.search.report import Line, SearchReport, Unit
from othello.texts import percent, tr

_MAX_MARKS: Final = 5  # on a curve; more would hide it
_MAX_PLIES: Final = 60  # plies of the scale of a game that is not over

_Judgements: TypeAlias = Sequence[assessment.MoveAssessment | None]  # of the moves of a line; None: not analysed


class Evaluation:
    """The evaluation of a session's game, recomputed only after a change."""

    def __init__(self, session: Session, analyst: PlayerConfig | None = None, *, in_chances: bool = False) -> None:
        """`analyst` evaluates the game; None: the default player for such games."""
        self._session = session
        self.analyst = analyst or assessment.default_analyst(session.game.rules.spec)
        self.wants_chances = in_chances  # True to show winning chances even if discs are known
        self.has_more = False  # True if some moves of the game are not evaluated
        # The signs of mistakes in the game and in the shown line, by the line that ends with the move.
        self.signs: Mapping[Line, str] = {}
        self._game, self._shown = assessment.AssessmentCache(), assessment.AssessmentCache()
        self._curve_key: tuple[object, ...] = ()
        self._curve: CurvePanel | None = None

    @property
    def has_discs(self) -> bool:
        """True if the evaluation counts discs."""
        return not assessment.counts_chances(self.analyst)

    @property
    def in_chances(self) -> bool:
        """True if the curve shows winning chances, not discs."""
        return self.wants_chances or not self.has_discs

    @property
    def judgements(self) -> list[assessment.MoveAssessment | None]:
        """The assessments of the moves of the game; None: a move that is not analysed."""
        history = self._session.history
        return self._game.of(history.tree, history.tree.line, history.referee.job.opening_plies, self.analyst)

    def curve(self, limits: assessment.Limits, renderer: BoardRenderer) -> CurvePanel:
        """Return the curve of the shown line; `limits`: the losses from which a move is a mistake."""
        session, tree, analyst = self._session, self._session.history.tree, self.analyst
        opening, line = session.history.referee.job.opening_plies, session.view.listed
        known = self.judgements, self._shown.of(tree, line, opening, analyst)
        key = (id(tree), analyst, *known, line.moves, limits, self.in_chances, renderer)
        if self._curve is None or key != self._curve_key:  # an id is safe here: `_game` keeps the tree alive
            self._curve_key = key
            self.signs = {**_signs(tree.line, known[0], limits), **_signs(line, known[1], limits)}
            self._curve = self._create_curve(tree, line, renderer, known[1], limits)
            self.has_more = bool(assessment.unanalysed_plies(tree, tree.line, opening, analyst))
        note = "" if session.is_judging else tr("analysis.no_curve")
        return replace(self._curve, shown_ply=session.view.shown.ply, note=note)

    def _create_curve(
        self, tree: Tree, line: AnyGame, renderer: BoardRenderer, judgements: _Judgements, limits: assessment.Limits
    ) -> CurvePanel:
        points, rules = [*self._points(tree, line)], line.rules
        end = 1.0 if self.in_chances else disc_scale([point.value for point in points], rules.columns * rules.rows)
        played = ((ply, self.signs.get(line.moves[:ply], "")) for ply in range(1, line.ply + 1))
        return CurvePanel(
            renderer,
            tuple(point._replace(value=point.value / end) for point in points),
            line.ply if line.is_over else max(line.ply, min(rules.moves_left(line.positions[0]), _MAX_PLIES)),
            percent("100") if self.in_chances else f"+{end:.0f}",
            percent("50") if self.in_chances else "0",
            {ply: sign for ply, sign in played if sign},
            tuple(judgement.ply + 1 for judgement in assessment.worst(judgements, limits, _MAX_MARKS)),
            tooltips=tuple(self._tooltips(points, line, judgements)),
            name=CURVE,
            grow=True,
            height=110,
        )

    def _points(self, tree: Tree, line: AnyGame) -> Iterator[CurvePoint]:
        """Yield the positions that have a value, in discs or from -1 (lost) to 1 (won)."""
        for ply, moment in enumerate(tree.along(line)):
            report = assessment.newest_report(moment, self.analyst)
            if report is not None and report.value is not None:
                sign = -1 if line.positions[ply].to_move is Color.WHITE else 1
                worth = self._to_scale(report, report.value, line.rules.moves_left(line.positions[ply]))
                yield CurvePoint(ply, sign * worth, report.is_certain)
            elif ply == line.ply and line.outcome is not None:
                winner = line.outcome.winner
                won = 0.0 if winner is None else 1.0 - 2.0 * winner
                black, white = line.outcome.counted
                yield CurvePoint(ply, won if self.in_chances else black - white, True)

    def _tooltips(
        self, points: Sequence[CurvePoint], line: AnyGame, judgements: _Judgements
    ) -> Iterator[tuple[str, ...]]:
        """Yield the text of each position: the move with its sign, its loss, the better move, and the value."""
        values = {point.ply: point.value for point in points}
        losses = {judgement.ply + 1: judgement for judgement in judgements if judgement is not None}
        for ply in range(line.ply + 1):
            moment = f"{labels.moment(line.at(ply))} {self.signs.get(line.moves[:ply], '')}".rstrip()
            loss = _loss(line.at(ply - 1), losses[ply]) if ply in losses else ()
            value = (self._value_text(line.at(ply), values[ply]),) if ply in values else ()
            yield moment, *loss, *value

    def _value_text(self, line: AnyGame, value: float) -> str:
        """Return the value of a position as a text, for the side that is ahead."""
        side = labels.side(line.rules, Color.BLACK if value >= 0 else Color.WHITE)
        if self.in_chances:
            return tr("analysis.announcement.value", side=side, value=percent(f"{50 + 50 * abs(value):.0f}"))
        if not round(value):
            return tr("analysis.announcement.even")
        lead = labels.on_board(labels.signed(abs(value)), line.outcome)
        return tr("analysis.announcement.value", side=side, value=lead)

    def _to_scale(self, report: SearchReport, value: float, left: int) -> float:
        """Return a search's value on the scale of the curve; `left`: moves left in the game."""
        if report.unit is Unit.REWARD:
            return 2 * value - 1 if self.in_chances else (value - 0.5) / assessment.CHANCE_PER_DISC
        if not self.in_chances:
            return value
        chance = win_probability(value, left, report.depth) if report.chance is None else report.chance
        return 2 * chance - 1


def _signs(line: AnyGame, judgements: _Judgements, limits: assessment.Limits) -> dict[Line, str]:
    """Return the signs of the mistakes in a line."""
    assessed = ((judgement.ply, limits.of(judgement.discs)) for judgement in judgements if judgement is not None)
    return {line.moves[: ply + 1]: SIGNS[mistake.value] for ply, mistake in assessed if mistake is not None}


def _loss(game: AnyGame, judgement: assessment.MoveAssessment) -> tuple[str, ...]:
    """Return the loss of a move and the better move as texts."""
    loss, is_chance = judgement.loss, judgement.unit is Unit.REWARD
    if (shown := f"{100 * loss if is_chance else loss:.0f}") == "0":
        return (tr("analysis.announcement.no_loss"),)
    better = tr("analysis.announcement.better", move=labels.move(game, judgement.best))
    if is_chance:
        return tr("analysis.announcement.chance_lost", chance=shown), better
    return tr("analysis.announcement.discs_lost", n=loss, discs=shown), better
