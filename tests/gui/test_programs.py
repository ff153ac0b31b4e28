"""Other programs in the window: registered, tried, chosen, played against, and told of where they fail."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from othello.gui import commands as gui
from othello.gui.analyse.live import analysts
from othello.gui.dialogs.programs import ProgramsDialog
from othello.gui.toolkit.inputs import Use
from othello.gui.toolkit.switches import Select
from othello.play import commands as play
from othello.players.contract import Trial
from othello.players.registry import configure, create_player
from othello.programs.registered import Program, find, installed_programs, programs, programs_path, register, which
from othello.rules.protocol import Color
from othello.search.report import Unit
from othello.texts import say
from tests.gui.desk import Desk
from tests.play.faulty import PERSON
from tests.positions import SPEC
from tests.programs.opponents import opponent, registered, seat
from tests.programs.test_child import marked, until

Sit = Callable[..., Desk]


@pytest.fixture(autouse=True)
def nobody_registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(ProgramsDialog, "found", {})


def opened(desk: Desk) -> ProgramsDialog:
    """The dialog, which lies over the settings."""
    if desk.scene.dialog is None:
        desk.press("settings")
    desk.press("programs")
    dialog = desk.scene.dialog
    assert isinstance(dialog, ProgramsDialog)
    return dialog


def use(desk: Desk, *uses: tuple[str, Any]) -> None:
    for name, value in uses:
        assert desk.scene.dialog is not None
        desk.scene.issue(desk.scene.dialog.on_control_changed(name, value))
        desk.turn()


def options(desk: Desk, name: str) -> list[Any]:
    panel = desk.placed(name).panel
    assert isinstance(panel, Select)
    return [value for value, _ in panel.options]


@pytest.mark.slow
def test_a_program_is_added_changed_and_removed(sit_down: Sit, tmp_path: Path) -> None:
    (tmp_path / "edax").touch(0o755)
    (tmp_path / "notes.txt").touch(0o644)
    desk = sit_down(PERSON, PERSON)
    opened(desk)
    assert say("programs.none") in desk.words()
    desk.press("add")
    assert "notes.txt" not in str(desk.placed("rows").panel)
    desk.key(pygame.K_e, "e")
    desk.key(pygame.K_RETURN)
    assert (find("edax").command, find("edax").protocol) == ((str(tmp_path / "edax"),), "nboard")
    desk.press("more_arguments")
    desk.type("x y")
    use(desk, ("depth", 18), ("megabytes", 1024), ("move_seconds", "other"))
    desk.type("2.5")
    found = find("edax")
    assert (found.command[1:], found.depth, found.megabytes, found.move_seconds) == (("x y",), 18, 1024, 2.5)
    desk.press("name")
    desk.key(pygame.K_a, mod=pygame.KMOD_CTRL)
    desk.type("Edax 4")
    assert [*programs()] == ["Edax 4"]
    assert find("Edax 4") == replace(found, name="Edax 4")
    register(opponent("gtp"))
    desk.press("done")
    opened(desk)
    for fault, name, value in (
        ("already called gtp", "name", "gtp"),
        ("chosen yet", "command", " "),
        ("blanks", "name", ""),
    ):
        use(desk, (name, value))
        assert any(fault in words for words in desk.words())
        assert not desk.is_enabled("test")
        use(desk, ("name", "Edax"), ("command", "edax"))
        assert [*programs()] == ["Edax", "gtp"]
    use(desk, ("remove", True), ("speaks", "json"))
    assert [program.protocol for program in programs().values()] == ["json"]
    programs_path().write_text("{")
    desk.key(pygame.K_ESCAPE)
    opened(desk)
    assert any("programs.json" in words for words in desk.words())


@pytest.mark.slow
def test_programs_sit_wherever_a_player_sits(sit_down: Sit) -> None:
    registered("nboard")
    kind = "external.nboard"
    desk = sit_down(PERSON, configure("random"))
    desk.scene.do(gui.Open("tournament"), 0.0)
    desk.turn()
    assert kind in options(desk, "player0.player_type")
    desk.scene.do(gui.Open("settings"), 0.0)
    desk.turn()
    assert kind in options(desk, "hint_player")
    assert kind in analysts(SPEC)
    desk.scene.do(gui.Open("new_game"), 0.0)
    desk.turn()
    use(desk, ("opponent.by_level", False))
    offered = options(desk, "opponent.type")
    assert kind in offered
    assert "external" not in offered
    use(desk, ("opponent.type", kind))
    assert desk.is_enabled("start")
    use(desk, ("game", "tictactoe"))
    assert any("nboard" in words and "Tic" in words for words in desk.words()), "it does not play this game"
    use(desk, ("game", "othello"), ("start", True))
    assert desk.session.seats.computers == [seat("nboard")]
    assert "nboard" in [card.title for card in desk.cards]


@pytest.mark.slow
def test_a_side_is_handed_over_to_whom_the_person_wants(sit_down: Sit) -> None:
    registered("nboard")
    desk = sit_down(configure("user", clock_seconds=300.0), PERSON)
    desk.key(pygame.K_F2, mod=pygame.KMOD_SHIFT)
    assert {"level.1", "mcts_uct", "external.nboard"} <= {*options(desk, "player")}
    use(desk, ("player", "external.nboard"), ("hand_over", True))
    assert desk.scene.dialog is None
    assert desk.session.seats[Color.BLACK] == replace(seat("nboard"), clock_seconds=300.0)
    desk.scene.do(gui.Open("hand_over"), 0.0)
    desk.turn()
    use(desk, ("player", "level.3"), ("side", Color.WHITE), ("hand_over", True))
    assert [card.title for card in desk.cards] == ["nboard", say("levels.3")]


@pytest.mark.slow
def test_a_test_tells_how_a_program_plays_or_what_it_does_wrong(sit_down: Sit) -> None:
    for fault in ("", "illegal", "exit"):
        registered("nboard", fault)
    desk = sit_down(PERSON, PERSON)
    dialog = opened(desk)
    seen, read = [], []
    for at in range(3):
        use(desk, ("program", at))
        desk.press("test")
        assert desk.has("stop")
        desk.until(lambda: desk.has("test"))
        seen.append(desk.words())
        told = desk.scene.told().voices.values()
        read.append([voice.spoken.value for voice in told if voice.spoken.live])  # a screen reader reads this at once
    results = [dialog.found[program] for program in programs().values()]
    assert isinstance(results[0], Trial)
    assert {"It answers and plays by the rules", "Opponent"} <= {*seen[0]}
    assert "It does not play by the rules" in seen[1]
    assert any("a1" in words and "d3" in words for words in seen[1]), "what was said, and what was expected"
    assert "It does not answer" in seen[2]
    assert any("no evaluation file" in words for words in seen[2])
    assert [words[0] for words in read] == [say(f"programs.results.{how}") for how in ("good", "bad", "mute")]
    assert "no evaluation file" in read[2][1]


@pytest.mark.slow
def test_a_test_finds_the_protocol_or_tells_the_first_line(sit_down: Sit, tmp_path: Path) -> None:
    register(replace(opponent("gtp"), name="a", protocol="nboard"))
    (tmp_path / "cat").write_text("#!/bin/sh\necho Welcome\ncat >/dev/null\n")
    (tmp_path / "cat").chmod(0o755)
    register(Program("b", (str(tmp_path / "cat"),), start_seconds=0.3))
    desk = sit_down(PERSON, PERSON)
    dialog = opened(desk)
    for at in range(2):
        use(desk, ("program", at))
        desk.press("test")
        desk.until(lambda: desk.has("test"))
    assert find("a").protocol == "gtp"
    assert isinstance(dialog.found[find("a")], Trial)
    told = " ".join(desk.words())
    assert "its first line: “Welcome”" in told
    assert "GTP, NBoard and JSON were tried" in told


def test_programs_that_are_installed_are_offered(
    sit_down: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("edax", "ntest", "gtp-rhino"):
        (tmp_path / name).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    desk = sit_down(PERSON, PERSON)
    opened(desk)
    for name in ("Edax", "ntest", "GRhino"):
        desk.press(f"found.{name}")
        assert not desk.has(f"found.{name}")
    assert [(each.command[1:], each.protocol) for each in programs().values()] == [
        (("-gtp",), "gtp"),
        (("x",), "nboard"),
        ((), "gtp"),
    ]


def test_programs_of_a_folder_of_games_are_found_without_it_in_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gtp-rhino").touch(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("othello.programs.registered._GAME_FOLDERS", (str(tmp_path),))
    assert [each.command for each in installed_programs()] == [(str(tmp_path / "gtp-rhino"),)]
    assert which("gtp-rhino") == str(tmp_path / "gtp-rhino")


def test_a_program_that_does_not_answer_is_said_to_and_can_be_asked_again(sit_down: Sit) -> None:
    desk = sit_down(seat("gtp", "mute", start_seconds=1.0), PERSON, players=create_player)
    for how in ("ask_again", "enter"):
        desk.until(lambda: "has not answered yet" in desk.status)
        desk.until(lambda: desk.session.worker.failure is not None)
        desk.settle()
        assert desk.status == "gtp mute does not answer."
        if how == "ask_again":
            desk.press("ask_again")
        else:
            desk.key(pygame.K_RETURN)
        assert desk.session.worker.failure is None


@pytest.mark.slow
def test_a_class_in_python_is_added_by_its_file_and_plays(sit_down: Sit, tmp_path: Path) -> None:
    lines = "class _Memory: ...", "class Anna:", "    def choose(self, game):", "        return game.moves[0]"
    (tmp_path / "my_player.py").write_text("\n".join(lines))
    desk = sit_down(PERSON, PERSON, players=create_player)
    dialog = opened(desk)
    desk.press("add")
    desk.key(pygame.K_m, "m")
    desk.key(pygame.K_RETURN)
    program = find("my_player")
    assert (program.class_name, program.folder) == ("my_player:Anna", str(tmp_path))
    desk.press("test")
    desk.until(lambda: desk.has("test"))
    assert isinstance(dialog.found[program], Trial), dialog.found[program]
    desk.key(pygame.K_ESCAPE)
    opened(desk)
    use(desk, ("command", "my_player"))
    assert any("class: is" in words.lower() for words in desk.words())
    use(desk, ("speaks", "gtp"), ("speaks", "python"), ("command", "my_player:Anna"))
    assert find("my_player") == program
    desk.scene.do(gui.Open("new_game"), 0.0)
    desk.turn()
    use(desk, ("who", "computer"), ("opponent.by_level", False), ("opponent.type", "python.my_player"))
    use(desk, ("side", "white"), ("start", True))
    desk.until(lambda: desk.session.game.ply == 1)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["mute", "silent"])
@pytest.mark.parametrize("how", ["stop", "done", "new_game"])
def test_a_test_is_stopped_and_leaves_no_child(sit_down: Sit, fault: str, how: str) -> None:
    mark = f"{fault} {how}"
    registered("gtp", fault, environment=(("OTHELLO_TEST_MARK", mark),), start_seconds=600)
    desk = sit_down(PERSON, PERSON)
    opened(desk)
    desk.press("test")
    assert until(lambda: bool(marked(mark)))
    if how == "new_game":
        desk.scene.do(gui.Open(how), 0.0)
    else:
        desk.press(how)
    desk.turn()
    assert until(lambda: not marked(mark))


@pytest.mark.slow
def test_a_game_a_hint_and_an_analysis_with_programs(sit_down: Sit) -> None:
    desk = sit_down(PERSON, seat("gtp", "crash"), players=create_player, judges=create_player)
    registered("nboard")
    desk.prefer(hint_player="external.nboard", analyst="external.nboard")
    desk.press("hint")
    desk.until(lambda: desk.board.hint is not None)
    desk.click_square("d3")
    desk.until(lambda: desk.session.worker.failure is not None)
    desk.settle()
    told = " ".join(desk.words())
    assert "gtp crash failed" in told
    assert "Segmentation fault, or so" in told
    assert desk.status == "gtp crash does not answer."
    assert all(map(desk.has, ("ask_again", "hand_to", "programs", "board")))
    desk.session.do(play.HandOver(desk.session.game.to_move), 0.0)
    desk.prefer(analyst=seat("gtp").kind)
    desk.key(pygame.K_2, mod=pygame.KMOD_CTRL)
    desk.until(lambda: desk.status.endswith("gtp would play c3, and tells no values."))
    desk.scene.do(Use("engine", "external.nboard"), 0.0)
    desk.until(lambda: desk.board.report is not None and desk.board.report.final and desk.board.report.depth > 1)
    report = desk.board.report
    assert report is not None
    assert report.unit is Unit.EXPECTED
    assert all(stats.value is not None for stats in report.moves)
    desk.prefer(analyst="")
    desk.key(pygame.K_3, mod=pygame.KMOD_CTRL)
    assert options(desk, "judge") == ["engine", "external.nboard"]  # gtp tells no values
    desk.scene.do(Use("judge", "external.nboard"), 0.0)
    desk.until(lambda: not desk.session.is_judging)
    assert any("estimate" in words for words in desk.words())
    desk.key(pygame.K_2, mod=pygame.KMOD_CTRL)
    desk.turn()
    assert "Judged by nboard" in desk.words()
    assert desk.session.game_analysis is not None
    assert desk.session.game_analysis.failure is None
