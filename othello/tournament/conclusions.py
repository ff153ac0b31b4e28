"""What games show and what they do not, in sentences: the answers that a reader looks for first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from othello.tournament.ratings import groups
from othello.tournament.standings import Standings
from othello.tournament.statistics import Units
from othello.tournament.tables import balance_text, elo_text

_MOST_PAIRS: Final = 10  # undecided ones that are named one by one
_LEVEL_ELO: Final = 0.5


def conclusions(standings: Standings) -> list[str]:
    """Who is stronger, the colours, and what all that rests on; the most important first."""
    pairs = standings.results().pairs
    played = [total.name for total in standings.ranking() if total.games]
    apart = [group for group in groups(played, pairs) if len(group) > 1]
    sentences = []
    if len(apart) > 1:
        listed = "; ".join(", ".join(group) for group in apart)
        sentences.append(f"These groups never met, so nothing is known between them: {listed}.")
    for group in apart:
        sentences += _of_two(group, standings) if len(group) == 2 else _of_many(group, standings)
    sentences.append(_colors(standings))
    games, players = _counted(standings.games, "game"), _counted(len(played), "player")
    sentences.append(f"This rests on {games} of {players}; in brackets stand 95 % intervals.")
    if len(pairs) > 1:
        sentences.append(
            f"Each interval stands for itself. Who is stronger is said with {len(pairs)} pairs in mind: "
            "among equal players a single such claim would be made in at most 1 of 20 tournaments."
        )
    return sentences


def _of_two(names: Sequence[str], standings: Standings) -> Iterator[str]:
    pairs = standings.results().pairs
    first, second = pair = (names[0], names[1]) if (names[0], names[1]) in pairs else (names[1], names[0])
    units = pairs[pair]
    if units.score < 0.5:
        first, second, units = second, first, units.mirrored
    if pair in standings.stronger():
        yield f"{first} is stronger than {second}: it scored {balance_text(units)}, Elo {elo_text(units.elo)}."
    else:
        yield (
            f"These games do not show who is stronger of {first} and {second}: "
            f"{first} scored {balance_text(units)}, Elo {elo_text(units.elo)}."
        )


def _of_many(names: Sequence[str], standings: Standings) -> Iterator[str]:
    elo = standings.elo()
    order = sorted(names, key=lambda name: -elo[name].estimate)
    stronger = standings.stronger()
    scores: dict[str, dict[str, Units]] = {name: {} for name in order}
    beaten: dict[str, set[str]] = {name: set() for name in order}
    for (first, second), units in standings.results().pairs.items():
        if first in scores:
            scores[first][second], scores[second][first] = units, units.mirrored
            winner = stronger.get((first, second))
            if winner is not None:
                beaten[winner].add(second if winner == first else first)
    leader, *others = order
    not_shown = [other for other in others if other not in beaten[leader]]
    ahead = f"Elo {elo_text(elo[leader])}, where 0 is the mean"
    if not not_shown:
        yield f"{leader} is the strongest, ahead of each of the others: {ahead}."
    elif elo[leader].estimate < elo[others[0]].estimate + _LEVEL_ELO:
        yield f"Nobody is ahead: {leader} and {others[0]} are level, {ahead}."
    else:
        doubted = "any other" if len(not_shown) == len(others) > 2 else ", ".join(not_shown)
        yield f"{leader} is ahead, but not shown to be stronger than {doubted} by their own games: {ahead}."
    for name in order:
        weaker = [f"{other} with {balance_text(scores[name][other])}" for other in order if other in beaten[name]]
        if weaker:
            yield f"{name} is stronger than {'; '.join(weaker)}."
    yield from _undecided(order, scores, beaten)


def _undecided(
    order: Sequence[str], scores: Mapping[str, Mapping[str, Units]], beaten: Mapping[str, set[str]]
) -> Iterator[str]:
    pairs = [
        f"{name} and {other}"
        for place, name in enumerate(order)
        for other in order[place + 1 :]
        if other in scores[name] and other not in beaten[name] and name not in beaten[other]
    ]
    if len(pairs) > _MOST_PAIRS:
        yield f"{len(pairs)} pairs are undecided."
    elif pairs:
        yield f"These games do not show who is stronger of {', '.join(pairs)}."


def _colors(standings: Standings) -> str:
    favoured = standings.favoured()
    said = "These games do not show that a colour is favoured"
    if favoured is not None:
        said = f"{favoured.label.capitalize()} is favoured"
    return f"{said}: black scored {balance_text(standings.results().black)}."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
