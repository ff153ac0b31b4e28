"""Uses a download like a new user: `python -m tests.download FOLDER`, where FOLDER is the unpacked archive.

If root runs it, the program runs as another user. Its environment has no path, and so no Python. It plays games on
processes, writes a report, solves, measures, plays in a terminal and against another program, and then a whole game in
the window, by clicks, and its analysis.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.screen import Screen, board_place, first_table
from othello.game import AnyGame, Game
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import palette_named
from othello.records.game_file import parse_game
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.store.database import STORE_NAME

_NOBODY: Final = 65534
_TIMEOUT_SECONDS: Final = 600.0
_RETRY_SECONDS: Final = 15.0  # after an input without effect
_RESULT_SECONDS: Final = 2.0  # until the result is shown
_MIN_ANALYSED: Final = 5  # positions
_LAST_MOVES: Final = "XXXXXXXX" * 7 + "XXXXXO-- X"
_CLASS: Final = """\
import statistics

class Greedy:
    def choose(self, game):
        return max(game.moves, key=lambda move: statistics.fmean(game.play(move).score.values()))
"""


class FreshInstallUser:
    """A user with nothing but the unpacked download and a home folder."""

    def __init__(self, program: Path, home: Path, **environment: str) -> None:
        self.program, self.home = str(program / "othello"), home
        folders = dict.fromkeys(("HOME", "PATH", "OTHELLO_DATA_DIR", "OTHELLO_CONFIG_DIR"), str(home))
        self._environment = {**folders, "LC_ALL": "C.UTF-8", **environment}

    def start(self, *words: str, **streams: Any) -> subprocess.Popen[str]:
        user: dict[str, Any] = {"user": _NOBODY, "group": _NOBODY, "extra_groups": ()} if os.getuid() == 0 else {}
        where: dict[str, Any] = {"env": self._environment, "cwd": self.home}
        return subprocess.Popen([self.program, *words], text=True, **where, **user, **streams)

    def run(self, *words: str) -> str:
        """Return the output of a command, which has to succeed without a message on stderr."""
        process = self.start(*words, **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE))
        output, errors = process.communicate("", _TIMEOUT_SECONDS)
        assert (process.returncode, errors) == (0, ""), f"{words}: {process.returncode}, {errors}"
        return output

    def write(self, name: str, **content: object) -> str:
        (self.home / name).write_text(json.dumps(content), encoding="utf-8")
        return name


def use_commands(user: FreshInstallUser) -> None:
    """Use the commands that need no window."""
    players = [{"player_type": kind} for kind in ("mcts_uct", "engine", "random")]
    contest = user.write("contest.json", players=players, game_type="tournament", seed=1)
    user.run("--config", contest, "--headless", "--output", "contest.jsonl")
    user.run("report", "contest.jsonl", "--out", "page")
    assert "<html" in (user.home / "page" / "report.html").read_text(encoding="utf-8")
    assert "g8" in user.run("solve", "--board", _LAST_MOVES)
    user.run("bench", "--quick")
    user.run("--terminal", "--config", user.write("duel.json", players=players[:2]))
    other = {"player_type": "external", "name": "other", "command": [user.program, "gtp", "--player", "random"]}
    match = user.write("match.json", players=[other, players[2]], seed=1)
    user.run("--config", match, "--headless", "--allow-programs", "--output", "match.jsonl")
    assert "failed" not in (user.home / "match.jsonl").read_text(encoding="utf-8")
    (user.home / "greedy.py").write_text(_CLASS, encoding="utf-8")
    user.run("programs", "add", "greedy", "--class", "greedy:Greedy")
    assert " NO " not in user.run("check-player", "greedy", "--positions", "5")


def play_by_clicks(user: FreshInstallUser, screen: Screen) -> float:
    """Play black against a search until the game is over, and have it analysed.

    Returns:
        Seconds from the start to the computer's first answer.
    """
    players = [{"player_type": "user", "player_color": "black"}, {"player_type": "mcts_uct", "player_color": "white"}]
    user.write("game.json", players=players, move_delay_seconds=0)
    place, first = board_place(first_table()), Game.new(rules_of(game_spec()))
    store = user.home / STORE_NAME
    began, process = time.monotonic(), user.start("--config", "game.json")

    def do(*words: str) -> None:
        subprocess.run(["xdotool", *words], env=screen.environment(), check=True)

    def until(condition: Callable[[], bool], seconds: float = _TIMEOUT_SECONDS) -> bool:
        end = time.monotonic() + seconds
        while not condition():
            assert process.poll() is None, "the window is gone"
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True

    def saved() -> str:
        """Return the saved game, or an empty string if there is none yet."""
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as database:
            for (document,) in database.execute("SELECT document FROM documents"):
                return zlib.decompress(document).decode()
        return ""

    def game() -> AnyGame:
        return parse_game(text).tree.game if (text := saved()) else first

    assert until(lambda: screen.pixel(place.board.centerx, place.board.top + 4) == palette_named().frame)
    answered = 0.0
    while not (now := game()).is_over:
        ply = now.ply
        if now.to_move is Color.BLACK and now.must_pass:
            do("key", "Return")  # in the dialog of the result, this key would start another game
        elif now.to_move is Color.BLACK:
            x, y = place.square_rect(now.legal_moves()[0]).center
            do("mousemove", str(x), str(y), "click", "1")
        until(partial(lambda ply: game().ply > ply, ply), _RETRY_SECONDS)
        if not answered and game().ply > 1:
            answered = time.monotonic() - began
    time.sleep(_RESULT_SECONDS)
    for key in ("Escape", "ctrl+2"):  # closes the result and analyses the game
        do("key", key)
        time.sleep(0.5)
    assert until(lambda: saved().count('"analyses"') > _MIN_ANALYSED), "no analysis"
    do("key", "ctrl+q")
    assert process.wait(_TIMEOUT_SECONDS) == 0
    return answered


def main(program: Path) -> None:
    with tempfile.TemporaryDirectory() as home, Screen(*DESIGN_SIZE) as screen:
        Path(home).chmod(0o777)
        use_commands(FreshInstallUser(program, Path(home)))
        user = FreshInstallUser(program, Path(home), DISPLAY=screen.display)
        user.write("settings.json", window={"size": DESIGN_SIZE, "position": (0, 0)})
        (Path(home) / "settings.json").chmod(0o666)
        print(f"a game by clicks; the first answer came after {play_by_clicks(user, screen):.2f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
