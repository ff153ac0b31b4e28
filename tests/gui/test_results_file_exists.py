"""The question at the start if the results file has games."""

import time
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello.config import Config, ExistingOutput
from othello.errors import ConfigError
from othello.gui.app import app, loop
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.notices import MessageDialog
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.tournament.results_file_exists import ResultsFileExistsDialog, StartupPromptScreen
from othello.rules.registry import game_spec
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.gui.tournament_driver import config_for
from tests.gui.window_driver import words_of


@pytest.fixture(params=["match", "tournament"])
def config(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Return the config of an experiment with one game in its results file."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    config = replace(config_for(tmp_path, 2), game_type=request.param)
    experiment = Experiment(config)
    games = experiment.play(SerialExecutor())
    next(games)
    games.close()
    experiment.close()
    return config


def ask(dialog: Dialog) -> StartupPromptScreen:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 800))
    pygame.event.clear()
    prompt = StartupPromptScreen(dialog, game_spec(), PreferencesFile(), (1280, 800))
    loop.turn(prompt, time.monotonic())
    return prompt


def press(prompt: StartupPromptScreen, button: str) -> None:
    at = prompt.widgets.place_of(button).center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=pygame.BUTTON_LEFT))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=pygame.BUTTON_LEFT))
    for _ in range(2):
        loop.turn(prompt, time.monotonic())


@pytest.mark.parametrize(
    ("button", "name", "existing"),
    [
        ("add", "games.jsonl", ExistingOutput.RESUME),
        ("replace", "games.jsonl", ExistingOutput.OVERWRITE),
        ("rename", "games-2.jsonl", ExistingOutput.REFUSE),
        ("cancel", "", ExistingOutput.REFUSE),
    ],
)
def test_a_button_decides_about_the_file(config: Config, button: str, name: str, existing: ExistingOutput) -> None:
    assert config.output_file is not None
    before = config.output_file.read_bytes()
    question = ResultsFileExistsDialog(config)
    prompt = ask(question)
    press(prompt, button)
    assert prompt.wants_to_quit
    output = config.output_file.with_name(name or "none")
    assert question.answer == (replace(config, output_file=output, existing_output=existing) if name else None)
    assert config.output_file.read_bytes() == before, "no file changes before the end of a game"
    assert not config.output_file.with_name("games-2.jsonl").exists()


def test_games_are_not_added_to_a_file_of_another_kind(config: Config) -> None:
    assert config.output_file is not None
    config.output_file.write_text('{"x": 1}\n')
    question = ResultsFileExistsDialog(config)
    prompt = ask(question)
    press(prompt, "add")
    assert (prompt.wants_to_quit, question.answer) == (False, None)
    assert any("line 1" in words for each in prompt.widgets.walk() for words in words_of(each.widget))
    press(prompt, "replace")
    assert question.answer is not None


def test_an_error_at_the_start_is_shown_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown: list[str] = []

    def show(prompt: StartupPromptScreen, _preferences: PreferencesFile) -> None:
        assert isinstance(prompt.dialog, MessageDialog)
        loop.turn(prompt, time.monotonic())
        shown.extend(words for each in prompt.widgets.walk() for words in words_of(each.widget))
        press(prompt, "understood")
        assert prompt.wants_to_quit

    monkeypatch.setattr(loop, "run", show)
    app.show_error(ConfigError("in_file", path=Path("config.json"), reason="nothing is right"))
    assert {"Othello cannot start", "config.json: nothing is right."} <= set(shown)
