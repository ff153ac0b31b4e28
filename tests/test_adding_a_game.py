"""The game of docs/adding-a-game.md, as it stands there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = """
import sys, importlib.util
from othello.rules import registry
for name, path in (("apart", sys.argv[1]), ("apart_kernels", sys.argv[2])):
    spec = importlib.util.spec_from_file_location(f"othello.rules.{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"othello.rules.{name}"] = module
    spec.loader.exec_module(module)
from othello.rules.apart import Apart
registry.GAMES["apart"] = Apart
from tests.contract import test_games, test_matches
rules = registry.rules_of(registry.game_spec("apart"))
test_games.test_a_random_game_keeps_to_the_protocol(rules, 1)
test_games.test_the_compiled_face_plays_the_same_game(rules, 1)
test_games.test_playouts_end_as_games_do(rules)
for player in ("random", "heuristic", "mcts_uct"):
    test_matches.test_a_match(player, rules)
"""


def test_the_pages_game_is_played(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    files = [tmp_path / "apart.py", tmp_path / "apart_kernels.py"]
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, encoding="utf-8")
    command = [sys.executable, "-c", SCRIPT, *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
