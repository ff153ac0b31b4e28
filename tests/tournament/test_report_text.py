"""Scores of series of games, and tables and sentences about results."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import SprtConfig
from othello.records.record import GameRecord
from othello.tournament import report_text, standings as standings_module
from othello.tournament.standings import SeriesScores, Standings, summarise
from othello.tournament.tournament_report import cross_table, notes
from tests.golden.dialogues import assert_answers
from tests.tournament.game_records import records, round_robin, standings_of, write

ONE = records(1)[0]


def test_series_are_counted_as_they_are_won() -> None:
    results = [["black", "black"], ["black", "white", "draw"], ["white", "white"], ["black", "white", "draw"]]
    results.append(["white", "black", "white"])
    games = [
        GameRecord(game=game, series=series, black="A", white="B", black_points=1, white_points=1, result=result)
        for series, wins in enumerate(results, 1)
        for game, result in enumerate(wins, 100 * series)
    ]
    random.Random(1).shuffle(games)
    table = report_text.series_table(standings_of(games))
    assert table.header == ("pair", "series", "won", "drawn", "lost")
    assert table.rows == (("A - B", "5", "1", "2", "2"),)
    assert [table.title for table in report_text.tables(standings_of(games))][-1] == "Series"
    for number in (1, 20):
        pairs = standings_of(records(number, 0.5))
        assert [table.title for table in report_text.tables(pairs)][-1] == "Head to head", "game pairs are no series"
    same_colors = standings_of([ONE, replace(ONE, game=2)])
    assert same_colors.results().pairs["A", "B"].counts == {(1, 1.0): 2}, "these games are no pair"


def concluded(games: list[GameRecord]) -> list[str]:
    return report_text.conclusions(standings_of(games))


def test_a_favoured_colour_is_named() -> None:
    games = [replace(ONE, game=n, series=n) for n in range(20)]
    assert concluded(games)[1].startswith("Black is favoured: black scored 20 : 0 in 20 games")


def test_the_strongest_of_many_is_named_first() -> None:
    games = [
        replace(record, series=record.series + 1000 * number)
        for number, (share, pair) in enumerate({0.8: ("A", "B"), 0.9: ("A", "C"), 0.5: ("B", "C")}.items())
        for record in records(200, share, pair)
    ]
    first, second, third, *_ = concluded(games)
    assert first.startswith("A is the strongest, ahead of each of the others: Elo +")
    assert re.fullmatch(r"A is stronger than B with \d+ : \d+ in 200 games, [\d.]+ % \(.*\); C with .*\.", second)
    assert third == "These games do not show who is stronger of B and C."
    first = concluded([record for record in games if "C" in (record.black, record.white)])[0]
    assert first.startswith("A is ahead, but not shown to be stronger than B")  # they never met


def test_verdicts_are_corrected_for_many_pairs() -> None:
    lucky = records(8, a_wins=1.0)
    assert report_text.pairs_table(standings_of(lucky)).rows[0][-1] == "A is stronger"
    others = round_robin((("A", "C"), ("B", "C")), 40, 0.5)
    standings = standings_of([replace(record, series=record.series + 5000) for record in lucky] + others)
    assert {row[0]: row[-1] for row in report_text.pairs_table(standings).rows}["A - B"] == "undecided"
    sentences = report_text.conclusions(standings)
    assert not any("stronger than B" in sentence for sentence in sentences[1:])
    assert "for the number of pairs, 3" in sentences[-1]


def test_ratings_are_computed_once_a_game() -> None:
    standings = standings_of(records(4))
    before = standings.elo()
    assert standings.elo() is before
    standings.add(replace(records(5)[-1], series=9))
    assert standings.elo() != before


def test_the_time_of_a_move_counts_the_games_whose_moves_are_known() -> None:
    games = [replace(record, black_moves=10, white_moves=5) for record in records(2)]
    slow = [replace(record, black_seconds=100.0, white_seconds=100.0) for record in records(2)]
    for unknown in ([], slow):
        players = standings_of([*games, *unknown]).players
        assert [players[name].seconds_per_move for name in "AB"] == [(1 + 2) / (10 + 5)] * 2
    assert [row[2] for row in report_text.time_table(standings_of([*games, *slow])).rows] == ["0.2000", "0.2000"]
    assert [row[2] for row in report_text.time_table(standings_of(slow)).rows] == ["", ""]


def test_several_files_count_every_game_once(tmp_path: Path) -> None:
    games = records(20)
    first, second = write(tmp_path / "a.csv", games[:12]), write(tmp_path / "b.jsonl", games[8:])
    summary = summarise([first, second])
    assert summary.standings.games == 20
    assert summary.doubles == 4
    assert notes(summary) == ["4 duplicate games were skipped."]
    assert cross_table(summary.standings).rows[0][2] == f"{summary.standings.players['A'].points:g} / 20"


def test_a_player_against_itself(tmp_path: Path) -> None:
    summary = summarise([write(tmp_path / "games.csv", records(names=("A", "A")))])
    assert summary.standings.players["A"].games == 80
    assert report_text.tables(summary.standings)[3].rows == ()


@pytest.mark.parametrize(("width", "used"), [(32, 23), (33, 33), (42, 33), (60, 53), (103, 103), (0, 103)])
def test_a_table_keeps_to_the_width_of_a_terminal(width: int, used: int) -> None:
    header = ("player", *(f"column {number}" for number in range(9)))
    rows = tuple((name, *(f"{name[0]}{number}" for number in range(9))) for name in ("Ann-of-Vienna", "B"))
    title, *lines = report_text.TextTable("Ranking", header, rows).text(width).splitlines()
    assert title == "Ranking"
    assert max(map(len, lines)) == used
    assert len(lines) % 3 == 0
    assert (len(lines) == 3) == (used == 103)
    assert [word for line in lines[1::3] for word in line.split()[1:]] == list(rows[0][1:])


def scores_of(*series: str) -> SeriesScores:
    """Return the scores of series of games between A and B, given their winners."""
    scores = SeriesScores()
    for number, winners in enumerate(series, 1):
        for game, winner in enumerate(winners, 1):
            black, white = "AB" if game % 2 else "BA"
            result = "black" if black == winner else "white"
            record = GameRecord(black=black, white=white, black_points=40, white_points=24, result=result)
            scores.add(replace(record, game=game, series=number), ["A", "B"])
    return scores


@pytest.mark.parametrize(
    ("series", "outcomes", "are_matches"),
    [
        ([], {}, False),
        (["AB"], {0: 1}, False),
        (["ABB"], {-1: 1}, True),
        (["ABA"], {1: 1}, True),
        (["BB"], {-1: 1}, True),
        (["AA", "BB"], {1: 1, -1: 1}, True),
        (["AA", "AB"], {1: 1, 0: 1}, False),
        (["AB", "ABA"], {0: 1, 1: 1}, True),
    ],
)
def test_series_have_winners_and_are_matches_unless_one_of_two_games_is_drawn(
    series: list[str], outcomes: dict[int, int], are_matches: bool
) -> None:
    scores = scores_of(*series)
    assert scores.are_matches == are_matches
    assert +scores.outcomes["A", "B"] == outcomes
    for number, winners in enumerate([*series, ""], 1):
        points = winners.count("A"), winners.count("B")
        assert scores.score("", number, ("A", "B")) == points
        assert scores.score("", number, ("B", "A")) == points[::-1]


def test_the_oldest_of_many_open_series_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings_module, "_MAX_OPEN", 2)
    scores = scores_of("A", "A", "AA")
    assert scores.outcomes["A", "B"][1] == 1
    assert [scores.score("", number, ("A", "B")) for number in (1, 2, 3)] == [(0, 0), (1, 0), (2, 0)]


def test_tables_and_conclusions_have_the_golden_words() -> None:
    def answer(question: str) -> str:
        pairs, games, share, sprt = json.loads(question)
        standings = Standings(sprt=SprtConfig(**sprt) if sprt else None)
        for record in round_robin(pairs, games, share):
            standings.add(record)
        found = [table.text() for table in report_text.tables(standings)]
        return "\n".join([*found, *report_text.conclusions(standings)])

    assert_answers("conclusions.txt", answer)
