"""`othello repertoire`: the openings that the user learns in the window."""

import argparse
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager

from othello.errors import CommandError, OthelloError, OutputError
from othello.game import AnyGame
from othello.records.openings import opening_name_of, opening_of
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.study.repertoire import Repertoire, RepertoireLine
from othello.study.store_writer import StoreWriter
from othello.texts import side_name, tr


@contextmanager
def _opened() -> Iterator[Repertoire]:
    """Open the user's repertoire. Raises an OutputError if it cannot be read or written."""
    with closing(StoreWriter()) as store_writer:
        repertoire = Repertoire(store_writer)
        yield repertoire
    if repertoire.notice is not None:
        notice = repertoire.notice
        if isinstance(notice, OthelloError):
            raise notice
        raise OutputError("in_file", path=notice.name, reason=notice.reason)


def list_lines(arguments: argparse.Namespace) -> None:
    """List all lines with the number of positions that are due."""
    with _opened() as repertoire:
        all_due = {*repertoire.due()}
        lines = [(line, len(all_due & line.cards.keys())) for line in repertoire.lines]
    for line, due in lines:
        opening, moves = opening_name_of(line.game), format_transcript(line.game)
        name = None if opening is None else opening.name
        if arguments.json:
            entry = {"game": line.game.rules.spec.game, "color": line.color.label, "opening": name, "moves": moves}
            print(json.dumps(entry | {"positions": len(line.cards), "due": due}, ensure_ascii=False))
        else:
            print(f"{line.color.label}  {due:>3} due  {moves}{'' if name is None else f'  {name}'}")
    if not lines and not arguments.json:
        print("There are no lines yet. othello repertoire add Tiger --color black adds one.")


def add(arguments: argparse.Namespace) -> None:
    """Add openings.

    Raises:
        CommandError: the side has no move in one of them.
    """
    games, color = _games(arguments), Color[arguments.color.upper()]
    with _opened() as repertoire:
        for text, game in games.items():
            line = repertoire.add(game, color)
            if line is None:
                raise CommandError("not_learnt", line=text, color=color.label)
            side, count = side_name(game.rules.name, color.label), len(line.cards)
            print(tr("repertoire.added", name=text, side=side, n=count))


def remove(arguments: argparse.Namespace) -> None:
    """Remove openings.

    Raises:
        CommandError: one of them is not in the repertoire of the side.
    """
    color = Color[arguments.color.upper()]
    with _opened() as repertoire:
        for text, game in _games(arguments).items():
            line = next((line for line in repertoire.lines if line == RepertoireLine.of(game, color)), None)
            if line is None:
                raise CommandError("no_line", line=text, color=color.label)
            repertoire.remove(line)
            print(tr("repertoire.removed", name=text, side=side_name(game.rules.name, color.label)))


def _games(arguments: argparse.Namespace) -> dict[str, AnyGame]:
    """Return the games of the arguments by their text."""
    return {text: opening_of(text, rules_of(game_spec())) for text in arguments.openings}
