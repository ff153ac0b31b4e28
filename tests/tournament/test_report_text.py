"""Tables and sentences about results."""

import itertools
import math
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from othello.records.record import GameRecord
from othello.tournament.report_text import (
    TextTable,
    conclusions,
    elo_text,
    pairs_table,
    series_table,
    tables,
    time_table,
)
from othello.tournament.standings import summarise
from othello.tournament.statistics import Interval
from othello.tournament.tournament_report import cross_table, notes
from tests.command_line import CommandLine
from tests.tournament.game_records import records, round_robin, standings_of, write


def test_series_are_counted_as_they_are_won() -> None:
    all_scores: list[list[float]] = [[1, 1], [1, 0, 0.5], [0, 0], [1, 0, 0.5], [0, 1, 0]]
    games = [
        GameRecord(
            game=number,
            series=series,
            black="A",
            white="B",
            black_points=32 + int(64 * points) - 32,
            white_points=64 - int(64 * points),
            result=("white", "draw", "black")[int(2 * points)],
            experiment="7-abc",
        )
        for series, scores in enumerate(all_scores, 1)
        for number, points in enumerate(scores, 100 * series)
    ]
    random.Random(1).shuffle(games)
    table = series_table(standings_of(games))
    assert table.header == ("pair", "series", "won", "drawn", "lost")
    assert table.rows == (("A - B", "5", "1", "2", "2"),)
    assert [table.title for table in tables(standings_of(games))][-1] == "Series"


def test_pairs_of_games_are_no_series_to_be_won() -> None:
    assert [table.title for table in tables(standings_of(records(20, 0.5)))][-1] == "Head to head"
    assert [table.title for table in tables(standings_of(records(1)))][-1] == "Head to head"


def concluded(games: list[GameRecord]) -> list[str]:
    return conclusions(standings_of(games))


def test_undecided_results_are_called_undecided() -> None:
    first, second, _ = concluded(records(8, a_wins=0.5))
    assert first.startswith("These games do not show who is stronger of ")
    assert second.startswith("These games do not show that a colour is favoured")


def test_the_strongest_of_many_is_named_first() -> None:
    games = [
        *records(200, 0.8, ("A", "B")),
        *(replace(record, series=record.series + 1000) for record in records(200, 0.9, ("A", "C"))),
        *(replace(record, series=record.series + 2000) for record in records(200, 0.5, ("B", "C"))),
    ]
    first, second, third, *_ = concluded(games)
    assert first.startswith("A is the strongest, ahead of each of the others: Elo +")
    assert re.fullmatch(r"A is stronger than B with \d+ : \d+ in 200 games, [\d.]+ % \(.*\); C with .*\.", second)
    assert third == "These games do not show who is stronger of B and C."
    first = concluded([record for record in games if "C" in (record.black, record.white)])[0]
    assert first.startswith("A is ahead, but not shown to be stronger than B")  # they never met


def test_many_undecided_pairs_are_left_to_the_table() -> None:
    said = concluded(round_robin(itertools.combinations("ABCD", 2), 8, 0.5))
    assert '6 pairs are undecided; the table "Head to head" has them all.' in said


def test_few_games_can_be_significant() -> None:
    first = concluded(records(8, a_wins=1.0))[0]
    assert first.startswith("A is stronger than B: it scored 8 : 0 in 8 games, 100.0 % (57.3 to 100.0)")


def test_verdicts_are_corrected_for_many_pairs() -> None:
    """Texts and verdicts both account for the number of pairs."""
    lucky = records(8, a_wins=1.0)
    assert pairs_table(standings_of(lucky)).rows[0][-1] == "A is stronger"
    others = round_robin((("A", "C"), ("B", "C")), 40, 0.5)
    standings = standings_of([replace(record, series=record.series + 5000) for record in lucky] + others)
    assert {row[0]: row[-1] for row in pairs_table(standings).rows}["A - B"] == "undecided"
    sentences = conclusions(standings)
    assert not any("stronger than B" in sentence for sentence in sentences[1:])
    assert "for the number of pairs, 3" in sentences[-1]


def test_a_player_without_points_has_a_bound_and_no_estimate() -> None:
    row = pairs_table(standings_of(records(40, a_wins=1.0))).rows[0]
    assert row[3] == "0-0-0-0-20"
    assert re.fullmatch(r"at least \+\d+", row[5])
    row = pairs_table(standings_of(records(40, a_wins=0.0))).rows[0]
    assert re.fullmatch(r"at most -\d+", row[5])
    assert row[6] == "0.0 %"


def test_printed_bounds_are_finite() -> None:
    (row,) = pairs_table(standings_of(records(3, a_wins=0.7))).rows
    assert "inf" not in " ".join(row)
    assert elo_text(Interval(-864.0, 191.0, math.inf)) == "+191 (at least -864)"
    assert elo_text(Interval(-math.inf, -191.0, 864.0)) == "-191 (at most +864)"
    assert elo_text(Interval(-12162.0, -909.0, -668.0)) == "-909 (at most -668)"
    assert elo_text(Interval(6082.0, 6281.0, 6348.0)) == "at least +6082"


def test_ratings_are_computed_once() -> None:
    standings = standings_of(records(4))
    assert standings.elo() is standings.elo()
    before = standings.elo()
    standings.add(replace(records(5)[-1], series=9))
    assert standings.elo() != before


@pytest.mark.parametrize("result", ["black", "draw"])
def test_one_game_shows_nothing(result: str) -> None:
    record = replace(records(1)[0], result=result)
    assert concluded([record])[0].startswith("These games do not show who is stronger of A and B")
    assert concluded([record])[-1].startswith("Based on 1 game of 2 players")


def test_no_player_leads_a_circle() -> None:
    first, *others = concluded(round_robin((("A", "B"), ("B", "C"), ("C", "A")), 20, 1.0))
    assert first.startswith("No player is ahead: A and B are level")
    assert [sentence[:20] for sentence in others[:3]] == [f"{a} is stronger than {b}" for a, b in ("AB", "BC", "CA")]


def test_groups_that_never_met_are_separated() -> None:
    games = [
        *records(20, 1.0, ("A", "B")),
        *(replace(game, experiment="8-def") for game in records(20, 1.0, ("C", "D"))),
    ]
    first, *others = concluded(games)
    assert first == "These groups never met, so they cannot be compared: A, B; C, D."
    assert [sentence.split(":")[0] for sentence in others[:2]] == ["A is stronger than B", "C is stronger than D"]


def test_tables_of_a_file_by_hand(tmp_path: Path, cli: CommandLine) -> None:
    file = write(tmp_path / "games.csv", records(4, a_wins=1.0))
    out = cli("report", file)
    assert cli.errors == ""
    rows = {
        line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("A ", "B ", "black ", "white "))
    }
    # games, points, won, drawn, lost, discs won, discs lost, balance
    assert rows["black"][1:9] == ["4", "2.0", "2", "0", "2", "128", "128", "+0"]
    ranking = out[out.index("Ranking") : out.index("Thinking time")]
    assert re.search(r"A +4 +4\.0 +4 +0 +0 +160 +96 +\+64", ranking)
    assert re.search(r"A +1\.500", out)


def test_the_time_of_a_move_counts_the_games_whose_moves_are_known() -> None:
    games = [replace(record, black_moves=10, white_moves=5) for record in records(2)]
    slow = [replace(record, black_seconds=100.0, white_seconds=100.0) for record in records(2)]
    for unknown in ([], slow):
        players = standings_of([*games, *unknown]).players
        assert [players[name].seconds_per_move for name in "AB"] == [(1 + 2) / (10 + 5)] * 2
    assert [row[2] for row in time_table(standings_of([*games, *slow])).rows] == ["0.2000", "0.2000"]
    assert [row[2] for row in time_table(standings_of(slow)).rows] == ["", ""]


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
    assert tables(summary.standings)[3].rows == ()


@pytest.mark.parametrize("width", [30, 60, 80, 0])
def test_a_table_keeps_to_the_width_of_a_terminal(width: int) -> None:
    header = ("player", *(f"column {number}" for number in range(9)))
    rows = tuple((name, *(f"{name}{number}" for number in range(9))) for name in ("A", "B"))
    title, *lines = TextTable("Ranking", header, rows).text(width).splitlines()
    assert title == "Ranking"
    assert all(len(line) <= (width or 1000) for line in lines)
    assert len(lines) % 3 == 0
    assert (len(lines) == 3) == (not width)
    assert [word for line in lines[1::3] for word in line.split()[1:]] == list(rows[0][1:])
