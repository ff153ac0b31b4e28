"""`othello bench`, with runs too short to mean anything."""

import json
from functools import partial
from inspect import getclosurevars
from itertools import islice
from typing import Any

import pytest

from benchmarks import compiling
from othello import bench
from othello.engine.engine import Engine
from othello.search.stop import StopFlag
from othello.search.value_tree import TAKEN_REPLY
from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers
from tests.positions import RULES


def test_every_figure_is_a_line_of_json_or_of_the_table(monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    figures = bench.figures  # only three of them: all take too long for a test
    monkeypatch.setattr(bench, "figures", lambda quick: islice(figures(quick), 3))
    rows = cli.json("bench", "--quick", "--json")
    assert len(rows) == 3
    for row in rows:
        assert set(row) == {"name", "per_second", "unit", "seconds", "note"}
        assert row["per_second"] > 0
        assert row["seconds"] > 0
    assert "perft 9" in cli("bench", "--quick")


def test_the_figures_are_those_of_the_golden_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def describe(name: str, unit: str, run: Any, repetitions: int, note: str = "") -> bench.Speed:
        parts = run.args if isinstance(run, partial) else getclosurevars(run).nonlocals.values()
        sizes = [part if isinstance(part, int) else len(part) for part in parts if isinstance(part, int | list)]
        return bench.Speed(f"{name} of {sizes}, {repetitions} times", 1.0, unit, 1.0, note)

    monkeypatch.setattr(bench, "measure", describe)
    monkeypatch.setattr(bench, "middle_games", lambda _: [])

    def figures(kind: str) -> str:
        return "\n".join(f"{each.name}: {each.unit}, {each.note}" for each in bench.figures(quick=kind == "quick"))

    assert_answers("bench.txt", figures)


def test_runs_count_what_they_do() -> None:
    assert bench.games_one_at_a_time(RULES, RULES.start(), 10)() == 10
    assert bench.games_in_lock_step(RULES, RULES.start(), 32)() == 32
    for simulator in bench.simulators(RULES, 100).values():
        assert bench.search(simulator, RULES.kernel_state(RULES.start()), 100, 8) == 100
    assert bench.episodes(RULES, TAKEN_REPLY, 50)() == 50
    assert bench.exact_score(RULES.parse_position("X" * 56 + "XOOOOO-- O")) > 0
    assert [bench.engine_search(each, RULES.start(), 4) for each in [Engine(1 << 10, StopFlag())] * 2] == [123, 123]


def test_middle_games_have_legal_moves() -> None:
    positions = bench.middle_games(30, count=3)
    assert [RULES.moves_left(position) for position in positions] == [30, 30, 30]
    assert [RULES.format_position(position)[2:9] for position in positions] == ["XO-O---", "X--O---", "XXO---O"]
    assert bench.deepening(positions, 2)() == bench.plain_alphabeta(positions, 2) == 3


def test_the_fastest_run_counts() -> None:
    counts = iter([5, 1000, 1, 1])
    figure = bench.measure("counting", "numbers", lambda: next(counts), 3)
    assert figure.per_second == pytest.approx(1000 / figure.seconds)


@pytest.mark.rare
def test_compile_costs_are_listed_by_kernel_and_player(capsys: pytest.CaptureFixture[str]) -> None:
    compiling.main(["--quick", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    simulate = [row for row in rows if row["kernel"] == "search.mcts.simulate"]
    assert sorted(row["is_entry"] for row in simulate) == [False, True]
    assert all(0 < row["self_seconds"] <= row["seconds"] and row["player"] == "mcts_uct" for row in simulate)
    assert {row["player"] for row in rows} == {"mcts_uct", "engine"}
