"""`othello trace`: the steps of one search in a file."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Final

from othello.cli.arguments import Parser, parse_seed, whole_number
from othello.cli.position_commands import game_after
from othello.config_file import load
from othello.errors import CommandError
from othello.files import refuse_existing, write_bytes, write_text
from othello.kernel.interrupt import interruptible
from othello.players.player_registry import title_of
from othello.players.step_recorder import record_steps, stepped_config
from othello.rules.registry import rules_of
from othello.search.steps import Step
from othello.study.search_trace import result_row, row_of, search_row

# The number of steps that a file of each kind can have.
_LIMITS: Final = {".jsonl": sys.maxsize, ".html": 20_000, ".gif": 500}


def declare_trace(parser: Parser) -> None:
    add = parser.add_argument
    add("--config", type=Path, metavar="FILE", default=Path("config.json"), help="the players (default: %(default)s)")
    text = "number of the player in the config (default: %(default)s)"
    add("--player", type=whole_number(1, 1000), metavar="N", default=1, help=text)
    add("--moves", metavar="TEXT", help="moves to play first, such as f5d6c3")
    text = "number of simulations or episodes to write (default: all)"
    add("--simulations", type=whole_number(1, 1_000_000), metavar="N", help=text)
    add("--seed", type=parse_seed, metavar="N", help="seed of the game (default: that of the config, or 0)")
    text = "the file to write: .jsonl, .html (a page to step through) or .gif (an animation)"
    add("--out", type=Path, metavar="FILE", required=True, help=text)
    add("--overwrite", action="store_true", help="replace FILE")


def trace(arguments: argparse.Namespace) -> None:
    """Write the steps of a search.

    Raises:
        CommandError: the player or the suffix is unknown, or there are too many steps for such a file.
        PlayerError: such a player has no steps.
        OutputError: the file cannot be written, or exists already.
    """
    out, suffix = arguments.out, arguments.out.suffix.lower()
    if suffix not in _LIMITS:
        raise CommandError("trace_suffix", path=out, suffixes=", ".join(_LIMITS))
    if not arguments.overwrite:
        refuse_existing(out)
    config = load(arguments.config)
    if arguments.player > len(config.players):
        raise CommandError("trace_player", number=arguments.player, count=len(config.players))
    game = game_after(rules_of(config.game), arguments.moves)
    player = stepped_config(config.players[arguments.player - 1], game.rules)
    seed = arguments.seed if arguments.seed is not None else config.seed or 0
    steps: list[Step] = []
    report = interruptible(partial(record_steps, player, game, seed, steps.append, last=arguments.simulations))
    assert report is not None  # nothing cancels the search
    if len(steps) > _LIMITS[suffix]:
        raise CommandError("trace_length", path=out, count=len(steps), maximum=_LIMITS[suffix])
    if suffix == ".jsonl":
        rows = (search_row(player, game, seed), *(row_of(step, game) for step in steps), result_row(report, game))
        write_text(out, "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in rows))
        return
    from othello.study.trace_pages import as_gif, as_html

    if suffix == ".html":
        write_text(out, as_html(steps, game, player, title_of(player)))
    else:
        write_bytes(out, as_gif(steps, game, player))
