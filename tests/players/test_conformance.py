"""The check of the contract finds violations; tests/contract runs it for our own players."""

import re

import pytest

from othello.cli import main
from othello.players.conformance import ConformanceCheck
from othello.players.player_registry import configure
from othello.rules.registry import game_spec, rules_of
from tests.positions import RULES
from tests.programs.registered import registered_class


@pytest.mark.parametrize(
    ("name", "options", "broken"),
    [
        pytest.param("Greedy", "", set(), marks=pytest.mark.slow),
        pytest.param("Deaf", "depth=1", {"time", "stop", "hold", "two at once"}, marks=pytest.mark.slow),
        pytest.param("Restless", "", {"hold"}, marks=pytest.mark.slow),
        ("Fickle", "", {"same again"}),
        ("Cheat", "", {"moves", "two at once"}),
        ("Wrong", "what=raise", {"moves", "time", "stop", "two at once"}),
    ],
)
def test_violations_of_the_contract_are_found(name: str, options: str, broken: set[str]) -> None:
    config = configure("python", program=registered_class(name), class_options=options, in_process=True)
    findings = list(ConformanceCheck(config, RULES, positions=5, timeout=0.25, pause=0.25).findings())
    assert {finding.part for finding in findings if finding.is_kept is False} == broken


def test_a_game_that_is_not_played_is_no_violation() -> None:
    greedy, wrong = (
        configure("python", program=registered_class(name), in_process=True) for name in ("Greedy", "Wrong")
    )
    assert not list(ConformanceCheck(greedy, rules_of(game_spec("connect_four"))).findings())
    assert [finding.part for finding in ConformanceCheck(wrong, RULES).findings()] == ["starts"]


def test_parts_that_cannot_be_tested_are_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-player", "random", "--game", "tictactoe", "--positions", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    not_tried = re.compile("tictactoe +hold +-    not tried: it answers too quickly to be held")
    assert any(map(not_tried.fullmatch, lines))
    assert not any("yes" in line and "not tried" in line for line in lines)
