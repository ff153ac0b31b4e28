"""Reports of searches about expanded lines."""

import pytest

from othello.game import Game
from othello.players.player import final_report
from othello.rules.protocol import Move
from othello.search.report import MoveStats
from othello.search.stop import StopFlag
from tests.player_factory import fitting, ready
from tests.positions import RULES, line


@pytest.mark.parametrize(
    ("player_type", "endgame_empties"),
    [("mcts_uct", None), ("mcts_uct", 4), ("mcts_grouping", None), ("heuristic", None), ("engine", None)],
)
def test_replies_to_expanded_lines_are_reported(player_type: str, endgame_empties: int | None) -> None:
    player = ready(fitting(player_type, simulation_count=2000, depth=4, endgame_empties=endgame_empties))
    game = Game.new(RULES)
    assert final_report(player, player.analyse(game, StopFlag())).below == {}
    first = final_report(player, player.analyse(game, StopFlag())).move
    player.expanded_lines = ((first,), (first, Move(0)))
    report = final_report(player, player.analyse(game, StopFlag()))
    replies = {stats.move for stats in report.below[(first,)]}
    assert set() < replies <= set(game.play(first).legal_moves())
    assert report.below[(first, Move(0))] == (), "an illegal line has no replies"
    if report.simulations:
        assert {(move,) for move in game.legal_moves()} <= set(report.below), "all replies, when the search has ended"


def test_expected_replies_come_from_known_lines() -> None:
    reply = (MoveStats(Move(2), 0, None),)
    player = ready(fitting("random"))
    player.expanded_lines = (line(1), line(4), line(5))
    assert player.replies([line(1, 2, 3), line(4)]) == {(1,): reply, (4,): (), (5,): ()}
