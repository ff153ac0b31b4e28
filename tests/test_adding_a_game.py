"""The example game of docs/adding-a-game.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = """
import sys, importlib.util
from othello.rules import registry
for name, path in (("apart", sys.argv[1]), ("apart.kernels", sys.argv[2])):
    spec = importlib.util.spec_from_file_location(f"othello.rules.{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"othello.rules.{name}"] = module
    spec.loader.exec_module(module)
from othello.rules.apart import Apart
registry.OWN_GAMES["apart"] = Apart
from tests.contract import test_games, test_matches
rules = registry.rules_of(registry.game_spec("apart"))
test_games.test_a_random_game_keeps_to_the_protocol(rules, 1)
test_games.test_compiled_rules_play_the_same_game(rules, 1)
test_games.test_playouts_end_as_games_do(rules)
test_games.test_the_canonical_state_stands_for_the_position(rules, 1)
test_games.test_different_positions_pack_differently(rules)
test_matches.test_a_match(sys.argv[3], rules)
"""


@pytest.mark.parametrize(
    "player", ["random", *(pytest.param(name, marks=pytest.mark.rare) for name in ("heuristic", "mcts_uct"))]
)
def test_the_pages_game_is_played(player: str, tmp_path: Path) -> None:
    """In a cache of its own: the code that others find must not lead to a game that is not there."""
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    files = [tmp_path / "apart.py", tmp_path / "apart_kernels.py"]
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, encoding="utf-8")
    command = [sys.executable, "-c", SCRIPT, *map(str, files), player]
    environment = os.environ | {"OTHELLO_CACHE_DIR": str(tmp_path / "cache")}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert ran.returncode == 0, ran.stderr
