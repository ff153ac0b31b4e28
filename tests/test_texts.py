"""The catalogues of texts, with those of errors and of languages that a user adds, and numbers in texts.

No text is missing, none is unused, and each has the parts that it is given.
"""

import ast
import errno
import json
import pickle
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from othello import errors, texts
from othello.errors import ConfigError, IllegalMoveError, OutputError, PlayerError, Reason, printable, quoted, reason_of
from othello.gui import labels
from othello.gui.actions import ACTIONS, BROWSE, label, tooltip
from othello.gui.dialogs.help import HowToPlayDialog
from othello.numbers import parse_whole
from othello.play.referee import Fault, Forfeit
from othello.players.player_registry import OPTIONS
from othello.records.openings import weighed
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, spec_of
from othello.search.report import Unit
from othello.texts import ENGLISH, Text, catalogue, languages, name_of, plural_form, plural_rules, tr
from othello.translations import read_languages
from tests.positions import RULES

pytestmark = pytest.mark.usefixtures("restored_language")

ROOT = Path(texts.__file__).parent
MAKERS = {name for name in vars(errors) if name.endswith("Error")} - {"IllegalMoveError"} | {"Reason", "errors_as"}
ESPERANTO = {"language": "Esperanto", "plurals": {"one": "n = 0,1"}, "results": {"draw": "Egala"}}


@cache
def code_calls() -> list[tuple[str, ast.Call, str]]:
    """Return the place, the node and the function of every call in the code that asks for a text."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node, node.func.id)
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"tr", *MAKERS}
    ]


@cache
def calls() -> list[tuple[str, set[str], str]]:
    """Return a pattern of the name, the parts and the place of every text that the code asks for.

    The place is empty if the code has a text of its own for a missing one.
    """
    return [
        (pattern, {keyword.arg for keyword in node.keywords if keyword.arg}, place if len(node.args) == 1 else "")
        for place, node, function in code_calls()
        if function == "tr"
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


def reasons() -> Iterator[tuple[str, set[str] | None, str]]:
    """Yield every reason that the code makes: pattern of the name, parts if the place lists them, and place."""
    for place, node, function in code_calls():
        if function == "tr":
            continue
        given: set[object] = {keyword.arg for keyword in node.keywords}
        arguments = node.args
        if function == "errors_as":
            kind, *arguments = node.args
            if not isinstance(kind, ast.Name) or kind.id not in MAKERS:
                continue
            given.add("reason")
        elif len(arguments) > 1:
            parts = arguments[1]
            keys: list[ast.expr | None] = parts.keys if isinstance(parts, ast.Dict) else [None]
            given |= {key.value if isinstance(key, ast.Constant) else None for key in keys}
        listed = None if None in given else {str(name) for name in given}
        name = arguments[0]
        ways = [name.body, name.orelse] if isinstance(name, ast.IfExp) else [name]
        named = [way for way in ways if isinstance(way, ast.Constant | ast.JoinedStr)]
        for pattern in filter(None, (pattern for way in named for pattern in patterns(way))):
            yield f"errors\\.{pattern}", listed, place


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
    english = catalogue("en")
    computed = {f"os_{code.lower()}" for code in errno.errorcode.values()}
    computed |= {str(option.words["title"]) for option in OPTIONS.values() if "title" in option.words}
    computed |= {"os_other", "illegal_move", "game_over", "side_missing"}
    left = english.keys() - {f"errors.{name}" for name in computed} - {"language"}
    for pattern, given, place in (*calls(), *reasons()):
        found = matching(pattern, english)
        assert found or not place, f"{place}: no text is called {pattern}"
        for name in found:
            assert isinstance(english[name], str) or not name.startswith("errors.")
            for form in forms(english[name]):
                assert given is None or parts_of(form) <= given, f"{place}: {name}"
        left.difference_update(found)
    assert not left, "no code asks for them"


@pytest.mark.parametrize("language", languages())
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
def test_the_language_is_that_of_the_system_if_there_is_a_catalogue(
    system: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", system)
    texts.use(texts.SYSTEM)
    assert tr("results.draw") == word


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {"one": (1,), "other": (0, 2, 11, 21, 1.5)}),
        ("pl", {"one": (1,), "few": (2, 3, 4, 22, 104), "many": (0, 5, 11, 12, 14, 21, 112), "other": (0.5, 1.5)}),
        ("es", {"one": (1,), "other": (0, 1.5, 2, 21)}),
        ("ja", {"other": (0, 1, 2)}),
        ("de", {"one": (1,), "other": (0, 2, 1.5)}),
        ("fr", {"one": (0, 0.5, 1, 1.5), "other": (2, 11, 21)}),
    ],
)
def test_plural_forms(language: str, forms: dict[str, tuple[float, ...]]) -> None:
    assert forms == {form: tuple(n for n in forms[form] if plural_form(language, n) == form) for form in forms}


def test_every_action_has_its_words() -> None:
    for action in ACTIONS:
        if action.keys:
            assert tr(f"lines.{action.line or action.name}", tr(f"actions.{action.name}.button", action.label))
        if action.buttons:
            assert tooltip(action)
            assert action.buttons[0] in BROWSE or label(action), action.name


def test_errors_are_translated_but_english_in_logs_and_results_files() -> None:
    texts.use("pl")
    for error, text in (
        (OSError(errno.ENOSPC, "No space left on device"), "dysk jest pełny"),
        (OSError(9999, "Strange"), "system zgłasza błąd 9999: Strange"),
        (TypeError("no such thing"), "TypeError"),
        (PlayerError("I do not {feel} like\nit"), "I do not {feel} like\\nit"),  # a text that no catalogue has
    ):
        assert text in str(reason_of(error))
    in_file = OutputError("in_file", path="games.csv", reason=Reason("no_games", {"path": "{0}"}))
    assert str(in_file) == "games.csv: {0}: nie ma tam partii"
    assert in_file.reason.english == "games.csv: {0}: holds no games"
    option = Reason("option", {"option": "endgame_empties", "reason": Reason("not_solved", {"game": "tictactoe"})})
    assert str(option) == "endgame_empties: nie można rozwiązywać końcówek gry Kółko i krzyżyk"
    assert option.english == "endgame_empties: endgames of Tic-tac-toe cannot be solved"
    assert str(Forfeit(Color.WHITE, Fault.FAILED, reason=Reason("for_rows"))).isascii()
    assert "no such move" in labels.fault(RULES, Forfeit(Color.WHITE, Fault.FAILED, reason=quoted("no such move")))


@pytest.mark.parametrize("error", [OutputError("taken", path="a.csv"), IllegalMoveError("a1", 3, ["b2"])])
def test_errors_can_be_pickled(error: errors.OthelloError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.reason) == (type(error), str(error), error.reason)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (Reason("nothing"), "There is no text; give moves, a position or a saved game."),
        (Reason("no_such_file", {"path": "a.txt"}), "a.txt: there is no such file."),
        (Reason("option", {"option": "level", "reason": Reason("needs_level")}), "level: without a level, the engine"),
        (Reason("somebody said so"), "somebody said so."),
    ],
)
def test_a_reason_becomes_a_sentence(reason: Reason, sentence: str) -> None:
    assert reason.sentence().startswith(sentence)


@pytest.mark.parametrize("longest", [10, 11, 600])
def test_lines_are_limited(longest: int) -> None:
    line = printable("name " + "x" * 1000 + " reason", longest)
    assert longest - 1 <= len(line) <= longest
    assert (line[:3], line[-3:]) == ("nam", "son")
    assert printable("x" * longest, longest) == "x" * longest


def drop(folder: Path, content: Any, name: str = "eo.json") -> list[Reason]:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return read_languages(folder)


def test_a_language_in_the_settings_folder_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = languages()
    drop(tmp_path, "{", "config.json")  # no language
    assert drop(tmp_path, {**ESPERANTO, "tournament": {"games": {"one": "{n} ludo", "other": "{n} ludoj"}}}) == []
    assert (set(languages()), name_of("eo")) == ({*own, "eo"}, "Esperanto")
    monkeypatch.setenv("LC_ALL", "eo_XX.UTF-8")
    assert texts.use(texts.SYSTEM) == "eo"
    assert (tr("results.draw"), tr("themes.dark")) == ("Egala", catalogue(ENGLISH)["themes.dark"])
    assert [tr("tournament.games", n=n) for n in (0, 1, 2)] == ["0 ludo", "1 ludo", "2 ludoj"]
    assert drop(tmp_path, {"results": {"draw": "Nikt", "long": "x" * 500}}, "pl.json") == []
    texts.use("pl")
    assert (tr("results.draw"), tr("tournament.games", n=22), name_of("pl")) == ("Nikt", "22 partie", "Polski")
    texts.use("eo")
    (tmp_path / "eo.json").unlink()
    read_languages(tmp_path)
    assert (languages(), texts.language(), tr("results.draw")) == (own, ENGLISH, "Draw")


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"a": {"b": "c"}}', "[" * 5000, " " * (1 << 21)])
def test_a_broken_catalogue_is_reported_and_skipped(tmp_path: Path, damage: str) -> None:
    (fault,) = drop(tmp_path, damage)
    assert "eo.json" in fault.sentence()
    assert "eo" not in languages()


PARTS = ("{score.__class__}", "{score[0]}", "{score!r}", "{score:>99999999}", "{}", "{0}", "{else}", "{score", "score}")
CHARACTERS = ("\x1b[31m", "a\nb", "\u202e", "\ud800", "x" * 501)


@pytest.mark.parametrize("text", [*PARTS, *CHARACTERS, 7, None, ["x"], {"other": 3}, {"other": "x"}])
def test_texts_that_cannot_be_used_are_the_english_ones(tmp_path: Path, text: object) -> None:
    (fault,) = drop(tmp_path, {**ESPERANTO, "status": {"result": text, "a": 1, "b": 1, "c": 1}})
    assert text == "\ud800" or fault.english.endswith("these texts cannot be used: status.result, status.a, status.b…")
    texts.use("eo")
    parts = {"result": "R", "score": "2 : 1"}
    assert tr("status.result", **parts) == texts.fill(catalogue(ENGLISH)["status.result"], ENGLISH, parts)


@pytest.mark.parametrize("rules", [{"one": "n % 0 = 1"}, {"one": "n.real = 1"}, {"one": 1}, {"one": "("}, "n = 1", 3])
def test_plural_rules_that_cannot_be_read_are_the_english_ones(tmp_path: Path, rules: object) -> None:
    (fault,) = drop(tmp_path, {**ESPERANTO, "plurals": rules, "a": 1, "b": 1})
    assert fault.english.endswith(": plurals, a, b")
    assert [texts.plural_form("eo", n) for n in (0, 1)] == ["other", "one"]


@pytest.mark.parametrize(
    ("typed", "english", "polish"),
    [
        ("1,000", 1000, 1),
        ("1,234,567.5", 1234567.5, None),
        *((half, 0.5, 0.5) for half in ("0,5", "0.5", ".5")),
        *((typed, n, n) for typed, n in (("-1", -1), ("−2,5", -2.5), (" 7 ", 7), ("5.", 5), ("1 234 567", 1234567))),
        ("12\u202f000,5", 12000.5, 12000.5),
        *((other, None, None) for other in ("1 0", "1-2", "--1", "1.2.3", ",", "", "nan", "1e5", "٣")),
    ],
)
def test_typed_numbers_are_parsed(typed: str, english: float | None, polish: float | None) -> None:
    for language, number in (("pl", polish), ("en", english)):
        texts.use(language)
        assert texts.number_of(typed) == number
        for value in (0.5, -3.25, 86400.0):
            assert texts.number_of(texts.number(value)) == value
            assert texts.number_of(texts.number(value, ",g")) == value


def test_thousands_may_be_separated_by_points() -> None:
    texts.use("de")
    assert texts.number(1234567.5, ",.1f") == "1.234.567,5"
    assert [texts.number_of(typed) for typed in ("1.000", "1.234,5", "0.125", "1.5")] == [1000, 1234.5, 0.125, 1.5]


def test_sentences_are_joined_as_in_each_language() -> None:
    spec = game_spec("othello")
    texts.use("fr")
    assert (labels.value(0.625, Unit.REWARD), labels.loss(0.04, Unit.REWARD)) == ("62,5\xa0%", "–4\xa0%")
    assert "\xa0: " in HowToPlayDialog(spec).title
    assert all("\xa0: " in rule for rule in labels.rules_summary(spec)[0].split("  ·  "))
    texts.use("ja")
    assert texts.joined("黒の番です。", "", "白の番です。") == "黒の番です。白の番です。"


@pytest.mark.parametrize("text", ["", "-1", "1.0", "1_0", "²", "x", "9" * 5000])
def test_other_texts_are_no_whole_numbers(text: str) -> None:
    assert parse_whole(text, 0, 10) is None
    assert weighed(f"Tiger: {text or '²'}") != {"Tiger": 1}
    with pytest.raises(ConfigError):
        spec_of("tictactoe", f"size={text}")


def test_a_whole_number_is_read_within_its_bounds() -> None:
    assert [parse_whole(text, 2, 10) for text in ("1", "2", " 10 ", "007")] == [None, 2, 10, 7]
    assert parse_whole("11", 2, 10) is None
