"""External programs in the window: register, test, choose and play against them, and errors if they fail."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from othello.errors import Reason
from othello.gui.dialogs.program_dialogs import ProgramsDialog
from othello.gui.modes.analyse.live_search import analysts
from othello.gui.toolkit.controls import Select
from othello.gui.toolkit.inputs import ControlChanged
from othello.gui.toolkit.layout import Card
from othello.play import session_commands as cmd
from othello.players.conformance import ProgramTest
from othello.players.player_registry import configure, create_player
from othello.programs import program_registry
from othello.programs.program_registry import Program, find, programs, register
from othello.rules.protocol import Color
from othello.search.report import Unit
from othello.texts import tr
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.positions import SPEC
from tests.programs.registered import external_player, opponent, registered
from tests.programs.test_child import marked
from tests.waiting import wait_until


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(ProgramsDialog, "results", {})


def opened(driver: WindowDriver) -> ProgramsDialog:
    if driver.scene.dialog is None:
        driver.press("settings")
    driver.press("programs")
    return driver.dialog(ProgramsDialog)


def options(driver: WindowDriver, name: str) -> list[Any]:
    return [value for value, _ in driver.widget(name, Select).options]


def test_a_program_is_added_changed_and_removed(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "edax").touch(0o755)
    (tmp_path / "notes.txt").touch(0o644)
    driver = open_window(PERSON, PERSON)
    opened(driver)
    assert tr("programs.none") in driver.words()
    (tmp_path / "my.py").write_text("class _Base: ...\nclass Anna: ...\n")
    driver.press("add")
    driver.keys("m", "Enter")
    assert (find("my").class_name, find("my").folder) == ("my:Anna", str(tmp_path))
    (tmp_path / "tool.py").touch(0o755)
    for name in ("edax", "tool.py"):  # an executable file speaks a protocol
        driver.press("choose")
        driver.keys(name[0], "Enter")
        assert (find("my").command, find("my").protocol) == ((str(tmp_path / name),), "nboard")
    driver.press("remove", "add")
    assert "notes.txt" not in str(driver.placed("rows").widget)
    driver.keys("e", "Enter")
    assert (find("edax").command, find("edax").protocol) == ((str(tmp_path / "edax"),), "nboard")
    driver.press("more_arguments")
    driver.type("x y")
    driver.use(("depth", 18), ("memory_mb", 1024), ("move_seconds", "other"))
    driver.type("2.5")
    found = find("edax")
    assert (found.command[1:], found.depth, found.memory_mb, found.move_seconds) == (("x y",), 18, 1024, 2.5)
    driver.press("name")
    driver.keys("Ctrl+A")
    driver.type("Edax 4")
    assert [*programs()] == ["Edax 4"]
    assert find("Edax 4") == replace(found, name="Edax 4")
    register(opponent("gtp"))
    driver.press("done")
    opened(driver)
    faults = ("already called gtp", "name", "gtp"), ("chosen yet", "command", " "), ("spaces", "name", "")
    for fault, name, value in faults:
        driver.use((name, value))
        assert driver.shows_words(fault)
        assert not driver.is_enabled("test")
        driver.use(("name", "Edax"), ("command", "edax"))
        assert [*programs()] == ["Edax", "gtp"]
    driver.use(("remove", True), ("speaks", "json"))
    assert [program.protocol for program in programs().values()] == ["json"]
    found = find("gtp")
    result = ProgramTest(replace(found, protocol="gtp"), "", 0.1, "d3", 0.1, 0, 10, 0.1)
    test = Mock(program=found, is_over=True, result=result)
    monkeypatch.setattr("othello.gui.dialogs.program_dialogs.ProgramTestRun", lambda *_: test)
    driver.press("test")
    assert find("gtp") == result.program, "the test has found the protocol"
    assert {"–", "d3 in 0.10 s"} <= {*driver.words()}, "neither name nor depth is known"
    test.program, test.result = find("gtp"), Reason("program_resigns")
    driver.press("test")
    assert driver.shows_words("The program resigned.")
    test.is_over = False
    driver.press("test", "stop", "test")
    program_registry.programs_path().write_text("{")
    driver.keys("Esc")
    assert test.stop.call_count == 2
    opened(driver)
    assert driver.shows_words("programs.json")


@pytest.mark.slow
def test_programs_are_offered_in_all_lists_of_players(open_window: OpenWindow) -> None:
    registered("nboard")
    kind = "external.nboard"
    driver = open_window(PERSON, configure("random"))
    driver.open("tournament")
    assert kind in options(driver, "player0.player_type")
    driver.open("settings")
    assert kind in options(driver, "hint_player")
    assert kind in analysts(SPEC)
    driver.open("new_game")
    driver.use(("opponent.by_level", False))
    offered = options(driver, "opponent.type")
    assert kind in offered
    assert "external" not in offered
    driver.use(("opponent.type", kind))
    assert driver.is_enabled("start")
    driver.use(("game", "tictactoe"))
    assert any("nboard" in words and "Tic" in words for words in driver.words()), "the program does not play this game"
    driver.use(("game", "othello"), ("start", True))
    assert driver.session.players.computers == [external_player("nboard")]
    assert "nboard" in [card.title for card in driver.cards]


def test_a_side_is_handed_over_to_any_player(open_window: OpenWindow) -> None:
    registered("nboard")
    driver = open_window(configure("user", clock_seconds=300.0), PERSON)
    driver.keys("Shift+F2")
    assert {"level.1", "mcts_uct", "external.nboard"} <= {*options(driver, "player")}
    driver.use(("player", "external.nboard"), ("hand_over", True))
    assert driver.scene.dialog is None
    assert driver.session.players[Color.BLACK] == replace(external_player("nboard"), clock_seconds=300.0)
    driver.open("hand_over")
    program_registry.remove("nboard")
    driver.use(("player", "external.nboard"), ("hand_over", True))
    assert driver.shows_words("no program is called nboard")
    driver.use(("player", "level.3"), ("side", Color.WHITE), ("hand_over", True))
    assert [card.title for card in driver.cards] == ["nboard", tr("levels.3")]


@pytest.mark.slow
def test_a_test_describes_a_program_or_its_fault(open_window: OpenWindow) -> None:
    for fault in ("", "illegal", "exit"):
        registered("nboard", fault)
    driver = open_window(PERSON, PERSON, size=(1280, 728))
    dialog = opened(driver)
    seen, read = [], []
    for at in range(3):
        driver.use(("program", at))
        driver.press("test")
        assert driver.has("stop")
        driver.until(lambda: driver.has("test"))
        seen.append(driver.words())
        around = driver.scene.widgets._top.path_to(driver.placed("test").rect.center)
        card = next(each for each in around[::-1] if isinstance(each.widget, Card))
        assert card.clip.contains(card.rect), "the whole result is visible"
        items = driver.scene.accessibility_tree().voices.values()
        read.append([item.node.value for item in items if item.node.live])  # a screen reader reads this at once
    results = [dialog.results[program] for program in programs().values()]
    assert isinstance(results[0], ProgramTest)
    assert {"It answers and plays by the rules", "Opponent"} <= {*seen[0]}
    assert "The program broke the protocol or the rules" in seen[1]
    assert any("a1" in words and "d3" in words for words in seen[1]), "the answer and the expected one"
    assert "The program does not respond" in seen[2]
    assert any("no evaluation file" in words for words in seen[2])
    assert [words[0] for words in read] == [tr(f"programs.results.{how}") for how in ("good", "bad", "mute")]
    assert "no evaluation file" in read[2][1]


@pytest.mark.slow
def test_a_test_finds_the_protocol_or_shows_the_first_line(open_window: OpenWindow, tmp_path: Path) -> None:
    register(replace(opponent("gtp"), name="a", protocol="nboard"))
    (tmp_path / "cat").write_text("#!/bin/sh\necho Welcome\ncat >/dev/null\n")
    (tmp_path / "cat").chmod(0o755)
    register(Program("b", (str(tmp_path / "cat"),), start_seconds=0.3))
    driver = open_window(PERSON, PERSON)
    dialog = opened(driver)
    for at in range(2):
        driver.use(("program", at))
        driver.press("test")
        driver.until(lambda: driver.has("test"))
    assert find("a").protocol == "gtp"
    assert isinstance(dialog.results[find("a")], ProgramTest)
    words = " ".join(driver.words())
    assert "its first line: “Welcome”" in words
    assert "Tried: GTP, NBoard and JSON" in words


def test_installed_programs_are_offered(driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("edax", "ntest", "gtp-rhino"):
        (tmp_path / name).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    opened(driver)
    for name in ("Edax", "ntest", "GRhino"):
        driver.press(f"found.{name}")
        assert not driver.has(f"found.{name}")
    found = [(program.command[1:], program.protocol) for program in programs().values()]
    assert found == [(("-gtp",), "gtp"), (("x",), "nboard"), ((), "gtp")]
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("othello.programs.program_registry._GAME_FOLDERS", (str(tmp_path),))
    commands = {program.command[0] for program in program_registry.installed_programs()}
    assert commands == {str(tmp_path / name) for name in ("edax", "ntest", "gtp-rhino")}
    assert program_registry.which("gtp-rhino") == str(tmp_path / "gtp-rhino")


def test_a_program_without_an_answer_can_be_asked_again(open_window: OpenWindow) -> None:
    driver = open_window(external_player("gtp", "mute", start_seconds=0.4), PERSON, players=create_player)
    for how in ("ask_again", "enter"):
        driver.until(lambda: driver.status.startswith("Starting gtp mute"))
        driver.until(lambda: driver.session.worker.failure is not None)
        driver.settle()
        assert driver.status == "gtp mute does not respond."
        driver.keys("Enter") if how == "enter" else driver.press("ask_again")
        assert driver.session.worker.failure is None


@pytest.mark.slow
def test_a_python_class_is_added_by_its_file_and_plays(open_window: OpenWindow, tmp_path: Path) -> None:
    lines = "class _Memory: ...", "class Anna:", "    def choose(self, game):", "        return game.moves[0]"
    (tmp_path / "my_player.py").write_text("\n".join(lines))
    driver = open_window(PERSON, PERSON, players=create_player)
    dialog = opened(driver)
    driver.press("add")
    driver.keys("m", "Enter")
    program = find("my_player")
    assert (program.class_name, program.folder) == ("my_player:Anna", str(tmp_path))
    driver.press("test")
    driver.until(lambda: driver.has("test"))
    assert isinstance(dialog.results[program], ProgramTest), dialog.results[program]
    driver.keys("Esc")
    opened(driver)
    driver.use(("command", "my_player"))
    assert any("class: is" in words.lower() for words in driver.words())
    driver.use(("speaks", "gtp"), ("speaks", "python"), ("command", "my_player:Anna"))
    assert find("my_player") == program
    driver.open("new_game")
    driver.use(("who", "computer"), ("opponent.by_level", False), ("opponent.type", "python.my_player"))
    driver.use(("side", "white"), ("start", True))
    driver.until(lambda: driver.session.game.ply == 1)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["mute", "silent"])
@pytest.mark.parametrize("how", ["stop", "done", "new_game"])
def test_a_stopped_test_leaves_no_process(open_window: OpenWindow, fault: str, how: str) -> None:
    mark = f"{fault} {how}"
    registered("gtp", fault, environment=(("OTHELLO_TEST_MARK", mark),), start_seconds=600)
    driver = open_window(PERSON, PERSON)
    opened(driver)
    driver.press("test")
    wait_until(lambda: marked(mark))
    driver.open(how) if how == "new_game" else driver.press(how)
    driver.turn()
    wait_until(lambda: not marked(mark))


@pytest.mark.slow
def test_a_game_a_hint_and_an_analysis_with_programs(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, external_player("gtp", "crash"), players=create_player, judges=create_player)
    registered("nboard")
    driver.prefer(hint_player="external.nboard", analyst="external.nboard")
    driver.press("hint")
    driver.until(lambda: driver.board.hint is not None)
    driver.click_square("d3")
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
    assert all(map(driver.shows_words, ("gtp crash failed", "Segmentation fault, or so")))
    assert driver.status == "gtp crash does not respond."
    assert all(map(driver.has, ("ask_again", "hand_to", "programs", "board")))
    driver.session.do(cmd.HandOver(driver.session.game.to_move), 0.0)
    driver.prefer(analyst=external_player("gtp").kind)
    driver.keys("Ctrl+2")
    driver.until(lambda: driver.status.endswith("gtp would play c3 (no evaluation available)."))
    driver.do(ControlChanged("engine", "external.nboard"))
    driver.until(lambda: (report := driver.board.report) is not None and report.final and report.depth > 1)
    report = driver.board.report
    assert report is not None
    assert report.unit is Unit.EXPECTED
    assert all(stats.value is not None for stats in report.moves)
    driver.prefer(analyst="")
    driver.keys("Ctrl+3")
    assert options(driver, "judge") == ["engine", "external.nboard"]  # gtp tells no values
    driver.do(ControlChanged("judge", "external.nboard"))
    driver.until(lambda: not driver.session.is_judging)
    assert driver.shows_words("estimate")
    driver.keys("Ctrl+2")
    assert "Analysed by nboard" in driver.words()
    assert driver.game_analysis.failure is None
