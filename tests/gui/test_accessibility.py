"""The accessibility tree: on every screen each control has a unique name, a constant role and a true state."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from othello.gui.dialogs.dialog_registry import DIALOGS
from othello.gui.mode_registry import MODES
from othello.gui.toolkit.accessibility_tree import AccessibilityTree
from othello.play import session_commands as cmd
from othello.rules.registry import game_spec
from tests.gui.mistakes import played_badly, review
from tests.gui.test_explore import archive, driver, tiger
from tests.gui.tournament_driver import OpenTournament, config_for
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, make_judge
from tests.programs.registered import registered

__all__ = ("archive", "driver", "tiger")

NAMED = {"button", "cell", "check_box", "combo_box", "dialog", "grid", "group", "list", "list_box", "list_box_option"}
NAMED |= {"list_item", "menu_list_option", "number_input", "progress_indicator", "radio_button", "radio_group"}
NAMED |= {"slider", "table", "text_input", "toolbar", "window"}
GROUPS = {"combo_box", "grid", "list", "list_box", "radio_group", "table", "toolbar"}
TERSE = {"cell", "menu_list_option"}  # may be a sign alone
UNIQUE = {"button", "check_box", "combo_box", "grid", "group", "list", "list_box", "number_input", "radio_button"}
UNIQUE |= {"radio_group", "slider", "table", "text_input"}


class Contract:
    """Looks at screens one after the other, and remembers the role of everything that has a name in the program."""

    def __init__(self) -> None:
        self.roles: dict[str, tuple[object, ...]] = {}

    def faults(self, told: AccessibilityTree) -> Iterator[str]:
        above = {part: key for key, voice in told.voices.items() for part in voice.parts}
        seen = Counter[tuple[str, str, str]]()
        for key, (node, _, _, panel) in told.voices.items():
            name, role = node.name.strip(), node.role
            if role in NAMED and not (any(map(str.isalnum, name)) or (name and role in TERSE)):
                yield f"{key}: {role} without a name: {name!r}"
            if name and name == node.description:
                yield f"{key}: {name!r} is both name and description"
            if role in GROUPS and re.match(r"\d", name):
                yield f"{key}: {role} is called {name!r}, which says how many and not what"
            if role in UNIQUE and name:
                seen[above.get(key, ""), role, name] += 1
            if role in ("check_box", "radio_button") and node.checked is None:
                yield f"{key}: {role} is neither on nor off"
            if "#" not in key and panel.takes_focus:
                if node.is_enabled != panel.is_enabled:
                    yield f"{key}: is told to be {'enabled' if node.is_enabled else 'disabled'}"
                if role == "button" and (node.press is None) == node.is_enabled:
                    yield f"{key}: cannot be pressed as it is told"
            if panel.name and "#" not in key and not key[-1].isdigit():
                is_now = role, node.checked is None, node.selected is None
                if self.roles.setdefault(f"{key} {type(panel).__name__}", is_now) != is_now:
                    yield f"{key}: has another role than before, {is_now}"
        yield from (f"{count} times {each}" for each, count in seen.items() if count > 1)

    def check(self, told: AccessibilityTree, where: str) -> None:
        assert "\n".join(self.faults(told)) == "", where


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / "data"))
    registered("gtp")
    registered("nboard")


@pytest.mark.parametrize("game", ["othello", "ultimate_tictactoe"])
@pytest.mark.parametrize("details", [False, True])
def test_every_mode_and_dialog_keeps_the_contract(open_window: OpenWindow, details: bool, game: str) -> None:
    spec = game_spec(game)
    driver, contract = open_window(PERSON, PERSON, judges=make_judge, players=make_judge, spec=spec), Contract()
    driver.prefer(details=details)
    driver.type("f5d6c3" if game == "othello" else "")
    for mode in MODES:
        driver.switch(mode)
        contract.check(driver.scene.accessibility_tree(), mode)
        driver.switch("play")
    for name in (*DIALOGS, "open", "save", "export", "archive", "results", "menu"):
        driver.open(name)
        dialog = driver.dialog()
        contract.check(driver.scene.accessibility_tree(), name)
        uses: dict[str, list[tuple[str, Any]]] = {
            "open": [("tab", "files")],
            "tournament": [("player0.player_type", "mcts_uct"), ("player0.more", True), ("openings", "Tiger")],
            "new_game": [("who", "computers"), ("black.by_level", False), ("rules", True), ("clock", "other")],
            "programs": [("speaks", "nboard"), ("move_seconds", "other")],
        }
        for use in uses.get(name, []):
            driver.scene.issue(dialog.on_control_changed(*use))
            driver.turn()
            contract.check(driver.scene.accessibility_tree(), f"{name}: {use}")
        driver.scene.close_dialog()
        driver.turn()


def test_what_is_found_in_a_game_keeps_the_contract(open_window: OpenWindow) -> None:
    driver, contract = played_badly(open_window), Contract()
    review(driver)
    for details in (False, True):
        driver.prefer(details=details, shows_values=details, shows_losses=True)
        for mode in ("review", "analyse", "train", "openings", "edit", "explore", "play"):
            driver.switch(mode)
            driver.settle()
            contract.check(driver.scene.accessibility_tree(), mode)
    driver.session.do(cmd.Resign(), 0.0)
    driver.settle()
    contract.check(driver.scene.accessibility_tree(), "result")


def test_an_archive_keeps_the_contract(tiger: WindowDriver) -> None:
    contract = Contract()
    contract.check(tiger.scene.accessibility_tree(), "explore")


def test_a_failure_a_pass_and_an_offer_keep_the_contract(open_window: OpenWindow) -> None:
    contract = Contract()
    driver = open_window(computer("raising"), PERSON)
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
    contract.check(driver.scene.accessibility_tree(), "failure")
    driver = open_window(PERSON, PERSON)
    driver.type("f5d6c3")
    driver.do(cmd.Browse(-2))
    driver.settle()
    contract.check(driver.scene.accessibility_tree(), "past")
    driver.click_square("f4")
    contract.check(driver.scene.accessibility_tree(), "offer")


def test_a_tournament_keeps_the_contract(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver, contract = open_tournament(config_for(tmp_path, 3)), Contract()
    contract.check(driver.scene.accessibility_tree(), "standings")
    driver.until_end()
    contract.check(driver.scene.accessibility_tree(), "end")
