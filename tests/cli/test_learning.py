"""`othello repertoire`."""

import json
from pathlib import Path

import pytest

from othello.cli import main
from othello.store.database import STORE_NAME, Store
from othello.study.repertoire import REPERTOIRE_NAME


def told(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, int]]:
    """Side, opening and number of due positions of every line."""
    assert main(["repertoire", "list", "--json"]) == 0
    entries = map(json.loads, capsys.readouterr().out.splitlines())
    return [(entry["color"], entry["opening"], entry["due"]) for entry in entries]


def test_openings_are_added_listed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    assert told(capsys) == []
    assert main(["repertoire", "add", "tiger", "f5f6e6f4", "--color", "black"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Added tiger (Black) to your repertoire: 3 positions to learn.",
        "Added f5f6e6f4 (Black) to your repertoire: 2 positions to learn.",
    ]
    assert main(["repertoire", "add", "d3c5", "--color", "white"]) == 0
    assert capsys.readouterr().out == "Added d3c5 (White) to your repertoire: 1 position to learn.\n"
    lines = told(capsys)
    assert lines == [("black", "Tiger", 3), ("black", "Diagonal", 2), ("white", "Perpendicular", 1)]
    assert main(["repertoire", "remove", "f5f6e6f4", "--color", "black"]) == 0
    assert capsys.readouterr().out == "Removed f5f6e6f4 (Black) from your repertoire.\n"
    assert told(capsys) == [lines[0], lines[2]]
    for words, fault in (
        (["add", "Tigger", "--color", "black"], "did you mean Tiger?"),
        (["add", "f5", "--color", "white"], "white does not move in it"),
        (["remove", "Rose", "--color", "black"], "Rose: not in the repertoire for black"),
    ):
        assert main(["repertoire", *words]) == 2
        assert fault in capsys.readouterr().err
    with Store(tmp_path / STORE_NAME) as store:
        store.update_value(REPERTOIRE_NAME, lambda _: b"{")
    assert main(["repertoire", "list"]) == 2
    assert "repertoire.damaged.json: " in capsys.readouterr().err
    assert told(capsys) == []
