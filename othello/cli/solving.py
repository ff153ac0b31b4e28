"""`othello solve`: end games of Othello and whole games of the small ones, exactly."""

from __future__ import annotations

import argparse
import codecs
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from othello.cli.messages import tell
from othello.cli.positions import game_from, rules_from
from othello.engine import solves
from othello.errors import BoardTextError, CommandError, Reason, TranscriptError
from othello.frozen import Frozen
from othello.game import Game
from othello.kernel.interrupt import interruptible
from othello.players.heuristic_player import HeuristicConfig, HeuristicPlayer
from othello.players.registry import OPTIONS
from othello.reading import read_bytes
from othello.rules.protocol import Position, Rules
from othello.schema import shown
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    from othello.engine.endgame import EndgameResult

_MOST_BYTES: Final = 1 << 24
_MOST_NOTICES: Final = 20
_PATIENCE_SECONDS: Final = 60.0  # for a position of a game that only alpha-beta solves
_AGREES: Final = "as listed"


class Problem(Frozen):
    """A position, with the scores of moves where a file lists them; `index` counts all lines of the file, from 1."""

    index: int
    position: Position
    listed: dict[str, int]


def solve(arguments: argparse.Namespace) -> None:
    """Solve the positions of a file, or a single position, and print the results line by line.

    Raises:
        FileError: the file cannot be read.
        CommandError: not every line is a position, or not all are solved in time. The others have been solved.
    """
    if (arguments.file is None) == (arguments.board is None and arguments.moves is None):
        raise CommandError("solve_what")
    faults: list[str] = []
    if arguments.file is None:
        game = game_from(arguments)
        rules, problems = game.rules, [Problem(1, game.position, {})]
    else:
        rules = rules_from(arguments)
        problems, faults = _problems(arguments.file, rules)
    limit = arguments.time or (None if solves(rules) else _PATIENCE_SECONDS)
    solved: list[tuple[EndgameResult, str]] = []
    late: list[str] = []
    solver = _solver(rules) if problems else None
    for problem in problems:
        assert solver is not None
        stop = StopFlag()
        with Deadline(limit, stop):
            solution = interruptible(partial(solver, problem.position, stop))
        if solution is None:
            late.append(str(problem.index))
            continue
        solved.append((solution, _verdict(problem, solution, rules)))
        _print_solution(problem, *solved[-1], rules, as_json=arguments.json)
    if solved and not arguments.json:
        _print_sum(solved)
    if late:
        faults.append(f"not solved in {limit:g} s, which --time S changes: {', '.join(late)}")
    if faults:
        reason = Reason("; ".join(faults))
        file = arguments.file
        raise CommandError(reason if file is None else Reason("in_file", {"path": file, "reason": reason}))


def _print_sum(solved: Sequence[tuple[EndgameResult, str]]) -> None:
    nodes, seconds = (sum(getattr(solution, key) for solution, _ in solved) for key in ("nodes", "seconds"))
    speed = nodes / max(seconds, 1e-9)
    number = f"{len(solved)} position{'s' * (len(solved) != 1)}"
    print(f"{number}, {nodes:,} nodes, {seconds:.2f} s, {speed:,.0f} nodes a second")
    verdicts = [verdict for _, verdict in solved if verdict]
    if verdicts:
        print(f"{verdicts.count(_AGREES)} of {len(verdicts)} as listed")


def _verdict(problem: Problem, solution: EndgameResult, rules: Rules[Position]) -> str:
    """Whether a solution is what the file lists; empty where it lists nothing."""
    if not problem.listed or not solution.pv:
        return ""
    best = max(problem.listed.values())
    agrees = solution.score == best == problem.listed.get(rules.move_text(problem.position, solution.pv[0]))
    return _AGREES if agrees else f"listed: {best:+d}"


def _print_solution(
    problem: Problem, solution: EndgameResult, verdict: str, rules: Rules[Position], *, as_json: bool
) -> None:
    line = Game.new(rules, problem.position).texts_of(solution.pv)
    if as_json:
        row = {
            "index": problem.index,
            "board": rules.format_position(problem.position),
            "move": line[0] if line else None,
            "score": solution.score,
            "pv": line,
            "nodes": solution.nodes,
            "seconds": round(solution.seconds, 6),
        }
        print(json.dumps(row), flush=True)
        return
    score = f"{line[0] if line else 'over':<5}{solution.score:+3d}"
    figures = f"{solution.nodes:>14,} nodes {solution.seconds:>9.3f} s"
    empties = rules.moves_left(problem.position)
    print(f"{problem.index:>3} {empties:>3} empties  {score}{figures}  {verdict:<11} {' '.join(line)}", flush=True)


_Solver: TypeAlias = "Callable[[Position, StopFlag], EndgameResult | None]"
"""Games that do not count discs are won by 1, 0 or -1."""


def _solver(rules: Rules[Position]) -> _Solver:
    """What solves such games: the engine's end game, or else alpha-beta; compiled, so that this is not timed."""
    from othello.engine.endgame import solve as solve_end
    from othello.engine.endgame import warm_up

    if not solves(rules):
        most = int(OPTIONS["depth"].maximum or 0)
        player = HeuristicPlayer(HeuristicConfig("heuristic", depth=min(rules.max_plies, most)), rules)
        interruptible(player.prepare)
        return partial(_by_alphabeta, player)

    interruptible(lambda: warm_up(rules))
    return partial(solve_end, rules=rules)


def _by_alphabeta(player: HeuristicPlayer, position: Position, stop: StopFlag) -> EndgameResult | None:
    """The winner of a game in which nothing else counts, by a search that is deepened until every line has ended."""
    from othello.engine.endgame import EndgameResult
    from othello.search.alphabeta import WIN

    game, depth = Game.new(player.rules, position), player.config.depth
    if game.outcome is not None:
        winner = game.outcome.winner
        return EndgameResult(0 if winner is None else 1 if winner is game.to_move else -1, (), {}, 0, 0.0)
    for report in player.think(game, stop):
        assert report.value is not None
        is_won = abs(report.value) >= WIN
        sees_all = report.depth < depth or depth >= player.rules.moves_left(position)
        if is_won or (report.final and sees_all and not stop.is_set):
            score = int(math.copysign(1, report.value)) if is_won else 0
            return EndgameResult(score, report.pv, {}, report.nodes, report.seconds)
    return None


def _problems(file: Path, rules: Rules[Position]) -> tuple[list[Problem], list[str]]:
    """The positions of an .obf file, a board text a line, then `;` and what is known of its moves; and what is wrong.

    What is listed but cannot be is told and left out: published files have such values, and the positions are right.
    """
    problems: list[Problem] = []
    faults: list[tuple[int, str]] = []
    notices: list[str] = []
    content = read_bytes(file, _MOST_BYTES, takes_pipes=True).removeprefix(codecs.BOM_UTF8)
    for number, line in enumerate(content.split(b"\n"), start=1):
        try:
            board, *known = line.split(b"%", maxsplit=1)[0].decode().split(";")
            if not board.strip():
                continue
            problem = Problem(len(problems) + len(faults) + 1, rules.parse_position(board), {})
        except UnicodeDecodeError as error:
            faults.append((number, f"byte {line[error.start]:#04x} is not UTF-8"))
            continue
        except BoardTextError as error:
            faults.append((number, str(error)))
            continue
        problems.append(problem)
        for part in known:
            reason = _add_listed(problem, part, rules)
            if reason:
                notices.append(f"{file}: line {number}: {shown(part.strip())} is left out: {reason}")
    for notice in notices[:_MOST_NOTICES]:
        tell(notice)
    if len(notices) > _MOST_NOTICES:
        tell(f"{file}: {len(notices) - _MOST_NOTICES} more listed values are left out")
    return problems, _faults(problems, faults)


def _faults(problems: Sequence[Problem], faults: Sequence[tuple[int, str]]) -> list[str]:
    """What is wrong with a file's lines, in one sentence or none."""
    if not faults:
        return [] if problems else ["holds no positions; a line is a position as --board takes it, and a ;"]
    (number, first), *others = faults
    also = ", ".join(str(line) for line, _ in others[:_MOST_NOTICES])
    ending = ", ..." if len(others) > _MOST_NOTICES else ""
    return [f"line {number}: {first}" + (f"; nor are these lines positions: {also}{ending}" if others else "")]


def _add_listed(problem: Problem, part: str, rules: Rules[Position]) -> str:
    """Add a score that a line lists, such as `D3:+4`; says why not where that cannot be. Remarks are passed over."""
    if ":" not in part:
        return ""
    game = Game.new(rules, problem.position)
    move_text, score_text = part.split(":", maxsplit=1)
    try:
        move, score = game.text_of(rules.parse_move(problem.position, move_text)), int(score_text)
    except (TranscriptError, ValueError):
        return "is no score of a move, such as D3:+4"
    legal = list(map(game.text_of, game.legal_moves()))
    if move not in legal:
        return f"{move} is no legal move here; legal: {' '.join(legal) or 'none, the game is over'}"
    most = rules.columns * rules.rows if rules.points else 1
    if abs(score) > most:
        return f"no game ends with {abs(score)} {rules.points or 'points'} more"
    problem.listed[move] = score
    return ""
