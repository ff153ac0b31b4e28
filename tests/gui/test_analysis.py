"""What an analysis shows beside the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from othello.config import PlayerConfig
from othello.gui.layout import arrange
from othello.gui.scenes.analyse import places
from othello.gui.views.analysis import CurveState, bars_state, curve_area, ply_at, value_for
from othello.players.player import Player
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from tests.gui.desk import FACE, Desk
from tests.gui.test_layout import SIZES
from tests.play.faulty import PERSON, FirstMove
from tests.positions import RULES

Open = Callable[..., Desk]

MOVES = (MoveStats(19, 10, 0.4), MoveStats(26, 30, 0.5), MoveStats(37, 20, 0.6))
REPORT = SearchReport("mcts_uct", 26, 0.5, MOVES, Unit.REWARD, simulations=60)


def first_mover(config: PlayerConfig, spec: GameSpec) -> Player:
    """Somebody who answers at once, whoever is asked."""
    return FirstMove(config, rules_of(spec))


@pytest.mark.parametrize("size", SIZES)
def test_all_of_the_column_has_its_place(size: tuple[int, int]) -> None:
    layout = arrange(size, FACE)
    at = places(layout)
    areas = [*at.cards, at.moves, at.search, *at.buttons.values(), *([] if at.curve is None else [at.curve])]
    for area in areas:
        assert layout.column.contains(area), area
        assert area.width > 0
        assert area.height > 0
    for one, other in combinations(areas, 2):
        assert not one.colliderect(other), (one, other)


def test_the_curve_is_seen_from_the_side_that_began() -> None:
    assert value_for(Color.BLACK, replace(REPORT, value=1.0)) == 1.0
    assert value_for(Color.WHITE, replace(REPORT, value=1.0)) == -1.0
    assert value_for(Color.BLACK, replace(REPORT, value=None)) is None
    discs = [value_for(Color.BLACK, replace(REPORT, value=value, unit=Unit.DISCS)) for value in (-64, -2, 0, 2, 64)]
    assert discs == sorted(discs, key=lambda value: value or 0.0)
    assert all(value is not None and abs(value) < 1 for value in discs)


def test_moves_stand_in_the_order_of_their_visits() -> None:
    state = bars_state(RULES, REPORT)
    assert [(bar.move, bar.share) for bar in state.bars] == [("c4", 1.0), ("f5", 20 / 30), ("d3", 10 / 30)]
    assert [(bar.is_best, bar.is_most) for bar in state.bars] == [(False, True), (True, False), (False, False)]
    assert bars_state(RULES, None).bars == ()


def test_a_click_on_the_curve_is_a_move_of_the_game() -> None:
    layout = arrange((1280, 800), FACE)
    panel = places(layout).curve
    assert panel is not None
    area, state = curve_area(layout.style, panel), CurveState((), 40, 0)
    assert ply_at(layout.style, panel, state, area.midleft) == 0
    assert ply_at(layout.style, panel, state, area.center) == 20
    assert ply_at(layout.style, panel, state, (area.right, area.centery)) == 40
    assert ply_at(layout.style, panel, state, panel.topleft) is None


def test_whatever_is_looked_at_is_analysed(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, players=first_mover)
    desk.type("d3c5")
    desk.key(pygame.K_2, mod=pygame.KMOD_CTRL)
    desk.until(lambda: desk.session.shown_analysis is not None)
    desk.turn()
    assert desk.scene.picture.board.report is desk.session.shown_analysis
    desk.click(places(desk.scene.layout).buttons["back"].center)
    assert desk.session.shown_ply == 1
    desk.until(lambda: desk.session.shown_analysis is not None)
    desk.turn()
    report = desk.scene.picture.board.report
    assert report is not None
    assert {stats.move for stats in report.moves} == set(desk.session.shown.legal_moves())
    desk.click(places(desk.scene.layout).buttons["here"].center)
    assert desk.moves() == ["d3"]
    desk.key(pygame.K_1, mod=pygame.KMOD_CTRL)
    assert desk.scene.mode is None
    assert desk.session.analysis is not None
    assert desk.session.analysis.player is None


def test_an_analysis_can_be_stopped_and_made_by_another_player(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, players=first_mover)
    desk.key(pygame.K_2, mod=pygame.KMOD_CTRL)
    assert desk.session.analysis is not None
    first = desk.session.analysis.player
    desk.key(pygame.K_F9)
    assert desk.session.analysis.player is None
    desk.key(pygame.K_F9)
    assert desk.session.analysis.player == first
    desk.key(pygame.K_F8)
    assert desk.session.analysis.player not in (first, None)
