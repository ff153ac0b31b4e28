"""Tests for every computer player."""

import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from unittest.mock import patch

import pytest

from othello.config import PlayerConfig
from othello.errors import PlayerError, ProgramError
from othello.game import AnyGame, Game
from othello.kernel.cache_files import _CacheFiles
from othello.kernel.loading import NotCompiledError
from othello.players.conformance import ConformanceCheck
from othello.players.learning_player import LearningPlayer
from othello.players.player import choose, final_report
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.rules.protocol import Move, Position, Rules
from othello.schema import options_of
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from tests.player_factory import MCTS_TYPES, SEARCHERS, endless, fitting, game_at, playing, ready
from tests.positions import RULES, SPEC, line, with_empties
from tests.rule_sets import each_pairing, each_rule_set, few_specs

LEARNERS = [name for name, kind in PLAYERS.items() if issubclass(kind, LearningPlayer)]
OTHELLO_PLAYERS = [name for name in COMPUTERS if playing(name, SPEC)]  # no program is registered
EACH_COMPUTER = pytest.mark.parametrize("player", COMPUTERS)
EACH_PLAYER = pytest.mark.parametrize("player", OTHELLO_PLAYERS)
EACH_SEARCHER = pytest.mark.parametrize("player", SEARCHERS)
EACH_FEW = each_rule_set(few_specs())  # no search depends on two options at once
START: AnyGame = Game.new(RULES)
SHORT = {"simulation_count": 20, "learning_episodes": 20, "depth": 2, "grouping_opening_plies": 0}


def config(player: str) -> PlayerConfig:
    return fitting(player, **SHORT)


def played(player: PlayerConfig, seed: int, game: AnyGame, plies: int = 1000) -> Iterator[tuple[AnyGame, SearchReport]]:
    """Yield every position of a player's game against itself, with its answer."""
    sides = [ready(player, number, game.rules.spec) for number in (seed, seed + 1)]
    while not game.is_over and game.ply < plies:
        report = choose(sides[game.to_move], game)
        yield game, report
        game = game.play(report.move)


def timeless(report: SearchReport) -> SearchReport:
    """Return a report without its time, which is different every time."""
    return replace(report, seconds=0.0)


@each_pairing(COMPUTERS)
def test_a_whole_game_of_consistent_reports(player: str, rules: Rules[Position]) -> None:
    if unsupported_reason(config(player), rules.spec):
        with pytest.raises((PlayerError, ProgramError)):
            create_player(config(player), rules.spec)
    able = playing(player, rules.spec, **SHORT)
    if able is None:
        pytest.skip("does not play this")
    begun = time.perf_counter()
    for game, report in played(able, 1, Game.new(rules)):
        legal = game.legal_moves()
        assert report.player == player
        assert report.final
        assert report.move in legal
        assert tuple(stats.move for stats in report.moves) == legal
        assert report.value == next(stats for stats in report.moves if stats.move == report.move).value
        assert 0 <= report.seconds <= time.perf_counter() - begun
        assert report.pv[0] == report.move
        line = game
        for move in report.pv:
            line = line.play(move)
        if report.unit is Unit.NONE:
            assert PLAYERS[player].unit is Unit.NONE
            continue
        if report.value is None:  # all visited moves lose
            assert "level" in able.strength or all(stats.certainty < 0 for stats in report.moves if stats.visits)
            continue
        assert report.depth >= 1
        assert len(report.pv) <= report.depth or player in LEARNERS  # their line may go on as learned before
        assert (report.nodes >= 1) != report.from_book
        if player in LEARNERS:
            assert report.unit is Unit.REWARD
            assert report.simulations == 20 <= sum(stats.visits for stats in report.moves)
            assert report.value == max(stats.value for stats in report.moves if stats.value is not None)
        elif player in MCTS_TYPES or report.unit is Unit.REWARD:
            assert report.unit is Unit.REWARD
            assert report.simulations == sum(stats.visits for stats in report.moves)
            assert report.simulations == 20 or "simulation_count" not in options_of(PLAYERS[player].config_type)
            assert -1e-6 <= report.value <= 1 + 1e-6
        else:
            assert report.unit in (Unit.SCORE, Unit.EXPECTED, Unit.DISCS)
            assert report.simulations == 0
            best = max(stats.value for stats in report.moves if stats.value is not None)
            assert report.value == best or (report.value < best and "level" in able.strength)  # a level errs


@EACH_PLAYER
def test_other_seeds_are_other_games(player: str) -> None:
    games = (played(config(player), seed, START, plies=12) for seed in range(0, 20, 2))
    lines = ([report.move for _, report in game] for game in games)
    first = next(lines)
    assert any(line != first for line in lines)


@pytest.mark.parametrize("player", [name for name in OTHELLO_PLAYERS if not PLAYERS[name].remembers])
def test_earlier_questions_change_no_answer(player: str) -> None:
    asked = list(played(config(player), 5, START, plies=24))
    other = ready(config(player), 5)
    other.prepare()
    for game, report in reversed(asked):
        if game.to_move == 0:
            for answering in (other, other, ready(config(player), 5)):
                assert timeless(choose(answering, game)) == timeless(report)


@EACH_PLAYER
def test_a_player_that_stays_for_another_game_plays_it_as_a_new_one(player: str) -> None:
    with create_player(fitting(player, **SHORT, mcts_reuse_tree=True), SPEC) as stays:
        stays.prepare()
        for seed in (5, 6):
            fresh = ready(stays.config, seed)
            stays.new_game(seed)
            game = START
            for _ in range(4):
                report = choose(stays, game)
                assert timeless(report) == timeless(choose(fresh, game))
                game = game.play(report.move)
            stays.game_over(game)


@EACH_PLAYER
def test_every_player_keeps_to_the_contract(player: str) -> None:
    test_every_player_keeps_to_the_contract_in_every_game(player, RULES)


@EACH_FEW
@EACH_COMPUTER
@pytest.mark.slow
def test_every_player_keeps_to_the_contract_in_every_game(player: str, rules: Rules[Position]) -> None:
    able = playing(player, rules.spec, **SHORT, search_threads=2)
    if able is None:
        pytest.skip("does not play this")
    findings = [*ConformanceCheck(able, rules, positions=6, timeout=60.0, pause=0.02).findings()]
    assert [finding for finding in findings if finding.is_kept is False] == []
    assert all(float(finding.detail.split()[-3]) < 600 for finding in findings if finding.detail.endswith(" s late"))
    if rules is RULES:  # no bounded search of the start position ends before it is stopped
        tried = {finding.part for finding in findings if finding.is_kept}
        assert (tried >= {"stop", "hold"}) is (player in SEARCHERS)


@each_pairing(SEARCHERS, few_specs(), (pytest.mark.slow, pytest.mark.slow))
def test_a_search_cancelled_before_it_began_ends_without_an_answer(player: str, rules: Rules[Position]) -> None:
    stop = StopFlag()
    stop.cancel()
    able = endless(player, rules.spec)
    if able is None:
        pytest.skip("does not play this")
    assert not any(report.final for report in islice(ready(able, 1, rules.spec).think(Game.new(rules), stop), 3))


@EACH_SEARCHER
def test_pauses_change_no_answer(player: str) -> None:
    longer = fitting(player, simulation_count=20_000, learning_episodes=2000, depth=8, grouping_opening_plies=0)
    stop, has_ended = StopFlag(), threading.Event()

    def pause_and_resume() -> None:
        while not has_ended.wait(0.0005):
            stop.set_paused(True)
            has_ended.wait(0.0005)
            stop.set_paused(False)

    pausing = threading.Thread(target=pause_and_resume)
    pausing.start()
    try:
        report = final_report(ready(longer, 1), ready(longer, 1).think(START, stop))
    finally:
        has_ended.set()
        pausing.join()
    assert timeless(report) == timeless(choose(ready(longer, 1), START))


@EACH_SEARCHER
def test_an_abandoned_search_leaves_a_usable_player(player: str) -> None:
    player_config = fitting(player, simulation_count=20_000, learning_episodes=2000)
    used = ready(player_config, 1)
    thinking = used.think(START, StopFlag())
    next(thinking)
    thinking.close()  # type: ignore[attr-defined]
    if PLAYERS[player].remembers:
        used.new_game(1)
    assert timeless(choose(used, START)) == timeless(choose(ready(player_config, 1), START))


@EACH_SEARCHER
def test_a_time_limit_that_is_never_reached_changes_no_answer(player: str) -> None:
    unhurried = ready(replace(config(player), time_limit_seconds=3600.0))
    assert timeless(choose(unhurried, START)) == timeless(choose(ready(config(player), 1), START))


@EACH_SEARCHER
def test_snapshots_grow_and_only_the_last_is_final(player: str) -> None:
    longer = fitting(
        player, simulation_count=100_000, learning_episodes=2000, depth=6, grouping_opening_plies=0, book=False
    )
    reports = list(ready(longer).think(START, StopFlag()))
    assert len(reports) > 1
    assert [report.final for report in reports] == [False] * (len(reports) - 1) + [True]
    assert all(report.move in START.legal_moves() for report in reports)
    for earlier, later in pairwise(reports):
        for name in ("simulations", "nodes", "depth", "seconds"):
            assert getattr(earlier, name) <= getattr(later, name), name


@EACH_SEARCHER
def test_a_released_player_keeps_no_threads_and_no_tree(player: str) -> None:
    before = set(threading.enumerate())
    released = ready(fitting(player, simulation_count=40, learning_episodes=40, depth=2, search_threads=2))
    choose(released, START)
    searches = [weakref.ref(part) for part in vars(released).values() if hasattr(part, "nodes")]
    released.release()
    assert set(threading.enumerate()) == before
    assert not any(search() for search in searches)


@EACH_PLAYER
def test_a_player_has_the_name_of_its_config(player: str) -> None:
    assert ready(config(player), 1).name == player
    assert ready(fitting(player, name="Deep Disc")).name == "Deep Disc"


def answers() -> str:
    """Return the reports of all players. A player that is prepared needs no more code for its first moves."""
    solving = configure("heuristic", endgame_empties=5), game_at(with_empties(1, 6)[0])
    reports = list[SearchReport]()
    for player_config, game in (solving, *((config(player), START) for player in OTHELLO_PLAYERS)):
        player = ready(player_config, 1)
        player.prepare()
        with patch.object(_CacheFiles, "load", side_effect=NotCompiledError):
            report = choose(player, game)
            reports += timeless(report), timeless(choose(player, game.play(report.move)))
    return "\n".join(map(repr, reports))


def test_a_later_process_loads_the_searches_and_answers_the_same() -> None:
    """Run each player in a second process: a recursive kernel with two types would crash when loaded from the cache."""
    expected = answers()
    script = "from tests.contract.test_players import answers; print(answers())"
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=root)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == expected


@pytest.mark.parametrize(
    ("player", "endgame_empties"),
    [("mcts_uct", None), ("mcts_uct", 4), ("mcts_grouping", None), ("heuristic", None), ("engine", None)],
)
def test_replies_to_expanded_lines_are_reported(player: str, endgame_empties: int | None) -> None:
    analyst = ready(fitting(player, simulation_count=2000, depth=4, endgame_empties=endgame_empties))
    before = final_report(analyst, analyst.analyse(START, StopFlag()))
    assert before.below == {}
    expanded = (before.move,)
    analyst.expanded_lines = (expanded, (*expanded, Move(0)))
    report = final_report(analyst, analyst.analyse(START, StopFlag()))
    assert set() < {stats.move for stats in report.below[expanded]} <= set(START.play(before.move).legal_moves())
    assert report.below[*expanded, Move(0)] == (), "an illegal line has no replies"
    if report.simulations:
        assert {(move,) for move in START.legal_moves()} <= set(report.below), "all replies, when the search has ended"


def test_expected_replies_come_from_known_lines() -> None:
    player = ready(fitting("random"))
    player.expanded_lines = (line(1), line(4), line(5))
    assert player.replies([line(1, 2, 3), line(4)]) == {(1,): (MoveStats(Move(2), 0, None),), (4,): (), (5,): ()}
