"""The engine and its ten levels."""

import json
from collections import Counter
from itertools import chain, repeat
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from othello.engine import book
from othello.engine.book import START, Book, canonical, write
from othello.engine.book_builder import BookBuilder
from othello.engine.endgame import solve
from othello.engine.engine import Engine
from othello.engine.engine_levels import COUNT, Level, levels
from othello.engine.win_probability import win_probability
from othello.game import Game
from othello.players.engine_player import EngineConfig, EnginePlayer
from othello.players.player import MoveTime, choose
from othello.players.player_registry import configure, create_player, unsupported_reason
from othello.records.transcript import parse_transcript
from othello.rules.othello import OthelloPosition
from othello.rules.othello.scalar_bits import PASS, flips, mobility
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import Unit
from othello.search.stop import StopFlag
from tests import positions
from tests.golden.dialogues import assert_answers
from tests.player_factory import answer, game_at, ready
from tests.positions import IMAGES, RULES, SPEC, image_of, parse_board, random_game, with_empties
from tests.published import end_games
from training.levels import opening, play_game

CORNERS = 0x8100000000000081


@pytest.mark.parametrize(
    ("position", "depth"),
    [
        *((position, 8) for position in (*with_empties(3, 11), *positions.with_forced_pass(2, most_empties=11))),
        *((position, 60) for position in with_empties(3, 14)),
    ],
)
def test_the_end_is_played_and_evaluated_exactly(position: OthelloPosition, depth: int) -> None:
    report, solved = answer(configure("engine", depth=depth), position, analyse=True), solve(position, StopFlag(), True)
    assert solved is not None
    assert (report.unit, report.value) == (Unit.DISCS, solved.score)
    assert {stats.move: stats.value for stats in report.moves} == solved.scores
    game = game_at(position).after(report.pv)
    assert game.is_over
    score = positions.empties_to_winner(*RULES.score(game.position))
    assert report.value == (score if position.to_move is Color.BLACK else -score)


def test_reports_have_a_win_probability() -> None:
    ahead = answer(configure("engine", depth=6), with_empties(1, 40)[0], analyse=True)
    assert ahead.unit is Unit.EXPECTED
    assert all(stats.exact and stats.value is not None for stats in ahead.moves)
    assert ahead.value == max(stats.value or -64.0 for stats in ahead.moves)
    assert ahead.chance is not None
    assert (ahead.chance - 0.5) * ahead.value >= 0
    solved = answer(configure("engine", depth=9), with_empties(1, 9)[0])
    assert solved.chance == 0.5 + 0.5 * np.sign(solved.value or 0)
    assert win_probability(4, 20, 8) > win_probability(4, 20, 2) > win_probability(4, 40, 2) > 0.5
    assert win_probability(-4, 20, 2) == pytest.approx(1 - win_probability(4, 20, 2))


def test_a_selective_search_to_the_end_is_never_certain() -> None:
    found = ready(configure("engine", depth=60)).think(game_at(with_empties(1, 16)[0]), StopFlag())
    selective = [report for report in found if report.depth == 16 and report.unit is Unit.EXPECTED]
    assert selective
    assert all(report.chance == win_probability(report.value or 0, 16, 15) for report in selective)
    assert {0.0, 0.5, 1.0}.isdisjoint(report.chance for report in selective)


def test_a_forced_move_takes_little_time() -> None:
    met = (position for seed in range(200) for position in random_game(seed)[:48])
    forced = next(position for position in met if len(moves := RULES.legal_moves(position)) == 1 and moves != (PASS,))
    report = answer(configure("engine", depth=60, time_limit_seconds=3600.0), forced)
    assert report.final
    assert report.depth <= 8


def standing(seconds: float) -> StopFlag:
    """Return a flag whose clock jumps ahead once the search has begun, and then stands still."""
    stop = StopFlag()
    stop.clock = Mock(side_effect=chain([0.0], repeat(seconds)))  # type: ignore[method-assign]
    return stop


@pytest.mark.parametrize(("number", "seconds", "is_early"), [(4, 721.0, False), (5, 719.0, False), (5, 721.0, True)])
def test_a_clear_move_is_played_before_the_time_limit(number: int, seconds: float, is_early: bool) -> None:
    """The best moves lead by 0 and by 20 discs. A fifth of the time, an hour, is for thinking in any case."""
    known = end_games()[number - 1]
    player = ready(configure("engine", depth=60, time_limit_seconds=3600.0))
    *_, report = player.think(game_at(parse_board(known.board)), standing(seconds))
    assert report.final
    assert (report.unit is Unit.EXPECTED) == is_early
    assert known.scores[RULES.move_text(RULES.start(), report.move)] == max(known.scores.values())


@pytest.mark.parametrize(
    ("limit", "seconds", "goes_on"),
    [(3600.0, 3599.0, True), (MoveTime(3600.0), 1400.0, True), (MoveTime(3600.0), 3200.0, False)],
)
def test_a_depth_that_would_exceed_the_time_is_not_begun(limit: float, seconds: float, goes_on: bool) -> None:
    player = ready(configure("engine", depth=8))
    for empties, is_end in ((44, False), (14, True)):
        *_, report = player.think(game_at(with_empties(1, empties)[0]), standing(seconds), limit)
        assert (report.depth >= 8) == (goes_on or is_end)


def test_limits_of_searches_have_the_golden_numbers() -> None:
    def answer(question: str) -> str:
        options, empties, moves, limit = json.loads(question)
        turn = Mock(empties=empties, moves=range(moves))
        player = EnginePlayer(EngineConfig("engine", **options), RULES)
        bounds = (player._bounds(turn, limit, judge_all) for judge_all in (False, True))
        return "\n".join(map(str, (player.config.reads_book, *bounds, round(player._reach(turn, limit), 3))))

    def stops(question: str) -> str:
        seconds, limit, drop, depth = json.loads(question)
        found, engine = Mock(move=1, value=5.0 - drop, depth=depth), Mock(is_clear=Mock(return_value=True))
        player, turn = EnginePlayer(EngineConfig("engine"), RULES), Mock(seconds=seconds, empties=40)
        formers = (Mock(move=move, value=5.0) for move in (1, 2))
        limits = (limit, limit and MoveTime(limit))
        return str([player._may_stop_early(turn, found, former, engine, each) for former in formers for each in limits])

    assert_answers("engine_limits.txt", lambda line: (answer if "{" in line else stops)(line))


def test_time_is_planned_as_documented() -> None:
    strong, weak = configure("engine"), configure("engine", level=10)
    shares = [player.allotment_used(seconds) for player in (strong, weak) for seconds in (0.09, 0.1)]
    assert shares == [0.7, 1.0, 1.0, 1.0]
    seconds = [strong.solving_seconds(RULES, empties) for empties in (19, 20, 22)]
    assert seconds == pytest.approx([0.045, 0.09, 0.36])
    assert [configure("engine", endgame_empties=20).solving_seconds(RULES, moves) for moves in (20, 21)] == [0.0, 0.18]


def test_a_short_search_reports_only_its_answer() -> None:
    player = ready(configure("engine", depth=60, time_limit_seconds=3600.0))
    reports = list(player.think(game_at(parse_board(end_games()[4].board)), standing(0.04)))
    assert [report.final for report in reports] == [True]


@pytest.mark.parametrize("spec", [game_spec("othello", {"goal": "fewest"}), game_spec("tictactoe")])
def test_other_games_are_only_played_at_a_level(spec: GameSpec) -> None:
    assert str(unsupported_reason(configure("engine"), spec)).startswith("player_type: without a level, the engine")
    weak, strong = (ready(configure("engine", level=level), spec=spec) for level in (1, 6))
    reports = [choose(player, Game.new(rules_of(spec))) for player in (weak, strong)]
    assert [report.player for report in reports] == ["engine", "engine"]
    assert reports[0].nodes < reports[1].nodes
    for start in ("standard", "alternate", "random"):
        assert unsupported_reason(configure("engine"), game_spec("othello", {"start": start})) is None


def test_levels_have_names_and_evenly_rising_ratings() -> None:
    names = "First steps, Beginner, Casual, Steady, Skilled, Club, Strong, Expert, Elite, Master"
    assert [level.name for level in levels()] == names.split(", ")
    elos = [level.elo for level in levels()]
    assert len(elos) == COUNT
    assert elos == sorted(elos)
    steps = np.diff([0, *elos])
    unsure = np.diff([0, *(level.margin for level in levels())])  # how much less is known of one than of the one below
    assert (np.abs(steps - steps.mean()) <= steps.mean() / 3 + unsure).all()


@pytest.mark.parametrize(("weaker", "stronger"), [(1, 3), (3, 5), (5, 7), (7, 9)])
def test_the_order_of_levels(weaker: int, stronger: int) -> None:
    engine, random = Engine(1 << 14, StopFlag()), np.random.default_rng(1)
    sides = levels()[stronger - 1], levels()[weaker - 1]
    points = 0.0
    for _ in range(2):
        boards = opening(random)
        points += play_game(engine, sides, *boards, random)
        points += 1.0 - play_game(engine, sides[::-1], *boards, random)
    assert points >= 2.5


@pytest.mark.parametrize("empties", [1, 2, 3])
def test_every_level_plays_the_last_squares(empties: int) -> None:
    game = game_at(with_empties(1, empties)[0])
    for level in range(1, COUNT + 1):
        assert choose(ready(configure("engine", level=level), 1), game).move in game.legal_moves()


def test_the_seed_alone_decides_the_moves_of_a_level() -> None:
    game = Game.new(RULES)
    player = create_player(configure("engine", level=5), SPEC)
    answers = []
    for seed in (1, 1, *range(2, 30)):
        player.new_game(seed)
        *_, report = player.think(game.play(Move(19)), StopFlag())
        answers.append((report.move, report.value))
    assert answers[0] == answers[1]
    assert len(set(answers)) > 1


def test_levels_play_worse_moves_more_rarely_and_may_guard_corners() -> None:
    (position,) = positions.random_positions(1, lambda each: RULES.moves_left(each) == 30 and offers_corner(each))
    moves = sorted(RULES.legal_moves(position), key=lambda move: gives_corner(position, move))
    values = {move: -2 * place for place, move in enumerate(moves)}
    played = {guards: drawn(position, values, guards_corners=guards) for guards in (False, True)}
    counts = [played[False][move] for move in moves]
    assert counts == sorted(counts, reverse=True)
    assert any(gives_corner(position, move) for move in played[False])
    assert not any(gives_corner(position, move) for move in played[True])
    tempting = {move: -2 * place for place, move in enumerate(reversed(moves))}
    assert not any(gives_corner(position, move) for move in drawn(position, tempting, guards_corners=True))


def offers_corner(position: OthelloPosition) -> bool:
    return any(gives_corner(position, move) for move in RULES.legal_moves(position))


def gives_corner(position: OthelloPosition, move: int) -> bool:
    turned = flips(position.own, position.opponent, move)
    return bool(mobility(position.opponent ^ turned, position.own | turned | 1 << move) & CORNERS)


def drawn(position: OthelloPosition, values: dict[Move, int], guards_corners: bool) -> Counter[Move]:
    level = Level("", 1, 0, None, 8.0, guards_corners)
    random = np.random.default_rng(1)
    return Counter(level.pick(values, position.own, position.opponent, random) for _ in range(4000))


def test_the_book_is_used_if_it_sees_more_than_a_search() -> None:
    start = RULES.start()
    for options in ({"depth": 10}, {"level": 8}, {"depth": 10, "book_tolerance_discs": 3}):
        for analyse in (False, True):
            report = answer(configure("engine", **options), start, analyse=analyse)
            assert report.from_book
            assert (report.final, report.nodes, report.unit) == (True, 0, Unit.EXPECTED)
            assert report.depth > 10
            assert report.pv[0] == report.move
            assert len({stats.value for stats in report.moves}) == 1  # the four first moves mirror each other
    for config in (configure("engine", depth=4, book=False), configure("engine", level=7)):
        assert not answer(config, start).from_book
    assert not answer(configure("engine", depth=4), random_game(2)[30]).from_book


def test_a_deeper_search_is_reported_after_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = BookBuilder(1, 0)
    list(draft.grow(20, map))
    start = canonical(*START)
    write(tmp_path / "book.bin", draft.known | {start: draft.known[start]._replace(depth=3)}, 1, 0)
    monkeypatch.setattr(book, "shipped_book", lambda: Book(tmp_path / "book.bin"))
    first, *others = ready(configure("engine", depth=9)).analyse(game_at(RULES.start()), StopFlag())
    assert (first.from_book, first.final) == (True, False)
    assert others
    assert (first.depth, len(first.pv)) == (3, 3)
    assert all(report.depth > 3 + 1 and not report.from_book for report in others), "a ply was searched after the line"
    stopped = StopFlag()
    reports = ready(configure("engine", depth=60)).think(game_at(RULES.start()), stopped)
    next(reports)
    stopped.time_is_up()
    *_, last = reports
    assert last.final
    assert last.from_book or last.depth > first.depth


@pytest.mark.parametrize(("moves", "different"), [("", 1), ("d3 c3 c4", 1), ("d3 c3 f5 f6", 2)])
@pytest.mark.parametrize("options", [{}, {"level": 3}])
def test_moves_that_are_equal_by_symmetry_have_one_value(moves: str, different: int, options: dict[str, int]) -> None:
    game = parse_transcript(moves, RULES, RULES.start())
    images = [image for image in range(len(IMAGES)) if image_of(game.position, image) == game.position]
    assert len(images) > 1
    for report in ready(configure("engine", depth=9, book=False, **options)).analyse(game, StopFlag()):
        values = {stats.move: (stats.value, stats.exact) for stats in report.moves}
        assert list(values) == list(game.legal_moves())
        assert all(values[move] == values[positions.image_of_move(move, image)] for move in values for image in images)
    assert len(set(values.values())) == different


def test_the_book_may_vary_its_moves() -> None:
    position = RULES.play(RULES.start(), Move(19))
    tolerant = configure("engine", depth=6, book_tolerance_discs=16)
    assert len({answer(tolerant, position, seed).move for seed in range(20)}) == 3
    for report in (answer(configure("engine", depth=6), position, seed) for seed in range(8)):
        assert report.value == max(stats.value for stats in report.moves if stats.value is not None)
