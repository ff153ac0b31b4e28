"""The dialog New game with its forms of players, by mouse and by keyboard, and hints."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from othello import config_file, texts
from othello.config import Config, PlayerConfig
from othello.config_file import load
from othello.gui import commands as gui, labels
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import failure
from othello.gui.dialogs.new_game import NewGameDialog, WantedGame
from othello.gui.dialogs.player_form import ChosenRules, form_of, numbers_of, own_name, parts_of, player_of
from othello.gui.dialogs.tournament_setup import proposed_settings
from othello.gui.toolkit.controls import SegmentedControl, Select
from othello.gui.toolkit.field import TextField
from othello.play import session_commands as cmd
from othello.play.players import Players
from othello.play.session import Session
from othello.players import levels
from othello.players.player import ComputerConfig
from othello.players.player_registry import PLAYERS, configure, type_title
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, option, options_of
from othello.texts import catalogue, languages, tr
from tests.golden.dialogues import assert_answers
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, Slow, computer
from tests.play.session_driver import ScriptedWorker


def make_random(config: PlayerConfig, spec: GameSpec) -> RandomPlayer:
    return RandomPlayer(config, rules_of(spec))


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    driver = open_window(PERSON, PERSON, players=make_random)
    driver.type("d3")
    driver.keys("Ctrl+N")
    driver.press("who", across=0.1)
    return driver


def test_a_game_starts_with_two_clicks_or_two_keys(driver: WindowDriver) -> None:
    driver.press("opponent.level", across=0.05)
    driver.press("start")
    assert driver.scene.dialog is None
    assert driver.moves() == []
    assert driver.session.players[Color.BLACK].is_user
    assert driver.session.players[Color.WHITE].name == "First steps"
    for key, level, name in (("2", 2, "Beginner"), ("4", 4, "Steady"), ("0", 10, "Master")):
        driver.keys("Ctrl+N", key, "Enter")
        assert driver.session.players[Color.WHITE].name == name
        assert driver.cards[1].details == (f"Level {level}",)
        assert driver.scene.preferences.value.usual["players"][1]["level"] == level, "the default of the next start"


def test_the_dialog_closes_in_every_mode(driver: WindowDriver) -> None:
    driver.press("start")
    for key, mode in (("Ctrl+2", "analyse"), ("Ctrl+3", "play"), ("Ctrl+4", "explore"), ("Ctrl+5", "play")):
        for answer in ("restore", "start"):
            driver.keys(key)
            assert driver.scene.mode.name != "play"
            driver.keys("Ctrl+N")
            driver.press(answer)
            assert driver.scene.dialog is None
            assert driver.moves() == (["d3"] if answer == "restore" else [])
        assert driver.scene.mode.name == mode, "review and training leave for the new game"


def rects(driver: WindowDriver) -> dict[str, pygame.Rect]:
    return {each.widget.name: each.rect for each in driver.placed("dialog").walk() if each.widget.takes_focus}


@pytest.mark.parametrize("language", texts.languages())
def test_no_choice_moves_or_replaces_a_control(open_window: OpenWindow, language: str) -> None:
    driver = open_window(PERSON, computer("first"), players=make_random)
    driver.prefer(language=language)
    choices: list[tuple[str, list[Any], set[str]]] = [
        ("opponent.by_level", [False, True, False], {"opponent.level", "opponent.type", "opponent.more"}),
        ("opponent.type", ["random", "heuristic", "mcts_uct"], set()),
        ("opponent.by_level", [True], set()),
        ("game", [*GAMES, "othello"], set()),
        ("side", ["white", "random", "black"], set()),
        ("clock", [60.0, 900.0, 0.0], set()),
        ("clock", ["other"], {"rules", "help"}),
        ("clock", [0.0, 300.0], {"rules", "help"}),
        ("rules", [True, True], set()),
    ]
    for size in ((900, 600), (1280, 728), (1280, 800))[: 3 if language == "en" else 1]:
        driver.resize(size)
        driver.keys("Ctrl+N")
        for control, values, may_move in choices:
            for value in values:
                before = rects(driver)
                driver.dialog().on_control_changed(control, value)
                driver.turn()
                after = rects(driver)
                changed = {name for name, rect in before.items() if after.get(name) != rect}
                assert changed & after.keys() <= may_move, (size, control, value)
                gone = changed - after.keys()
                assert {name for name in gone if "." not in name} <= {"opening"}, (size, control, value)
        driver.turn()
        assert driver.placed("game").rect.height <= 64 * driver.scene.style.scale + 1, "all games side by side"
        driver.keys("Esc")


def test_a_clock_is_typed_remembered_and_removed(driver: WindowDriver) -> None:
    driver.press("clock", across=0.95)
    driver.press("clock", across=0.95)
    fields = [driver.widget(f"clock.{name}", TextField).value for name in ("clock", "increment")]
    assert fields == ["10", "0"], "the second click of a double click sets nothing"
    for name, text in (("clock.clock", "5"), ("clock.increment", "2")):
        driver.press(name)
        driver.keys("Ctrl+A")
        driver.type(text)
    driver.press("start")
    assert {(each.clock_seconds, each.increment_seconds) for each in driver.session.players.values()} == {(300, 2)}
    driver.keys("Ctrl+N")
    assert driver.has("clock.increment"), "remembered"
    assert not driver.has("opponent.type"), "the opponent is still a level"
    driver.press("clock", across=0.1)
    driver.press("start")
    assert {(each.clock_seconds, each.increment_seconds) for each in driver.session.players.values()} == {(None, 0)}


def test_a_level_becomes_an_engine_and_a_search_becomes_a_level(driver: WindowDriver) -> None:
    driver.press("opponent.level", across=0.65)
    driver.press("opponent.by_level", across=0.9)
    assert "Level" in driver.words()
    driver.press("start")
    assert driver.session.players[Color.WHITE] == levels.opponent(7, "Strong")
    driver.keys("Ctrl+N")
    assert driver.widget("opponent.level", SegmentedControl).value == 7, "the last opponent"
    driver.use(("opponent.by_level", False), ("opponent.type", "heuristic"), ("opponent.depth", 8))
    driver.use(("opponent.name", "Deep"), ("opponent.by_level", True))
    measured = levels.level_of(configure("heuristic", depth=8), game_spec())
    assert driver.widget("opponent.level", SegmentedControl).value == measured
    driver.press("start")
    assert driver.session.players[Color.WHITE] == levels.opponent(measured or 0, tr(f"levels.{measured}"))
    driver.keys("Ctrl+N")
    driver.use(("opponent.by_level", False), ("opponent.type", "engine"), ("opponent.level", 0))
    assert driver.dialog().is_valid
    driver.use(("game", "tictactoe"))
    assert driver.dialog().is_valid
    driver.press("start")
    assert driver.session.players[Color.WHITE].strength == {"level": 3}, "this game needs a level"


def test_two_computers_or_two_people_are_chosen(driver: WindowDriver) -> None:
    driver.press("who", across=0.9)
    driver.press("black.level", across=0.05)
    driver.press("white.level", across=0.95)
    driver.press("start")
    assert [player.name for player in driver.session.players.values()] == ["First steps", "Master"]
    driver.keys("Ctrl+N")
    driver.press("who", across=0.5)
    driver.press("names.1")
    driver.type("Rolf")
    driver.press("start")
    assert all(player.is_user for player in driver.session.players.values())
    assert driver.session.players[Color.WHITE].name == "Rolf"


def test_players_are_listed_from_weak_to_strong_with_descriptions(driver: WindowDriver) -> None:
    placed = driver.placed("opponent.level")
    at = (placed.rect.left + placed.rect.width // 20, placed.rect.centery)
    assert placed.widget.tip_at(at, driver.canvas("opponent.level")) == tr("level_tips.1")
    driver.press("opponent.by_level", across=0.9)
    assert driver.placed("opponent.type").widget.tip
    select = driver.widget("opponent.type", Select)
    kinds = [kind for kind, _ in select.options if "." not in kind]  # programs and classes come last
    assert [kind for kind, _ in select.options][: len(kinds)] == kinds
    assert (kinds[0], kinds[-1]) == ("random", "engine")
    assert {"user", "rule_based"}.isdisjoint(kinds), "rule_based has no rules for Othello"
    assert all(what and strength for what, strength in select.details)
    found = [levels.level_of(configure(kind), game_spec()) for kind in kinds[:-1]]
    places = [place for place in found if place is not None]
    assert found == sorted(places), "all are measured"


def test_undo_returns_to_the_board_of_the_game_before(driver: WindowDriver) -> None:
    driver.use(("game", "tictactoe"))
    driver.press("rules", "rules.size.more", "rules.size.more", "start")
    assert driver.session.game.rules.columns == 5
    assert driver.scene.renderer.squares == 25
    assert "Undo restores the previous game." in driver.status
    driver.keys("Ctrl+Z")
    assert driver.moves() == ["d3"]
    assert driver.scene.renderer.squares == 64


def test_any_player_is_chosen_by_keyboard(driver: WindowDriver) -> None:
    driver.press("opponent.by_level", across=0.9)
    driver.press("opponent.type")
    driver.keys("Home")
    driver.key(pygame.K_RETURN)  # the list
    driver.keys("Tab")
    driver.type("1.2.3")
    driver.keys("Enter")
    assert driver.scene.dialog is not None, "no time limit"
    driver.keys("Ctrl+A", "2")
    driver.press("opponent.more", "opponent.name")
    driver.type("rolf")
    driver.press("clock", "start")
    white = driver.session.players[Color.WHITE]
    assert (white.player_type, white.name, white.time_limit_seconds, white.clock_seconds) == ("random", "rolf", 2, 300)


def test_a_default_is_saved_or_the_dialog_cancelled_without_a_new_game(driver: WindowDriver) -> None:
    for button in ("", "cancel", "close"):
        driver.press("opponent.level", across=0.95)
        driver.press("save")
        usual = driver.scene.preferences.value.usual
        assert usual["players"][1] == {"player_type": "engine", "name": "Master", "level": 10}
        assert driver.dialog().subtitle == "This game is now the default at start-up."
        driver.press(button) if button else driver.keys("Esc")
        assert driver.scene.dialog is None
        assert driver.moves() == ["d3"]
        assert driver.session.players[Color.WHITE].is_user
        driver.keys("Ctrl+N")
        driver.press("who", across=0.1)


def test_a_hint_is_shown_until_the_position_changes(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=make_random)
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
    assert len(driver.board.report.moves) == 4, "the values of all moves"
    driver.type("d3")
    assert driver.board.hint is None
    driver.do(gui.PlainCommand.HINT)
    driver.until(lambda: driver.board.hint is not None)
    for move in (-1, 1):
        driver.do(cmd.Browse(move))
        assert driver.board.hint is None, "the hint belongs to one position"


def test_a_hint_can_be_cancelled_and_disappears_at_the_end(open_window: OpenWindow) -> None:
    class Endless(Slow):
        analyse = Slow.think

    driver = open_window(PERSON, PERSON, players=lambda config, spec: Endless(config, rules_of(spec)))
    driver.do(gui.PlainCommand.HINT)
    driver.until(lambda: driver.session.shown_analysis is not None)
    assert driver.scene.hints.is_running
    driver.do(gui.PlainCommand.HINT)
    assert not driver.scene.hints.is_running
    assert driver.analysis.player is None
    Slow.finish.set()
    driver.do(gui.PlainCommand.HINT)
    driver.until(lambda: driver.board.hint is not None)
    driver.do(cmd.Resign())
    assert (driver.board.hint, driver.status) == (None, "Black resigned. White wins.")


def test_the_forms_show_the_time_of_a_move(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.press("who", across=0.9)
    for side in ("black", "white"):
        driver.use((f"{side}.by_level", False), (f"{side}.type", "random"))
    driver.until(lambda: sum("s per move on this computer" in words for words in driver.words()) == 2)
    dialog = driver.dialog(NewGameDialog)
    done, player = SimpleNamespace(seconds=1, simulations=27e4), partial(configure, "mcts_uct", simulation_count=10**7)
    trials = {(player(time_limit_seconds=limit), game_spec()): done for limit in (15.0, 60.0)}
    monkeypatch.setattr(dialog._move_times, "_session", SimpleNamespace(analysis=SimpleNamespace(trials=trials)))
    driver.use(("black.type", "mcts_uct"), ("black.simulation_count", 10_000_000))
    for limit, shown in (("15", "15"), ("60", "37")):
        driver.use(("black.time_limit_seconds", limit))
        assert f"about {shown} s" in dialog._move_time("black"), "at most the limit"


def test_rules_depend_on_each_other() -> None:
    for size in (3, 7, 15):
        spec = game_spec("tictactoe", {"size": size})
        assert numbers_of(spec, "size") == [*range(3, 16)]
        assert numbers_of(spec, "win_length") == [*range(3, size + 1)]
    chosen = ChosenRules("tictactoe", {"tictactoe": {"size": 9, "win_length": 7}})
    chosen.choose_rule("size", 4)
    assert chosen.spec == game_spec("tictactoe", {"size": 4}), "the usual length, until it is chosen"
    chosen.choose_rule("win_length", 3)
    assert chosen.spec == game_spec("tictactoe", {"size": 4, "win_length": 3})


def test_a_game_of_a_typed_size_and_clock_starts(driver: WindowDriver) -> None:
    dialog = driver.dialog()
    driver.use(("game", "tictactoe"))
    driver.press("rules")
    driver.use(("rules.size", "11"))
    driver.press("rules.win_length.less")
    driver.use(("clock", "other"))
    dialog.on_control_changed("clock.clock", "nothing")
    assert not dialog.is_valid
    driver.use(("clock.clock", "0.5"))
    driver.press("start")
    assert driver.session.game.rules.spec == game_spec("tictactoe", {"size": 11, "win_length": 4})
    assert [player.clock_seconds for player in driver.session.players.values()] == [30.0, 30.0]
    driver.keys("Ctrl+N")
    assert driver.has("clock.clock"), "remembered"


def test_an_opening_by_name_starts_all_games(driver: WindowDriver) -> None:
    driver.keys("Ctrl+N")
    driver.press("rules", "opening")
    driver.type("tigger")
    assert "No opening is called tigger; did you mean Tiger?" in driver.words()
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
    assert driver.widget("opening", TextField).value == "Tiger: 1"


def test_the_first_start_plays_a_level_that_the_dialog_shows(open_window: OpenWindow) -> None:
    players = load(Path(__file__).parents[2] / "config.json").players
    driver = open_window(*players)
    level = players[1].strength["level"]
    assert driver.cards[1].title == tr(f"levels.{level}")
    assert driver.cards[1].details == (tr("players.level", level=level),)
    driver.keys("Ctrl+N")
    assert isinstance(driver.scene.dialog, NewGameDialog)
    assert tr("new_game.level", level=level, name=tr(f"levels.{level}")) in " ".join(driver.words())


class TrialConfig(ComputerConfig):
    courage: float = option(0.5, "Courage.", 0, 1)
    plan: str = option("wait", "Plan.", choices={"wait": "", "attack": ""})
    patience: int = option(3, "Patience.", 1, 9, is_strength=True)


class TrialPlayer(RandomPlayer):
    player_type = "trial"
    config_type = TrialConfig


def unusual(each: Option) -> Any:
    if each.choices:
        return next(value for value in each.choices if value != each.default)
    if each.kind is bool:
        return not each.default
    if each.kind is str:
        return "memory.npz"
    return each.kind(0.25 if each.kind is float else max(7, each.minimum or 0))


@pytest.mark.parametrize("player_type", PLAYERS)
def test_every_option_has_texts_and_is_kept_by_forms_and_files(player_type: str) -> None:
    options = options_of(PLAYERS[player_type].config_type)
    player = configure(player_type, **{key: unusual(each) for key, each in options.items() if key != "player_color"})
    player = player_of(form_of(player) | {"name": "anna"}, {})
    assert all(getattr(player, each.name) == unusual(each) for each in player_form.own_options(player_type))
    assert player.time_limit_seconds == 0.25
    entry = parts_of(game_spec(), [player])["players"][0]
    read = config_file.player_of(entry, {})
    assert all(getattr(read, key) == value for key, value in entry.items())
    for each in player_form.own_options(player_type):
        names = [f"new_game.options.{each.name}", *(f"new_game.choices.{each.name}.{key}" for key in each.choices)]
        names += [f"new_game.unset.{each.name}"] if each.default is None else []
        for language in languages():
            assert [name for name in names if name not in catalogue(language)] == []


def test_the_form_shows_the_options_of_another_player(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "trial", TrialPlayer)
    dialog = driver.dialog()
    changes = {"type": "trial", "more": True, "patience": 5, "plan": "attack", "courage": "0.25"}
    for name, value in (("by_level", False), *changes.items()):
        dialog.on_control_changed(f"opponent.{name}", value)
        driver.turn()
        assert dialog.widgets.place_of(f"opponent.{name}")
    form = {**form_of(configure("trial")), **changes}
    assert player_of(form, {}) == configure("trial", courage=0.25, plan="attack", patience=5)


def test_an_invalid_value_is_refused_in_the_stored_sentence() -> None:
    def refusal(question: str) -> str:
        key, _, entry = question.partition(" ")
        return failure(partial(player_of, form_of(configure("mcts_uct")) | {key: entry}, {}))

    assert_answers("refused_options.txt", refusal)


def test_a_typed_number_is_parsed_or_marked_as_wrong(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("mcts_uct"), players=make_random)
    driver.press("new")
    driver.use(("opponent.more", True))
    for language, field, typed, number in (
        ("pl", "mcts_exploration", "0,5", 0.5),
        ("en", "mcts_exploration", "0,25", 0.25),
        ("en", "mcts_exploration", "-1", None),
        ("en", "endgame_empties", "-1", None),
        ("en", "endgame_empties", "2.5", None),
        ("pl", "endgame_empties", "12,0", 12),
        ("pl", "time_limit_seconds", "1 000,5", 1000.5),
    ):
        texts.use(language)
        driver.use((f"opponent.{field}", typed))
        panel = driver.widget(f"opponent.{field}", TextField)
        assert panel.value == typed
        assert panel.is_wrong == (number is None) == bool(panel.tip)
        assert driver.is_enabled("start") != panel.is_wrong
        if number is None:
            driver.use((f"opponent.{field}", ""))
        else:
            player = player_of(driver.dialog(NewGameDialog)._wanted.form("opponent"), {})
            assert getattr(player, field) == number
            assert form_of(player)[field] == texts.number(number)
    driver.press("opponent.mcts_exploration")
    driver.keys("Ctrl+A")
    driver.type("0,75")
    driver.press("start")
    assert form_of(driver.session.players[Color.WHITE])["mcts_exploration"] == "0,75"


def test_a_form_strips_names_and_has_levels_and_depths() -> None:
    assert player_of(form_of(configure("random")) | {"name": " Anna Maria "}, {}).name == "Anna Maria"
    assert player_of(form_of(configure("engine", level=3)) | {"level": 0}, {}) == configure("engine")
    for level, options in ((None, {"depth", "level"}), (0, {"depth", "level"}), (3, {"level"})):
        form = {**form_of(configure("engine")), "level": level}
        assert {option.name for option in player_form.more_options(form, ())} & {"depth", "level"} == options
        assert {option.name for option in player_form.main_options(form)} == options


def wanted(black: PlayerConfig, white: PlayerConfig) -> WantedGame:
    return WantedGame.remembered({}, {}, Session(Config((black, white), seed=1), ScriptedWorker(), 0.0))


def shown(game: WantedGame) -> list[str]:
    assert game.players is not None
    players = Players(game.players)
    return [labels.player_name(rules_of(game.spec), players, color) for color in Color]


@pytest.mark.parametrize("language", languages())
def test_a_name_follows_the_type_of_the_player_until_it_is_typed(language: str) -> None:
    game = wanted(PERSON, levels.opponent(3, str(catalogue(language)["levels.3"])))
    form = game.forms[1]
    assert (form["name"], own_name(form)) == ("", "Casual")
    assert shown(game) == ["You", "Casual"]
    form["level"] = 5
    assert shown(game) == ["You", tr("levels.5")]
    form["player_type"] = "mcts_ucb1"
    assert own_name(form) == type_title("mcts_ucb1")
    assert shown(game) == ["You", type_title("mcts_ucb1")]
    form["name"] = "Anna"
    form["player_type"] = "engine"
    assert shown(game) == ["You", "Anna"]
    game.side = "white"
    assert shown(game) == ["Anna", "You"]


def test_two_players_of_one_level_have_different_names() -> None:
    game = wanted(levels.opponent(3, ""), levels.opponent(3, ""))
    assert shown(game) == ["Casual", "Casual 2"]
    game.forms[1]["name"] = "Casual"
    assert shown(game) == ["Casual 2", "Casual"]
    assert form_of(levels.opponent(3, "Casual 2"))["name"] == ""
    assert form_of(levels.opponent(3, "Anna 2"))["name"] == "Anna 2"
    plan = proposed_settings(game_spec())
    plan.forms[0]["player_type"], plan.forms[1]["name"] = "level.3", "Casual"
    plan.results = ""
    assert [player.name for player in plan.config().players] == ["Casual 2", "Casual", "Steady"]


def test_the_stored_choices_of_a_new_game_may_be_invalid(driver: WindowDriver) -> None:
    values: tuple[object, ...] = (True, "3", 0, 10**300, None, [], {})
    for value in values:
        driver.keys("Esc")
        driver.scene.preferences.change(new_game=dict.fromkeys(("game", "who", "side"), value))
        driver.keys("Ctrl+N")
        driver.dialog(NewGameDialog)
        driver.settle()
