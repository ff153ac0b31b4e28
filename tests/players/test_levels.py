"""The ten levels of games that the engine does not play, and levels that correspond to searches."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from othello import files
from othello.engine import engine_levels
from othello.errors import KnowledgeError
from othello.game import AnyGame, Game
from othello.play.referee import GameJob
from othello.players import levels, mcts_levels
from othello.players.levels import level_of
from othello.players.mcts_levels import COUNT, MctsLevel, all_mcts_levels
from othello.players.player import choose
from othello.players.player_registry import COMPUTERS, configure, unsupported_reason
from othello.resources import asset
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.blunders import safe_moves
from othello.search.report import Unit
from othello.tournament.executor import play_game
from tests.player_factory import ready
from tests.positions import SPEC
from tests.rule_sets import every_spec
from training.places import SEARCHES, rating

MEASURED = [
    game_spec(entry["game"], entry["rules"])
    for entry in json.loads(asset("levels-mcts.json").read_text(encoding="utf-8"))["games"]
]

USUAL = [game_spec(game) for game in GAMES]
OTHERS = [pytest.param(spec, marks=pytest.mark.slow) for spec in MEASURED if spec not in USUAL]
SKILLED = 5
EXPERT_AND_RANDOM: Any = (levels.opponent(8, "expert"), configure("random"))


def foresight(level: MctsLevel) -> tuple[int, int, float]:
    return level.simulations, level.depth, -level.temperature


def test_every_rule_set_has_ten_levels_and_measured_ones_rise_and_have_margins() -> None:
    for spec in dict.fromkeys((*every_spec(), *MEASURED)):
        found = all_mcts_levels(spec)
        assert len(found) == COUNT
        assert [foresight(level) for level in found] == sorted(map(foresight, found))
        assert not unsupported_reason(levels.opponent(4, "somebody"), spec)
        if spec in MEASURED:
            assert all(low.elo - 10 < high.elo for low, high in pairwise(found))  # on 4 x 4 all levels draw
            assert all(level.games >= 90 and level.margin > 0 for level in found)
            assert levels.measured(3, spec) == found[2]
    assert levels.measured(3, game_spec("tictactoe", {"size": 9, "win_length": 3})) is None


def is_won(game: AnyGame, by: Color) -> bool:
    outcome = game.rules.outcome(game.position)
    return outcome is not None and outcome.winner is by


def wins_in_one(game: AnyGame) -> list[Move]:
    return [move for move in game.legal_moves() if is_won(game.play(move), game.to_move)]


def last_two(spec: GameSpec, seed: int) -> Iterator[AnyGame]:
    """Return the positions of a random game in which a side can win, and in which that can be stopped, if at all."""
    random = Random(seed)
    while True:
        game = Game.new(rules_of(spec))
        line = [game]
        while not game.is_over:
            game = game.play(random.choice(game.legal_moves()))
            line.append(game)
        if is_won(game, line[-2].to_move):
            yield from line[-3:-1]
            return


@pytest.mark.parametrize("spec", [*USUAL, *OTHERS], ids=str)
def test_every_level_takes_a_win_in_one_move_and_prevents_one(spec: GameSpec) -> None:
    """If the engine searches to the end, it may prefer a larger win."""
    players = [ready(levels.opponent(level, "somebody"), 1, spec) for level in range(1, COUNT + 1)]
    for game in (game for seed in range(3) for game in last_two(spec, seed)):
        wins = wins_in_one(game)
        can_stop = cache(lambda move, game=game: not wins_in_one(game.play(move)))
        if spec.game != "othello":  # whose levels are the engine's
            moves = game.legal_moves()
            best = wins or [*filter(can_stop, moves)] or [*moves]
            assert safe_moves(game.rules.kernel_state(game.position), moves) == best
        for player in players:
            report = choose(player, game)
            if report.unit is Unit.DISCS:
                assert (report.value or 0) > 0 or not wins
            elif wins:
                assert report.move in wins
            else:
                assert can_stop(report.move) or not any(map(can_stop, game.legal_moves()))


@pytest.mark.parametrize("level", range(SKILLED, COUNT + 1))
def test_a_skilled_level_never_loses_on_three_by_three(level: int) -> None:
    spec = game_spec("tictactoe")
    player = ready(levels.opponent(level, "somebody"), 1, spec)
    for color in Color:
        games, seen = [Game.new(rules_of(spec))], set()
        while games:
            game = games.pop()
            assert not is_won(game, color.opponent)
            if game.is_over or game.position in seen:
                continue
            seen.add(game.position)
            answers = (choose(player, game).move,) if game.to_move is color else game.legal_moves()
            games += [game.play(move) for move in answers]


@pytest.mark.rare
@pytest.mark.parametrize("spec", [spec for spec in MEASURED if rules_of(spec).columns < 10], ids=str)
def test_an_expert_loses_at_most_one_of_a_hundred_games_to_random_play(spec: GameSpec) -> None:
    records = [play_game(GameJob(1, 1, EXPERT_AND_RANDOM[:: (-1) ** seed], spec, seed)) for seed in range(100)]
    assert sum(record.winner_name == "random" for record in records) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, -1])
def test_an_expert_beats_random_play_at_once_on_the_largest_board(step: int) -> None:
    record = play_game(GameJob(1, 1, EXPERT_AND_RANDOM[::step], game_spec("tictactoe", {"size": 15}), 1))
    assert record.winner_name == "expert"
    assert record.replayed().ply < 40


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"games": 3}', '{"games": [{"game": "othello"}]}'])
def test_a_damaged_file_of_levels_is_refused(text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "levels.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(files, "asset", lambda _name: file)
    for read in (
        engine_levels.levels.__wrapped__,
        lambda: mcts_levels.all_mcts_levels.__wrapped__(game_spec("tictactoe")),
    ):
        with pytest.raises(KnowledgeError, match=r"levels\.json: (cannot be read|is damaged)"):
            read()


@pytest.mark.parametrize(
    ("player_type", "options", "expected"),
    [
        ("random", {}, 0),
        ("mcts_uct", {"simulation_count": 300}, 2),
        ("mcts_uct", {"simulation_count": 10_000}, 3),
        ("mcts_uct", {"simulation_count": 10_000_000}, 3),
        ("mcts_uct", {"simulation_count": 300, "mcts_exploration": 0.1}, None),
        ("mcts_uct", {"simulation_count": 300, "time_limit_seconds": 0.01}, None),
        ("mcts_uct", {"time_limit_seconds": 5.0}, None),
        ("heuristic", {"depth": 1}, 1),
        ("engine", {}, None),
        ("engine", {"level": 7}, 7),
    ],
)
def test_a_search_has_its_measured_level(player_type: str, options: dict[str, Any], expected: int | None) -> None:
    assert level_of(configure(player_type, **options), SPEC) == expected


@pytest.mark.parametrize("player_type", SEARCHES)
def test_more_effort_has_no_lower_level(player_type: str) -> None:
    values = [value for value in SEARCHES[player_type] if value is not None]
    if values:
        key = next(iter(configure(player_type).strength))
        places = [level_of(configure(player_type, **{key: value}), SPEC) for value in values]
        assert None not in places
        assert places == sorted(places, key=lambda each: each or 0)


def test_a_search_has_the_nearest_level_of_searches() -> None:
    spec = game_spec("ultimate_tictactoe")
    for number, level in enumerate(all_mcts_levels(spec), 1):
        assert level_of(configure("mcts_uct", simulation_count=level.simulations), spec) == number
    assert level_of(configure("mcts_ucb1"), spec) is None, "not measured there"
    assert level_of(levels.opponent(4, "four"), spec) == 4
    assert {level_of(configure(player_type), SPEC) for player_type in COMPUTERS} <= {None, *range(11)}


def test_a_rating_is_the_one_that_explains_the_points_best() -> None:
    elo = [level.elo for level in engine_levels.levels()]
    even = [1000 / (1 + 10 ** ((opponent - 1500) / 400)) for opponent in elo]
    assert rating(even, 1000) == pytest.approx(1500, abs=3)
    assert rating([0.0], 60) < elo[0] - 400
