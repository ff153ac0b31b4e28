"""Tests for every registered game: random games, and agreement of the plain and the compiled rules."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello.game import GameTree
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import GameFile, PositionData, format_game
from othello.rules.protocol import NO_MOVE, Color, Move, Rules
from othello.rules.registry import GAMES
from othello.store.database import ALL, Store
from othello.texts import ENGLISH, find_text
from tests import compiled_rules
from tests.positions import random_game_of
from tests.rule_sets import each_rule_set
from tests.rules.test_playouts import in_lock_step, one_at_a_time

EACH_GAME = each_rule_set()


def sign_of_result(rules: Rules[Any], position: Any) -> int:
    """Return 1 if the side to move has won, -1 if it has lost, 0 for a draw."""
    outcome = rules.outcome(position)
    assert outcome is not None
    return 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1


def reached_by_equivalent_moves(rules: Rules[Any], position: Any, *moves: Move) -> bool:
    """Return whether the moves lead to positions with one key."""
    return len({rules.key_of(rules.play(position, move))[0] for move in moves}) == 1


def unsigned(example: Any, state: Any) -> Any:
    """Convert a state that a kernel returned to the types of arguments of kernels."""
    if not isinstance(example, tuple):
        return type(example)(state)
    return type(example)(*map(unsigned, example, state))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_its_name_and_texts(game: str) -> None:
    assert GAMES[game].name == game
    assert all(find_text(f"games.{game}.{text}", ENGLISH) for text in ("title", "summary"))


@EACH_GAME
@pytest.mark.parametrize("seed", range(2))
def test_a_random_game_keeps_to_the_protocol(rules: Rules[Any], seed: int) -> None:
    played = random_game_of(rules, seed)
    game = played.positions
    assert game[0] == rules.start()
    assert game[0].to_move is Color.BLACK
    assert max(len(played.moves), rules.moves_left(game[0])) <= rules.max_plies
    count = sum(not rules.is_pass(move) for move in played.moves)
    assert rules.moves_left(game[0]) >= count
    assert rules.moves_made(game[-1]) >= count
    for (position, after), chosen in zip(pairwise(game), played.moves, strict=True):
        moves = rules.legal_moves(position)
        assert 1 <= len(moves) <= rules.max_moves
        assert list(moves) == sorted(set(moves))
        assert rules.outcome(position) is None
        assert not rules.won_lines(position)
        assert after.to_move is position.to_move.opponent
        assert position in {position}
        assert position != after
        before, then = rules.owners(position), rules.owners(after)
        lost = (square for square, owner in enumerate(before) if owner is after.to_move is not then[square])
        assert rules.captured(position, chosen) == tuple(lost)
        for move in moves:
            assert 0 <= move < rules.move_count
            assert rules.parse_move(position, rules.move_text(position, move)) == move
            assert not rules.is_pass(move) or moves == (move,)
            squares = rules.squares_of(move)
            assert bool(squares) is not rules.is_pass(move)
            assert all(0 <= square < rules.columns * rules.rows for square in squares)
            assert len(squares) > 1 or all(rules.pointed_square(position, square) == square for square in squares)
        assert len({rules.move_text(position, move) for move in moves}) == len(moves), "texts tell moves apart"
        begun = [one for one, other in pairwise(sorted(map(rules.squares_of, moves))) if other[: len(one)] == one]
        assert not begun, "squares tell moves apart, also if they are picked one after the other"
    outcome = rules.outcome(game[-1])
    assert outcome is not None
    assert (outcome.black, outcome.white) == rules.score(game[-1])
    assert rules.can_end(outcome.black, outcome.white, outcome.winner)
    assert bool(rules.won_lines(game[-1])) == (outcome.winner is not None) or not rules.lines
    assert (len(rules.column_names), len(rules.row_names)) == (rules.columns, rules.rows)


@EACH_GAME
@pytest.mark.parametrize("seed", range(2))
def test_compiled_rules_play_the_same_game(rules: Rules[Any], seed: int) -> None:
    game = random_game_of(rules, seed).positions
    for position in game:
        state = rules.kernel_state(position)
        moves = rules.legal_moves(position)
        assert compiled_rules.legal_moves(rules, state) == moves
        mobility = sum(not rules.is_pass(move) for move in moves)
        assert compiled_rules.facts(state) == (not moves, True, mobility, rules.state_words)
        assert isinstance(compiled_rules.evaluate(state), int)
        words, start = np.zeros(rules.state_words, np.uint64), rules.kernel_state(game[0])
        assert compiled_rules.packed_and_unpacked(state, words, start) == state
        for move in moves:
            assert compiled_rules.play(state, move) == rules.kernel_state(rules.play(position, move))
    assert np.sign(compiled_rules.final_difference(rules.kernel_state(game[-1]))) == sign_of_result(rules, game[-1])


@EACH_GAME
@pytest.mark.parametrize("seed", range(2))
def test_the_canonical_state_stands_for_the_position(rules: Rules[Any], seed: int) -> None:
    for position in random_game_of(rules, seed).positions[::3]:
        state = rules.kernel_state(position)
        canonical, symmetry = compiled_rules.canonical(state)
        canonical = unsigned(state, canonical)
        assert compiled_rules.canonical(canonical)[0] == canonical
        moves = compiled_rules.legal_moves(rules, canonical)
        back = [compiled_rules.original_move(state, move, symmetry) for move in moves]
        assert tuple(sorted(back)) == rules.legal_moves(position)
        for move, original in zip(moves, back, strict=True):
            there = unsigned(state, compiled_rules.play(canonical, move))
            here = rules.kernel_state(rules.play(position, Move(original)))
            assert compiled_rules.canonical(there)[0] == compiled_rules.canonical(here)[0]


@EACH_GAME
@pytest.mark.parametrize("seed", range(2))
def test_symmetries_map_games_to_games(rules: Rules[Any], seed: int) -> None:
    squares = range(rules.columns * rules.rows)
    assert rules.symmetries[0] == tuple(squares), "the first is the identity"
    assert all(sorted(symmetry) == [*squares] for symmetry in rules.symmetries)
    assert len({*rules.symmetries}) == len(rules.symmetries)
    game = random_game_of(rules, seed).positions
    for position in [*game[: -1 : max(4, len(squares) // 8)], game[-1]]:
        key, moves = rules.key_of(position)
        legal = rules.legal_moves(position)
        canonical, _ = compiled_rules.canonical(rules.kernel_state(position))
        for symmetry, text in zip(rules.symmetries, rules.image_texts(position), strict=True):
            there = rules.image_of(position, symmetry)
            assert rules.format_position(there) == text
            assert there.to_move is position.to_move
            assert [rules.owners(there)[square] for square in symmetry] == [*rules.owners(position)]
            assert rules.outcome(there) == rules.outcome(position)
            assert sorted(rules.image_of_move(move, symmetry) for move in legal) == [*rules.legal_moves(there)]
            for move in legal:
                moved = rules.image_of_move(move, symmetry)
                assert [symmetry[square] for square in rules.squares_of(move)] == [*rules.squares_of(moved)]
                assert rules.play(there, moved) == rules.image_of(rules.play(position, move), symmetry)
            assert rules.key_of(there)[0] == key
            assert compiled_rules.canonical(rules.kernel_state(there))[0] == canonical, "as in searches"
        assert rules.image_of(position, rules.symmetries[0]) == position
        numbered = {*moves.values()} & {*legal}
        ways = ({rules.key_of(rules.play(position, move))[0] for move in some} for some in (legal, numbered))
        assert next(ways) == next(ways), "of equivalent moves, at least one has a number"


@EACH_GAME
def test_keyed_games_are_those_of_their_positions(rules: Rules[Any]) -> None:
    game = random_game_of(rules, 1)
    keyed = rules.keyed([(rules.start(), game.moves)])
    known = [rules.key_of(position) for position in game.positions]
    assert keyed.keys.tolist() == [key for key, _ in known]
    assert keyed.ends == [game.position]
    for number, move, position, (_, numbers) in zip(keyed.moves, game.moves, game.positions, known, strict=False):
        assert reached_by_equivalent_moves(rules, position, move, numbers[number])
    assert keyed.moves[-1] == NO_MOVE
    assert NO_MOVE not in known[-1][1]


@EACH_GAME
def test_files_and_archives_keep_a_game(rules: Rules[Any], tmp_path: Path) -> None:
    assert rules.move_bytes == 1 + (rules.move_count > 255)
    game = random_game_of(rules, 3)
    assert tuple(rules.unpack(rules.pack(game.moves))) == game.moves
    file = tmp_path / "game.json"
    file.write_text(format_game(GameFile(GameTree.of(game, PositionData()))), encoding="utf-8")
    with Store(tmp_path / "games.sqlite") as store:
        store.add([file])
        (parsed,) = store.parsed_games()
        assert isinstance(parsed, ParsedGame)
        assert (tuple(parsed.moves), parsed.end) == (game.moves, game.position)
        for position, move in zip(game.positions, game.moves, strict=False):
            (played,) = store.played(rules.spec, position)
            assert reached_by_equivalent_moves(rules, position, move, played.move)
            (line,) = store.games(rules.spec, position, ALL, 0, 2)
            assert line.move == played.move


@EACH_GAME
def test_playouts_end_as_games_do(rules: Rules[Any]) -> None:
    for seed in range(2):
        for position in random_game_of(rules, seed).positions[-2:]:
            last = [rules.play(position, move) for move in rules.legal_moves(position)] or [position]
            if not all(rules.outcome(after) for after in last):
                continue
            possible = {sign_of_result(rules, after) for after in last}
            if last != [position]:
                possible = {-sign for sign in possible}
            for play in (one_at_a_time, in_lock_step):
                assert set(np.sign(play(position, 100, seed, rules=rules))) == possible
