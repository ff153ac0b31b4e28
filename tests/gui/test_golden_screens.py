"""Every scene of the window: words, accessibility tree and looks are those in tests/golden; keys and presses reach it.

After an intended change, `python -m tests.golden.screens` writes the files.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import unified_diff
from itertools import islice, product

import pygame
import pytest

from othello.gui import ui
from othello.gui.dialogs.help import HelpDialog
from othello.gui.preferences import palette_named
from othello.gui.screen import Screen
from othello.gui.screens.game_screen import GameScreen
from othello.gui.widgets.board_widget import Status
from othello.gui.widgets.move_list import MOVES
from tests.golden import screens
from tests.golden.dialogues import assert_answers, assert_golden
from tests.golden.screens import FOLDER, assert_picture, describe, draw_blocks, draw_in_windows, drawn_words
from tests.gui.scenes import SCENES, SCENES_WITH_STORED_TEXTS, Opener, in_mode, offered, over, take_step
from tests.gui.test_foreign_words import foreign_words, loud_polish
from tests.gui.window_driver import EventDriver, WindowDriver, context_of

_STEP = 24
_NOTHING = (255, 0, 255)

NAMED = {"button", "cell", "check_box", "combo_box", "dialog", "grid", "group", "list", "list_box", "list_box_option"}
NAMED |= {"list_item", "menu_list_option", "number_input", "progress_indicator", "radio_button", "radio_group"}
NAMED |= {"slider", "table", "text_input", "toolbar", "window"}
GROUPS = {"combo_box", "grid", "list", "list_box", "radio_group", "table", "toolbar"}
TERSE = {"cell", "menu_list_option"}  # may be a sign alone
UNIQUE = {"button", "check_box", "combo_box", "grid", "group", "list", "list_box", "number_input", "radio_button"}
UNIQUE |= {"radio_group", "slider", "table", "text_input"}


def faults(tree: ui.AccessibilityTree) -> Iterator[str]:
    """Yield what a user of a screen reader would stumble over."""
    above = {part: key for key, item in tree.voices.items() for part in item.parts}
    names = Counter[tuple[str, str, str]]()
    for key, (node, _, _, widget) in tree.voices.items():
        name, role = node.name.strip(), node.role
        is_named = any(map(str.isalnum, name)) or (name and role in TERSE)
        if role in NAMED and not tree.voices[key].parts and not is_named:
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


def unlike_clicks(widgets: ui.WidgetTree) -> Iterator[ui.AccessibleNode]:
    """Yield the visible nodes whose press by a screen reader is not what a click does."""
    for placed in widgets.walk():
        on = widgets._context(placed)
        node = placed.widget.accessible(on)
        for part in () if node is None else (node, *node.parts):
            at = (part.rect or placed.rect).center
            if part.press is not None and (part is node or part.rect) and placed.clip.collidepoint(at):
                hidden = [None] * (placed.widget.name == MOVES)  # a row behind the title of the list
                yield from [] if placed.widget.press(at, on) in (part.press, *hidden) else [part]


def reached(screen: Screen, wanted: set[str]) -> set[str]:
    """Return the names that keys focus until `wanted` are found: on a game screen F6 and Right, elsewhere Tab."""
    widgets, seen, is_game = screen.widgets, set[str](), isinstance(screen, GameScreen) and screen.dialog is None
    for _ in range(150):
        if wanted <= seen:
            break
        (widgets.next_group if is_game else widgets.next)(1)
        while widgets.focus and widgets.focus not in seen:
            seen.add(widgets.focus)
            widgets.key(ui.Key("Right" if is_game else ""))
    return seen


@contextmanager
def received_presses() -> Iterator[list[ui.Widget]]:
    """Yield the widgets that have received a press."""
    found: list[ui.Widget] = []

    def noting(press: Callable[..., object]) -> Callable[..., object]:
        def press_and_note(self: ui.Widget, at: ui.Point, on: ui.PaintContext) -> object:
            answer = press(self, at, on)
            found.extend([] if answer is None else [self])
            return answer

        return press_and_note

    kinds = ui.Widget.__subclasses__()  # Widget itself receives nothing
    with pytest.MonkeyPatch.context() as patch:
        for kind in kinds:
            kinds += kind.__subclasses__()
            for name in {"press", "press_right"} & vars(kind).keys():
                patch.setattr(kind, name, noting(vars(kind)[name]))
        yield found


class Picture:
    """A window as a map: for each point, the widget that was drawn there last."""

    def __init__(self, screen: Screen) -> None:
        self.columns, self.rows = (range(7, length, _STEP) for length in screen.window.size)
        self.tree = list(screen.widgets.walk(are_covered=True))
        self.order = {id(each.widget): index for index, each in enumerate(self.tree)}
        self.around: dict[int, tuple[ui.LaidOutWidget, ...]] = {}
        self._go_in(self.tree[0], ())
        surface, shown = pygame.Surface(screen.window.size), ui.InputContext(screen.window)
        self.contexts = {id(each.widget): context_of(screen, each, surface, input=shown) for each in self.tree}
        self.seen = dict.fromkeys(product(self.columns, self.rows), self.tree[0])
        for placed in self.tree:
            self._draw(placed, surface)

    def _go_in(self, placed: ui.LaidOutWidget, around: tuple[ui.LaidOutWidget, ...]) -> None:
        self.around[id(placed.widget)] = (placed, *around)
        for part in placed.parts:
            self._go_in(part, (placed, *around))

    def _draw(self, placed: ui.LaidOutWidget, surface: pygame.Surface) -> None:
        left, top, right, bottom = *placed.extent.topleft, *placed.extent.bottomright
        columns = [x for x in self.columns if left <= x < right]
        points = [*product(columns, [y for y in self.rows if top <= y < bottom])]
        if points:
            surface.set_clip(placed.extent)
            surface.fill(_NOTHING)
            placed.widget.draw(self.contexts[id(placed.widget)])
            is_ground = isinstance(placed.widget, ui.Card) and placed.widget.fill is not None  # with round corners
            self.seen |= {point: placed for point in points if is_ground or surface.get_at(point)[:3] != _NOTHING}

    def receiver(self, at: ui.Point, ask: str) -> ui.Widget | None:
        """Return the widget that must receive a press at a point: the visible one or its closest parent that does."""
        for placed in self.around[id(self.seen[at].widget)]:
            widget = placed.widget
            if getattr(widget, ask)(at, self.contexts[id(widget)]) is not None:
                return widget
            if widget.takes_focus or widget.is_modal:
                return None
        return None

    def is_inside(self, panel: ui.Widget, other: ui.Widget) -> bool:
        """Return whether a widget is another one or inside it, because a part may be transparent."""
        return any(each.widget is other for each in self.around[id(panel)])

    def hides(self, panel: ui.Widget, at: ui.Point) -> bool:
        seen = self.seen[at].widget
        return self.order[id(seen)] > self.order[id(panel)] and not self.is_inside(seen, panel)


def press_everywhere(screen: Screen) -> int:
    """Press at every 24th pixel, the right button in every second row, and return how many presses had a receiver."""
    screen.widgets.open_overlay = ""
    picture, count = Picture(screen), 0
    places = {id(each.widget): each for each in picture.tree}
    presses = [("press", ui.MousePressed), ("press_right", ui.RightMousePressed)]
    if all(type(each.widget).press_right is ui.Widget.press_right for each in picture.tree):
        del presses[1]
    tries = ((at, *each) for index, at in enumerate(picture.seen) for each in presses[: 1 + index % 2])
    with received_presses() as received:
        for at, ask, press in tries:
            wanted = picture.receiver(at, ask)
            received.clear()
            screen.widgets.take(press(at), 0.0)
            reached = list(received)
            screen.widgets.open_overlay = ""
            assert len(reached) <= 1
            assert wanted is None or (reached and picture.is_inside(reached[0], wanted)), (at, ask, wanted)
            for panel in reached:
                place = places[id(panel)]
                assert place.rect.collidepoint(at), (at, ask, panel)
                assert place.clip.collidepoint(at), (at, ask, panel)
                assert not picture.hides(panel, at), (at, ask, panel, picture.seen[at].widget)
            count += len(reached)
    return count


def assert_presses_reach_visible_widgets(driver: EventDriver) -> None:
    assert press_everywhere(driver.screen) > 1
    opened = driver.screen.dialog
    if opened is not None:
        outside = opened.rect.left // 2, opened.rect.centery
        for at, button in product(((opened.rect.left + 40, opened.rect.top + 8), outside), (1, 3)):
            if at != outside or button == pygame.BUTTON_LEFT:
                driver.click(at, button)
            is_closed = at == outside and isinstance(opened, HelpDialog)
            assert (driver.screen.dialog is None) == is_closed, "only the help is closed by a click beside it"


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_is_the_stored_one_and_reached_by_keys(opener: Opener, scene: str) -> None:
    driver = SCENES[scene](opener)
    assert_golden(f"screens/{scene}.txt", describe(driver))
    assert_picture(draw_in_windows(driver, scene), FOLDER / f"{scene}.png")
    tree = driver.screen.accessibility_tree()
    assert [*faults(tree), *unlike_clicks(driver.screen.widgets)] == []
    assert {each.widget.name for each in driver.screen.widgets.walk() if each.widget.takes_focus} <= tree.voices.keys()
    if scene not in SCENES_WITH_STORED_TEXTS:
        with loud_polish():
            driver.prefer(language="pl")
            words = drawn_words(driver)
        assert foreign_words(words, opener.folder) == []
        assert any(map(str.isupper, words))
    driver.screen.widgets.open_overlay = ""
    driver.resize((900, 600))
    panels = [each.widget for each in driver.screen.widgets.walk()]
    wanted = {panel.name for panel in panels if panel.takes_focus and panel.is_enabled}
    assert wanted - reached(driver.screen, wanted) == set()


@pytest.mark.parametrize("scene", [path.name for path in sorted(FOLDER.with_name("steps").iterdir())])
def test_steps_change_a_scene_as_stored(opener: Opener, scene: str) -> None:
    def seen(driver: EventDriver) -> list[str]:
        widgets, rows = driver.screen.widgets, [each.pick for each in driver.panels(ui.ListView)]
        errors = [f"error: {each.meanwhile or each.words}" for each in driver.panels(Status) if each.is_bad]
        state = f"{widgets.state} {widgets._used} {widgets.open_overlay} {rows} {widgets.shows_focus}"
        copied = screens.without_varying(f"copied: {pygame.scrap.get_text()}")
        return [*describe(driver).split("\n"), state, *errors, *copied.split("\n")]

    def changes(question: str) -> str:
        (name, *steps), found = question.split(), list[str]()
        size, per_cent = ((900, 600), 200) if name.startswith("dialog") else ((1280, 800), 100)
        driver = SCENES[name](opener._replace(size=size))
        driver.prefer(text_size=per_cent)
        pygame.scrap.put_text("")
        before = seen(driver)
        for step in steps:
            take_step(driver, step)
            if driver.screen.dialog is None:
                driver.settle()
            diff = unified_diff(before, before := seen(driver), n=0, lineterm="")
            found += [step, *(f"  {line}" for line in islice(diff, 2, None) if not line.startswith("@@"))]
        return "\n".join(found)

    draw_blocks(opener.patch)  # pages scroll by the sizes of texts
    opener.patch.setattr("othello.gui.widgets.view_state._MESSAGE_SECONDS", 600.0)  # messages stay
    opener.patch.setattr("othello.gui.widgets.search_tree._PICTURE_SECONDS", 0.0)
    assert_answers(f"steps/{scene}", changes)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_presses_reach_the_visible_widget(opener: Opener, scene: str) -> None:
    driver = SCENES[scene](opener)
    for size in ((900, 600), (1280, 800)):
        driver.resize(size)
        assert_presses_reach_visible_widgets(driver)


def test_every_golden_file_belongs_to_a_scene() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == SCENES.keys()


def test_clicks_on_the_card_of_a_result_or_an_offer_stay_there(opener: Opener) -> None:
    driver = over(opener)
    card = driver.placed("again").rect
    driver.click((card.left - driver.scene.style.px(10), card.centery))
    assert driver.has("again")
    assert driver.session.view.is_at_latest
    driver.press("undo")
    assert not driver.session.referee.is_over, "buttons beside the result work"
    driver = offered(opener)
    driver.click(driver.placed("play_offered").rect.move(0, -40).midleft)
    assert driver.has("play_offered")
    driver.click_square("a1")
    assert not driver.has("play_offered")


def test_a_right_click_does_not_reach_widgets_below_an_open_list(opener: Opener) -> None:
    driver = in_mode("analyse", opener)
    driver.press("engine")
    assert driver.scene.widgets.open_overlay == "engine"
    for each in Picture(driver.scene).seen:
        assert driver.scene.widgets.take(ui.RightMousePressed(each), 0.0) == []


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
    for key, ply in (("Left", 1), ("Right", 2)):
        driver.keys(key)
        assert driver.session.view.shown.ply == ply
    driver.keys("Tab")
    assert not widgets.focus
    assert driver.scene.view_state.cursor is not None
    widgets.focus = "undo"
    driver.turn()
    driver.keys("Space")
    assert (driver.moves(), driver.session.pace.paused) == (["d3"], False)


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
