"""The history of a game: undo and redo, earlier positions, variations, and the analyses of its moves."""

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from othello.config import Config, PlayerConfig
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.play import assessment, session_commands as cmd
from othello.play.analysis import Analysis, GameAnalysis
from othello.play.board_view import BoardStep
from othello.play.history import History, PositionState, Tree
from othello.play.players import Players
from othello.play.referee import GameJob
from othello.play.session import Session
from othello.play.worker import Failed
from othello.players.player_registry import configure
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from tests.play import session_driver
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import FIRST, SECOND, ScriptedWorker, Step, answer, drive_session, play, wait
from tests.positions import RULES, START, random_game_of
from tests.programs.registered import registered


def test_undo_and_redo_take_both_moves_and_the_reports_of_searches() -> None:
    driver = drive_session(PERSON, FIRST, *[play(), answer()] * 2)
    played = driver.session.game.moves
    for command, ply in ((cmd.Undo(), 2), (cmd.Undo(), 0), (cmd.Undo(), 0), (cmd.Redo(), 2), (cmd.Redo(), 4)):
        driver.do(command)
        assert driver.session.game.moves == played[:ply]
    assert not driver.session.allows(cmd.Redo)
    driver.do(cmd.GoTo(1))
    assert (driver.session.view.report or ())[:1] == (1,)


BOTH = PERSON, PERSON
C4 = cmd.PlayMove(Move(26))
EDITED = [play("d3"), play("c3"), cmd.Annotate("note"), cmd.Undo(), cmd.GoTo(1)]


@pytest.mark.parametrize(
    ("players", "steps", "ply", "allowed"),
    [
        pytest.param(BOTH, [play("d3"), cmd.Undo(), C4], 1, [cmd.Undo], id="a new move ends what could be redone"),
        pytest.param(BOTH, [play("d3"), cmd.GoTo(0), C4], 1, [cmd.Undo], id="a click in the past leads to the present"),
        pytest.param(BOTH, [*EDITED, cmd.PlayFromHere(), cmd.Redo()], 2, [cmd.Undo], id="a game from the past ends it"),
        pytest.param(BOTH, [play("a1"), cmd.Acknowledge(), cmd.Undo()], 0, [cmd.Redo], id="undo of a forced pass"),
        pytest.param((FIRST, PERSON), [answer(), cmd.Undo()], 1, [], id="nothing to undo before the user moves"),
        pytest.param((FIRST, SECOND), [answer(), answer(), cmd.Undo(), wait(10)], 1, [cmd.Undo, cmd.Redo], id="pauses"),
    ],
)
def test_undo_and_redo(players: tuple[PlayerConfig, ...], steps: list[Step], ply: int, allowed: list[type]) -> None:
    black, white = players
    driver = drive_session(black, white, *steps, start=session_driver.BEFORE_PASS if ply == 0 else None)
    assert (driver.ply, driver.session.view.is_at_latest) == (ply, True)
    assert driver.session.pace.paused is (players == (FIRST, SECOND))
    assert [kind for kind in (cmd.Undo, cmd.Redo) if driver.session.allows(kind)] == allowed


def test_looking_back_does_not_stop_the_game() -> None:
    driver = drive_session(FIRST, SECOND, *[answer()] * 4, cmd.GoTo(1), answer())
    assert (driver.session.view.shown.ply, driver.ply) == (1, 5)
    driver.do(cmd.Browse(2))
    assert driver.session.view.shown.ply == 3
    driver.do(cmd.Browse(99))
    assert driver.session.view.is_at_latest


def test_undo_after_a_swap_restores_the_sides_and_prepares_the_player_anew() -> None:
    driver = drive_session(PERSON, FIRST, cmd.PlayMove(Move(19)), cmd.SwapSides())
    assert driver.session.allows(cmd.Undo)
    dismissed, prepared = len(driver.script.dismissed), len(driver.script.prepared)
    driver.do(cmd.Undo())
    assert len(driver.script.dismissed) > dismissed
    assert driver.script.prepared[prepared:] == ["first"]
    assert (driver.ply, driver.session.players[Color.BLACK], driver.session.awaits_user) == (0, PERSON, True)
    driver.do(cmd.Redo())
    assert (driver.ply, driver.session.players[Color.WHITE]) == (1, PERSON)


def test_a_game_continues_from_any_position_and_keeps_the_played_line() -> None:
    driver = drive_session(PERSON, PERSON, play("d3"), play("c3"), play("b3"))
    played = driver.session.game
    driver.do(cmd.GoTo(1), cmd.Annotate("worth a try"), cmd.PlayFromHere(), cmd.PlayMove(Move(20)))
    game = driver.session.game
    assert (game.moves, driver.session.view.is_at_latest) == ((19, 20), True)
    tree = driver.session.history.tree
    assert (tree.variations(game.at(1)), tree.known(game.at(1)).note) == ((18, 20), "worth a try")
    driver.do(cmd.Visit(played.moves[:2]))
    assert driver.session.view.listed.moves == played.moves
    driver.do(cmd.Browse(1))
    assert (driver.session.view.shown.moves, driver.session.view.is_at_latest) == (played.moves, False)
    driver.do(cmd.PlayFromHere())
    assert driver.session.game.moves == played.moves


@pytest.mark.parametrize(("plies", "is_paused"), [(2, False), (3, True)])
def test_a_restored_line_waits_if_a_computer_is_to_move(plies: int, is_paused: bool) -> None:
    driver = drive_session(PERSON, FIRST, *[play(), answer(), play()][:plies])
    driver.do(cmd.GoTo(1), cmd.PlayFromHere(), cmd.Undo())
    assert (driver.ply, driver.session.pace.paused, driver.script.dismissed) == (plies, is_paused, [])
    driver.do(cmd.Redo(), cmd.HandOver(Color.WHITE), cmd.Undo())
    assert driver.script.prepared == ["first"], "it plays again"


def test_a_session_that_starts_from_a_tree_can_redo_its_moves() -> None:
    tree = Tree.of(Game.new(RULES).play(Move(19)).play(Move(18)), PositionState()).to(Game.new(RULES).play(Move(19)))
    session = Session(Config((PERSON, PERSON), seed=1), ScriptedWorker(), 0.0, start=tree)
    assert (session.game.moves, session.allows(cmd.Redo), session.allows(cmd.Undo)) == ((19,), True, True)
    session.do(cmd.Redo(), 1.0)
    assert session.game.moves == (19, 18)


def test_a_replaced_game_can_be_restored() -> None:
    driver = drive_session(PERSON, FIRST, cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
    seed = driver.session.referee.job.seed
    driver.do(cmd.NewGame())
    assert (driver.ply, driver.session.referee.job.number) == (0, 2)
    driver.do(cmd.Undo())
    job = driver.session.referee.job
    assert (driver.session.game.moves, job.number, job.seed) == ((19,), 1, seed)
    driver.do(cmd.NewGame(game=game_spec("tictactoe")), cmd.PlayMove(Move(4)), cmd.RestoreGame())
    assert (driver.session.game.moves, driver.session.jobs.config.game) == ((19,), game_spec())
    driver.do(cmd.RestoreGame())
    assert driver.session.game.moves == (4,)


def test_the_shown_position_is_analysed_during_the_game() -> None:
    driver = drive_session(FIRST, PERSON, cmd.Analyse(SECOND))
    game, seat = driver.analyst.requests[-1]
    assert (game.moves, seat.config) == ((), SECOND)
    driver.answer()
    assert driver.analyst.requests[-1][0].moves == (19,)
    assert driver.analyst.cancelled == 1
    assert driver.session.shown_analysis is None
    driver.analyst.answer_last(0.0, 0.1)
    driver.wait()
    driver.do(cmd.GoTo(0), cmd.GoTo(1))
    assert [asked.ply for asked, _ in driver.analyst.requests] == [0, 1, 0]  # what is known is not searched again
    assert driver.session.shown_analysis is not None
    game, dismissed = driver.session.game, len(driver.analyst.dismissed)
    driver.do(cmd.NewGame())
    assert driver.analyst.dismissed[dismissed:] == [game], "its memory is released"
    assert driver.analyst.requests[-1][0] is not game, "the new game is analysed"
    driver.do(cmd.Analyse(None))
    assert driver.session.shown_analysis is None
    asked = len(driver.analyst.requests)
    driver.do(cmd.Analyse(configure("engine")), cmd.NewGame(game=game_spec("connect_four")))
    assert len(driver.analyst.requests) == asked + 1, "the engine does not play the other game"
    driver.do(cmd.Analyse(SECOND))
    assert driver.analyst.requests[-1][0].rules.name == "connect_four"
    driver.session._analyses[0].stop()
    assert not driver.analyst.is_wanted


def test_the_view_has_the_step_that_led_to_the_shown_position() -> None:
    driver = drive_session(PERSON, PERSON, play("f5"))
    f5, d6, c3 = (RULES.parse_move(START, name) for name in ("f5", "d6", "c3"))
    there = BoardStep(f5, RULES.captured(START, f5), Color.BLACK)
    assert driver.session.view.step == there
    driver.do(cmd.Undo())
    back = replace(there, color=Color.WHITE)
    assert driver.session.view.step == back
    driver.do(cmd.Redo(), cmd.PlayMove(d6), cmd.Browse(-1), cmd.Browse(-1))
    assert driver.session.view.step == back
    driver.do(cmd.Browse(1))
    assert driver.session.view.step == there
    for command in (cmd.GoTo(0), cmd.Visit(driver.session.game.moves), cmd.NewGame()):
        driver.do(cmd.Browse(1), cmd.Browse(1), command)
        assert driver.session.view.step is None
    driver.do(cmd.NewGame(), cmd.PlayVariation((f5,)))
    assert driver.session.view.step == there
    driver.do(cmd.PlayVariation((d6, c3)))
    assert driver.session.view.step is None


def test_undo_restores_a_deleted_line_in_its_place() -> None:
    driver = drive_session(PERSON, PERSON, cmd.PlayMove(Move(19)))
    for move in (26, 37, 44):
        driver.do(cmd.GoTo(0), cmd.PlayVariation((Move(move),)))
    start, line = driver.session.game.at(0), driver.session.game.at(0).play(Move(37))
    visit = cmd.Visit(line.moves)
    driver.do(visit, cmd.Annotate("a try"), cmd.PlayVariation(line.legal_moves()[:1]), visit)
    before = driver.session.history.tree
    driver.do(cmd.DeleteLine())
    assert driver.session.history.tree.variations(start) == (19, 26, 44)
    driver.do(cmd.Undo())
    assert driver.session.history.tree.variations(start) == (19, 26, 37, 44)
    assert driver.session.history.tree.node(line) == before.node(line)
    assert (driver.session.view.shown.moves, driver.ply) == (line.moves, 1)
    driver.do(cmd.Redo())
    assert driver.session.history.tree.variations(start) == (19, 26, 44)
    driver.do(cmd.Undo(), cmd.Undo())  # the note comes next
    assert driver.session.history.tree.known(line).note == ""
    driver.do(cmd.Undo(), cmd.Undo())  # back to the game, whose moves follow
    assert driver.ply == 0


def test_undo_takes_moves_and_edits_back_in_reverse_order() -> None:
    driver = drive_session(PERSON, PERSON, play("d3"), cmd.Annotate("first"), play("c3"), cmd.Annotate("second"))

    def notes() -> list[str]:
        tree = driver.session.history.tree
        return [moment.note for moment in tree.along(tree.line)]

    seen = [(driver.ply, notes())]
    for command in [cmd.Undo()] * 4 + [cmd.Redo()] * 4:
        driver.do(command)
        seen.append((driver.ply, notes()))
    noted = [["", "first", "second"], *[["", "first", ""]] * 2, *[["", "", ""]] * 2]
    assert seen[:5] == [*zip((2, 2, 1, 1, 0), noted, strict=True)]
    assert seen[5:] == seen[3::-1]


def test_undo_returns_from_a_continuation() -> None:
    driver = drive_session(PERSON, PERSON, play("d3"), play("c3"), play("b3"), cmd.Undo())
    tree = driver.session.history.tree
    driver.do(cmd.GoTo(1), cmd.PlayFromHere(), cmd.PlayMove(Move(20)), cmd.Undo(), cmd.Undo())
    assert (driver.session.history.tree.game, driver.session.history.tree.line) == (tree.game, tree.line)
    driver.do(cmd.Redo())
    assert (driver.ply, driver.session.history.tree.line.moves) == (1, (19, 20))


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
    for ply in assessment.plies_with_choice(game):
        analyses = {judge: random_report(game.at(ply), draw)} if draw.random() < share else {}
        tree = tree.know(game.at(ply), PositionState(players=Players((PERSON, computer("first"))), analyses=analyses))
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
    assert (analysis.is_running, script.is_wanted) == (False, False)
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
    driver = drive_session(PERSON, PERSON, start=session_driver.BEFORE_PASS)
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
