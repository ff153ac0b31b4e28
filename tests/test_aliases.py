"""Former names of config keys, commands and words of the JSON protocol mean the same as the new ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from othello.aliases import COMMANDS, FORMER_WORDS, NAMES, TEXT_NAMES, WORDS, renamed
from othello.cli.arguments import parse
from othello.config_file import config_of, load
from othello.errors import ConfigError
from othello.gui.preferences import PreferencesFile
from othello.programs.program_registry import Program, program_of
from othello.records.record import GameRecord
from othello.rules.registry import game_spec, spec_of
from othello.texts import ENGLISH, catalogue
from othello.translations import read_languages
from tests.command_line import CommandLine, write_config

UCT, HEURISTIC = {"player_type": "mcts_uct"}, {"player_type": "heuristic"}


def match(*players: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {"players": [{**UCT, "name": "A"}, *(players or [{**HEURISTIC, "name": "B"}])], "seed": 1, **settings}


def tuned(**settings: Any) -> dict[str, Any]:
    return match(tune={"options": {"mcts_exploration": {}}, **settings})


FORMER_CONFIGS = {
    "heuristic_ends": match({"player_type": "heuristic", "heuristic_ends": "squares"}),
    "final_ties": match(final_ties="first"),
    "mcts_ties": match({**UCT, "mcts_ties": "random"}),
    "mcts_tree_learns": match(mcts_tree_learns="both"),
    "mcts_root.usual": match({**UCT, "mcts_root": "usual"}, mcts_root="sequential_halving"),
    "engine_margin": match({"player_type": "engine", "engine_margin": 2.5}),
    "book_variety": match({"player_type": "engine", "book_variety": 3}),
    "empties": match(rules={"empties": "winner"}),
    "empty_squares.nobody": match(rules={"empties": "nobody", "goal": "fewest"}),
    "empty_squares.winner": match(rules={"empty_squares": "winner"}),
    "colors.drawn": match(tournament={"colors": "drawn"}),
    "openings_order.drawn": match(tournament={"openings_order": "drawn"}),
    "tune.step": tuned(step=0.3),
    "tune.move": tuned(move=0.3),
}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("slip", "tells_losses", "megabytes")])
def test_former_names_in_a_config_mean_the_same(name: str, tmp_path: Path) -> None:
    former = FORMER_CONFIGS[name]
    current = renamed(former)
    assert f'"{name.rsplit(".", maxsplit=1)[-1]}"' in json.dumps(former)
    assert f'"{NAMES[name]}"' not in json.dumps(former)
    assert f'"{NAMES[name]}"' in json.dumps(current)
    file = tmp_path / "config.json"
    file.write_text(json.dumps(former))
    loaded = load(file)
    file.write_text(json.dumps(current))
    assert loaded == load(file)
    assert config_of(former).players == loaded.players


def test_a_list_of_former_values_makes_a_player_for_each(tmp_path: Path) -> None:
    swept = {**UCT, "mcts_root": ["usual", "sequential_halving"]}
    first, second, _ = load(write_config(tmp_path, players=[swept, HEURISTIC], game_type="tournament")).players
    assert [getattr(player, "mcts_root", "") for player in (first, second)] == ["tree_policy", "sequential_halving"]


def test_a_key_beside_its_former_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="final_ties: unknown key"):
        load(write_config(tmp_path, final_ties="first", tie_break="first"))


def test_names_that_the_user_chooses_are_not_changed() -> None:
    players = {"players": [{"environment": {"hall": "hall"}}], "setup": {"players": {"slip": {}}}}
    document = {**players, "openings": {"slip": 1}}
    assert renamed(document) == document


@pytest.mark.usefixtures("restored_language")
def test_former_names_of_texts_are_read_in_catalogues_only(tmp_path: Path) -> None:
    games = {"one": "{n} ludo", "other": "{n} ludoj"}
    former = {
        "hall": {"games": games},
        "lines": {"hall": "Rezultoj"},
        "actions": {"hall": "Montri rezultojn"},
        "orders": {"drawn": "Hazarda"},
        "settings": {"megabytes": "Memoro"},
    }
    assert renamed(former) == {**former, "settings": {"memory_mb": "Memoro"}}
    (tmp_path / "eo.json").write_text(json.dumps(former))
    assert read_languages(tmp_path) == []
    assert catalogue("eo") == {
        "tournament.games": games,
        "lines.standings": "Rezultoj",
        "actions.standings": "Montri rezultojn",
        "orders.random": "Hazarda",
        "settings.memory_size": "Memoro",
    }


def test_former_names_in_settings_records_and_programs(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"slip": 3, "usual": {"final_ties": "first"}}')
    settings = PreferencesFile(file)
    assert (settings.value.inaccuracy, settings.value.usual, settings.notice) == (3, {"tie_break": "first"}, "")
    spec = spec_of("othello", "goal=fewest empties=winner")
    assert spec == game_spec("othello", {"goal": "fewest", "empty_squares": "to_winner"})
    values = {"black": "A", "white": "B", "black_points": 64, "white_points": 0, "result": "black"}
    setup = {"players": {"A": {"final_ties": "first"}}}
    record = GameRecord.from_values({**values, "rules": "empties=winner", "setup": setup})
    assert (record.spec["empty_squares"], record.setup) == ("to_winner", {"players": {"A": {"tie_break": "first"}}})
    entry = renamed({"command": ["ls"], "protocol": "gtp", "megabytes": 64})
    assert program_of("a", entry) == Program("a", ("ls",), memory_mb=64)


def test_former_names_on_the_command_line(cli: CommandLine) -> None:
    for former, command in COMMANDS.items():
        assert parse(former.split()).command is not None
        assert str(parse(former.split())) == str(parse(command.split())), former
    old = parse(["gtp", "--player", "mcts_uct", "--mcts-root", "usual", "--final-ties=first"])
    assert (old.mcts_root, old.tie_break) == ("tree_policy", "first")
    add = parse(["programs", "add", "a", "--megabytes", "900", "--", "program", "--megabytes", "5"])
    assert (add.memory_mb, add.words) == (900, ["program", "--megabytes", "5"])
    assert cli("archive", "stats", "--json") == cli("archive", "moves", "--json")


def test_no_text_has_a_former_name() -> None:
    assert len(FORMER_WORDS) == len(WORDS)
    document: dict[str, Any] = {}
    for name in catalogue(ENGLISH):
        *sections, last = name.split(".")
        part = document
        for section in sections:
            part = part.setdefault(section, {})
        part[last] = ""
    assert renamed(document, table=TEXT_NAMES) == document
