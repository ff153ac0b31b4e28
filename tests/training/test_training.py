"""Training from nothing: positions, labels and fits; and how its commands continue, fail and stop."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import psutil
import pytest

from othello.engine.endgame import solve
from othello.engine.engine import Bounds, Engine, no_weights
from othello.engine.engine_levels import Level
from othello.engine.patterns import STAGES
from othello.engine.transposition_table import EXACT
from othello.engine.weights import pack
from othello.errors import CommandError
from othello.records.formats.parsed_game import ParsedGame
from othello.records.readers import read_games
from othello.resources import asset
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color
from othello.search.stop import StopFlag
from tests.positions import SPEC, random_game
from training import chances, counts, errors, exact, mistakes, parallel, positions, probcut, quickplay, selfplay
from training.fit import ROUNDS, fit_stage, main as fit_main, shares
from training.fitting import FEATURES, UNKNOWNS, features_of, fit, predictions
from training.games import EVENT, NAME, main as games_main
from training.levels import RANDOM, ratings

ROOT = Path(__file__).parents[2]
BOUNDS = Bounds(1, exact_empties=8, confidence=EXACT)
SHIPPED = asset("engine-weights.bin")


def score_of(own: int, opponent: int) -> int:
    result = solve(OthelloPosition(own, opponent, Color.BLACK), StopFlag())
    assert result is not None
    return result.score


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "GAMES_A_BATCH", 3)


def ask(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    """Let a command be called with these arguments."""
    monkeypatch.setattr("sys.argv", ["command", *map(str, arguments)])


def test_the_same_seed_makes_the_same_positions_with_exact_labels(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        assert selfplay.play_batch(file, 5, 2, BOUNDS, SHIPPED) > 0
    first, second = (positions.read([file]) for file in files)
    for one, two in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, two)
    assert set(first.game.tolist()) == {6, 7, 8}
    late = np.flatnonzero(first.empties <= 8)
    for index in late[::4]:
        own, opponent = int(first.own[index]), int(first.opponent[index])
        assert 64 - (own | opponent).bit_count() == first.empties[index]
        assert score_of(own, opponent) == first.score[index]


def test_games_are_played_with_the_weights_asked_for(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(pack(np.zeros((STAGES, UNKNOWNS), np.int16)))
    played = []
    for file in (SHIPPED, None, weights):
        selfplay.play_batch(tmp_path / "games", 1, 0, BOUNDS, file)
        played.append(positions.read([tmp_path / "games"]).own.tolist())
    assert played[0] != played[1] == played[2]


def test_a_game_that_ends_early_counts_its_empty_squares() -> None:
    # -xo-o--- and one more o: x has one move, after which a1 takes all.
    own, opponent = 1 << 1, 1 << 2 | 1 << 4 | 1 << 63
    rows = selfplay.self_play(Engine(1 << 10, StopFlag(), no_weights()), BOUNDS, own, opponent)
    assert rows == [(own, opponent, -64, 60), (1 << 4 | 1 << 63, 0b1110, 64, 59)]


def test_errors_of_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    selfplay.play_batch(tmp_path / "games", 5, 0, Bounds(1, exact_empties=1), None)
    monkeypatch.setattr(exact, "POSITIONS_A_BATCH", 2)
    monkeypatch.setattr(positions, "HELD_OUT", 1)
    solved = [exact.solve_batch(tmp_path / f"{batch}.npz", 1, batch, [tmp_path / "games"], 7) for batch in range(2)]
    assert solved == [2, 1]
    data = positions.read([tmp_path / "0.npz", tmp_path / "1.npz"])
    assert (data.empties == 7).all()
    assert len(set(data.own.tolist())) == 3
    for own, opponent, score in zip(data.own.tolist(), data.opponent.tolist(), data.score.tolist(), strict=True):
        assert score_of(own, opponent) == score
    assert errors.errors(data, None).tolist() == np.abs(data.score).tolist()
    assert not np.array_equal(errors.errors(data, SHIPPED), errors.errors(data, None))
    ask(monkeypatch, tmp_path / "0.npz", "--weights", "none")
    errors.main()
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["7", "2"]


@pytest.mark.rare
def test_quick_games_are_repeatable_with_nearly_right_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quickplay, "POSITIONS_A_BATCH", 60)
    made = []
    for name in ("one", "two"):
        count = quickplay.make_batch(tmp_path / name, 3, 1, (5, 16), 4, 13, SHIPPED)
        made.append(positions.read([tmp_path / name]))
        assert count == len(made[-1].own) >= 60
    first, second = made
    for one, two in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, two)
    assert (first.empties >= 5).all()
    assert (first.empties <= 16).all()
    games = set(first.game.tolist())
    assert 10 < len(games) < len(first.own)
    errors = []
    for own, opponent, score, empties, _ in zip(*(column.tolist() for column in first), strict=True):
        assert empties == 64 - (own | opponent).bit_count()
        errors.append(abs(score_of(own, opponent) - score))
        assert empties > 12 or errors[-1] == 0
    assert np.mean(errors) < 3  # four plies may err, but not by much


def test_the_same_games_are_always_held_out(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for batch, file in enumerate(files):
        selfplay.play_batch(file, 1, batch, BOUNDS, None)
    both = positions.read([*files, *files])
    count = len(both.game) // 2
    np.testing.assert_array_equal(both.held_out[:count], both.held_out[count:])
    assert not set(both.game[:count].tolist()) & set(both.game[count:].tolist())
    empties = positions.read(files).empties
    assert positions.read(files, 4, 6).empties.tolist() == empties[(empties >= 4) & (empties <= 6)].tolist()


def test_a_fit_recovers_the_weights_of_the_labels() -> None:
    boards = [position for seed in range(60) for position in random_game(seed)[10:50]]
    own, opponent = (np.array([getattr(board, side) for board in boards], np.uint64) for side in ("own", "opponent"))
    features = features_of(own, opponent)
    assert features.shape == (len(boards), FEATURES)
    truth = np.random.default_rng(1).normal(size=UNKNOWNS).astype(np.float32)
    labels = predictions(features, truth)
    ones, nothing = np.ones(len(boards), np.float32), np.zeros(UNKNOWNS, np.float32)
    weights = fit(features, labels, ones, nothing, 16.0, 30)
    error = np.abs(predictions(features, weights) - labels).mean()
    assert error < 0.4 * np.abs(labels).mean()
    np.testing.assert_allclose(fit(features, labels, ones, truth, 16.0, 5), truth, atol=1e-3)


@pytest.mark.slow
def test_a_stage_is_fitted_to_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quickplay, "POSITIONS_A_BATCH", 100)
    games, quick = tmp_path / "games", tmp_path / "quick"
    selfplay.play_batch(games, 5, 0, BOUNDS, None)
    quickplay.make_batch(quick, 5, 1, (3, 6), 2, 6, None)
    counted = []
    for files in ([games], [games, quick]):
        fit_stage(tmp_path / "stage.npy", files, 28, ROUNDS[0])
        counted.append(json.loads((tmp_path / "stage.json").read_text()))
        assert np.load(tmp_path / "stage.npy").any()
    assert counted[1]["positions"] > counted[0]["positions"] + 80
    assert counted[0]["tested"] > 0


def test_chances_are_fitted_to_results() -> None:
    random = np.random.default_rng(1)
    empties, depth, discs = random.integers(14, 54, 4000), random.integers(0, 12, 4000), random.normal(0, 12, 4000)
    truth = np.array([1.2, 0.01, -0.04])
    logit = discs / np.exp(truth[0] + truth[1] * empties + truth[2] * depth)
    points = (random.random(4000) < 1 / (1 + np.exp(-logit))).astype(float)
    found = chances.fit(np.stack([empties, depth, discs, points], axis=1))
    assert (np.abs(found - truth) < [0.4, 0.012, 0.03]).all()


def test_margins_are_fitted_to_deviations() -> None:
    random = np.random.default_rng(1)
    truth = np.array([1.0, 0.01, 0.01, -0.1])
    searched = []
    for empties in 100 * [*probcut.EMPTIES]:
        deviations = [float(np.exp(truth @ (1, empties, empties, shallow))) for shallow in range(1, 11)]
        values = enumerate([0.0, *(10 * deviation * random.normal() for deviation in deviations)])
        searched.append((empties, {depth: round(value) for depth, value in values}))
    found = probcut.fit(searched, to_end=True)
    for empties, shallow in ((12, 1), (30, 4), (48, 9)):
        expected = truth @ (1, empties, empties, shallow) + np.log(10)
        assert found @ (1, empties, empties, shallow) == pytest.approx(expected, abs=0.1)


def test_ratings_recover_the_strengths_behind_the_scores() -> None:
    truth = np.array([0.0, 300.0, 450.0, 700.0])
    margins = []
    for games in (1000, 100_000):
        pairs = [(first, second) for second in range(4) for first in range(second)]
        chances_of = [1 / (1 + 10 ** ((truth[second] - truth[first]) / 400)) for first, second in pairs]
        scores = [(*pair, games * chance, games) for pair, chance in zip(pairs, chances_of, strict=True)]
        elo, margin = ratings(scores, 4)
        np.testing.assert_allclose(elo, truth, atol=3 if games == 1000 else 0.1)
        assert margin[0] == 0
        margins.append(margin[1:])
    np.testing.assert_allclose(margins[0], 10 * margins[1], rtol=0.05)


def test_random_moves_lose_more_than_those_of_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "JUDGE", Bounds(2, exact_empties=6))
    judge = Level("", 2, 6, None, 0.0, guards_corners=False)
    lost = {level.name: mistakes.losses(level, 2, np.random.default_rng(1)) for level in (RANDOM, judge)}
    assert min(lost[RANDOM.name]) >= 0
    assert float(np.mean(lost[RANDOM.name])) > 4 + float(np.mean(lost[judge.name]))


def test_neighbouring_stages_share_positions() -> None:
    empties = np.arange(0, 61, dtype=np.float32)
    of_stage = shares(empties, 20, 6.0)
    assert of_stage[[19, 20]].tolist() == [1.0, 1.0]
    assert 0 < of_stage[22] < 1
    assert not of_stage[27:].any()


def test_an_archive_has_different_games_and_is_repeatable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.games.GAMES_A_BATCH", 2)
    settings = tmp_path / "levels.json"
    weak = Level("Weak", 1, 0, None, 4.0, guards_corners=False)
    settings.write_text(json.dumps({"levels": [asdict(weak)] * 9}))
    monkeypatch.setattr("training.games.ENGINE_DEPTH", 1)
    made = []
    for name in ("one", "two"):
        out = tmp_path / name
        ask(monkeypatch, settings, "--out", out, "--games", 3, "--seed", 3)
        games_main()
        found = [each for each in read_games(out / f"{NAME}.wtb", SPEC) if isinstance(each, ParsedGame)]
        assert len({each.moves for each in found}) == len(found) == 3
        for each in found:
            line = each.opened.tree.game
            assert line.is_over
            black, white = line.rules.score(line.position)
            assert each.result["winner"] == ("black" if black > white else "white" if white > black else "draw")
            assert each.event == EVENT
        made.append([(each.moves, each.players) for each in found])
    assert made[0] == made[1]


def test_levels_are_measured_by_pairs_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"game": "tictactoe", "players": [{"player_type": "random"}] * 2}))

    def measure(out: str, *levels: str) -> Any:
        ask(monkeypatch, config, "--levels", *levels, "--games", 4, "--out", tmp_path / out)
        counts.main()
        return json.loads((tmp_path / out / "levels.json").read_text())

    entry = measure("all", "1/2", "2", "64")
    assert (entry["game"], entry["rules"]) == ("tictactoe", {"size": 3, "win_length": 3})
    levels = {(each["simulations"], each["depth"], each["temperature"], each["games"]) for each in entry["levels"]}
    assert levels == {(0, 1, 2.0, 12), (2, 0, 0.0, 12), (64, 0, 0.0, 8)}
    measure("few", "2", "64")
    few, more = (tmp_path / name / "pair-2-64.json" for name in ("few", "all"))
    assert few.read_text() == more.read_text(), "games of a pair do not depend on the other levels"
    monkeypatch.setattr(counts, "play_pair", None)  # nothing is left to play
    assert measure("all", "1/2", "2", "64") == entry


NAPS = """
import os, time
from training import parallel

def nap(file):
    draft = file.with_suffix(".draft")
    draft.write_text(str(os.getpid()))
    draft.rename(file)
    time.sleep(600)

def main():
    arguments = parallel.parsed(parallel.command("naps", None, "naps"))
    parallel.make_missing(nap, {arguments.out / f"{nap}.nap": () for nap in range(4)}, arguments, "naps")
"""


def write_square(file: Path, number: int) -> int:
    file.write_text(str(number**2))
    return number


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_missing_files_are_made(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "2").write_text("kept")
    who = argparse.Namespace(jobs=jobs, scheduler=None)
    tasks = {tmp_path / str(number): (number,) for number in range(5)}
    done = parallel.make_missing(write_square, tasks, who, "squares")
    assert sorted(done) == [0, 1, 3, 4]
    assert [(tmp_path / str(number)).read_text() for number in range(5)] == ["0", "1", "kept", "9", "16"]


def test_files_of_other_settings_are_not_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_missing = Mock(return_value=[])
    monkeypatch.setattr(parallel, "make_missing", make_missing)
    out, weights = tmp_path / "games", tmp_path / "weights"
    weights.write_bytes(b"one")
    for options in ([], ["--batches", 7], ["--jobs", 2]):
        ask(monkeypatch, "--out", out, "--weights", weights, *options)
        selfplay.main()
    assert [len(call.args[1]) for call in make_missing.call_args_list] == [100, 7, 100]
    ask(monkeypatch, "--out", out, "--weights", weights, "--depth", 4, "--seed", 2)
    with pytest.raises(CommandError, match="other seed, depth; give another --out"):
        selfplay.main()
    weights.write_bytes(b"two")
    ask(monkeypatch, "--out", out, "--weights", weights)
    with pytest.raises(CommandError, match="other weights;"):
        selfplay.main()


def test_a_fit_to_other_positions_needs_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "make_missing", Mock(side_effect=KeyboardInterrupt))
    for name, error in (("a", KeyboardInterrupt), ("b", CommandError), ("a", KeyboardInterrupt)):
        (tmp_path / name).write_text(name)
        ask(monkeypatch, tmp_path / name, "--out", tmp_path / "fit")
        with pytest.raises(error):
            fit_main()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("fit missing.npz --out fit", r"No such file or directory: '.*missing\.npz'"),
        ("fit garbage --out fit", "garbage: is no file of positions"),
        ("errors garbage", "garbage: is no file of positions"),
        ("fit garbage --out garbage/fit", "garbage"),
        ("fit garbage --out fit --jobs 0", "--jobs: invalid positive value: '0'"),
        ("selfplay --out games --weights garbage", "garbage: is not a weights file"),
        ("levels garbage --out levels", "garbage: is damaged"),
        ("probcut garbage --out probcut", "garbage: is no file of positions"),
    ],
)
def test_faults_are_one_line(
    command: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("garbage").write_text("garbage")
    monkeypatch.setattr(parallel, "end_process", sys.exit)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    module, *arguments = command.split()
    ask(monkeypatch, *arguments)
    with pytest.raises(SystemExit) as ending:
        parallel.run(f"training.{module}")
    assert ending.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(("training.", "python -m training."))
    assert re.search(words, last)


def test_an_invalid_address_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra training")
    who = argparse.Namespace(jobs=1, scheduler="nowhere:none")
    with pytest.raises(CommandError, match="--scheduler nowhere:none: "):
        parallel.make_missing(write_square, {tmp_path / "1": (1,)}, who, "squares")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_all_processes_end_with_the_command(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "naps.py").write_text(NAPS)
    script = "from training import parallel; parallel.run('naps')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-c", script, "--out", str(tmp_path / "out"), "--jobs", "2"]
    with subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        while len(naps := list(tmp_path.glob("out/*.nap"))) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        workers = [psutil.Process(int(nap.read_text())) for nap in naps]
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        _, told = process.communicate()
    psutil.wait_procs(workers, timeout=60)
    assert not any(worker.is_running() for worker in workers)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert told == "naps: interrupted; what is done is kept\n"


@pytest.mark.rare
def test_a_cluster_makes_the_same_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra training")
    options = ["--weights", "none", "--depth", 1, "--solve-from", 6, "--batches", 2]
    with distributed.LocalCluster(n_workers=1, dashboard_address=None, host="127.0.0.1") as cluster:
        monkeypatch.chdir(tmp_path)  # the worker's folder is another one
        for out, who in (("here", []), ("there", ["--scheduler", cluster.scheduler_address])):
            ask(monkeypatch, "--out", out, *options, *who)
            selfplay.main()
    for name in ("batch-00000.npz", "batch-00001.npz"):
        assert Path("here", name).read_bytes() == Path("there", name).read_bytes()
