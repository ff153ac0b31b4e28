"""Experiments that are stopped at any moment and resumed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import othello
from othello.config import Config, ExistingOutput, SprtConfig, TournamentConfig
from othello.errors import OutputError, ResultsError
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment, count_games, fingerprint
from othello.tournament.report_text import ranking_table
from tests.results_files import lines_in
from tests.tournament.game_records import PLAYERS, records, standings_of, timeless


def config_for(file: Path, existing: ExistingOutput = ExistingOutput.REFUSE) -> Config:
    return Config(
        PLAYERS,
        "tournament",
        game_repetitions=3,
        seed=4,
        output_file=file,
        existing_output=existing,
        tournament=TournamentConfig("best_of_3"),
    )


def run(config: Config) -> Experiment:
    experiment = Experiment(config)
    with closing(experiment.play(SerialExecutor())) as games:
        for _ in games:
            pass
    return experiment


def resume(config: Config) -> int:
    """Return the number of games that an experiment finds in its file."""
    with closing(Experiment(replace(config, existing_output=ExistingOutput.RESUME))) as experiment:
        return experiment.resumed


def played(file: Path) -> list[GameRecord]:
    return timeless(ResultsReader(file))


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_file_cut_anywhere_is_completed(suffix: str, tmp_path: Path) -> None:
    whole, cut = tmp_path / f"whole{suffix}", tmp_path / f"cut{suffix}"
    table = run(config_for(whole)).standings.ranking()
    content = whole.read_bytes()
    for end in (0, 10, len(content) // 3, len(content) // 2, len(content) - 1, len(content)):
        cut.write_bytes(content[:end])
        paused = count_games(cut)
        experiment = run(config_for(cut, ExistingOutput.RESUME))
        assert paused == experiment.resumed
        assert played(cut) == played(whole)
        is_whole = end in (0, len(content)) or (suffix == ".jsonl" and end == len(content) - 1)
        assert experiment.torn == (not is_whole)
        ranking = [replace(total, seconds=0, move_seconds=0) for total in experiment.standings.ranking()]
        assert ranking == [replace(total, seconds=0, move_seconds=0) for total in table]


def test_lines_missing_anywhere_are_played(tmp_path: Path) -> None:
    whole, holes = tmp_path / "whole.jsonl", tmp_path / "holes.jsonl"
    first = run(config_for(whole))
    lines = whole.read_bytes().splitlines(keepends=True)
    holes.write_bytes(b"".join(lines[1::3]))
    again = run(config_for(holes, ExistingOutput.RESUME))
    assert again.resumed == len(lines[1::3])
    assert sorted(played(holes), key=lambda record: record.game) == played(whole)
    assert again.standings.elo() == first.standings.elo()


def test_a_random_seed_is_restored(tmp_path: Path) -> None:
    whole = tmp_path / "games.jsonl"
    config = replace(config_for(whole), seed=None)
    first = run(config)
    content = whole.read_bytes()
    expected = played(whole)
    whole.write_bytes(content[: len(content) // 2])
    again = run(replace(config, existing_output=ExistingOutput.RESUME))
    assert again.seed == first.seed
    assert played(whole) == expected


def test_another_experiment_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    config = config_for(file)
    run(config)
    content = file.read_bytes()
    for other in (
        replace(config, seed=5),
        replace(config, players=PLAYERS[:2]),
        replace(config, players=(configure("mcts_uct", simulation_count=5), *PLAYERS[1:])),
        replace(config, tournament=TournamentConfig("paired")),
    ):
        with pytest.raises(ResultsError, match="another experiment"):
            resume(other)
    with pytest.raises(ResultsError, match="is not one of the"):
        resume(replace(config, game_repetitions=1))
    games = len(played(file))
    assert resume(replace(config, game_repetitions=4)) == games
    assert resume(replace(config, tournament=TournamentConfig(processes=7))) == games
    assert file.read_bytes() == content


def test_games_of_another_version_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    run(config_for(file))
    file.write_text(file.read_text().replace(f",{othello.__version__},", ",0.0.1,"))
    with pytest.raises(ResultsError, match=r"game 1 was played by othello 0\.0\.1"):
        resume(config_for(file))


def test_a_duplicate_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run(config_for(file))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], lines[1]]))
    with pytest.raises(ResultsError, match="game 2 is a duplicate"):
        resume(config_for(file))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
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
    changes: dict[str, object], reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    run(config_for(file))
    lines = file.read_text().splitlines(keepends=True)
    lines[1] = json.dumps({**json.loads(lines[1]), **changes}) + "\n"
    file.write_text("".join(lines))
    with pytest.raises(ResultsError, match=re.escape(reason)):
        resume(config_for(file))
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
        resume(config)


def test_experiments_with_forfeited_games_are_resumed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run(config_for(file))
    first, *others = file.read_text().splitlines(keepends=True)
    forfeit = {"transcript": "f5d6", "black_points": 3, "white_points": 3, "result": "white", "reason": "black hangs"}
    file.write_text(json.dumps({**json.loads(first), **forfeit}) + "\n" + "".join(others))
    assert resume(config_for(file)) == 1 + len(others)


def test_a_results_file_is_locked(tmp_path: Path) -> None:
    config = config_for(tmp_path / "games.jsonl")
    run(config)
    resumed = Experiment(replace(config, existing_output=ExistingOutput.RESUME))
    with closing(resumed), pytest.raises(OutputError, match="another program is using it"):
        resume(config)
    assert resume(config)


def test_an_experiment_that_is_never_played_leaves_no_file(tmp_path: Path) -> None:
    for existing in ExistingOutput:
        Experiment(config_for(tmp_path / "games.csv", existing)).close()
    assert list(tmp_path.iterdir()) == []


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    code = (
        "import sys; sys.path.insert(0, ''); from pathlib import Path; from tests.tournament.test_experiment import *;"
        "print(fingerprint(config_for(Path('x.csv'))))"
    )
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.strip() == fingerprint(config_for(Path("y.csv")))


def test_a_full_disk_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    append = ResultsWriter.append

    def fails(self: ResultsWriter, record: GameRecord) -> None:
        if len(played(file)) == 4:
            raise OutputError("full")
        append(self, record)

    with monkeypatch.context() as patch:
        patch.setattr(ResultsWriter, "append", fails)
        with pytest.raises(OutputError):
            run(config_for(file))
    assert len(played(file)) == 4
    run(config_for(file, ExistingOutput.RESUME))
    whole = tmp_path / "whole.jsonl"
    run(config_for(whole))
    assert played(file) == played(whole)


def test_a_sequential_test_ends_an_experiment_with_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    config = Config(
        (configure("simple_heuristic", name="A"), configure("random", name="B")),
        "tournament",
        game_repetitions=1000,
        seed=1,
        output_file=file,
        tournament=TournamentConfig("paired", sprt=SprtConfig(0, 200)),
    )
    experiment = run(config)
    assert experiment.standings.test is not None
    assert experiment.standings.test.accepted == 1
    games = len(played(file))
    assert games < 200
    again = run(replace(config, existing_output=ExistingOutput.RESUME))
    assert (again.standings.test, len(played(file))) == (experiment.standings.test, games)


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
    config = {
        "game_type": "tournament",
        "game_repetitions": 15,
        "seed": 3,
        "players": [{"player_type": "random"}] * 3,
        "tournament": {"format": "paired", "processes": 2},
    }
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config))

    def command(output: str, *options: str) -> list[str]:
        words = ["--config", str(file), "--output", str(tmp_path / output), "--headless", *options]
        return [sys.executable, "-m", "othello", *words]

    whole = subprocess.run(command("whole.jsonl"), capture_output=True, text=True, check=True)
    output = tmp_path / "cut.jsonl"
    process = subprocess.Popen(command("cut.jsonl"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while lines_in(output) < 10:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal_)
    out, error = process.communicate()
    kept = output.read_bytes().count(b"\n")
    assert 10 <= kept < 90
    if signal_ != signal.SIGKILL:
        assert process.returncode == 130
        assert "Ranking" in out
        assert error == ""
    resumed = subprocess.run(command("cut.jsonl", "--resume"), capture_output=True, text=True, check=True)
    assert f": {kept}\n" in resumed.stdout
    assert played(output) == played(tmp_path / "whole.jsonl")
    ranking = whole.stdout[whole.stdout.index("Ranking") : whole.stdout.index("Thinking time")]
    assert ranking in resumed.stdout
