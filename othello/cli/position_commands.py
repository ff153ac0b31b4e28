"""`othello perft`, `analyse`, `bench` and `compile`."""

import argparse
import contextlib
import json
import platform
import time
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any, Final

import othello
from othello.cli.messages import tell
from othello.config_file import load, player_of
from othello.errors import CommandError, OthelloError, Reason
from othello.game import AnyGame, Game
from othello.kernel.interrupt import interruptible
from othello.machine import cores
from othello.players.compilation import compile_all
from othello.players.player import Player, final_report
from othello.players.player_registry import OPTIONS, counts_of, create_player, unused
from othello.records.formats.parsed_game import ParsedGame, fault_at
from othello.records.readers import read_games
from othello.records.transcript import parse_transcript
from othello.rules.protocol import GameSpec, P, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.report import BoundTerms, SearchReport, Unit
from othello.search.stop import StopFlag

# Short names of options on the command line.
PLAYER_OPTIONS: Final = {"--depth": "depth", "--simulations": "simulation_count", "--level": "level"}
# The options of a command's player, without its time.
SERVED_OPTIONS: Final = {
    f"--{key.replace('_', '-')}": option
    for key, option in OPTIONS.items()
    if key not in ("name", "player_color", "time_limit_seconds", "clock_seconds", "increment_seconds")
}


def rules_from(arguments: argparse.Namespace) -> Rules[Position]:
    """Return the rules of `--config`, or the standard ones."""
    return rules_of(game_spec() if arguments.config is None else load(arguments.config).game)


def game_from(arguments: argparse.Namespace) -> AnyGame:
    """Return the game of `--moves` from the position of `--board`."""
    rules = rules_from(arguments)
    start = rules.start() if arguments.board is None else rules.parse_position(arguments.board)
    return Game.new(rules, start) if arguments.moves is None else parse_transcript(arguments.moves, rules, start)


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


def player_entry(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the player as an entry of `players`, and print a message for those that it ignores."""
    given = {option.name: getattr(arguments, option.name) for option in SERVED_OPTIONS.values()}
    for name, option in SERVED_OPTIONS.items():
        if (reason := unused(option.name, arguments.player)) and given[option.name] is not None:
            short = next((short for short, key in PLAYER_OPTIONS.items() if key == option.name), name)
            tell(f"{short}: {reason}")
    return {key: value for key, value in given.items() if value is not None}


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
        for index, each in enumerate(found, 1):
            try:
                if isinstance(each, OthelloError):
                    raise each
                game = each.opened.tree.game if isinstance(each, ParsedGame) else each
                _check_unfinished(game)
                if (spec := game.rules.spec) not in players:
                    players[spec] = stack.enter_context(create_player(config, spec))
                report = _searched(game, players[spec], arguments.seed)
            except OthelloError as error:
                if file is None:
                    raise
                errors += 1
                reason = error.reason if error is each else fault_at(index, 0, error).reason
                tell(str(Reason("in_file", {"path": file, "reason": reason})))
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
    best_first = sorted(report.moves, key=lambda each: (each.value is not None, each.value, each.visits), reverse=True)
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
    if report.simulations:
        counted = f"{counts_of(report.player):<11} {report.simulations}"
        lines.append(f"{counted} ({report.simulations_per_second:.0f} a second)")
    lines += [f"nodes       {report.nodes}", f"depth       {report.depth}", f"seconds     {report.seconds:.3f}"]
    if report.is_certain:
        lines.append("note        solved: perfect play from here")
    if report.from_book:
        lines.append("note        from the opening book: nothing was searched")
    if report.is_full:
        lines.append("note        the tree is full and grows no further")
    return "\n".join(lines)


def value_text(value: float | None, unit: Unit) -> str:
    """Format a value: chances in per cent, other values with their sign."""
    if value is None:
        return "-"
    return f"{100 * value:.1f} %" if unit is Unit.REWARD else f"{value:+.0f}"


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


def compile_kernels(arguments: argparse.Namespace) -> None:
    """Compile everything, and show the progress."""
    from othello.cli.progress import show_share

    with contextlib.closing(compile_all(min(arguments.processes or cores(), cores()))) as counts:
        show_share(counts)
    print("All is compiled.")
