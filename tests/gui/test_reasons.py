"""What goes wrong below the window is a value, and has words of the window in every language."""

from __future__ import annotations

import ast
import errno
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import othello
from othello import errors
from othello.errors import PlayerError, Reason, reason_of
from othello.gui import reasons, texts, wording
from othello.gui.texts import catalogue
from othello.play.referee import Forfeit
from tests.positions import RULES

LANGUAGES = texts.languages()
ROOT = Path(othello.__file__).parent
WITHOUT_WINDOW = {"cli", "bench.py"}
NAMELESS = {"weights.py", "window.py"}  # said again by whoever catches it; said before there is a window
ERRORS = {name for name in vars(errors) if name.endswith("Error")} - {"IllegalMoveError"}


def made(what: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Every error and every reason that is made where the window may show it, with its place."""
    for path in sorted(ROOT.rglob("*.py")):
        if WITHOUT_WINDOW.isdisjoint(path.relative_to(ROOT).parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in what:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_error_that_the_window_may_show_names_its_words() -> None:
    bare = [
        place
        for place, call in made(ERRORS)
        if len(call.args) == 1 and isinstance(call.args[0], ast.Constant | ast.JoinedStr)
    ]
    assert [place for place in bare if place.split("/")[-1].split(":")[0] not in NAMELESS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_there_and_speak_of_what_the_error_tells(language: str) -> None:
    known = catalogue(language)
    used = {"unknown", "crash", "os_other"}
    for place, call in made(ERRORS | {"Reason"}):
        name = literal(call.args[1]) if len(call.args) > 1 else None
        if name is None:
            continue
        used.add(name)
        text = known.get(f"errors.{name}")
        assert isinstance(text, str), f"{place}: no text is called errors.{name}"
        given = {keyword.arg for keyword in call.keywords}
        if None in given:  # more parts come from elsewhere
            continue
        if len(call.args) > 2 and isinstance(call.args[2], ast.Dict):
            given = {literal(key) for key in call.args[2].keys if key is not None}
        elif len(call.args) > 2:
            continue
        assert {part for _, part, _, _ in Formatter().parse(text) if part} <= given, place
    names = {name.removeprefix("errors.") for name in known if name.startswith("errors.")}
    systems = {f"os_{code.lower()}" for code in errno.errorcode.values()}
    assert names - systems - {"illegal_move", "game_over"} <= used


@pytest.fixture
def in_polish() -> Iterator[None]:
    texts.use("pl")
    yield
    texts.use("en")


@pytest.mark.usefixtures("in_polish")
def test_the_window_has_its_own_words_for_what_others_raise() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    assert reasons.words(reason_of(full)) == "dysk jest pełny"
    assert reasons.words(reason_of(OSError(9999, "Strange"))) == "system zgłasza błąd 9999"
    assert "TypeError" in reasons.words(reason_of(TypeError("no such thing")))
    told = Forfeit.read("white failed: no such move")
    assert told is not None
    assert "no such move" in wording.fault(RULES, told)
    foreign = reasons.words(reason_of(PlayerError("I do not feel like it")))
    assert foreign == catalogue("pl")["errors.unknown"]


@pytest.mark.usefixtures("in_polish")
def test_a_reason_within_a_reason_and_a_game_are_worded_too() -> None:
    inner = Reason("{game} is not solved", "not_solved", {"game": "tictactoe"})
    outer = Reason("endgame_empties: {reason}", "option", {"option": "endgame_empties", "reason": inner})
    assert str(outer) == "endgame_empties: tictactoe is not solved"
    assert reasons.words(outer) == "końcówki gry Kółko i krzyżyk nie są rozwiązywane"


@pytest.mark.parametrize(
    ("name", "parts", "sentence"),
    [
        ("nothing", {}, "There is no text; needed are moves, a position or a saved game."),
        ("no_such_file", {"path": "a.txt"}, "a.txt: there is no such file."),
        ("option", {"reason": Reason("", "needs_level")}, "The engine itself knows the usual Othello only"),
        ("", {}, "somebody said so."),
    ],
)
def test_a_reason_is_a_sentence_of_its_own(name: str, parts: dict[str, object], sentence: str) -> None:
    assert reasons.sentence(Reason("somebody said so", name, parts)).startswith(sentence)
