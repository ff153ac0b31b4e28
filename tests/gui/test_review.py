"""Looking back on a game, and training its mistakes, as a person does it."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import pygame
import pytest

from othello import texts
from othello.config import PlayerConfig
from othello.engine.endgame import solve
from othello.game import Game
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.analyse.curve import CURVE, CurvePanel, CurvePoint
from othello.gui.preferences import palette_named
from othello.gui.review.panels import ScoreCard, SmallBoard, WorstCard
from othello.gui.review.review import PAGE_SIZE, ReviewMode
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.panel import Canvas
from othello.gui.toolkit.style import Box, Style
from othello.play import commands as play
from othello.play.career import careers
from othello.play.judging import Limits, Mistake, choices, judge_of, judged, judges, summary, worst
from othello.play.keeper import Keeper
from othello.play.library import Library
from othello.players.player import Player
from othello.players.registry import configure, create_player
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from othello.texts import say
from tests.gui.desk import FACE, Desk
from tests.gui.mistakes import SIZES, assert_apart, mode_of, play_badly, played_badly, review
from tests.play.faulty import PERSON, computer, make_judge, make_player
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of

P = TypeVar("P")


def panels_of(desk: Desk, kind: type[P]) -> list[P]:
    return [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, kind)]


def worst_shown(desk: Desk) -> list[WorstCard]:
    """The worst moves, as they are seen."""
    desk.turn()
    return panels_of(desk, WorstCard)


@pytest.fixture
def desk(sit_down: Callable[..., Desk]) -> Desk:
    return played_badly(sit_down)


def test_a_game_is_judged_and_summed_up(desk: Desk) -> None:
    review(desk)
    history = desk.session.history
    found = judged(history.tree, history.tree.line)
    sides = panels_of(desk, ScoreCard)
    assert [side.color for side in sides] == [*Color]
    for side in sides:
        told = summary(found, side.color, Limits())
        assert told is not None
        assert side.loss == f"{told.mean_loss:.1f}"
        assert side.accuracy == told.accuracy
        assert [kind.count for kind in side.kinds] == [told.mistakes[mistake] for mistake in reversed(Mistake)]
    own = worst((each for each in found if each and each.color is Color.BLACK), Limits(), 3)
    assert [each.was[1] for each in worst_shown(desk)] == [each.move for each in own]
    desk.key(pygame.K_b, "b", pygame.KMOD_ALT)
    assert [each.was[1] for each in worst_shown(desk)] == [each.move for each in worst(found, Limits(), 3)]
    desk.press("worst_own")
    assert [each.was[1] for each in worst_shown(desk)] == [each.move for each in own]


def test_all_mistakes_can_be_paged_through(desk: Desk) -> None:
    review(desk)
    desk.key(pygame.K_b, "b", pygame.KMOD_ALT)
    history = desk.session.history
    wanted = worst(judged(history.tree, history.tree.line), Limits())
    assert len(wanted) > 2 * PAGE_SIZE
    seen: list[WorstCard] = []
    assert not desk.is_enabled("worst_before")
    while True:
        seen += worst_shown(desk)
        last = len(seen)
        first = max(1, last - len(worst_shown(desk)) + 1)
        shown = f"{first} – {last}" if first < last else str(first)
        assert texts.say("review.shown", shown=shown, total=len(wanted)) in desk.words()
        if not desk.is_enabled("worst_after"):
            break
        desk.press("worst_after")
    assert [each.was[1] for each in seen] == [each.move for each in wanted]
    desk.key(pygame.K_1, "1")
    assert (desk.scene.mode.name, desk.session.view.shown.ply) == (
        "analyse",
        wanted[(last - 1) // PAGE_SIZE * PAGE_SIZE].ply,
    )
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    assert [each.was[1] for each in worst_shown(desk)] == [each.move for each in wanted if each.color is Color.BLACK][
        :3
    ]


def test_part_of_an_analysis_is_shown_as_a_part_with_a_button_to_go_on(desk: Desk) -> None:
    history, line = desk.session.history, desk.session.history.tree.line
    desk.key(pygame.K_3, mod=pygame.KMOD_CTRL)
    plies = choices(line)
    for ply in plies[:3]:
        game = line.at(ply)
        stats = tuple(MoveStats(move, 1, -8.0 * (move == line.moves[ply])) for move in game.legal_moves())
        found = SearchReport("judge", stats[0].move, 0.0, stats, Unit.EXPECTED, depth=12, final=True)
        history.remember(game, analyses={judge_of(SPEC): found})
    desk.key(pygame.K_b, "b", pygame.KMOD_ALT)  # shows what is known by now
    desk.turn()
    assert desk.status == texts.say("review.part", n=len(plies), done=3, total=len(plies))
    assert {side.loss for side in panels_of(desk, ScoreCard)} == {""}
    panel = desk.placed("analyse_game").panel
    assert isinstance(panel, Button)
    assert panel.label == texts.say("actions.analyse_game.else")
    desk.press("analyse_game")
    desk.until(lambda: mode_of(desk, ReviewMode)._missing == 0)
    desk.settle()
    assert "" not in {side.loss for side in panels_of(desk, ScoreCard)}
    assert not desk.has("analyse_game")


def test_the_curve_is_interrupted_where_nothing_is_known() -> None:
    points = [CurvePoint(ply, 0.5) for ply in (0, 1, 2, 58, 59, 60)]
    style, surface = Style(1.0, palette_named()), pygame.Surface((400, 120))
    curve = CurvePanel(FACE, tuple(points), 60, "+8", "0", {})
    surface.fill(style.palette.panel)
    canvas = Canvas(surface, style, surface.get_rect())
    curve.draw(canvas)
    within = curve.area(canvas)
    at = [round(within.centery - within.height / 4) + away for away in (-1, 0, 1)]
    lit = [any(surface.get_at((within.left + within.width * ply // 60, y))[:3] != style.palette.panel for y in at)
           for ply in (1, 30, 59)]  # fmt: skip
    assert lit == [True, False, True]


def test_everything_is_in_sight_in_a_window_above_a_task_bar(desk: Desk) -> None:
    review(desk)
    desk.resize((1280, 728))
    desk.turn()
    stage = desk.scene.stage
    shown = [each for each in stage.panels() if isinstance(each.panel, WorstCard | ScoreCard | CurvePanel)]
    assert len(shown) == 2 + 1 + PAGE_SIZE
    assert all(desk.scene.window.contains(each.rect) for each in shown)
    boards = [each.rect for each in stage.panels() if isinstance(each.panel, SmallBoard)]
    assert min(rect.width for rect in boards) >= 120
    for size in ((1280, 728), (900, 600)):
        desk.resize(size)
        stage.reveal("worst_1")
        desk.turn()
        board = next(each.rect for each in stage.panels() if isinstance(each.panel, SmallBoard) and each.panel.sign)
        frame = desk.brightness(pygame.Rect(board.left, board.centery - 20, 12, 40))
        assert frame.max() > frame.min() + 20, "there are names of rows"


def test_moves_that_were_handed_over_are_not_ones_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    mode, history = review(desk), desk.session.history
    first = mode._worst[0].ply
    found = judged(history.tree, history.tree.line)
    handed_over = [each and replace(each, is_persons=each.ply == first) for each in found]
    monkeypatch.setattr(ReviewMode, "_judgements", handed_over)
    desk.scene.do(gui.PlainCommand.REDRAW, time.monotonic())
    assert [each.title for each in worst_shown(desk)] == [texts.say("review.move", move=first + 1)]


def test_own_moves_without_a_mistake_are_told_from_a_game_without_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    review(desk)
    history = desk.session.history
    found = judged(history.tree, history.tree.line)
    is_good = [each and replace(each, is_persons=Limits().of(each.discs) is None) for each in found]
    monkeypatch.setattr(ReviewMode, "_judgements", is_good)
    desk.scene.do(gui.PlainCommand.REDRAW, time.monotonic())
    assert not worst_shown(desk)
    assert texts.say("review.faultless_own") in desk.words()
    assert not any("0 of your positions" in words for words in desk.words())
    desk.press("worst_both")
    assert worst_shown(desk)


def test_a_worst_move_can_be_visited_by_click_and_by_key(desk: Desk) -> None:
    mode = review(desk)
    ply = mode._worst[0].ply
    desk.key(pygame.K_1, "1")
    assert (desk.scene.mode.name, desk.session.view.shown.ply) == ("analyse", ply)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.press("worst_2")
    assert (desk.scene.mode.name, desk.session.view.shown.ply) == ("analyse", mode._worst[1].ply)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_HOME)
    assert desk.session.view.shown.ply == 0
    desk.key(pygame.K_RIGHT)
    assert desk.session.view.shown.ply == 1
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.mode.name == "play"


def test_a_point_on_the_curve_can_be_visited(desk: Desk) -> None:
    review(desk)
    curve = desk.placed(CURVE).rect
    desk.click((curve.left + 200, curve.centery))
    last = desk.session.view.shown.ply
    desk.click((curve.left + 120, curve.centery))
    assert 0 < desk.session.view.shown.ply < last


def test_the_curve_tells_of_the_move_under_the_mouse_and_shows_the_position_beside_it(desk: Desk) -> None:
    mode = review(desk)
    worst = mode._worst[0]
    (board,) = (each for each in desk.scene.stage.panels() if each.panel.tip and isinstance(each.panel, SmallBoard))
    panel, canvas = desk.placed(CURVE).panel, desk.canvas(CURVE)
    assert isinstance(panel, CurvePanel)
    within = panel.area(canvas)
    at = within.left + within.width * (worst.ply + 1) // panel.plies, within.centery
    before = desk.brightness(canvas.rect).copy()
    desk.point_at(at)
    told = " ".join(panel.told[worst.ply + 1])
    assert wording.move(desk.session.game.at(worst.ply), worst.move) in told
    assert texts.say("analysis.told.discs_lost", n=worst.loss, discs=f"{worst.loss:.0f}") in told
    assert (desk.brightness(canvas.rect) != before).any(), "the words are seen"
    desk.click(at)
    desk.turn()
    shown = desk.session.game.at(worst.ply + 1)
    assert shown.position in [each.position for each in panels_of(desk, SmallBoard)]
    assert wording.moment(shown) in desk.words()
    desk.scene.stage.go_to(CURVE)
    desk.key(pygame.K_LEFT)
    assert wording.moment(desk.session.game.at(worst.ply)) in desk.words()
    desk.click(board.rect.center)
    assert (desk.scene.mode.name, desk.session.view.shown.ply) == ("analyse", worst.ply)


def test_the_curve_is_seen_in_a_window_that_is_a_little_lower_than_usual(desk: Desk) -> None:
    review(desk)
    desk.resize((1280, 760))
    assert desk.scene.stage.find(CURVE) is not None


def test_the_result_leads_to_the_review(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("tictactoe"))
    for move in (0, 3, 1, 4, 2):
        desk.session.do(play.PlayMove(move), 0.0)
        desk.turn()
    desk.settle()
    desk.press("look_back")
    mode = mode_of(desk, ReviewMode)
    desk.until(lambda: mode._missing == 0)  # a game that is over is judged unasked
    desk.settle()
    assert panels_of(desk, ScoreCard)[0].loss.endswith("%")
    desk.key(pygame.K_r, "r", pygame.KMOD_CTRL)
    assert (desk.scene.mode.name, desk.session.game.ply) == ("play", 0)


def test_without_a_game_the_review_says_what_to_do(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    mode = mode_of(desk, ReviewMode)
    assert texts.say("review.no_game") in desk.words()
    desk.key(pygame.K_RETURN)
    assert desk.scene.mode is mode


def test_a_game_of_others_gives_nothing_to_try_again_and_says_why(desk: Desk) -> None:
    line = desk.session.history.tree.line
    desk.session.do(play.OpenGame(line), time.monotonic())
    review(desk)
    assert not desk.is_enabled("try_again")
    assert texts.say("review.not_yours") in desk.words()


def test_no_key_changes_a_game_whose_board_is_not_seen(desk: Desk) -> None:
    session = desk.session
    ply = session.game.ply
    desk.session.do(play.GoTo(2), 0.0)
    move = next(move for move in session.view.shown.legal_moves() if move != session.game.moves[2])
    desk.session.do(play.Explore((move,)), 0.0)
    review(desk)
    before = session.history.tree, session.view.shown, session.seats, session.pace.paused
    for key in (pygame.K_BACKSPACE, pygame.K_DELETE, pygame.K_SPACE, pygame.K_PERIOD, pygame.K_F4, pygame.K_F5):
        desk.key(key, " " if key == pygame.K_SPACE else "")
    for key in (pygame.K_z, pygame.K_y, pygame.K_m, pygame.K_UP, pygame.K_DOWN):
        desk.key(key, mod=pygame.KMOD_CTRL)
    assert (session.history.tree, session.view.shown, session.seats, session.pace.paused) == before
    assert (desk.scene.mode.name, session.game.ply) == ("review", ply)


def test_mistakes_are_kept_for_training_once_every_choice_is_judged(desk: Desk) -> None:
    deck, history = desk.scene.person.deck, desk.session.history
    desk.key(pygame.K_3, mod=pygame.KMOD_CTRL)
    judge, ply = judge_of(SPEC), 0
    while not panels_of(desk, WorstCard):  # somebody has judged the first moves alone
        game = history.tree.line.at(ply)
        worth = {move: -8.0 * (move == history.tree.line.moves[ply]) for move in game.legal_moves()}
        stats = tuple(MoveStats(move, 1, value) for move, value in worth.items())
        found = SearchReport("judge", stats[0].move, 0.0, stats, Unit.EXPECTED, depth=12, final=True)
        history.remember(game, analyses={judge: found})
        ply += 2
        desk.key(pygame.K_y, mod=pygame.KMOD_ALT)  # shows what is known by now
    assert desk.is_enabled("try_again")
    assert not deck.due()
    review(desk)
    assert deck.due()


def test_no_words_of_a_card_lie_under_its_button(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    review(desk)
    card, style, written = replace(worst_shown(desk)[0], how="word " * 40), desk.scene.style, list[pygame.Rect]()
    write = Canvas.text

    def note(*of: Any, **how: Any) -> pygame.Rect:
        written.append(write(*of, **how))
        return written[-1]

    monkeypatch.setattr(Canvas, "text", note)
    for height in range(204, 300, 4):
        (_, board), (_, button) = card.parts(style, Box(0, 0, 400, height), {})
        surface, inner = pygame.Surface((400, height)), pygame.Rect(board)
        card.draw(Canvas(surface, style, surface.get_rect(), inner=inner))
        assert max(words.bottom for words in written) <= button.y, height
        written.clear()


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text", [100, 200, *(pytest.param(text, marks=pytest.mark.slow) for text in (80, 160))])
def test_every_button_has_its_place(desk: Desk, language: str, text: int) -> None:
    review(desk)
    try:
        texts.use(language)
        desk.use_text(text)
        mode = mode_of(desk, ReviewMode)
        for size, others in product(SIZES, ((), ("external.Somebody",))):  # who may judge, too
            mode._judges = [*judges(SPEC)[:1], *others]
            desk.resize(size)
            desk.turn()
            assert_apart(desk)
            shown = [each for each in desk.scene.stage.panels() if isinstance(each.panel, ScoreCard | WorstCard)]
            assert len(shown) == 2 + len(worst_shown(desk))
            for one, other in combinations(shown, 2):
                assert not one.rect.colliderect(other.rect)
    finally:
        texts.use("en")


@pytest.mark.slow
def test_the_engine_judges_the_end_of_a_game_exactly(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(
        PERSON, computer("first"), start=Game.new(RULES, random_game_of(RULES, 2).positions[46]), judges=create_player
    )
    play_badly(desk, 8)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_g, "g", pygame.KMOD_CTRL)
    end = time.monotonic() + 300  # the engine is compiled first
    while mode_of(desk, ReviewMode)._missing and time.monotonic() < end:
        desk.turn()
    history = desk.session.history
    found = [each for each in judged(history.tree, history.tree.line) if each is not None]
    assert found
    for each in found:
        assert each.is_exact
        solved = solve(history.tree.line.positions[each.ply], StopFlag())
        assert solved is not None
        assert each.best_value == solved.score


def test_a_finished_game_is_listed_with_ones_accuracy_and_counts_against_its_level(
    sit_down: Callable[..., Desk], tmp_path: Path
) -> None:
    level = configure("engine", level=3, name="Casual")
    opponent = make_player(computer("first"), SPEC)
    desk = sit_down(PERSON, level, players=lambda *_: opponent)
    desk.scene.files.library = library = Library(keeper := Keeper(tmp_path / "games.sqlite"))
    assert desk.session.game_analysis is not None
    desk.session.game_analysis.judges_ended = True
    play_badly(desk, 100)
    analysis = desk.session.game_analysis
    desk.until(lambda: not analysis.is_running)
    library.flush(desk.session, 0.0)
    settle(keeper)
    (listed,) = library.games()
    history = desk.session.history
    told = summary(judged(history.tree, history.tree.line), Color.BLACK, Limits())
    assert told is not None
    assert listed.persons_accuracy == pytest.approx(told.accuracy, abs=1e-3)
    assert [game.level for game in careers([listed])["othello"].games] == [3]
    desk.key(pygame.K_F12)
    assert desk.has("plot:othello")
    assert desk.has("score:othello:3")
    keeper.close()


def test_another_game_may_begin_between_two_events_of_one_round(desk: Desk) -> None:
    review(desk)
    at = desk.placed("worst_1").rect.center
    for spec in (game_spec("connect_four"), game_spec()):
        desk.scene.do(play.NewGame(game=spec), time.monotonic())
        desk.click(at)
        assert desk.scene.spec == spec
        desk.scene.do(gui.SwitchMode("review"), time.monotonic())


def test_a_review_says_that_the_judge_is_being_made_ready(sit_down: Callable[..., Desk]) -> None:
    go_on = Event()

    def made(config: PlayerConfig, spec: GameSpec) -> Player:
        assert go_on.wait(60)
        return make_judge(config, spec)

    desk = sit_down(PERSON, PERSON, judges=made)
    desk.type("f5d6")
    desk.scene.do(gui.SwitchMode("review"), 0.0)
    desk.key(pygame.K_g, "g", pygame.KMOD_CTRL)
    desk.until(lambda: say("status.preparing") in desk.words())
    go_on.set()
    desk.until(lambda: say("review.faultless_own") in desk.words())
