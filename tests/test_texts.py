"""The catalogues of texts: none is missing, none is unused, and each has the parts that it is given.

`test_errors` holds the texts of errors to the same.
"""

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from othello import texts
from othello.gui import labels
from othello.gui.actions import ACTIONS, BROWSE, Action, label, tooltip
from othello.gui.dialogs.help import HowToPlayDialog
from othello.players.player_registry import OPTIONS
from othello.rules.registry import game_spec
from othello.search.report import Unit
from othello.texts import Text, catalogue, plural_form, plural_rules, tr

ROOT = Path(texts.__file__).parent
LANGUAGES = texts.languages()


def code_calls(functions: set[str]) -> Iterator[tuple[str, ast.Call, str]]:
    """Yield the place, the node and the function of every call of these functions in the code."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, node.func.id


@cache
def calls() -> list[tuple[str, set[str], str]]:
    """Return a pattern of the name, the parts and the place of every text that the code asks for.

    The place is empty if the code has a text of its own for a missing one.
    """
    return [
        (pattern, {keyword.arg for keyword in node.keywords if keyword.arg}, place if len(node.args) == 1 else "")
        for place, node, _ in code_calls({"tr"})
        for pattern in patterns(node.args[0])
    ]


def patterns(name: ast.expr) -> Iterator[str]:
    """Return the names that an expression can stand for."""
    if isinstance(name, ast.IfExp):
        yield from patterns(name.body)
        yield from patterns(name.orelse)
    elif isinstance(name, ast.JoinedStr):
        yield "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[^.]+" for part in name.values)
    else:
        assert isinstance(name, ast.Constant), ast.unparse(name)
        yield re.escape(str(name.value))


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def parts_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def matching(pattern: str, names: Collection[str]) -> list[str]:
    """Return the names that a pattern stands for; most patterns are one name."""
    if "[" not in pattern:
        return [name for name in (re.sub(r"\\(.)", r"\1", pattern),) if name in names]
    return [name for name in names if re.fullmatch(pattern, name)]


def test_every_text_that_is_asked_for_is_there_with_its_parts() -> None:
    left = {name for name in catalogue("en") if not name.startswith("errors.")} - {"language"}
    for pattern, given, place in calls():
        found = matching(pattern, catalogue("en"))
        assert found or not place, f"{place}: no text is called {pattern}"
        for name in found:
            for form in forms(catalogue("en")[name]):
                assert parts_of(form) <= given, f"{place}: {name}"
        left.difference_update(found)
    assert not left, "no code asks for them"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert english.keys() <= other.keys()
    optional = [pattern for pattern, _, place in calls() if not place]
    unknown = other.keys() - english.keys()
    assert [name for name in unknown if not any(re.fullmatch(each, name) for each in optional)] == []
    for name, text in other.items():
        original = english.get(name, text)
        assert parts_of("".join(forms(text))) == parts_of("".join(forms(original))), name
        assert isinstance(text, str) or isinstance(original, dict), f"{name}: the code gives no number"
        assert isinstance(text, str) or tuple(text) == (*plural_rules(language), "other"), name
    assert "language" in other


def test_every_strength_of_a_player_has_a_text() -> None:
    strengths = {option.name for option in OPTIONS.values() if option.is_strength}
    assert strengths
    assert {f"player_options.{name}" for name in strengths} <= catalogue("en").keys()


@pytest.mark.parametrize(
    ("system", "word"),
    [
        ("pl_PL.UTF-8", "Remis"),
        ("Polish_Poland.1250", "Remis"),
        ("es_MX.UTF-8", "Empate"),
        ("Japanese_Japan.932", "引き分け"),
        ("German_Austria.1252", "Remis"),
        ("fr_CA.UTF-8", "Nulle"),
        ("eo.UTF-8", "Draw"),
        ("C.UTF-8", "Draw"),
    ],
)
@pytest.mark.usefixtures("restored_language")
def test_the_language_is_that_of_the_system_if_there_is_a_catalogue(
    system: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", system)
    texts.use(texts.SYSTEM)
    assert tr("results.draw") == word


@pytest.mark.parametrize(
    ("language", "form", "numbers"),
    [
        ("en", "one", (1,)),
        ("en", "other", (0, 2, 11, 21, 1.5)),
        ("pl", "one", (1,)),
        ("pl", "few", (2, 3, 4, 22, 104)),
        ("pl", "many", (0, 5, 11, 12, 14, 21, 112)),
        ("pl", "other", (0.5, 1.5)),
        ("es", "one", (1,)),
        ("es", "other", (0, 1.5, 2, 21)),
        ("ja", "other", (0, 1, 2)),
        ("de", "one", (1,)),
        ("de", "other", (0, 2, 1.5)),
        ("fr", "one", (0, 0.5, 1, 1.5)),
        ("fr", "other", (2, 11, 21)),
    ],
)
def test_plural_forms(language: str, form: str, numbers: tuple[float, ...]) -> None:
    assert {plural_form(language, number) for number in numbers} == {form}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_action_has_its_words(action: Action) -> None:
    if action.keys:
        assert tr(f"lines.{action.line or action.name}", tr(f"actions.{action.name}.button", action.label))
    if action.buttons:
        assert tooltip(action)
        assert action.buttons[0] in BROWSE or label(action)


@pytest.mark.usefixtures("restored_language")
@pytest.mark.parametrize(
    ("typed", "english", "polish"),
    [
        ("0,5", 0.5, 0.5),
        ("0.5", 0.5, 0.5),
        ("-1", -1, -1),
        ("−2,5", -2.5, -2.5),
        ("1,000", 1000, 1),
        ("1,234,567.5", 1234567.5, None),
        ("1 234 567", 1234567, 1234567),
        ("12\u202f000,5", 12000.5, 12000.5),
        (" 7 ", 7, 7),
        (".5", 0.5, 0.5),
        ("5.", 5, 5),
        ("1 0", None, None),
        ("1-2", None, None),
        ("--1", None, None),
        ("1.2.3", None, None),
        (",", None, None),
        ("", None, None),
        ("nan", None, None),
        ("1e5", None, None),
        ("٣", None, None),
    ],
)
def test_typed_numbers_are_parsed(typed: str, english: float | None, polish: float | None) -> None:
    for language, number in (("pl", polish), ("en", english)):
        texts.use(language)
        assert texts.number_of(typed) == number
        for value in (0.5, -3.25, 86400.0):
            assert texts.number_of(texts.number(value)) == value
            assert texts.number_of(texts.number(value, ",g")) == value


@pytest.mark.usefixtures("restored_language")
def test_thousands_may_be_separated_by_points() -> None:
    texts.use("de")
    assert texts.number(1234567.5, ",.1f") == "1.234.567,5"
    assert [texts.number_of(typed) for typed in ("1.000", "1.234,5", "0.125", "1.5")] == [1000, 1234.5, 0.125, 1.5]


@pytest.mark.usefixtures("restored_language")
def test_sentences_are_joined_as_in_each_language() -> None:
    spec = game_spec("othello")
    texts.use("fr")
    assert (labels.value(0.625, Unit.REWARD), labels.loss(0.04, Unit.REWARD)) == ("62,5\xa0%", "–4\xa0%")
    assert "\xa0: " in HowToPlayDialog(spec).title
    assert all("\xa0: " in rule for rule in labels.rules_summary(spec)[0].split("  ·  "))
    texts.use("ja")
    assert texts.joined("黒の番です。", "", "白の番です。") == "黒の番です。白の番です。"
