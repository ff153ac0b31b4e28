"""Scores of series of games."""

from dataclasses import replace

import pytest

from othello.records.record import GameRecord
from othello.tournament import standings
from othello.tournament.standings import SeriesScores


def won(number: int, game: int) -> GameRecord:
    """Return a game of a series that A wins."""
    black, white = ("A", "B") if game % 2 else ("B", "A")
    result = "black" if black == "A" else "white"
    return GameRecord(
        game=game, series=number, black=black, white=white, black_points=40, white_points=24, result=result
    )


def test_the_oldest_of_many_open_series_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "_MAX_OPEN", 2)
    scores = SeriesScores()
    for game, number in enumerate((1, 2, 3, 3), 1):
        scores.add(won(number, game), ["A", "B"])
    assert scores.outcomes["A", "B"][1] == 1


@pytest.mark.parametrize(("winners", "outcome"), [("AB", 0), ("ABB", -1), ("ABA", 1), ("BB", -1), ("AA", 1)])
def test_the_winner_of_a_series_has_won_more_games(winners: str, outcome: int) -> None:
    scores = SeriesScores()
    for game, winner in enumerate(winners, 1):
        result = "black" if winner == ("A" if game % 2 else "B") else "white"
        scores.add(replace(won(1, game), result=result), ["A", "B"])
    assert +scores.outcomes["A", "B"] == {outcome: 1}
    assert scores.score("", 1, ("A", "B")) == (winners.count("A"), winners.count("B"))
    assert scores.score("", 1, ("B", "A")) == (winners.count("B"), winners.count("A"))
    assert scores.score("", 2, ("A", "B")) == (0, 0)
