"""Tuning of options by games, and SPSA, compared with its formulas and on functions with a known maximum."""

import sys
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import numpy as np
import pytest

from othello.config import Config, ExistingOutput, TournamentConfig, TuneConfig, TunedOption
from othello.config_file import load
from othello.errors import ConfigError, ResultsError
from othello.players.player_registry import COMPUTERS, configure
from othello.records.results import ResultsReader
from othello.rules.registry import game_spec
from othello.schema import options_of
from othello.tournament.executor import Executor, SerialExecutor
from othello.tournament.processes import ProcessExecutor
from othello.tournament.statistics import score_of
from othello.tournament.tuning import Axis, Spsa, Tuning
from tests.command_line import CommandLine, write_config
from tests.tournament.game_records import timeless

DEPTH = {"depth": TunedOption(1, 2)}


def config_for(file: Path | None = None, existing: ExistingOutput = ExistingOutput.REFUSE, **tune: Any) -> Config:
    """Return a config that tunes the depth of `heuristic` on 6 x 6."""
    players = configure("heuristic", name="A", depth=1), configure("random", name="B")
    form = TournamentConfig("best_of_3", opening_plies=4)
    tuned = TuneConfig(**{"options": DEPTH, "iterations": 4, "pairs": 2, **tune})
    config = Config(players, "tournament", seed=1, output_file=file, existing_output=existing, tune=tuned)
    return replace(config, game=game_spec("othello", {"size": 6}), tournament=form)


def run(config: Config, executor: Executor | None = None) -> Tuning:
    tuning = Tuning(config)
    with closing(executor or SerialExecutor()) as players, closing(tuning.play(players)) as games:
        list(games)
    return tuning


@pytest.mark.rare
def test_a_deeper_search_is_found_to_be_stronger() -> None:
    found = run(config_for(options={"depth": TunedOption(1, 6)}, iterations=60, pairs=4))
    assert found.result.strength["depth"] >= 4
    assert found.result.name == "A"


def test_a_file_cut_anywhere_is_completed_on_the_same_path(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    path = run(replace(config_for(whole), seed=None)).path
    records = timeless(ResultsReader(whole))
    assert [record.game for record in records] == list(range(1, 17))
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first.series == second.series
        assert first.transcript[:8] == second.transcript[:8]
        assert {first.black, first.white} == {"A +", "A -"}
        assert (first.black, first.white) == (second.white, second.black)
    content = whole.read_bytes()
    for end in (len(content) // 3, len(content) // 2 + 7, len(content)):
        cut.write_bytes(content[:end])
        assert run(replace(config_for(cut, ExistingOutput.RESUME), seed=None)).path == path
        assert timeless(ResultsReader(cut)) == records


def test_openings_of_a_file_go_on_from_iteration_to_iteration(tmp_path: Path) -> None:
    config, book = config_for(tmp_path / "games.jsonl", iterations=2), ("c2b2", "c2d2", "b3b2", "b3b4", "d5e5")
    games = replace(config.tournament, opening_plies=0, opening_book=book)
    run(replace(config, tournament=games))
    openings = [record.transcript[:4] for record in timeless(ResultsReader(tmp_path / "games.jsonl"))]
    assert openings == [opening for opening in book[:4] for _ in range(2)]


def test_games_of_another_search_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    config = config_for(file, ExistingOutput.RESUME, iterations=1, pairs=1)
    assert config.tune is not None
    run(config)
    for other in (replace(config, seed=2), replace(config, tune=replace(config.tune, perturbation=0.1))):
        with pytest.raises(ResultsError, match="another experiment"):
            Tuning(other)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(ResultsError, match="game 2 stands where game 1 is due"):
        Tuning(config)


@pytest.mark.slow
def test_the_games_do_not_depend_on_the_processes() -> None:
    assert run(config_for(), ProcessExecutor(2)).path == run(config_for()).path


def test_whole_numbers_are_drawn_around_the_value() -> None:
    axis = Axis("depth", 1, 1, 5, is_whole=True, is_logarithmic=False)
    drawn = [axis.played(0.4, threshold / 1000) for threshold in range(1000)]
    assert set(drawn) == {2, 3}
    assert mean(drawn) == pytest.approx(2.6)
    assert axis.best(0.4) == 3
    assert {axis.played(1, threshold) for threshold in (0, 0.999)} == {5}


def test_values_with_the_same_ratio_are_equally_far_apart() -> None:
    axis = Axis("learning_rate_start", 0.1, 0.001, 1, is_whole=False, is_logarithmic=True)
    assert [axis.value(place / 3) for place in range(4)] == pytest.approx([0.001, 0.01, 0.1, 1])
    assert axis.share(0.1) == pytest.approx(2 / 3)


@pytest.mark.parametrize("player_type", COMPUTERS)
def test_all_numbers_of_all_players_can_be_tuned(player_type: str) -> None:
    player = configure(player_type)
    numbers = {key: each for key, each in options_of(type(player)).items() if each.kind in (int, float)}
    ranges = {key: TunedOption(0.001 if each.minimum is None else None) for key, each in numbers.items()}
    axes = Tuning(replace(config_for(options=ranges), players=(player, player))).axes
    assert len(axes) >= 4
    for axis in axes:
        assert axis.low <= axis.start <= axis.high
        assert axis.value(axis.share(axis.start)) == pytest.approx(axis.start)
        assert [axis.played(share, 0.5) for share in (0, 1)] == [axis.low, axis.high]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "nothing to tune"),
        ({"dept": TunedOption()}, "tune.options.dept: not a numeric option of heuristic; did you mean depth?"),
        ({"mcts_exploration": TunedOption()}, "not a numeric option of heuristic; allowed: time_limit"),
        ({"depth": TunedOption(3, 1)}, "tune.options.depth: 3 to 1 is no range"),
        ({"depth": TunedOption(0, 5)}, "0 to 5 is no range"),
        ({"depth": TunedOption(1.5, 5)}, "1.5 to 5 is no range"),
        ({"depth": TunedOption(2)}, "begins with 1, which is not within 2 to 100"),
        ({"endgame_empties": TunedOption(scale="logarithmic")}, "needs a minimum above 0"),
    ],
)
def test_options_that_cannot_be_tuned_are_named(options: dict[str, TunedOption], words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace("?", r"\?")):
        Tuning(config_for(options=options))


def test_the_command_writes_the_found_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    out, book = tmp_path / "out", tmp_path / "book.txt"
    depth = {"minimum": 1, "maximum": 3, "scale": "logarithmic"}
    form = {"format": "paired", "openings": str(book), "sprt": {"elo0": 0, "elo1": 5}, "processes": 1}
    document = {
        "game_type": "tournament",
        "rules": {"size": 6},
        "game_repetitions": 7,
        "heuristic_simulation_depth": 2,
        "players": [{"player_type": "heuristic"}] * 2,
        "tournament": form,
        "tune": {"options": {"depth": depth}, "iterations": 5, "pairs": 1},
    }
    config = write_config(tmp_path, **document)
    book.write_text("c2b2\nc2d2\n")
    printed = cli("tune", config, "--seed", "3", "--out", out)
    assert "seed 3" in printed
    assert "Stopped" not in printed
    rows = (
        "0 0 2 1 2 2.113 2 4 2.113 3 6 2.113 4 8 2.113 5 10 2.242 Values option minimum maximum start now depth 1 3 2"
    )
    assert printed.split()[2:-3] == ["Path", "iteration", "games", "depth", *rows.split(), "2.242"]
    before, after = load(config), load(out / "found.json")
    assert after.players[1] == before.players[1]
    expected = replace(before, tune=None, seed=3, players=(), notices=())
    assert asdict(expected) == asdict(replace(after, players=(), notices=()))
    lines = (out / "path.csv").read_text().splitlines()
    assert lines[0] == "iteration,games,score,depth"
    assert lines[1] == "0,0,,2"
    assert [line.split(",")[1] for line in lines[2:]] == ["2", "4", "6", "8", "10"]
    assert round(float(lines[-1].split(",")[3])) == after.players[0].strength["depth"]
    assert str(out / "path.svg") in printed
    picture = (out / "path.svg").read_text()
    assert all(f">{text}<" in picture for text in ("depth", "2", "games; the broken line is the start"))
    assert "math" not in picture
    monkeypatch.setitem(sys.modules, "othello.tournament.plots", None)
    written = {file: file.read_bytes() for file in out.iterdir()}
    again = ("tune", config, "--seed", "3", "--out", out)
    assert "found.json: already exists" in cli.error(*again)
    assert {file: file.read_bytes() for file in out.iterdir()} == written
    assert "No plot: plots need Python with matplotlib" in cli(*again, "--overwrite")
    cli("tune", config, "--out", config, status=2)
    assert cli.errors.splitlines()[-1].startswith(f"othello: {config}: ")
    write_config(tmp_path, **document | {"tune": None})
    assert f"{config}: nothing to tune" in cli.error("tune", config)


def test_the_output_folder_is_made_before_the_first_game(tmp_path: Path, cli: CommandLine) -> None:
    players, out = [{"player_type": "heuristic"}] * 2, tmp_path / "new" / "out"
    config = write_config(tmp_path, game_type="tournament", players=players, tune={"options": {"x": {}}})
    assert "tune.options.x" in cli.error("tune", config, "--out", out)
    assert out.is_dir()


def test_iterations_follow_the_formulas() -> None:
    """Spall 1998: a(k) = a / (A + k + 1)^0.602 and c(k) = c / (k + 1)^0.101, for k from 0."""
    random, iterations, step, move = Random(1), 50, 0.15, 0.3
    search, point = Spsa([0.2, 0.9, 0.5], iterations, step, move), np.array([0.2, 0.9, 0.5])
    a = 2 * step * move * (0.1 * iterations + 1) ** 0.602
    for k in range(iterations):
        direction = np.array([random.choice((-1, 1)) for _ in point])
        difference = random.uniform(-1, 1)
        a_k, c_k = a / (0.1 * iterations + k + 1) ** 0.602, step / (k + 1) ** 0.101
        for side, sign in zip(search.sides(direction), (1, -1), strict=True):
            assert side == pytest.approx(np.clip(point + sign * c_k * direction, 0, 1))
        search.learn(direction, difference)
        point = np.clip(point + a_k * difference / (2 * c_k * direction), 0, 1)
        assert search.point == pytest.approx(point)


def test_one_side_that_wins_all_games_moves_the_values_as_far_as_asked() -> None:
    search = Spsa([0.5, 0.5], 100, 0.2, 0.07)
    search.learn(np.array([1, -1]), 1.0)
    assert search.point == pytest.approx([0.57, 0.43])


@pytest.mark.parametrize("best", [(0.3, 0.8), (0.0, 1.0)], ids=["inside", "at the edge"])
def test_a_known_best_value_is_found_from_random_games(best: tuple[float, float]) -> None:
    """Players lose 300 Elo over a third of the range; 16 games an iteration, as by default."""
    errors = []
    for seed in range(10):
        random = np.random.default_rng(seed)
        search = Spsa([0.6, 0.4], 200, 0.2, 0.1)
        for _ in range(200):
            direction = random.choice((-1, 1), 2)
            first, second = (-2700 * float(((side - best) ** 2).sum()) for side in search.sides(direction))
            search.learn(direction, random.binomial(16, score_of(first - second)) / 8 - 1)
        errors.append(search.point - best)
    assert np.abs(errors).max() < 0.12
    assert np.abs(np.mean(errors, axis=0)).max() < 0.03
