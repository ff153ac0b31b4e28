"""Sheets are replayed, many at a time: passes that the rules force are added, errors name game, line and move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from othello.errors import OthelloError, TranscriptError
from othello.game import AnyGame, Game, GameTree, Node
from othello.records.formats.sheet import Detail, Found, Sheet, in_game
from othello.records.formats.written import joined
from othello.records.game_file import Known
from othello.records.transcript import forced_passes, not_legal
from othello.rules.protocol import Move

_AT_ONCE: Final = 1024  # sheets that are replayed together, after the first few
_FEW: Final = 64
_BLANK: Final = Known()


def replayed(sheets: Iterable[Found]) -> Iterator[Found]:
    """The sheets with all passes, or what is wrong with them."""
    waiting, count = iter(sheets), 1  # the first is wanted at once
    while batch := [*islice(waiting, count)]:
        count = min(_FEW * count, _AT_ONCE)
        straight = (each for each in batch if isinstance(each, Sheet) and not each.branches and each.file is None)
        played: dict[int, bytes | None] = {}
        for group in _by_rules(straight):
            found = group[0].rules.all_replayed([(each.begun, each.moves) for each in group])
            played |= zip(map(id, group), found, strict=True)
        for each in batch:
            yield _checked(each, played[id(each)]) if id(each) in played else _branched(each)


def _by_rules(sheets: Iterable[Sheet]) -> Iterable[list[Sheet]]:
    groups: dict[int, list[Sheet]] = {}
    for each in sheets:
        groups.setdefault(id(each.rules), []).append(each)
    return groups.values()


def _checked(found: Found, moves: bytes | None) -> Found:
    assert isinstance(found, Sheet)
    sheet = found
    if moves is None:
        return in_game(sheet, _first_fault(sheet))
    if sheet.colors:
        first, told = sheet.begun.to_move, iter(sheet.colors)
        for ply, move in enumerate(moves):
            if not sheet.rules.is_pass(move) and next(told) != (first ^ ply & 1):
                return in_game(sheet, wrong_side(Game.new(sheet.rules, sheet.start).after(moves[:ply]), move, ply + 1))
    return sheet if moves == sheet.moves else replace(sheet, moves=moves, details=_aligned(sheet, moves))


def _aligned(sheet: Sheet, moves: bytes) -> Sequence[Detail]:
    """A detail for every move, the passes that nobody has written included."""
    if not sheet.details:
        return ()
    told, next_told = sheet.details, 0
    details = []
    for move in moves:
        is_told = next_told < len(told) and sheet.moves[next_told] == move
        details.append(told[next_told] if is_told else Detail())
        next_told += is_told
    return details


def _first_fault(sheet: Sheet) -> OthelloError:
    """What is wrong with the first move that is not legal."""
    game = Game.new(sheet.rules, sheet.start)
    for number, move in enumerate(sheet.moves, 1):
        if not sheet.rules.is_pass(move):
            game = forced_passes(game)
        if move not in game.legal_moves():
            return not_legal(game, sheet.rules.move_text(game.position, move), number)
        game = game.play(move)
    raise AssertionError("all moves are legal")


def wrong_side(game: AnyGame, move: Move, number: int) -> OthelloError:
    """What is wrong with a move of the side that is not to move."""
    return TranscriptError(f"turn_of_{game.to_move.label}", number=number, move=game.text_of(move))


def _branched(found: Found) -> Found:
    """The sheet with the tree that its branches make."""
    if not isinstance(found, Sheet) or found.file is not None:
        return found
    try:
        tree = _tree(found)
    except OthelloError as error:
        return in_game(found, error)
    game = tree.game
    sheet = replace(found, moves=bytes(game.moves), branches=(), note="")
    return replace(sheet, file=sheet._with(tree))


def with_ends(sheets: Iterable[Sheet]) -> Iterator[Sheet]:
    """The sheets, whose last positions are known: many are found together in less time."""
    waiting = iter(sheets)
    while batch := [*islice(waiting, _AT_ONCE)]:
        for group in _by_rules(each for each in batch if each.file is None):
            ends = group[0].rules.all_ended([(each.begun, each.moves) for each in group])
            for each, end in zip(group, ends, strict=True):
                vars(each)["end"] = end  # as the property keeps it
        yield from batch


class _Grown:
    """A position of a tree that is being made."""

    def __init__(self, game: AnyGame, note: str, number: int) -> None:
        self.game, self.note, self.number = game, note, number
        self.children: dict[Move, _Grown] = {}

    def grow(self, move: Move, note: str, number: int) -> _Grown:
        """The position after a move, which may have been tried before."""
        child = self.children.get(move)
        if child is None:
            child = self.children[move] = _Grown(self.game.play(move), note, number)
        elif note not in child.note:
            child.note = joined(child.note, note)
        return child

    def passed(self, number: int) -> _Grown:
        return self.grow(self.game.legal_moves()[0], "", number) if self.game.must_pass else self


def _tree(sheet: Sheet) -> GameTree[Known]:
    root = _Grown(Game.new(sheet.rules, sheet.start), sheet.note, 0)
    grown = [root]
    for branch in sheet.branches:
        before = grown[branch.after]
        number = before.number + 1
        if not sheet.rules.is_pass(branch.move):
            before = before.passed(before.number)
        game = before.game
        if branch.move not in game.legal_moves():
            raise not_legal(game, sheet.rules.move_text(game.position, branch.move), number)
        if branch.color not in (None, game.to_move):
            raise wrong_side(game, branch.move, number)
        grown.append(before.grow(branch.move, branch.note, number))
    last = root
    while last.children:
        last = next(iter(last.children.values()))
    last = last.passed(0)
    return GameTree(last.game, last.game, _node(root), Known())


def _node(grown: _Grown) -> Node[Known]:
    """No game is so long that this went too deep."""
    known = Known(note=grown.note) if grown.note else _BLANK
    return Node(known, {move: _node(child) for move, child in grown.children.items()})
