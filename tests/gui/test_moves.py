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


def table_of(driver: WindowDriver, with_search: bool, tree: GameTree[str]) -> MoveTable:
    if with_search:
        driver.type("v")
    return replace(driver.move_table, listing=listing(tree, {}))


def lines_of(tree: GameTree[str], game: AnyGame) -> list[tuple[int, ...]]:
    following = [game.play(move) for move in tree.variations(game)]
    return [after.moves for after in following] + [line for after in following for line in lines_of(tree, after)]


def test_everything_that_was_tried_is_listed_once() -> None:
    tree = bushy()
    listed = [entry.line for entry in entries(listing(tree, {}))]
    assert sorted(listed) == sorted(lines_of(tree, tree.game.at(0)))
    assert [entry.line for entry in listing(tree, {}).entries] == [
        tree.game.moves[:ply] for ply in range(1, tree.game.ply + 1)
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_search", [False, True])
def test_moves_lie_inside_the_panel_and_are_found_where_they_are_drawn(
    open_window: OpenWindow, size: tuple[int, int], with_search: bool
) -> None:
    table = table_of(open_window(PERSON, PERSON, size=size), with_search, bushy())
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


def test_a_whole_game_is_seen_at_once_in_a_window_of_the_usual_size(open_window: OpenWindow) -> None:
    tree = GameTree.of(at_random(Game.new(RULES), 64, 0), "")
    assert table_of(open_window(PERSON, PERSON), False, tree).last_first_row == 0


@pytest.mark.parametrize("size", SIZES)
def test_moves_stay_where_they_are_when_values_are_shown(open_window: OpenWindow, size: tuple[int, int]) -> None:
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


def test_a_variation_stands_below_the_row_that_it_leaves(open_window: OpenWindow) -> None:
    table = table_of(open_window(PERSON, PERSON), False, bushy())
    for number, row in enumerate(table.rows):
        if row.stem is not None:
            stem, _ = row.stem
            replaced = [entry.line[:-1] for entry in table.rows[stem].entries]
            assert row.entries[0].line[:-1] in replaced
            assert table.rows[stem].depth == row.depth - 1
            assert all(between.depth >= row.depth for between in table.rows[stem + 1 : number])


def test_every_move_that_a_variation_replaces_is_marked(driver: WindowDriver) -> None:
    table = table_of(driver, False, bushy((1, 3, 6)))
    panel = MoveList(driver.scene.renderer, table.listing, first_row=0)
    surface = pygame.Surface(driver.scene.window.size)
    panel.draw(PaintContext(surface, driver.scene.style, table.panel))
    accent = driver.scene.style.palette.accent
    for row in table.rows[: table.visible]:
        if row.stem is not None:
            below = table.panel.left + row.stem[1], table.cell(row.stem[0], 0, 0).bottom - 1
            assert surface.get_at(below)[:3] == accent


def test_a_variation_is_walked_left_by_keys_and_goes_on_from_any_move(driver: WindowDriver) -> None:
    driver.type("d3c5d6")
    driver.keys("Ctrl+2", "Left", "Left")
    assert driver.session.view.shown.ply == 1
    assert not driver.session.view.is_at_latest
    driver.click_square("c3")
    assert driver.session.view.shown.moves[1:] == (18,)
    assert driver.session.game.ply == 3, "the game stays as it is"
    aside = driver.session.view.shown
    driver.keys("Up")
    assert driver.session.view.shown.moves == driver.session.game.at(2).moves
    driver.keys("Down")
    assert driver.session.view.shown.moves == aside.moves
    driver.keys("F5")
    assert driver.session.game.moves == aside.moves
    driver.turn()
    assert len(driver.session.history.tree.variations(aside.at(1))) == 2, "what was played stays as a variation"
    driver.keys("Up", "Delete")
    assert len(driver.session.history.tree.variations(aside.at(1))) == 1


def test_a_list_that_was_scrolled_away_shows_the_next_position(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, size=(900, 600), start=at_random(Game.new(RULES), 50, 0))
    driver.use_text(200)
    last = len(driver.move_table.rows) - 1
    driver.do(ScrollMoves(0))
    assert last not in driver.rows_of_moves()
    driver.do(cmd.Browse(-1))
    assert last in driver.rows_of_moves()
