"""Programs have names; a file can name one, and start none; `othello programs`."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from othello.config_file import config_of, config_of_game, entry_of as player_entry, load
from othello.errors import ConfigError, ProgramError, TournamentError
from othello.play.referee import GameJob
from othello.players.player_registry import configure, create_player, title_of
from othello.programs import program_registry as registry
from othello.programs.program_registry import Program, find, programs, programs_path, register
from othello.resources import schema_path
from othello.tournament.executor import play_game
from tests.command_line import RANDOM, CommandLine, write_config
from tests.positions import SPEC
from tests.programs.registered import SCRIPT, opponent


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    yield
    assert not list(tmp_path.glob("*.lock"))


ANNA = {"player_type": "external", "program": "Anna"}
EDAX = Program("Edax 4.6", ("lEdax", "-nboard", "a b; rm"), protocol="nboard", folder="/opt/edax", depth=18)
EDAX = replace(EDAX, start_seconds=5.0, move_seconds=60.0, game_seconds=1800.0)
FULL = replace(EDAX, environment=(("A", "1"), ("B", "")), memory_mb=1024)


def test_programs_are_registered_changed_renamed_and_removed() -> None:
    assert programs() == {}
    python = replace(registry.program_of("Class", {"class": "a:B"}), start_seconds=10.0)
    for program in (python, FULL, opponent("gtp"), opponent("json")):
        register(program)
        assert find(program.name) == program
    registry.remove("Class")
    assert list(programs()) == ["Edax 4.6", "gtp", "json"]
    assert sys.platform == "win32" or programs_path().stat().st_mode & 0o077 == 0, "its environment may hold secrets"
    register(replace(FULL, name="Edax", depth=None), instead_of="Edax 4.6")
    player = configure("external", program="gtp")
    registry.remove("gtp")
    with pytest.raises(TournamentError, match="no program is called gtp"):  # as on a cluster's worker
        play_game(GameJob(1, 1, (player, configure("random")), SPEC, 1))
    assert list(programs()) == ["Edax", "json"]
    assert find("Edax").depth is None
    with pytest.raises(ProgramError, match="no program is called edax; did you mean Edax"):
        find("edax")


CLASS: dict[str, Any] = {"player_type": "python", "class": "classes:Greedy", "folder": str(SCRIPT.parent)}


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ({"player_type": "external", "command": ["/bin/true"], "protocol": "gtp"}, "command"),
        ({"player_type": "external", "program": "gtp", "command": ["/bin/true"]}, "command"),
        ({"player_type": "random", "command": ["/bin/true"]}, "command"),
        ({"player_type": "external", "protocol": "gtp"}, "protocol"),
        (CLASS, "class"),
    ],
)
def test_a_file_cannot_start_a_program(entry: dict[str, Any], key: str, tmp_path: Path) -> None:
    register(opponent("gtp"))
    players = [entry, RANDOM]
    file = write_config(tmp_path, players=players)
    refusal = rf"players\[0\]\.{key}: a file cannot start a program; .* --allow-programs"
    for read in (partial(load, file), partial(config_of, {"players": players}), partial(config_of_game, players, SPEC)):
        with pytest.raises(ConfigError, match=refusal):
            read()


def test_a_file_names_a_registered_program(tmp_path: Path) -> None:
    file = write_config(tmp_path, players=[ANNA] * 2)
    with pytest.raises(ConfigError, match=r"players\[0\]: program: no program is called Anna; add programs"):
        load(file)
    register(replace(opponent("json"), name="Anna"))
    players = load(file).players
    assert [player.name for player in players] == ["Anna 1", "Anna 2"]
    assert player_entry(players[0]) == ANNA
    register(opponent("gtp"))
    swept = {"player_type": "external", "program": ["Anna", "gtp"]}
    file = write_config(tmp_path, players=[swept, RANDOM], game_type="tournament")
    assert [player.name for player in load(file).players] == ["Anna", "gtp", "random"]


def test_a_game_whose_program_was_removed_opens_but_cannot_be_continued() -> None:
    anna, _ = config_of_game([ANNA, {"player_type": "user"}], SPEC).players
    assert title_of(anna) == "Anna"
    with pytest.raises(ProgramError, match="no program is called Anna; add programs with othello programs add"):
        create_player(anna, SPEC)


PROGRAM = {**registry.entry_of(opponent("json")), "player_type": "external", "name": "Anna", "depth": 3}


@pytest.mark.parametrize(
    ("entry", "name", "known"),
    [(PROGRAM, "Anna", {**ANNA, "name": "Anna"}), ({**CLASS, "in_process": True}, "Greedy", None)],
    ids=["program", "class"],
)
def test_a_trusted_config_describes_a_program(entry: dict[str, Any], name: str, known: Any, tmp_path: Path) -> None:
    file = write_config(tmp_path, players=[entry, RANDOM])
    config = load(file, may_start=True)
    assert ([player.name for player in config.players], config.notices) == ([name, "random"], ())
    assert Draft202012Validator(json.loads(schema_path().read_text())).is_valid(json.loads(file.read_text()))
    with create_player(config.players[0], SPEC) as player:
        player.prepare()
        assert known is None or player_entry(player.config) == known


def test_a_program_from_start_to_end(tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No program is registered" in cli("programs", "list")
    limits = ["--protocol", "nboard", "--depth", "18", "--memory-mb", "900", "--env", "A=b=c"]
    command = (sys.executable, "-I", "-S", str(SCRIPT), "nboard")
    added = cli("programs", "add", "Anna", *limits, "--", *command)
    assert added == "Anna is registered; othello programs test Anna tries it.\n"
    assert (find("Anna").command, find("Anna").environment) == (command, (("A", "b=c"),))
    assert re.fullmatch(
        "It answers and plays by the rules.\ncalls itself   Opponent\nstarted in     .* s\n"
        "first move     d3 in .* s, depth 3\n10 moves       all legal, .* s a move\n",
        cli("programs", "test", "Anna"),
    )
    cli("--config", write_config(tmp_path, players=[{"player_type": "external", "program": "Anna"}, RANDOM]))
    assert "Anna plays e6 for black, value +3" in cli("analyse", "--player", "external", "--program", "Anna")
    cli("programs", "add", "Cleo", "--class", "classes:Greedy", "--start-seconds", "2")
    monkeypatch.setattr("othello.cli.program_commands.installed", lambda: {"Dora": "package:Class"})
    assert cli("programs", "list").splitlines() == [
        f"Anna  nboard  {' '.join(command)}, depth 18, memory_mb 900",
        f"Cleo  classes:Greedy, folder {Path.cwd()}, start_seconds 2.0",
        "Dora  package:Class, installed",
    ]
    assert cli("programs", "remove", "Anna") == "Anna was removed.\n"
    assert "no program is called Anna" in cli.error("programs", "test", "Anna")
    monkeypatch.chdir(tmp_path)
    cli("programs", "add", "Ben", "--", "python3", "--version")
    assert find("Ben").folder == str(tmp_path)
    cli("programs", "add", "Ben", "--", "./ben", "-x")
    assert find("Ben").command == (str(tmp_path / "ben"), "-x")
