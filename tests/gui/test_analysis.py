"""The mode Analyse, values while playing, and the search tree."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any
from unittest.mock import Mock

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from othello.config import PlayerConfig
from othello.game import Game
from othello.gui import commands as gui, labels, ui
from othello.gui.modes.analyse.analyse import AnalyseMode, about
from othello.gui.modes.analyse.curve import CURVE, CurvePanel, CurvePoint, disc_scale
from othello.gui.modes.analyse.evaluation_scale import Evaluation
from othello.gui.modes.analyse.live_search import LINE, BestLine, analysts
from othello.gui.preferences import Preferences, adviser_kind
from othello.gui.widgets.figures import LegendSign, figures_of, legend_of
from othello.gui.widgets.hints import unbounded
from othello.gui.widgets.move_list import MOVES as MOVE_LIST
from othello.gui.widgets.search_tree import TREE, PressNode, SearchTree, TreeColumns, TreeNode, TreePanel, columns
from othello.play import session_commands as cmd
from othello.play.assessment import Limits, judged
from othello.play.session import Session
from othello.players.player import Player
from othello.players.player_registry import configure, unsupported_reason
from othello.records.game_file import format_game, parse_game
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import BoundTerms, Line, MoveStats, SearchReport, Unit
from othello.study.game_file_conversion import game_file_from, open_command
from tests.golden.screens import draw_blocks
from tests.gui.mistakes import assert_apart, mode_of
from tests.gui.window_driver import RENDERER, SIZES, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, FirstMove, Slow, make_judge
from tests.positions import RULES, SPEC, line

GAME = Game.new(RULES)
MOVES = (
    MoveStats(Move(19), 10, 0.4),
    MoveStats(Move(26), 30, 0.5, terms=BoundTerms(0.5, 0.522)),
    MoveStats(Move(37), 20, 0.6),
)
BELOW: dict[Line, tuple[MoveStats, ...]] = {line(26): (MoveStats(Move(18), 5, 0.3), MoveStats(Move(20), 25, 0.5))}
REPORT = SearchReport("mcts_uct", Move(26), 0.5, MOVES, Unit.REWARD, simulations=60, pv=line(26, 20), below=BELOW)


def first_mover(config: PlayerConfig, spec: GameSpec) -> Player:
    return FirstMove(config, rules_of(spec))


class SlowAnalyst(Slow):
    """Analyses until it is stopped."""

    analyse = Slow.think


def open_analysis(open_window: OpenWindow, moves: str = "d3c5", **settings: Any) -> WindowDriver:
    """Analyse the position after some moves, with details."""
    driver = open_window(PERSON, PERSON, **{"players": first_mover, **settings})
    driver.prefer(details=True)
    driver.type(moves)
    driver.keys("Ctrl+2")
    driver.until(lambda: driver.session.shown_analysis is not None)
    driver.turn()
    return driver


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    """Open the analysis of the position after two moves."""
    return open_analysis(open_window)


@pytest.fixture
def canvas() -> ui.PaintContext:
    """Return a canvas for the search tree of a window of the usual size."""
    return canvas_of((520, 144))


def canvas_of(size: tuple[int, int]) -> ui.PaintContext:
    pygame.font.init()
    surface = pygame.Surface(size)
    return ui.PaintContext(surface, ui.Style(1.0, RENDERER.palette), surface.get_rect())


def picture(panel: TreePanel | CurvePanel, canvas: ui.PaintContext) -> NDArray[np.uint8]:
    canvas.surface.fill("black")
    panel.draw(canvas)
    pixels: NDArray[np.uint8] = pygame.surfarray.array3d(canvas.surface)
    return pixels


def remember_losses(session: Session, worth: dict[int, float], other: float) -> SearchReport:
    """Store a finished analysis of each of the first four positions, and return the last one."""
    for ply in range(4):
        game = session.game.at(ply)
        stats = tuple(MoveStats(move, 1, worth.get(move, other)) for move in game.legal_moves())
        report = SearchReport("engine", stats[0].move, 4.0, stats, Unit.EXPECTED, depth=9, final=True)
        session.history.remember(game, analyses={configure("engine"): report})
    return report


@pytest.mark.parametrize("text", [pytest.param(100, marks=pytest.mark.slow), 200])
def test_every_part_of_the_column_has_room(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch, text: int) -> None:
    driver.use_text(text)
    monkeypatch.setattr(ui.WidgetTree, "draw", lambda *_: [])  # places need no picture
    for size, is_running in product(SIZES, (False, True)):
        driver.resize(size)
        monkeypatch.setattr(Session, "is_judging", is_running)
        driver.do(gui.PlainCommand.REDRAW)
        assert_apart(driver)
        assert all(map(driver.has, ("engine", "seconds", MOVE_LIST)))
        assert driver.has("stop_analysis" if is_running else "analyse_game") is driver.has(CURVE)


def test_the_curve_is_seen_from_the_side_that_began_and_marks_mistakes(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    driver.type("d3c3c4c5")
    evaluation = Evaluation(driver.session)
    assert evaluation.curve(Limits(), RENDERER).points == ()
    report = remember_losses(driver.session, {26: -8.0}, 0.0)
    curve = evaluation.curve(Limits(2, 6, 12), RENDERER)
    assert [point.value * 8 for point in curve.points] == [4, -4, 4, -4]
    assert (curve.end, curve.marks) == ("+8", {3: "?"})
    assert evaluation.signs == {driver.session.game.moves[:3]: "?"}
    assert evaluation.curve(Limits(2, 6, 8), RENDERER).marks == {3: "??"}
    assert labels.worth(replace(report, chance=0.824)) == "+4 (82%)"
    evaluation.wants_chances = True
    assert all(0 < abs(point.value) < 1 for point in evaluation.curve(Limits(), RENDERER).points)


def test_a_drag_along_the_curve_visits_moves(open_window: OpenWindow) -> None:
    driver = open_analysis(open_window, "d3c5d6")
    panel = driver.widget(CURVE, CurvePanel)
    area = panel.area(driver.canvas(CURVE))
    plies = rules_of(SPEC).moves_left(GAME.position)
    x = [area.left + area.width * ply // plies for ply in range(4)]
    driver.click((x[1], area.centery))
    assert driver.session.view.shown.ply == 1
    event, below = pygame.event.Event, area.bottom + 400
    driver.post(event(pygame.MOUSEBUTTONDOWN, pos=(x[1], area.centery), button=1))
    for ply in (2, 3):
        driver.post(event(pygame.MOUSEMOTION, pos=(x[ply], below), rel=(0, 0), buttons=(1, 0, 0)))
        assert driver.session.view.shown.ply == ply, "a drag goes on outside the curve"
    driver.post(event(pygame.MOUSEBUTTONUP, pos=(x[3], below), button=1))
    driver.point_at((x[1], below))
    assert driver.session.view.shown.ply == 3


def test_a_whole_game_is_analysed_and_its_file_brings_the_analysis_back(open_window: OpenWindow) -> None:
    driver = open_analysis(open_window, "d3c5d6c3", players=make_judge)
    analysis = driver.game_analysis
    driver.press("analyse_game")
    driver.until(lambda: not analysis.is_running)
    driver.turn()
    assert analysis.done == analysis.total == 4
    history = driver.session.history
    text = format_game(game_file_from(history.tree, history.referee, ""))
    for is_opened in (False, True):
        if is_opened:
            driver.session.do(open_command(parse_game(text)), time.monotonic())
            driver.turn()
            assert driver.session.history is not history
        curve = mode_of(driver, AnalyseMode).evaluation.curve(Limits(), RENDERER)
        assert [point.ply for point in curve.points] == [0, 1, 2, 3, 4]
        assert not driver.is_enabled("analyse_game")


def test_every_position_on_display_is_analysed(driver: WindowDriver) -> None:
    assert driver.board.report is driver.session.shown_analysis
    driver.press("back")
    assert driver.session.view.shown.ply == 1
    driver.until(lambda: driver.session.shown_analysis is not None)
    driver.turn()
    report = driver.board.report
    assert report is not None
    assert {stats.move for stats in report.moves} == set(driver.session.view.shown.legal_moves())
    driver.press("here")
    assert driver.moves() == ["d3"]
    driver.keys("Ctrl+1")
    assert driver.scene.mode.name == "play"
    for mode in ("analyse", "explore"):
        driver.switch(mode)
        driver.switch("review")
        assert driver.analysis.player is None


def test_the_analyst_is_chosen_paused_and_remembered(driver: WindowDriver) -> None:
    mode, analysis = mode_of(driver, AnalyseMode), driver.analysis
    first = analysis.player
    assert first is not None
    assert (mode.engine, mode.evaluation.in_chances) == ("engine", False)
    driver.keys("F9")
    assert (analysis.is_paused, analysis.player) == (True, first), "the report stays on the board"
    driver.keys("F9")
    assert not analysis.is_paused
    driver.keys("F8")
    assert analysis.player not in (first, None)
    driver.press("engine")
    driver.keys("Up", "Enter")
    assert analysis.player == first
    driver.prefer(analyst_seconds=7.0)  # no choice of the list, whose first one takes its place
    driver.keys("Shift+F8")
    assert analysis.player is not None
    assert analysis.player.time_limit_seconds == 20.0
    for key, kind in (("End", analysts(SPEC)[-1]), ("Home", analysts(SPEC)[0])):
        driver.press("engine")
        driver.keys(key, "Enter")
        assert mode.engine == kind
    assert driver.session.view.is_at_latest, "keys of the list do not browse"
    driver.keys("Ctrl+U", "F8")
    chosen = mode.engine, mode.seconds
    driver.keys("Ctrl+1", "Ctrl+2")
    mode = mode_of(driver, AnalyseMode)
    assert (mode.engine, mode.seconds) == chosen
    assert not {"engine", 60.0} & {*chosen}
    assert driver.scene.preferences.value.curve_in_chances


def test_every_part_of_an_analysis_takes_arrows_and_enter(open_window: OpenWindow) -> None:
    driver = open_analysis(open_window, "d3c3")
    mode, session = mode_of(driver, AnalyseMode), driver.session
    stops = [each.widget.name for each in driver.scene.widgets.walk() if each.widget.takes_arrows]
    assert stops == ["scale", "curve", MOVE_LIST, "engine", "seconds", "line", "tree"]

    def press(name: str, *keys: str) -> None:
        driver.scene.widgets.focus = name
        driver.keys(*keys)

    for name, key, ply in ((MOVE_LIST, "Left", 1), ("curve", "Left", 0), (MOVE_LIST, "Down", 2)):
        press(name, key)
        assert session.view.shown.ply == ply
    engine, seconds = mode.engine, mode.seconds
    press("engine", "Enter", "Down", "Enter")
    press("seconds", "Down")
    assert engine != mode.engine
    assert seconds != mode.seconds
    press("engine", "Up")
    press("seconds", "Left")
    assert (mode.engine, mode.seconds) == (engine, seconds)
    for name, keys, ply in (("line", ("Right", "Enter"), 3), ("tree", ("Down", "Enter"), 4)):
        driver.until(lambda: mode.report is not None and driver.widget(TREE, TreePanel).seen.moves)
        driver.settle()
        press(name, *keys)
        assert session.view.shown.ply == ply


def test_a_pause_stops_every_search_and_renames_the_button(open_window: OpenWindow) -> None:
    def slow(config: PlayerConfig, spec: GameSpec) -> Player:
        return SlowAnalyst(config, rules_of(spec))

    driver = open_analysis(open_window, players=slow, judges=slow)
    analyst, judge = driver.analysis, driver.game_analysis
    driver.session.do(cmd.AnalyseGame(), time.monotonic())
    for is_paused in (True, True, False):
        judge.worker.set_paused(not is_paused)  # it may go on alone
        driver.keys("Space")
        assert driver.words().count("Resume") == is_paused
        assert [driver.session.pace.paused, analyst.is_paused, judge.worker.is_paused] == [is_paused] * 3
    assert judge.is_running


@pytest.mark.parametrize("game", GAMES)
def test_hints_and_analyses_come_from_players_of_the_game(game: str) -> None:
    """The engine, which usually gives hints, needs a level for other games than Othello."""
    spec = game_spec(game)
    kinds = analysts(spec)
    assert kinds[0] == ("engine" if game == "othello" else "mcts_uct"), "the game's usual analyst comes first"
    assert {"heuristic", "mcts_grouping"} <= set(kinds)
    assert not {"random", "rule_based", "user"}.intersection(kinds)
    advisers = [adviser_kind(Preferences(), spec), *kinds]
    assert [kind for kind in advisers if unsupported_reason(unbounded(kind, 1.0), spec)] == []


def test_every_move_of_a_proven_line_is_shown_where_there_is_room(open_window: OpenWindow) -> None:
    game = Game.new(RULES)
    while not game.is_over:
        game = game.play(game.legal_moves()[0])
    early = Game.new(RULES).after(game.moves[:-18])
    report = replace(REPORT, move=game.moves[early.ply], pv=game.moves[early.ply :], unit=Unit.DISCS, moves=())

    class Knows(FirstMove):
        def analyse(self, *_: object, **__: object) -> Iterator[SearchReport]:
            yield replace(report, final=True)

    driver = open_analysis(open_window, "", players=lambda config, _: Knows(config, RULES), start=early)
    driver.prefer(details=False)
    for size, is_whole in (((1280, 728), True), ((1920, 1080), True), ((900, 700), False)):
        driver.resize(size)
        places = driver.widget(LINE, BestLine)._places(driver.placed(LINE).rect, driver.scene.style)
        assert (len(places) == len(report.pv), len({place.top for place in places}) > 1) == (is_whole, is_whole)


@pytest.mark.parametrize(("most", "end"), [(0.0, 8), (8.0, 8), (8.5, 20), (20.0, 20), (40.0, 40), (41.0, 64)])
def test_a_scale_is_as_short_as_its_values_allow(most: float, end: int) -> None:
    assert disc_scale([-most, most / 2], 64) == end
    assert disc_scale([most], 36) == min(end, 36)


def test_the_tree_unfolds_the_most_visited_or_the_opened_line() -> None:
    tree = SearchTree()
    tree.follow(GAME, REPORT, 2, 1.0)
    moves = tree.seen.moves
    assert [node.line for node in moves] == [(26,), (37,), (19,)]
    assert [(node.is_best, node.is_most) for node in moves] == [(False, True), (True, False), (False, False)]
    assert [node.line for node in tree.seen.below[0]] == [(26, 20), (26, 18)]
    assert (tree.seen.path, tree.wanted) == ((26, 20), ((26,), (26, 20)))
    tree.step(0, 1)
    tree.follow(GAME, replace(REPORT, pv=line(37, 29)), 2, 1.1)
    assert (tree.seen.path, tree.seen.below[0][0].visits) == (line(37, 29), ""), "the end of the best line"
    for step, expanded in ((1, (26, 20)), (1, (26, 20)), (-1, (26,)), (-1, (26,))):
        tree.open(tree.expanded_lines if tree.seen.path == (26, 20) else line(26))
        tree.follow(GAME, REPORT, 2, 1.15)
        tree.step(step, 0)
        assert tree.expanded_lines == expanded
    tree.open(line(26, 18))
    tree.follow(GAME, REPORT, 2, 1.2)
    assert tree.seen.path == (26, 18)
    other = GAME.play(Move(19))
    tree.follow(other, None, 2, 1.3)
    assert tree.seen.moves == ()


def test_the_tree_shows_new_numbers_four_times_a_second_and_a_new_order_once() -> None:
    tree = SearchTree()
    tree.follow(GAME, REPORT, 1, 1.0)
    later = replace(REPORT, moves=(MoveStats(Move(19), 99, 0.4), *MOVES[1:]))
    tree.follow(GAME, later, 1, 1.1)
    assert tree.seen.moves[-1].visits == "10"
    assert tree.next_wake(later) == 1.25
    tree.follow(GAME, later, 1, 1.3)
    assert ([node.text for node in tree.seen.moves], tree.seen.moves[-1].visits) == (["c4", "f5", "d3"], "99")
    tree.follow(GAME, replace(later), 1, 2.1)
    assert [node.text for node in tree.seen.moves] == ["d3", "c4", "f5"]


@pytest.mark.parametrize("size", [(520, 144), (823, 99), (768, 1077)])
def test_nodes_are_found_where_they_are_drawn(size: tuple[int, int]) -> None:
    canvas, tree = canvas_of(size), SearchTree()
    tree.follow(GAME, REPORT, columns(canvas.style, canvas.rect, TreeColumns()), 1.0)
    at = TreePanel(RENDERER, tree.seen)._places(canvas)
    for shown, place in at.items():
        assert canvas.rect.contains(place)
        assert TreePanel(RENDERER, tree.seen).press(place.center, canvas) == PressNode(shown)
    for one, other in combinations(at.values(), 2):
        assert not one.colliderect(other)


def test_the_unfolded_line_is_always_visible(canvas: ui.PaintContext) -> None:
    nodes = tuple(TreeNode(line(move), GAME.to_move, str(move)) for move in range(20))
    below = tuple(TreeNode(line(19, move), GAME.to_move, str(move)) for move in range(9))
    panel = TreePanel(RENDERER, TreeColumns(nodes, (below,), line(19, 8), tuple(str(move) for move in range(20))))
    assert {(19,), (19, 8)} <= set(panel._places(canvas))


def test_a_screen_reader_reads_which_node_is_active(canvas: ui.PaintContext) -> None:
    tree = SearchTree()
    tree.follow(GAME, REPORT, 2, 1.0)
    items = TreePanel(RENDERER, tree.seen).accessible(canvas).parts
    assert [item.press for item in items if item.is_active] == [PressNode(line(26, 20))]
    assert [item.press for item in items if item.selected] == [PressNode(line(26)), PressNode(line(26, 20))]


def test_signs_of_the_legend_are_as_large_as_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_blocks(monkeypatch)
    surface = pygame.Surface((40, 40))
    surface.set_colorkey((0, 0, 0))
    on = ui.PaintContext(surface, ui.Style(1.0, RENDERER.palette), surface.get_rect())
    LegendSign("proved").draw(on)
    block = surface.get_bounding_rect()
    text = Mock(return_value=block)
    monkeypatch.setattr(ui.PaintContext, "text", text)
    surface.fill((0, 0, 0))
    for kind in ("proved", "bound"):
        LegendSign(kind).draw(on)
    assert [drawn.args[1] for drawn in text.call_args_list] == ["=", "<"]
    assert (block, surface.get_bounding_rect()) == (pygame.Rect(6, 12, 7, 16), pygame.Rect(7, 25, 5, 1))


@pytest.mark.parametrize("shown", [line(19), line(19, 18)])
def test_a_node_under_the_mouse_explains_its_value(canvas: ui.PaintContext, shown: Line) -> None:
    def drawn(note: tuple[str, ...], *, is_pointed: bool) -> bytes:
        each = line(19), line(19, 18)
        nodes = [TreeNode(at, GAME.to_move, "d3", note=note if at == shown else ()) for at in each]
        panel = TreePanel(RENDERER, TreeColumns((nodes[0],), ((nodes[1],),), line(19, 18)))
        mouse = panel._places(canvas)[shown].center if is_pointed else None
        return picture(panel, canvas._replace(mouse=mouse)).tobytes()

    assert drawn(("mean 50.0",), is_pointed=True) != drawn((), is_pointed=True)
    assert drawn(("mean 50.0",), is_pointed=False) == drawn((), is_pointed=False)


def test_of_equal_moves_the_one_that_the_search_prefers_is_marked() -> None:
    even = tuple(MoveStats(Move(move), 10, 0.5) for move in (19, 26, 37))
    for move in (19, 26, 37):
        report = replace(REPORT, move=Move(move), moves=even)
        assert report.best_value == report.most_visited == MoveStats(Move(move), 10, 0.5)


def test_a_value_has_an_interval_and_uct_a_bonus() -> None:
    lines = about(GAME, REPORT, Move(26), has_details=True)
    assert lines[0] == "95%: 33.2 to 66.8%", "Wilson's interval for 15 of 30"
    assert lines[1:] == ("mean 50.0 + exploration 52.2 = 102.2%, 30 visits",)
    proven = replace(REPORT, moves=(MoveStats(Move(26), 9, 1.0, is_proven=True, terms=BoundTerms(0.75, 0.5, 0.125)),))
    bound_lines = "mean 75.0 + exploration 50.0 = 125.0%, 9 visits", "variance 0.125"
    assert about(GAME, proven, Move(26), has_details=True)[1:] == bound_lines
    assert len(about(GAME, proven, Move(26), has_details=False)) == 1
    assert about(GAME, REPORT, Move(5), has_details=True) == ()
    scored = replace(REPORT, unit=Unit.SCORE, simulations=0, moves=(MoveStats(Move(19), 5, 148.0),))
    bound = replace(scored, moves=(MoveStats(Move(19), 5, 7.0, exact=False), *MOVES[1:]))
    assert legend_of(bound, has_details=True) == ("bound", "most_visited", "best")
    assert about(GAME, scored, Move(19), has_details=False) == ("evaluation: +148",)
    names = [name for name, _ in figures_of(replace(scored, nodes=9), has_details=True)]
    assert names == ["Speed", "Nodes", "Depth", "Evaluation"], "no simulations: no figure for them"
    learned = replace(REPORT, player="q_learning")
    assert [figures_of(each, has_details=True)[0][0] for each in (REPORT, learned)] == ["Simulations", "Episodes"]
    assert [*map(labels.certainty, (REPORT, learned))] == ["estimate, 60 simulations", "estimate, 60 episodes"]
    assert about(GAME, replace(REPORT, unit=Unit.DISCS, simulations=0), Move(26), has_details=False) == ("exactly 0",)


def test_board_curve_and_marks_come_from_one_analyst_that_is_named(open_window: OpenWindow) -> None:
    driver = open_analysis(open_window, "d3c3c4c5")
    mode, history = mode_of(driver, AnalyseMode), driver.session.history
    remember_losses(driver.session, {37: 0.0}, -9.0)
    driver.do(gui.PlainCommand.REDRAW)
    assert mode.evaluation.signs
    assert "Analysed by Engine" in driver.words()
    mode.take(ui.ControlChanged("engine", "mcts_uct"), time.monotonic())
    driver.turn()
    assert not mode.evaluation.signs, "the engine found these mistakes, not the analyst of the board"
    assert {each.report.player for each in judged(history.tree, history.tree.line) if each} == {"engine"}
    assert "Analysed by UCT" in driver.words()
    driver.press("analyse_game")
    analysis = driver.game_analysis
    driver.until(lambda: not analysis.is_running)
    asked = {player.player_type for moment in driver.session.history.tree.along(GAME) for player in moment.analyses}
    assert "mcts_uct" in asked, "the analyst of the board analyses the game"
    mode.take(ui.ControlChanged("engine", "heuristic"), time.monotonic())
    driver.turn()
    assert "Analysed by Engine" in driver.words(), "a position score is no result"


def test_the_curve_has_gaps_without_analysis() -> None:
    canvas, points = canvas_of((400, 120)), [CurvePoint(ply, 0.5, False) for ply in (0, 1, 2, 20, 58)]
    curve = CurvePanel(RENDERER, tuple(points), 60, "+8", "0", {})
    drawn, within = picture(curve, canvas), curve.area(canvas)
    y = round(within.centery - within.height / 4)
    assert [drawn[within.left + within.width * ply // 60, y - 1 : y + 2].any() for ply in (1, 20, 30)] == [1, 1, 0]


def test_the_panel_shows_details_and_losses(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = open_analysis(open_window, players=make_judge)
    for details in (False, True):
        driver.prefer(details=details)
        assert [driver.has(TREE), driver.board.has_details, "Nodes" in driver.words()] == [details] * 3
        assert "Value" in driver.words()
    report, losses = driver.board.report, driver.scene.person.losses
    assert report is not None
    best = MoveStats(report.moves[0].move, 1, (report.best_value or report.moves[0]).value or 0.0)
    poor = replace(best, move=report.moves[1].move, value=(best.value or 0.0) - 7)
    assert losses(replace(report, moves=(best, poor))) == {best.move: ("0", ""), poor.move: ("–7", "?")}
    chances = replace(REPORT, moves=(MoveStats(Move(19), 10, 0.6), MoveStats(Move(26), 10, 0.2)))
    assert losses(chances) == {19: ("0%", ""), 26: ("–40%", "??")}
    assert losses(replace(REPORT, unit=Unit.SCORE)) == {}, "a position score is no result"
    moves = [replace(each, move=legal.move) for each, legal in zip(REPORT.moves, report.moves, strict=False)]
    monkeypatch.setattr(AnalyseMode, "report", replace(REPORT, pv=(), moves=tuple(moves)))
    mode = mode_of(driver, AnalyseMode)
    assert "compared with the best move" in mode.status()
    driver.prefer(values_by="bound")
    assert "upper confidence bound" in mode.status()


def test_the_loss_of_a_move_is_shown_in_play(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = list[int]()
    monkeypatch.setattr("othello.gui.modes.play.play_mode.draw_tag", lambda *drawn: tags.append(drawn[2]))
    driver = open_window(PERSON, PERSON, judges=make_judge)
    driver.prefer(shows_losses=True)
    driver.type("d3")
    driver.until(lambda: bool(tags))
    assert set(tags) == {19}
    assert "d3: " in driver.status
    driver.prefer(shows_losses=False)
    assert not driver.board_panel.marks
    assert "d3: " not in driver.status
