"""What is said of a game that is looked back on."""

from __future__ import annotations

from collections.abc import Sequence

from othello.game import AnyGame
from othello.gui import sentences, wording
from othello.gui.faces.face import Face
from othello.gui.review.panels import MistakeKind, ScoreCard, WorstMove
from othello.gui.wording import SIGNS
from othello.play import judging
from othello.play.judging import CHANCE_PER_DISC, Judgement, Limits, Mistake, summary
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.search.report import Unit
from othello.texts import say


def title(session: Session) -> str:
    """How the game ended, or how far it has come."""
    rules, game = session.game.rules, session.game
    if not session.referee.is_over:
        return say("review.so_far", n=game.ply, move=game.ply)
    title = sentences.ending(session)
    own, other = sentences.in_turn(session, rules.score(game.position))
    return f"{title} {own} : {other}" if rules.points else title


def side(
    session: Session, judgements: Sequence[Judgement | None], color: Color, limits: Limits, face: Face
) -> ScoreCard:
    """How well a side played."""
    rules, seats = session.game.rules, session.seats
    name = wording.player_name(rules, seats, color)
    known = wording.player_details(seats[color])
    details = tuple(f"{wording.side(rules, color)} · {each}" for each in known) + known
    found = summary(judgements, color, limits)
    if found is None:
        return ScoreCard(face, color, name, details, grow=1)
    unit = next(each.unit for each in judgements if each is not None)
    kinds = (
        MistakeKind(
            SIGNS[each.value], found.mistakes[each], _kind(each, found.mistakes[each]), _limits_text(each, limits, unit)
        )
        for each in reversed(Mistake)
    )
    loss = f"{100 * found.mean_loss:.1f}%" if unit is Unit.REWARD else f"{found.mean_loss:.1f}"
    kind = "chance" if unit is Unit.REWARD else "discs"
    lost = (say(f"review.lost_{kind}"), say("review.on_average"))
    return ScoreCard(face, color, name, details, loss, found.accuracy, tuple(kinds), lost, grow=1)


def _kind(mistake: Mistake, n: int) -> str:
    return say(f"review.mistakes.{mistake.value}", n=n)


def _limits_text(mistake: Mistake, limits: Limits, unit: Unit) -> str:
    """From what loss a mistake is of its kind, and up to what."""
    ends = {Mistake.SLIP: (limits.slip, limits.mistake), Mistake.MISTAKE: (limits.mistake, limits.blunder)}
    low, high = ends.get(mistake, (limits.blunder, None))
    if unit is Unit.REWARD:
        per_cent = 100 * CHANCE_PER_DISC
        low, high = low * per_cent, None if high is None else high * per_cent
        return say("review.from_chance", low=f"{low:g}") if high is None else f"{low:g} – {high:g}%"
    return say("review.from_discs", n=low, low=low) if high is None else f"{low:g} – {high - 1:g}"


def worst(line: AnyGame, each: Judgement, limits: Limits) -> WorstMove:
    """A move that lost much."""
    game, mistake = line.at(each.ply), limits.of(each.discs)
    assert mistake is not None
    in_chances = each.unit is Unit.REWARD
    return WorstMove(
        title=say("review.move", move=each.ply + 1),
        sign=SIGNS[mistake.value],
        position=game.position,
        last_move=game.last_move,
        was=(wording.move(game, each.move), each.move),
        best=(wording.move(game, each.best), each.best),
        gain=f"+{100 * each.loss:.0f}%" if in_chances else f"+{each.loss:.0f}",
        unit=say("review.chance") if in_chances else say("review.discs", n=each.loss),
        how=wording.certainty(each.report),
    )


def certainty(judgements: Sequence[Judgement | None]) -> str:
    """From which move on values are proved, and what the others are."""
    known = _known(judgements)
    guessed = [each for each in known if not each.is_exact]
    if not known:
        return ""
    if not guessed:
        return say("review.all_exact")
    after = [each for each in known if each.ply > guessed[-1].ply]
    estimate = wording.certainty(guessed[-1].report)
    return say("review.exact_from", move=after[0].ply + 1, estimate=estimate) if after else estimate


def _known(judgements: Sequence[Judgement | None]) -> list[Judgement]:
    return [each for each in judgements if each is not None]


def story(session: Session, judgements: Sequence[Judgement | None], limits: Limits) -> str:
    """How who lost came to lose: the last lead, and the moves that cost most after it."""
    if session.referee.winner is None or session.referee.forfeit is not None:
        return ""
    loser, rules = session.referee.winner.opponent, session.game.rules
    own = [each for each in _known(judgements) if each.color is loser and each.unit is not Unit.REWARD]
    led = next((each for each in reversed(own) if each.best_value > 0), None)
    since = own if led is None else [each for each in own if each.ply >= led.ply]
    costly = sorted(judging.worst(since, limits, 2), key=lambda each: each.ply)
    if not costly:
        return ""
    line = session.history.tree.line
    told = say("review.and").join(
        say("review.cost", n=each.loss, move=wording.move(line.at(each.ply), each.move), discs=f"{each.loss:.0f}")
        for each in costly
    )
    if led is None:
        return say("review.costly", moves=told)
    value = led.best_value
    lead, after = f"{value:.0f}", led.ply
    if sentences.contender(session) is loser:
        return say("review.you_led", n=value, lead=lead, move=after, moves=told)
    return say("review.led", n=value, side=wording.side(rules, loser), lead=lead, move=after, moves=told)
