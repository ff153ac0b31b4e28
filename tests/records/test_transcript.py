"""Transcripts: formatting and parsing."""

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from othello.errors import TranscriptError
from othello.game import Game
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.othello import Othello
from othello.rules.othello.scalar_bits import PASS
from othello.rules.registry import game_spec, rules_of
from tests.positions import parse_board, random_game_of
from tests.published import openings

RULES = Othello()


@given(st.lists(st.integers(0, 63), max_size=70))
@settings(max_examples=40, deadline=None)
def test_transcripts_round_trip(choices: list[int]) -> None:
    game = Game.new(RULES)
    for choice in choices:
        legal = game.legal_moves()
        if not legal:
            break
        game = game.play(legal[choice % len(legal)])
    while game.must_pass:
        game = game.play(PASS)
    assert parse_transcript(format_transcript(game), RULES) == game


@pytest.mark.parametrize(
    ("text", "plain", "game"),
    [
        (" F5 d6,C3\nd3 ", "f5d6c3d3", "othello"),
        ("1. F5 d6 2. c3 2... d3 3.", "f5d6c3d3", "othello"),
        ("1. 7,9 2,8 2. (6, 5)", "7,9 2,8 6,5", "ultimate_tictactoe"),
    ],
)
def test_transcripts_may_have_blanks_capitals_and_numbers(text: str, plain: str, game: str) -> None:
    rules = rules_of(game_spec(game))
    assert parse_transcript(text, rules) == parse_transcript(plain, rules)
    assert parse_transcript("", rules) == Game.new(rules)


def test_forced_passes_are_inserted() -> None:
    start = parse_board("OX" + "-" * 62 + " X")
    game = parse_transcript("c1", RULES, start)
    assert game.moves == (PASS, 2)
    assert format_transcript(game) == "c1"
    for text in ("pass c1", "--c1", "psc1", "PA C1"):
        assert parse_transcript(text, RULES, start) == game


@pytest.mark.parametrize("options", [{"size": 6}, {"handicap": 4}, {"size": 6, "handicap": 1, "start": "reversi"}])
def test_transcripts_of_other_boards_round_trip(options: dict[str, Any]) -> None:
    game = random_game_of(rules_of(game_spec(options=options)), 1)
    assert parse_transcript(format_transcript(game), game.rules) == game


@pytest.mark.parametrize("seed", range(40))
def test_a_forced_pass_at_the_end_is_inserted(seed: int) -> None:
    game = random_game_of(RULES, seed)
    for ply in (ply for ply, move in enumerate(game.moves, 1) if move == PASS):
        assert parse_transcript(format_transcript(game.at(ply - 1)), RULES).moves == game.at(ply).moves


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5f5", "move 2, f5: not legal here"),
        ("f5 pass", "move 2, pass: not legal here"),
        ("f5d9", "“d9”"),
        ("f5!", "move 2: “!”"),
        ("a1", "move 1, a1: not legal here; legal: d3, c4, f5, e6"),
        ("5f", "move 1"),
        ("1. f5 2.5f", "move 2: “5f”"),
    ],
)
def test_transcripts_that_cannot_be_replayed(text: str, words: str) -> None:
    with pytest.raises(TranscriptError, match=words.replace("(", r"\(")):
        parse_transcript(text, RULES)


@pytest.mark.parametrize("transcript", openings())
def test_published_openings_replay(transcript: str) -> None:
    assert format_transcript(parse_transcript(transcript, RULES)) == transcript
