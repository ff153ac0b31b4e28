"""The program as a library: the scripts of docs/python.md, and the functions that they use."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import othello
from othello.api import ParsedGame, as_arrays, new_game, play_match, read_games, search
from othello.errors import OthelloError
from tests.positions import RULES

ROOT = Path(__file__).parents[1]
SCRIPTS = re.findall(r"## (.+?)\n.*?```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
GAMES = (
    "(;GM[Othello]PB[a]PW[b]TY[8]RE[+2]B[F5]W[D6]B[C3];)\n"
    "(;GM[Othello]PB[a]PW[b]TY[8]RE[-4]B[F5]W[F6];)\n"
    "(;GM[Othello]PB[a]PW[b]TY[8]B[A1];)\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(("title", "script"), SCRIPTS, ids=[title for title, _ in SCRIPTS])
def test_the_scripts_of_the_docs_run(title: str, script: str, tmp_path: Path) -> None:
    (tmp_path / "games.ggf").write_text(GAMES)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, ""), title
    assert ran.stdout


def test_there_are_five_scripts_and_types() -> None:
    assert len(SCRIPTS) == 5
    assert Path(othello.__file__).with_name("py.typed").exists()


def test_games_of_all_kinds_begin() -> None:
    assert new_game().position == RULES.start()
    assert new_game("d3", board="-" * 27 + "OX------XO" + "-" * 27 + " X").ply == 1
    assert new_game(size=6).rules.columns == 6
    assert new_game("b2", game="tictactoe", size=4).ply == 1
    for arguments in ({"moves": "a1"}, {"board": "X"}, {"game": "go"}, {"size": 7}):
        with pytest.raises(OthelloError):
            new_game(**arguments)


def test_any_player_searches() -> None:
    game = new_game("f5d6")
    assert search(game, "simple_heuristic").move in game.legal_moves()
    assert search(new_game(size=6), "mcts_uct", simulation_count=20).simulations == 20
    first, again = (search(game, "random", seed=5) for _ in range(2))
    assert first.move == again.move
    for player, options in (("nobody", {}), ("mcts_uct", {"simulations": 5}), ("heuristic", {"depth": 0})):
        with pytest.raises(OthelloError):
            search(game, player, **options)


def test_a_match_is_played_in_pairs() -> None:
    first, second = {"player_type": "random", "name": "A"}, {"player_type": "random", "name": "B"}
    records = list(play_match(first, second, pairs=2, seed=3))
    assert [(record.black, record.white) for record in records] == [("A", "B"), ("B", "A")] * 2
    assert [record.seed for record in records] == [record.seed for record in play_match(first, second, 2, seed=3)]
    assert {record.black for record in play_match("random", "simple_heuristic")} == {"random", "simple_heuristic"}
    with pytest.raises(OthelloError):
        next(play_match(first, first))


def test_files_of_games_become_arrays(tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    file.write_text(GAMES)
    found = list(read_games(str(file)))
    assert [isinstance(each, ParsedGame) for each in found] == [True, True, False]
    moves, differences = as_arrays(found)
    assert (moves.tolist(), differences.tolist()) == ([[37, 43, 18], [37, 45, 255]], [2, -4])
    assert moves.dtype == np.uint8
    assert differences.dtype == np.int16
    assert as_arrays([])[0].shape == (0, 0)
