"""A change of what a screen says shows here. Was it meant? Then `python -m tests.golden.screens` writes the files."""

import os
import re
from collections import Counter
from collections.abc import Iterator

import pygame
import pytest

from othello.gui.toolkit.accessibility_tree import AccessibilityTree
from tests.golden.screens import FOLDER, WRITES, describe, draw, looks_alike
from tests.gui.loud_words import foreign_words, loud_polish
from tests.gui.scenes import PLAYED, SCENES, SCENES_WITH_STORED_TEXTS, Opener

NAMED = {"button", "cell", "check_box", "combo_box", "dialog", "grid", "group", "list", "list_box", "list_box_option"}
NAMED |= {"list_item", "menu_list_option", "number_input", "progress_indicator", "radio_button", "radio_group"}
NAMED |= {"slider", "table", "text_input", "toolbar", "window"}
GROUPS = {"combo_box", "grid", "list", "list_box", "radio_group", "table", "toolbar"}
TERSE = {"cell", "menu_list_option"}  # may be a sign alone
UNIQUE = {"button", "check_box", "combo_box", "grid", "group", "list", "list_box", "number_input", "radio_button"}
UNIQUE |= {"radio_group", "slider", "table", "text_input"}


def faults(tree: AccessibilityTree) -> Iterator[str]:
    """Yield what a user of a screen reader would stumble over."""
    above = {part: key for key, item in tree.voices.items() for part in item.parts}
    names = Counter[tuple[str, str, str]]()
    for key, (node, _, _, widget) in tree.voices.items():
        name, role = node.name.strip(), node.role
        if (
            role in NAMED
            and not tree.voices[key].parts
            and not (any(map(str.isalnum, name)) or (name and role in TERSE))
        ):
            yield f"{key}: {role} without a name: {name!r}"
        if name and name == node.description:
            yield f"{key}: {name!r} is both name and description"
        if role in GROUPS and re.match(r"\d", name):
            yield f"{key}: {role} is called {name!r}, which says how many and not what"
        if role in UNIQUE and name and name != "Close":  # the cross, and the button at the bottom
            names[above.get(key, ""), role, name + node.description] += 1
        if role in ("check_box", "radio_button") and node.checked is None:
            yield f"{key}: {role} is neither on nor off"
        if "#" not in key and widget.takes_focus:
            if node.is_enabled != widget.is_enabled:
                yield f"{key}: is said to be {'enabled' if node.is_enabled else 'disabled'}"
            if role == "button" and (node.press is None) == node.is_enabled:
                yield f"{key}: cannot be pressed as announced"
    yield from (f"{count} times {each}" for each, count in names.items() if count > 1)


@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_says_what_it_did_and_only_in_words_of_the_catalogue(opener: Opener, scene: str) -> None:
    driver, file = SCENES[scene](opener), FOLDER / f"{scene}.txt"
    found, thumbnail = describe(driver)
    picture = file.with_suffix(".png")
    if WRITES in os.environ:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(found, encoding="utf-8")
        if scene not in PLAYED and not (picture.exists() and looks_alike(thumbnail, pygame.image.load(picture))):
            pygame.image.save(thumbnail, picture)
    assert found == file.read_text(encoding="utf-8")
    assert scene in PLAYED or looks_alike(thumbnail, pygame.image.load(picture))  # played games have other speeds
    tree = driver.screen.accessibility_tree()
    assert [*faults(tree)] == []
    assert {each.widget.name for each in driver.screen.widgets.walk() if each.widget.takes_focus} <= tree.voices.keys()
    if scene not in SCENES_WITH_STORED_TEXTS:
        with loud_polish():
            driver.prefer(language="pl")
            words = draw(driver)[0]
        assert foreign_words(words, opener.folder) == []
        assert any(map(str.isupper, words))


def test_every_golden_file_belongs_to_a_scene() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == SCENES.keys()
