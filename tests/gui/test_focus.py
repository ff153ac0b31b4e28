"""Everything in the window by keyboard alone: groups, buttons, the list of moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pygame
import pytest

from othello.gui import commands as gui
from othello.gui.actions import Where, buttons, offered
from othello.gui.analyse.analyse import AnalyseMode
from othello.gui.play.moves import MOVES
from othello.gui.preferences import palette_named
from othello.gui.toolkit.button import Entry
from othello.rules.registry import rules_of
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, FirstMove

if TYPE_CHECKING:
    from tests.gui.hall import Hall

Sit = Callable[..., Desk]


def visited(desk: Desk) -> set[str]:
    """Every button that F6 and arrows lead to."""
    seen: set[str] = set()
    for _ in range(12):
        desk.key(pygame.K_F6)
        while desk.scene.stage.focus and desk.scene.stage.focus not in seen:
            seen.add(desk.scene.stage.focus)
            desk.key(pygame.K_RIGHT)
    return seen


@pytest.mark.parametrize("text", [100, 200])
@pytest.mark.parametrize("mode", ["play", "analyse"])
def test_every_button_that_can_be_pressed_is_reached(sit_down: Sit, text: int, mode: str) -> None:
    desk = sit_down(PERSON, PERSON, (900, 600))
    desk.scene.preferences.change(text_size=text)
    desk.scene.do(gui.PlainCommand.APPLY_PREFERENCES, 0.0)
    desk.scene.do(gui.SwitchMode(mode), 0.0)
    desk.turn()
    panels = {each.panel.name: each.panel for each in desk.scene.stage.panels() if each.panel.name}
    usable = {name for name in panels.keys() & offered(Where.GAME) if panels[name].is_enabled}
    lists = {name for name, panel in panels.items() if panel.takes_arrows}
    assert MOVES in lists
    assert usable
    assert visited(desk) >= usable | lists


def test_every_part_of_an_analysis_takes_arrows_and_enter(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON, players=lambda config, spec: FirstMove(config, rules_of(spec)))
    desk.scene.preferences.change(details=True)
    desk.type("d3c3")
    desk.key(pygame.K_2, mod=pygame.KMOD_CTRL)
    desk.until(lambda: desk.session.shown_analysis is not None)
    desk.turn()
    mode, session = desk.scene.mode, desk.session
    assert isinstance(mode, AnalyseMode)
    stops = [each.panel.name for each in desk.scene.stage.panels() if each.panel.takes_arrows]
    assert stops == ["scale", "curve", MOVES, "engine", "seconds", "line", "tree"]

    def press(name: str, *keys: int) -> None:
        desk.scene.stage.focus = name
        for key in keys:
            desk.key(key)
            desk.turn()

    press(MOVES, pygame.K_LEFT)
    assert session.view.shown.ply == 1
    press("curve", pygame.K_LEFT)
    assert session.view.shown.ply == 0
    press(MOVES, pygame.K_DOWN)
    assert session.view.shown.ply == 2
    engine, seconds = mode.search.engine, mode.search.seconds
    press("engine", pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN)
    press("seconds", pygame.K_DOWN)
    assert engine != mode.search.engine
    assert seconds != mode.search.seconds
    press("engine", pygame.K_UP)
    press("seconds", pygame.K_LEFT)
    assert (mode.search.engine, mode.search.seconds) == (engine, seconds)
    desk.until(lambda: mode.search.report is not None)
    press("line", pygame.K_RIGHT, pygame.K_RETURN)
    assert session.view.shown.ply == 3
    desk.until(lambda: mode.search.report is not None)
    desk.settle()
    press("tree", pygame.K_DOWN, pygame.K_RETURN)
    assert session.view.shown.ply == 4


def test_a_focused_button_is_pressed_by_enter_and_by_space(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3")
    desk.key(pygame.K_F6)
    assert desk.scene.stage.focus == "menu"
    desk.key(pygame.K_RIGHT)
    assert desk.scene.stage.focus == "new"
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is not None
    desk.key(pygame.K_ESCAPE)
    desk.scene.stage.focus = "undo"
    desk.turn()
    desk.key(pygame.K_SPACE, " ")
    assert desk.moves() == []
    assert not desk.session.pace.paused


def test_the_outline_is_there_for_the_keyboard_alone(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    rect = desk.scene.stage.place_of("menu")
    at = (rect.centerx, rect.top - desk.scene.style.px(4))
    assert desk.pixel(at) != palette_named().accent
    desk.key(pygame.K_F6)
    assert desk.pixel(at) == palette_named().accent
    desk.click_square("d3")
    desk.settle()
    assert desk.pixel(at) != palette_named().accent


def test_arrows_look_back_in_the_list_of_moves(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c3")
    desk.key(pygame.K_F6, mod=pygame.KMOD_SHIFT)
    assert desk.scene.stage.focus == MOVES
    desk.key(pygame.K_LEFT)
    assert desk.session.view.shown.ply == 1
    desk.key(pygame.K_RIGHT)
    assert desk.session.view.shown.ply == 2
    desk.key(pygame.K_TAB)
    assert not desk.scene.stage.focus
    assert desk.scene.looking.cursor is not None


def test_every_button_of_a_tournament_is_reached_by_tab(enter: Callable[..., Hall], tmp_path: Path) -> None:
    from tests.gui.hall import config_for

    hall = enter(config_for(tmp_path, 100_000))
    hall.until(lambda: hall.games > 0)
    hall.turn()
    panels = [each.panel for each in hall.scene.stage.panels()]
    usable = {panel.name for panel in panels if panel.takes_focus and panel.is_enabled}
    assert {name for name in usable if not name.startswith("board")} <= buttons(Where.HALL).keys()
    seen = set()
    for _ in usable:
        hall.key(pygame.K_TAB)
        seen.add(hall.scene.stage.focus)
    assert seen == usable
    hall.scene.stage.focus = "hold"
    hall.key(pygame.K_RETURN)
    assert hall.scene.tournament.control.is_paused


def test_a_button_whose_word_changes_shows_the_new_one_at_once(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    for _ in range(20):  # every look of the button is drawn by then
        desk.turn()
    desk.key(pygame.K_SPACE, " ")
    shown = desk.brightness(desk.scene.stage.place_of("pause"))
    for _ in range(20):
        desk.turn()
    desk.scene.do(gui.PlainCommand.REDRAW, 0.0)
    desk.turn()
    assert (desk.brightness(desk.scene.stage.place_of("pause")) == shown).all()


@pytest.mark.parametrize("name", ["new_game", "settings", "tournament", "programs", "open", "save", "hand_over"])
def test_the_first_control_of_a_dialog_has_the_focus_and_tab_shows_it(
    sit_down: Sit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    desk = sit_down(PERSON, PERSON)
    desk.scene.do(gui.Open(name), 0.0)
    desk.turn()
    stage = desk.scene.stage
    before = stage.focus
    stops = [each.panel.name for each in stage.panels() if each.panel.takes_focus and each.panel.is_enabled]
    assert before in stops[1:]
    assert stops[0] == "close"
    desk.key(pygame.K_TAB, "\t")
    assert (stage.focus, stage.shows_focus) == (before, True)
    desk.key(pygame.K_TAB, "\t")
    assert stage.focus == stops[stops.index(before) + 1]


def test_the_menu_has_a_button_arrow_keys_and_all_that_the_bar_lacks(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON, (1280, 800))
    desk.press("menu")
    stage = desk.scene.stage
    assert (stage.focus, stage.shows_focus) == ("new", True)
    entries = [each.panel.name for each in stage.panels() if isinstance(each.panel, Entry)]
    lacking = {"paste", "copy", "play_again", "analyse_game", "programs", "full_screen", "about"}
    assert lacking <= set(entries)
    reached = set()
    for key in (pygame.K_DOWN, pygame.K_RIGHT, pygame.K_UP, pygame.K_LEFT) * 2 + (pygame.K_RIGHT,) * len(entries):
        desk.key(key)
        reached.add(stage.focus)
    assert reached == set(entries)
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is not None
    assert desk.scene.dialog.title == "About Othello"
