"""Playing style, compared with counts by hand."""

import numpy as np
import pytest

from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.registry import game_spec, rules_of
from othello.tournament.replay import MEASURES, PlayingStyle
from tests.positions import RULES, random_game_of
from tests.rules.reference import captured


def record(opening_plies: int = 0) -> GameRecord:
    return GameRecord(black="A", white="B", black_points=3, white_points=3, result="draw", opening_plies=opening_plies)


def style_of(*transcripts: str, opening_plies: int = 0) -> PlayingStyle:
    style = PlayingStyle()
    for transcript in transcripts:
        style.add(record(opening_plies), parse_transcript(transcript, RULES))
    return style


def test_the_first_moves_by_hand() -> None:
    # f5 is one of four moves, turns e5 over and leads to 4 : 1; d6 is one of three, turns d5 and leads to 3 : 3.
    style = style_of("f5d6")
    assert style.mean("A") == (4, 1, 3, 0)
    assert style.mean("B") == (3, 1, 0, 0)
    plies, captured = style.course("B", MEASURES.index("captured"))
    assert (plies.tolist(), captured.tolist()) == ([2], [1])


def test_openings_do_not_count() -> None:
    style = style_of("f5d6c3d3c4", opening_plies=3)
    assert style.course("B", 0)[0].tolist() == [4]
    assert style.course("A", 0)[0].tolist() == [5]


def test_averages_are_those_of_all_games() -> None:
    style = style_of("f5d6", "f5f6e6")
    plies, lead = style.course("A", MEASURES.index("lead"))
    assert plies.tolist() == [1, 3]
    assert lead[0] == 3
    assert style.players["A"][:, 0].tolist() == [2, 0, 1]
    assert np.isfinite(style.mean("A")).all()


def test_a_game_without_captures_and_corners_has_no_such_measures() -> None:
    """The corners of the board of Ultimate tic-tac-toe are squares like others."""
    style, rules = PlayingStyle(), rules_of(game_spec("ultimate_tictactoe"))
    style.add(record(), parse_transcript("1,1", rules))
    assert [MEASURES[measure] for measure in style.known] == ["mobility"]


def _recounted(game: AnyGame, ply: int) -> tuple[int, ...]:
    """Return the measures of a move, from the grids before and after it."""
    size = game.rules.columns
    before, after = (
        tuple("." if mark is None else "XO"[mark] for mark in game.rules.owners(position))
        for position in game.positions[ply : ply + 2]
    )
    own, other = "XO"[game.positions[ply].to_move], "OX"[game.positions[ply].to_move]
    squares = [(row, column) for row in range(size) for column in range(size)]
    corners = [after[0], after[size - 1], after[-size], after[-1]]
    return (
        sum(bool(captured(before, own, square)) for square in squares),
        before.count(other) - after.count(other),
        after.count(own) - after.count(other),
        corners.count(own) - corners.count(other),
    )


@pytest.mark.parametrize("size", [8, 6])
def test_the_measures_of_100_random_games_are_those_of_a_slow_recount(size: int) -> None:
    rules, style = rules_of(game_spec("othello", {"size": size})), PlayingStyle()
    sums = {name: np.zeros(1 + len(MEASURES)) for name in "AB"}
    for seed in range(100):
        game = random_game_of(rules, seed)
        style.add(record(), game)
        for ply, move in enumerate(game.moves):
            if not rules.is_pass(move):
                sums["AB"[game.positions[ply].to_move]] += (1, *_recounted(game, ply))
    for name in "AB":
        assert style.players[name].sum(axis=0).tolist() == sums[name].tolist()


@pytest.mark.parametrize("measure", MEASURES)
def test_a_player_without_moves_has_no_style(measure: str) -> None:
    assert style_of("f5", opening_plies=1).players == {}
    plies, averages = PlayingStyle().course("A", MEASURES.index(measure))
    assert len(plies) == len(averages) == 0
