"""What the config says: the window, or games without one, with progress and printed results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othello.config import Config, ExistingOutput
from othello.config_file import load
from othello.errors import CommandError, OutputError
from othello.records.results import check_output
from othello.resources import default_config

if TYPE_CHECKING:
    from othello.tournament.crew import Crew
    from othello.tournament.experiment import Experiment


def play(arguments: argparse.Namespace) -> None:
    """Load the config, let the options win over it, and do what it says."""
    path = arguments.config or default_config()
    config = replace(load(path, _overrides(arguments)), existing_output=_existing(arguments))
    _check_together(config, path, headless=arguments.headless)
    _check_output(config, path, from_option=arguments.output is not None)
    if config.opens_window and config.game_type == "match":
        from othello.gui.app import run_window

        run_window(config)
    else:
        _play_headless(config)


def _overrides(arguments: argparse.Namespace) -> dict[str, Any]:
    """The config's keys that were given as options."""
    options = {
        "seed": arguments.seed,
        "output_file": None if arguments.output is None else str(arguments.output),
        "show_visualisation": False if arguments.headless else None,
    }
    return {key: value for key, value in options.items() if value is not None}


def _existing(arguments: argparse.Namespace) -> ExistingOutput:
    if arguments.overwrite:
        return ExistingOutput.OVERWRITE
    return ExistingOutput.RESUME if arguments.resume else ExistingOutput.REFUSE


def _check_together(config: Config, path: Path, *, headless: bool) -> None:
    """Refuse what each is fine by itself and makes no sense together."""
    existing = config.existing_output
    if existing is not ExistingOutput.REFUSE and config.output_file is None:
        raise CommandError(f"--{existing.value} needs a results file: --output FILE, or output_file in {path}")
    if existing is ExistingOutput.RESUME and config.game_type != "tournament":
        raise CommandError(f"--resume goes on with a tournament; {path} describes a match")
    for index, player in enumerate(config.players):
        if player.is_user and headless:
            raise CommandError(f"{path}: players[{index}] is a user, who needs the window; leave --headless out")
        if player.is_user and config.game_type == "tournament":
            raise CommandError(f"{path}: players[{index}] is a user; tournaments are for computer players")


def _check_output(config: Config, path: Path, *, from_option: bool) -> None:
    """Find a results file that cannot be written before anything is played, and say who named it."""
    if config.output_file is None:
        return
    try:
        check_output(config.output_file, config.existing_output)
    except OutputError as error:
        raise OutputError(str(error) if from_option else f"{path}: {error}") from None


def _play_headless(config: Config) -> None:
    """Play all games, write each one as it ends, and print what they add up to, also when interrupted."""
    from othello.cli.progress import Progress
    from othello.tournament.experiment import Experiment

    experiment = Experiment(config)
    print(f"seed {experiment.seed}", flush=True)
    if experiment.torn:
        print(f"othello: {config.output_file}: the last line was cut off and is dropped", file=sys.stderr)
    if experiment.resumed:
        print(f"{experiment.resumed} games are in {config.output_file} already", flush=True)
    try:
        with _crew(config) as crew, Progress(experiment) as progress, closing(experiment.play(crew)) as games:
            for record in games:
                progress.show(record)
    finally:
        _print_results(experiment)


@contextmanager
def _crew(config: Config) -> Iterator[Crew]:
    """Those who play the games: the games of a match one by one, those of a tournament side by side."""
    from othello.tournament.crew import SoloCrew
    from othello.tournament.processes import ProcessCrew

    crew: Crew
    if config.game_type == "match":
        crew = SoloCrew()
    else:
        crew = ProcessCrew(config.tournament.processes or os.cpu_count() or 1)
    with closing(crew):
        yield crew


def _print_results(experiment: Experiment) -> None:
    from othello.tournament.tables import tables

    if not experiment.standings.games:
        return
    for table in tables(experiment.standings, experiment.config.tournament.compare):
        print(f"\n{table.text()}")
    if experiment.verdict:
        print(f"\nSequential test: {experiment.verdict}")
