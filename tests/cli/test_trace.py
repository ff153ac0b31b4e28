"""`othello trace`: files with the steps of a search."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.command_line import CommandLine

CONFIG = {
    "game": "tictactoe",
    "players": [{"player_type": "mcts_ucb1", "simulation_count": 40}, {"player_type": "heuristic", "depth": 3}],
    "seed": 3,
}


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config.json").write_text(json.dumps(CONFIG))


@pytest.mark.parametrize(("player", "kinds"), [(1, {"select", "expand", "playout", "backup"}), (2, {"node"})])
def test_steps_as_json(player: int, kinds: set[str], cli: CommandLine) -> None:
    cli("trace", "--player", player, "--moves", "b2", "--out", "steps.jsonl")
    first, *rows, last = [json.loads(line) for line in Path("steps.jsonl").read_text().splitlines()]
    assert (first["type"], first["game"], first["to_move"], first["seed"]) == ("search", "tictactoe", "white", 3)
    assert first["player"]["player_type"] == CONFIG["players"][player - 1]["player_type"]  # type: ignore[index]
    if player == 1:
        assert (first["player"]["mcts_batch"], first["player"]["mcts_solver"]) == (1, True), "what the search used"
    assert last["type"] == "result"
    assert last["move"] in [child["move"] for child in last["children"]]
    assert {row["type"] for row in rows} == kinds
    for row in rows:
        if row["type"] == "select":
            bounds = {child["move"]: child["bound"] for child in row["children"]}
            assert bounds[row["chosen"]] == max(bounds.values())


def test_steps_as_a_page(cli: CommandLine) -> None:
    cli("trace", "--simulations", "3", "--out", "steps.html")
    page = Path("steps.html").read_text()
    found = re.search('id="data">(.*?)</script>', page)
    assert found
    data = json.loads(found[1])
    assert data["board"]["columns"] == 3
    assert [step["title"] for step in data["steps"][:2]] == ["Simulation 1: expand", "Simulation 1: play out"]
    assert "+" in data["steps"][0]["marks"].values()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_steps_as_an_animation(cli: CommandLine) -> None:
    cli("trace", "--simulations", "2", "--out", "steps.gif")
    with Image.open("steps.gif") as film:
        assert getattr(film, "n_frames", 1) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "steps.txt"], "allowed: .jsonl, .html, .gif"),
        (["--out", "config.json.html", "--player", "3"], "the config has 2 players"),
        (["--out", "steps.gif", "--config", "large.json"], "at most 500"),
        (["--out", "old.jsonl"], "old.jsonl"),
    ],
)
def test_requests_that_cannot_be_carried_out(arguments: list[str], message: str, cli: CommandLine) -> None:
    Path("old.jsonl").write_text("")
    players = [{"player_type": "mcts_uct", "simulation_count": 400}]
    Path("large.json").write_text(json.dumps(CONFIG | {"players": [*players, *players]}))
    assert message in cli.error("trace", *arguments)
