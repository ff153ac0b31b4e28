"""Size of the window, entry in the menu of the desktop, log."""

import logging
import operator
import shutil
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pygame
import pytest

import othello
from othello.gui.dialogs.saving import KINDS
from othello.gui.platform import window
from othello.gui.platform.log import write_log
from othello.gui.platform.window import DESIGN_SIZE, MINIMUM_SIZE
from othello.resources import asset
from tools.make_icon import SIZES


@pytest.fixture(autouse=True)
def _drawn_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def opened(monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], /, **remembered: object) -> tuple[int, int]:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [screen])
    window.open_window(remembered)
    size: tuple[int, int] = pygame.display.get_window_size()
    least = window._window().minimum_size
    assert all(map(operator.le, least, MINIMUM_SIZE))
    assert all(map(operator.le, least, screen))
    pygame.display.quit()
    return size


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        ((1280, 800), (1280, 728)),  # with room for a title bar
        ((900, 600), (900, 528)),
        ((1920, 1080), (1536, 864)),
        ((2560, 1600), (2048, 1280)),
        ((800, 600), (800, 528)),
        ((640, 480), (640, 408)),
    ],
)
def test_the_first_window_fits_the_screen(
    monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], size: tuple[int, int]
) -> None:
    assert opened(monkeypatch, screen) == size


@pytest.mark.parametrize("size", [[1000, 700], "large", [1], [1.5, 2], None, [10**9, 10**9]])
def test_a_valid_size_is_remembered(monkeypatch: pytest.MonkeyPatch, size: object) -> None:
    expected = {"[1000, 700]": (1000, 700), f"{[10**9, 10**9]}": (1920, 1008)}
    assert opened(monkeypatch, (1920, 1080), size=size) == expected.get(f"{size}", (1536, 864))


def test_a_size_belongs_to_its_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"size": [900, 528], "screen": [900, 600]}
    assert opened(monkeypatch, (900, 600), **small) == (900, 528)
    assert opened(monkeypatch, (2560, 1600), **small) == (2048, 1280)


def test_a_maximised_window_remembers_its_size_before() -> None:
    window.open_window({"size": list(DESIGN_SIZE), "position": [0, 0]})
    before = window.window_state(is_maximised=False, before={})
    assert before["size"] == list(pygame.display.get_window_size())
    assert window.window_state(is_maximised=True, before=before) == {**before, "maximised": True}
    pygame.display.quit()


def test_the_window_is_hidden_until_it_appears() -> None:
    window.open_window()
    assert not pygame.display.get_active()
    window.appear()
    assert pygame.display.get_active()
    pygame.display.quit()


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "state" / "othello.log"
    monkeypatch.setattr("othello.gui.platform.log.log_path", lambda: path)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    logger = logging.getLogger("othello")
    handlers, level = logger.handlers[:], logger.level
    yield path
    for handler in set(logger.handlers) - set(handlers):
        handler.close()
        logger.removeHandler(handler)
    logger.setLevel(level)


def test_the_log_has_errors_and_stays_small(log: Path) -> None:
    write_log()
    assert othello.__version__ in log.read_text()
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("of all things"), None)
    assert "of all things" in log.read_text()
    for _ in range(120):
        logging.getLogger("othello.gui").warning("x" * 10_000)
    assert sum(path.stat().st_size for path in log.parent.iterdir()) < 1_100_000
    assert {path.name for path in log.parent.iterdir()} <= {"othello.log", "othello.old.log"}


def test_a_log_that_cannot_be_written_is_ignored(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.parent.write_text("a file")
    write_log()
    logging.getLogger("othello.gui").warning("no file can be written")
    assert capsys.readouterr().err == ""


def test_the_desktop_entry_is_valid() -> None:
    file = asset("desktop/othello.desktop")
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read_string(file.read_text(encoding="utf-8"))
    says = entry["Desktop Entry"]
    assert says["StartupWMClass"] == "othello"
    assert says["Exec"].split()[0] == says["Icon"] == "othello"
    types = ElementTree.parse(file.with_suffix(".xml"))
    assert says["MimeType"] == "".join(f"{each.attrib['type']};" for each in types.findall(".//{*}mime-type"))
    endings = {each.attrib["pattern"].removeprefix("*") for each in types.findall(".//{*}glob")}
    assert endings == {KINDS[name] for name in ("game", "moves", "board")} | {".ggf", ".sgf", ".wtb"}
    for size in SIZES:
        assert pygame.image.load(asset(f"desktop/icons/{size}x{size}/{says['Icon']}.png")).size == (size, size)
    if (judge := shutil.which("desktop-file-validate")) is not None:
        assert subprocess.run([judge, str(file)], capture_output=True, text=True, check=False).stdout == ""
