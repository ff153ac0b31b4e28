"""The dialog before a game, by mouse and by keyboard."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from othello import texts
from othello.config import PlayerConfig
from othello.config_file import load
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.dialogs import player_form
from othello.gui.dialogs.new_game import NewGameDialog
from othello.gui.dialogs.player_form import ChosenRules, numbers_of
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.switches import Choice, Select
from othello.gui.toolkit.words import Label, Paragraph
from othello.play import commands as play
from othello.players import levels
from othello.players.random_player import RandomPlayer
from othello.players.registry import configure
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import say
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

Open = Callable[..., Desk]


def anybody(config: PlayerConfig, spec: GameSpec) -> RandomPlayer:
    """A player that needs no preparation, whoever was chosen."""
    return RandomPlayer(config, rules_of(spec))


def click(desk: Desk, control: str, share: float = 0.5) -> None:
    """Click on a control of the open dialog, so far from its left edge."""
    assert desk.scene.dialog is not None
    rect = desk.scene.dialog.stage.place_of(control)
    desk.click((rect.left + round(rect.width * share), rect.centery))


def words_of(desk: Desk) -> list[str]:
    """All that is written in the open dialog."""
    dialog = desk.scene.dialog
    tree = None if dialog is None else dialog.stage.find("dialog")
    assert tree is not None
    panels = [each.panel for each in tree.walk()]
    return [str(panel.words) for panel in panels if isinstance(panel, Label | Paragraph)]


def click_game(desk: Desk, game: str) -> None:
    """Choose a game in the open dialog, wherever it lies in the row of games."""
    click(desk, "game", (list(GAMES).index(game) + 0.5) / len(GAMES))


@pytest.fixture
def desk(sit_down: Open) -> Desk:
    desk = sit_down(PERSON, PERSON, players=anybody)
    desk.type("d3")
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    click(desk, "who", 0.1)
    return desk


def test_two_clicks_are_enough(desk: Desk) -> None:
    click(desk, "opponent.level", 0.05)
    click(desk, "start")
    assert desk.scene.dialog is None
    assert desk.moves() == []
    assert desk.session.seats[Color.BLACK].is_user
    assert desk.session.seats[Color.WHITE].name == "First steps"


def test_enter_starts_and_digits_choose(desk: Desk) -> None:
    desk.type("2")
    desk.key(pygame.K_RETURN)
    assert desk.session.seats[Color.WHITE].name == "Beginner"


@pytest.mark.parametrize("mode", [pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5])
@pytest.mark.parametrize("answer", ["start", "restore"])
def test_the_dialog_closes_in_every_mode(desk: Desk, mode: int, answer: str) -> None:
    click(desk, "start")
    desk.key(mode, "", pygame.KMOD_CTRL)
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    click(desk, answer)
    assert desk.scene.dialog is None


def rects(desk: Desk) -> dict[str, pygame.Rect]:
    """The places of all controls of the open dialog, by name."""
    dialog = desk.scene.dialog
    tree = None if dialog is None else dialog.stage.find("dialog")
    assert tree is not None
    return {each.panel.name: each.rect for each in tree.walk() if each.panel.takes_focus}


def moved(before: dict[str, pygame.Rect], after: dict[str, pygame.Rect]) -> set[str]:
    """The controls that are in another place afterwards."""
    return {name for name, rect in before.items() if after.get(name) != rect}


BELOW_THE_CLOCK = {"rules", "help"}


@pytest.mark.parametrize("size", [(1280, 728), (1280, 800), (900, 600)])
@pytest.mark.parametrize("language", texts.languages())
def test_no_choice_moves_or_replaces_a_control(sit_down: Open, language: str, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, computer("first"), size=size, players=anybody)
    desk.scene.preferences.value = replace(desk.scene.preferences.value, language=language)
    desk.scene.do(gui.PlainCommand.APPLY_PREFERENCES, 0.0)
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    dialog = desk.scene.dialog
    assert dialog is not None
    try:
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
                before = rects(desk)
                dialog.on_control_changed(control, value)
                desk.turn()
                changed = moved(before, rects(desk))
                assert {each for each in changed if each in rects(desk)} <= may_move, (control, value)
                gone = changed - rects(desk).keys()
                assert {each for each in gone if "." not in each} <= {"opening"}, (control, value)
        desk.turn()
        assert desk.placed("game").rect.height <= 64 * desk.scene.style.scale + 1, "all games side by side"
    finally:
        texts.use("en")


def test_another_clock_opens_below_the_pointer_and_a_double_click_sets_nothing(desk: Desk) -> None:
    click(desk, "clock", 0.95)
    click(desk, "clock", 0.95)
    minutes, seconds = (desk.placed(f"clock.{name}").panel for name in ("clock", "increment"))
    assert isinstance(minutes, Field)
    assert isinstance(seconds, Field)
    assert (minutes.value, seconds.value) == ("10", "0")
    for name, text in (("clock.clock", "5"), ("clock.increment", "2")):
        click(desk, name)
        desk.key(pygame.K_a, mod=pygame.KMOD_CTRL)
        desk.type(text)
    click(desk, "start")
    seats = desk.session.seats.values()
    assert [(seat.clock_seconds, seat.increment_seconds) for seat in seats] == [(300, 2), (300, 2)]
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    assert desk.has("clock.increment"), "remembered"


def test_a_level_becomes_the_engine_at_that_level_and_back(desk: Desk) -> None:
    click(desk, "opponent.level", 0.65)
    click(desk, "opponent.by_level", 0.9)
    assert "Level" in words_of(desk)
    click(desk, "start")
    assert desk.session.seats[Color.WHITE] == levels.opponent(7, "Strong")
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    steps = desk.placed("opponent.level").panel
    assert isinstance(steps, Choice)
    assert steps.value == 7, "New game shows the last opponent"


def test_a_search_becomes_the_level_of_its_measured_place(desk: Desk) -> None:
    dialog = desk.scene.dialog
    assert dialog is not None
    for name, value in (("by_level", False), ("type", "heuristic"), ("depth", 8), ("by_level", True)):
        dialog.on_control_changed(f"opponent.{name}", value)
    desk.turn()
    steps = desk.placed("opponent.level").panel
    assert isinstance(steps, Choice)
    assert steps.value == levels.place(configure("heuristic", depth=8), game_spec())


def test_an_engine_gets_a_level_for_a_game_that_needs_one(desk: Desk) -> None:
    dialog = desk.scene.dialog
    assert dialog is not None
    for name, value in (("opponent.by_level", False), ("opponent.type", "engine"), ("opponent.level", 0)):
        dialog.on_control_changed(name, value)
    assert dialog.is_valid
    dialog.on_control_changed("game", "tictactoe")
    desk.turn()
    assert dialog.is_valid
    click(desk, "start")
    assert desk.session.seats[Color.WHITE].strength == {"level": 3}


def test_two_computers_and_two_people_are_described_one_below_the_other(desk: Desk) -> None:
    click(desk, "who", 0.9)
    black, white = (desk.placed(f"{side}.level").rect for side in ("black", "white"))
    assert black.left == white.left
    assert black.bottom < white.top
    click(desk, "black.level", 0.05)
    click(desk, "white.level", 0.95)
    click(desk, "start")
    assert [seat.name for seat in desk.session.seats.values()] == ["First steps", "Master"]
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    click(desk, "who", 0.5)
    click(desk, "names.1")
    desk.type("Rolf")
    click(desk, "start")
    assert all(seat.is_user for seat in desk.session.seats.values())
    assert desk.session.seats[Color.WHITE].name == "Rolf"


def test_the_players_run_from_the_weakest_to_the_strongest_with_a_line_each(desk: Desk) -> None:
    click(desk, "opponent.by_level", 0.9)
    select = desk.placed("opponent.type").panel
    assert isinstance(select, Select)
    kinds = [kind for kind, _ in select.options if "." not in kind]  # programs and classes come last
    assert [kind for kind, _ in select.options][: len(kinds)] == kinds
    assert (kinds[0], kinds[-1]) == ("random", "engine")
    assert "user" not in kinds
    assert "rule_based" not in kinds, "has no rules for Othello"
    assert all(what and strength for what, strength in select.details)
    found = [levels.place(configure(kind), game_spec()) for kind in kinds[:-1]]
    places = [place for place in found if place is not None]
    assert places == sorted(places)
    assert len(places) == len(kinds) - 1, "all are measured"


def test_another_game_has_another_board_and_undo_brings_the_old_one_back(desk: Desk) -> None:
    click_game(desk, "tictactoe")
    click(desk, "rules")
    click(desk, "rules.size.more")
    click(desk, "rules.size.more")
    click(desk, "start")
    assert desk.session.game.rules.columns == 5
    assert desk.scene.face.squares == 25
    desk.press("undo")
    assert desk.moves() == ["d3"]
    assert desk.scene.face.squares == 64


def test_with_large_text_what_may_be_scrolled_leaves_the_footer_one_row(desk: Desk) -> None:
    dialog = desk.scene.dialog
    assert dialog is not None
    assert dialog.stage.place_of("save").centery == dialog.stage.place_of("start").centery
    desk.resize((900, 600))
    desk.use_text(200)
    start = dialog.stage.place_of("start")
    assert dialog.rect.bottom - start.top <= 88 * 2
    assert dialog.stage.place_of("cancel").centery == start.centery


@pytest.mark.parametrize("how", ["key", "cancel", "cross"])
def test_cancelling_leaves_the_game_alone(desk: Desk, how: str) -> None:
    click(desk, "opponent.level", 0.95)
    if how == "key":
        desk.key(pygame.K_ESCAPE)
    else:
        click(desk, "cancel" if how == "cancel" else "close")
    assert desk.scene.dialog is None
    assert desk.moves() == ["d3"]
    assert desk.session.seats[Color.WHITE].is_user


def test_any_player_is_chosen_by_keyboard(desk: Desk) -> None:
    click(desk, "opponent.by_level", 0.9)
    click(desk, "opponent.type")
    desk.key(pygame.K_HOME)
    desk.key(pygame.K_RETURN)  # the list
    desk.key(pygame.K_TAB, "\t")
    desk.type("2")
    click(desk, "opponent.more")
    click(desk, "opponent.name")
    desk.type("rolf")
    click(desk, "clock", 0.5)
    click(desk, "start")
    white = desk.session.seats[Color.WHITE]
    assert (white.player_type, white.name, white.time_limit_seconds, white.clock_seconds) == ("random", "rolf", 2, 300)


def test_a_clock_can_be_taken_away_again(desk: Desk) -> None:
    click(desk, "clock", 0.5)
    click(desk, "clock", 0.1)
    click(desk, "start")
    assert [seat.clock_seconds for seat in desk.session.seats.values()] == [None, None]


def test_a_time_limit_that_is_none_cannot_be_started_with(desk: Desk) -> None:
    click(desk, "opponent.by_level", 0.9)
    click(desk, "opponent.time_limit_seconds")
    desk.type("1.2.3")
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is not None


def test_the_usual_game_is_kept_in_the_settings_and_the_table_stays(desk: Desk) -> None:
    before = desk.moves()
    click(desk, "opponent.level", 0.95)
    click(desk, "save")
    usual = desk.scene.preferences.value.usual
    assert usual["players"][1] == {"player_type": "engine", "name": "Master", "level": 10}
    assert desk.scene.dialog is not None
    assert desk.scene.dialog.subtitle() == "The next start begins with this game."
    assert desk.moves() == before


def test_the_last_choice_is_remembered(desk: Desk) -> None:
    desk.type("7")
    desk.key(pygame.K_RETURN)
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    assert desk.scene.preferences.value.usual["players"][1]["level"] == 7


def test_a_level_with_a_clock_is_offered_as_a_level_again(desk: Desk) -> None:
    click(desk, "clock", 0.3)
    desk.key(pygame.K_RETURN)
    desk.key(pygame.K_n, "\x0e", pygame.KMOD_CTRL)
    assert not desk.has("opponent.type")


@pytest.mark.parametrize("size", [(900, 600), (1280, 800), (2560, 1600)])
def test_every_control_can_be_reached_by_tab(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, PERSON, size=size)
    desk.press("new")
    dialog = desk.scene.dialog
    assert dialog is not None
    for _ in range(12):
        desk.key(pygame.K_TAB, "\t")
    assert desk.scene.window.contains(dialog.rect)


@pytest.mark.parametrize(("key", "level"), [("4", 4), ("0", 10)])
def test_a_level_is_told_by_its_name_and_number(desk: Desk, key: str, level: int) -> None:
    desk.type(key)
    desk.key(pygame.K_RETURN)
    desk.turn()
    assert desk.cards[1].details == (f"Level {level}",)


def test_a_hint_is_shown_until_the_game_goes_on(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, players=anybody)
    desk.key(pygame.K_h, "\x08", pygame.KMOD_CTRL)
    desk.until(lambda: desk.scene.hints.report is not None)
    desk.turn()
    advised = desk.board.hint
    assert advised is not None
    assert desk.status.startswith(f"{wording.move(desk.session.game, advised)} is best")
    assert desk.board.report is None, "one mark and no figures"
    assert not desk.board.shows_counts
    desk.type("v")
    desk.turn()
    assert desk.board.report is not None
    assert len(desk.board.report.moves) == 4, "who asks sees what every move is worth"
    desk.type("d3")
    desk.turn()
    assert desk.board.hint is None


def test_a_hint_is_gone_where_another_position_is_looked_at(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, players=anybody)
    desk.type("d3")
    desk.scene.do(gui.PlainCommand.HINT, 0.0)
    desk.until(lambda: desk.scene.hints.report is not None)
    desk.scene.do(play.Browse(-1), 0.0)
    desk.turn()
    assert desk.board.hint is None
    desk.scene.do(play.Browse(1), 0.0)
    desk.turn()
    assert desk.board.hint is None


def test_a_hint_is_gone_when_the_game_is_over(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("slow"), players=anybody)
    desk.scene.do(gui.PlainCommand.HINT, 0.0)
    desk.until(lambda: desk.scene.hints.report is not None)
    desk.scene.do(play.Resign(), 0.0)
    desk.turn()
    assert (desk.board.hint, desk.status) == (None, "You resigned. You lose.")


def test_a_hint_that_is_not_wanted_any_more_is_not_searched(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, players=anybody)
    desk.scene.do(gui.PlainCommand.HINT, 0.0)
    assert desk.scene.hints.is_running
    desk.scene.do(gui.PlainCommand.HINT, 0.0)
    assert not desk.scene.hints.is_running
    assert desk.session.analysis is not None
    assert desk.session.analysis.player is None


def test_a_computer_moves_when_it_is_told_to(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"), delay=6.0)
    desk.type("d3")
    desk.until(lambda: desk.session.worker.answer is not None)
    desk.press("move_now")
    desk.until(lambda: desk.session.game.ply == 2)


def test_the_cost_of_every_computer_is_measured_in_the_forms(desk: Desk) -> None:
    dialog = desk.scene.dialog
    assert dialog is not None
    click(desk, "who", 0.9)
    for side in ("black", "white"):
        dialog.on_control_changed(f"{side}.by_level", False)
        dialog.on_control_changed(f"{side}.type", "random")
    desk.turn()
    desk.until(lambda: sum("s here" in words for words in words_of(desk)) == 2)


def test_a_player_with_a_time_limit_takes_no_longer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = desk.scene.dialog
    assert isinstance(dialog, NewGameDialog)
    player = configure("mcts_uct", simulation_count=10_000_000, time_limit_seconds=15.0)
    trial = SimpleNamespace(trials={(player, game_spec()): SimpleNamespace(seconds=1.0, simulations=270_000)})
    monkeypatch.setattr(dialog._move_times, "_session", SimpleNamespace(analysis=trial))
    dialog.on_control_changed("opponent.by_level", False)
    for key in ("type", "simulation_count", "time_limit_seconds"):
        dialog.on_control_changed(
            f"opponent.{key}", player_form.form_of(player)["player_type" if key == "type" else key]
        )
    assert "about 15 s" in dialog._cost("opponent")


@pytest.mark.parametrize(("size", "longest"), [(3, 3), (7, 7), (15, 15)])
def test_a_number_offers_what_goes_with_the_others(size: int, longest: int) -> None:
    spec = game_spec("tictactoe", {"size": size})
    assert numbers_of(spec, "size") == [*range(3, 16)]
    assert numbers_of(spec, "win_length") == [*range(3, longest + 1)]


def size_of(desk: Desk) -> str:
    """The text of the number of a board's size."""
    field = desk.placed("rules.size").panel
    assert isinstance(field, Field)
    return field.value


def test_any_size_is_typed_or_reached_by_steps_and_a_clock_is_typed(desk: Desk) -> None:
    dialog = desk.scene.dialog
    assert dialog is not None
    click_game(desk, "tictactoe")
    click(desk, "rules")
    for size in range(4, 16):
        click(desk, "rules.size.more")
        assert size_of(desk) == str(size)
        assert dialog.is_valid
    click(desk, "rules.size.more")
    assert size_of(desk) == "15", "the button is dead"
    click(desk, "rules.size")
    for text, is_valid in (("1", False), ("16", False), ("11", True)):
        desk.key(pygame.K_a, mod=pygame.KMOD_CTRL)
        desk.type(text)
        assert dialog.is_valid == is_valid
        assert size_of(desk) == text
    click(desk, "rules.win_length.less")
    dialog.on_control_changed("clock", "other")
    desk.turn()
    dialog.on_control_changed("clock.clock", "nothing")
    assert not dialog.is_valid
    dialog.on_control_changed("clock.clock", "0.5")
    desk.turn()
    desk.press("start")
    assert desk.session.game.rules.spec == game_spec("tictactoe", {"size": 11, "win_length": 4})
    assert [seat.clock_seconds for seat in desk.session.seats.values()] == [30.0, 30.0]
    desk.key(pygame.K_n, mod=pygame.KMOD_CTRL)
    assert desk.has("clock.clock"), "remembered"


def test_what_a_level_is_shows_where_the_mouse_rests(desk: Desk) -> None:
    placed = desk.placed("opponent.level")
    at = (placed.rect.left + placed.rect.width // 20, placed.rect.centery)
    assert placed.panel.tip_at(at, desk.canvas("opponent.level")) == say("level_tips.1")
    click(desk, "opponent.by_level", 0.9)
    assert desk.placed("opponent.type").panel.tip


def test_a_rule_that_follows_from_others_follows_anew() -> None:
    chosen = ChosenRules("tictactoe", {"tictactoe": {"size": 9, "win_length": 7}})
    chosen.choose_rule("size", 4)
    assert chosen.spec == game_spec("tictactoe", {"size": 4})
    chosen.choose_rule("win_length", 3)
    assert chosen.spec == game_spec("tictactoe", {"size": 4, "win_length": 3})


@pytest.mark.parametrize("mode", [pygame.K_3, pygame.K_5])
def test_a_new_game_leads_from_review_and_training_to_the_board(desk: Desk, mode: int) -> None:
    desk.key(pygame.K_ESCAPE)
    desk.key(mode, mod=pygame.KMOD_CTRL)
    assert desk.scene.mode.name != "play"
    desk.key(pygame.K_n, mod=pygame.KMOD_CTRL)
    desk.key(pygame.K_RETURN)
    assert desk.scene.mode.name == "play"
    assert desk.scene.dialog is None


def test_a_game_begins_with_an_opening_by_name_and_so_do_those_after_it(desk: Desk) -> None:
    desk.key(pygame.K_n, "n", pygame.KMOD_CTRL)
    desk.press("rules")
    desk.press("opening")
    desk.type("tigger")
    assert "No opening is called tigger; did you mean Tiger?" in words_of(desk)
    assert not desk.is_enabled("start")
    for _ in range(4):
        desk.key(pygame.K_BACKSPACE)
    desk.type("ger")
    desk.press("start")
    for _ in range(2):
        desk.until(lambda: not desk.session.is_drawing)
        assert desk.moves() == ["f5", "d6", "c3", "d3", "c4"]
        assert not desk.session.history.is_begun, "the opening is no move of a player"
        desk.key(pygame.K_r, "r", pygame.KMOD_CTRL)
    assert desk.scene.preferences.value.usual["openings"] == {"Tiger": 1}
    desk.key(pygame.K_n, "n", pygame.KMOD_CTRL)
    desk.press("rules")
    field = desk.placed("opening").panel
    assert isinstance(field, Field)
    assert field.value == "Tiger: 1"


def test_the_first_opponent_has_the_name_of_a_level_and_new_game_shows_it(sit_down: Open) -> None:
    """The config that comes with the program, as a first start plays it."""
    players = load(Path(__file__).parents[2] / "config.json").players
    desk = sit_down(*players)
    level = players[1].strength["level"]
    assert desk.cards[1].title == say(f"levels.{level}")
    assert desk.cards[1].details == (say("players.level", level=level),)
    desk.key(pygame.K_n, mod=pygame.KMOD_CTRL)
    desk.turn()
    assert isinstance(desk.scene.dialog, NewGameDialog)
    assert say("new_game.level", level=level, name=say(f"levels.{level}")) in " ".join(words_of(desk))
