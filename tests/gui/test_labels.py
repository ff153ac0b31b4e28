"""Numbers and names as the window writes them."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from othello import texts
from othello.config import PlayerConfig
from othello.config_file import load
from othello.gui import labels
from othello.play.players import Players
from othello.play.referee import Fault, Forfeit
from othello.players.player import ComputerConfig
from othello.players.player_registry import configure
from othello.rules.protocol import Color
from othello.rules.registry import game_spec
from othello.schema import option
from othello.search.report import Unit
from tests.positions import RULES, SPEC


@pytest.mark.parametrize(
    ("seconds", "text"),
    {0: "0:00.0", 0.34: "0:00.3", 9.99: "0:09.9", 59.99: "0:59.9", 60: "1:00", 64.2: "1:04", 3725: "62:05"}.items(),
)
def test_the_time_that_was_used(seconds: float, text: str) -> None:
    assert labels.time_used(seconds, tenths=True) == text
    assert labels.time_used(seconds, tenths=False) == text.partition(".")[0]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-0.2, "0:00.0"), (0.01, "0:00.1"), (9.91, "0:10.0"), (10.0, "0:10"), (64.9, "1:04"), (600.0, "10:00")],
)
def test_the_time_that_is_left(seconds: float, text: str) -> None:
    assert labels.time_left(seconds) == text


@given(st.floats(0, 10_000), st.booleans())
def test_all_times_have_the_same_format(seconds: float, tenths: bool) -> None:
    for text in (labels.time_used(seconds, tenths), labels.time_left(seconds)):
        assert re.fullmatch(r"\d+:[0-5]\d(\.\d)?", text)


def test_polish_has_a_decimal_comma() -> None:
    texts.use("pl")
    assert labels.value(0.5312, Unit.REWARD) == "53,1%"
    assert (labels.rough_time(0.8), labels.count(7400), labels.time_left(5.25)) == ("0,8 s", "7,4k", "0:05,3")
    assert "1,50 s" in labels.fault(RULES, Forfeit(Color.BLACK, Fault.TOO_SLOW, 1.5, 0.5))


def test_nought_has_no_sign() -> None:
    assert [labels.signed(number) for number in (-1.6, -0.4, 0, 0.4, 1.6)] == ["–2", "0", "0", "0", "+2"]


def test_a_rough_time_has_the_unit_that_fits() -> None:
    times = [labels.rough_time(seconds) for seconds in (9.9, 10, 99, 100, 5940, 6000)]
    assert times == ["9.9 s", "10 s", "99 s", "2 min", "99 min", "2 h"]


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([{"player_type": "user"}] * 2, ["Black", "White"]),
        ([{"player_type": "user", "name": "heuristic 5"}, {"player_type": "heuristic"}], ["heuristic 5", "Alpha-beta"]),
        ([{"player_type": "heuristic"}] * 2, ["Alpha-beta 1", "Alpha-beta 2"]),
        ([{"player_type": "mcts_uct"}, {"player_type": "heuristic"}], ["UCT", "Alpha-beta"]),
        ([{"player_type": "user"}, {"player_type": "mcts_uct"}], ["You", "UCT"]),
        ([{"player_type": "user"}, {"player_type": "engine", "level": 3}], ["You", "Casual"]),
        ([{"player_type": "engine", "level": level} for level in (4, 3)], ["Steady", "Casual"]),
        ([{"player_type": "engine", "level": 3}] * 2, ["Casual 1", "Casual 2"]),
    ],
)
def test_players_are_named_by_colour_type_level_and_number(
    tmp_path: Path, players: list[dict[str, object]], names: list[str]
) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"players": players}))
    configs = Players(load(file).players)
    assert [labels.player_name(RULES, configs, color) for color in Color] == names


class LevelConfig(ComputerConfig):
    level: int | None = option(None, "How strong.", 1, 10, is_strength=True)


@pytest.mark.parametrize(
    ("player", "details", "strength"),
    [
        (configure("mcts_uct", simulation_count=2000), "mcts_uct · 2.0k sims", "about level 3"),
        (configure("mcts_uct", simulation_count=300), "mcts_uct · 300 sims", "about level 2"),
        (configure("mcts_uct", simulation_count=90_000), "mcts_uct · 90k sims", "about level 3"),
        (configure("heuristic", depth=100, time_limit_seconds=1.5), "heuristic · 1.5 s", "Alpha-beta"),
        (configure("heuristic", depth=1), "heuristic · depth 1", "about level 1"),
        (configure("random"), "random", "below level 1"),
        (configure("engine"), "engine · depth 12", "depth 12"),
        (configure("engine", level=3), "engine · level 3", "Level 3"),
        (LevelConfig("random", level=10), "random · level 10", "Level 10"),
        (LevelConfig("random"), "random", "below level 1"),
    ],
)
def test_a_player_is_described_by_type_and_strength(player: PlayerConfig, details: str, strength: str) -> None:
    assert labels.player_details(player, SPEC, has_details=True)[0] == details
    assert labels.player_details(player, SPEC, has_details=False)[0] == strength


def test_a_fault_names_its_side_or_the_user() -> None:
    late = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
    faults = [labels.fault(RULES, late, own) for own in (None, Color.WHITE, Color.BLACK)]
    assert faults == ["Black has run out of time", "Black has run out of time", "You have run out of time"]


def test_rules_are_summed_up_with_their_names() -> None:
    summary = labels.rules_summary(RULES.spec)
    assert summary[0] == (
        "No legal move: Pass  ·  Start position: Standard  ·  Goal: Most discs wins  ·  "
        "Board: 8 \N{MULTIPLICATION SIGN} 8  ·  Handicap for black: None  ·  Empty squares: Not counted"
    )
    assert summary[-1].endswith("Goal: Most discs wins"), "the shortest text"
    given = game_spec("othello", {"handicap": 2})
    assert all(labels.rule_choice("othello", "handicap", 2) in each for each in labels.rules_summary(given))
