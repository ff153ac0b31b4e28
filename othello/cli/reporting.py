"""`othello report`: what results files show."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from othello.cli.messages import tell
from othello.errors import CommandError


def report(arguments: argparse.Namespace) -> None:
    """Print the tables of results files; with --out, write a page about them."""
    from othello.tournament.conclusions import conclusions
    from othello.tournament.report import notes, write_report
    from othello.tournament.summary import summarise
    from othello.tournament.tables import tables

    if arguments.out is None:
        summary = summarise(arguments.results)
    else:
        if find_spec("matplotlib") is None:
            raise CommandError("--out needs: python -m pip install 'othello-lab[report]'")
        summary = write_report(arguments.results, arguments.out)
    print("\n".join(conclusions(summary.standings)))
    for table in tables(summary.standings):
        print(f"\n{table.text()}")
    for note in notes(summary):
        tell(note)
    if arguments.out is not None:
        print(f"\n{arguments.out / 'report.html'}")
