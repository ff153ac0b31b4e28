"""Replays parsed games in batches: adds forced passes, and turns illegal moves into errors with game, line and move."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from othello.errors import OthelloError
from othello.game import Game
from othello.records.formats.parsed_game import UNKNOWN_COLOR, MoveInfo, ParsedGame, in_game, tree_of, wrong_side
from othello.records.transcript import forced_passes, not_legal
from othello.rules.protocol import Move

_AT_ONCE: Final = 1024  # games per batch, after the first batches
_FEW: Final = 64
_MAX_PLIES: Final = 128  # more than the longest game


def replayed(parsed_games: Iterable[ParsedGame | OthelloError]) -> Iterator[ParsedGame | OthelloError]:
    """Yield the games with all passes, or an error for each invalid one."""
    waiting, count = iter(parsed_games), 1  # a batch of one first, to return the first game at once
    while batch := [*islice(waiting, count)]:
        count = min(_FEW * count, _AT_ONCE)
        open_ = [item for item in batch if isinstance(item, ParsedGame) and item.whole is None]
        lines = {id(item): _lines(item) if item.branches else [(item.moves, b"")] for item in open_}
        played = _played(open_, lines)
        for item in batch:
            if not isinstance(item, ParsedGame) or id(item) not in played:
                yield item
            elif item.branches:
                yield _check_branches(item, lines[id(item)], played[id(item)])
            else:
                yield _check_line(item, played[id(item)][0])


def _played(
    parsed_games: Sequence[ParsedGame], lines: Mapping[int, Sequence[tuple[Sequence[Move], bytes]]]
) -> Mapping[int, list[Sequence[Move] | None]]:
    """Return the moves with passes of all lines of each game, by its id; None for a line with an illegal move."""
    played: dict[int, list[Sequence[Move] | None]] = {}
    for group in _by_rules(parsed_games):
        games = [(item.begun, line) for item in group for line, _ in lines[id(item)]]
        results = iter(group[0].rules.all_replayed(games) if games else ())
        played |= {id(item): [*islice(results, len(lines[id(item)]))] for item in group}
    return played


def _by_rules(parsed_games: Iterable[ParsedGame]) -> Iterable[list[ParsedGame]]:
    groups: dict[int, list[ParsedGame]] = {}
    for parsed in parsed_games:
        groups.setdefault(id(parsed.rules), []).append(parsed)
    return groups.values()


def _check_line(parsed: ParsedGame, moves: Sequence[Move] | None) -> ParsedGame | OthelloError:
    if moves is None:
        return in_game(parsed, _first_fault(parsed))
    if parsed.colors:
        first, colors = parsed.begun.to_move, iter(parsed.colors)
        for ply, move in enumerate(moves):
            if not parsed.rules.is_pass(move) and next(colors) != (first ^ ply & 1):
                game = Game.new(parsed.rules, parsed.start).after(moves[:ply])
                return in_game(parsed, wrong_side(game, move, ply + 1))
    if len(moves) == len(parsed.moves):
        return parsed
    return replace(parsed, moves=moves, details=_align_details(parsed, moves))


def _align_details(parsed: ParsedGame, moves: Sequence[Move]) -> Sequence[MoveInfo]:
    """Return a detail for every move, including passes that were not written."""
    if not parsed.details:
        return ()
    written, index = parsed.details, 0
    details = []
    for move in moves:
        is_written = index < len(written) and parsed.moves[index] == move
        details.append(written[index] if is_written else MoveInfo())
        index += is_written
    return details


def _first_fault(parsed: ParsedGame) -> OthelloError:
    """Return the error for the first illegal move."""
    game = Game.new(parsed.rules, parsed.start)
    for number, move in enumerate(parsed.moves, 1):
        if not parsed.rules.is_pass(move):
            game = forced_passes(game)
        if move not in game.legal_moves():
            return not_legal(game, parsed.rules.move_text(game.position, move), number)
        game = game.play(move)
    raise AssertionError("all moves are legal")


def _lines(parsed: ParsedGame) -> list[tuple[Sequence[Move], bytes]]:
    """Return the lines of a game with variations, the game first, and the written colours of moves that are no passes.

    The list is empty if the moves must be checked one by one: a move occurs twice, or a pass is written in one line
    only.
    """
    paths, colors, first, after_pass = list[tuple[Move, ...]]([()]), [b""], dict[int, int](), set[int]()
    for number, (after, move, _, color) in enumerate(parsed.branches, 1):
        is_pass = parsed.rules.is_pass(move)
        if len(paths[after]) == _MAX_PLIES or after in after_pass or (is_pass and after in first):
            return []
        if is_pass:
            after_pass.add(after)
        paths.append((*paths[after], move))
        colors.append(colors[after] + (b"" if is_pass else bytes((UNKNOWN_COLOR if color is None else color,))))
        first.setdefault(after, number)
    if len({*paths}) < len(paths):
        return []
    last = 0
    while last in first:
        last = first[last]
    ends = {*range(1, len(paths))} - {*first, last}
    return [(paths[end], colors[end]) for end in (last, *sorted(ends))]


def _check_branches(
    parsed: ParsedGame, lines: Sequence[tuple[Sequence[Move], bytes]], played: Sequence[Sequence[Move] | None]
) -> ParsedGame | OthelloError:
    """Return the game with all passes. Illegal variations become notes."""
    written = zip(lines, played, strict=True)
    valid = [moves for (_, colors), moves in written if moves and _colors_match(parsed, colors, moves)]
    if lines and len(valid) == len(lines):
        return replace(parsed, moves=valid[0])
    try:
        tree = tree_of(parsed)
    except OthelloError as error:
        return in_game(parsed, error)
    return replace(parsed, moves=tree.game.moves, branches=(), note="", whole=parsed.to_game_file(tree))


def _colors_match(parsed: ParsedGame, colors: bytes, moves: Sequence[Move]) -> bool:
    """Return whether the written colours of the moves are the sides that make them."""
    first, is_pass = parsed.begun.to_move, parsed.rules.is_pass
    sides = bytes(first ^ ply & 1 for ply, move in enumerate(moves) if not is_pass(move))
    return colors == sides or all(color in (UNKNOWN_COLOR, side) for color, side in zip(colors, sides, strict=True))


def with_ends(parsed_games: Iterable[ParsedGame]) -> Iterator[ParsedGame]:
    """Yield the games with their last positions, which are computed in batches because that is faster."""
    waiting = iter(parsed_games)
    while batch := [*islice(waiting, _AT_ONCE)]:
        for group in _by_rules(parsed for parsed in batch if parsed.whole is None):
            ends = group[0].rules.all_ended([(parsed.begun, parsed.moves) for parsed in group])
            for parsed, end in zip(group, ends, strict=True):
                vars(parsed)["end"] = end  # fills the cached property
        yield from batch
