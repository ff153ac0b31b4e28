"""The real program on a real screen, without a display, and its exit status."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from benchmarks.screen import Screen, board_place, first_table
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import palette_named
from othello.rules.othello import Othello
from othello.store.database import STORE_NAME, Store
from tests.command_line import CommandLine
from tests.results_files import lines_in

DEADLINE = 60.0  # seconds; the program may have to compile first
TABLE = first_table()
BOARD = board_place(TABLE)

needs_screen = pytest.mark.skipif(
    not all(map(shutil.which, ("Xvfb", "xdotool"))), reason="needs Xvfb and xdotool to show a real window"
)


@pytest.fixture
def screen() -> Iterator[Screen]:
    with Screen(*DESIGN_SIZE) as screen:
        yield screen


class Person:
    """Drives the real program by mouse and keyboard, and reads its screen."""

    def __init__(self, screen: Screen, folder: Path, **config: object) -> None:
        file = folder / "config.json"
        file.write_text(json.dumps({"seed": 1, "move_delay_seconds": 0, **config}))
        self._screen = screen
        command = [sys.executable, "-m", "othello", *(["--config", str(file)] if config else [])]
        environment, pipe = screen.environment(), subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )

    def do(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._screen.environment(), check=True)

    def click(self, at: tuple[int, int]) -> None:
        self.do("mousemove", str(at[0]), str(at[1]), "click", "1")

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + DEADLINE
        while not condition():
            assert self.process.poll() is None, self.process.communicate()[1]
            assert time.monotonic() < end
            time.sleep(0.02)

    def sees_board(self) -> bool:
        return self._screen.pixel(BOARD.board.centerx, BOARD.board.top + 4) == palette_named().frame

    def sees(self, name: str) -> str:
        rect = BOARD.square_rect(Othello().parse_move(Othello().start(), name))
        red, green, blue = self._screen.pixel(rect.centerx - 14, rect.centery - 12)
        if green > max(red, blue) + 20:
            return "empty"
        return "white" if red > 128 else "black"

    def quit(self) -> None:
        """Press Ctrl+Q, and assert that the program ends without an error."""
        self.do("key", "ctrl+q")
        assert self.end() == (0, "")

    def end(self) -> tuple[int, str]:
        """Return the exit status and the errors."""
        _, errors = self.process.communicate(timeout=DEADLINE)
        return self.process.returncode, errors


def players(black: str, white: str) -> list[dict[str, str]]:
    return [{"player_type": black, "player_color": "black"}, {"player_type": white, "player_color": "white"}]


@needs_screen
def test_a_game_is_played_by_mouse_and_keys_waits_idly_and_is_interrupted(screen: Screen, tmp_path: Path) -> None:
    person = Person(screen, tmp_path, players=players("user", "user"))
    person.until(person.sees_board)
    process = psutil.Process(person.process.pid)

    def sleeps() -> bool:
        before = process.num_ctx_switches().voluntary  # of the thread of the window
        time.sleep(2.0)
        return bool(process.num_ctx_switches().voluntary - before < 20)

    person.until(sleeps)
    person.click(BOARD.square_rect(Othello().parse_move(Othello().start(), "d3")).center)
    person.until(lambda: person.sees("d3") == "black")
    person.do("key", "c", "5")
    person.until(lambda: person.sees("c5") == "white")
    person.click(TABLE.widgets.place_of("undo").center)
    person.until(lambda: person.sees("c5") == "empty")
    person.process.send_signal(signal.SIGINT)
    assert person.end()[0] == 130


@needs_screen
@pytest.mark.slow
def test_games_are_added_to_a_results_file_after_a_question(screen: Screen, tmp_path: Path, cli: CommandLine) -> None:
    results, config = tmp_path / "results.jsonl", tmp_path / "first.json"
    game = {"players": players("random", "random"), "output_file": str(results)}
    config.write_text(json.dumps({"seed": 1, **game}))
    cli("--config", config, "--headless")
    person = Person(screen, tmp_path, **game)
    person.until(lambda: screen.pixel(220, 400) == palette_named().panel)  # the question in the middle of the window
    person.do("key", "Return")  # add to the file
    person.until(lambda: lines_in(results) == 2)
    person.quit()


@needs_screen
def test_quitting_while_the_computer_is_busy(screen: Screen, tmp_path: Path) -> None:
    person = Person(screen, tmp_path, players=players("mcts_uct", "heuristic"), mcts_simulation_count=10_000_000)
    person.until(person.sees_board)
    person.quit()  # while the engine is loaded or compiled


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_a_display_that_does_not_answer_is_one_line_with_the_option_to_use(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"players": players("user", "random")}))
    hidden = ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {key: value for key, value in os.environ.items() if key not in hidden} | {"DISPLAY": ":987"}
    command = [sys.executable, "-m", "othello", "--config", str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--terminal" in done.stderr


@needs_screen
@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_tournament_writes_results_and_prints_a_table(screen: Screen, tmp_path: Path, is_interrupted: bool) -> None:
    output = tmp_path / "games.jsonl"
    config = {"game_type": "tournament", "game_repetitions": 100_000, "tournament": {"processes": 1}}
    person = Person(screen, tmp_path, **config, output_file=str(output), players=[{"player_type": "random"}] * 2)
    person.until(lambda: lines_in(output) > 5)
    if is_interrupted:
        os.killpg(person.process.pid, signal.SIGINT)  # a terminal signals all processes
    else:
        person.do("key", "ctrl+q")
    printed, errors = person.process.communicate(timeout=DEADLINE)
    assert (person.process.returncode, errors) == (130 if is_interrupted else 0, "")
    assert output.read_bytes().endswith(b"\n")
    games = output.read_bytes().count(b"\n")
    assert printed.startswith("seed 1\n")
    assert "Ranking" in printed
    assert f"random 1 - random 2  {games:>5}  " in printed


@needs_screen
def test_a_game_with_its_note_is_restored_after_a_crash(screen: Screen, tmp_path: Path) -> None:
    person = Person(screen, tmp_path, players=players("user", "user"))
    person.until(person.sees_board)
    person.do("key", "d", "3")
    person.until(lambda: person.sees("d3") == "black")
    person.do("key", "F7")
    person.until(lambda: not person.sees_board())
    person.do("type", "--delay", "60", "what if 1-2")
    person.do("key", "Return")
    person.until(person.sees_board)
    person.until(lambda: notes(screen) == ["what if 1-2"])
    person.process.kill()
    person.process.communicate(timeout=DEADLINE)
    again = Person(screen, tmp_path)
    again.until(lambda: screen.pixel(220, 400) == palette_named().panel)  # the question in the middle of the window
    again.do("key", "Return")
    again.until(lambda: again.sees("d3") == "black")
    again.quit()


def notes(screen: Screen) -> list[str]:
    with Store(Path(screen.environment()["OTHELLO_DATA_DIR"]) / STORE_NAME) as store:
        trees = [store.own.read(listed.number)[0].tree for listed in store.own.listed()]
        return [tree.known(tree.game).note for tree in trees]
