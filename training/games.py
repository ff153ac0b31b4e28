"""Make the archive of games: `python -m training.games SETTINGS.json --out FOLDER --games N`.

SETTINGS has a list of levels, like `assets/levels.json`. The first nine of them and the engine at depth ENGINE_DEPTH
play each other if they are at most REACH levels apart. Each game pair starts from a named opening or from the start
position. All players vary their moves for the first VARIED_PLIES plies, and no game is written twice. Batches are files
in FOLDER; a second run plays only missing ones. At the end all games are written to FOLDER/NAME.wtb, and players and
event to the .jou and .trn files.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.engine import Engine
from othello.engine.engine_levels import Level
from othello.files import write_text
from othello.players.engine_player import PLACES
from othello.records.formats.format import othello_of
from othello.records.formats.parsed_game import ParsedGame, result_of
from othello.records.openings import named_lines
from othello.records.readers import WTHOR
from othello.records.transcript import parse_transcript
from othello.rules.othello.scalar_bits import flips, mobility
from othello.search.stop import StopFlag
from training import parallel
from training.levels import REACH, add_options, answer, read
from training.selfplay import START

NAME: Final = "levels-and-engine"
EVENT: Final = "Levels and engine"
ENGINE_DEPTH: Final = 10
VARIED_PLIES: Final = 20
TEMPERATURE: Final = 0.7
"""A varied move that is this many discs worse than the best is played 1/e times as often."""

GAMES_A_BATCH: Final = 100
OPENINGS: Final = ("", "f5", *(moves for moves, _ in named_lines()))


def players(levels: list[Level]) -> list[Level]:
    """Return the players of the archive, from weakest to strongest."""
    numbered = [replace(level, name=f"Level {number}") for number, level in enumerate(levels[:9], start=1)]
    engine = Level(f"Engine depth {ENGINE_DEPTH}", ENGINE_DEPTH, ENGINE_DEPTH + 6, None, 0.0, guards_corners=False)
    return [*numbered, engine]


def play(engine: Engine, sides: tuple[Level, Level], opening: str, random: np.random.Generator) -> list[int]:
    """Play a game from an opening and return all moves without passes."""
    own, opponent = START
    moves: list[int] = []
    given = [move for move in parse_transcript(opening, othello_of()).moves if move < 64] if opening else []
    side = 0
    while mobility(own, opponent) or mobility(opponent, own):
        if mobility(own, opponent):
            level = sides[side]
            if len(moves) < VARIED_PLIES:
                level = replace(level, temperature=max(level.temperature, TEMPERATURE))
            move = given[len(moves)] if len(moves) < len(given) else answer(engine, level, own, opponent, random)
            moves.append(move)
            turned = flips(own, opponent, move)
            own, opponent = own | turned | 1 << move, opponent ^ turned
        own, opponent, side = opponent, own, 1 - side
    return moves


def play_batch(file: Path, batch: int, sides: list[Level], seed: int) -> None:
    """Play GAMES_A_BATCH games and keep their players and moves."""
    engine, random = Engine(PLACES, StopFlag()), np.random.default_rng([seed, batch])
    games = []
    for _ in range(GAMES_A_BATCH // 2):
        first = int(random.integers(len(sides)))
        near = [other for other in range(len(sides)) if 0 < abs(other - first) <= REACH]
        second, opening = int(random.choice(near)), str(random.choice(OPENINGS))
        for black, white in ((first, second), (second, first)):
            games.append([black, white, play(engine, (sides[black], sides[white]), opening, random)])
    write_text(file, json.dumps(games))


def parsed_game(names: tuple[str, str], moves: bytes) -> ParsedGame:
    """Return a game as the archive holds it; empty squares count for the winner."""
    line = parse_transcript("".join(map("{}{}".format, *_texts(moves))), othello_of())
    black, white = line.rules.score(line.position)
    difference = black - white
    left = 64 - black - white
    result = result_of(difference + left * ((difference > 0) - (difference < 0)))
    return ParsedGame(othello_of(), line.moves, players=names, event=EVENT, result=result)


def _texts(moves: bytes) -> tuple[list[str], list[int]]:
    return ["abcdefgh"[move % 8] for move in moves], [move // 8 + 1 for move in moves]


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.games", __doc__, "the archive and its batches of games")
    add_options(parser, "in the archive", 5000)
    arguments = parallel.parsed(parser, "settings", "weights")
    folder: Path = arguments.out
    sides = players(read(arguments.settings))
    batches = range(-(-arguments.games // GAMES_A_BATCH) + 1)  # one more than needed, because duplicates are dropped
    tasks = {folder / f"batch-{batch:03}.json": (batch, sides, arguments.seed) for batch in batches}
    parallel.make_missing(play_batch, tasks, arguments, "batches")
    games: dict[bytes, tuple[str, str]] = {}
    for file in tasks:
        for black, white, moves in json.loads(file.read_text()):
            games.setdefault(bytes(moves), (sides[black].name, sides[white].name))
    parsed_games = [parsed_game(names, moves) for moves, names in list(games.items())[: arguments.games]]
    WTHOR.save(folder / f"{NAME}.wtb", parsed_games)
    print(f"{len(parsed_games)} games in {folder / f'{NAME}.wtb'}")


if __name__ == "__main__":
    parallel.run("training.games")
