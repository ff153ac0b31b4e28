"""Forms for the options of players."""

from typing import Any

import pytest

from othello import config_file, texts
from othello.config import Config, PlayerConfig
from othello.errors import OthelloError
from othello.gui import labels
from othello.gui.dialogs import player_form
from othello.gui.dialogs.new_game import WantedGame
from othello.gui.dialogs.player_form import form_of, own_name, parts_of, player_of
from othello.gui.dialogs.tournament_setup import proposed_settings
from othello.gui.toolkit.field import TextField
from othello.play.players import Players
from othello.play.session import Session
from othello.players import levels
from othello.players.player import ComputerConfig
from othello.players.player_registry import PLAYERS, configure, type_title
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.schema import Option, option, options_of
from othello.texts import catalogue, languages, tr
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.play.session_driver import ScriptedWorker


class TrialConfig(ComputerConfig):
    courage: float = option(0.5, "Courage.", 0, 1)
    plan: str = option("wait", "Plan.", choices={"wait": "", "attack": ""})
    patience: int = option(3, "Patience.", 1, 9, is_strength=True)


class TrialPlayer(RandomPlayer):
    player_type = "trial"
    config_type = TrialConfig


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "trial", TrialPlayer)


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


@pytest.mark.usefixtures("trial")
def test_the_form_shows_the_options_of_another_player(driver: WindowDriver) -> None:
    driver.press("new")
    dialog = driver.dialog()
    changes = {"type": "trial", "more": True, "patience": 5, "plan": "attack", "courage": "0.25"}
    dialog.on_control_changed("who", "computer")
    for name, value in (("by_level", False), *changes.items()):
        dialog.on_control_changed(f"opponent.{name}", value)
        driver.turn()
        assert dialog.widgets.place_of(f"opponent.{name}")
    assert player_of({**form_of(configure("trial")), **changes}, {}) == configure(
        "trial", courage=0.25, plan="attack", patience=5
    )


def test_an_invalid_value_is_refused_in_one_sentence() -> None:
    invalid = {
        "endgame_empties": "25",
        "mcts_exploration": "1.2.3",
        "mcts_tree_file": "a",
        "time_limit_seconds": "1.2.3",
    }
    for key, entry in invalid.items():
        with pytest.raises(OthelloError) as refused:
            player_of(form_of(configure("mcts_uct")) | {key: entry}, {})
        assert ". " not in refused.value.reason.sentence()


def test_a_typed_number_is_parsed_or_marked_as_wrong(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("mcts_uct"))
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
        driver.press("new")
        driver.use(("opponent.more", True))
        driver.press(f"opponent.{field}")
        driver.keys("Ctrl+A")
        driver.type(typed)
        panel = driver.widget(f"opponent.{field}", TextField)
        assert panel.value == typed
        assert panel.is_wrong == (number is None) == bool(panel.tip)
        assert driver.is_enabled("start") != panel.is_wrong
        if number is None:
            driver.keys("Esc")
        else:
            driver.press("start")
            player = driver.session.players[Color.WHITE]
            assert getattr(player, field) == number
            assert form_of(player)[field] == texts.number(number)


def test_a_form_strips_names_and_has_levels_and_depths() -> None:
    assert player_of(form_of(configure("random")) | {"name": " Anna Maria "}, {}).name == "Anna Maria"
    assert player_of(form_of(configure("engine", level=3)) | {"level": 0}, {}) == configure("engine")
    for level, options in ((None, {"depth", "level"}), (0, {"depth", "level"}), (3, {"level"})):
        form = {**form_of(configure("engine")), "level": level}
        assert {option.name for option in player_form.more_options(form, ())} & {"depth", "level"} == options
        assert {option.name for option in player_form.main_options(form)} == options


def wanted(black: PlayerConfig, white: PlayerConfig) -> WantedGame:
    session = Session(Config((black, white), seed=1), ScriptedWorker(), 0.0)
    return WantedGame.remembered({}, {}, session)


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
