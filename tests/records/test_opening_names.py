"""Named openings: every line of the list is legal and identifies its position in every orientation."""

from othello.records.openings import leads_to, left_book_at, opening_name_of, opening_names_of
from othello.records.transcript import parse_transcript
from othello.resources import asset
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of
from tests.positions import RULES, START_IMAGES


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
