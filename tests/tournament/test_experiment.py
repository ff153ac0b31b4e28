"""Experiments that are stopped at any moment and resumed, in a thread, and with games of the user."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import pytest

from othello.config import Config, ExistingOutput, SprtConfig, TournamentConfig
from othello.config_file import load
from othello.errors import OutputError, Reason, ResultsError
from othello.game import Game
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.rules.protocol import Color
from othello.tournament import background
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment, count_games, is_complete
from othello.tournament.processes import ProcessExecutor
from othello.tournament.standings import PlayerTotal
from tests.command_line import RANDOM, write_config
from tests.positions import RULES, SPEC
from tests.results_files import lines_in
from tests.tournament.game_records import PLAYERS, count_resumed, records, resuming, run, standings_of, timeless
from tests.waiting import wait_until

FORM = TournamentConfig("best_of_3")


def config_for(file: Path) -> Config:
    return Config(PLAYERS, "tournament", 3, seed=4, output_file=file, tournament=FORM)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the results of a finished experiment."""
    file = tmp_path_factory.mktemp("finished") / "games.jsonl"
    run(config_for(file))
    return file.read_bytes()


@pytest.fixture
def file(finished: bytes, tmp_path: Path) -> Path:
    (tmp_path / "games.jsonl").write_bytes(finished)
    return tmp_path / "games.jsonl"


def played(file: Path) -> list[GameRecord]:
    return timeless(ResultsReader(file))


def ranking(experiment: Experiment) -> list[PlayerTotal]:
    return [replace(total, seconds=0, move_seconds=0) for total in experiment.standings.ranking()]


@pytest.mark.parametrize(("suffix", "seed"), [(".csv", None), (".jsonl", 4), (".jsonl", None)])
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


def test_lines_missing_anywhere_are_played(file: Path, tmp_path: Path) -> None:
    holes, lines = tmp_path / "holes.jsonl", file.read_bytes().splitlines(keepends=True)
    holes.write_bytes(b"".join(lines[1::3]))
    again = run(resuming(config_for(holes)))
    assert again.resumed == len(lines[1::3])
    assert sorted(played(holes), key=lambda record: record.game) == played(file)
    assert again.standings.elo() == standings_of(played(file)).elo()


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
        ({"transcript": "", "black_points": 2, "white_points": 2, "result": "draw"}, "game 2 is not over after 0"),
    ],
)
def test_records_that_cannot_be_of_the_experiment(changes: dict[str, object], reason: str, file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    lines[1] = json.dumps({**json.loads(lines[1]), **changes}) + "\n"
    file.write_text("".join(lines))
    with pytest.raises(ResultsError, match=re.escape(reason)):
        count_resumed(config_for(file))
    assert file.read_text() == "".join(lines)


@pytest.mark.parametrize("mark", ["5", "x-{}", "5-x", "٣-{}", "9" * 5000 + "-{}", "-{}"])
def test_marks_of_no_experiment_are_refused(mark: str, file: Path) -> None:
    first = json.loads(file.read_text().splitlines()[0])
    settings = first["experiment"].partition("-")[2]
    file.write_text(json.dumps({**first, "experiment": mark.format(settings)}) + "\n")
    with pytest.raises(ResultsError, match="line 1: game 1 belongs to another experiment"):
        count_resumed(replace(config_for(file), seed=None))


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


def test_an_experiment_that_is_never_played_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    for existing in ExistingOutput:
        Experiment(replace(config_for(tmp_path / "games.csv"), existing_output=existing)).close()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "games.csv").touch()
    Experiment(config_for(tmp_path / "games.csv")).close()
    assert (tmp_path / "games.csv").exists()


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
    for games, is_whole in ((None, True), (3, False)):
        lines = (tmp_path / "games.jsonl").read_text().splitlines(keepends=True)
        (tmp_path / "part.jsonl").write_text("".join(lines[:games]))
        assert is_complete(config, tmp_path / "part.jsonl") == is_whole
    again = run(resuming(config))
    assert (again.standings.test, again.standings.games) == (experiment.standings.test, again.resumed)


def test_standings_do_not_grow_with_games() -> None:
    pair = standings_of(records(5000)).paired.pairs["A", "B"]
    assert pair.games == 5000
    assert len(pair.counts) <= 5


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    "signal_",
    [signal.SIGKILL, *(pytest.param(other, marks=pytest.mark.slow) for other in (signal.SIGINT, signal.SIGTERM))],
)
def test_a_tournament_that_is_killed_is_completed(signal_: int, tmp_path: Path) -> None:
    form = {"format": "paired", "processes": 2}
    config = write_config(tmp_path, game_type="tournament", game_repetitions=15, players=[RANDOM] * 3, tournament=form)
    whole, output = run(replace(load(config), output_file=tmp_path / "whole.jsonl")), tmp_path / "cut.jsonl"
    words = [sys.executable, "-m", "othello", "--config", str(config), "--output", str(output), "--headless"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: lines_in(output) >= 10)
    process.send_signal(signal_)
    out, error = process.communicate()
    games = lines_in(output)
    assert 10 <= games < 90
    if signal_ != signal.SIGKILL:
        assert process.returncode == 130
        assert "Ranking" in out
        assert error == ""
    resumed = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=True)
    assert f": {games}\n" in resumed.stdout
    assert played(output) == played(tmp_path / "whole.jsonl")
    assert whole.table.text() in resumed.stdout


def paired(file: Path, repetitions: int) -> Config:
    form = TournamentConfig("paired", processes=1)
    return Config(PLAYERS[:2], "tournament", repetitions, seed=1, output_file=file, tournament=form)


def watch(tournament: background.BackgroundTournament, until: type[background.Event]) -> list[background.Event]:
    """Return the events up to the first one of a type."""
    seen: list[background.Event] = []

    def has_come() -> bool:
        seen.extend(tournament.events())
        return any(isinstance(event, until) for event in seen)

    wait_until(has_come)
    return seen


def test_events_from_the_first_game_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = paired(tmp_path / "games.jsonl", 10)
    config = replace(config, tournament=replace(config.tournament, processes=9))
    monkeypatch.setattr(background, "ProcessExecutor", lambda _, watcher: ProcessExecutor(1, watcher))  # 9 start slowly
    with closing(background.BackgroundTournament(config)) as tournament:
        tournament.start()
        seen = watch(tournament, background.TournamentEnded)
    assert seen[-1] == background.TournamentEnded()
    assert any(isinstance(event, background.PositionShown) for event in seen)
    records = [event.record for event in seen if isinstance(event, background.GameFinished)]
    assert records == list(ResultsReader(tmp_path / "games.jsonl"))
    assert len(records) == tournament.experiment.max_games == 20
    shown = [event.findings.games for event in seen if isinstance(event, background.StandingsShown)]
    assert (shown[0], shown[-1]) == (0, 20)


def test_pause_and_stop(tmp_path: Path) -> None:
    with closing(background.BackgroundTournament(paired(tmp_path / "games.jsonl", 100_000))) as tournament:
        tournament.start()
        watch(tournament, background.GameFinished)
        tournament.control.pause()
        last = time.monotonic()

        def is_quiet() -> bool:
            nonlocal last
            if tournament.events():  # games under way are played to their end
                last = time.monotonic()
            return time.monotonic() > last + 0.5

        wait_until(is_quiet, 60.0)
        tournament.control.resume()
        watch(tournament, background.GameFinished)
    assert isinstance(tournament.events()[-1], background.TournamentEnded)


def test_errors_end_the_tournament_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ResultsWriter, "append", Mock(side_effect=OutputError("the disk is full")))
    with closing(background.BackgroundTournament(paired(tmp_path / "games.csv", 2))) as tournament:
        tournament.start()
        end = watch(tournament, background.TournamentEnded)[-1]
    assert end == background.TournamentEnded(broke_off=True, error=Reason("the disk is full"))


WITH_USER = (PLAYERS[0], configure("user"), PLAYERS[1])


def config_with_user(file: Path) -> Config:
    return Config(WITH_USER, "tournament", seed=1, output_file=file, tournament=TournamentConfig(processes=1))


def won_by_user(job: GameJob) -> GameRecord:
    """Return the record of a user's game whose opponent never moved."""
    black, white = (player.name for player in job.players)
    ended = (Color.BLACK if black == "user" else Color.WHITE, "hangs")
    record = GameRecord.of(Game.new(RULES), (black, white), job.seed, (0.0, 0.0), ended=ended, game=job.number)
    return replace(record, series=job.series, experiment=job.experiment)


def play_as_user(experiment: Experiment, max_games: int = 100) -> list[GameRecord]:
    """Play up to `max_games` games. The user wins at once."""
    executor = background.InteractiveExecutor(lambda job, _: executor.answer(won_by_user(job)), SerialExecutor, 1)
    with closing(executor), closing(experiment.play(executor)) as games:
        return list(islice(games, max_games))


def test_a_user_plays_first_and_decided_games_are_left_out(tmp_path: Path) -> None:
    played = play_as_user(Experiment(config_with_user(tmp_path / "games.jsonl")))
    names = [{record.black, record.white} for record in played]
    assert names[:4] == [{"A", "user"}] * 2 + [{"user", "B"}] * 2
    assert all(pair == {"A", "B"} for pair in names[4:])
    assert [record.game for record in played[:4]] == [1, 2, 7, 8]
    assert list(ResultsReader(tmp_path / "games.jsonl")) == played


def test_resuming_after_any_game_gives_the_same_results(tmp_path: Path) -> None:
    whole = play_as_user(Experiment(config_with_user(tmp_path / "whole.jsonl")))
    for stopped_after in (1, 3, 5):
        config = config_with_user(tmp_path / f"{stopped_after}.jsonl")
        play_as_user(Experiment(config), stopped_after)
        play_as_user(Experiment(resuming(config)))
        assert timeless(whole) == timeless(ResultsReader(tmp_path / f"{stopped_after}.jsonl"))


def test_a_user_gets_one_game_at_a_time() -> None:
    jobs: list[GameJob] = []
    executor = background.InteractiveExecutor(lambda job, _: jobs.append(job), SerialExecutor, max_lookahead=8)
    executor.submit(GameJob(1, 1, WITH_USER[:2], SPEC, seed=3))
    assert executor.free_slots == 0
    assert executor.collect(0.0) == []
    executor.answer(won_by_user(jobs[0]))
    assert [(record.game, record.seed) for record in executor.collect(0.0)] == [(1, 3)]
    assert executor.free_slots == 1
    executor.submit(GameJob(2, 1, (PLAYERS[0], PLAYERS[1]), SPEC, seed=3))
    assert executor.free_slots == 0


def test_the_number_of_games_falls_with_those_that_are_left_out(tmp_path: Path) -> None:
    config = replace(config_with_user(tmp_path / "games.jsonl"), players=WITH_USER[:2])
    experiment = Experiment(config)
    assert experiment.max_games == 3
    assert len(play_as_user(experiment)) == 2
    assert experiment.max_games == 2
    resumed = Experiment(resuming(config))
    assert not play_as_user(resumed)
    assert resumed.max_games == 2
