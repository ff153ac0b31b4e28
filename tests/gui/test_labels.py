"""Numbers and names as the window writes them."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from othello import texts
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
    ("seconds", "computer", "person"),
    [
        (0.0, "0:00.0", "0:00"),
        (0.34, "0:00.3", "0:00"),
        (9.99, "0:09.9", "0:09"),
        (59.99, "0:59.9", "0:59"),
        (60.0, "1:00", "1:00"),
        (64.2, "1:04", "1:04"),
        (3725.0, "62:05", "62:05"),
    ],
)
def test_the_time_that_was_used(seconds: float, computer: str, person: str) -> None:
    assert labels.time_used(seconds, tenths=True) == computer
    assert labels.time_used(seconds, tenths=False) == person


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-0.2, "0:00.0"), (0.01, "0:00.1"), (9.91, "0:10.0"), (10.0, "0:10"), (64.9, "1:04"), (600.0, "10:00")],
)
def test_the_time_that_is_left(seconds: float, text: str) -> None:
    assert labels.time_left(seconds) == text


@given(st.floats(0, 10_000), st.booleans())
def test_all_times_have_one_form(seconds: float, tenths: bool) -> None:
    for text in (labels.time_used(seconds, tenths), labels.time_left(seconds)):
        assert re.fullmatch(r"\d+:[0-5]\d(\.\d)?", text)


def test_polish_has_a_decimal_comma() -> None:
    texts.use("pl")
    assert labels.value(0.5312, Unit.REWARD) == "53,1%"
    assert (labels.rough_time(0.8), labels.count(7400), labels.time_left(5.25)) == ("0,8 s", "7,4k", "0:05,3")
    assert "1,50 s" in labels.fault(RULES, Forfeit(Color.BLACK, Fault.TOO_SLOW, 1.5, 0.5))


def test_nought_has_no_sign() -> None:
    assert [labels.signed(number) for number in (-1.6, -0.4, 0, 0.4, 1.6)] == ["–2", "0", "0", "0", "+2"]


def test_two_persons_are_told_apart_by_their_colours() -> None:
    players = Players([configure("user")] * 2)
    assert [labels.player_name(RULES, players, color) for color in Color] == ["Black", "White"]


def test_a_given_name_is_shown_as_it_is_and_others_are_numbered(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    entries = [{"player_type": "user", "name": "heuristic 5"}, {"player_type": "heuristic"}]
    file.write_text(json.dumps({"players": entries}))
    players = Players(load(file).players)
    assert [labels.player_name(RULES, players, color) for color in Color] == ["heuristic 5", "Alpha-beta"]
    file.write_text(json.dumps({"players": [{"player_type": "heuristic"}] * 2}))
    players = Players(load(file).players)
    assert [labels.player_name(RULES, players, color) for color in Color] == ["Alpha-beta 1", "Alpha-beta 2"]


class LevelConfig(ComputerConfig):
    level: int | None = option(None, "How strong.", 1, 10, is_strength=True)


def test_a_card_tells_what_sets_a_player_apart() -> None:
    players = [configure("mcts_uct", simulation_count=2000), configure("heuristic", depth=100, time_limit_seconds=1.5)]
    assert [labels.player_details(seat, SPEC, has_details=True)[0] for seat in players] == [
        "mcts_uct · 2.0k sims",
        "heuristic · 1.5 s",
    ]
    assert labels.player_details(configure("engine", level=3), SPEC, has_details=True)[0] == "engine · level 3"
    assert labels.player_details(LevelConfig("random", level=10), SPEC, has_details=True)[0] == "random · level 10"
    assert labels.player_details(LevelConfig("random"), SPEC, has_details=True)[0] == "random"


def test_a_computer_is_named_as_people_would() -> None:
    uct, person = configure("mcts_uct", simulation_count=300), configure("user")
    assert labels.player_name(RULES, Players([person, uct]), Color.WHITE) == "UCT"
    assert labels.player_details(uct, SPEC, has_details=False) == ("about level 2", "UCT")
    told = [
        labels.player_details(configure(kind, **more), SPEC, has_details=False)[0]
        for kind, more in (
            ("random", {}),
            ("engine", {}),
            ("engine", {"level": 7}),
            ("heuristic", {"depth": 1}),
            ("mcts_uct", {"simulation_count": 90_000}),
        )
    ]
    assert told == ["below level 1", "depth 12", "Level 7", "about level 1", "about level 3"]
    three, four = (configure("engine", level=level) for level in (3, 4))
    for players, expected in (([person, three], "Casual"), ([four, three], "Casual"), ([three, three], "Casual 2")):
        assert labels.player_name(RULES, Players(players), Color.WHITE) == expected
    names = [labels.player_name(RULES, Players([uct, configure("heuristic")]), color) for color in Color]
    assert names[0] != names[1], "two computers are told apart"


def test_a_fault_is_told_to_the_person_whose_it_is() -> None:
    late = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
    told = [labels.fault(RULES, late, own) for own in (None, Color.WHITE, Color.BLACK)]
    assert told == ["Black has run out of time", "Black has run out of time", "You have run out of time"]


def test_each_rule_is_told_with_what_it_is_about() -> None:
    summary = labels.rules_summary(RULES.spec)
    assert summary[0] == (
        "No legal move: Pass  ·  Start position: Standard  ·  Goal: Most discs wins  ·  "
        "Board: 8 \N{MULTIPLICATION SIGN} 8  ·  Handicap for black: None  ·  Empty squares: Not counted"
    )
    assert summary[-1].endswith("Goal: Most discs wins"), "where there is little room"
    given = game_spec("othello", {"handicap": 2})
    assert all(labels.rule_choice("othello", "handicap", 2) in each for each in labels.rules_summary(given))
