"""`othello perft`, `analyse`, `solve`, `bench` and `compile`."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import othello
from othello.cli.arguments import (
    Parser,
    add_player,
    add_position,
    parse_seconds,
    parse_seed,
    player_entry,
    whole_number,
)
from othello.cli.messages import print_message
from othello.config_file import load, player_of
from othello.engine import solves
from othello.errors import BoardTextError, CommandError, OthelloError, Reason, TranscriptError
from othello.files import read_bytes
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.kernel.interrupt import interruptible
from othello.machine import cores
from othello.players.compilation import compile_all
from othello.players.heuristic_player import HeuristicConfig, HeuristicPlayer
from othello.players.player import Player, final_report
from othello.players.player_registry import OPTIONS, counts_of, create_player
from othello.records.formats.parsed_game import ParsedGame, fault_at
from othello.records.game_file import MAX_BYTES
from othello.records.readers import read_games
from othello.records.transcript import parse_transcript
from othello.rules.protocol import GameSpec, P, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.schema import shown
from othello.search.report import BoundTerms, SearchReport, value_text
from othello.search.stop import Deadline, StopFlag
from othello.texts import number, tr

if TYPE_CHECKING:
    from othello.engine.endgame import EndgameResult

_MAX_NOTICES: Final = 20
_TIME_LIMIT: Final = 60.0  # seconds for a position of a game that only alpha-beta solves


def rules_from(arguments: argparse.Namespace) -> Rules[Position]:
    """Return the rules of `--config`, or the standard ones."""
    return rules_of(game_spec() if arguments.config is None else load(arguments.config).game)


def game_from(arguments: argparse.Namespace) -> AnyGame:
    """Return the game of `--moves` from the position of `--board`."""
    rules = rules_from(arguments)
    return game_after(rules, arguments.moves, arguments.board)


def game_after(rules: Rules[Position], moves: str | None, board: str | None = None) -> AnyGame:
    """Return the game with these moves, from the position of a board text or from the start."""
    start = rules.start() if board is None else rules.parse_position(board)
    return Game.new(rules, start) if moves is None else parse_transcript(moves, rules, start)


def declare_perft(parser: Parser) -> None:
    add = parser.add_argument
    add("depth", type=whole_number(0, 60), metavar="DEPTH", help="plies; a pass is a ply")
    add_position(parser)
    add("--divide", action="store_true", help="show the number of leaves after every first move")


def perft(arguments: argparse.Namespace) -> None:
    """Count the leaves of the game tree below a position."""
    game = game_from(arguments)
    rules, position = game.rules, game.position
    _leaves(rules, position, min(arguments.depth, 2))  # compile before the time is measured
    began = time.perf_counter()
    if arguments.divide and arguments.depth > 0:
        leaves = 0
        for move in rules.legal_moves(position):
            after = rules.play(position, move)
            below = _leaves(rules, after, arguments.depth - 1)
            print(f"{game.text_of(move):<4} {below:>20}", flush=True)
            leaves += below
        leaves = leaves or 1  # a finished game is a leaf
    else:
        leaves = _leaves(rules, position, arguments.depth)
    seconds = time.perf_counter() - began
    print(f"leaves     {leaves:>15}")
    print(f"seconds    {seconds:>15.6f}")
    print(f"leaves/s   {leaves / max(seconds, 1e-9):>15.0f}")


def _leaves(rules: Rules[P], position: P, depth: int) -> int:
    return interruptible(lambda: rules.perft(position, depth))


def declare_analyse(parser: Parser) -> None:
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE", help="positions or games in any format of othello convert")
    add_position(parser)
    add_player(parser, "heuristic", " [FILE]")
    add("--time", type=parse_seconds, metavar="S", help="seconds to think, instead of or besides the bounds above")
    text = "the same seed gives the same result (default: %(default)s)"
    add("--seed", type=parse_seed, metavar="N", default=0, help=text)
    add("--json", action="store_true", help="one line of JSON instead of a table")


def analyse(arguments: argparse.Namespace) -> None:
    """Search a position, or the last position of every game in a file, and print the results.

    Raises:
        CommandError: games of the file are over or invalid. All others are searched.
    """
    file, spec = arguments.file, rules_from(arguments).spec
    if file is not None and not (arguments.board is arguments.moves is None):
        raise CommandError("analyse_what")
    found = [game_from(arguments)] if file is None else read_games(file, spec)
    entry = {"player_type": arguments.player, "time_limit_seconds": arguments.time, **player_entry(arguments)}
    config = player_of(entry, {})
    errors = index = 0
    with ExitStack() as stack:
        players: dict[GameSpec, Player] = {}
        for index, item in enumerate(found, 1):
            try:
                if isinstance(item, OthelloError):
                    raise item
                game = item.opened.tree.game if isinstance(item, ParsedGame) else item
                _check_unfinished(game)
                if (spec := game.rules.spec) not in players:
                    players[spec] = stack.enter_context(create_player(config, spec))
                report = _searched(game, players[spec], arguments.seed)
            except OthelloError as error:
                if file is None:
                    raise
                errors += 1
                reason = error.reason if error is item else fault_at(index, 0, error).reason
                print_message(str(Reason("in_file", {"path": file, "reason": reason})))
                continue
            if arguments.json:
                print(json.dumps(({} if file is None else {"index": index}) | _as_json(game, report)), flush=True)
            else:
                print(_as_table(game, report, players[spec].name), end="\n" if file is None else "\n\n", flush=True)
    if errors:
        raise CommandError("games_left_out", count=errors, total=index)


def _check_unfinished(game: AnyGame) -> None:
    if game.outcome is None:
        return
    score = f", {game.outcome.black} : {game.outcome.white}" if game.rules.points else ""
    if game.outcome.engines_differ:
        score += ", {} : {} with the empty squares".format(*game.outcome.counted)
    winner = game.outcome.winner
    result = Reason("drawn") if winner is None else Reason(f"won_{winner.label}")
    raise CommandError("game_ended", result=result, score=score)


def _searched(game: AnyGame, player: Player, seed: int) -> SearchReport:
    interruptible(player.prepare)
    player.new_game(seed)
    return interruptible(lambda: final_report(player, player.analyse(game, StopFlag())))


def _as_json(game: AnyGame, report: SearchReport) -> dict[str, Any]:
    text = game.text_of
    return {
        "player": report.player,
        "board": game.rules.format_position(game.position),
        "move": text(report.move),
        "value": report.value,
        "moves": [
            {"move": text(stats.move), "visits": stats.visits, "value": stats.value}
            | ({"proven": True} if stats.is_proven else {})
            | ({} if stats.terms is None else _terms(stats.terms))
            for stats in report.moves
        ],
        "simulations": report.simulations,
        "nodes": report.nodes,
        "depth": report.depth,
        "pv": game.texts_of(report.pv),
        "seconds": round(report.seconds, 6),
    } | ({"source": "book"} if report.from_book else {})


def _terms(terms: BoundTerms) -> dict[str, float]:
    variance = {} if terms.variance is None else {"variance": terms.variance}
    return {"mean": terms.mean, "bonus": terms.bonus, "bound": terms.bound, **variance}


def _as_table(game: AnyGame, report: SearchReport, name: str) -> str:
    text, unit = game.text_of, report.unit
    best_first = sorted(
        report.moves, key=lambda stats: (stats.value is not None, stats.value, stats.visits), reverse=True
    )
    value, end = value_text(report.value, unit), report.expected_end(game, report.move)
    value += f", on the board {end.black} : {end.white}" if end is not None and end.engines_differ else ""
    lines = [f"{name} plays {text(report.move)} for {game.to_move.label}, value {value}"]
    titles = next((list(_terms(stats.terms)) for stats in best_first if stats.terms is not None), [])
    lines += ["", f"{'move':<6}{'value':>10}{'visits':>14}" + "".join(f"{title:>10}" for title in titles)]
    for stats in best_first:
        terms = {} if stats.terms is None else _terms(stats.terms)
        parts = [f"{terms[title]:.3f}" if title == "variance" else value_text(terms[title], unit) for title in terms]
        columns = "".join(f"{part:>10}" for part in parts or ["-" for _ in titles])
        line = f"{text(stats.move):<6}{value_text(stats.value, unit):>10}{stats.visits:>14}{columns}"
        lines.append(line + "  proven" * stats.is_proven)
    lines += ["", f"line        {' '.join(game.texts_of(report.pv))}"]
    return "\n".join([*lines, *_facts(report)])


def _facts(report: SearchReport) -> Iterator[str]:
    """Yield the size of a search and notes about it, a line each."""
    if report.simulations:
        counted = f"{counts_of(report.player):<11} {report.simulations}"
        yield f"{counted} ({report.simulations_per_second:.0f} a second)"
    yield from (f"nodes       {report.nodes}", f"depth       {report.depth}", f"seconds     {report.seconds:.3f}")
    if report.is_certain:
        yield "note        solved: perfect play from here"
    if report.from_book:
        yield "note        from the opening book: nothing was searched"
    if report.is_full:
        yield "note        the tree is full and grows no further"


class Problem(FrozenDataclass):
    """A position to solve.

    `listed` has the scores of moves if the file has them. `index` counts the positions of the file, from 1.
    """

    index: int
    position: Position
    listed: dict[str, int]


def declare_solve(parser: Parser) -> None:
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE.obf", help="positions as TEXT, one per line")
    add_position(parser)
    limit = "seconds for each position (default: no limit in Othello, 60 in other games)"
    add("--time", type=parse_seconds, metavar="S", help=limit)
    add("--json", action="store_true", help="one line of JSON per position instead of a table")


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
        raise _solve_error(arguments.file, faults)


def _solve_error(file: Path | None, faults: Sequence[Reason]) -> CommandError:
    reason = faults[0] if len(faults) == 1 else Reason("way_out", {"reason": faults[0], "hint": faults[1]})
    return CommandError(reason if file is None else Reason("in_file", {"path": file, "reason": reason}))


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
    from othello.engine.endgame import solve as solve_end, warm_up

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
    content = read_bytes(file, MAX_BYTES, takes_pipes=True).removeprefix(codecs.BOM_UTF8)
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
        print_message(str(notice))
    if len(notices) > _MAX_NOTICES:
        print_message(str(Reason("more_left_out", {"path": file, "count": len(notices) - _MAX_NOTICES})))
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


def declare_bench(parser: Parser) -> None:
    parser.add_argument("--quick", action="store_true", help="take some seconds instead of half a minute")
    parser.add_argument("--json", action="store_true", help="one line of JSON per figure instead of a table")


def bench(arguments: argparse.Namespace) -> None:
    """Measure all kernels and searches, and print a line for each."""
    from othello.bench import figures

    if not arguments.json:
        print(f"othello {othello.__version__}, Python {platform.python_version()}, {platform.machine()}, one core")
        print(f"{'':<29}{'a second':>12} {'':<11}{'run, ms':>8} at")
    for figure in figures(arguments.quick):
        if arguments.json:
            print(json.dumps(asdict(figure)), flush=True)
        else:
            speed = f"{figure.per_second:>12,.0f} {figure.unit:<11}{1000 * figure.seconds:>8.2f}"
            print(f"{figure.name:<29}{speed} {figure.note}", flush=True)


def declare_compile(parser: Parser) -> None:
    text = "number of processes (default: one per core)"
    parser.add_argument("--processes", type=whole_number(1, 256), metavar="N", help=text)


def compile(arguments: argparse.Namespace) -> None:
    """Compile everything, and show the progress."""
    from othello.cli.progress import show_share

    with contextlib.closing(compile_all(min(arguments.processes or cores(), cores()))) as counts:
        show_share(counts)
    print("All is compiled.")
