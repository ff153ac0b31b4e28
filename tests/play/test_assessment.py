"""Assessments of moves from stored analyses, without a search."""

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.play import assessment, session_commands as cmd
from othello.play.analysis import Analysis, GameAnalysis
from othello.play.history import History, PositionState, Tree
from othello.play.players import Players
from othello.play.referee import GameJob
from othello.play.worker import Failed
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import BEFORE_PASS, ScriptedWorker, drive_session
from tests.positions import RULES, random_game_of
from tests.programs.registered import registered

LIMITS: Final = assessment.Limits()
SPECS: Final = (game_spec(), game_spec("tictactoe"))


def random_report(game: AnyGame, draw: random.Random) -> SearchReport:
    unit = draw.choice([Unit.EXPECTED, Unit.DISCS]) if game.rules.spec.game == "othello" else Unit.REWARD
    values = {move: draw.random() if unit is Unit.REWARD else draw.randint(-20, 20) for move in game.legal_moves()}
    best = max(values, key=lambda move: values[move])
    stats = tuple(MoveStats(move, 1, float(value)) for move, value in values.items())
    return SearchReport("judge", best, values[best], stats, unit, depth=12, final=True)


def analysed(game: AnyGame, draw: random.Random, share: float = 1.0) -> Tree:
    """Return a tree with some analysed positions; black is the user."""
    tree, judge = Tree.of(game, PositionState()), assessment.default_analyst(game.rules.spec)
    players = Players((PERSON, computer("first")))
    for ply in assessment.plies_with_choice(game):
        analyses = {judge: random_report(game.at(ply), draw)} if draw.random() < share else {}
        tree = tree.know(game.at(ply), PositionState(players=players, analyses=analyses))
    return tree


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
@pytest.mark.parametrize("seed", range(8))
def test_moves_are_assessed_by_their_loss(name: str, seed: int) -> None:
    draw, game = random.Random(seed), random_game_of(rules_of(game_spec(name)), seed)
    tree = analysed(game, draw, share=draw.choice([0.4, 1.0]))
    found = assessment.judged(tree, game)
    known = [judgement for judgement in found if judgement is not None]
    assert len(found) == game.ply
    plies = [judgement.ply for judgement in known] + assessment.unanalysed_plies(tree, game)
    assert sorted(plies) == assessment.plies_with_choice(game)
    for judgement in known:
        values = assessment.values_of(judgement.report)
        assert values[judgement.best] == judgement.best_value == max(values.values())
        assert judgement.loss == judgement.best_value - judgement.value >= 0
        assert (judgement.loss == 0) == (judgement.best == judgement.move)
        assert judgement.is_persons == (judgement.color is Color.BLACK)
        assert assessment.is_right(judgement.report, judgement.move) == (judgement.discs <= assessment.CLOSE)
        assert assessment.is_right(judgement.report, judgement.best)
    for color in Color:
        own = [judgement for judgement in known if judgement.color is color]
        result = assessment.summary(found, color, LIMITS)
        assert (result is None) == (not own)
        if result is not None:
            assert result.moves == len(own)
            assert result.mean_loss * result.moves == pytest.approx(math.fsum(each.loss for each in own))
            assert sum(result.mistakes.values()) == len(assessment.worst(own, LIMITS))
    losses = [judgement.discs for judgement in assessment.worst(found, LIMITS)]
    assert losses == sorted(losses, reverse=True)
    assert losses == sorted((each.discs for each in known if each.discs >= LIMITS.inaccuracy), reverse=True)
    assert list(assessment.worst(found, LIMITS, 3)) == list(assessment.worst(found, LIMITS))[:3]


def test_accuracy_falls_with_the_loss_per_move() -> None:
    draw, found = random.Random(5), []
    for seed in range(20):
        game = random_game_of(rules_of(SPECS[0]), seed)
        judgements = assessment.judged(analysed(game, draw, share=1.0), game)
        found += [result for color in Color if (result := assessment.summary(judgements, color, LIMITS)) is not None]
    ranked = sorted(found, key=lambda result: result.mean_loss)
    assert len(ranked) == 40
    assert ranked == sorted(found, key=lambda result: -result.accuracy)
    assert all(0 < result.accuracy <= 1 for result in found)


def test_mistakes_by_size() -> None:
    inaccuracy, mistake, blunder = assessment.Mistake
    assert [LIMITS.of(loss) for loss in (0, 1.9, 2, 5.9, 6, 12)] == [None, None, *[inaccuracy] * 2, mistake, blunder]
    assert assessment.Limits(3, 3, 3).of(3) is blunder


def test_the_best_report_of_one_unit_assesses_a_game() -> None:
    game, judge, draw = Game.new(rules_of(SPECS[0])), assessment.default_analyst(SPECS[0]), random.Random(1)
    stats = tuple(MoveStats(move, 9, 0.5) for move in game.legal_moves())
    exact = SearchReport("x", Move(19), 0.5, stats, Unit.DISCS, final=True)
    searched, unfinished = random_report(game, draw), replace(exact, final=False)
    chances = replace(exact, unit=Unit.REWARD, simulations=1 << 20)
    bounds = replace(exact, moves=tuple(replace(each, exact=False) for each in stats))
    deep, shallow = (replace(exact, unit=Unit.EXPECTED, depth=depth) for depth in (20, 1))

    def best(*reports: SearchReport) -> SearchReport | None:
        players = [replace(judge, time_limit_seconds=seconds) for seconds in (1.0, 2.0, 3.0, 4.0)]
        return assessment.best_report(PositionState(analyses=dict(zip(players, reports, strict=False))), judge)

    assert best(chances, bounds, unfinished) is None
    assert best(chances, shallow, deep) is deep
    assert best(exact, deep) is exact
    other, first = assessment.default_analyst(SPECS[1]), computer("first")
    known = PositionState(analyses={judge: searched, other: chances, first: deep})
    assert assessment.best_report(known, judge) is searched
    assert assessment.best_report(PositionState(analyses={judge: searched, other: chances}), other) is chances
    assert assessment.best_report(PositionState(analyses={judge: searched, first: exact}), judge) is exact


def test_chances_count_as_discs() -> None:
    game = Game.new(rules_of(SPECS[1]))
    values = [0.5, 0.5 - 2 * assessment.CHANCE_PER_DISC, 0.5 - assessment.CHANCE_PER_DISC / 2, *[0.0] * 6]
    stats = tuple(MoveStats(move, 1, value) for move, value in zip(game.legal_moves(), values, strict=True))
    report = SearchReport("x", Move(0), 0.5, stats, Unit.REWARD, final=True)
    assert [assessment.is_right(report, move) for move in game.legal_moves()] == [True, False, True, *[False] * 6]


def test_programs_that_give_values_can_analyse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    registered("nboard")
    registered("gtp")
    assert assessment.judges(SPECS[0]) == ["engine", "external.nboard"]


def new_analysis(game: AnyGame, opening_plies: int = 0) -> tuple[GameAnalysis, History, ScriptedWorker]:
    """Return an analysis of a game, which has begun if there are moves to analyse."""
    script = ScriptedWorker()
    job = GameJob(1, 1, (PERSON, PERSON), SPECS[0], 5, opening_plies, time_margin_seconds=None)
    analysis, history = GameAnalysis(script), History(job, game)
    analysis.begin(history, game)
    return analysis, history, script


def test_positions_after_the_opening_are_analysed_and_a_stopped_analysis_continues() -> None:
    game = random_game_of(RULES, 3)
    analysis, history, script = new_analysis(game, 4)
    assert assessment.plies_with_choice(game)[:6] == [0, 1, 2, 3, *assessment.plies_with_choice(game, 4)[:2]]
    wanted = assessment.plies_with_choice(game, 4)
    assert (analysis.done, analysis.total) == (0, len(wanted))
    for _ in range(10):
        script.answer_last(0, 0)
        assert analysis.follow(history, game)
    assert analysis.done == 10
    analysis.stop()
    assert not analysis.is_running
    script.answer_last(0, 0)  # too late
    assert not analysis.follow(history, game)
    analysis.begin(history, game)
    assert analysis.done == 10
    while analysis.is_running:
        script.answer_last(0, 0)
        analysis.follow(history, game)
    asked = [asked.ply for asked, _ in script.requests]
    assert asked == [*wanted[:11], *wanted[10:]]
    assert analysis.done == analysis.total
    analysis.begin(history, game)
    assert not analysis.is_running


def test_a_finished_search_of_the_position_on_display_is_not_repeated() -> None:
    start = Game.new(RULES)
    _, history, script = new_analysis(start)
    analysis = Analysis(script)
    analysis.do(cmd.Analyse(assessment.default_analyst(SPECS[0])), history)
    analysis.follow(history, start)
    script.answer_last(0, 0)
    for shown in (start, start.play(start.legal_moves()[0]), start):
        analysis.follow(history, shown)
    assert [game.ply for game, _ in script.requests] == [0, 1]


def test_a_pause_that_comes_with_an_answer_pauses_the_next_search() -> None:
    game = random_game_of(RULES, 3)
    analysis, history, script = new_analysis(game)
    analysis.do(cmd.HoldAnalyses(True), history)
    script.answer_last(0, 0)
    assert analysis.follow(history, game)
    assert (analysis.is_running, analysis.worker.is_paused) == (True, True)


def test_an_analysis_that_fails_has_the_reason() -> None:
    game = random_game_of(RULES, 3)
    analysis, history, script = new_analysis(game)
    script.news.append(Failed(Reason("no memory"), 0.0))
    assert analysis.follow(history, game)
    assert (analysis.is_running, analysis.failure) == (False, Reason("no memory"))


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_user_s_game_is_analysed_when_it_ends_until_a_new_one_begins(is_wanted: bool) -> None:
    driver = drive_session(PERSON, PERSON, start=BEFORE_PASS)
    analysis = driver.session.game_analysis
    assert analysis is not None
    analysis.judges_ended = is_wanted
    while not driver.session.referee.is_over:
        assert not analysis.is_running
        driver.play()
        driver.do(cmd.Acknowledge())
    assert assessment.plies_with_choice(driver.session.game)
    assert analysis.is_running == is_wanted
    driver.do(cmd.NewGame())
    assert not analysis.is_running


@pytest.mark.parametrize("is_wanted", [False, True])
def test_moves_are_analysed_as_soon_as_they_are_played_with_the_option(is_wanted: bool) -> None:
    analysis, history, script = new_analysis(Game.new(RULES))
    analysis.judges_moves = is_wanted
    for ply in (1, 2, 3):
        history.play(history.game.legal_moves()[0])
        analysis.follow(history, history.game)
        assert analysis.is_running is is_wanted
        assert [asked.ply for asked, _ in script.requests] == list(range(ply if is_wanted else 0))
        if is_wanted:
            script.answer_last(0, 0)
            analysis.follow(history, history.game)
            assert not assessment.unanalysed_plies(history.tree, history.game)
