"""Progress bars on stderr. Experiments also show a live table, or without a terminal a table from time to time."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from othello.records.record import GameRecord
from othello.rules.registry import rules_of
from othello.texts import number, tr
from othello.tournament.experiment import Experiment
from othello.tournament.report_text import sprt_text

_TABLE_SECONDS: Final = 0.5  # between two tables on a terminal
_PLAIN_SECONDS: Final = 30.0  # between two tables without a terminal
_MAX_LINES: Final = 100  # matches with more games do not print a line for each game


class ConsoleProgress:
    """Shows the progress of an experiment; a context manager."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._console = Console(stderr=True)
        columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn()
        self._bar = Bar(*columns, console=self._console)
        self._max_games = experiment.max_games
        self._task = self._bar.add_task("", total=self._max_games, completed=experiment.resumed, rate="")
        self._live = Live(self._bar, console=self._console, transient=True, auto_refresh=False)
        self._began = self._drawn = time.monotonic()
        self._games = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, record: GameRecord) -> None:
        self._games += 1
        config = self._experiment.config
        is_short = config.game_type == "match" and config.game_repetitions <= _MAX_LINES
        if is_short or (record.reason and not record.is_adjudicated):
            print(game_line(record), flush=True)
        now, is_terminal = time.monotonic(), self._console.is_terminal
        if now < self._drawn + (_TABLE_SECONDS if is_terminal else _PLAIN_SECONDS):
            return
        self._drawn = now
        experiment = self._experiment
        rate = tr("headless.speed", games=number(self._games / (now - self._began), ".1f"))
        lines = [experiment.table.text(self._console.width if is_terminal else 0)]
        if experiment.standings.test is not None:
            lines.append(tr("headless.test", state=sprt_text(experiment.standings.test)))
        if is_terminal:
            self._bar.update(self._task, completed=min(record.game, self._max_games), rate=rate)
            self._live.update(Group(*map(Text, lines), self._bar), refresh=True)
        else:
            print(f"{experiment.standings.games}/{self._max_games}  {rate}", *lines, sep="\n", file=sys.stderr)


def game_line(record: GameRecord) -> str:
    winner = record.winner_name
    result = tr("headless.draw") if winner is None else tr("headless.wins", name=winner)
    points = f"{record.black_points} - {record.white_points}" if rules_of(record.spec).points else "-"
    black, white = record.black, record.white
    game = tr("headless.game", number=record.game, black=black, points=points, white=white, result=result)
    return tr("headless.reason", game=game, reason=record.reason) if record.reason else game


@contextmanager
def _bar(*columns: MofNCompleteColumn | TextColumn) -> Iterator[Callable[..., None]]:
    """Show a bar with these columns until the context ends, and yield the function that updates it."""
    console = Console(stderr=True)
    shown = BarColumn(), *columns, TimeRemainingColumn()
    with Bar(*shown, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield partial(bar.update, bar.add_task("", total=None))


@contextmanager
def show_games() -> Iterator[Callable[[int, int | None, str], None]]:
    """Show a progress bar, and yield a function that updates it: games read, their total or None, current file."""
    with _bar(MofNCompleteColumn(), TextColumn("{task.description}")) as update:
        yield lambda games, total, file: update(completed=games, total=total, description=file)


def show_share(counts: Iterable[tuple[int, int]]) -> None:
    """Show a progress bar for pairs of (done, total), until they end."""
    with _bar(TaskProgressColumn()) as update:
        for done, total in counts:
            update(completed=done, total=total)
