"""The tournament screen, driven by real events on a virtual display."""

import json
import multiprocessing
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import pygame
import pytest

from othello.config import Config, ExistingOutput, SprtConfig, TournamentConfig
from othello.config_file import config_of
from othello.errors import ConfigError, OutputError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui.dialogs.games import GamesDialog
from othello.gui.dialogs.notices import ConfirmDialog
from othello.gui.dialogs.tournament_setup import proposed_settings, resumed
from othello.gui.platform.window import DESIGN_SIZE, MINIMUM_SIZE
from othello.gui.screens.tournament import standings_text
from othello.gui.screens.tournament.standings_text import Browse, Write
from othello.gui.screens.tournament.standings_widgets import CrossTable, LiveBoard, StandingRows
from othello.gui.screens.tournament.tournament_dialogs import LiveDialog
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.gui.toolkit.controls import Button
from othello.gui.toolkit.list_view import ListView
from othello.gui.toolkit.widget import InputContext, PaintContext
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.records.record import ADJUDICATED, GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.rules.registry import game_spec
from othello.tournament.background import GameFinished, PositionShown, StandingsShown, TournamentEnded
from othello.tournament.experiment import Experiment
from othello.tournament.ratings import bradley_terry
from othello.tournament.standings import Standings, analyse
from othello.tournament.statistics import Interval, PairScores
from tests.gui.tournament_driver import PLAYERS, OpenTournament, browses, config_for, write_page
from tests.positions import RULES, SPEC


@pytest.mark.parametrize("size", [MINIMUM_SIZE, DESIGN_SIZE])
def test_a_tournament_is_shown_to_its_end(
    open_tournament: OpenTournament, tmp_path: Path, size: tuple[int, int]
) -> None:
    driver = open_tournament(config_for(tmp_path, 10), size)
    driver.until(lambda: bool(driver.live))
    driver.until_end()
    rows = driver.standings.rows
    assert driver.games == 20
    assert driver.share == 1.0
    assert any(words.startswith("20 games") for words in driver.words())
    assert [row.cells[0] for row in rows] == ["1", "2"]
    assert sum(float(row.cells[2]) for row in rows) == 20
    assert "stronger" in driver.status
    assert list(ResultsReader(tmp_path / "games.jsonl"))


def test_six_players_are_all_seen_in_the_smallest_window_by_names_for_people(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    types = ("simple_heuristic", "random", "random", "random", "random")
    players = config_of({"game_type": "tournament", "players": [{"player_type": each} for each in types]}).players
    players = (*players, configure("random", name="random walk"))
    driver = open_tournament(replace(config_for(tmp_path, 1), players=players), (900, 600))
    driver.until_end()
    named = {row.cells[1] for row in driver.standings.rows}
    assert named == {"Greedy", "Random 1", "Random 2", "Random 3", "Random 4", "random walk"}
    assert "Greedy" in driver.status
    style, stage = driver.scene.style, driver.scene.widgets
    for table in driver.panels(StandingRows):
        assert table.fitting(style, stage.place_of(table.name))[1] == 6
    assert {record.black for record in ResultsReader(tmp_path / "games.jsonl")} >= {"simple_heuristic", "random 1"}


def test_what_a_game_does_not_count_has_no_column(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(replace(config_for(tmp_path, 2), game=game_spec("tictactoe")))
    driver.until_end()
    assert "balance" not in {column.name for column in driver.standings.columns}
    assert {len(row.cells) for row in driver.standings.rows} == {len(driver.standings.columns)}
    assert not any(live.score for live in driver.live)


def test_strengths_are_not_worked_out_by_the_window(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()

    def noted(names: Sequence[str], results: Mapping[tuple[str, str], PairScores]) -> dict[str, Interval]:
        threads.add(threading.current_thread() if results else None)
        return bradley_terry(names, results)

    monkeypatch.setattr("othello.tournament.standings.bradley_terry", noted)
    driver = open_tournament(config_for(tmp_path, 10))
    driver.until_end()
    assert "stronger" in driver.status
    assert len(threads - {None}) == 1
    assert threading.main_thread() not in threads


def test_nothing_is_declared_drawn_or_waited_for_once_all_is_over(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_tournament(config_for(tmp_path, 1))
    driver.until_end()
    driver.turn()
    assert driver.wake is None
    assert driver.scene.draw(pygame.Surface(DESIGN_SIZE)) == []
    declared: list[float] = []
    monkeypatch.setattr(driver.scene, "show", declared.append)
    driver.turn()
    assert declared == []


def test_pause_go_on_and_stop(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    control = driver.scene.tournament.control
    driver.until(lambda: driver.games > 0)
    driver.press("hold")
    assert control.is_paused
    assert "Paused" in driver.status
    driver.keys("Space")
    assert not control.is_paused
    driver.stop()
    driver.until_end()
    assert driver.status.startswith("Stopped (")
    assert driver.share < 1
    driver.keys("Space")
    assert not control.is_paused  # there is nothing to pause any more


def test_nobody_is_asked_to_stop_what_has_ended(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 10))
    driver.do(gui.Stop())
    assert isinstance(driver.scene.dialog, ConfirmDialog)
    driver.until_end()
    assert driver.scene.dialog is None


def test_the_hall_is_used_with_the_keyboard(open_tournament: OpenTournament, tmp_path: Path) -> None:
    players = tuple(configure("random", name=f"player {number}") for number in range(24))
    driver = open_tournament(replace(config_for(tmp_path, 100_000), players=players), MINIMUM_SIZE)
    stage, control = driver.scene.widgets, driver.scene.tournament.control
    driver.until(lambda: driver.games > 0)
    driver.keys("Tab")
    assert (stage.focus, stage.shows_focus) == ("menu", True)
    while stage.focus != "hold":
        driver.keys("Tab")
    driver.keys("Enter")
    assert control.is_paused
    for key, name in ((pygame.K_RIGHT, "stop"), (pygame.K_RIGHT, "games"), (pygame.K_LEFT, "stop")):
        driver.key(key)
        assert stage.focus == name
    driver.keys("Shift+F6")
    assert stage.focus not in ("hold", "stop", "report")
    driver.keys("Esc")
    assert stage.focus == ""
    driver.keys("F6")
    assert stage.focus
    driver.keys("Esc")
    for key, first in ((pygame.K_DOWN, 1), (pygame.K_PAGEDOWN, 6), (pygame.K_PAGEUP, 1), (pygame.K_UP, 0)):
        driver.key(key)
        assert driver.standings.first == first
    driver.keys("End")
    assert driver.standings.first > 6
    driver.keys("Home")
    assert driver.standings.first == 0


def workers() -> list[BaseProcess]:
    """Return the processes of a tournament, without the compiler that an earlier test may have started."""
    return [child for child in multiprocessing.active_children() if child.name != "othello-compiler"]


def test_quitting_ends_every_process_and_keeps_the_results(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    driver.until(lambda: driver.games > 0)
    driver.keys("Ctrl+Q")
    assert driver.scene.wants_to_quit
    driver.close()
    assert not workers()
    assert len(list(ResultsReader(tmp_path / "games.jsonl"))) >= driver.games


def fails(results: list[Path], folder: Path) -> None:
    raise OutputError("the folder cannot be written")


def dies(results: list[Path], folder: Path) -> None:
    os._exit(3)


def sleeps(results: list[Path], folder: Path) -> None:
    time.sleep(3600)


def finds_no_browser(address: str) -> bool:
    return False


def test_the_report_is_written_and_opened(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 1))
    driver.key(pygame.K_r, "r")  # too early: without a game there is nothing to report
    driver.until_end()
    driver.press("report")
    assert driver.driver.is_busy
    driver.until(lambda: not driver.driver.is_busy)
    page = tmp_path / "games-report" / "report.html"
    assert page.read_bytes() == (tmp_path / "games.jsonl").read_bytes()
    assert driver.status == f"The report is in {page}."
    assert not driver.is_bad


@pytest.mark.parametrize(
    ("write", "browse", "told"),
    [
        (fails, browses, "No report: the folder cannot be written"),
        (dies, browses, "The report could not be written. See the log for details."),
        (write_page, finds_no_browser, "no browser could be opened."),
    ],
)
def test_what_a_report_fails_by_is_told(
    open_tournament: OpenTournament, tmp_path: Path, write: Write, browse: Browse, told: str
) -> None:
    driver = open_tournament(config_for(tmp_path, 1), write=write, browse=browse)
    driver.until_end()
    driver.keys("r")
    driver.until(lambda: not driver.driver.is_busy)
    assert driver.status.endswith(told)
    assert driver.is_bad == (write is not write_page)


def test_what_became_of_a_report_gives_way_to_newer_news(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    driver.until(lambda: driver.games > 0)
    driver.press("report")
    driver.until(lambda: not driver.driver.is_busy)
    assert "games-report" in driver.status
    driver.keys("Space")
    assert driver.status.startswith("Paused")


def test_a_report_that_is_being_written_ends_with_the_window(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 1), write=sleeps)
    driver.until_end()
    driver.press("report")
    assert workers()
    driver.close()
    assert not workers()


def test_a_process_that_is_killed_is_replaced(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    driver.until(lambda: driver.games > 0)
    (worker,) = workers()
    worker.kill()
    driver.until(lambda: not worker.is_alive())
    games = driver.games
    driver.until(lambda: driver.games > games + 20)
    assert not driver.is_bad


def test_what_goes_wrong_is_told_in_one_line(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, record: object) -> None:
        raise OutputError("the disk is full")

    monkeypatch.setattr(ResultsWriter, "append", fail)
    driver = open_tournament(config_for(tmp_path, 2))
    driver.until_end()
    assert driver.status == "The tournament stopped: the disk is full."
    assert driver.is_bad


def record(number: int, result: str) -> GameRecord:
    return GameRecord(game=number, series=number, black="A", white="B", black_points=40, white_points=24, result=result)


def test_a_board_stays_with_its_game() -> None:
    following = TournamentState(Experiment(Config(PLAYERS, "tournament", seed=1)), 0.0)
    start = Game.new(RULES)
    jobs = [GameJob(number, number, (PLAYERS[0], PLAYERS[1]), SPEC, 1) for number in range(1, 4)]
    following.take([PositionShown(job, start) for job in jobs], 0.0, is_paused=False)
    assert [live.number for live in following.boards if live is not None] == [1, 2]
    following.take([PositionShown(jobs[1], start)], 2.0, is_paused=False)
    following.take([PositionShown(jobs[2], start)], 2.0, is_paused=False)
    assert [live.number for live in following.boards if live is not None] == [3, 2]


def test_a_game_that_was_watched_shows_its_end_for_a_while() -> None:
    following = TournamentState(Experiment(Config(PLAYERS, "tournament", seed=1)), 0.0)
    start = Game.new(RULES)
    jobs = [GameJob(number, number, (PLAYERS[0], PLAYERS[1]), SPEC, 1) for number in range(1, 4)]
    for now in (0.0, 5.0):
        following.take([PositionShown(job, start) for job in jobs[:2]], now, is_paused=False)
    over = replace(record(1, "black"), transcript="d3c3", reason="white failed: ValueError: no", fault="failed")
    following.take([GameFinished(over)], 6.0, is_paused=False)
    following.take([PositionShown(jobs[1], start), PositionShown(jobs[2], start)], 6.5, is_paused=False)
    first = following.boards[0]
    assert first is not None
    assert first.game.ply == 2
    assert standings_text.live(first, is_last=False).note == "Black wins, forfeited"
    following.take([PositionShown(jobs[2], start)], 7.5, is_paused=False)
    assert [live.number for live in following.boards if live is not None] == [3, 2]


def test_a_sequential_test_is_seen_between_its_bounds_and_tells_why_it_stopped(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    config = config_for(tmp_path, 100_000)
    driver = open_tournament(
        replace(config, tournament=replace(config.tournament, sprt=SprtConfig(0, 400, "normalised")))
    )
    driver.until(lambda: driver.games >= 4)
    words = " ".join(driver.words())
    assert "of at most 200000 games" in words
    assert "H0: 0 normalised Elo, at –2.94" in words
    assert "Log-likelihood ratio" in words
    driver.until(lambda: driver.scene.state.end is not None)
    assert driver.status.startswith("SPRT: H")
    assert "normalised Elo, not" in driver.status
    assert not driver.scene._can_go_on


def test_a_tournament_is_set_up_with_openings_a_test_and_ends_that_are_proved(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("f5d6c3\n")
    plan = proposed_settings(SPEC)
    plan.results, plan.openings, plan.adjudicate, plan.sprt = "", str(tmp_path / "openings.txt"), 12, 50
    assert plan.config().tournament.sprt is None  # of three players
    plan.forms = plan.forms[:2]
    settings = plan.config().tournament
    assert (settings.opening_book, settings.adjudicate, settings.sprt) == (("f5d6c3",), 12, SprtConfig(0, 50))
    plan.openings = "Tiger: 2; f5d6c4"
    assert plan.config().tournament.opening_book == ("f5d6c3d3c4", "f5d6c3d3c4", "f5d6c4")
    plan.opening_plies = 4
    with pytest.raises(ConfigError, match="cannot be combined"):
        plan.config()


def test_an_adjudicated_game_is_no_forfeit() -> None:
    following = TournamentState(Experiment(Config(PLAYERS, "tournament", seed=1)), 0.0)
    over = replace(record(1, "black"), reason=ADJUDICATED)
    following.take([GameFinished(over)], 1.0, is_paused=False)
    assert following.forfeited is None
    shown = LiveGame(1, ("A", "B"), over.replayed(), 0.0, 0.0, over)
    assert standings_text.live(shown, is_last=True).note == "Black wins, adjudicated"


def test_a_forfeited_game_is_told(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    driver.until(lambda: driver.games > 0)
    over = replace(record(900, "black"), reason="white failed: ValueError: no", fault="failed")
    driver.scene.handle_events([GameFinished(over)], time.monotonic())
    driver.turn()
    assert driver.status == "B forfeited game 900: White failed: ValueError: no."
    assert driver.is_bad


@pytest.mark.parametrize(
    ("games", "words"), [(2, "do not show that A is stronger than B"), (80, "A is stronger than B")]
)
def test_the_verdict_says_no_more_than_the_games_show(games: int, words: str) -> None:
    config = Config(PLAYERS, "tournament", seed=1)
    following, standings = TournamentState(Experiment(config), 0.0), Standings(player.name for player in PLAYERS)
    for number in range(1, games + 1):
        standings.add(record(number, "black"))
    following.take([StandingsShown(analyse(standings))], 1.0, is_paused=False)
    assert words in standings_text.verdict(following, config, is_stopped=False)


@pytest.mark.parametrize(
    ("won", "games", "words"),
    [(6, 6, "About 3 more games"), (4, 6, "About 69 more games"), (11, 20, "About 690 more games"), (3, 6, "")],
)
def test_a_leader_is_told_how_many_more_games_would_show_it(won: int, games: int, words: str) -> None:
    standings = Standings(player.name for player in PLAYERS)
    for number in range(1, games + 1):  # each pair of games with swapped colours
        black, white = "AB" if number % 2 else "BA"
        result = "black" if (black == "A") is (number <= won) else "white"
        over = replace(record(number, result), series=(number + 1) // 2, black=black, white=white)
        standings.add(over)
    config = Config(PLAYERS, "tournament", seed=1)
    following = TournamentState(Experiment(config), 0.0)
    following.take([StandingsShown(analyse(standings))], 1.0, is_paused=False)
    told = standings_text.verdict(following, config, is_stopped=False)
    assert words in told
    assert ("more game" in told) is bool(words)


def test_what_is_known_comes_first() -> None:
    standings = Standings("ABC")
    pairs = [("A", "B")] * 3 + [("A", "C")] * 40 + [("B", "C")] * 3
    for number, (black, white) in enumerate(pairs, 1):
        standings.add(replace(record(number, "black"), black=black, white=white))
    config = Config(tuple(configure("random", name=name) for name in "ABC"), "tournament", seed=1)
    following = TournamentState(Experiment(config), 0.0)
    following.take([StandingsShown(analyse(standings))], 1.0, is_paused=False)
    told = standings_text.verdict(following, config, is_stopped=False)
    assert told.startswith("A leads with 43 of 43 points. A is stronger than C. These games do not show that A is")


def test_a_button_plays_the_games_that_the_result_asks_for(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_for(tmp_path, 3)
    monkeypatch.setattr(standings_text, "more_rounds", lambda *_: (2, 4))
    driver = open_tournament(config)
    driver.until_end()
    panel = driver.scene.widgets.find("more")
    assert panel is not None
    assert isinstance(panel.widget, Button)
    assert panel.widget.label == "Play 4 more games"
    assert panel.widget.command == gui.ResumeTournament(2)
    assert not {"hold", "stop"} & {each.widget.name for each in driver.scene.widgets.walk()}


def test_more_rounds_follow_after_the_games_of_fewer(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    document = {"game_type": "tournament", "game_repetitions": 2, "players": [{"player_type": "random"}] * 2}
    (tmp_path / "games.config.json").write_text(json.dumps(document))
    handle = TournamentHandle(replace(config_for(tmp_path, 2), seed=7))
    try:
        for rounds, games in ((0, 4), (3, 10)):
            if rounds:
                handle.resume(rounds)
            handle.tournament.start()
            end = time.monotonic() + 120
            while not any(isinstance(event, TournamentEnded) for event in handle.tournament.events()):
                assert time.monotonic() < end
                time.sleep(0.02)
            assert [record.game for record in ResultsReader(path)] == [*range(1, games + 1)]
    finally:
        handle.close()
    assert json.loads((tmp_path / "games.config.json").read_text())["game_repetitions"] == 5
    assert resumed(path).game_repetitions == 5


def test_how_many_more_rounds_a_result_asks_for() -> None:
    standings = Standings(player.name for player in PLAYERS)
    for number in range(1, 7):
        black, white = "AB" if number % 2 else "BA"
        result = "black" if (black == "A") is (number <= 4) else "white"
        standings.add(replace(record(number, result), series=(number + 1) // 2, black=black, white=white))
    found, config = analyse(standings), Config(PLAYERS, "tournament", seed=1)
    assert standings_text.more_rounds(found, config) == (23, 69)
    assert standings_text.more_rounds(found, replace(config, tournament=TournamentConfig("paired"))) == (34, 68)
    assert standings_text.more_rounds(analyse(Standings("AB")), config) == (0, 0)
    person = (configure("user", name="A"), PLAYERS[1])
    assert standings_text.more_rounds(found, replace(config, players=person)) == (0, 0)


def test_a_click_on_a_score_lists_all_of_its_games_and_opens_them(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    players = tuple(configure("random", name=name) for name in "ABC")
    driver = open_tournament(replace(config_for(tmp_path, 3), players=players))
    driver.until_end()
    table, rect = driver.panel(CrossTable), driver.scene.widgets.place_of("cross")
    canvas = PaintContext(pygame.Surface((1, 1)), driver.scene.style, rect, input=InputContext(driver.scene.window))
    points = [(x, y) for x in range(rect.left, rect.right, 6) for y in range(rect.top, rect.bottom, 6)]
    cells = {pair: at for at in points if (pair := table.pair_at(at, canvas)) is not None}
    assert set(cells) == {(one, other) for one in "ABC" for other in "ABC" if one != other}
    driver.click(cells["A", "C"])
    dialog = driver.dialog(GamesDialog)
    assert dialog.title == "A – C"
    driver.until(lambda: "6 games" in driver.words())
    rows = driver.scene.widgets.find("rows")
    assert rows is not None
    assert isinstance(rows.widget, ListView)
    assert {item.label.split("·")[1].strip() for item in rows.widget.items} == {"A – C", "C – A"}
    command = dialog.on_control_changed("open", True)
    assert isinstance(command, gui.OpenListed)
    assert {*command.parsed.players} == {"A", "C"}
    driver.keys("Esc", "l")
    driver.until(lambda: "18 games" in driver.words())


def test_a_click_on_a_board_shows_the_game_large_as_it_goes_on(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    driver.until(lambda: bool(driver.live))
    driver.turn()
    driver.press("board0")
    assert isinstance(driver.scene.dialog, LiveDialog)
    watched = driver.scene.state.watched
    assert watched is not None
    driver.until(lambda: watched.record is not None)
    driver.turn()
    (large,) = [board for board in driver.panels(LiveBoard) if board.command is None]
    assert large.live is not None
    assert "wins" in large.live.note or "Draw" in large.live.note
    driver.keys("Esc")
    assert driver.scene.dialog is None
    driver.key(pygame.K_TAB, mod=pygame.KMOD_SHIFT)  # the last stop, or the one before where both boards have games
    assert driver.scene.widgets.focus.startswith("board")
    driver.keys("Enter")
    assert isinstance(driver.scene.dialog, LiveDialog)


def test_what_was_played_before_is_shown_where_nothing_is_left(open_tournament: OpenTournament, tmp_path: Path) -> None:
    config = config_for(tmp_path, 1)
    driver = open_tournament(config)
    driver.until_end()
    driver.close()
    again = open_tournament(replace(config, existing_output=ExistingOutput.RESUME))
    again.until_end()
    assert len(again.live) == 2
    assert "No game was played." not in again.words()


def test_pauses_do_not_count_as_time() -> None:
    following = TournamentState(Experiment(Config(PLAYERS, "tournament", seed=1)), 0.0)
    following.take([GameFinished(record(1, "black"))], 2.0, is_paused=False)
    following.take([], 100.0, is_paused=True)
    assert following.games_per_second == 0.5
    assert following.seconds_left == 4.0
    following.take([GameFinished(record(2, "black")), TournamentEnded()], 102.0, is_paused=False)
    assert following.share == pytest.approx(2 / 3)
