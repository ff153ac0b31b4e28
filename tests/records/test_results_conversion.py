"""Results files read as games, with names, results and search values."""

from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config, TournamentConfig
from othello.play.referee import Fault
from othello.players.player_registry import configure
from othello.records.formats.parsed_game import MoveInfo, ParsedGame, search_words, searched
from othello.records.readers import read_games
from othello.records.record import FAULTS, GameRecord
from othello.records.results import ResultsReader
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.command_line import CommandLine
from tests.positions import SPEC
from tests.results_files import write_results


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[GameRecord]:
    file = tmp_path_factory.mktemp("played") / "games.jsonl"
    players = configure("engine", name="Deep", depth=2), configure("mcts_uct", name="Wide", simulation_count=20)
    config = Config(
        players, "tournament", 1, 7, output_file=file, tournament=TournamentConfig("paired", opening_plies=4)
    )
    assert [*Experiment(config).play(SerialExecutor())]
    return list(ResultsReader(file))


def parsed_games_of(file: Path) -> list[ParsedGame]:
    found = [each for each in read_games(file, SPEC) if isinstance(each, ParsedGame)]
    assert len(found) == len([*read_games(file, SPEC)])
    return found


def test_records_have_value_depth_and_time_of_every_move(records: list[GameRecord]) -> None:
    for record in records:
        values = record.searches.split()
        assert len(values) == len(record.transcript) // 2
        assert values[:4] == ["-"] * 4, "the opening was drawn"
        deep = values[4:][0 if record.black == "Deep" else 1]
        value, depth, seconds = deep.split("/")
        assert value[0] in "+-"
        assert int(depth) >= 1
        assert float(seconds) >= 0
        assert all(each == "-" or each.count("/") == 2 for each in values)
        assert any("%/" in each for each in values), "the other player counts wins"


@pytest.mark.parametrize("source", ["games.jsonl", "games.csv", "renamed.txt"])
@pytest.mark.parametrize("target", ["all.pgn", "all.ggf", "all.sgf", "all.txt", "all.othello.json"])
def test_results_are_converted(
    records: list[GameRecord], tmp_path: Path, source: str, target: str, cli: CommandLine
) -> None:
    file, out = tmp_path / source, tmp_path / target
    written = tmp_path / ("games.csv" if source.endswith("csv") else "games.jsonl")
    write_results(written, *records)
    written.rename(file)
    cli("convert", file, out)
    for record, parsed in zip(records, parsed_games_of(out), strict=True):
        assert bytes(parsed.moves) == bytes(record.replayed().moves)
        if target == "all.txt":
            continue
        assert parsed.players == (record.black, record.white)
        assert parsed.date[:10] == record.date[:10]
        assert parsed.event == file.stem
        assert parsed.difference == record.black_points - record.white_points
        if target != "all.sgf":
            values = [detail for detail in parsed.all_details if detail.seconds is not None]
            assert any(detail.value is not None for detail in values)
            assert target != "all.pgn" or any("%" in detail.note for detail in values), "values of UCT"
            if target != "all.ggf":
                assert any(detail.depth for detail in values)


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("white resigned", "resigned"),
        ("white has run out of time", "out_of_time"),
        ("white took 3.00 s for a move; 1 s are allowed", "too_slow"),
        ("white hangs; 1 s per move are allowed", "hangs"),
        ("white failed: it said nonsense", "failed"),
    ],
)
def test_a_results_file_keeps_forfeits(records: list[GameRecord], tmp_path: Path, reason: str, fault: str) -> None:
    file = tmp_path / "games.jsonl"
    moves = records[0].transcript[:20]
    write_results(file, replace(records[0], transcript=moves, result="black", reason=reason, fault=fault))
    (parsed,) = parsed_games_of(file)
    assert parsed.result == {"winner": "black", "fault": fault}


def test_records_name_the_faults_of_games() -> None:
    assert [fault.name.lower() for fault in Fault] == [*FAULTS]


@pytest.mark.parametrize(
    ("note", "detail"),
    [
        ("+3.20/12 0.034s", MoveInfo(3.2, 0.034, depth=12)),
        ("-0.50", MoveInfo(-0.5)),
        ("1.500s a good move", MoveInfo(None, 1.5, "a good move")),
        ("+3.20/12 0.034s well done", MoveInfo(3.2, 0.034, "well done", 12)),
        ("+3 is better", MoveInfo(note="+3 is better")),
        ("3.200 seconds", MoveInfo(note="3.200 seconds")),
        ("", MoveInfo()),
    ],
)
def test_search_comments_as_chess_programs_write_them(note: str, detail: MoveInfo) -> None:
    assert searched(note) == detail
    assert f"{search_words(detail)} {detail.note}".strip() == note


def test_damaged_searches_are_left_out(records: list[GameRecord], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    write_results(file, replace(records[0], searches="- +1e9/x/y 5 // /3/ +2.00/4/1.25"))
    (parsed,) = parsed_games_of(file)
    assert [*parsed.details][:6] == [*[MoveInfo()] * 4, MoveInfo(depth=3), MoveInfo(2.0, 1.25, "", 4)]
