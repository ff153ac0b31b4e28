"""The question at the start what becomes of a results file that holds games."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello.config import Config, ExistingOutput
from othello.gui import loop
from othello.gui.preferences import PreferencesFile
from othello.gui.tournament.taken import Doorway
from othello.tournament.crew import SoloCrew
from othello.tournament.experiment import Experiment
from tests.gui.desk import words_of
from tests.gui.hall import config_for


@pytest.fixture(params=["match", "tournament"])
def config(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Of an experiment of which one game is in the file."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    config = replace(config_for(tmp_path, 2), game_type=request.param)
    experiment = Experiment(config)
    games = experiment.play(SoloCrew())
    next(games)
    games.close()
    experiment.close()
    return config


def ask(config: Config) -> Doorway:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 800))
    pygame.event.clear()
    doorway = Doorway(config, PreferencesFile(), (1280, 800))
    loop.turn(doorway, time.monotonic())
    return doorway


def press(doorway: Doorway, button: str) -> None:
    at = doorway.stage.place_of(button).center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=pygame.BUTTON_LEFT))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=pygame.BUTTON_LEFT))
    for _ in range(2):
        loop.turn(doorway, time.monotonic())


@pytest.mark.parametrize(
    ("button", "name", "existing"),
    [
        ("add", "games.jsonl", ExistingOutput.RESUME),
        ("replace", "games.jsonl", ExistingOutput.OVERWRITE),
        ("rename", "games-2.jsonl", ExistingOutput.REFUSE),
    ],
)
def test_what_is_answered_is_played(config: Config, button: str, name: str, existing: ExistingOutput) -> None:
    assert config.output_file is not None
    held = config.output_file.read_bytes()
    doorway = ask(config)
    press(doorway, button)
    assert doorway.wants_to_quit
    answer = replace(config, output_file=config.output_file.with_name(name), existing_output=existing)
    assert doorway.answer == answer
    assert config.output_file.read_bytes() == held, "nothing is touched before a game has ended"
    assert not config.output_file.with_name("games-2.jsonl").exists()


def test_who_cancels_plays_nothing(config: Config) -> None:
    doorway = ask(config)
    press(doorway, "cancel")
    assert (doorway.wants_to_quit, doorway.answer) == (True, None)


def test_a_file_that_holds_something_else_is_not_added_to(config: Config) -> None:
    assert config.output_file is not None
    config.output_file.write_text('{"x": 1}\n')
    doorway = ask(config)
    press(doorway, "add")
    assert (doorway.wants_to_quit, doorway.answer) == (False, None)
    assert any("line 1" in words for each in doorway.stage.panels() for words in words_of(each.panel))
    press(doorway, "replace")
    assert doorway.answer is not None
