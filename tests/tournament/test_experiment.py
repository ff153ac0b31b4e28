"""Experiments that are stopped at any moment and resumed."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from othello.config import Config, ExistingOutput, SprtConfig, TournamentConfig
from othello.errors import OutputError, ResultsError
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.tournament.experiment import Experiment, count_games, fingerprint
from othello.tournament.report_text import ranking_table
from othello.tournament.standings import PlayerTotal
from tests.command_line import RANDOM, write_config
from tests.results_files import lines_in
from tests.tournament.game_records import PLAYERS, count_resumed, records, resuming, run, standings_of, timeless
from tests.waiting import wait_until

FORM = TournamentConfig("best_of_3")


def config_for(file: Path) -> Config:
    return Config(PLAYERS, "tournament", 3, seed=4, output_file=file, tournament=FORM)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the results of a finished experiment."""
    run(config_for(tmp_path / "games.jsonl"))
    return tmp_path / "games.jsonl"


def played(file: Path) -> list[GameRecord]:
    return timeless(ResultsReader(file))


def ranking(experiment: Experiment) -> list[PlayerTotal]:
    return [replace(total, seconds=0, move_seconds=0) for total in experiment.standings.ranking()]


@pytest.mark.parametrize("seed", [4, None])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_file_cut_anywhere_is_completed(suffix: str, seed: int | None, tmp_path: Path) -> None:
    whole, cut = tmp_path / f"whole{suffix}", tmp_path / f"cut{suffix}"
    first = run(replace(config_for(whole), seed=seed))
    content = whole.read_bytes()
    for end in (0, 10, len(content) // 3, len(content) // 2, len(content) - 1, len(content)):
        cut.write_bytes(content[:end])
        complete_games = count_games(cut)
        again = run(resuming(replace(config_for(cut), seed=seed if complete_games else first.seed)))
        assert (again.resumed, again.seed) == (complete_games, first.seed)
        assert played(cut) == played(whole)
        is_whole = end in (0, len(content)) or (suffix == ".jsonl" and end == len(content) - 1)
        assert again.is_cut_off == (not is_whole)
        assert ranking(again) == ranking(first)


def test_lines_missing_anywhere_are_played(tmp_path: Path) -> None:
    whole, holes = tmp_path / "whole.jsonl", tmp_path / "holes.jsonl"
    first = run(config_for(whole))
    lines = whole.read_bytes().splitlines(keepends=True)
    holes.write_bytes(b"".join(lines[1::3]))
    again = run(resuming(config_for(holes)))
    assert again.resumed == len(lines[1::3])
    assert sorted(played(holes), key=lambda record: record.game) == played(whole)
    assert again.standings.elo() == first.standings.elo()


def test_another_experiment_is_refused(file: Path) -> None:
    config, content = config_for(file), file.read_bytes()
    for changes, reason in (
        ({"seed": 5}, "another experiment"),
        ({"players": PLAYERS[:2]}, "another experiment"),
        ({"players": (configure("mcts_uct", simulation_count=5), *PLAYERS[1:])}, "another experiment"),
        ({"tournament": TournamentConfig("paired")}, "another experiment"),
        ({"game_repetitions": 1}, "is not one of the"),
    ):
        with pytest.raises(ResultsError, match=reason):
            count_resumed(replace(config, **changes))
    games = len(played(file))
    assert count_resumed(replace(config, game_repetitions=4)) == games
    assert count_resumed(replace(config, tournament=TournamentConfig(processes=7))) == games
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": 1}, "line 2: game 1 is a duplicate"),
        ({"version": "0.0.1"}, "line 2: game 2 was played by othello 0.0.1"),
        ({"game": 28}, "line 2: game 28 is not one of the 27 games"),
        ({"game": 0}, "game 0 is not one of the 27 games"),
        ({"game": 10**15}, "is not one of the 27 games"),
        ({"series": 2}, "game 2 has 2 as series, due is 1"),
        ({"black": "X"}, 'game 2 has "X" as black, due is "B"'),
        ({"black": "A", "white": "B"}, 'game 2 has "A" as black, due is "B"'),
        ({"seed": 7}, "game 2 has 7 as seed, due is "),
        ({"opening_plies": 2}, "game 2 has 2 as opening_plies, due is 0"),
        ({"rules": "start=alternate"}, 'game 2 has "start=alternate" as rules, due is ""'),
        ({"transcript": "f5a1"}, "line 2: game 2 cannot be replayed: move 2, a1: not legal here"),
        ({"transcript": "nonsense"}, "game 2 cannot be replayed: move 1: "),
        ({"transcript": ""}, "game 2 ends with 2 to 2 discs, not "),
        (
            {"transcript": "", "black_points": 2, "white_points": 2, "result": "draw"},
            "game 2 is not over after 0 moves",
        ),
    ],
)
def test_records_that_cannot_be_of_the_experiment_are_refused(
    changes: dict[str, object], reason: str, file: Path
) -> None:
    lines = file.read_text().splitlines(keepends=True)
    lines[1] = json.dumps({**json.loads(lines[1]), **changes}) + "\n"
    file.write_text("".join(lines))
    with pytest.raises(ResultsError, match=re.escape(reason)):
        count_resumed(config_for(file))
    assert file.read_text() == "".join(lines)


@pytest.mark.parametrize("mark", ["5", "x-{}", "5-x", "٣-{}", "9" * 5000 + "-{}", "-{}"])
def test_marks_of_no_experiment_are_refused(mark: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    config = replace(config_for(file), seed=None)
    run(config)
    record = next(iter(ResultsReader(file)))
    settings = record.experiment.partition("-")[2]
    file.write_text(json.dumps({**asdict(record), "experiment": mark.format(settings)}) + "\n")
    with pytest.raises(ResultsError, match="line 1: game 1 belongs to another experiment"):
        count_resumed(config)


def test_experiments_with_forfeited_games_are_resumed(file: Path) -> None:
    first, *others = file.read_text().splitlines(keepends=True)
    forfeit = {"transcript": "f5d6", "black_points": 3, "white_points": 3, "result": "white", "reason": "black hangs"}
    file.write_text(json.dumps({**json.loads(first), **forfeit}) + "\n" + "".join(others))
    assert count_resumed(config_for(file)) == 1 + len(others)


def test_a_results_file_is_locked(file: Path) -> None:
    config = config_for(file)
    with closing(Experiment(resuming(config))), pytest.raises(OutputError, match="another program is using it"):
        count_resumed(config)
    assert count_resumed(config)


def test_an_experiment_that_is_never_played_leaves_no_file(tmp_path: Path) -> None:
    for existing in ExistingOutput:
        Experiment(replace(config_for(tmp_path / "games.csv"), existing_output=existing)).close()
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_that_is_never_played_leaves_an_empty_file_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.touch()
    Experiment(config_for(file)).close()
    assert file.exists()


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    code = (
        "import sys; sys.path.insert(0, ''); from pathlib import Path; from tests.tournament.test_experiment import *;"
        "print(fingerprint(config_for(Path('x.csv'))))"
    )
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.strip() == fingerprint(config_for(Path("y.csv")))


def test_a_full_disk_keeps_the_games_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    append = ResultsWriter.append

    def fail_in_the_fifth_game(self: ResultsWriter, record: GameRecord) -> None:
        if record.game == 5:
            raise OutputError("full")
        append(self, record)

    monkeypatch.setattr(ResultsWriter, "append", fail_in_the_fifth_game)
    with pytest.raises(OutputError):
        run(replace(config_for(file), tournament=TournamentConfig("paired")))
    assert [record.game for record in played(file)] == [1, 2, 3, 4]


def test_a_sequential_test_ends_an_experiment_early(tmp_path: Path) -> None:
    players = (configure("simple_heuristic", name="A"), configure("random", name="B"))
    form = TournamentConfig("paired", sprt=SprtConfig(0, 200))
    config = replace(config_for(tmp_path / "games.jsonl"), players=players, game_repetitions=1000, tournament=form)
    experiment = run(config)
    assert experiment.standings.test is not None
    assert experiment.standings.test.accepted == 1
    assert experiment.standings.games < 200
    again = run(resuming(config))
    assert (again.standings.test, again.standings.games) == (experiment.standings.test, again.resumed)


def test_standings_do_not_grow_with_games() -> None:
    standings = [standings_of(records(games)) for games in (100, 5000)]
    short, long = (each.paired.pairs["A", "B"] for each in standings)
    assert len(short.counts) <= len(long.counts) <= 5
    assert long.games == 5000
    assert "5000" in ranking_table(standings[1]).text()


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    "signal_",
    [signal.SIGKILL, *(pytest.param(other, marks=pytest.mark.slow) for other in (signal.SIGINT, signal.SIGTERM))],
)
def test_a_tournament_that_is_killed_is_completed(signal_: int, tmp_path: Path) -> None:
    form = {"format": "paired", "processes": 2}
    config = write_config(tmp_path, game_type="tournament", game_repetitions=15, players=[RANDOM] * 3, tournament=form)

    def command(output: str, *options: str) -> list[str]:
        words = ["--config", str(config), "--output", str(tmp_path / output), "--headless", *options]
        return [sys.executable, "-m", "othello", *words]

    whole = subprocess.run(command("whole.jsonl"), capture_output=True, text=True, check=True)
    output = tmp_path / "cut.jsonl"
    process = subprocess.Popen(command("cut.jsonl"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: lines_in(output) >= 10)
    process.send_signal(signal_)
    out, error = process.communicate()
    games = lines_in(output)
    assert 10 <= games < 90
    if signal_ != signal.SIGKILL:
        assert process.returncode == 130
        assert "Ranking" in out
        assert error == ""
    resumed = subprocess.run(command("cut.jsonl", "--resume"), capture_output=True, text=True, check=True)
    assert f": {games}\n" in resumed.stdout
    assert played(output) == played(tmp_path / "whole.jsonl")
    ranking = whole.stdout[whole.stdout.index("Ranking") : whole.stdout.index("Thinking time")]
    assert ranking in resumed.stdout
