"""The player that follows a few rules."""

import pytest

from othello.game import Game
from othello.players.player import choose
from othello.players.player_registry import configure
from othello.records.transcript import parse_transcript
from othello.rules.registry import game_spec, rules_of
from tests.player_factory import ready

SPEC = game_spec("connect_four")
RULES = rules_of(SPEC)


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("172737", {"4"}),  # wins
        ("17272", {"7"}),  # stops three in a column
    ],
)
def test_it_follows_the_first_rule_that_applies(moves: str, wanted: set[str]) -> None:
    game = parse_transcript(moves, RULES)
    player = ready(configure("rule_based"), 1, SPEC)
    answers = {game.text_of(choose(player, game).move)}
    assert answers <= wanted


def test_a_square_that_is_free_but_cannot_be_played_does_not_count() -> None:
    for seed in range(20):
        player, game = ready(configure("rule_based"), seed, SPEC), Game.new(RULES)
        while not game.is_over:
            game = game.play(choose(player, game).move)


@pytest.mark.parametrize("size", range(3, 16))
def test_on_any_board_of_tictactoe_it_wins_and_else_stops_a_win(size: int) -> None:
    rules = rules_of(game_spec("tictactoe", {"size": size}))
    length = rules.spec.number("win_length")
    columns = rules.column_names[:length]
    moves = [f"{column}{row}" for column in columns[:-1] for row in (1, 3)]
    player = ready(configure("rule_based"), 1, rules.spec)
    for played, wanted in ((moves, f"{columns[-1]}1"), (moves[:-1], f"{columns[-1]}1")):
        game = parse_transcript(" ".join(played), rules)
        assert game.text_of(choose(player, game).move) == wanted
