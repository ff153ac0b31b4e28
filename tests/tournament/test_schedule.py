"""Schedules of games, their openings, the order of results, and games that the engine ends."""

import json
import random
import re
import tracemalloc
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from othello.config import Config, TournamentConfig
from othello.config_file import load
from othello.errors import ConfigError, OutputError, ResultsError
from othello.game import AnyGame
from othello.play.referee import GameJob
from othello.play.seeding import SEED_LIMIT
from othello.play.session import Session
from othello.play.start_positions import opening_of
from othello.players.player_registry import configure
from othello.records.openings import book_of
from othello.records.record import ADJUDICATED, GameRecord
from othello.records.results import ResultsReader
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color
from othello.rules.registry import game_spec
from othello.tournament.executor import play_game
from othello.tournament.experiment import Experiment
from othello.tournament.schedule import max_games, schedule, series_of_pair
from othello.tournament.scheduler import Scheduler
from othello.tournament.standings import summarise
from othello.tournament.tournament_report import notes
from tests.command_line import RANDOM, write_config
from tests.play.session_driver import ScriptedWorker
from tests.positions import RULES, format_board
from tests.programs.registered import external_player
from tests.tournament.game_records import count_resumed, resuming, run, timeless

PLAYERS = tuple(configure("random", name=name) for name in "ABCD")


def config(format_: str, players: int = 4, repetitions: int = 1, games_per_pair: int = 2) -> Config:
    form = TournamentConfig(format_, games_per_pair=games_per_pair)
    return Config(PLAYERS[:players], "tournament", repetitions, tournament=form)


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
    ("format_", "games_per_pair", "games"),
    [("best_of_3", 2, 18), ("paired", 2, 12), ("round_robin", 5, 30), ("gauntlet", 4, 12), ("gauntlet_of_3", 2, 9)],
)
def test_who_meets_whom_in_each_format(format_: str, games_per_pair: int, games: int) -> None:
    jobs = jobs_of(config(format_, games_per_pair=games_per_pair))
    assert len(jobs) == games == max_games(config(format_, games_per_pair=games_per_pair))
    assert [job.number for job in jobs] == list(range(1, games + 1))
    pairs = [*combinations("ABCD", 2)][: 3 if format_.startswith("gauntlet") else 6]  # the first three are those of A
    met = Counter(frozenset(player.name for player in job.players) for job in jobs)
    assert met == {frozenset(pair): games // len(pairs) for pair in pairs}
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


OPENINGS = ("f5d6c3", "f5f6", "f5d6c4d3")
BOOK = "# well known\nF5 D6 C3\n\nf5f6 # diagonal\nf5d6c4d3\n"


def loaded(folder: Path, book: str = BOOK, tournament: Mapping[str, Any] | None = None, **keys: Any) -> Config:
    """Return a config with a file of openings."""
    (folder / "openings.txt").write_text(book)
    settings = {"format": "paired", "openings": str(folder / "openings.txt"), **(tournament or {})}
    document = {"game_type": "tournament", "players": [RANDOM] * 3, "game_repetitions": 4, "tournament": settings}
    return load(write_config(folder, **document | keys))


def records_of(config: Config) -> list[GameRecord]:
    """Play an experiment to its end, and return the records in its file."""
    run(config)
    assert config.output_file is not None
    return [*ResultsReader(config.output_file)]


def openings_of(config: Config, seed: int = 1) -> list[list[str]]:
    return [[job.opening for job in series.jobs] for series in schedule(config, seed)]


def test_openings_are_in_order_or_random_for_both_games_of_a_pair(tmp_path: Path) -> None:
    config = loaded(tmp_path)
    assert config.tournament.opening_book == OPENINGS
    rotated = loaded(tmp_path, tournament={"openings_start": 3})
    assert rotated.tournament.opening_book == (OPENINGS[2], *OPENINGS[:2])
    # three pairs of players get the same opening, and the fourth round begins again
    assert openings_of(config) == [[opening] * 2 for opening in (*OPENINGS, OPENINGS[0]) for _ in range(3)]
    longer = loaded(tmp_path, tournament={"format": "round_robin", "games_per_pair": 3}, game_repetitions=2)
    assert openings_of(longer)[::3] == [[OPENINGS[0]] * 2, [OPENINGS[1]], [OPENINGS[2]] * 2, [OPENINGS[0]]]
    drawn = loaded(tmp_path, tournament={"openings_order": "random"}, game_repetitions=30)
    series = openings_of(drawn)
    assert {opening for opening, _ in series} == set(OPENINGS)
    assert all(first == second for first, second in series)
    assert series == openings_of(drawn) != openings_of(drawn, 2)


def test_games_begin_with_their_openings_and_are_resumed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    config = replace(loaded(tmp_path), output_file=file, seed=5)
    records = records_of(config)
    assert len(records) == 24 == count_resumed(config)
    openings = [opening for series in openings_of(config, 5) for opening in series]
    for record, opening in zip(records, openings, strict=True):
        assert record.transcript.startswith(opening)
        assert record.opening_plies == len(opening) // 2
    other = replace(config.tournament, opening_book=OPENINGS[::-1])
    with pytest.raises(ResultsError, match="another experiment"):
        count_resumed(replace(config, tournament=other))
    line = json.loads(file.read_text().splitlines()[0])
    file.write_text(json.dumps({**line, "transcript": records[6].transcript}) + "\n")
    with pytest.raises(ResultsError, match="does not begin with its opening, f5d6c3"):
        count_resumed(config)


def test_openings_are_named_or_moves_and_come_as_often_as_their_weights(tmp_path: Path) -> None:
    named = {"tiger": 2, "F5D6c4": 1}
    config = loaded(tmp_path, tournament={"openings": None}, openings=named)
    assert [series[0] for series in openings_of(config)[::3]] == ["f5d6c3d3c4"] * 2 + ["f5d6c4", "f5d6c3d3c4"]
    assert loaded(tmp_path, "Tiger # by name\nf5d6c4\n").tournament.opening_book == ("f5d6c3d3c4", "f5d6c4")
    match: dict[str, Any] = {"game_type": "match", "players": [RANDOM] * 2, "game_repetitions": 300}
    games = loaded(tmp_path, tournament={"openings": None}, openings=named, **match)
    drawn = Counter(opening for series in openings_of(games) for opening in series)
    assert set(drawn) == {"f5d6c3d3c4", "f5d6c4"}
    assert 1.5 < drawn["f5d6c3d3c4"] / drawn["f5d6c4"] < 2.7
    (job,) = next(schedule(games, 1)).jobs
    assert play_game(job).transcript.startswith(job.opening)
    again = replace(games, game_seed=job.seed)
    assert openings_of(again) == [[job.opening]], "the seed of a game determines its opening"
    ignored = loaded(tmp_path, **match)
    assert {opening for series in openings_of(ignored) for opening in series} == {""}, "the file is for tournaments"


@pytest.mark.parametrize(
    ("openings", "book", "tournament", "reason"),
    [
        ({"Tigger": 1}, "", {}, "openings: no opening is called Tigger; did you mean Tiger?"),
        ({"f5f5": 1}, "", {}, "openings: f5f5: move 2, f5: not legal here"),
        ({"Tiger": 0}, "", {}, "openings.Tiger: is 0; allowed: a whole number from 1 to 100"),
        ({"Tiger": 1}, "", {"opening_plies": 2}, "openings: cannot be combined with"),
        ({"Tiger": 1}, BOOK, {}, "openings: cannot be combined with"),
        ({}, "f5\nf5f5\n", {}, "line 2: move 2, f5: not legal here"),
        ({}, "# nothing\n", {}, "holds no openings"),
        ({}, BOOK, {"opening_plies": 2}, "cannot be combined with opening_plies"),
        ({}, BOOK, {"openings": "nowhere.txt"}, "tournament.openings: nowhere.txt"),
        ({}, BOOK, {"openings_start": 4}, "openings_start: there are only 3 openings"),
        ({}, f"f5\n{'-' * 64} X\n", {}, "openings.txt: line 2: "),
        ({}, f"f5\n{'-' * 60} X\n", {}, "openings.txt: line 2: "),
        ({}, f"f5\n{'-' * 27}OX------XO{'-' * 27} X; a1\n", {}, "openings.txt: line 2: "),
    ],
)
def test_errors_in_openings(openings: Any, book: str, tournament: Any, reason: str, tmp_path: Path) -> None:
    settings = tournament if book else {"openings": None, **tournament}
    with pytest.raises(ConfigError, match=re.escape(reason)):
        loaded(tmp_path, book, settings, **({"openings": openings} if openings else {}))


def best_score(game: AnyGame) -> int:
    """Return black's discs minus white's after best play, by plain recursion."""
    if game.is_over:
        black, white = game.rules.score(game.position)
        return black - white
    wants_more = (game.to_move is Color.BLACK) == (game.rules.spec["goal"] == "most")
    return (max if wants_more else min)(best_score(game.play(move)) for move in game.legal_moves())


OTHERS = [pytest.param(each, marks=pytest.mark.slow) for each in ({"no_legal_move": "game_over"}, {"goal": "fewest"})]


@pytest.mark.parametrize("options", [{}, *OTHERS])
def test_an_adjudicated_game_has_the_result_of_best_play(options: dict[str, Any]) -> None:
    most = 5
    settings = TournamentConfig("paired", adjudicate=most)
    config = Config(PLAYERS[:2], "tournament", 3, game=game_spec("othello", options), tournament=settings)
    records = [play_game(job) for series in schedule(config, 2) for job in series.jobs]
    assert sum(record.is_adjudicated for record in records) > 2
    for record in records:
        game = record.replayed()
        assert record.is_adjudicated == (not game.is_over)
        if record.is_adjudicated:
            before = parse_transcript(record.transcript[:-2], game.rules)
            assert game.rules.moves_left(game.position) <= most < game.rules.moves_left(before.position)
        score = best_score(game)
        assert record.black_points - record.white_points == score
        wins = score if options.get("goal") != "fewest" else -score
        assert (wins > 0) - (wins < 0) == {"black": 1, "white": -1, "draw": 0}[record.result]


def test_adjudicated_games_are_counted_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    settings = TournamentConfig("paired", adjudicate=6)
    config = Config(PLAYERS[:2], "tournament", 2, seed=2, output_file=file, tournament=settings)
    records = records_of(config)
    assert count_resumed(config) == 4
    summary = summarise([file])
    number = sum(record.is_adjudicated for record in records)
    assert number >= 2
    assert notes(summary) == [f"{number} games were adjudicated: the engine proved the result of best play."]
    points = (record.black_points if record.black == "A" else record.white_points for record in records)
    assert summary.standings.players["A"].own == sum(points)
    line = json.loads(file.read_text().splitlines()[0])
    file.write_text(json.dumps({**line, "transcript": line["transcript"][:40], "reason": ADJUDICATED}) + "\n")
    with pytest.raises(ResultsError, match="too early"):
        count_resumed(config)


def test_games_of_people_and_of_other_games_are_not_adjudicated(tmp_path: Path) -> None:
    players = configure("user"), configure("random")
    config = Config(players, "tournament", tournament=TournamentConfig("paired", adjudicate=10))
    assert {job.adjudicate for series in schedule(config, 1) for job in series.jobs} == {0}
    with pytest.raises(ConfigError, match="not for Tic-tac-toe"):
        loaded(tmp_path, "a1", {"adjudicate": 4}, game="tictactoe")


AFTER_F5_D6 = format_board(parse_transcript("f5d6", RULES).position)


def test_openings_are_positions_too(tmp_path: Path) -> None:
    board, file = AFTER_F5_D6, tmp_path / "games.jsonl"
    config = loaded(tmp_path, f"{board}\n{board}; c3 d3\nf5d6c3\n", players=[RANDOM] * 2)
    assert [opening for opening, _ in openings_of(config)] == [f"{board}; ", f"{board}; c3d3", "f5d6c3", f"{board}; "]
    config = replace(config, seed=3, output_file=file)
    records = records_of(config)
    assert [record.start for record in records[:2]] == [board] * 2
    assert [record.opening_plies for record in records] == [0, 0, 2, 2, 3, 3, 0, 0]
    assert all(record.replayed().is_over for record in records)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))
    assert timeless(records_of(resuming(config))) == timeless(records)
    file.write_text(file.read_text().replace(f'"start": "{board}"', '"start": ""', 1))
    with pytest.raises(ResultsError, match="game 1 "):
        count_resumed(config)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book.pgn", '[Event "one"]\n\n1. f5 d6 2. c3 *\n\n[Event "two"]\n\n1. f5 f6 *\n'),
        ("book.ggf", "(;GM[Othello]PB[a]PW[b]TY[8]B[F5]W[D6]B[C3];)\n(;GM[Othello]PB[a]PW[b]TY[8]B[F5]W[F6];)\n"),
    ],
)
def test_openings_are_the_games_of_another_format(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    config = loaded(tmp_path, tournament={"openings": str(tmp_path / name)})
    assert config.tournament.opening_book == ("f5d6c3", "f5f6")


def test_a_match_in_the_window_begins_with_a_position() -> None:
    book = TournamentConfig(opening_book=book_of({AFTER_F5_D6: 1}, RULES))
    config = Config((configure("user"), configure("random")), openings={AFTER_F5_D6: 1}, tournament=book)
    session = Session(config, ScriptedWorker(), 0.0)
    assert session.is_drawing
    assert RULES.format_position(opening_of(session.referee.job).position) == AFTER_F5_D6


def test_messages_of_programs_are_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    log = tmp_path / "talk.log"
    form = TournamentConfig("paired", log=log)
    config = Config((external_player("gtp"), configure("random")), "tournament", 1, 1, tournament=form)
    run(config)
    text = log.read_text()
    assert "game 1: gtp - random" in text
    assert re.search(r"gtp < \d+ genmove black\n", text)
    assert re.search(r"gtp > =\d+ [a-h][1-8]\n", text)
    with pytest.raises(OutputError, match="nowhere"):
        Experiment(replace(config, tournament=replace(config.tournament, log=tmp_path / "nowhere" / "talk.log")))
