"""What the config says: the window, or games without one, with progress and printed results."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello import config as configuration
from othello.config import Config, ExistingOutput
from othello.errors import CommandError
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter, check_output
from othello.resources import default_config


def play(arguments: argparse.Namespace) -> None:
    """Load the config, let the options win over it, and do what it says."""
    path = arguments.config or default_config()
    config = replace(configuration.load(path, _overrides(arguments)), existing_output=_existing(arguments))
    _check_together(config, path, headless=arguments.headless)
    if config.output_file is not None:
        check_output(config.output_file, config.existing_output)
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


def _play_headless(config: Config) -> None:
    """Play all games, write each one as it ends, and print what they add up to."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    from othello.play.seeding import draw_seed
    from othello.tournament.run import Event, GameFinished, run
    from othello.tournament.schedule import most_games, schedule
    from othello.tournament.standings import Standings
    from othello.tournament.tables import color_table, ranking_table, time_table

    seed = draw_seed() if config.seed is None else config.seed
    print(f"seed {seed}", flush=True)
    standings = Standings.of(player.name for player in config.players)
    console = Console(stderr=True)
    with ExitStack() as stack:
        writer = None
        if config.output_file is not None:
            writer = stack.enter_context(ResultsWriter(config.output_file, config.existing_output))
        progress = stack.enter_context(
            Progress(
                *Progress.get_default_columns()[:2],
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=console,
                disable=not console.is_terminal,
                transient=True,
            )
        )
        task = progress.add_task("games", total=most_games(config))

        def on_event(event: Event) -> None:
            if isinstance(event, GameFinished):
                if writer is not None:
                    writer.append(event.record)
                standings.add(event.record)
                progress.update(task, completed=event.record.game)
                if config.game_type == "match":
                    print(_game_line(event.record), flush=True)

        run(schedule(config, seed), on_event)
    for table in (ranking_table(standings), time_table(standings), color_table(standings)):
        print(f"\n{table.text()}")


def _game_line(record: GameRecord) -> str:
    result = {"black": f"{record.black} wins", "white": f"{record.white} wins", "draw": "draw"}[record.result]
    return (
        f"game {record.game}: {record.black} (black) {record.black_discs} - {record.white_discs} "
        f"{record.white} (white), {result}"
    )
