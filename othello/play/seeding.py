"""Seeds of games and players, the same in the window, without it and in a tournament."""

import secrets
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from othello.config import Config
from othello.rules.protocol import Color

SEED_LIMIT: Final = 1 << 53  # limit of random seeds: JSON numbers are exact up to here
_DRAWN_AT_ONCE: Final = 256  # seeds per call; single calls would draw other numbers
_OWN_BITS: Final = 2  # lowest bits of a game's seed that do not affect its opening


def draw_seed() -> int:
    """Return a random seed, 0 <= seed < SEED_LIMIT."""
    return secrets.randbelow(SEED_LIMIT)


def game_seeds(seed: int, count: int) -> list[int]:
    """Return the seeds of `count` games; the first n do not depend on `count`."""
    return list(islice(endless_game_seeds(seed), count))


def endless_game_seeds(seed: int) -> Iterator[int]:
    """Yield the seeds of `game_seeds` without end."""
    generator = np.random.default_rng(seed)
    while True:
        yield from generator.integers(SEED_LIMIT, size=_DRAWN_AT_ONCE).tolist()


def seeds_of_one_opening(seed: int, count: int) -> list[int]:
    """Return the seeds of at most four games with the same opening."""
    return [opening_seed(seed) << _OWN_BITS | index for index in range(count)]


def opening_seed(game_seed: int) -> int:
    """Return the seed of a game's random opening."""
    return game_seed >> _OWN_BITS


def opening_of_match(config: Config, seed: int) -> str:
    """Return the transcript of the opening for a game's seed, "" if no openings are configured."""
    book = config.tournament.opening_book if config.openings else ()
    return book[opening_seed(seed) % len(book)] if book else ""


def player_seed(game_seed: int, color: Color) -> int:
    return int(np.random.SeedSequence([game_seed, color]).generate_state(1, np.uint64)[0] >> np.uint64(11))
