"""The searches whose reports are kept: a few positions, every searching player, fixed seeds.

After a search was changed on purpose, `python -m tests.golden.searches` writes the reports anew; the difference in the
JSON file then belongs to the same commit.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.players.player_registry import configure
from tests.player_factory import answer
from tests.positions import parse_board

FILE: Final = Path(__file__).with_name("searches.json")

BOARDS: Final = {
    "start": "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X",
    "opening": "-------------------X-O----OOO------OXX---XXX------X------------- X",
    "middle": "----X-----XX------XX-O--O-XOXOO--XXXXX--XXXXOOOO-OXO----OX------ X",
    "late": "XOOO--XXOOOOOXX-XOOOXX--XXOOOXX-XOXOOOXOXOOOOXOOXOOOXXOOXOX-OXOO O",
    "pass": "OX" + "-" * 62 + " X",
}

PLAYERS: Final = (
    configure("simple_heuristic"),
    configure("heuristic", depth=4),
    configure("heuristic", depth=7),
    configure("mcts_uct"),
    configure("mcts_uct", simulation_count=5000, mcts_final_move="secure"),
    configure("mcts_ucb1"),
    configure("mcts_ucb1", simulation_count=5000, mcts_final_move="max"),
    configure("mcts_grouping"),
    configure("mcts_grouping", simulation_count=5000, mcts_final_move="max_robust"),
)


def name(board: str, player: PlayerConfig) -> str:
    told = {"depth": 6, "mcts_final_move": "robust"} | asdict(player)
    budget = (
        f"depth {told['depth']}" if "heuristic" in player.player_type else f"{told['simulation_count']} simulations"
    )
    return f"{board}, {player.player_type}, {budget}, {told['mcts_final_move']}"


CASES: Final = {name(board, player): (BOARDS[board], player) for board in BOARDS for player in PLAYERS}


def search(case: str) -> dict[str, Any]:
    """Return the contents of a report without its time."""
    board, player = CASES[case]
    report = answer(player, parse_board(board), seed=2024)
    return {
        "move": report.move,
        "value": report.value,
        "moves": [[stats.move, stats.visits, stats.value] for stats in report.moves],
        "simulations": report.simulations,
        "nodes": report.nodes,
        "depth": report.depth,
        "pv": list(report.pv),
    }


def kept() -> dict[str, dict[str, Any]]:
    """Return the reports in the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def write() -> None:
    """Search everything and replace the file, one case a line."""
    lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(search(case))}" for case in CASES)
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
    print(f"{len(CASES)} reports written to {FILE}")
