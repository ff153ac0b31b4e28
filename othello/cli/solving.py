"""`othello solve`: solve endgames of Othello and small games exactly."""

from __future__ import annotations

import argparse
import codecs
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello.cli.messages import tell
from othello.cli.position_commands import game_from, rules_from
from othello.engine import solves
from othello.errors import BoardTextError, CommandError, Reason, TranscriptError
from othello.files import read_bytes
from othello.frozen_dataclass import FrozenDataclass
from othello.game import Game
from othello.kernel.interrupt import interruptible
from othello.players.heuristic_player import HeuristicConfig, HeuristicPlayer
from othello.players.player_registry import OPTIONS
from othello.rules.protocol import Position, Rules
from othello.schema import shown
from othello.search.stop import Deadline, StopFlag
from othello.texts import number, tr

if TYPE_CHECKING:
    from othello.engine.endgame import EndgameResult

_MAX_BYTES: Final = 1 << 24
_MAX_NOTICES: Final = 20
_TIME_LIMIT: Final = 60.0  # seconds for a position of a game that only alpha-beta solves


class Problem(FrozenDataclass):
    """A position to solve.

    `listed` has the scores of moves if the file has them. `index` counts the positions of the file, from 1.
    """

    index: int
    position: Position
    listed: dict[str, int]


def solve(arguments: argparse.Namespace) -> None:
    """Solve the positions of a file or a single position, and print a line for each.

    Raises:
        FileError: the file cannot be read.
        CommandError: some lines are no positions, or some positions were not solved in time. All others are solved.
    """
    if (arguments.file is None) == (arguments.board is None and arguments.moves is None):
        raise CommandError("solve_what")
    faults: list[Reason] = []
    if arguments.file is None:
        game = game_from(arguments)
        rules, problems = game.rules, [Problem(1, game.position, {})]
    else:
        rules = rules_from(arguments)
        problems, faults = _problems(arguments.file, rules)
    limit = arguments.time or (None if solves(rules) else _TIME_LIMIT)
    solved: list[tuple[EndgameResult, bool | None]] = []
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
        solved.append((solution, _agrees(problem, solution, rules)))
        _print_solution(problem, *solved[-1], rules, as_json=arguments.json)
    if solved and not arguments.json:
        _print_sum(solved)
    if late:
        faults.append(Reason("solved_late", {"seconds": number(limit or 0), "lines": ", ".join(late)}))
    if faults:
        reason = faults[0] if len(faults) == 1 else Reason("way_out", {"reason": faults[0], "hint": faults[1]})
        file = arguments.file
        raise CommandError(reason if file is None else Reason("in_file", {"path": file, "reason": reason}))


def _print_sum(solved: Sequence[tuple[EndgameResult, bool | None]]) -> None:
    nodes, seconds = (sum(getattr(solution, key) for solution, _ in solved) for key in ("nodes", "seconds"))
    speed = nodes / max(seconds, 1e-9)
    counted, taken, rate = number(nodes, ","), number(seconds, ".2f"), number(speed, ",.0f")
    print(tr("solve.sum", n=len(solved), nodes=counted, seconds=taken, speed=rate))
    verdicts = [agrees for _, agrees in solved if agrees is not None]
    if verdicts:
        print(tr("solve.agreed", count=sum(verdicts), total=len(verdicts)))


def _agrees(problem: Problem, solution: EndgameResult, rules: Rules[Position]) -> bool | None:
    """Return whether a solution agrees with the scores of the file; None if the file has none."""
    if not problem.listed or not solution.pv:
        return None
    best = max(problem.listed.values())
    return solution.score == best == problem.listed.get(rules.move_text(problem.position, solution.pv[0]))


def _print_solution(
    problem: Problem, solution: EndgameResult, agrees: bool | None, rules: Rules[Position], *, as_json: bool
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
    verdict = ""
    if agrees is not None:
        verdict = tr("solve.agrees") if agrees else tr("solve.differs", score=f"{max(problem.listed.values()):+d}")
    text = tr(
        "solve.row",
        index=f"{problem.index:>3}",
        empties=f"{rules.moves_left(problem.position):>3}",
        score=f"{line[0] if line else tr('solve.over'):<5}{solution.score:+3d}",
        nodes=number(solution.nodes, ">14,"),
        seconds=number(solution.seconds, ">9.3f"),
        verdict=f"{verdict:<11}",
        line=" ".join(line),
    )
    print(text, flush=True)


def _solver(rules: Rules[Position]) -> Callable[[Position, StopFlag], EndgameResult | None]:
    """Return the engine's endgame solver, or alpha-beta for other games, compiled before its time is measured.

    It returns the solution, or None if it was stopped. The score of games without discs is 1, 0 or -1.
    """
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
    """Find the winner by deepening the search until every line has ended."""
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


def _problems(file: Path, rules: Rules[Position]) -> tuple[list[Problem], list[Reason]]:
    """Read an .obf file. Each line has a position, and after `;` the scores of moves.

    Impossible scores are skipped with a message, because some published files have them for valid positions.

    Returns:
        The positions, and the reason if lines are no positions.
    """
    problems: list[Problem] = []
    faults: list[tuple[int, Reason]] = []
    notices: list[Reason] = []
    content = read_bytes(file, _MAX_BYTES, takes_pipes=True).removeprefix(codecs.BOM_UTF8)
    for index, line in enumerate(content.split(b"\n"), start=1):
        try:
            board, *known = line.split(b"%", maxsplit=1)[0].decode().split(";")
            if not board.strip():
                continue
            problem = Problem(len(problems) + len(faults) + 1, rules.parse_position(board), {})
        except UnicodeDecodeError as error:
            faults.append((index, Reason("no_utf8", {"byte": f"{line[error.start]:#04x}"})))
            continue
        except BoardTextError as error:
            faults.append((index, error.reason))
            continue
        problems.append(problem)
        for part in known:
            if (reason := _add_listed(problem, part, rules)) is not None:
                parts = {"path": file, "line": index, "listed": shown(part.strip()), "reason": reason}
                notices.append(Reason("left_out", parts))
    for notice in notices[:_MAX_NOTICES]:
        tell(str(notice))
    if len(notices) > _MAX_NOTICES:
        tell(str(Reason("more_left_out", {"path": file, "count": len(notices) - _MAX_NOTICES})))
    return problems, _faults(problems, faults)


def _faults(problems: Sequence[Problem], faults: Sequence[tuple[int, Reason]]) -> list[Reason]:
    """Return the reason if a file has no positions or bad lines, as a list of at most one."""
    if not faults:
        return [] if problems else [Reason("no_positions")]
    (index, first), *others = faults
    reason = Reason("in_line", {"line": index, "reason": first})
    if not others:
        return [reason]
    also = [*(str(line) for line, _ in others[:_MAX_NOTICES]), *["..."] * (len(others) > _MAX_NOTICES)]
    return [Reason("also_lines", {"reason": reason, "lines": ", ".join(also)})]


def _add_listed(problem: Problem, part: str, rules: Rules[Position]) -> Reason | None:
    """Add a score such as `D3:+4`, and return the reason if it is impossible. A part without a colon is a comment."""
    if ":" not in part:
        return None
    game = Game.new(rules, problem.position)
    move_text, score_text = part.split(":", maxsplit=1)
    try:
        move, score = game.text_of(rules.parse_move(problem.position, move_text)), int(score_text)
    except (TranscriptError, ValueError):
        return Reason("listed_score")
    legal = list(map(game.text_of, game.legal_moves()))
    if move not in legal:
        return Reason("listed_move", {"move": move, "legal": " ".join(legal) or Reason("listed_over")})
    if abs(score) > (rules.columns * rules.rows if rules.points else 1):
        return Reason("listed_most", {"score": f"{score:+d}"})
    problem.listed[move] = score
    return None
