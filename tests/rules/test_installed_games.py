"""Games of installed packages."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from othello import texts
from othello.rules.connect_four import ConnectFour
from othello.rules.installed_games import installed_games, package_of
from othello.rules.registry import OWN_GAMES
from othello.texts import tr

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
    assert tr("games.outer_four.title") == "Outer Four"
    assert tr("games.outer_four.black", "no text") == "no text"
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
