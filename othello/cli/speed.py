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
        print(f"{'':<29}{'a second':>12} {'':<11}{'run, ms':>8} at")
    for figure in figures(arguments.quick):
        if arguments.json:
            print(json.dumps(asdict(figure)), flush=True)
        else:
            speed = f"{figure.per_second:>12,.0f} {figure.unit:<11}{1000 * figure.seconds:>8.2f}"
            print(f"{figure.name:<29}{speed} {figure.note}", flush=True)
