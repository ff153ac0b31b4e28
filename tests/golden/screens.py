"""The words, accessibility tree and picture of every scene of the window.

After an intended change, `python -m tests.golden.screens` writes new files, also of controls and marks, which belong
to the same commit.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from textwrap import wrap
from typing import Any, Final

import numpy as np
import pygame
import pytest

import othello
from othello.gui import commands as gui, ui
from othello.gui.boards import renderer
from othello.gui.toolkit import style as drawing
from othello.gui.toolkit.accessibility_tree import ROOT, AccessibilityTree
from othello.gui.toolkit.controls import Slider
from othello.gui.toolkit.field import TextField
from othello.gui.toolkit.style import RGB, Style
from othello.gui.toolkit.widget import AccessibleNode
from tests.golden.dialogues import WRITES
from tests.gui.window_driver import EventDriver

FOLDER: Final = Path(__file__).parent / "screens"
WINDOWS: Final = (  # sizes, those of text in per cent, and the places in pictures
    ((900, 600), 200, (0, 800)),
    ((900, 1800), 200, (1280, 0)),
    ((1280, 800), 100, (0, 0)),
)
SIZES: Final = FOLDER.with_name("sizes.txt")  # widgets, each with a width, a height and perhaps its only scene
_WHOLE: Final = "Black – White – Othello"  # the screen whose toolbar is listed
_VARYING: Final = (
    (r"\d{4}-\d\d-\d\d(T\d{6})?(-\d{6})?", "DATE"),
    (r"\d+:\d\d(\.\d)?", "TIME"),
    (r"Seconds per (game|move) [\d.]+", r"Seconds per \1 NUMBER"),
    (r"[\d.]+ (games/s|s/game|games per second)", r"NUMBER \1"),
    (re.escape(othello.__version__), "VERSION"),
    (r"[^' ]*pytest-\d+[^' ]*", "PATH"),
)


def states(node: AccessibleNode) -> Iterator[str]:
    """Yield words for the states of a node."""
    if not node.is_enabled:
        yield "disabled"
    for name in ("checked", "selected", "is_open"):
        if (value := getattr(node, name)) is not None:
            yield name.removeprefix("is_") if value else f"not {name.removeprefix('is_')}"
    if node.is_active:
        yield "active"
    if node.live:
        yield node.live
    if node.press is None and node.role in ("button", "list_item"):
        yield "no press"


def clean(text: str) -> str:
    return "PATH" if PurePath(text).is_absolute() else text


def line(node: AccessibleNode, *, is_focused: bool) -> str:
    parts = [node.role, repr(clean(node.name)) if node.name else "", f"= {clean(node.value)!r}" if node.value else ""]
    parts += [f"({node.description})" if node.description else "", f"[{node.key}]" if node.key else ""]
    parts += [" ".join(f"<{each:g}>" for each in numbers) for numbers in (node.selection, node.value_range) if numbers]
    parts += [", ".join([*states(node), *["focused"] * is_focused])]
    return " ".join(filter(None, parts))


def groups(nodes: Sequence[AccessibleNode]) -> Iterator[str]:
    """Yield the pieces of a board by owner, or the options of a list, in a line each."""
    owners: dict[str, list[str]] = {}
    for node in nodes:
        if node.role == "cell" and (piece := re.fullmatch(r"(.+), ([^,]+)", node.name)):
            owners.setdefault(piece[2], []).append(piece[1])
        elif node.role == "menu_list_option":
            owners.setdefault("options", []).append(f"{clean(node.name)!r}{'*' * bool(node.selected)}")
    owners.pop("empty", None)
    for owner, names in owners.items():
        yield f"{owner}: {' '.join(dict.fromkeys(names))}"


def is_grouped(node: AccessibleNode) -> bool:
    is_plain = not node.is_active and re.fullmatch(r"(?!.*(, .*){3})[^,]+(, \d)?, [^,]+", node.name)
    return node.role == "menu_list_option" or (node.role == "cell" and bool(is_plain))


def tree_lines(tree: AccessibilityTree, key: str = ROOT, depth: int = 0) -> Iterator[str]:
    """Yield a line per node, with the buttons of the toolbar only in play and no cells of tables."""
    item = tree.voices[key]
    yield "  " * depth + line(item.node, is_focused=key == tree.focus)
    if item.node.role == "row" or (item.node.role == "toolbar" and tree.voices[ROOT].node.name != _WHOLE):
        return
    inside = [(part, tree.voices[part].node) for part in item.parts]
    for words in groups([node for _, node in inside if is_grouped(node)]):
        yield from wrap(words, 118, initial_indent="  " * (depth + 1), subsequent_indent="  " * (depth + 3))
    for part, node in inside:
        if not is_grouped(node):
            yield from tree_lines(tree, part, depth + 1)


def without_varying(text: str) -> str:
    """Replace times, dates, speeds and paths by their names."""
    for pattern, name in _VARYING:
        text = re.sub(pattern, name, text)
    return text


def drawn_words(driver: EventDriver) -> list[str]:
    """Draw the screen or the open dialog, and return the texts in their order."""
    drawn, text = dict[str, None](), Style.text

    def noted(style: Style, words: str, *more: Any, **named: Any) -> Any:
        drawn[words] = None
        return text(style, words, *more, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Style, "text", noted)
        draw_shown(driver)
    return [*drawn]


def draw_blocks(monkeypatch: pytest.MonkeyPatch, share: float = 0.5) -> None:
    """Draw blocks instead of letters, which other versions of the libraries draw differently."""

    def width(words: str, pixels: int, bold: bool) -> int:
        return len(words) * (int(share * pixels) + bold)

    def block(words: str, pixels: int, color: RGB, bold: bool) -> pygame.Surface:
        surface = pygame.Surface((width(words, pixels, bold), pixels + 4))
        surface.fill(color)
        if words.startswith("<"):  # a line below turns it into "at most"
            surface.fill((0, 0, 0), (0, 0, width("<", pixels, bold), pixels + 4))
        return surface

    monkeypatch.setattr(drawing, "_width", width)
    monkeypatch.setattr(drawing, "_render", block)
    # Boards have names of columns and rows.
    monkeypatch.setattr(renderer, "_empty_board", lru_cache(renderer._empty_board.__wrapped__))


def assert_picture(picture: pygame.Surface, path: Path) -> None:
    """Assert that a picture is the stored one, pixel by pixel."""
    if WRITES in os.environ:
        pygame.image.save(picture, path)
    known = pygame.image.load(path).convert(picture)
    assert picture.get_size() == known.get_size()
    if np.array_equal(pygame.surfarray.pixels2d(picture), pygame.surfarray.pixels2d(known)):
        return  # the usual case; what follows takes ten times as long
    same = pygame.mask.from_threshold(picture, (0, 0, 0, 0), (4, 4, 4, 255), known)
    same.invert()
    assert same.get_bounding_rects() == []


def draw_shown(driver: EventDriver) -> pygame.Surface:
    """Draw the open dialog or else the screen, with focus, mouse, its tooltip, and the open list."""
    screen, widgets, surface = driver.screen, driver.screen.widgets, pygame.Surface(driver.screen.window.size)
    part = next(widgets.walk()) if screen.dialog is None else driver.placed("dialog")
    if widgets.mouse is not None and not widgets.open_overlay:
        widgets.take(ui.MouseMoved(widgets.mouse), 0.0)
        widgets.update(9.0)
    lit = widgets._lit()
    ui.paint(part, screen.window, (widgets._context(each, surface, lit)._replace(now=0.0) for each in part.walk()))
    for overlay in widgets._overlays():
        surface.set_clip(overlay.rect)
        overlay.draw(surface)
    return surface


def draw_in_sizes(driver: EventDriver, scene: str, picture: pygame.Surface) -> None:
    """Draw the first widget of each kind in `sizes.txt` below the windows, or a high one beside the small window."""
    tree, place, bottom = driver.screen.widgets, pygame.Rect(0, 1400, 0, 0), 1400
    first = {type(each.widget).__name__: each.widget for each in reversed([*tree.walk()])}
    for kind, width, height, *only in map(str.split, SIZES.read_text().splitlines()):
        if kind in first and only in ([], [scene]):
            place = pygame.Rect(place.topright, (int(width), int(height)))
            if place.height > 400 or place.right > 1280:
                place.topleft = (900, 800) if place.height > 400 else (0, bottom)
            bottom = max(bottom, place.bottom)
            part = ui.lay_out(first[kind], driver.screen.style, ui.Box(*place), place, tree.state)
            ui.paint(part, place, (tree._context(each, picture)._replace(now=0.0) for each in part.walk()))


def draw_in_windows(driver: EventDriver, scene: str) -> pygame.Surface:
    """Draw in a small, a high and a usual window: blocks instead of letters, and names of times."""
    picture, text = pygame.Surface((2180, 1800)), Style.text

    def unvarying(style: Style, words: str, *more: Any, **named: Any) -> pygame.Surface:
        return text(style, clean(without_varying(words)), *more, **named)

    with pytest.MonkeyPatch.context() as patch:
        draw_blocks(patch)
        patch.setattr(Style, "text", unvarying)
        for size, per_cent, place in WINDOWS:
            driver.screen.do(gui.Resize(size), driver.screen.now)
            driver.prefer(text_size=per_cent)
            picture.blit(draw_shown(driver), place)
        draw_in_sizes(driver, scene, picture)
    return picture


def describe(driver: EventDriver) -> str:
    """Return the accessibility tree with limits and drawn words that the tree does not contain."""
    limits = [f"{field.name or 'field'}: at most {field.max_length} characters" for field in driver.panels(TextField)]
    for slider in driver.panels(Slider):
        values = f"{slider.name or 'slider'}: {' '.join(map(str, slider.values))}"
        limits += wrap(values, 118, subsequent_indent="    ")
    raw = "\n".join(tree_lines(driver.screen.accessibility_tree()))
    lines = without_varying(raw)
    drawn = (word for word in drawn_words(driver) if not ("." in word and word in raw))  # seconds
    found = [clean(without_varying(word)) for word in drawn]
    others = [repr(word) for word in found if word.strip() and word not in lines]
    return "\n".join([lines, *limits, *wrap(f"also drawn: {' '.join(others)}", 118, subsequent_indent="    "), ""])


if __name__ == "__main__":
    os.environ[WRITES] = "1"
    files = [f"tests/gui/{name}.py" for name in ("test_golden_screens", "test_looks", "test_board_input")]
    sys.exit(pytest.main(["-q", *files, "tests/gui/toolkit", "-k", "stored or picture"]))
