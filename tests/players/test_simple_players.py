"""The random player and the one that follows rules."""

from collections import Counter

import pytest

from othello.game import Game
from othello.players.player import choose
from othello.players.player_registry import configure
from othello.records.transcript import parse_transcript
from othello.rules.othello import OthelloPosition
from othello.rules.registry import game_spec, rules_of
from tests.chi_square import bound_of_chi_square, distance
from tests.player_factory import answer, ready
from tests.positions import RULES, START, with_empties, with_many_moves

CONNECT_FOUR = rules_of(game_spec("connect_four"))


@pytest.mark.parametrize("position", [START, *with_empties(1, 30), *with_empties(1, 6), *with_many_moves(2, 20)])
def test_the_random_player_draws_all_moves_with_the_same_probability(position: OthelloPosition) -> None:
    moves, games = RULES.legal_moves(position), 3000
    played = Counter(int(answer(configure("random"), position, seed).move) for seed in range(games))
    chi_square, degrees = distance(played, dict.fromkeys(moves, games / len(moves)))
    assert chi_square < bound_of_chi_square(degrees)
    assert played.keys() <= set(moves)


@pytest.mark.parametrize(("moves", "expected"), [("172737", "4"), ("17272", "7")], ids=["wins", "prevents a win"])
def test_the_first_rule_that_applies_decides(moves: str, expected: str) -> None:
    game = parse_transcript(moves, CONNECT_FOUR)
    assert game.text_of(choose(ready(configure("rule_based"), 1, CONNECT_FOUR.spec), game).move) == expected


def test_rules_choose_only_legal_moves() -> None:
    for seed in range(20):
        player, game = ready(configure("rule_based"), seed, CONNECT_FOUR.spec), Game.new(CONNECT_FOUR)
        while not game.is_over:
            game = game.play(choose(player, game).move)


@pytest.mark.parametrize("size", range(3, 16))
def test_rules_win_or_prevent_a_win_on_any_board_of_tictactoe(size: int) -> None:
    rules = rules_of(game_spec("tictactoe", {"size": size}))
    length = rules.spec.number("win_length")
    columns = rules.column_names[:length]
    moves = [f"{column}{row}" for column in columns[:-1] for row in (1, 3)]
    player = ready(configure("rule_based"), 1, rules.spec)
    for played, wanted in ((moves, f"{columns[-1]}1"), (moves[:-1], f"{columns[-1]}1")):
        game = parse_transcript(" ".join(played), rules)
        assert game.text_of(choose(player, game).move) == wanted
