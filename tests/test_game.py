"""A line of moves, and the tree of all lines."""

import pytest

from othello.errors import IllegalMoveError
from othello.game import AnyGame, Game, GameTree
from othello.rules.protocol import Move
from tests.positions import RULES

PASS_AHEAD = RULES.parse_position("-OX-----" + 6 * "--------" + "XO------ X")  # after a1 white has no move
A1, C8 = 0, 58


def passed() -> AnyGame:
    """Return a game of three moves, the second a pass, which is over then."""
    game: AnyGame = Game.new(RULES, PASS_AHEAD).play(Move(A1))
    return game.play(game.legal_moves()[0]).play(Move(C8))


def test_a_pass_is_a_move_but_not_the_last_one_that_is_shown() -> None:
    game = passed()
    assert [game.at(ply).last_move for ply in range(4)] == [None, A1, A1, C8]
    assert [game.at(ply).must_pass for ply in range(4)] == [False, True, False, False]
    assert [game.at(ply).is_over for ply in range(4)] == [False, False, False, True]
    for ply in (-1, 4):
        with pytest.raises(IndexError, match=r"outside 0\.\.3"):
            game.at(ply)


def test_a_tree_of_lines_with_knowledge_about_positions() -> None:
    start = Game.new(RULES)
    tree = GameTree.of(start, "").play(Move(19)).play(Move(18))
    long = tree.game
    tree = tree.know(long, "second").to(long.at(1))
    assert (tree.line, tree.along(long)) == (long, ["", "", "second"])
    assert tree.play(Move(18)).line == long, "the move that was taken back"
    tried = tree.play(tree.game.legal_moves()[-1])
    assert tried.line == tried.game != long
    first, *others = tried.variations(long.at(1))
    assert (first, len(others), tried.known(long)) == (18, 1, "second")
    assert tried.along(long.play(long.legal_moves()[0]))[-1] == "", "beyond the tree nothing is known"
    assert tried.to(start.play(Move(26))).onward(start.play(Move(19))) == long, "what was tried first"
    assert tried.onward(start) == tried.game, "the game, where a position lies on it"
    rest = tried.without(long)
    assert (rest.variations(long.at(1)), rest.known(long)) == (tuple(others), "")


def test_nothing_is_known_of_a_line_that_has_left_the_tree_for_moves_of_the_tree() -> None:
    start = Game.new(RULES)
    tree = GameTree.of(start, "").play(Move(19))
    tree = tree.know(tree.game, "first")
    aside = start.play(Move(44))
    aside = next(line for line in map(aside.play, aside.legal_moves()) if 19 in line.legal_moves()).play(Move(19))
    assert tree.along(aside) == [""] * 4


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMoveError, match=r"a1.*d3, c4, f5, e6"):
        Game.new(RULES).play(Move(A1))
