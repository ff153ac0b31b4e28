"""The memory that the window allocates while it draws a frame, which limits its speed on every machine."""

import tracemalloc
from collections.abc import Iterator

import pytest

from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, make_judge

IDLE_BYTES, DRAWN_BYTES = 20_000, 200_000


@pytest.fixture(autouse=True)
def _traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def frame_bytes(driver: WindowDriver, *keys: str) -> int:
    """Press keys and draw a frame, and return how much memory it had allocated at most."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    driver.keys(*keys)
    driver.turn()
    return tracemalloc.get_traced_memory()[1] - before


@pytest.mark.parametrize("mode", ["play", "analyse", "review", "explore", "train"])
def test_an_idle_frame_allocates_hardly_anything(open_window: OpenWindow, mode: str) -> None:
    driver = open_window(PERSON, PERSON)
    driver.switch(mode)
    driver.settle()
    assert max(frame_bytes(driver) for _ in range(5)) < IDLE_BYTES


def test_frames_with_news_of_a_search_allocate_little(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=make_judge)
    driver.switch("analyse")
    found = []
    for move in ("d3", "c5"):
        driver.keys("F9")
        driver.type(move)
        driver.settle()
        found.append(frame_bytes(driver, "F9"))
        while driver.analyst.is_busy:
            found.append(frame_bytes(driver))
    assert "12" in driver.words(), "the depth that the search reports"
    assert IDLE_BYTES < max(found) < DRAWN_BYTES
