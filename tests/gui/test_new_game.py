"""The dialog before a game, by mouse and by keyboard."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from othello import texts
from othello.config import PlayerConfig
from othello.config_file import load
from othello.gui import commands as gui, labels
from othello.gui.dialogs import player_form
from othello.gui.dialogs.new_game import NewGameDialog
from othello.gui.dialogs.player_form import ChosenRules, numbers_of
from othello.gui.toolkit.controls import SegmentedControl, Select
from othello.gui.toolkit.field import TextField
from othello.gui.toolkit.text import Label, Paragraph
from othello.play import session_commands as cmd
from othello.players import levels
from othello.players.player_registry import configure
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import tr
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer


def anybody(config: PlayerConfig, spec: GameSpec) -> RandomPlayer:
    return RandomPlayer(config, rules_of(spec))


def click(driver: WindowDriver, control: str, share: float = 0.5) -> None:
    """Click on a control of the open dialog, so far from its left edge."""
    assert driver.scene.dialog is not None
    rect = driver.scene.dialog.widgets.place_of(control)
    driver.click((rect.left + round(rect.width * share), rect.centery))


def words_of(driver: WindowDriver) -> list[str]:
    dialog = driver.scene.dialog
    tree = None if dialog is None else dialog.widgets.find("dialog")
    assert tree is not None
    panels = [each.widget for each in tree.walk()]
    return [str(panel.words) for panel in panels if isinstance(panel, Label | Paragraph)]


def click_game(driver: WindowDriver, game: str) -> None:
    click(driver, "game", (list(GAMES).index(game) + 0.5) / len(GAMES))


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    driver = open_window(PERSON, PERSON, players=anybody)
    driver.type("d3")
    driver.keys("Ctrl+N")
    click(driver, "who", 0.1)
    return driver


def test_two_clicks_or_two_keys_are_enough(driver: WindowDriver) -> None:
    click(driver, "opponent.level", 0.05)
    click(driver, "start")
    assert driver.scene.dialog is None
    assert driver.moves() == []
    assert driver.session.players[Color.BLACK].is_user
    assert driver.session.players[Color.WHITE].name == "First steps"
    driver.keys("Ctrl+N", "2", "Enter")
    assert driver.session.players[Color.WHITE].name == "Beginner"


@pytest.mark.parametrize("mode", [pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5])
@pytest.mark.parametrize("answer", ["start", "restore"])
def test_the_dialog_closes_in_every_mode(driver: WindowDriver, mode: int, answer: str) -> None:
    click(driver, "start")
    driver.key(mode, "", pygame.KMOD_CTRL)
    driver.keys("Ctrl+N")
    click(driver, answer)
    assert driver.scene.dialog is None


def rects(driver: WindowDriver) -> dict[str, pygame.Rect]:
    dialog = driver.scene.dialog
    tree = None if dialog is None else dialog.widgets.find("dialog")
    assert tree is not None
    return {each.widget.name: each.rect for each in tree.walk() if each.widget.takes_focus}


def moved(before: dict[str, pygame.Rect], after: dict[str, pygame.Rect]) -> set[str]:
    return {name for name, rect in before.items() if after.get(name) != rect}


BELOW_THE_CLOCK = {"rules", "help"}


@pytest.mark.parametrize("size", [(1280, 728), (1280, 800), (900, 600)])
@pytest.mark.parametrize("language", texts.languages())
def test_no_choice_moves_or_replaces_a_control(open_window: OpenWindow, language: str, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, computer("first"), size=size, players=anybody)
    driver.scene.preferences.value = replace(driver.scene.preferences.value, language=language)
    driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    driver.keys("Ctrl+N")
    dialog = driver.dialog()
    choices: list[tuple[str, list[Any], set[str]]] = [
        ("opponent.by_level", [False, True, False], {"opponent.level", "opponent.type", "opponent.more"}),
        ("opponent.type", ["random", "heuristic", "mcts_uct"], set()),
        ("opponent.by_level", [True], set()),
        ("game", [*GAMES, "othello"], set()),
        ("side", ["white", "random", "black"], set()),
        ("clock", [60.0, 900.0, 0.0], set()),
        ("clock", ["other"], BELOW_THE_CLOCK),
        ("clock", [0.0, 300.0], {"rules", "help"}),
        ("rules", [True, True], set()),
    ]
    for control, values, may_move in choices:
        for value in values:
            before = rects(driver)
            dialog.on_control_changed(control, value)
            driver.turn()
            changed = moved(before, rects(driver))
            assert {each for each in changed if each in rects(driver)} <= may_move, (control, value)
            gone = changed - rects(driver).keys()
            assert {each for each in gone if "." not in each} <= {"opening"}, (control, value)
    driver.turn()
    assert driver.placed("game").rect.height <= 64 * driver.scene.style.scale + 1, "all games side by side"


def test_another_clock_opens_below_the_pointer_and_a_double_click_sets_nothing(driver: WindowDriver) -> None:
    click(driver, "clock", 0.95)
    click(driver, "clock", 0.95)
    minutes, seconds = (driver.placed(f"clock.{name}").widget for name in ("clock", "increment"))
    assert isinstance(minutes, TextField)
    assert isinstance(seconds, TextField)
    assert (minutes.value, seconds.value) == ("10", "0")
    for name, text in (("clock.clock", "5"), ("clock.increment", "2")):
        click(driver, name)
        driver.keys("Ctrl+A")
        driver.type(text)
    click(driver, "start")
    players = driver.session.players.values()
    assert [(seat.clock_seconds, seat.increment_seconds) for seat in players] == [(300, 2), (300, 2)]
    driver.keys("Ctrl+N")
    assert driver.has("clock.increment"), "remembered"


def test_a_level_becomes_the_engine_at_that_level_and_back(driver: WindowDriver) -> None:
    click(driver, "opponent.level", 0.65)
    click(driver, "opponent.by_level", 0.9)
    assert "Level" in words_of(driver)
    click(driver, "start")
    assert driver.session.players[Color.WHITE] == levels.opponent(7, "Strong")
    driver.keys("Ctrl+N")
    steps = driver.widget("opponent.level", SegmentedControl)
    assert steps.value == 7, "New game shows the last opponent"


def test_a_search_becomes_the_level_of_its_measured_place(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    for name, value in (("by_level", False), ("type", "heuristic"), ("depth", 8), ("by_level", True)):
        dialog.on_control_changed(f"opponent.{name}", value)
    driver.turn()
    steps = driver.widget("opponent.level", SegmentedControl)
    assert steps.value == levels.level_of(configure("heuristic", depth=8), game_spec())


def test_an_engine_gets_a_level_for_a_game_that_needs_one(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    for name, value in (("opponent.by_level", False), ("opponent.type", "engine"), ("opponent.level", 0)):
        dialog.on_control_changed(name, value)
    assert dialog.is_valid
    driver.use(("game", "tictactoe"))
    assert dialog.is_valid
    click(driver, "start")
    assert driver.session.players[Color.WHITE].strength == {"level": 3}


def test_two_computers_and_two_people_are_described_one_below_the_other(driver: WindowDriver) -> None:
    click(driver, "who", 0.9)
    black, white = (driver.placed(f"{side}.level").rect for side in ("black", "white"))
    assert black.left == white.left
    assert black.bottom < white.top
    click(driver, "black.level", 0.05)
    click(driver, "white.level", 0.95)
    click(driver, "start")
    assert [seat.name for seat in driver.session.players.values()] == ["First steps", "Master"]
    driver.keys("Ctrl+N")
    click(driver, "who", 0.5)
    click(driver, "names.1")
    driver.type("Rolf")
    click(driver, "start")
    assert all(seat.is_user for seat in driver.session.players.values())
    assert driver.session.players[Color.WHITE].name == "Rolf"


def test_the_players_run_from_the_weakest_to_the_strongest_with_a_line_each(driver: WindowDriver) -> None:
    click(driver, "opponent.by_level", 0.9)
    select = driver.widget("opponent.type", Select)
    kinds = [kind for kind, _ in select.options if "." not in kind]  # programs and classes come last
    assert [kind for kind, _ in select.options][: len(kinds)] == kinds
    assert (kinds[0], kinds[-1]) == ("random", "engine")
    assert "user" not in kinds
    assert "rule_based" not in kinds, "has no rules for Othello"
    assert all(what and strength for what, strength in select.details)
    found = [levels.level_of(configure(kind), game_spec()) for kind in kinds[:-1]]
    places = [place for place in found if place is not None]
    assert places == sorted(places)
    assert len(places) == len(kinds) - 1, "all are measured"


def test_another_game_has_another_board_and_undo_brings_the_old_one_back(driver: WindowDriver) -> None:
    click_game(driver, "tictactoe")
    click(driver, "rules")
    click(driver, "rules.size.more")
    click(driver, "rules.size.more")
    click(driver, "start")
    assert driver.session.game.rules.columns == 5
    assert driver.scene.renderer.squares == 25
    driver.press("undo")
    assert driver.moves() == ["d3"]
    assert driver.scene.renderer.squares == 64


def test_with_large_text_what_may_be_scrolled_leaves_the_footer_one_row(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    assert dialog.widgets.place_of("save").centery == dialog.widgets.place_of("start").centery
    driver.resize((900, 600))
    driver.use_text(200)
    start = dialog.widgets.place_of("start")
    assert dialog.rect.bottom - start.top <= 88 * 2
    assert dialog.widgets.place_of("cancel").centery == start.centery


@pytest.mark.parametrize("how", ["key", "cancel", "cross"])
def test_cancelling_leaves_the_game_alone(driver: WindowDriver, how: str) -> None:
    click(driver, "opponent.level", 0.95)
    if how == "key":
        driver.keys("Esc")
    else:
        click(driver, "cancel" if how == "cancel" else "close")
    assert driver.scene.dialog is None
    assert driver.moves() == ["d3"]
    assert driver.session.players[Color.WHITE].is_user


def test_any_player_is_chosen_by_keyboard(driver: WindowDriver) -> None:
    click(driver, "opponent.by_level", 0.9)
    click(driver, "opponent.type")
    driver.keys("Home")
    driver.key(pygame.K_RETURN)  # the list
    driver.keys("Tab")
    driver.type("2")
    click(driver, "opponent.more")
    click(driver, "opponent.name")
    driver.type("rolf")
    click(driver, "clock", 0.5)
    click(driver, "start")
    white = driver.session.players[Color.WHITE]
    assert (white.player_type, white.name, white.time_limit_seconds, white.clock_seconds) == ("random", "rolf", 2, 300)


def test_a_clock_can_be_taken_away_again(driver: WindowDriver) -> None:
    click(driver, "clock", 0.5)
    click(driver, "clock", 0.1)
    click(driver, "start")
    assert [seat.clock_seconds for seat in driver.session.players.values()] == [None, None]


def test_a_time_limit_that_is_none_cannot_be_started_with(driver: WindowDriver) -> None:
    click(driver, "opponent.by_level", 0.9)
    click(driver, "opponent.time_limit_seconds")
    driver.type("1.2.3")
    driver.keys("Enter")
    assert driver.scene.dialog is not None


def test_the_usual_game_is_kept_in_the_settings_and_the_table_stays(driver: WindowDriver) -> None:
    before = driver.moves()
    click(driver, "opponent.level", 0.95)
    click(driver, "save")
    usual = driver.scene.preferences.value.usual
    assert usual["players"][1] == {"player_type": "engine", "name": "Master", "level": 10}
    assert driver.scene.dialog is not None
    assert driver.scene.dialog.subtitle == "This game is now the default at start-up."
    assert driver.moves() == before


def test_the_last_choice_is_remembered(driver: WindowDriver) -> None:
    driver.type("7")
    driver.keys("Enter", "Ctrl+N")
    assert driver.scene.preferences.value.usual["players"][1]["level"] == 7


def test_a_level_with_a_clock_is_offered_as_a_level_again(driver: WindowDriver) -> None:
    click(driver, "clock", 0.3)
    driver.keys("Enter", "Ctrl+N")
    assert not driver.has("opponent.type")


@pytest.mark.parametrize(("key", "level"), [("4", 4), ("0", 10)])
def test_a_level_is_told_by_its_name_and_number(driver: WindowDriver, key: str, level: int) -> None:
    driver.type(key)
    driver.keys("Enter")
    assert driver.cards[1].details == (f"Level {level}",)


def test_a_hint_is_shown_until_the_game_goes_on(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=anybody)
    driver.keys("Ctrl+H")
    driver.until(lambda: driver.scene.hints.report is not None)
    driver.turn()
    advised = driver.board.hint
    assert advised is not None
    assert driver.status.startswith(f"{labels.move(driver.session.game, advised)} is best")
    assert driver.board.report is None, "one mark and no figures"
    assert not driver.board.shows_counts
    driver.type("v")
    assert driver.board.report is not None
    assert len(driver.board.report.moves) == 4, "who asks sees what every move is worth"
    driver.type("d3")
    assert driver.board.hint is None


def test_a_hint_is_gone_where_another_position_is_looked_at(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=anybody)
    driver.type("d3")
    driver.do(gui.PlainCommand.HINT)
    driver.until(lambda: driver.scene.hints.report is not None)
    driver.do(cmd.Browse(-1))
    assert driver.board.hint is None
    driver.do(cmd.Browse(1))
    assert driver.board.hint is None


def test_a_hint_is_gone_when_the_game_is_over(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("slow"), players=anybody)
    driver.do(gui.PlainCommand.HINT)
    driver.until(lambda: driver.scene.hints.report is not None)
    driver.do(cmd.Resign())
    assert (driver.board.hint, driver.status) == (None, "You resigned. You lose.")


def test_a_hint_that_is_not_wanted_any_more_is_not_searched(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=anybody)
    driver.do(gui.PlainCommand.HINT)
    assert driver.scene.hints.is_running or driver.scene.hints.report is not None
    driver.do(gui.PlainCommand.HINT)
    assert not driver.scene.hints.is_running
    assert driver.session.analysis is not None
    assert driver.session.analysis.player is None


def test_a_computer_moves_when_it_is_told_to(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"), delay=6.0)
    driver.type("d3")
    driver.until(lambda: driver.session.worker.answer is not None)
    driver.press("move_now")
    driver.until(lambda: driver.session.game.ply == 2)


def test_the_cost_of_every_computer_is_measured_in_the_forms(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    click(driver, "who", 0.9)
    for side in ("black", "white"):
        dialog.on_control_changed(f"{side}.by_level", False)
        dialog.on_control_changed(f"{side}.type", "random")
    driver.turn()
    driver.until(lambda: sum("s per move on this computer" in words for words in words_of(driver)) == 2)


def test_a_player_with_a_time_limit_takes_no_longer(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = driver.dialog(NewGameDialog)
    player = configure("mcts_uct", simulation_count=10_000_000, time_limit_seconds=15.0)
    trial = SimpleNamespace(trials={(player, game_spec()): SimpleNamespace(seconds=1.0, simulations=270_000)})
    monkeypatch.setattr(dialog._move_times, "_session", SimpleNamespace(analysis=trial))
    dialog.on_control_changed("opponent.by_level", False)
    for key in ("type", "simulation_count", "time_limit_seconds"):
        dialog.on_control_changed(
            f"opponent.{key}", player_form.form_of(player)["player_type" if key == "type" else key]
        )
    assert "about 15 s" in dialog._move_time("opponent")


@pytest.mark.parametrize(("size", "longest"), [(3, 3), (7, 7), (15, 15)])
def test_a_number_offers_what_goes_with_the_others(size: int, longest: int) -> None:
    spec = game_spec("tictactoe", {"size": size})
    assert numbers_of(spec, "size") == [*range(3, 16)]
    assert numbers_of(spec, "win_length") == [*range(3, longest + 1)]


def size_of(driver: WindowDriver) -> str:
    field = driver.widget("rules.size", TextField)
    return field.value


def test_any_size_is_typed_or_reached_by_steps_and_a_clock_is_typed(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    click_game(driver, "tictactoe")
    click(driver, "rules")
    for size in range(4, 16):
        click(driver, "rules.size.more")
        assert size_of(driver) == str(size)
        assert dialog.is_valid
    click(driver, "rules.size.more")
    assert size_of(driver) == "15", "the button is dead"
    click(driver, "rules.size")
    for text, is_valid in (("1", False), ("16", False), ("11", True)):
        driver.keys("Ctrl+A")
        driver.type(text)
        assert dialog.is_valid == is_valid
        assert size_of(driver) == text
    click(driver, "rules.win_length.less")
    driver.use(("clock", "other"))
    dialog.on_control_changed("clock.clock", "nothing")
    assert not dialog.is_valid
    driver.use(("clock.clock", "0.5"))
    driver.press("start")
    assert driver.session.game.rules.spec == game_spec("tictactoe", {"size": 11, "win_length": 4})
    assert [seat.clock_seconds for seat in driver.session.players.values()] == [30.0, 30.0]
    driver.keys("Ctrl+N")
    assert driver.has("clock.clock"), "remembered"


def test_what_a_level_is_shows_where_the_mouse_rests(driver: WindowDriver) -> None:
    placed = driver.placed("opponent.level")
    at = (placed.rect.left + placed.rect.width // 20, placed.rect.centery)
    assert placed.widget.tip_at(at, driver.canvas("opponent.level")) == tr("level_tips.1")
    click(driver, "opponent.by_level", 0.9)
    assert driver.placed("opponent.type").widget.tip


def test_a_rule_that_follows_from_others_follows_anew() -> None:
    chosen = ChosenRules("tictactoe", {"tictactoe": {"size": 9, "win_length": 7}})
    chosen.choose_rule("size", 4)
    assert chosen.spec == game_spec("tictactoe", {"size": 4})
    chosen.choose_rule("win_length", 3)
    assert chosen.spec == game_spec("tictactoe", {"size": 4, "win_length": 3})


@pytest.mark.parametrize("mode", [pygame.K_3, pygame.K_5])
def test_a_new_game_leads_from_review_and_training_to_the_board(driver: WindowDriver, mode: int) -> None:
    driver.keys("Esc")
    driver.key(mode, mod=pygame.KMOD_CTRL)
    assert driver.scene.mode.name != "play"
    driver.keys("Ctrl+N", "Enter")
    assert driver.scene.mode.name == "play"
    assert driver.scene.dialog is None


def test_a_game_begins_with_an_opening_by_name_and_so_do_those_after_it(driver: WindowDriver) -> None:
    driver.keys("Ctrl+N")
    driver.press("rules", "opening")
    driver.type("tigger")
    assert "No opening is called tigger; did you mean Tiger?" in words_of(driver)
    assert not driver.is_enabled("start")
    for _ in range(4):
        driver.keys("Backspace")
    driver.type("ger")
    driver.press("start")
    for _ in range(2):
        driver.until(lambda: not driver.session.is_drawing)
        assert driver.moves() == ["f5", "d6", "c3", "d3", "c4"]
        assert not driver.session.history.is_begun, "the opening is no move of a player"
        driver.keys("Ctrl+R")
    assert driver.scene.preferences.value.usual["openings"] == {"Tiger": 1}
    driver.keys("Ctrl+N")
    driver.press("rules")
    field = driver.widget("opening", TextField)
    assert field.value == "Tiger: 1"


def test_the_first_opponent_has_the_name_of_a_level_and_new_game_shows_it(open_window: OpenWindow) -> None:
    """The config that comes with the program, as a first start plays it."""
    players = load(Path(__file__).parents[2] / "config.json").players
    driver = open_window(*players)
    level = players[1].strength["level"]
    assert driver.cards[1].title == tr(f"levels.{level}")
    assert driver.cards[1].details == (tr("players.level", level=level),)
    driver.keys("Ctrl+N")
    assert isinstance(driver.scene.dialog, NewGameDialog)
    assert tr("new_game.level", level=level, name=tr(f"levels.{level}")) in " ".join(words_of(driver))
