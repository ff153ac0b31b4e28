"""The schedule: a lazy sequence of series of games, determined by config and seed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, count, islice
from typing import Final, NamedTuple

from othello.config import Config, PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.play.referee import GameJob
from othello.play.seeding import endless_game_seeds, opening_of_match, opening_seed, seeds_of_one_opening
from othello.records.openings import book_game
from othello.rules.registry import rules_of

BEST_OF: Final = 3


class Series(FrozenDataclass):
    """Games that belong together, in order: with the same opening, or until a player has won."""

    jobs: tuple[GameJob, ...]
    wins_needed: int = 0  # wins that end the series; 0: all games are played

    @property
    def has_user(self) -> bool:
        return any(player.is_user for player in self.jobs[0].players)

    def needs(self, index: int, winners: Sequence[str | None]) -> bool | None:
        """Return whether a game of this series has to be played; None if that depends on unfinished games.

        Args:
            index: the game, from 0.
            winners: the names of the winners of the first games, None for a draw.
        """
        if not self.wins_needed:
            return True
        known = winners[:index]
        max_wins = max(Counter(name for name in known if name is not None).values(), default=0)
        if max_wins >= self.wins_needed:
            return False
        return True if max_wins + index - len(known) < self.wins_needed else None


def schedule(config: Config, seed: int, experiment: str = "", begun: int = 0) -> Iterator[Series]:
    """Yield the series of a match or a tournament, or only the game with `config.game_seed`.

    `begun` is the number of earlier repetitions, after whose openings these continue.
    """
    games = _all_series(config, seed, experiment, begun)
    if config.game_seed is None or config.game_type == "match":
        return games
    wanted = (Series((job,)) for series in games for job in series.jobs if job.seed == config.game_seed)
    return islice(wanted, 1)


def _all_series(config: Config, seed: int, experiment: str, begun: int) -> Iterator[Series]:
    settings, numbers, margin = config.tournament, count(1), config.tournament.time_margin_seconds
    new_job = partial(GameJob, game=config.game, experiment=experiment, log=settings.log, time_margin_seconds=margin)
    for series, plan in enumerate(_plans(config, seed, begun), 1):
        new_game = partial(new_job, series=series, opening_plies=plan.opening_plies, opening=plan.opening)
        jobs = []
        for players, game_seed in plan.games:
            adjudicate = 0 if any(player.is_user for player in players) else settings.adjudicate
            jobs.append(new_game(number=next(numbers), players=players, seed=game_seed, adjudicate=adjudicate))
        yield Series(tuple(jobs), plan.wins_needed)


class _Plan(NamedTuple):
    """A series: the players and the seed of every game, and the opening."""

    games: list[tuple[tuple[PlayerConfig, PlayerConfig], int]]
    opening_plies: int
    wins_needed: int = 0
    opening: str = ""  # the transcript of an opening from a file


def _plans(config: Config, seed: int, begun: int) -> Iterator[_Plan]:
    if config.game_type == "match" and config.game_seed is not None:  # possibly a repeated game of a tournament
        yield _of_match(config, config.game_seed, _opening_plies(config))
        return
    for repetition, repetition_seed in enumerate(islice(endless_game_seeds(seed), config.game_repetitions), begun):
        if config.game_type == "match":
            yield _of_match(config, repetition_seed, rules_of(config.game).random_opening_plies)
        else:
            yield from _repetition(config, repetition, repetition_seed)


def _of_match(config: Config, seed: int, plies: int) -> _Plan:
    """Return a match with its opening, or with so many random moves."""
    opening = opening_of_match(config, seed)
    plies = book_game(opening, rules_of(config.game)).ply if opening else plies
    return _Plan([((config.players[0], config.players[1]), seed)], plies, opening=opening)


def max_games(config: Config) -> int:
    """Return the maximum number of games of the schedule."""
    if config.game_seed is not None:
        return 1
    if config.game_type == "match":
        return config.game_repetitions
    return len(pairings(config)) * max_games_per_pair(config)


def computers_meet(config: Config) -> bool:
    """Return whether a tournament has games without a user."""
    return not all(first.is_user or second.is_user for first, second in pairings(config))


def series_of_pair(config: Config, number: int) -> tuple[int, int]:
    """Return the number of a best-of-three series among the series of its two players, and how many these are."""
    return (number - 1) // len(pairings(config)) + 1, config.game_repetitions * config.tournament.series_per_pair


def max_games_per_pair(config: Config) -> int:
    """Return the maximum number of games between two players of a tournament."""
    return config.game_repetitions * _games_per_pair(config)


def _repetition(config: Config, repetition: int, seed: int) -> Iterator[_Plan]:
    pairs, games, plies = pairings(config), _games_per_pair(config), _opening_plies(config)
    seeds = endless_game_seeds(seed)
    best_of = config.tournament.is_best_of_3
    size, wins_needed = (BEST_OF, BEST_OF // 2 + 1) if best_of else (2, 0)
    book = config.tournament.opening_book
    for place, begun in enumerate(range(0, games, size), repetition * -(-games // size)):
        for first, second in pairs:
            drawn = [next(seeds) for _ in range(min(size, games - begun))]
            swapped = [_is_swapped(index, drawn, config.tournament.colors) for index in range(len(drawn))]
            players = [(second, first) if is_swapped else (first, second) for is_swapped in swapped]
            chosen = seeds_of_one_opening(drawn[0], len(drawn)) if plies or book else drawn
            opening = ""
            if book:
                is_drawn = config.tournament.openings_order == "random"
                opening = book[(opening_seed(chosen[0]) if is_drawn else place) % len(book)]
                plies = book_game(opening, rules_of(config.game)).ply
            yield _Plan(list(zip(players, chosen, strict=True)), plies, wins_needed, opening)


def _opening_plies(config: Config) -> int:
    """Return the number of random moves that open a tournament game, by the config and the rules."""
    return max(config.tournament.opening_plies, rules_of(config.game).random_opening_plies)


def _is_swapped(index: int, seeds: Sequence[int], colors: str) -> bool:
    """Return whether a game has swapped colours: every second game; at random for a last game without a partner."""
    has_partner = index % 2 == 1 or index + 1 < len(seeds)
    drawn = seeds[index - index % 2] if colors == "random" or not has_partner else 0
    return (drawn ^ index) % 2 == 1  # a last game without a partner has an even index


def pairings(config: Config) -> list[tuple[PlayerConfig, PlayerConfig]]:
    """Return all pairs of players that meet."""
    pairs = list(combinations(config.players, 2))
    return pairs[: len(config.players) - 1] if config.tournament.format.startswith("gauntlet") else pairs


def _games_per_pair(config: Config) -> int:
    form = config.tournament
    if form.is_best_of_3:
        return BEST_OF * form.series_per_pair
    return 2 if form.format == "paired" else form.games_per_pair
