"""Forms for players: they know every option, and lose none."""

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
    courage: float = option(0.5, "How bold it is.", 0, 1)
    plan: str = option("wait", "What it is after.", choices={"wait": "", "attack": ""})
    patience: int = option(3, "How long it waits.", 1, 9, is_strength=True)


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


def full(player_type: str) -> PlayerConfig:
    options = options_of(PLAYERS[player_type].config_type)
    return configure(player_type, **{key: unusual(each) for key, each in options.items() if key != "player_color"})


@pytest.mark.parametrize("player_type", PLAYERS)
def test_no_option_is_lost_in_a_form_or_in_a_file(player_type: str) -> None:
    player = full(player_type)
    player = player_of(form_of(player) | {"name": "anna"}, {})
    assert all(getattr(player, each.name) == unusual(each) for each in player_form.own_options(player_type))
    assert player.time_limit_seconds == 0.25
    entry = parts_of(game_spec(), [player])["players"][0]
    read = config_file.player_of(entry, {})
    assert all(getattr(read, key) == value for key, value in entry.items())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("player_type", PLAYERS)
def test_every_option_and_each_of_its_choices_has_words(player_type: str, language: str) -> None:
    words = catalogue(language)
    for each in player_form.own_options(player_type):
        names = [f"new_game.options.{each.name}", *(f"new_game.choices.{each.name}.{key}" for key in each.choices)]
        names += [f"new_game.unset.{each.name}"] if each.default is None else []
        assert [name for name in names if name not in words] == []


@pytest.mark.usefixtures("trial")
def test_a_further_players_options_are_there_by_themselves(driver: WindowDriver) -> None:
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


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("endgame_empties", "25"),
        ("mcts_exploration", "1.2.3"),
        ("mcts_tree_file", "a"),
        ("time_limit_seconds", "1.2.3"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_in_one_sentence(key: str, entry: str) -> None:
    with pytest.raises(OthelloError) as refused:
        player_of(form_of(configure("mcts_uct")) | {key: entry}, {})
    assert ". " not in refused.value.reason.sentence()


@pytest.mark.parametrize(
    ("language", "field", "typed", "means"),
    [
        ("pl", "mcts_exploration", "0,5", 0.5),
        ("en", "mcts_exploration", "0,5", 0.5),
        ("en", "mcts_exploration", "-1", None),
        ("en", "endgame_empties", "-1", None),
        ("en", "endgame_empties", "2.5", None),
        ("pl", "endgame_empties", "12,0", 12),
        ("pl", "time_limit_seconds", "1 000,5", 1000.5),
    ],
)
def test_a_typed_number_is_taken_as_it_is_meant_or_said_to_be_wrong(
    open_window: OpenWindow, language: str, field: str, typed: str, means: float | None
) -> None:
    texts.use(language)
    driver = open_window(PERSON, configure("mcts_uct"))
    driver.press("new", "opponent.more")
    driver.press(f"opponent.{field}")
    driver.type(typed)
    panel = driver.widget(f"opponent.{field}", TextField)
    assert panel.value == typed
    assert panel.is_wrong == (means is None) == bool(panel.tip)
    assert driver.is_enabled("start") != panel.is_wrong
    if means is not None:
        driver.press("start")
        player = driver.session.players[Color.WHITE]
        assert getattr(player, field) == means
        assert form_of(player)[field] == texts.number(means)


def test_blanks_around_a_name_do_not_matter() -> None:
    assert player_of(form_of(configure("random")) | {"name": " Anna Maria "}, {}).name == "Anna Maria"


def test_no_level_is_at_the_left_end_of_its_slider() -> None:
    assert player_of(form_of(configure("engine", level=3)) | {"level": 0}, {}) == configure("engine")


def wanted(black: PlayerConfig, white: PlayerConfig) -> WantedGame:
    session = Session(Config((black, white), seed=1), ScriptedWorker(), 0.0)
    return WantedGame.remembered({}, {}, session)


def shown(game: WantedGame) -> list[str]:
    assert game.players is not None
    players = Players(game.players)
    return [labels.player_name(rules_of(game.spec), players, color) for color in Color]


def test_a_level_needs_no_depth() -> None:
    for level, asked in ((None, {"depth", "level"}), (0, {"depth", "level"}), (3, {"level"})):
        form = {**form_of(configure("engine")), "level": level}
        assert {option.name for option in player_form.more_options(form, ())} & {"depth", "level"} == asked
        assert {option.name for option in player_form.main_options(form)} == asked


@pytest.mark.parametrize("language", languages())
def test_a_name_that_nobody_typed_follows_the_kind_of_player(language: str) -> None:
    """The game on the table may have been begun in another language."""
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


def test_two_players_of_one_level_have_names_of_their_own() -> None:
    game = wanted(levels.opponent(3, ""), levels.opponent(3, ""))
    assert shown(game) == ["Casual", "Casual 2"]
    game.forms[1]["name"] = "Casual"
    assert shown(game) == ["Casual 2", "Casual"]


def test_the_number_of_the_second_player_of_a_level_is_not_kept_for_other_games() -> None:
    assert form_of(levels.opponent(3, "Casual 2"))["name"] == ""
    assert form_of(levels.opponent(3, "Anna 2"))["name"] == "Anna 2"


def test_a_level_of_a_tournament_leaves_a_typed_name_to_its_player() -> None:
    plan = proposed_settings(game_spec())
    plan.forms[0]["player_type"], plan.forms[1]["name"] = "level.3", "Casual"
    plan.results = ""
    assert [player.name for player in plan.config().players] == ["Casual 2", "Casual", "Steady"]
