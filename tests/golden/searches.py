"""Reports of searches in a file: a few positions, every searching player, fixed seeds.

The reports contain the numbers of nodes and simulations and the depth, so they guard the speed on every machine. After
an intended change, `python -m tests.golden.searches` writes new reports, which belong to the same commit.
"""

import json
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.game import Game
from othello.players.levels import opponent
from othello.players.player import choose, final_report
from othello.players.player_registry import configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.player_factory import MCTS_TYPES, ready
from tests.positions import SPEC, format_board, random_game_of, with_empties

FILE: Final = Path(__file__).with_name("searches.json")

BOARDS: Final = {
    "start": "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X",
    "opening": "-------------------X-O----OOO------OXX---XXX------X------------- X",
    "middle": "----X-----XX------XX-O--O-XOXOO--XXXXX--XXXXOOOO-OXO----OX------ X",
    "late": "XOOO--XXOOOOOXX-XOOOXX--XXOOOXX-XOXOOOXOXOOOOXOOXOOOXXOOXOX-OXOO O",
    "pass": "OX" + "-" * 62 + " X",
}

MCTS: Final = " ".join(MCTS_TYPES)
ALL: Final = " ".join(BOARDS)
SOME: Final = "opening late"
LIMITED: Final = {"book": False, "time_limit_seconds": 3600.0}  # such a search cuts more moves
MANY: Final = {"simulation_count": 5000}
TABLE: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    (ALL, "simple_heuristic", {}),
    (ALL, "heuristic", {"depth": 4}),
    (ALL, "heuristic", {"depth": 7}),
    (ALL, MCTS, {}),
    (ALL, "mcts_uct", {"mcts_final_move": "secure"} | MANY),
    (ALL, "mcts_ucb1", {"mcts_final_move": "max"} | MANY),
    (ALL, "mcts_grouping", {"mcts_final_move": "max_robust"} | MANY),
    (SOME, MCTS, {"mcts_tie_break": "random"}),
    (SOME, MCTS, {"mcts_playout_plies": 4}),
    (SOME, MCTS, {"mcts_playouts": 3}),
    (SOME, MCTS, {"mcts_root": "sequential_halving", "mcts_batch": 1}),
    (SOME, "mcts_ucb1", {"mcts_root": "sequential_halving", "simulation_count": 3000}),
    (SOME, "mcts_grouping", {"grouping_opening_plies": 20, "grouping_opening_share": 0.4}),
    (SOME, "mcts_uct", {"mcts_leaf": "evaluation", "mcts_exploration": 0.7}),
    (SOME, "heuristic", {"depth": 4, "heuristic_evaluation": "own", "tie_break": "random"}),
    (SOME, "heuristic", {"depth": 4, "heuristic_terminal_value": "squares"}),
    (SOME, "q_learning", {"learning_episodes": 600, "learning_target": "bootstrap"}),
    (SOME, "sarsa", {"learning_episodes": 600, "learning_epsilon": 0.3, "learning_discount": 0.9}),
    ("start opening middle", "engine", {"depth": 12, "book": False}),
    ("opening middle late", "engine", {"depth": 13} | LIMITED),
    *(("start opening middle late", "engine", {"level": level}) for level in range(1, 10)),
    ("middle", "engine", {"depth": 9, "probcut_margin": 0.3}),
    ("start", "engine", {"depth": 60, "time_limit_seconds": 0.6}),  # no search reaches the depth of the book
    *(("start", "engine", {"depth": 8, "book_tolerance_discs": tolerance}) for tolerance in (0.0, 8.0)),
)
ENDS: Final = [*with_empties(20, 14), *with_empties(1, 18), *with_empties(1, 21)]
FEWEST: Final = game_spec("othello", {"goal": "fewest"}), format_board(with_empties(1, 17)[0])
SMALL: Final = tuple(rules_of(game_spec(game)) for game in ("tictactoe", "connect_four", "ultimate_tictactoe"))
NINE: Final = SMALL[0].spec, "O---X---- X"

CASES: Final[dict[str, tuple[GameSpec, str, PlayerConfig]]] = (
    {
        f"{board}, {kind}, {options}": (SPEC, BOARDS[board], configure(kind, **options))
        for boards, kinds, options in TABLE
        for board in boards.split()
        for kind in kinds.split()
    }
    | {
        f"tictactoe, {kind}, solver {proves}": (*NINE, configure(kind, mcts_solver=proves))
        for kind in MCTS_TYPES
        for proves in (True, False)
    }
    | {
        f"{rules.spec.game}, {player.name}": (rules.spec, rules.format_position(line.positions[plies]), player)
        for rules, line in ((rules, random_game_of(rules, 3)) for rules in SMALL)
        for plies, player in (
            *((6, player) for player in (configure("heuristic", depth=2), *map(configure, ("q_learning", "sarsa")))),
            *((0, opponent(level, f"level {level}")) for level in (1, 3, 6)),
        )
    }
    | {
        f"end game {number}, engine": (SPEC, format_board(position), configure("engine", depth=60))
        for number, position in enumerate(ENDS, start=1)
    }
    | {"end game, fewest discs win": (*FEWEST, configure("random", endgame_empties=17))}
    | {
        f"analysis, {board}, {player.player_type}": (SPEC, BOARDS[board], player)
        for board in ("opening", "late", "pass")
        for player in (configure("engine", depth=8, book=False), configure("heuristic", depth=3), configure("mcts_uct"))
    }
)


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
    return json.loads(FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


if __name__ == "__main__":
    lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(search(case))}" for case in CASES)
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(CASES)} reports written to {FILE}")
