"""Every mode is where its declaration says: key, menu, toolbar and list of keys lead to it, with its texts."""

from collections import Counter

import pytest

from othello.gui.actions import ACTIONS, Context, buttons, key_text, label, tooltip
from othello.gui.mode_registry import MODES, PLAY, Place
from othello.gui.toolkit.controls import Button
from tests.gui.window_driver import OpenWindow
from tests.play.fake_players import PERSON


def test_keys_are_different() -> None:
    keys = Counter(key for action in ACTIONS if Context.GAME in action.context for key in action.keys + action.also)
    assert {mode.name: keys[mode.key] for mode in MODES.values()} == dict.fromkeys(MODES, 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_is_found(open_window: OpenWindow, mode: str) -> None:
    driver, action, declared = open_window(PERSON, PERSON), buttons(Context.GAME)[mode], MODES[mode]
    other, keys = "review" if mode == PLAY else PLAY, key_text(declared.key)
    driver.switch(other)
    driver.keys(declared.key)
    assert driver.scene.mode.name == mode
    driver.switch(other)
    driver.open("menu")
    entry = driver.widget(mode, Button)
    assert entry.label == label(action) != ""
    driver.press(mode)
    assert driver.scene.mode.name == mode
    driver.switch(other)
    if declared.place is not Place.MENU:
        shown = driver.widget(mode, Button)
        assert (shown.label, shown.tip) == (label(action), tooltip(action))
        assert len(shown.tip) > len(f" ({keys})")
        driver.press(mode)
        assert driver.scene.mode.name == mode
    driver.open("keys")
    driver.use(("topic", "keys"))
    assert any(keys in words.split() for words in driver.words())
