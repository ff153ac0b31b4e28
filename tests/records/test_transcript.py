"""Transcripts, and the names of openings."""

from typing import Any

import pytest

from othello.errors import TranscriptError
from othello.game import Game
from othello.records.openings import leads_to, left_book_at, opening_name_of, opening_names_of
from othello.records.transcript import format_transcript, parse_transcript
from othello.resources import asset
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of
from tests.positions import RULES, START_IMAGES, parse_board, random_game_of
from tests.published import openings


@pytest.mark.parametrize("options", [{}, {"size": 6}, {"handicap": 4}, {"size": 6, "handicap": 1, "start": "reversi"}])
def test_transcripts_round_trip_and_forced_passes_are_inserted(options: dict[str, Any]) -> None:
    for seed in range(8):
        played = random_game_of(rules_of(game_spec(options=options)), seed)
        for ply in range(played.ply):
            game = played.at(ply)
            text = format_transcript(game)
            while game.must_pass:
                game = game.play(game.legal_moves()[0])
            assert parse_transcript(text, game.rules) == game


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


def test_passes_may_be_written_or_left_out() -> None:
    start = parse_board("OX" + "-" * 62 + " X")
    for text in ("c1", "pass c1", "--c1", "psc1", "PA C1"):
        game = parse_transcript(text, RULES, start)
        assert (game.moves, format_transcript(game)) == ((PASS, 2), "c1")


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


def test_published_openings_replay() -> None:
    assert [format_transcript(parse_transcript(text, RULES)) for text in openings()] == openings()


def test_every_opening_of_the_list_is_known_on_every_side_of_the_board() -> None:
    lines = [line.split("\t") for line in asset("openings.tsv").read_text().splitlines() if line[0] != "#"]
    assert len(lines) == 77
    for moves, names in lines:
        game = parse_transcript(moves, RULES)
        for image in START_IMAGES:
            squares = (image(*divmod(move, 8)) for move in game.moves)
            found = opening_name_of(game.at(0).after(Move(8 * row + column) for row, column in squares))
            assert found is not None, moves
            assert (found.names, found.ply) == (tuple(names.split("|")), game.ply)


def test_a_game_has_the_name_of_the_last_opening_that_it_went_through() -> None:
    game = parse_transcript("f5d6c3d3c4f4c5b3c2b4e3e6c6", RULES)
    by_ply = [None if (found := opening_name_of(game.at(ply))) is None else found.name for ply in range(game.ply + 1)]
    assert by_ply == [*[None] * 2, *["Perpendicular"] * 3, *["Tiger"] * 4, "Rose-Bill", *["Central Rose-Bill"] * 4]
    names = [each.name for each in opening_names_of(game)]
    assert names == ["Perpendicular", "Tiger", "Rose-Bill", "Central Rose-Bill"]
    assert (left_book_at(game), left_book_at(game.at(10))) == (11, None)
    other_order = parse_transcript("f5d6c5f4d3c3", RULES), parse_transcript("f5d6c5f4d3", RULES)
    assert [opening_name_of(each) for each in other_order] == [opening_name_of(other_order[1])] * 2


def test_a_move_leads_to_the_next_opening_on_its_way() -> None:
    game = parse_transcript("f5d6c3d3c4f4c5", RULES)
    ahead = {game.text_of(move): found.name for move in game.legal_moves() if (found := leads_to(game, move))}
    assert ahead == {"b3": "Rose-Bill", "b4": "Ishii"}
    start = game.at(0)
    assert {leads_to(start, move) for move in start.legal_moves()} == {None}, "the answer decides among three"
    small = parse_transcript("e4", rules_of(game_spec("othello", {"size": 6})))
    assert (opening_name_of(small), leads_to(small, small.legal_moves()[0]), left_book_at(small)) == (None, None, None)
