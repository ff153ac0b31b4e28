"""The window by keyboard alone: modes, dialogs, the menu; test_golden_screens.py checks that everything is reached."""

from othello.gui.modes.analyse.analyse import AnalyseMode
from othello.gui.preferences import palette_named
from othello.gui.toolkit.controls import MenuItem
from othello.gui.widgets.move_list import MOVES
from othello.rules.registry import rules_of
from tests.gui.mistakes import mode_of
from tests.gui.scenes import Opener
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, FirstMove


def test_every_part_of_an_analysis_takes_arrows_and_enter(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=lambda config, spec: FirstMove(config, rules_of(spec)))
    driver.prefer(details=True)
    driver.type("d3c3")
    driver.keys("Ctrl+2")
    driver.until(lambda: driver.session.shown_analysis is not None)
    driver.turn()
    mode, session = mode_of(driver, AnalyseMode), driver.session
    stops = [each.widget.name for each in driver.scene.widgets.walk() if each.widget.takes_arrows]
    assert stops == ["scale", "curve", MOVES, "engine", "seconds", "line", "tree"]

    def press(name: str, *keys: str) -> None:
        driver.scene.widgets.focus = name
        driver.keys(*keys)

    press(MOVES, "Left")
    assert session.view.shown.ply == 1
    press("curve", "Left")
    assert session.view.shown.ply == 0
    press(MOVES, "Down")
    assert session.view.shown.ply == 2
    engine, seconds = mode.engine, mode.seconds
    press("engine", "Enter", "Down", "Enter")
    press("seconds", "Down")
    assert engine != mode.engine
    assert seconds != mode.seconds
    press("engine", "Up")
    press("seconds", "Left")
    assert (mode.engine, mode.seconds) == (engine, seconds)
    driver.until(lambda: mode.report is not None)
    press("line", "Right", "Enter")
    assert session.view.shown.ply == 3
    driver.until(lambda: mode.report is not None)
    driver.settle()
    press("tree", "Down", "Enter")
    assert session.view.shown.ply == 4


def test_keys_focus_outline_and_press_widgets(driver: WindowDriver) -> None:
    widgets = driver.scene.widgets
    driver.type("d3")
    rect = widgets.place_of("menu")
    above = (rect.centerx, rect.top - driver.scene.style.px(4))
    assert driver.pixel(above) != palette_named().accent
    driver.keys("F6")
    assert widgets.focus == "menu"
    assert driver.pixel(above) == palette_named().accent
    driver.click_square("c3")
    driver.settle()
    assert driver.pixel(above) != palette_named().accent, "the mouse needs no outline"
    driver.keys("F6", "Right")
    assert widgets.focus == "new"
    driver.keys("Enter")
    assert driver.scene.dialog is not None
    driver.keys("Esc", "Shift+F6", "Shift+F6")
    assert widgets.focus == MOVES
    driver.keys("Left")
    assert driver.session.view.shown.ply == 1
    driver.keys("Right")
    assert driver.session.view.shown.ply == 2
    driver.keys("Tab")
    assert not widgets.focus
    assert driver.scene.view_state.cursor is not None
    widgets.focus = "undo"
    driver.turn()
    driver.keys("Space")
    assert driver.moves() == ["d3"]
    assert not driver.session.pace.paused


def test_the_first_control_of_a_dialog_has_the_focus_and_tab_shows_it(opener: Opener) -> None:
    driver = opener.start()
    for name in ("new_game", "settings", "tournament", "programs", "open", "save", "hand_over"):
        driver.open(name)
        widgets, before = driver.scene.widgets, driver.scene.widgets.focus
        stops = [each.widget.name for each in widgets.walk() if each.widget.takes_focus and each.widget.is_enabled]
        assert before in stops[1:]
        assert stops[0] == "close"
        driver.keys("Tab")
        assert (widgets.focus, widgets.shows_focus) == (before, True)
        driver.keys("Tab")
        assert widgets.focus == stops[stops.index(before) + 1]
        driver.keys("Esc")


def test_the_menu_has_all_commands_of_no_button_and_takes_arrow_keys(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, (1280, 800))
    driver.press("menu")
    widgets = driver.scene.widgets
    assert (widgets.focus, widgets.shows_focus) == ("new", True)
    entries = [item.name for item in driver.panels(MenuItem)]
    assert {"paste", "copy", "play_again", "analyse_game", "programs", "full_screen", "about"} <= set(entries)
    reached = set()
    for key in ["Down", "Right", "Up", "Left"] * 2 + ["Right"] * len(entries):
        driver.keys(key)
        reached.add(widgets.focus)
    assert reached == set(entries)
    driver.keys("Enter")
    assert driver.dialog().title == "About Othello"
