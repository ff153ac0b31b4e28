"""Connect Four against the slow reference and the published counts."""

import random

import pytest

from othello.errors import BoardTextError, TranscriptError
from othello.game import Game
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move, Square
from othello.rules.registry import game_spec, rules_of
from tests import compiled_rules
from tests.rules.slow_rows import Drops, perft

RULES = rules_of(game_spec("connect_four"))
START = RULES.start()
PERFT = (7, 49, 343, 2401, 16807, 117649, 823536, 5686266, 39452034)


def test_perft() -> None:
    assert tuple(RULES.perft(START, depth) for depth in range(1, len(PERFT) + 1)) == PERFT


def test_the_slow_reference_counts_the_same() -> None:
    assert perft(Drops(), 5) == PERFT[4]


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_slow_game(seed: int) -> None:
    position, slow, draw = START, Drops(), random.Random(seed)
    while moves := RULES.legal_moves(position):
        assert sorted(divmod(move, 7) for move in moves) == sorted(slow.moves())
        assert RULES.outcome(position) is None
        move = draw.choice(moves)
        position, slow = RULES.play(position, move), slow.play(divmod(move, 7))
    assert slow.moves() == []
    outcome, result = RULES.outcome(position), slow.result()
    assert outcome is not None
    assert outcome.winner == (None if result == -1 else Color(result or 0))


@pytest.mark.parametrize("text", ["4", "d", " D "])
def test_a_column_names_the_square_where_the_disc_lands(text: str) -> None:
    landed = RULES.parse_move(START, text)
    assert divmod(landed, 7) == (5, 3)
    after = RULES.play(START, landed)
    assert RULES.parse_move(after, text) == landed - 7
    assert RULES.move_text(START, landed) == RULES.move_text(after, Move(landed - 7)) == "4"


@pytest.mark.parametrize("text", ["", "0", "8", "h", "44", "d1"])
def test_what_is_no_column_is_refused(text: str) -> None:
    with pytest.raises(TranscriptError, match="columns 1 to 7"):
        RULES.parse_move(START, text)


def test_a_full_column_is_refused_in_words() -> None:
    with pytest.raises(TranscriptError, match="move 7, 4: not legal here; legal: 1, 2, 3, 5, 6, 7"):
        parse_transcript("4444444", RULES)


def test_a_transcript_is_columns_in_a_row() -> None:
    game = parse_transcript("d 4 5, e 4.d", RULES)
    assert format_transcript(game) == "44554"
    assert parse_transcript("44554", RULES) == game
    with pytest.raises(TranscriptError):
        parse_transcript("f5d6", RULES)


def test_pointing_anywhere_in_a_column_means_its_lowest_free_square() -> None:
    assert {RULES.pointed_square(START, Square(square)) for square in range(3, 42, 7)} == {38}
    full = parse_transcript("444444", RULES).position
    assert Move(RULES.pointed_square(full, Square(38))) not in RULES.legal_moves(full)


def test_the_four_that_win_are_told() -> None:
    position = parse_transcript("1122334", RULES).position
    assert RULES.won_lines(position) == ((35, 36, 37, 38),)
    assert RULES.score(position) == (1, 0)


@pytest.mark.parametrize("text", ["", "-" * 42, "-" * 42 + " O", "X" + "-" * 41 + " O", "-" * 41 + "O X"])
def test_boards_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(BoardTextError):
        RULES.parse_position(text)


def test_a_disc_that_lies_on_nothing_is_named() -> None:
    with pytest.raises(BoardTextError, match="the square below 5 is empty;"):
        RULES.parse_position("----X" + "-" * 37 + " O")


def test_a_board_and_its_mirror_image_are_one() -> None:
    left, right = (Game.new(RULES).after(parse_transcript(text, RULES).moves).position for text in ("1223", "7665"))
    canonical = [compiled_rules.canonical(RULES.kernel_state(position))[0] for position in (left, right)]
    assert canonical[0] == canonical[1]


def test_three_in_an_open_row_are_worth_more_than_two() -> None:
    values = []
    for text in ("1", "112", "11223"):
        position = parse_transcript(text, RULES).position
        values.append(-compiled_rules.evaluate(RULES.kernel_state(position)))
    assert values == sorted(values)
    assert compiled_rules.evaluate(RULES.kernel_state(START)) == 0
