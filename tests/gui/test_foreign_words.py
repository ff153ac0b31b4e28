"""Every sentence on the screen comes from the catalogue, also after errors; test_golden_screens.py checks scenes."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from string import Formatter
from time import monotonic
from typing import Any

import pygame
import pytest

from othello import texts
from othello.errors import OutputError, Reason
from othello.game import Game
from othello.gui import commands as gui
from othello.gui.preferences import PreferencesFile, palette_named
from othello.gui.toolbar import button_in
from othello.gui.toolkit.style import Style
from othello.play import session_commands as cmd
from othello.play.referee import Fault, Forfeit
from othello.records.record import GameRecord
from othello.rules.protocol import Color
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from othello.texts import Text
from othello.tournament.background import GameFinished, TournamentEnded
from tests.gui.scenes import SCENES, SCENES_WITH_STORED_TEXTS, Opener
from tests.gui.tournament_driver import OpenTournament, config_for
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, make_player
from tests.positions import RULES, SPEC

_SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]+ [a-z]{2,}\b")
_QUOTED = re.compile(r"\b\w+Error: .*")  # what Python says of a fault in the program stays in its words


@contextmanager
def loud_polish() -> Iterator[None]:
    """Write Polish in capital letters."""
    loud = {name: _loud(text) for name, text in texts.catalogue("pl").items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "catalogue", lambda _: loud)
        button_in.cache_clear()
        yield
    button_in.cache_clear()


def foreign_words(drawn: Iterable[str], folder: Path) -> list[str]:
    """Return the drawn texts that did not come from the catalogue; paths in a folder do not count."""
    return [text for text in drawn if _SENTENCE.search(_QUOTED.sub("", text.replace(str(folder), "")))]


def _loud(text: Text) -> Text:
    if isinstance(text, dict):
        return {form: str(_loud(each)) for form, each in text.items()}
    parts = Formatter().parse(text)
    return "".join(
        words.upper() + ("" if name is None else f"{{{name}{':' + spec if spec else ''}}}")
        for words, name, spec, _ in parts
    )


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Speak loud Polish, and return the words that are drawn."""
    drawn: set[str] = set()
    draw = Style.text

    def noted(self: Style, text: str, *more: Any, **named: Any) -> pygame.Surface:
        drawn.add(text)
        return draw(self, text, *more, **named)

    monkeypatch.setattr(Style, "text", noted)
    with loud_polish():
        texts.use("pl")
        yield drawn


def check(seen: set[str], folder: Path) -> None:
    assert foreign_words(seen, folder) == []
    assert any(text.isupper() for text in seen)


@pytest.mark.parametrize("kind", ["raising", "illegal", "nonsense", "silent", "unprepared"])
def test_no_foreign_words_if_a_player_fails(open_window: OpenWindow, seen: set[str], tmp_path: Path, kind: str) -> None:
    driver = open_window(computer(kind), PERSON)
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
    check(seen, tmp_path)


@pytest.mark.parametrize("key", ["Ctrl+2", "Ctrl+H"])
def test_no_foreign_words_if_an_analysis_or_a_hint_fails(
    open_window: OpenWindow, seen: set[str], tmp_path: Path, key: str
) -> None:
    driver = open_window(PERSON, PERSON, players=lambda *_: make_player(computer("unprepared"), SPEC))
    driver.keys(key)
    analysis = driver.analysis
    driver.until(lambda: analysis.worker.failure is not None)
    driver.settle()
    assert any("OSError" in text for text in seen)
    check(seen, tmp_path)


def test_no_foreign_words_if_a_game_is_forfeited(open_window: OpenWindow, seen: set[str], tmp_path: Path) -> None:
    driver = open_window(PERSON, computer("first"))
    for fault in Fault:
        reason = Reason("THE TREE IS FULL OF APPLES") if fault is Fault.FAILED else None
        forfeit = Forfeit(Color.WHITE, fault, 1.5, 1.0, reason)
        driver.session.do(cmd.OpenGame(Game.new(RULES), forfeit=forfeit), monotonic())
        driver.settle()
        assert driver.session.referee.is_over
    check(seen, tmp_path)


BOARD = "-" * 64
TEXTS = [
    "",
    "hello!",
    "f5d6a1",
    "f5d6q",
    "f5 d6 " * 4000,
    f"{BOARD} Z",
    f"{BOARD[1:]} X",
    f"?{BOARD[1:]} X",
    "{",
    '{"format": 1}',
    '{"format": "othello-lab game", "version": 99, "moves": []}',
    '{"format": "othello-lab game", "version": 1, "game": "chess", "moves": []}',
    '{"format": "othello-lab game", "version": 1, "game": "othello", "moves": [{"move": "a1"}]}',
    '{"format": "othello-lab game", "version": 1, "game": "othello", "rules": {"goal": "both"}, "moves": []}',
    '{"format": "othello-lab game", "version": 1, "game": "othello", "moves": [], // no\n}',
    '{"a": 1, "a": 2}',
    '{"a": NaN}',
    "[" * 30,
    "{" + '"a": {' * 30,
]


def test_no_foreign_words_if_no_game_is_pasted(driver: WindowDriver, seen: set[str], tmp_path: Path) -> None:
    for mode in ("play", "edit"):
        driver.switch(mode)
        for text in TEXTS:
            pygame.scrap.put_text(text)
            driver.do(gui.Paste())
            assert driver.session.game.ply == 0
            driver.do(gui.PlainCommand.CLOSE_DIALOG)
    check(seen, tmp_path)


def test_no_foreign_words_if_files_cannot_be_read_or_written(
    driver: WindowDriver, seen: set[str], tmp_path: Path
) -> None:
    scene = driver.scene
    (tmp_path / "latin.txt").write_bytes(b"\xe9\xe8")
    (tmp_path / "large.txt").write_bytes(b"f5" * (1 << 23))
    files = ("none.txt", "latin.txt", "large.txt", ".")
    (tmp_path / "blocked").write_text("")
    commands: list[gui.Command] = [gui.OpenFile(tmp_path / name) for name in files]
    commands += [gui.SaveFile(tmp_path / "blocked" / "x.json", kind) for kind in ("game", "moves", "picture")]
    commands += [gui.SaveFile(tmp_path / ("x" * 400), "moves")]
    for command in commands:
        driver.do(command)
        assert scene.dialog is not None
        driver.do(gui.PlainCommand.CLOSE_DIALOG)
    scene.files.library = library = Library(store_writer := StoreWriter(tmp_path / "blocked" / "games.sqlite"))
    driver.type("f5")
    driver.until(lambda: library.notice is not None)
    driver.show()
    store_writer.close()
    check(seen, tmp_path)


def test_no_foreign_words_if_results_and_settings_cannot_be_stored(
    open_window: OpenWindow, seen: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OutputError("no room for this game is left")

    (tmp_path / "blocked").write_text("")
    (tmp_path / "settings.json").write_text("{not any json")
    driver = open_window(PERSON, PERSON, start=None)
    monkeypatch.setattr(driver.session, "_on_finished", fail)
    over = driver.session.game.rules.parse_position("X" * 63 + "- X")
    driver.session.do(cmd.OpenGame(type(driver.session.game).new(driver.session.game.rules, over)), monotonic())
    driver.session.history.is_recorded = False
    driver.settle()
    for path in (tmp_path / "settings.json", tmp_path / "blocked" / "settings.json"):
        driver.scene.preferences = PreferencesFile(path)
        driver.scene.preferences.change(volume=1)
        driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    check(seen, tmp_path)


def test_no_foreign_words_if_a_tournament_fails(
    open_tournament: OpenTournament, seen: set[str], tmp_path: Path
) -> None:
    driver = open_tournament(config_for(tmp_path, 1))
    lost = GameRecord(game=9, series=9, black="A", white="B", black_points=40, white_points=24, result="black")
    quoted = "IT WAS IN NO MOOD"  # what a record quotes stays in the words that it has
    ends = (("failed", f"white failed: {quoted}"), ("out_of_time", "white has run out of time"), ("", "by order"))
    for fault, reason in ends:
        driver.scene.handle_events([GameFinished(replace(lost, fault=fault, reason=reason))], monotonic())
        driver.turn()
    for error in (Reason("THE DISK OF SOMEBODY ELSE IS FULL"), None):
        driver.scene.handle_events([TournamentEnded(broke_off=True, error=error)], monotonic())
        driver.turn()
    check(seen, tmp_path)
    assert any(f"„{quoted}”" in text for text in seen)


def test_a_foreign_sentence_is_found(seen: set[str], tmp_path: Path) -> None:
    Style(1.0, palette_named()).text("no such file", 12)
    with pytest.raises(AssertionError):
        check(seen, tmp_path)


@pytest.mark.parametrize("scene", sorted(SCENES_WITH_STORED_TEXTS))
def test_no_foreign_words_in_scenes_with_stored_texts(opener: Opener, seen: set[str], scene: str) -> None:
    SCENES[scene](opener).turn()
    check(seen, opener.folder)
