"""`othello bench`: how fast everything is on this machine."""

from __future__ import annotations

import argparse
import json
import platform
from dataclasses import asdict

import othello


def bench(arguments: argparse.Namespace) -> None:
    """Measure all kernels and searches and print a line for each as it is measured."""
    from othello.bench import figures

    if not arguments.json:
        print(f"othello {othello.__version__}, Python {platform.python_version()}, {platform.machine()}, one core")
        print(f"{'':<34}{'a second':>16}  {'':<12}{'run, ms':>10}  at")
    for figure in figures(arguments.quick):
        if arguments.json:
            print(json.dumps(asdict(figure)), flush=True)
        else:
            speed = f"{figure.per_second:>16,.0f}  {figure.unit:<12}{1000 * figure.seconds:>10.2f}"
            print(f"{figure.name:<34}{speed}  {figure.note}", flush=True)
