"""Every game in the window, with the screen reader, and in the terminal."""

import random
from typing import Any

import pytest

from othello.cli import terminal
from othello.game import AnyGame, Game
from othello.gui import commands as gui
from othello.gui.boards.renderer import BoardRenderer, RuleExample, renderer_for, renderer_type
from othello.gui.dialogs.help import ANY
from othello.gui.preferences import palette_named
from othello.play import session_commands as cmd
from othello.rules.protocol import Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from othello.texts import ENGLISH, catalogue
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON

EACH_GAME = pytest.mark.parametrize("game", GAMES)
POSITIONS, MOVES = 2, 3  # of each game; moves of each position


def positions_of(game: str) -> list[AnyGame]:
    """Return the start of a game and later positions, in which the side to move has a choice."""
    draw, line = random.Random(2), Game.new(rules_of(game_spec(game)))
    lines = [line]
    while not line.is_over:
        line = line.play(draw.choice(line.legal_moves()))
        lines += [] if line.is_over or line.must_pass else [line]
    return [lines[0], *draw.sample(lines[1:], POSITIONS - 1)]


def line_of(game: str, lesson: RuleExample) -> AnyGame:
    """Return the line that leads to the board of a lesson; its moves must be legal."""
    rules = rules_of(game_spec(game))
    line = Game.new(rules, rules.parse_position(lesson.board) if lesson.board else None)
    for move in lesson.moves.split():
        line = line.play(rules.parse_move(line.position, move))
    return line


def by_clicks(driver: WindowDriver, move: Move) -> None:
    for square in driver.session.game.rules.squares_of(move):
        driver.click(driver.board_place.square_rect(square).center)


def by_cursor(driver: WindowDriver, move: Move) -> None:
    """Press Tab until the cursor is on the square, then Enter; for each square of the move."""
    rules = driver.session.game.rules
    for square in rules.squares_of(move):
        for _ in range(rules.columns * rules.rows):
            if driver.scene.view_state.cursor == square:
                break
            driver.keys("Tab")
        driver.keys("Enter")


def by_typing(driver: WindowDriver, move: Move) -> None:
    """Type the move's notation, and Enter if the move may go on."""
    ply = driver.session.game.ply
    for letter in driver.session.game.text_of(move):
        if letter in driver.scene.letters:
            driver.type(letter)
    if driver.session.game.ply == ply:
        driver.keys("Enter")


def by_screen_reader(driver: WindowDriver, move: Move) -> None:
    for square in driver.session.game.rules.squares_of(move):
        press = nodes(driver)[square].press
        assert isinstance(press, gui.PressSquare)
        driver.scene.do(press, 0.0)
        driver.turn()


def nodes(driver: WindowDriver) -> Any:
    return driver.board_panel.accessible(driver.canvas("squares")).parts


@pytest.fixture
def driver(open_window: OpenWindow, game: str) -> WindowDriver:
    driver = open_window(PERSON, PERSON, spec=game_spec(game))
    driver.prefer(motion="none")
    return driver


def show(driver: WindowDriver, line: AnyGame) -> None:
    driver.session.do(cmd.OpenGame(line, (PERSON, PERSON)), 0.0)
    driver.scene.view_state.drop_choice()
    driver.settle()


@EACH_GAME
def test_legal_moves_are_described_and_made_in_every_way(driver: WindowDriver) -> None:
    """Squares have different names, and those where legal moves begin, or end once their piece is picked, say so."""
    draw = random.Random(3)
    for line in positions_of(driver.session.game.rules.spec.game):
        show(driver, line)
        legal = line.legal_moves()
        paths = [line.rules.squares_of(move) for move in legal]
        names = [node.name.split(", ") for node in nodes(driver)]
        assert len({driver.scene.renderer.square_name(square) for square in range(len(names))}) == len(names)
        for square, words in enumerate(names):
            begins = [path for path in paths if path[0] == square]
            assert ("legal" in words) is ((square,) in begins)
            assert ("can move" in words) is any(len(path) > 1 for path in begins)
        for way, moves in ((by_clicks, MOVES), (by_cursor, 1), (by_typing, MOVES), (by_screen_reader, MOVES)):
            for move in draw.sample(legal, min(moves, len(legal))):
                show(driver, line)
                way(driver, move)
                assert driver.session.game.at(line.ply + 1).moves == (*line.moves, move), (way, line.text_of(move))


@EACH_GAME
def test_a_picked_piece_can_be_changed_and_dropped(driver: WindowDriver) -> None:
    line = driver.session.game
    paths = [line.rules.squares_of(move) for move in line.legal_moves()]
    (first, *_), (last, *targets) = paths[0], paths[-1]
    if not targets:
        return  # a move is one square
    place = driver.board_place
    for square in (first, last):
        driver.click(place.square_rect(square).center)
        words = [node.name.split(", ") for node in nodes(driver)]
        assert [square for square, parts in enumerate(words) if "picked" in parts] == [square]
        ends = {path[1] for path in paths if path[0] == square}
        assert {square for square, parts in enumerate(words) if "legal" in parts} == ends
    driver.keys("Esc")
    assert not driver.scene.mode.picked
    for picked in ((last,), ()):
        driver.click(place.square_rect(last).center)
        assert driver.scene.mode.picked == picked
    assert not driver.session.game.ply


@EACH_GAME
def test_the_terminal_shows_the_last_move(game: str) -> None:
    for line in positions_of(game)[1:]:
        assert line.last_move is not None
        assert terminal.board(line).plain.count("[") == len(line.rules.squares_of(line.last_move))


@EACH_GAME
def test_a_square_shows_the_best_of_its_moves(game: str) -> None:
    """First on the squares where moves begin, then on those where a picked piece can go."""
    renderer = renderer_for(game_spec(game), palette_named())
    for line in positions_of(game):
        legal = line.legal_moves()
        known = [MoveStats(move, 1, ply * 7 % len(legal)) for ply, move in enumerate(legal)]
        report = SearchReport("mcts_uct", legal[0], None, tuple(known), Unit.REWARD)
        worth = {stats.move: stats.value or 0 for stats in known}
        for picked in {line.rules.squares_of(move)[:-1] for move in legal} | {()}:
            going = [move for move in legal if line.rules.squares_of(move)[: len(picked)] == picked]
            shown = renderer.values(report, picked)
            assert shown.keys() == {line.rules.squares_of(move)[len(picked)] for move in going}
            for square, moves in shown.items():
                here = [move for move in going if line.rules.squares_of(move)[len(picked)] == square]
                assert [stats.move for stats in moves] == sorted(here, key=worth.__getitem__, reverse=True)


@EACH_GAME
def test_every_game_has_three_to_five_lessons_and_a_sentence_per_variant(game: str) -> None:
    words = catalogue(ENGLISH)  # other languages have the same texts
    renderer = renderer_type(game)
    lessons = renderer.lessons
    assert 3 <= len(lessons) <= 5 or renderer is BoardRenderer
    assert len({(each.board, each.moves, each.pointed) for each in lessons}) == len(lessons)
    for lesson in (*lessons, RuleExample("example", renderer.example or "")):
        line = line_of(game, lesson)
        assert not lesson.pointed or line.rules.parse_move(line.position, lesson.pointed) in line.legal_moves()
    assert all(words[f"how_to_play.{game}.{each.name}"] for each in lessons)
    for option in GAMES[game].options:
        described = {value for value in (*option.choices, ANY) if f"variants.{game}.{option.name}.{value}" in words}
        assert ANY in described or described == {*option.choices} - {option.default}
