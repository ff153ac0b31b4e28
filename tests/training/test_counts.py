"""Measured levels of games that the engine does not play."""

import json
from pathlib import Path
from typing import Any

import pytest

from training import counts


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"game": "tictactoe", "players": [{"player_type": "random"}] * 2}))
    return file


def measure(monkeypatch: pytest.MonkeyPatch, config: Path, out: str, games: int, *levels: str) -> Any:
    """Play the games of all pairs of levels, and return the entry of the game."""
    folder = config.with_name(out)
    argv = ["counts", str(config), "--levels", *levels, "--games", str(games), "--out", str(folder)]
    monkeypatch.setattr("sys.argv", argv)
    counts.main()
    return json.loads((folder / "levels.json").read_text())


def test_pairs_are_played_once_and_make_the_ratings(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = measure(monkeypatch, config, "out", 4, "1/2", "2", "64")
    assert (entry["game"], entry["rules"]) == ("tictactoe", {"size": 3, "win_length": 3})
    levels = {(each["simulations"], each["depth"], each["temperature"], each["games"]) for each in entry["levels"]}
    assert levels == {(0, 1, 2.0, 12), (2, 0, 0.0, 12), (64, 0, 0.0, 8)}
    monkeypatch.setattr(counts, "play_pair", None)  # nothing is left to play
    assert measure(monkeypatch, config, "out", 4, "1/2", "2", "64") == entry


def test_games_of_a_pair_do_not_depend_on_the_other_levels(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure(monkeypatch, config, "few", 8, "1", "64")
    measure(monkeypatch, config, "more", 8, "1", "32", "64")
    few, more = (config.with_name(name) / "pair-1-64.json" for name in ("few", "more"))
    assert few.read_text() == more.read_text()
