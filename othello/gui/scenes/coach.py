"""What is said of an exercise: what is to be found, what a try is worth, what the answer was."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import wording
from othello.gui.views.answer import Answer
from othello.gui.views.train import Step, TrainState, Try, Verdict
from othello.play.deck import Damage
from othello.play.drill import Drill
from othello.play.judging import is_right, values_of
from othello.play.training import Exercise, Trial
from othello.rules.protocol import Color, Move
from othello.search.report import Unit
from othello.texts import say

_TRIES: Final = ("first", "second", "third")


def column(drill: Drill, step: int) -> TrainState:
    """All that is said of some exercises, and of the one that is tried.

    Args:
        drill: those.
        step: so many moves of the answer's line are on the board.
    """
    trial, steps = drill.trial, tuple(_step(drill, index) for index in range(len(drill.trials)))
    if trial is None:
        return TrainState(say("training.done" if steps else "training.title"), ("",), steps, None, _outside(drill))
    exercise, told = trial.exercise, None
    if trial.is_over:
        told = answer(trial, step)
    elif trial.had_hint:
        told = _hint(exercise)
    return TrainState(
        title=say("training.of", number=drill.index + 1, count=len(steps)),
        source=_source(exercise),
        steps=steps,
        color=exercise.game.to_move,
        task=_task(exercise),
        unit=_unit(exercise),
        tries=_tries(trial),
        answer=told,
    )


def _step(drill: Drill, index: int) -> Step:
    ended, is_now = drill.ended.get(index), index == drill.index
    if ended is None:
        return Step(say("training.now") if is_now else str(index + 1), is_now)
    if not ended.is_solved:
        return Step(say("training.shown"), is_now, Verdict.WRONG)
    if ended.is_known:
        return Step(say("training.first"), is_now, Verdict.RIGHT)
    return Step(say("training.found"), is_now, Verdict.BETTER)


def _outside(drill: Drill) -> tuple[str, str]:
    """What is said where no exercise is on the board: how it went, what to do, or when it goes on."""
    due, today = drill.deck.next_due, drill.deck.today
    if drill.trials:
        text = say("training.score", known=drill.known, count=len(drill.ended))
        again = len(drill.ended) - drill.known
        return say("training.all"), f"{text} {say('training.again', n=again)}" if again else text
    if due is None:
        return say("training.empty"), say("training.how_to_begin")
    return say("training.nothing"), say("training.next_due", date=max(due, today).isoformat())


def _source(exercise: Exercise) -> tuple[str, ...]:
    """Where an exercise is from, in ever fewer words."""
    name, move = exercise.opponent, exercise.game.ply + 1
    day = exercise.played_on[:10]
    number = say("training.move", move=move)
    if not name:
        return (number,)
    return say("training.source", opponent=name, date=day, move=move), f"{name} · {day} · {number}", number


def _task(exercise: Exercise) -> tuple[str, str]:
    """What is to be done, and why."""
    values, unit = values_of(exercise.report), exercise.report.unit
    game = exercise.game
    side, move = wording.side(game.rules, game.to_move), wording.move(game, exercise.played)
    best, played = max(values.values()), values[exercise.played]
    title = say("training.find")
    if unit is Unit.DISCS:
        return title, say("training.turned", side=side, move=move, before=_end(best), after=_end(played))
    if unit is Unit.REWARD:
        return title, say("training.cost_chance", side=side, move=move, chance=f"{100 * (best - played):.0f}")
    return title, say("training.cost", n=best - played, side=side, move=move, discs=f"{best - played:.0f}")


def _unit(exercise: Exercise) -> str:
    """What the values are."""
    unit = exercise.report.unit
    if unit is Unit.REWARD:
        return say("training.unit_chance")
    if unit is Unit.DISCS:
        return say("training.unit_exact")
    return say("training.unit_estimate", depth=exercise.report.depth)


def _tries(trial: Trial) -> tuple[Try, ...]:
    """The mistake, and what was tried instead."""
    exercise = trial.exercise
    found = [_try(trial, exercise.played, say("training.in_game"))]
    for index, move in enumerate(trial.tries):
        when = say(f"training.tried.{_TRIES[index]}") if index < len(_TRIES) else say("training.later", n=index + 1)
        found.append(_try(trial, move, when))
    if trial.is_shown:
        found.append(_try(trial, solution(trial), say("training.the_answer")))
    return tuple(found)


def _verdict(trial: Trial, move: Move) -> Verdict:
    """What a move is."""
    if is_right(trial.exercise.report, move):
        return Verdict.RIGHT
    return Verdict.BETTER if trial.is_better(move) else Verdict.WRONG


def _try(trial: Trial, move: Move, when: str) -> Try:
    exercise, judged = trial.exercise, _verdict(trial, move)
    value, unit = values_of(exercise.report)[move], exercise.report.unit
    words = _outcome(value, unit)
    if move in trial.tries:
        words = say(f"training.verdicts.{judged.value}", outcome=words)
    return Try(wording.move(exercise.game, move), move, when, words, wording.value(value, unit), judged)


def _outcome(value: float, unit: Unit) -> str:
    """What a move leads to, with the best play of both sides."""
    if unit is Unit.REWARD:
        return say("training.chance", chance=f"{100 * value:.0f}")
    if unit is Unit.EXPECTED:
        return say("training.expected", value=wording.signed(value))
    if value == 0:
        return say("training.draws")
    return say("training.wins" if value > 0 else "training.loses", n=abs(value), discs=f"{abs(value):.0f}")


def _end(value: float) -> str:
    """How a game ends, as the thing that it was turned into."""
    if value == 0:
        return say("training.a_draw")
    return say("training.a_win" if value > 0 else "training.a_loss", discs=f"{abs(value):.0f}")


def solution(trial: Trial) -> Move:
    """What was found, or should have been."""
    values = values_of(trial.exercise.report)
    return trial.tries[-1] if trial.is_solved else max(values, key=lambda move: values[move])


def answer(trial: Trial, step: int) -> Answer:
    """What is said when an exercise is over."""
    exercise, report = trial.exercise, trial.exercise.report
    values = values_of(report)
    best = solution(trial)
    move, leads_to = wording.move(exercise.game, best), _outcome(values[best], report.unit)
    title = say("training.solved" if trial.is_solved else "training.answer", move=move, outcome=leads_to)
    gained, played = values[best] - values[exercise.played], wording.move(exercise.game, exercise.played)
    if report.unit is Unit.REWARD:
        details = say("training.more_chance", chance=f"{100 * gained:.0f}", move=played)
    else:
        details = say("training.more_discs", n=gained, discs=f"{gained:.0f}", move=played)
    return Answer(title, f"{details} {_peers(exercise)}", trial.is_solved, _line(exercise, best), step)


def game_at(trial: Trial, step: int) -> AnyGame:
    """The position of an exercise, or of the answer's line so many moves later."""
    return trial.exercise.game.after(_best_line(trial.exercise, solution(trial))[:step])


def _best_line(exercise: Exercise, move: Move) -> tuple[Move, ...]:
    """How the game goes on after a move, as far as the search knows."""
    pv = exercise.report.pv
    return pv if pv[:1] == (move,) else (move,)


def _line(exercise: Exercise, move: Move) -> tuple[tuple[Color, str], ...]:
    return tuple(wording.line(exercise.game, _best_line(exercise, move)))


def _hint(exercise: Exercise) -> Answer:
    """A part of the answer."""
    values, rules = values_of(exercise.report), exercise.game.rules
    best = max(values, key=lambda move: values[move])
    name = rules.column_names[best % rules.columns]
    return Answer(say("training.hint", column=name), _peers(exercise), is_found=False)


def _peers(exercise: Exercise) -> str:
    """How many moves are as good as the best."""
    others = sum(is_right(exercise.report, move) for move in values_of(exercise.report)) - 1
    return say("training.others", n=others) if others else say("training.only")


def deck_notice(notice: Damage | OthelloError) -> str:
    """What went wrong with the file of a person's exercises."""
    if isinstance(notice, Damage):
        return say("training.damaged", file=Path(notice.path).name)
    return say("training.not_kept", reason=str(notice.reason))
