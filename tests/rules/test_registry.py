"""The registry of games and their specs."""

import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from othello import texts
from othello.errors import ConfigError
from othello.rules.connect_four import ConnectFour
from othello.rules.installed_games import installed_games, package_of
from othello.rules.registry import DEFAULT_GAME, GAMES, OWN_GAMES, game_spec, rules_of, spec_of, unusual_options
from othello.texts import tr
from tests.rule_sets import every_spec


def test_specs_are_values() -> None:
    for game in GAMES:
        spec = game_spec(game)
        for option in GAMES[game].options:
            assert game_spec(game, {option.name: option.default}) == spec
            assert option.default in (spec[option.name], None)
        copy = pickle.loads(pickle.dumps(spec))
        assert (copy, hash(copy)) == (spec, hash(spec))
        assert rules_of(copy) == rules_of(spec) == pickle.loads(pickle.dumps(rules_of(spec)))
        assert rules_of(spec).spec == spec


def test_only_unusual_options_are_written_and_they_are_read_again() -> None:
    some = {"goal": "fewest", "start": "alternate", "no_legal_move": "pass"}
    assert unusual_options(game_spec(DEFAULT_GAME, some)) == "start=alternate goal=fewest"
    assert all(unusual_options(game_spec(game)) == "" for game in GAMES)
    for spec in every_spec():
        assert spec_of(spec.game, unusual_options(spec)) == spec


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("chess", {}, "unknown game “chess”; allowed: "),
        (DEFAULT_GAME, {"size": 9}, "rules.size: is 9; allowed: 8, 6"),
        (DEFAULT_GAME, {"goal": "none"}, 'rules.goal: is "none"; allowed: most, fewest'),
    ],
)
def test_unknown_games_and_invalid_options_are_refused(game: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        game_spec(game, options)


Install = Callable[..., None]
GAME = """
from othello.rules.connect_four import ConnectFour
class Game(ConnectFour):
    name = "{name}"
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(texts, "_games", {})

    def write(package: str, game: str, source: str, words: object = None) -> None:
        (tmp_path / package / "texts").mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text(source)
        (tmp_path / package / "texts" / "en.json").write_text(json.dumps(words or {}))
        info = tmp_path / f"{package}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[othello.games]\n{game} = {package}:Game\n")

    yield write
    texts.catalogue.cache_clear()


def test_a_package_adds_a_game_with_its_texts(install: Install, caplog: pytest.LogCaptureFixture) -> None:
    words = {
        "games": {"outer_four": {"title": "Outer Four", "black": 3}, "othello": {"title": "Not Othello"}},
        "status": {"paused": "not about the game"},
    }
    before = tr("games.othello.title"), tr("status.paused")
    install("outer_package", "outer_four", GAME.format(name="outer_four"), words)
    games = installed_games(OWN_GAMES)
    assert [*games] == ["outer_four"]
    assert issubclass(games["outer_four"], ConnectFour)
    assert package_of(games["outer_four"]) == "outer_package"
    assert (tr("games.outer_four.title"), tr("games.outer_four.black", "none")) == ("Outer Four", "none")
    assert (tr("games.othello.title"), tr("status.paused")) == before
    assert not caplog.messages


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("othello", GAME.format(name="othello"), "there is a game of this name"),
        ("Upper", GAME.format(name="Upper"), "small letters"),
        ("crashes", "1 / 0", "ZeroDivisionError"),
        ("lacks", "", "AttributeError"),
        ("foreign", "class Game: name = 'foreign'", "not a class derived from Rules"),
        ("other", GAME.format(name="another"), "has the name 'another'"),
        ("stuck", GAME.format(name="stuck") + "    def legal_moves(self, position): return ()", "no legal move"),
        ("wide", GAME.format(name="wide") + "    max_moves = 255", "too many moves"),
    ],
)
def test_a_faulty_package_gets_one_line_and_the_others_work(
    install: Install, caplog: pytest.LogCaptureFixture, name: str, source: str, fault: str
) -> None:
    install(f"faulty_{name.lower()}", name, source)
    install(f"sound_{name.lower()}", "sound", GAME.format(name="sound"))
    assert [*installed_games(OWN_GAMES)] == ["sound"]
    (line,) = caplog.messages
    assert f"the game {name} (faulty_{name.lower()}:Game) is left out" in line
    assert fault in line
    assert "\n" not in line
