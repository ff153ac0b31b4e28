"""The texts of exercises: tasks, tried moves, hints and answers."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import labels
from othello.play import assessment
from othello.play.assessment import Limits, Mistake, MoveAssessment, is_right, values_of
from othello.play.session import Session
from othello.rules.protocol import Color, Move
from othello.search.report import Unit
from othello.study.store_writer import DamagedValue
from othello.study.training import Exercise, ExerciseAttempt, TrainingRun, exercise_of
from othello.texts import joined, tr

_TRIES: Final = ("first", "second", "third")
_EXERCISES: Final = 5  # mistakes of a game that become exercises even if they are small


class Verdict(Enum):
    """The verdict on a tried move."""

    RIGHT = "right"
    BETTER = "better"
    WRONG = "wrong"


def exercises(session: Session, judgements: Sequence[MoveAssessment | None], limits: Limits) -> list[Exercise]:
    """Return the user's mistakes of a game: the worst ones, and all mistakes and blunders."""
    line, date = session.history.tree.line, session.history.date
    names = {color: labels.player_name(line.rules, session.players, color) for color in Color}
    worst = assessment.worst((judgement for judgement in judgements if judgement and judgement.is_persons), limits)
    others = (mistake for mistake in worst[_EXERCISES:] if limits.of(mistake.discs) is not Mistake.INACCURACY)
    chosen = (*worst[:_EXERCISES], *others)
    return [exercise_of(line, mistake, names[mistake.color.opponent], date) for mistake in chosen]


def step(drill: TrainingRun, index: int) -> tuple[str, Verdict | None]:
    """Return the text and the verdict of an exercise in the progress row; None: not finished."""
    ended = drill.ended.get(index)
    if ended is None:
        return tr("training.now") if index == drill.index else str(index + 1), None
    if not ended.is_solved:
        return tr("training.shown"), Verdict.WRONG
    return (tr("training.first"), Verdict.RIGHT) if ended.is_known else (tr("training.found"), Verdict.BETTER)


def outside(drill: TrainingRun) -> tuple[str, str]:
    """Return the title and the text if no exercise is on the board."""
    due, today = drill.deck.next_due, drill.deck.today()
    if drill.trials:
        again, skipped = drill.tomorrow, len(drill.trials) - len(drill.ended)
        sentences = [tr("training.score", known=drill.known, count=len(drill.trials))]
        sentences += [tr("training.again", n=again)] * bool(again) + [tr("training.skipped", n=skipped)] * bool(skipped)
        return tr("training.all"), joined(*sentences)
    if due is None:
        return tr("training.empty"), tr("training.how_to_begin")
    return tr("training.nothing"), tr("training.next_due", date=max(due, today).isoformat())


def source(exercise: Exercise) -> tuple[str, ...]:
    """Return the source of an exercise, in versions from long to short."""
    name, move, day = exercise.opponent, exercise.game.number + 1, exercise.played_on[:10]
    number = tr("training.move", move=move)
    if not name:
        return (number,)
    return tr("training.source", opponent=name, date=day, move=move), f"{name} · {day} · {number}", number


def task(attempt: ExerciseAttempt) -> tuple[str, str]:
    """Return the title of the task, and the reason for the exercise."""
    exercise = attempt.exercise
    values, unit, rules = values_of(exercise.report), exercise.report.unit, exercise.game.rules
    side, move = labels.side(rules, exercise.game.to_move), labels.move(exercise.game, exercise.played)
    best, played = max(values.values()), values[exercise.played]
    if unit is Unit.DISCS:
        why = tr("training.turned", side=side, move=move, before=_ending(best), after=_ending(played))
    elif unit is Unit.REWARD:
        why = tr("training.cost_chance", side=side, move=move, chance=f"{100 * (best - played):.0f}")
    else:
        why = tr("training.cost", n=best - played, side=side, move=move, discs=f"{best - played:.0f}")
    if attempt.is_solved:
        return tr("training.is_solved"), why
    return tr("training.is_shown" if attempt.is_shown else "training.find"), why


def unit_of(exercise: Exercise) -> str:
    """Return the name of the unit of an exercise's values."""
    kind = {Unit.REWARD: "chance", Unit.DISCS: "exact"}.get(exercise.report.unit, "estimate")
    return tr(f"training.unit_{kind}", depth=exercise.report.depth)


def attempts(attempt: ExerciseAttempt) -> list[tuple[Move, str]]:
    """Return the rows of tried moves: the mistake, the tries, and the answer if it is shown, each with its name."""
    times = [*(tr(f"training.tried.{name}") for name in _TRIES[: len(attempt.tries)])]
    times += [tr("training.later", n=n + 1) for n in range(len(_TRIES), len(attempt.tries))]
    rows = [(attempt.exercise.played, tr("training.in_game")), *zip(attempt.tries, times, strict=True)]
    return [*rows, (solution(attempt), tr("training.the_answer"))] if attempt.is_shown else rows


def worth(attempt: ExerciseAttempt, move: Move) -> tuple[str, Verdict]:
    """Return the value of a move as a text, and its verdict."""
    report = attempt.exercise.report
    verdict = Verdict.BETTER if attempt.is_better(move) else Verdict.WRONG
    return labels.value(values_of(report)[move], report.unit), Verdict.RIGHT if is_right(report, move) else verdict


def outcome(attempt: ExerciseAttempt, move: Move) -> str:
    """Return the outcome of a move as a text; for a tried move with the verdict."""
    leads_to = _outcome(attempt.exercise, move)
    if move in attempt.tries:
        return tr(f"training.verdicts.{worth(attempt, move)[1].value}", outcome=leads_to)
    return leads_to


def _outcome(exercise: Exercise, move: Move) -> str:
    """Return the outcome of a move with best play of both sides."""
    report = exercise.report
    amount, unit = values_of(report)[move], report.unit
    if unit is Unit.REWARD:
        return tr("training.chance", chance=f"{100 * amount:.0f}")
    if unit is Unit.EXPECTED:
        return tr("training.expected", value=labels.signed(amount))
    discs = labels.on_board(f"{abs(amount):.0f}", report.expected_end(exercise.game, move))
    if amount > 0:
        return tr("training.wins", n=amount, discs=discs)
    return tr("training.loses", n=-amount, discs=discs) if amount else tr("training.draws")


def _ending(amount: float) -> str:
    """Return the end of a game as a noun, such as "a win by 4"."""
    if amount > 0:
        return tr("training.a_win", discs=f"{amount:.0f}")
    return tr("training.a_loss", discs=f"{-amount:.0f}") if amount else tr("training.a_draw")


def solution(attempt: ExerciseAttempt) -> Move:
    """Return the move that was found, or else the best one."""
    values = values_of(attempt.exercise.report)
    return attempt.tries[-1] if attempt.is_solved else max(values, key=lambda move: values[move])


def answer(attempt: ExerciseAttempt) -> tuple[str, str]:
    """Return the title and the details of the answer."""
    exercise, report = attempt.exercise, attempt.exercise.report
    game, values, best = exercise.game, values_of(report), solution(attempt)
    move, leads_to = labels.move(game, best), _outcome(exercise, best)
    title = tr("training.solved" if attempt.is_solved else "training.answer", move=move, outcome=leads_to)
    gained, played = values[best] - values[exercise.played], labels.move(game, exercise.played)
    if report.unit is Unit.REWARD:
        details = tr("training.more_chance", chance=f"{100 * gained:.0f}", move=played)
    else:
        details = tr("training.more_discs", n=gained, discs=f"{gained:.0f}", move=played)
    return title, f"{details} {_equal_moves(exercise)}"


def hint(exercise: Exercise) -> tuple[str, str]:
    """Return the title and the details of a hint: the column of the best move."""
    values, rules = values_of(exercise.report), exercise.game.rules
    best = max(values, key=lambda move: values[move])
    name = rules.column_names[best % rules.columns]
    return tr("training.hint", column=name), _equal_moves(exercise)


def _equal_moves(exercise: Exercise) -> str:
    """Return a sentence on how many moves are as good as the best."""
    others = sum(is_right(exercise.report, move) for move in values_of(exercise.report)) - 1
    return tr("training.others", n=others) if others else tr("training.only")


def best_line(attempt: ExerciseAttempt) -> tuple[Move, ...]:
    """Return the answer and the moves that the search expects after it."""
    best, pv = solution(attempt), attempt.exercise.report.pv
    return pv if pv[:1] == (best,) else (best,)


def game_at(attempt: ExerciseAttempt, step: int) -> AnyGame:
    """Return the position after the first moves of the answer's line."""
    return attempt.exercise.game.after(best_line(attempt)[:step])


def notice(part: str, fault: DamagedValue | OthelloError) -> str:
    """Return the error in reading or storing the exercises or the repertoire; `part`: "training" or "repertoire"."""
    if isinstance(fault, DamagedValue):
        return tr("training.damaged" if part == "training" else "repertoire.damaged", name=fault.name)
    return tr("training.save_failure" if part == "training" else "repertoire.save_failure", reason=str(fault.reason))
