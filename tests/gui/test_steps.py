"""Stepping through a search in the window."""

from dataclasses import replace
from typing import Any
from unittest.mock import create_autospec

import pygame
import pytest

from othello.gui.modes.steps.step_widgets import StepTable, StepTreePanel
from othello.gui.modes.steps.steps_mode import StepsMode
from othello.gui.widgets.search_tree import TREE, PressNode
from othello.play import session_commands as cmd
from othello.players.player_registry import configure, create_player
from othello.rules.registry import game_spec
from othello.search.steps import Backup, MoveSelection, NodeExit, Playout
from othello.study.step_through import StepThrough
from tests.gui.mistakes import mode_of
from tests.gui.window_driver import COMPILE_TIMEOUT, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON


def wait(driver: WindowDriver, kind: Any = tuple) -> Any:
    """Wait until a step is shown, which has to be of a type, and return the step."""
    driver.until(lambda: not mode_of(driver, StepsMode).steps.is_busy, COMPILE_TIMEOUT)
    driver.turn()
    steps = mode_of(driver, StepsMode).steps
    assert isinstance(steps.step, kind), steps.failure
    return steps.step


def choose(driver: WindowDriver, kind: str) -> object:
    """Choose a search from the list."""
    mode = mode_of(driver, StepsMode)
    index = [search.config.kind for search in mode.searches].index(kind)
    driver.press("search")
    driver.keys("Home", *["Down"] * index, "Enter")
    if driver.scene.widgets.focus:
        driver.keys("Esc")
    return wait(driver)


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    """Step through a search of tic-tac-toe."""
    driver = open_window(PERSON, PERSON, players=create_player, spec=game_spec("tictactoe"))
    driver.type("b2a1")
    driver.keys("Ctrl+2")
    driver.press("steps")
    wait(driver)
    return driver


def shown(driver: WindowDriver) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the table."""
    return driver.panels(StepTable)[0].text.rows


def test_the_phases_of_a_simulation(driver: WindowDriver) -> None:
    driver.press("number")
    driver.type("143")
    driver.keys("Enter")
    step = wait(driver, Backup)
    assert shown(driver)[0][0] == "start"
    assert len(shown(driver)) == len(step.nodes)
    phases = driver.placed("phase").rect
    driver.click((phases.left + 10, phases.centery))
    step = wait(driver, MoveSelection)
    chosen = driver.session.game.text_of(step.chosen)
    assert shown(driver)[0][:2] == (chosen, str(step.children[step.chosen].visits))
    second = shown(driver)[1][0]
    table = next(each.rect for each in driver.screen.widgets.walk() if isinstance(each.widget, StepTable))
    driver.click((table.left + 10, table.top + table.height * 5 // (2 * len(shown(driver)) + 2)))  # the second move
    assert driver.shows_words(f"Moves of the position: {second}")
    driver.keys("Esc", "Left", "Right", "Right")
    while not isinstance(wait(driver), Playout):
        driver.press("step")
    playout = wait(driver)
    after = driver.session.game.after(playout.path)
    assert driver.board.position == after.after(playout.moves).position
    driver.press("played", across=0.0)
    assert driver.board.position == after.position
    driver.keys("Down")
    wait(driver, Backup)
    driver.keys("Up")
    assert wait(driver)[0] == 142


def test_a_node_of_the_tree_shows_its_position_and_its_table(driver: WindowDriver) -> None:
    driver.keys("End", "Home", "End")
    step = wait(driver, Backup)
    assert driver.shows_words("The search ends here")
    tree = driver.widget(TREE, StepTreePanel)
    places = tree._places(driver.canvas(TREE))
    nodes = [node for nodes in (tree.seen.moves, *tree.seen.below) for node in nodes if node.line in places]
    node = next(node for node in nodes if step.nodes[-1].path[: len(node.line)] != node.line)
    driver.click(places[node.line].center)
    assert driver.board.position == driver.session.game.after(node.line).position
    line = " ".join(driver.session.game.texts_of(node.line))
    assert driver.shows_words(f"Moves of the position: {line}")
    assert driver.board_panel.history_label == line
    driver.press("through")
    assert driver.shows_words("The search ends here"), "no simulation follows"
    driver.keys(*["Alt+Left"] * len(node.line))
    assert driver.shows_words("Moves of the position: start")
    driver.keys("Alt+Right", "Alt+Down", "Esc")
    assert driver.board.position == driver.session.game.position
    driver.tab_to(TREE)
    driver.keys("Left", "Left", "Up", "Esc")
    assert mode_of(driver, StepsMode)._chosen is not None
    driver.keys("Esc", "Esc", "Esc")
    assert driver.scene.mode.name == "analyse"


def test_the_steps_run_until_they_are_stopped(driver: WindowDriver) -> None:
    driver.press("speed")
    driver.keys("End", "Enter")
    driver.press("run")
    driver.until(lambda: wait(driver)[0] > 5)
    assert not driver.shows_words("Run")
    driver.keys("Space")
    before = wait(driver)
    for _ in range(5):
        driver.turn()
    assert wait(driver) is before
    driver.keys("Space")
    driver.until(lambda: driver.shows_words("The search ends here"))
    driver.until(lambda: driver.shows_words("Run"))


def test_alphabeta_groups_and_learners(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", copied.append)
    monkeypatch.setattr(
        StepThrough, "close", closed := create_autospec(StepThrough.close, side_effect=StepThrough.close)
    )
    assert isinstance(choose(driver, "heuristic"), NodeExit)
    driver.keys("Down", "Up", "Down", "Down", "Down", "Up")
    driver.press("latex", "dot")
    assert copied[0].startswith(r"\begin{tabular}{lrrr}")
    assert copied[1].count("->") == copied[1].count("label=") - 1 > 1
    choose(driver, "mcts_grouping")
    driver.keys("End")
    wait(driver)
    game = driver.session.game
    driver.do(PressNode((game.rules.parse_move(game.position, "b1"),)))
    moves = driver.widget(TREE, StepTreePanel).seen.moves
    assert [node.text for node in moves if node.is_twin] == ["a2"], "the mirror image has the same node"
    driver.press("search")
    driver.keys("Home", "Down", "Enter")
    driver.do(cmd.TogglePause())
    wait(driver)
    assert driver.shows_words("Episode 1 of "), "the first steps are recorded to the end"
    choose(driver, "q_learning")
    driver.keys("Down")
    assert all(map(driver.shows_words, ("Episode 1 of ", " changes from ", "Q(")))
    driver.do(cmd.OpenGame(driver.session.game.at(0)))
    assert mode_of(driver, StepsMode).searches[0].game == driver.session.game
    driver.do(cmd.NewGame())
    driver.switch("play")
    assert closed.call_count == 4 + 3, "each choice, other game and other mode ends the recording before"


def test_a_move_of_a_game_is_stepped_through_as_it_was_played(open_window: OpenWindow) -> None:
    computer = configure("mcts_uct", simulation_count=500)
    driver = open_window(PERSON, computer, players=create_player, spec=game_spec("tictactoe"))
    driver.type("b2")
    driver.until(lambda: driver.session.game.ply == 2, COMPILE_TIMEOUT)
    game = driver.session.game
    driver.session.do(cmd.SwapSides(), 0.0)
    driver.press("step_move")
    wait(driver)
    driver.keys("End")
    wait(driver)
    move = game.at(1).text_of(game.moves[-1])
    assert driver.shows_words(f"the player makes the move {move}")
    report, played = mode_of(driver, StepsMode).steps.part.report, driver.session.history.tree.known(game.at(1)).report
    assert report is not None
    assert played is not None
    assert replace(report, seconds=0.0) == replace(played, seconds=0.0)
    assert report.simulations == mode_of(driver, StepsMode).searches[0].simulations == 500


def test_errors_are_shown_in_words(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("random"), players=create_player, spec=game_spec("tictactoe"))
    driver.type("b2")
    driver.until(lambda: driver.session.game.ply == 2)
    driver.press("step_move")
    driver.until(lambda: driver.shows_words("cannot be shown step by step"))
    choose(driver, "mcts_uct")
