"""`othello repertoire`."""

from pathlib import Path

from othello.store.database import STORE_NAME, Store
from othello.study.repertoire import REPERTOIRE_NAME
from tests.command_line import CommandLine


def lines(cli: CommandLine) -> list[tuple[str, str, int]]:
    """Return side, opening and number of due positions of every line."""
    return [(line["color"], line["opening"], line["due"]) for line in cli.json("repertoire", "list", "--json")]


def test_openings_are_added_listed_and_removed(data_dir: Path, cli: CommandLine) -> None:
    assert lines(cli) == []
    assert cli("repertoire", "add", "tiger", "f5f6e6f4", "--color", "black").splitlines() == [
        "Added tiger (Black) to your repertoire: 3 positions to learn.",
        "Added f5f6e6f4 (Black) to your repertoire: 2 positions to learn.",
    ]
    added = cli("repertoire", "add", "d3c5", "--color", "white")
    assert added == "Added d3c5 (White) to your repertoire: 1 position to learn.\n"
    tiger, diagonal, perpendicular = ("black", "Tiger", 3), ("black", "Diagonal", 2), ("white", "Perpendicular", 1)
    assert lines(cli) == [tiger, diagonal, perpendicular]
    removed = cli("repertoire", "remove", "f5f6e6f4", "--color", "black")
    assert removed == "Removed f5f6e6f4 (Black) from your repertoire.\n"
    assert lines(cli) == [tiger, perpendicular]
    for words, fault in (
        ("add Tigger --color black", "did you mean Tiger?"),
        ("add f5 --color white", "white does not move in it"),
        ("remove Rose --color black", "Rose: not in the repertoire for black"),
    ):
        assert fault in cli.error("repertoire", *words.split())
    with Store(data_dir / STORE_NAME) as store:
        store.update_value(REPERTOIRE_NAME, lambda _: b"{")
    assert "repertoire.damaged.json: " in cli.error("repertoire", "list")
    assert lines(cli) == []
