"""Programs have names; a file can name one, and start none."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from othello.config_file import config_of, config_of_game, entry_of as player_entry, load
from othello.errors import ConfigError, OthelloError, ProgramError, TournamentError
from othello.play.referee import GameJob
from othello.players.player_registry import configure, create_player, title_of
from othello.programs.program_registry import (
    Program,
    entry_of,
    find,
    program_of,
    programs,
    programs_path,
    register,
    remove,
)
from othello.resources import schema_path
from othello.tournament.executor import play_game
from tests.command_line import RANDOM, write_config
from tests.positions import SPEC
from tests.programs.registered import SCRIPT, opponent


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    yield
    assert not list(tmp_path.glob("*.lock"))


ANNA = {"player_type": "external", "program": "Anna"}
FULL = Program(
    "Edax 4.6",
    ("/opt/edax/lEdax", "-nboard", "a b; rm"),
    environment=(("A", "1"), ("B", "")),
    protocol="nboard",
    folder="/opt/edax",
    depth=18,
    start_seconds=5.0,
    move_seconds=60.0,
    game_seconds=1800.0,
    memory_mb=1024,
)


def test_programs_are_registered_changed_renamed_and_removed() -> None:
    assert programs() == {}
    python = replace(program_of("Class", {"class": "a:B"}), start_seconds=10.0)
    for program in (python, FULL, opponent("gtp"), opponent("json")):
        register(program)
        assert find(program.name) == program
    remove("Class")
    assert list(programs()) == ["Edax 4.6", "gtp", "json"]
    assert sys.platform == "win32" or programs_path().stat().st_mode & 0o077 == 0, "its environment may hold secrets"
    register(replace(FULL, name="Edax", depth=None), instead_of="Edax 4.6")
    player = configure("external", program="gtp")
    remove("gtp")
    with pytest.raises(TournamentError, match="no program is called gtp"):  # as on a cluster's worker
        play_game(GameJob(1, 1, (player, configure("random")), SPEC, 1))
    assert list(programs()) == ["Edax", "json"]
    assert find("Edax").depth is None
    with pytest.raises(ProgramError, match="no program is called edax; did you mean Edax"):
        find("edax")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("[]", "is a list"),
        ('{"a": 1}', "a: is 1"),
        ('{"a": {"protocol": "gtp"}}', "a: command: is missing"),
        ('{"a": {"command": [], "protocol": "gtp"}}', "a: command: "),
        ('{"a": {"command": "ls -l", "protocol": "gtp"}}', "a: command: "),
        ('{"a": {"command": ["ls"], "protocol": "uci"}}', 'a: protocol: is "uci"'),
        ('{"a": {"command": ["ls"], "protocol": "gtp", "shell": true}}', "a: shell: unknown key"),
        ('{" a": {"command": ["ls"], "protocol": "gtp"}}', "without leading or trailing spaces"),
        ('{"a": {"command": ["ls"], "protocol": "gtp", "memory_mb": 1}}', "a: memory_mb: is 1"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line_and_stays(document: str, message: str) -> None:
    programs_path().write_text(document)
    for act in (programs, lambda: register(FULL)):
        with pytest.raises(OthelloError) as caught:
            act()
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
    assert programs_path().read_text() == document


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
    reads = (
        partial(load, write_config(tmp_path, players=players)),
        partial(config_of, {"players": players}),
        partial(config_of_game, players, SPEC),
    )
    for read in reads:
        with pytest.raises(
            ConfigError, match=rf"players\[0\]\.{key}: a file cannot start a program; .* --allow-programs"
        ):
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


PROGRAM = {**entry_of(opponent("json")), "player_type": "external", "name": "Anna", "depth": 3}


@pytest.mark.parametrize(
    ("entry", "name", "known"),
    [(PROGRAM, "Anna", {**ANNA, "name": "Anna"}), ({**CLASS, "in_process": True}, "Greedy", None)],
    ids=["program", "class"],
)
def test_a_trusted_config_describes_a_program_itself(
    entry: dict[str, Any], name: str, known: dict[str, str] | None, tmp_path: Path
) -> None:
    file = write_config(tmp_path, players=[entry, RANDOM])
    config = load(file, may_start=True)
    assert ([player.name for player in config.players], config.notices) == ([name, "random"], ())
    assert Draft202012Validator(json.loads(schema_path().read_text())).is_valid(json.loads(file.read_text()))
    with create_player(config.players[0], SPEC) as player:
        player.prepare()
        assert known is None or player_entry(player.config) == known


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({**PROGRAM, "protocol": "uci"}, r"players\[0\]\.protocol"),
        ({**PROGRAM, "player_type": "random"}, "ignored for random"),
        ({**PROGRAM, "command": "json"}, r"players\[0\]\.command"),
        ({**CLASS, "player_type": "external"}, "only used by python"),
        ({**CLASS, "class": "os"}, 'class: is "os"'),
    ],
)
def test_faults_of_a_trusted_config(entry: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        load(write_config(tmp_path, players=[entry, RANDOM]), may_start=True)
