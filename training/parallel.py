"""Options, error messages and parallel work of all training commands, on this machine or a Dask cluster."""

import argparse
import hashlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from othello.child_process import ignore_interrupts, spawn_context, without_interrupts
from othello.cli import DONE, INTERRUPTED, REFUSED, end_process
from othello.errors import CommandError, OthelloError, printable
from othello.files import write_text
from othello.kernel.interrupt import interruptible

Result = TypeVar("Result")


def run(module: str) -> NoReturn:
    """Run a command's `main`, stop its processes at the end, and print an error as one line.

    Args:
        module: contains `main`. Imported by name, not as `__main__`, for workers on other machines.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    status, words = DONE, ""
    try:
        import_module(module).main()
    except KeyboardInterrupt:
        status, words = INTERRUPTED, "interrupted; what is done is kept"
    except (OSError, OthelloError, BrokenProcessPool, ModuleNotFoundError) as error:
        status, words = REFUSED, printable(str(error))
    if words:
        print(f"{module}: {words}", file=sys.stderr)
    end_process(status)


def path(text: str) -> Path:
    """Return a file or folder as a path that is valid for all workers."""
    return Path(text).resolve()


def positive(text: str) -> int:
    """Parse an integer of at least 1."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def command(module: str, description: str | None, out: str) -> argparse.ArgumentParser:
    """Return a parser with the common options: the output folder, the seed, and the workers."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--out", type=path, required=True, metavar="FOLDER", help=f"folder for {out}")
    parser.add_argument("--seed", type=positive, default=1, help="(default: 1)")
    parser.add_argument("--jobs", type=positive, default=1, help="processes on this machine (default: 1)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="work on a Dask cluster instead, such as tcp://host:8786"
    )
    return parser


def parsed(parser: argparse.ArgumentParser, *decisive: str) -> argparse.Namespace:
    """Return the parsed arguments, and create the output folder.

    Args:
        parser: from `command`.
        decisive: options that determine the result, like the seed; files count by their content.

    Raises:
        CommandError: the folder contains results of other options.
    """
    arguments = parser.parse_args()
    file: Path = arguments.out / "made-with.txt"
    asked = [f"{name} {_mark(getattr(arguments, name))}" for name in ("seed", *decisive)]
    if not file.exists():
        write_text(file, "\n".join(asked))
    kept = file.read_text().splitlines()
    if others := [line.split()[0] for line in asked if line not in kept]:
        raise CommandError(f"{arguments.out} holds what was made with other {', '.join(others)}; give another --out")
    return arguments


def _mark(value: Any) -> str:
    """Return a value that identifies an option's value: for a file, a hash of its content."""
    if isinstance(value, Path):
        return hashlib.sha256(value.read_bytes()).hexdigest()
    return " ".join(map(_mark, value)) if isinstance(value, list) else str(value)


def make_missing(
    work: Callable[..., Result], tasks: Mapping[Path, tuple[Any, ...]], arguments: argparse.Namespace, title: str
) -> list[Result]:
    """Make missing files in parallel, with a progress bar, and return the results of `work`.

    Args:
        work: makes one file completely or not at all; called with the file and its value in `tasks`.
        tasks: all files, including those that exist.
        arguments: of the command; they choose the workers.
        title: of the progress bar.
    """
    missing = [(file, *task) for file, task in tasks.items() if not file.exists()]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        return list(progress.track(_done(work, missing, arguments), len(missing), description=title))


def make_batches(
    make: Callable[..., int], how: tuple[Any, ...], arguments: argparse.Namespace, title: str = "batches"
) -> None:
    """Make missing batches of positions, and print how many positions they contain.

    Args:
        make: makes a batch, from a file, a seed, the batch's number and `how`; returns the number of positions.
        how: arguments that all batches share.
        arguments: of the command.
        title: of the progress bar.
    """
    batches = range(arguments.batches)
    tasks = {arguments.out / f"batch-{batch:05}.npz": (arguments.seed, batch, *how) for batch in batches}
    print(f"{sum(make_missing(make, tasks, arguments, title)):,} positions")


def _done(work: Callable[..., Result], tasks: list[tuple[Any, ...]], arguments: argparse.Namespace) -> Iterator[Result]:
    """Yield the results of tasks as they are completed."""
    if arguments.scheduler:
        from distributed import Client, as_completed as as_completed_there

        try:
            client: Any = Client(arguments.scheduler)
        except ValueError as error:
            raise CommandError(f"--scheduler {arguments.scheduler}: {error}") from error
        with client:
            futures = [client.submit(work, *task, pure=False) for task in tasks]
            for future in as_completed_there(futures):
                yield future.result()
    elif arguments.jobs == 1:
        yield from (interruptible(partial(work, *task)) for task in tasks)
    else:
        pool = ProcessPoolExecutor(arguments.jobs, spawn_context(), _begin)
        try:
            with without_interrupts():
                results = [pool.submit(work, *task) for task in tasks]
            for result in as_completed(results):
                yield result.result()
        except BaseException:
            for process in multiprocessing.active_children():
                process.kill()  # files are written atomically, so nothing is lost
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Initialise a worker process: ignore Ctrl-C, and exit when the parent process exits."""
    ignore_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(INTERRUPTED)  # the main thread may be in compiled code
