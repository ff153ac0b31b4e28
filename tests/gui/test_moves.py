"""The list of moves: the game, and the variations under the rows that they leave."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pygame
import pytest

from othello.game import AnyGame, Game, GameTree
from othello.gui.toolkit.widget import PaintContext
from othello.gui.widgets.move_list import Listing, MoveEntry, MoveList, MoveTable, ScrollMoves, listing
from othello.play import session_commands as cmd
from tests.gui.window_driver import SIZES, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.positions import RULES


def at_random(game: AnyGame, moves: int, seed: int) -> AnyGame:
    random = Random(seed)
    for _ in range(moves):
        if not game.is_over:
            game = game.play(random.choice(game.legal_moves()))
    return game


def bushy(plies: Sequence[int] = (3, 3, 17, 30)) -> GameTree[str]:
    tree = GameTree.of(at_random(Game.new(RULES), 60, 0), "")
    for seed, ply in enumerate(plies):
        variation = at_random(tree.game.at(ply), 12, seed)
        for line in (variation, at_random(variation.at(ply + 4), 7, seed + 10)):
            tree = tree.know(line, "")
    return tree


def entries(line: Listing) -> list[MoveEntry]:
    return [*line.entries, *(entry for _, branch in line.branches for entry in entries(branch))]


def lines_of(tree: GameTree[str], game: AnyGame) -> list[tuple[int, ...]]:
    following = [game.play(move) for move in tree.variations(game)]
    return [after.moves for after in following] + [line for after in following for line in lines_of(tree, after)]


def test_every_variation_is_listed_once() -> None:
    tree = bushy()
    listed = [entry.line for entry in entries(listing(tree, {}))]
    assert sorted(listed) == sorted(lines_of(tree, tree.game.at(0)))
    assert [entry.line for entry in listing(tree, {}).entries] == [
        tree.game.moves[:ply] for ply in range(1, tree.game.ply + 1)
    ]


def assert_cells_are_found(table: MoveTable) -> None:
    """Assert that all moves lie inside the panel, and that a click finds the move that is drawn there."""
    assert table.columns % 2 == 0
    seen = set()
    for first_row in range(table.last_first_row + 1):
        for number in table.shown_rows(first_row):
            for index, entry in enumerate(table.rows[number].entries):
                cell = table.cell(number, index, first_row)
                assert table.panel.contains(cell)
                assert table.line_at(cell.center, first_row) == entry.line
                assert table.row_of(entry.line) == number
                seen.add(entry.line)
    assert seen == {entry.line for entry in entries(table.listing)}


@pytest.mark.parametrize("size", SIZES)
def test_moves_keep_their_places_when_values_are_shown(open_window: OpenWindow, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, PERSON, size=size)
    driver.type("d3c5d6")
    before = driver.move_table
    driver.type("v")
    after = driver.move_table
    assert after.panel.height < before.panel.height
    assert after.columns == before.columns
    assert [after.cell(0, index, 0) for index in range(3)] == [before.cell(0, index, 0) for index in range(3)]
    assert after.pitch == before.pitch
    assert [row.entries for row in after.rows] == [row.entries for row in before.rows]
    for table in (before, after):
        assert_cells_are_found(replace(table, listing=listing(bushy(), {})))


def test_a_variation_follows_the_row_that_it_leaves_and_is_marked_there(driver: WindowDriver) -> None:
    whole_game = GameTree.of(at_random(Game.new(RULES), 64, 0), "")
    assert replace(driver.move_table, listing=listing(whole_game, {})).last_first_row == 0, "all moves are visible"
    table = replace(driver.move_table, listing=listing(bushy(), {}))
    for number, row in enumerate(table.rows):
        if row.stem is not None:
            stem, _ = row.stem
            replaced = [entry.line[:-1] for entry in table.rows[stem].entries]
            assert row.entries[0].line[:-1] in replaced
            assert table.rows[stem].depth == row.depth - 1
            assert all(between.depth >= row.depth for between in table.rows[stem + 1 : number])
    table = replace(driver.move_table, listing=listing(bushy((1, 3, 6)), {}))
    surface = pygame.Surface(driver.scene.window.size)
    panel = MoveList(driver.scene.renderer, table.listing, first_row=0)
    panel.draw(PaintContext(surface, driver.scene.style, table.panel))
    for row in table.rows[: table.visible]:
        if row.stem is not None:
            below = table.panel.left + row.stem[1], table.cell(row.stem[0], 0, 0).bottom - 1
            assert surface.get_at(below)[:3] == driver.scene.style.palette.accent


def test_keys_move_through_a_variation_and_continue_from_its_moves(driver: WindowDriver) -> None:
    session = driver.session
    driver.type("d3c5d6")
    driver.keys("Ctrl+2", "Left", "Left")
    assert session.view.shown.ply == 1
    assert not session.view.is_at_latest
    driver.click_square("c3")
    variation = session.view.shown
    assert variation.moves[1:] == (18,)
    assert session.game.ply == 3, "the game does not change"
    driver.keys("Up")
    assert session.view.shown.moves == session.game.at(2).moves
    driver.keys("Down")
    assert session.view.shown.moves == variation.moves
    driver.keys("F5")
    assert session.game.moves == variation.moves
    driver.turn()
    assert len(session.history.tree.variations(variation.at(1))) == 2, "the played move becomes a variation"
    driver.keys("Up", "Delete")
    assert len(session.history.tree.variations(variation.at(1))) == 1


def test_a_scrolled_list_returns_to_the_shown_position(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, size=(900, 600), start=at_random(Game.new(RULES), 50, 0))
    driver.use_text(200)
    last = len(driver.move_table.rows) - 1
    driver.do(ScrollMoves(0))
    assert last not in driver.rows_of_moves()
    driver.do(cmd.Browse(-1))
    assert last in driver.rows_of_moves()
