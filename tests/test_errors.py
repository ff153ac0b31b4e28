"""Reasons of errors are values, and every language has texts for them."""

import ast
import errno
import pickle
from collections.abc import Iterator
from functools import cache

import pytest

from othello import errors, texts
from othello.errors import IllegalMoveError, OutputError, PlayerError, Reason, printable, quoted, reason_of
from othello.gui import labels
from othello.play.referee import Fault, Forfeit
from othello.players.player_registry import OPTIONS
from othello.rules.protocol import Color
from othello.texts import catalogue
from tests.positions import RULES
from tests.test_texts import code_calls, matching, parts_of, patterns

MAKERS = {name for name in vars(errors) if name.endswith("Error")} - {"IllegalMoveError"} | {"Reason", "errors_as"}


@cache
def made() -> list[tuple[str, str, set[str] | None]]:
    """Return every reason that the code makes: place, pattern of the name, and parts if the place lists them."""
    return [*_made()]


def _made() -> Iterator[tuple[str, str, set[str] | None]]:
    for place, node, function in code_calls({*MAKERS}):
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
            yield place, f"errors\\.{pattern}", listed


def computed_names() -> set[str]:
    """Return the names that the code computes."""
    systems = {f"os_{code.lower()}" for code in errno.errorcode.values()}
    titles = {str(option.words["title"]) for option in OPTIONS.values() if "title" in option.words}
    return {f"errors.{name}" for name in systems | titles | {"os_other", "illegal_move", "game_over", "side_missing"}}


def test_error_texts_exist_and_have_the_parts_of_the_error() -> None:
    known = catalogue("en")
    for place, pattern, given in made():
        found = matching(pattern, known)
        assert found, f"{place}: no text is called {pattern}"
        for name in found:
            text = known[name]
            assert isinstance(text, str)
            assert given is None or parts_of(text) <= given, f"{place}: {name}"


def test_all_error_texts_are_used() -> None:
    errors = {name for name in catalogue("en") if name.startswith("errors.")} - computed_names()
    assert errors - {name for _, pattern, _ in made() for name in matching(pattern, errors)} == set()


@pytest.fixture
def in_polish(restored_language: None) -> None:
    texts.use("pl")


@pytest.mark.usefixtures("in_polish")
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "dysk jest pełny"),
        (OSError(9999, "Strange"), "system zgłasza błąd 9999: Strange"),
        (TypeError("no such thing"), "TypeError"),
        (PlayerError("I do not {feel} like\nit"), "I do not {feel} like\\nit"),  # a text that no catalogue has
    ],
)
def test_texts_of_exceptions(error: Exception, text: str) -> None:
    assert text in str(reason_of(error))


@pytest.mark.usefixtures("in_polish")
def test_a_forfeit_quotes_the_error_of_a_player() -> None:
    forfeit = Forfeit(Color.WHITE, Fault.FAILED, reason=quoted("no such move"))
    assert "no such move" in labels.fault(RULES, forfeit)


@pytest.mark.usefixtures("in_polish")
def test_logs_and_results_files_are_english() -> None:
    error = OutputError("in_file", path="games.csv", reason=Reason("no_games", {"path": "{0}"}))
    assert str(error) == "games.csv: {0}: nie ma tam partii"
    assert error.reason.english == "games.csv: {0}: holds no games"
    assert str(Forfeit(Color.WHITE, Fault.FAILED, reason=Reason("for_rows"))).isascii()


@pytest.mark.usefixtures("in_polish")
def test_nested_reasons_and_games_are_translated() -> None:
    inner = Reason("not_solved", {"game": "tictactoe"})
    outer = Reason("option", {"option": "endgame_empties", "reason": inner})
    assert outer.english == "endgame_empties: endgames of Tic-tac-toe cannot be solved"
    assert str(outer) == "endgame_empties: nie można rozwiązywać końcówek gry Kółko i krzyżyk"


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
    assert len(line) <= longest
    assert (line[:3], line[-3:]) == ("nam", "son")
    assert printable("x" * longest, longest) == "x" * longest
