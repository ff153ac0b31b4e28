"""Languages that a person adds: they are spoken, and their files can do nothing but speak."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from othello import texts
from othello.errors import Reason
from othello.texts import ENGLISH, catalogue, languages, name_of, tr
from othello.translations import read_languages

ESPERANTO = {"language": "Esperanto", "plurals": {"one": "n = 0,1"}, "results": {"draw": "Egala"}}


@pytest.fixture(autouse=True)
def restored_languages(restored_language: None) -> Iterator[None]:
    """Remove added languages after the test."""
    yield
    texts.add({})


def drop(folder: Path, content: Any, name: str = "eo.json") -> list[Reason]:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return read_languages(folder)


def test_a_language_in_the_settings_folder_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = languages()
    drop(tmp_path, "{", "config.json")  # no language
    games = {"tournament": {"games": {"one": "{n} ludo", "other": "{n} ludoj"}}}
    assert drop(tmp_path, {**ESPERANTO, **games}) == []
    assert set(languages()) == {*own, "eo"}
    assert name_of("eo") == "Esperanto"
    monkeypatch.setenv("LC_ALL", "eo_XX.UTF-8")
    assert texts.use(texts.SYSTEM) == "eo"
    assert (tr("results.draw"), tr("themes.dark")) == ("Egala", catalogue(ENGLISH)["themes.dark"])
    assert [tr("tournament.games", n=n) for n in (0, 1, 2)] == ["0 ludo", "1 ludo", "2 ludoj"]
    assert drop(tmp_path, {"results": {"draw": "Nikt"}}, "pl.json") == []
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
    (fault,) = drop(tmp_path, {**ESPERANTO, "status": {"result": text}})
    assert text == "\ud800" or fault.english.endswith("these texts cannot be used: status.result")
    texts.use("eo")
    parts = {"result": "R", "score": "2 : 1"}
    assert tr("status.result", **parts) == texts.fill(catalogue(ENGLISH)["status.result"], ENGLISH, parts)


@pytest.mark.parametrize("rules", [{"one": "n % 0 = 1"}, {"one": "n.real = 1"}, {"one": 1}, {"one": "("}, "n = 1", 3])
def test_plural_rules_that_cannot_be_read_are_the_english_ones(tmp_path: Path, rules: object) -> None:
    (fault,) = drop(tmp_path, {**ESPERANTO, "plurals": rules})
    assert "plurals" in fault.english
    assert [texts.plural_form("eo", n) for n in (0, 1)] == ["other", "one"]
