"""Levels where the engine does not play, measured."""

import json
import sys
from pathlib import Path

import pytest

from training import counts


def test_pairs_are_played_once_and_make_the_ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"game": "tictactoe", "players": [{"player_type": "random"}] * 2}))
    argv = ["counts", str(config), "--levels", "1/2", "2", "64", "--games", "4", "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", argv)
    counts.main()
    entry = json.loads((tmp_path / "out" / "levels.json").read_text())
    assert (entry["game"], entry["rules"]) == ("tictactoe", {"size": 3, "win_length": 3})
    levels = {(each["simulations"], each["depth"], each["temperature"], each["games"]) for each in entry["levels"]}
    assert levels == {(0, 1, 2.0, 12), (2, 0, 0.0, 12), (64, 0, 0.0, 8)}
    monkeypatch.setattr(counts, "play_pair", None)  # nothing is left to play
    counts.main()
    assert json.loads((tmp_path / "out" / "levels.json").read_text()) == entry


def test_a_pair_plays_the_same_games_whoever_else_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"game": "tictactoe", "players": [{"player_type": "random"}] * 2}))
    scores = []
    for name, others in (("few", ["64"]), ("more", ["32", "64"])):
        monkeypatch.setattr(
            sys,
            "argv",
            ["counts", str(config), "--levels", "1", *others, "--games", "8", "--out", str(tmp_path / name)],
        )
        counts.main()
        scores.append((tmp_path / name / "pair-1-64.json").read_text())
    assert scores[0] == scores[1]
