"""Measure the speed and the size of the store of games: `python -m benchmarks.games WTHOR_FOLDER`.

The games of the folder's .wtb files are repeated with different last moves until there are enough.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle, groupby, islice
from pathlib import Path
from typing import Any, Final

from othello.records.formats.parsed_game import ParsedGame
from othello.records.readers import WRITTEN, read_games
from othello.records.transcript import parse_transcript
from othello.rules.registry import game_spec, rules_of
from othello.store.database import GameFilter, Store

_SPEC: Final = game_spec()
_RULES: Final = rules_of(_SPEC)
_NEW_MOVES: Final = 4  # at the end of a repeated game
_REPETITIONS: Final = 21


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with .wtb files, a .jou and a .trn")
    parser.add_argument("--games", type=int, default=137_548)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        parsed_games = [parsed for path in sorted(arguments.folder.glob("*.wtb")) for parsed in read_games(path, _SPEC)]
        known = [parsed for parsed in parsed_games if isinstance(parsed, ParsedGame)]
        games = sorted(islice(_varied(known), arguments.games), key=lambda parsed: parsed.date)
        for year, of_year in groupby(games, key=lambda parsed: parsed.date):
            WRITTEN[".wtb"].save(Path(folder) / f"archive_{year}.wtb", of_year)
        with Store(Path(folder) / "games.sqlite") as store:
            _measure(store, sorted(Path(folder).glob("*.wtb")))


def _varied(parsed_games: list[ParsedGame]) -> Iterator[ParsedGame]:
    yield from parsed_games
    draw = random.Random(1)
    before = []
    for parsed in parsed_games:
        position = _RULES.start()
        for move in parsed.moves[:-_NEW_MOVES]:
            position = _RULES.play(position, move)
        before.append(position)
    for parsed, position in cycle(zip(parsed_games, before, strict=True)):
        moves = [*parsed.moves[:-_NEW_MOVES]]
        while legal := _RULES.legal_moves(position):
            moves.append(draw.choice(legal))
            position = _RULES.play(position, moves[-1])
        yield replace(parsed, moves=moves)  # the stored result is wrong, which does not matter here


def _measure(store: Store, archives: list[Path]) -> None:
    began, worked = time.perf_counter(), time.process_time()
    source = store.add(archives)
    seconds, worked = time.perf_counter() - began, time.process_time() - worked
    positions = sum(len(parsed.moves) + 1 for parsed in store.parsed_games() if isinstance(parsed, ParsedGame))
    size = sum(path.stat().st_size for path in store.path.parent.glob(f"{store.path.name}*"))
    print(f"{source.games} games with {positions} positions: {size / 2**20:.0f} MiB")
    print(f"added in {seconds:.1f} s, {worked:.1f} s of processor time")
    for moves in ("", "f5", "f5d6c3d3c4", "f5d6c3d3c4f4f6f3e6e7", "d3c5f6f5e6e3"):
        place = _SPEC, parse_transcript(moves, _RULES).position
        _tell(f"played after {moves or 'nothing'}", partial(store.played, *place))
        _tell(f"games after {moves or 'nothing'}", partial(store.games, *place, GameFilter(), 0, 100))
    start = _RULES.start()
    player = next(line.black for line in store.search(GameFilter(years=(1996, 1996)), 0, 100))
    _tell("played at the start by a player", lambda: store.played(_SPEC, start, GameFilter(player=player)))
    _tell("played at the start in a year", lambda: store.played(_SPEC, start, GameFilter(years=(1996, 1996))))
    _tell("games of a player", lambda: store.search(GameFilter(player=player), 0, 100))
    _tell("games of a year", lambda: store.search(GameFilter(years=(1996, 1996)), 0, 100))
    _tell("sources", store.sources)


def _tell(what: str, ask: Callable[[], Any]) -> None:
    """Print the time of the first run, the median time, and the mean processor time."""
    took, worked = [], time.process_time()
    for _ in range(_REPETITIONS):
        began = time.perf_counter()
        ask()
        took.append(1000 * (time.perf_counter() - began))
    worked = 1000 * (time.process_time() - worked) / _REPETITIONS
    print(f"| {what} | {took[0]:.1f} ms | {statistics.median(took):.1f} ms | {worked:.1f} ms |")


if __name__ == "__main__":
    main()
