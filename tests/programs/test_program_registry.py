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
from tests.positions import SPEC
from tests.programs.registered import SCRIPT, opponent


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    yield
    assert not list(tmp_path.glob("*.lock"))


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


def test_programs_are_kept_changed_renamed_and_forgotten() -> None:
    assert programs() == {}
    for program in (FULL, opponent("gtp"), opponent("json")):
        register(program)
    assert list(programs()) == ["Edax 4.6", "gtp", "json"]
    assert find("Edax 4.6") == FULL
    assert sys.platform == "win32" or programs_path().stat().st_mode & 0o077 == 0, "its environment may hold secrets"
    hasty = replace(program_of("Class", {"class": "a:B"}), start_seconds=10.0)
    for kept in (FULL, hasty):
        assert program_of(kept.name, entry_of(kept)) == kept
    register(replace(FULL, name="Edax", depth=None), instead_of="Edax 4.6")
    seat = configure("external", program="gtp")
    remove("gtp")
    with pytest.raises(TournamentError, match="no program is called gtp"):  # as on a cluster's worker
        play_game(GameJob(1, 1, (seat, configure("random")), SPEC, 1))
    assert list(programs()) == ["Edax", "json"]
    assert find("Edax").depth is None
    with pytest.raises(ProgramError, match="no program is called edax; did you mean Edax"):
        find("edax")


@pytest.mark.parametrize(
    ("document", "told"),
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
def test_a_damaged_file_is_refused_in_one_line_and_stays(document: str, told: str) -> None:
    programs_path().write_text(document)
    for act in (programs, lambda: register(FULL)):
        with pytest.raises(OthelloError) as caught:
            act()
        assert told in str(caught.value)
        assert "\n" not in str(caught.value)
    assert programs_path().read_text() == document


STARTING: list[dict[str, Any]] = [
    {"player_type": "external", "command": ["/bin/true"], "protocol": "gtp"},
    {"player_type": "external", "program": "gtp", "command": ["/bin/true"]},
    {"player_type": "random", "command": ["/bin/true"]},
]


@pytest.mark.parametrize("entry", STARTING)
def test_no_file_starts_what_it_names_itself(entry: dict[str, Any], tmp_path: Path) -> None:
    register(opponent("gtp"))
    document = {"players": [{"player_type": "random"}, entry]}
    file = tmp_path / "config.json"
    file.write_text(json.dumps(document))
    for read in (partial(load, file), partial(config_of, document), partial(config_of_game, document["players"], SPEC)):
        with pytest.raises(
            ConfigError, match=r"players\[1\]\.command: a file cannot start a program; .* --allow-programs"
        ):
            read()


def test_a_file_names_a_program_that_this_person_has_registered(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"players": [{"player_type": "external", "program": "Anna"}] * 2}))
    with pytest.raises(ConfigError, match=r"players\[0\]: program: no program is called Anna; add programs"):
        load(file)
    register(replace(opponent("json"), name="Anna"))
    players = load(file).players
    assert [player.name for player in players] == ["Anna 1", "Anna 2"]
    register(opponent("gtp"))
    swept = {"player_type": "external", "program": ["Anna", "gtp"]}
    file.write_text(json.dumps({"players": [swept, {"player_type": "random"}], "game_type": "tournament"}))
    assert [player.name for player in load(file).players] == ["Anna", "gtp", "random"]
    assert player_entry(players[0]) == {"player_type": "external", "program": "Anna"}


def test_a_game_opens_whose_program_is_gone_and_says_so_when_it_is_to_move() -> None:
    entries = [{"player_type": "external", "program": "Anna"}, {"player_type": "user"}]
    anna, _ = config_of_game(entries, SPEC).players
    assert title_of(anna) == "Anna"
    with pytest.raises(ProgramError, match="no program is called Anna; add programs with othello programs add"):
        create_player(anna, SPEC)


def test_a_trusted_config_describes_programs_itself(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    described = {**entry_of(opponent("json")), "player_type": "external", "name": "Anna", "depth": 3}
    file.write_text(json.dumps({"players": [described, {"player_type": "random"}]}))
    config = load(file, may_start=True)
    assert config.notices == ()
    assert Draft202012Validator(json.loads(schema_path().read_text())).is_valid(json.loads(file.read_text()))
    with create_player(config.players[0], SPEC) as player:
        player.prepare()
        assert player_entry(player.config) == {"player_type": "external", "program": "Anna", "name": "Anna"}
    for changes, told in (
        ({"protocol": "uci"}, r"players\[0\]\.protocol"),
        ({"player_type": "random"}, "ignored for random"),
        ({"command": "json"}, r"players\[0\]\.command"),
    ):
        file.write_text(json.dumps({"players": [{**described, **changes}, {"player_type": "random"}]}))
        with pytest.raises(ConfigError, match=told):
            load(file, may_start=True)


def test_a_trusted_config_describes_a_class_itself(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    described = {"player_type": "python", "class": "classes:Greedy", "folder": str(SCRIPT.parent), "in_process": True}
    file.write_text(json.dumps({"players": [described, {"player_type": "random"}]}))
    with pytest.raises(ConfigError, match=r"players\[0\]\.class: a file cannot start a program"):
        load(file)
    config = load(file, may_start=True)
    assert ([player.name for player in config.players], config.notices) == (["Greedy", "random"], ())
    assert Draft202012Validator(json.loads(schema_path().read_text())).is_valid(json.loads(file.read_text()))
    create_player(config.players[0], SPEC).release()
    for changes, told in (({"player_type": "external"}, "only used by python"), ({"class": "os"}, 'class: is "os"')):
        file.write_text(json.dumps({"players": [{**described, **changes}, {"player_type": "random"}]}))
        with pytest.raises(ConfigError, match=told):
            load(file, may_start=True)
