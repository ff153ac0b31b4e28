"""Reports of searches in a file: a few positions, every searching player with many options, fixed seeds.

The reports contain the numbers of nodes and simulations and the depth, so they guard the speed on every machine. After
an intended change or with more tasks in the file, `python -m tests.golden.searches` writes new reports, which belong to
the same commit.
"""

import json
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.game import Game
from othello.players.player import choose, final_report
from othello.players.player_registry import configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.player_factory import ready

FILE: Final = Path(__file__).with_name("searches.json")


def parse_task(task: dict[str, Any]) -> tuple[GameSpec, str, PlayerConfig]:
    spec = game_spec(task["game"], task["rules"])
    return spec, task["board"], configure(task["player_type"], **task["options"])


STORED: Final[dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
CASES: Final = {case: parse_task(stored["task"]) for case, stored in STORED.items()}


def search(case: str) -> dict[str, Any]:
    """Return the contents of a report without its time."""
    spec, board, player = CASES[case]
    rules = rules_of(spec)
    game, searcher = Game.new(rules, rules.parse_position(board)), ready(player, 2024, spec)
    if player.time_limit_seconds is not None:
        choose(searcher, game)  # its table is used by the next search
    if not case.startswith("analysis"):
        return facts(choose(searcher, game))
    first = game.legal_moves()[0]
    searcher.expanded_lines = (), (first,)
    report = final_report(searcher, searcher.analyse(game, StopFlag()))
    below = {str(line): [[stats.move, stats.visits] for stats in moves] for line, moves in report.below.items()}
    return facts(report) | {"below": below}


def facts(report: SearchReport) -> dict[str, Any]:
    names = "move", "value", "moves", "simulations", "nodes", "depth", "pv"
    moves = [[stats.move, stats.visits, stats.value] for stats in report.moves]
    more = {
        "unit": report.unit.value,
        "chance": report.chance and round(report.chance, 5),
        "certain": report.is_certain,
        "full": report.is_full,
        "exact": [stats.move for stats in report.moves if stats.exact],
        "proven": [stats.move for stats in report.moves if stats.is_proven],
        "bounds": [round(stats.terms.bound, 4) for stats in report.moves if stats.terms],
    }
    return {name: getattr(report, name) for name in names} | {"moves": moves, "pv": list(report.pv)} | more


def reports() -> dict[str, dict[str, Any]]:
    return {case: stored["report"] for case, stored in STORED.items()}


if __name__ == "__main__":
    entries = {case: {"task": stored["task"], "report": search(case)} for case, stored in STORED.items()}
    lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(entry)}" for case, entry in entries.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(CASES)} reports written to {FILE}")
