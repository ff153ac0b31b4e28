"""Who does the work: this machine's cores, or a Dask cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Result = TypeVar("Result")


def command(module: str, description: str | None, out: str) -> argparse.ArgumentParser:
    """The options that all commands have: the folder for `out`, the seed, and where the work is done."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help=f"folder for {out}")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes on this machine (default: 1)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="work on a Dask cluster instead, such as tcp://host:8786"
    )
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What was asked for; the folder is there."""
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    return arguments


def results(
    work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], arguments: argparse.Namespace, title: str
) -> Iterator[Result]:
    """What `work` makes of every task, in the order in which they are done, with a bar of progress."""
    todo = list(tasks)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        bar = progress.add_task(title, total=len(todo))
        for result in _done(work, todo, arguments):
            progress.advance(bar)
            yield result


def _done(work: Callable[..., Result], tasks: list[tuple[Any, ...]], arguments: argparse.Namespace) -> Iterator[Result]:
    if arguments.scheduler:
        from distributed import Client
        from distributed import as_completed as as_completed_there

        with Client(arguments.scheduler) as client:
            futures = [client.submit(work, *task, pure=False) for task in tasks]
            for future in as_completed_there(futures):
                yield future.result()
    elif arguments.jobs == 1:
        yield from (work(*task) for task in tasks)
    else:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            for future in as_completed([pool.submit(work, *task) for task in tasks]):
                yield future.result()
