"""Which games are played, and in which order they come back."""

import random
import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import islice, product

import pytest
from hypothesis import given, settings, strategies as st

from othello.config import Config, TournamentConfig
from othello.play.referee import GameJob
from othello.play.seeding import SEED_LIMIT
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.tournament.schedule import max_games, schedule, series_of_pair
from othello.tournament.scheduler import Scheduler

PLAYERS = tuple(configure("random", name=name) for name in "ABCD")


def config(format_: str, players: int = 4, repetitions: int = 1, games_per_pair: int = 2) -> Config:
    return Config(
        players=PLAYERS[:players],
        game_type="tournament",
        game_repetitions=repetitions,
        tournament=TournamentConfig(format=format_, games_per_pair=games_per_pair),
    )


def jobs_of(config: Config, seed: int = 1) -> list[GameJob]:
    return [job for series in schedule(config, seed) for job in series.jobs]


def record_of(job: GameJob) -> GameRecord:
    """Return a record with a result that depends on the seed alone."""
    black, white = (player.name for player in job.players)
    result = random.Random(job.seed).choice(["black", "white", "draw"])
    return GameRecord(
        game=job.number, series=job.series, black=black, white=white, black_points=1, white_points=1, result=result
    )


@pytest.mark.parametrize(
    ("format_", "games_per_pair", "games", "pairs"),
    [
        ("best_of_3", 2, 18, 6),
        ("paired", 2, 12, 6),
        ("round_robin", 5, 30, 6),
        ("gauntlet", 4, 12, 3),
        ("gauntlet_of_3", 2, 9, 3),
    ],
)
def test_formats(format_: str, games_per_pair: int, games: int, pairs: int) -> None:
    jobs = jobs_of(config(format_, games_per_pair=games_per_pair))
    assert len(jobs) == games == max_games(config(format_, games_per_pair=games_per_pair))
    assert [job.number for job in jobs] == list(range(1, games + 1))
    met = Counter(frozenset(player.name for player in job.players) for job in jobs)
    assert set(met.values()) == {games // pairs}
    assert len(met) == pairs
    if format_.startswith("gauntlet"):
        assert all("A" in names for names in met)
    assert len({job.seed for job in jobs}) == games


@pytest.mark.parametrize("format_", ["best_of_3", "paired", "round_robin", "gauntlet"])
def test_games_of_a_series_have_one_opening_and_alternating_colours(format_: str) -> None:
    games = config(format_, games_per_pair=4)
    games = replace(games, tournament=replace(games.tournament, opening_plies=8))
    openings = []
    for series in schedule(games, 1):
        first, second, *_ = series.jobs
        assert first.players == second.players[::-1]
        assert len({job.opening_seed for job in series.jobs}) == 1
        openings.append(first.opening_seed)
        assert all(job.opening_plies == 8 and job.seed < SEED_LIMIT for job in series.jobs)
    assert len(set(openings)) == len(openings)
    assert len({job.seed for job in jobs_of(games)}) == max_games(games)


def test_one_game_is_found_by_its_seed() -> None:
    games = config("paired", repetitions=3)
    for job in jobs_of(games):
        assert jobs_of(replace(games, game_seed=job.seed)) == [job]
    assert jobs_of(replace(games, game_seed=5)) == []


def test_colours_of_a_game_without_a_partner_are_random() -> None:
    for format_, games_per_pair in (("best_of_3", 2), ("round_robin", 3), ("round_robin", 1)):
        last = [
            series.jobs[-1].players[0].name
            for series in schedule(config(format_, 2, repetitions=50, games_per_pair=games_per_pair), 1)
            if len(series.jobs) % 2 == 1
        ]
        assert len(last) == 50
        assert 10 < last.count("A") < 40


def test_colours_of_first_games_are_random_on_request() -> None:
    """Of games 1 and 3 each by its own lot; game 2 has the colours of game 1 swapped."""
    games = config("gauntlet_of_3", 2, repetitions=20)
    games = replace(games, tournament=replace(games.tournament, colors="random", series_per_pair=5))
    black = [[job.players[0].name for job in series.jobs] for series in schedule(games, 1)]
    assert all(first != second for first, second, _ in black)
    assert {(first, third) for first, _, third in black} == {*product("AB", repeat=2)}
    assert all(30 < [names[index] for names in black].count("A") < 70 for index in (0, 2))


def test_a_format_says_how_many_series_a_pair_plays() -> None:
    games = config("gauntlet_of_3", 4, repetitions=2)
    games = replace(games, tournament=replace(games.tournament, series_per_pair=3))
    jobs = [series.jobs[0] for series in schedule(games, 1)]
    found = [(job.players[1].name, *series_of_pair(games, job.series)) for job in jobs]
    assert found == [(name, number, 6) for number in range(1, 7) for name in "BCD"]
    assert len(jobs_of(games)) == max_games(games) == 6 * 3 * 3


def test_the_first_games_do_not_depend_on_the_number_of_repetitions() -> None:
    assert jobs_of(config("paired", repetitions=5))[:24] == jobs_of(config("paired", repetitions=2))
    assert jobs_of(config("paired"), seed=2) != jobs_of(config("paired"), seed=1)


def test_a_match_is_one_game_a_repetition() -> None:
    match = replace(config("paired", players=2, repetitions=3), game_type="match")
    assert [(job.players[0].name, job.players[1].name) for job in jobs_of(match)] == [("A", "B")] * 3
    assert max_games(match) == 3


@pytest.mark.parametrize(
    ("winners", "needs_third"),
    [([], None), (["A"], None), (["A", "A"], False), (["A", "B"], True), ([None, "B"], True), ([None, None], True)],
)
def test_best_of_three_stops_at_two_wins(winners: list[str | None], needs_third: bool | None) -> None:
    (series,) = schedule(config("best_of_3", 2), 1)
    assert [series.needs(index, winners) for index in range(3)] == [True, True, needs_third]


def play_through(
    games: Config, max_lookahead: int, choose: random.Random, played: dict[int, str | None] | None = None
) -> list[int]:
    """Start games and finish them in a random order, and return the order of the records."""
    agenda = Scheduler(schedule(games, 1), max_lookahead, played)
    given: list[GameJob] = []
    order: list[int] = []
    while True:
        job = agenda.take() if len(given) < 2 or choose.random() < 0.7 else None
        if job is not None:
            given.append(job)
            assert len(given) <= max_lookahead
            continue
        if not given:
            return order
        done = given.pop(choose.randrange(len(given)))
        agenda.finish(record_of(done))
        order += [record.game for record in agenda.finished()]


@pytest.mark.parametrize("format_", ["best_of_3", "paired", "round_robin"])
@given(max_lookahead=st.integers(1, 20), luck=st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_records_come_out_in_order_however_games_end(format_: str, max_lookahead: int, luck: int) -> None:
    games = config(format_, repetitions=4, games_per_pair=3)
    in_order = play_through(games, 1, random.Random(0))
    assert play_through(games, max_lookahead, random.Random(luck)) == in_order
    assert in_order == sorted(in_order)
    if format_ == "best_of_3":
        assert 48 <= len(in_order) < 72
    else:
        assert len(in_order) == max_games(games)


@pytest.mark.parametrize("format_", ["best_of_3", "paired"])
@given(luck=st.integers(0, 1000), share=st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_only_missing_games_are_played(format_: str, luck: int, share: float) -> None:
    games = config(format_, repetitions=3)
    everything = play_through(games, 5, random.Random(0))
    jobs = {job.number: job for job in jobs_of(games)}
    choose = random.Random(luck)
    played = {number: record_of(jobs[number]).winner_name for number in everything if choose.random() < share}
    rest = play_through(games, 5, choose, played)
    assert sorted([*rest, *played]) == everything


@pytest.mark.parametrize("format_", ["best_of_3", "round_robin"])
def test_a_schedule_of_any_length_takes_no_memory(format_: str) -> None:
    million = 1_000_000
    form = TournamentConfig(format_, games_per_pair=million, series_per_pair=million)
    players = tuple(configure("random", name=str(number)) for number in range(64))
    endless = Config(players, "tournament", game_repetitions=million, tournament=form)
    tracemalloc.start()
    assert len(list(islice(schedule(endless, 1), 5))) == 5
    max_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max_bytes < 5_000_000
