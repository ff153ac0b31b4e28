"""What games show and what they do not, in sentences: the answers that a reader looks for first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from othello.tournament.ratings import groups
from othello.tournament.standings import Results, Standings
from othello.tournament.statistics import Units
from othello.tournament.tables import elo_text, score_text, verdict

_MOST_PAIRS: Final = 10  # undecided ones that are named one by one
_LEVEL_ELO: Final = 0.5


def conclusions(standings: Standings) -> list[str]:
    """Who is stronger, the colours, and what all that rests on; the most important first."""
    results = standings.results()
    played = [total.name for total in standings.ranking() if total.games]
    apart = [group for group in groups(played, results.pairs) if len(group) > 1]
    sentences = []
    if len(apart) > 1:
        listed = "; ".join(", ".join(group) for group in apart)
        sentences.append(f"These groups never met, so nothing is known between them: {listed}.")
    for group in apart:
        sentences += _of_two(group, results) if len(group) == 2 else _of_many(group, standings)
    sentences.append(_colors(results.black))
    games, players = _counted(standings.games, "game"), _counted(len(played), "player")
    sentences.append(f"This rests on {games} of {players}; in brackets stand 95 % intervals.")
    return sentences


def _of_two(names: Sequence[str], results: Results) -> Iterator[str]:
    first, second = names if (names[0], names[1]) in results.pairs else names[::-1]
    units = results.pairs[first, second]
    if units.score < 0.5:
        first, second, units = second, first, units.mirrored
    if _is_stronger(units):
        yield f"{first} is stronger than {second}: it scored {score_text(units)}, Elo {elo_text(units.elo)}."
    else:
        yield (
            f"These games do not show who is stronger of {first} and {second}: "
            f"{first} scored {score_text(units)}, Elo {elo_text(units.elo)}."
        )


def _of_many(names: Sequence[str], standings: Standings) -> Iterator[str]:
    elo = standings.elo()
    order = sorted(names, key=lambda name: -elo[name].estimate)
    scores: dict[str, dict[str, Units]] = {name: {} for name in order}
    for (first, second), units in standings.results().pairs.items():
        if first in scores:
            scores[first][second], scores[second][first] = units, units.mirrored
    leader, *others = order
    not_shown = [other for other in others if not _is_stronger(scores[leader].get(other, Units()))]
    ahead = f"Elo {elo_text(elo[leader])}, where 0 is the mean"
    if not not_shown:
        yield f"{leader} is the strongest, ahead of each of the others: {ahead}."
    elif elo[leader].estimate < elo[others[0]].estimate + _LEVEL_ELO:
        yield f"Nobody is ahead: {leader} and {others[0]} are level, {ahead}."
    else:
        doubted = "any other" if len(not_shown) == len(others) > 2 else ", ".join(not_shown)
        yield f"{leader} is ahead, but not shown to be stronger than {doubted} by their own games: {ahead}."
    for name in order:
        weaker = [f"{other} with {score_text(scores[name][other])}" for other in order if _beats(scores[name], other)]
        if weaker:
            yield f"{name} is stronger than {', '.join(weaker)}."
    undecided = [
        f"{name} and {other}"
        for place, name in enumerate(order)
        for other in order[place + 1 :]
        if other in scores[name] and not (_beats(scores[name], other) or _beats(scores[other], name))
    ]
    if len(undecided) > _MOST_PAIRS:
        yield f"{len(undecided)} pairs are undecided."
    elif undecided:
        yield f"These games do not show who is stronger of {', '.join(undecided)}."


def _beats(scores: dict[str, Units], other: str) -> bool:
    return other in scores and _is_stronger(scores[other])


def _is_stronger(units: Units) -> bool:
    return units.interval.low > 0.5


def _colors(black: Units) -> str:
    said = verdict(black, "Black is favoured", "White is favoured", "These games do not show that a colour is favoured")
    return f"{said}: black scored {score_text(black)}."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
