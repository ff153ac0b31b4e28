"""Where the seeds of games and players come from: the same in the window, headless and in a tournament."""

import secrets
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from othello.config import Config
from othello.rules.protocol import Color

SEED_LIMIT: Final = 1 << 53  # drawn seeds stay below: every JSON reader keeps such an integer exactly
_DRAWN_AT_ONCE: Final = 256  # seeds; drawn one by one, they would be the same
_OWN_BITS: Final = 2  # the last bits of a game's seed say nothing about its opening


def draw_seed() -> int:
    """A fresh seed, 0 <= seed < SEED_LIMIT, where the config names none."""
    return secrets.randbelow(SEED_LIMIT)


def game_seeds(seed: int, count: int) -> list[int]:
    """The seeds of `count` repetitions; the first n of them do not depend on `count`."""
    return list(islice(endless_game_seeds(seed), count))


def endless_game_seeds(seed: int) -> Iterator[int]:
    """Yield the same seeds, and then as many more as are wanted."""
    generator = np.random.default_rng(seed)
    while True:
        yield from generator.integers(SEED_LIMIT, size=_DRAWN_AT_ONCE).tolist()


def seeds_of_one_opening(seed: int, count: int) -> list[int]:
    """Seeds of at most four games that begin alike."""
    return [opening_seed(seed) << _OWN_BITS | index for index in range(count)]


def opening_seed(game_seed: int) -> int:
    """The seed that the moves of a game's opening are drawn with, where it has one."""
    return game_seed >> _OWN_BITS


def opening_of_match(config: Config, seed: int) -> str:
    """The transcript of the opening that a match with this seed begins with, empty where it begins with none."""
    book = config.tournament.opening_book if config.openings else ()
    return book[opening_seed(seed) % len(book)] if book else ""


def player_seed(game_seed: int, color: Color) -> int:
    return int(np.random.SeedSequence([game_seed, color]).generate_state(1, np.uint64)[0] >> np.uint64(11))
