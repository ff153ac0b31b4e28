"""`othello`, `othello tune` and `othello report`: play the games of a config, and show results."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othello import errors
from othello.cli.arguments import Parser, add_run_options
from othello.cli.messages import print_message, terminal_width
from othello.config import Config, ExistingOutput
from othello.config_file import ConfigFile, find_config, load
from othello.errors import CommandError, ConfigError, DisplayError, OthelloError, OutputError, Reason, errors_as
from othello.files import refuse_existing
from othello.machine import cores
from othello.records.results import check_output
from othello.texts import tr

if TYPE_CHECKING:
    from othello.tournament.executor import Executor
    from othello.tournament.experiment import Experiment
    from othello.tournament.report_text import TextTable
    from othello.tournament.tuning import Tuning


def play(arguments: argparse.Namespace) -> None:
    """Play the games of the config. If the desktop started the program, an error is also shown in a window."""
    try:
        _play(arguments)
    except DisplayError:
        raise
    except OthelloError as error:
        if sys.__stderr__ is None or (arguments.open is not None and not sys.__stderr__.isatty()):
            from othello.gui.app.app import show_error

            with suppress(DisplayError):
                show_error(error)
        raise


def _play(arguments: argparse.Namespace) -> None:
    """Load the config, apply the options, and play in the window, the terminal or without either."""
    path, document, foreign = ConfigFile(arguments.config) if arguments.config else find_config()
    if foreign:
        print_message(str(foreign))
    overrides, lines = _overrides(arguments), None
    if arguments.terminal:
        from othello.cli.terminal_input import Lines, questions

        lines = Lines(sys.stdin)
        if arguments.config is None:
            overrides |= questions(load(path, overrides, document=document), lines)
    config = load(path, overrides, document=document, may_start=arguments.allow_programs)
    config = replace(config, game_seed=arguments.game_seed, existing_output=arguments.existing or ExistingOutput.REFUSE)
    if config.game_seed is not None and config.game_type == "match":
        config = replace(config, game_repetitions=1)
    is_clustered = config.game_type == "tournament" and arguments.cluster is not None
    has_window = lines is None and config.opens_window and not is_clustered
    _check(config, path, arguments, has_window=has_window)
    if lines is not None:
        from othello.cli.terminal import play_in_terminal

        play_in_terminal(config, lines)
        return
    if not has_window:
        from othello.tournament.experiment import Experiment

        experiment = Experiment(config)
        _play_headless(experiment, arguments.cluster, partial(_print_results, experiment))
        return
    _open_window(config, path, arguments, has_options=bool(overrides))


def _open_window(config: Config, path: Path, arguments: argparse.Namespace, *, has_options: bool) -> None:
    try:
        from othello.gui.app.app import run

        is_named = arguments.config is not None or has_options or config.game_seed is not None
        run(config, path, _print_beginning, _print_results, is_named=is_named, file=arguments.open or None)
    except DisplayError as error:
        hint = Reason("out_match" if config.game_type == "match" else "out_tournament")
        if not any(player.is_user for player in config.players):
            hint = Reason("out_computers")
        raise DisplayError("way_out", reason=error.reason, hint=hint) from None


def _overrides(arguments: argparse.Namespace) -> dict[str, Any]:
    output = None if arguments.output is None else str(arguments.output)
    window = False if arguments.headless else True if arguments.open else None
    options = {"seed": arguments.seed, "output_file": output, "show_visualisation": window}
    return {key: value for key, value in options.items() if value is not None}


def _check(config: Config, path: Path, arguments: argparse.Namespace, *, has_window: bool) -> None:
    """Refuse a config that cannot be played with the options, and print its notices."""
    _check_together(config, path, arguments)
    _check_output(config, path, from_option=arguments.output is not None, has_window=has_window)
    for notice in config.notices:
        print_message(notice)


def _check_together(config: Config, path: Path, arguments: argparse.Namespace) -> None:
    """Refuse settings and options that contradict each other."""
    existing = config.existing_output
    if arguments.terminal and config.game_type != "match":
        raise CommandError("terminal_match", path=path)
    has_files = existing is ExistingOutput.OVERWRITE and getattr(arguments, "out", None) is not None
    if existing is not ExistingOutput.REFUSE and config.output_file is None and not has_files:
        raise CommandError("needs_output", option=existing.value, path=path)
    if existing is ExistingOutput.RESUME and config.game_type != "tournament":
        raise CommandError("resume_match", path=path)
    if arguments.cluster is not None and config.game_type != "tournament":
        raise CommandError("cluster_match", path=path)
    if config.game_seed is not None:
        _check_game_seed(config, path)
    for index, player in enumerate(config.players):
        if player.is_user:
            _check_user(index, path, arguments)


def _check_user(index: int, path: Path, arguments: argparse.Namespace) -> None:
    """Refuse options with which the player of this index cannot be the user."""
    if arguments.headless:
        raise CommandError("user_headless", path=path, index=index)
    if arguments.cluster is not None:
        raise CommandError("user_cluster", path=path, index=index)


def _check_game_seed(config: Config, path: Path) -> None:
    """Refuse --game-seed if the schedule has no such game, or if the game would differ."""
    from othello.tournament.schedule import schedule

    if config.existing_output is ExistingOutput.RESUME:
        raise CommandError("game_seed_resume")
    if config.game_type == "match":
        if config.tournament.opening_book and not config.openings:
            raise CommandError("game_seed_openings")
        return
    if config.seed is None:
        raise CommandError("game_seed_seed", path=path)
    if next(schedule(config, config.seed), None) is None:
        raise CommandError("game_seed_none", path=path, seed=config.seed, game_seed=config.game_seed)


def _check_output(config: Config, path: Path, *, from_option: bool, has_window: bool) -> None:
    """Refuse a results file that cannot be written, before anything is played. The error names the option or config.

    A file that already contains games is no error with a window, because the window asks what to do.
    """
    if config.output_file is None:
        return
    try:
        check_output(config.output_file, config.existing_output)
    except OutputError as error:
        if has_window and error.reason.name == "taken":
            return
        reason = Reason("taken_hint", {"reason": error.reason}) if error.reason.name == "taken" else error.reason
        reason = Reason("at_place", {"place": "output_file", "reason": reason})
        if not from_option:
            reason = Reason("in_file", {"path": path, "reason": reason})
        raise OutputError(reason) from None


def _play_headless(experiment: Experiment, cluster: str | None, print_results: Callable[[], None]) -> None:
    """Play all games, write each one as it ends, and print the results, also after an interrupt."""
    from othello.cli.progress import ConsoleProgress

    with closing(experiment), closing(_executor(experiment.config, cluster)) as executor:
        _print_beginning(experiment)
        try:
            with ConsoleProgress(experiment) as progress, closing(experiment.play(executor)) as games:
                for record in games:
                    progress.show(record)
        finally:
            print_results()


def _print_beginning(experiment: Experiment) -> None:
    print(tr("terminal.seed", seed=experiment.seed), flush=True)
    file = experiment.config.output_file
    if experiment.is_cut_off:
        print_message(tr("headless.torn", file=file))
    if experiment.resumed:
        print(tr("headless.resumed", file=errors.printable(str(file)), count=experiment.resumed), flush=True)


def _executor(config: Config, cluster: str | None) -> Executor:
    """Return what plays the games: one by one for a match, in parallel for a tournament, here or on a cluster."""
    if cluster is not None:
        with errors_as(CommandError, "needs_package", ImportError, option="--cluster", package="dask distributed"):
            from othello.tournament.cluster import DaskExecutor
        executor = DaskExecutor(cluster)
        if not executor.threads:
            print_message(tr("headless.no_worker", cluster=cluster))
        return executor
    if config.game_type == "match":
        from othello.tournament.executor import SerialExecutor

        return SerialExecutor()
    from othello.tournament.processes import ProcessExecutor

    return ProcessExecutor(config.tournament.processes or cores())


def _print_results(experiment: Experiment) -> None:
    from othello.tournament.report_text import conclusions, tables

    if not experiment.standings.games:
        return
    _print_tables(tables(experiment.standings, experiment.config.tournament.compare))
    print()
    _print_sentences(conclusions(experiment.standings))
    if not experiment.standings.is_decided:
        _print_stop(experiment)


def _print_stop(experiment: Experiment) -> None:
    """Print how many games were played if some are missing."""
    config, games, most = experiment.config, experiment.standings.games, experiment.max_games
    if games < most:
        can_resume = config.output_file is not None and config.game_type == "tournament"
        print(tr("headless.stopped_resume" if can_resume else "headless.stopped", games=games, maximum=most))


def declare_tune(parser: Parser) -> None:
    parser.add_argument("config", type=Path, metavar="CONFIG", help="a config file whose key tune lists the options")
    add_run_options(parser)
    text = "write the best config, the path and its plot to DIR; --overwrite or --resume replaces older ones"
    parser.add_argument("--out", type=Path, metavar="DIR", help=text)


def tune(arguments: argparse.Namespace) -> None:
    """Search for the best values of a player's options and print the path; with --out also write and draw it."""
    from othello.tournament.tuning import TUNED_FILES, Tuning

    path = arguments.config
    config = load(path, _overrides(arguments), may_start=arguments.allow_programs, tunes=True)
    config = replace(config, existing_output=arguments.existing or ExistingOutput.REFUSE)
    _check(config, path, arguments, has_window=False)
    if arguments.out is not None:
        if config.existing_output is ExistingOutput.REFUSE:
            refuse_existing(*(arguments.out / name for name in TUNED_FILES))
        arguments.out.mkdir(parents=True, exist_ok=True)  # fails now rather than after hours of games
    with errors_as(ConfigError, "in_file", ConfigError, path=path):
        tuning = Tuning(config)
    _play_headless(tuning, arguments.cluster, partial(_print_tuning, tuning, config, arguments.out))


def _print_tuning(tuning: Tuning, config: Config, folder: Path | None) -> None:
    from othello.tournament.tuning import path_table, write_tuning

    _print_tables((path_table(tuning), tuning.table))
    print()
    _print_stop(tuning)
    if folder is None:
        print(tr("headless.tuned"))
    else:
        files = write_tuning(tuning, config, folder)
        print("\n".join(map(str, files)))
        if not any(file.suffix == ".svg" for file in files):
            print(tr("headless.no_plot", command="python -m pip install matplotlib"))


def _print_tables(tables: Iterable[TextTable]) -> None:
    for table in tables:
        print(f"\n{table.text(terminal_width())}")


def _print_sentences(sentences: Iterable[str]) -> None:
    """Print sentences, a line each, or wrapped on a terminal."""
    width = terminal_width()
    for sentence in sentences:
        print(textwrap.fill(sentence, width, subsequent_indent="  ", break_on_hyphens=False) if width else sentence)


def declare_report(parser: Parser) -> None:
    add = parser.add_argument
    add("results", type=Path, nargs="+", metavar="RESULTS", help="results files, .csv or .jsonl")
    add("--out", type=Path, metavar="DIR", help="write a page with plots and all games to DIR")
    add("--json", action="store_true", help="one line of JSON instead of sentences and tables")
    add("--overwrite", action="store_true", help="replace a page in DIR")
    add("--config", type=Path, metavar="FILE", help="also show the figures of tournament.compare in FILE")


def report(arguments: argparse.Namespace) -> None:
    """Print tables and conclusions of results files; with --out also write a page."""
    from othello.tournament.report_text import conclusions, tables
    from othello.tournament.standings import summarise
    from othello.tournament.tournament_report import as_json, notes, write_report

    compare = None if arguments.config is None else load(arguments.config).tournament.compare
    if arguments.out is None:
        summary = summarise(arguments.results)
    else:
        summary = write_report(arguments.results, arguments.out, compare, overwrite=arguments.overwrite)
    if arguments.json:
        print(json.dumps(as_json(summary), ensure_ascii=False))
    else:
        _print_sentences([f"Played: {', '.join(sorted(summary.played))}.", *conclusions(summary.standings)])
        _print_tables(tables(summary.standings, compare))
    for note in notes(summary):
        print_message(note)
    if arguments.out is not None and not arguments.json:
        print(f"\n{arguments.out / 'report.html'}")
