"""Tournaments between computers and of the user, driven by real events on a virtual display."""

import json
import multiprocessing
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pygame
import pytest

from othello.config import Config, ExistingOutput, SprtConfig, TournamentConfig
from othello.config_file import config_of
from othello.errors import ConfigError, OutputError
from othello.game import Game, GameTree
from othello.gui import commands as gui
from othello.gui.actions import Context
from othello.gui.dialogs.games import GamesDialog
from othello.gui.dialogs.notices import ConfirmDialog
from othello.gui.dialogs.tournament_setup import config_path_of, proposed_settings, resumed
from othello.gui.platform.window import DESIGN_SIZE, MINIMUM_SIZE
from othello.gui.screens.tournament import standings_text, unfinished
from othello.gui.screens.tournament.standings_text import Browse, ReportWriter, Write
from othello.gui.screens.tournament.standings_widgets import CrossTable, LiveBoard, StandingRows
from othello.gui.screens.tournament.tournament_dialogs import LiveDialog
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.gui.screens.tournament.unfinished import UnfinishedGame
from othello.gui.toolkit.controls import Button, ProgressBar, Select
from othello.gui.toolkit.list_view import ListView
from othello.gui.toolkit.widget import InputContext, PaintContext
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.records.game_file import GameFile, PositionData, document_of
from othello.records.record import ADJUDICATED, GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color
from othello.tournament.background import Event, GameFinished, PositionShown, StandingsShown, TournamentEnded
from othello.tournament.experiment import Experiment
from othello.tournament.ratings import bradley_terry
from othello.tournament.standings import Standings, analyse
from othello.tournament.statistics import Interval, PairScores
from tests.gui import reports
from tests.gui.tournament_driver import PLAYERS, OpenTournament, config_for
from tests.gui.window_driver import OpenWindow
from tests.play.fake_players import PERSON, computer, make_judge
from tests.positions import RULES, SPEC
from tests.waiting import wait_until


def test_a_tournament_is_shown_to_its_end_and_when_it_is_opened_again(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()

    def noted(names: Sequence[str], results: Mapping[tuple[str, str], PairScores]) -> dict[str, Interval]:
        threads.add(threading.current_thread() if results else None)
        return bradley_terry(names, results)

    monkeypatch.setattr("othello.tournament.standings.bradley_terry", noted)
    config = config_for(tmp_path, 10)
    driver = open_tournament(config, MINIMUM_SIZE)
    driver.until(lambda: bool(driver.live))
    driver.do(gui.Stop())
    assert isinstance(driver.scene.dialog, ConfirmDialog)
    driver.until_end()
    assert driver.scene.dialog is None, "nothing is left to stop"
    for size in (MINIMUM_SIZE, DESIGN_SIZE):
        driver.resize(size)
        assert [row.cells[0] for row in driver.standings.rows] == ["1", "2"]
        assert sum(float(row.cells[2]) for row in driver.standings.rows) == 20
        assert any(words.startswith("20 games") for words in driver.words())
        assert "stronger" in driver.status
    assert driver.games == 20
    assert driver.panel(ProgressBar).share == 1.0
    assert len(list(ResultsReader(tmp_path / "games.jsonl"))) == 20
    assert len(threads - {None}) == 1
    assert threading.main_thread() not in threads, "another thread calculates the ratings"
    driver.turn()
    assert driver.wake is None
    assert driver.scene.draw(pygame.Surface(DESIGN_SIZE)) == []
    monkeypatch.setattr(driver.scene, "show", show := Mock())
    driver.turn()
    assert not show.called, "the finished tournament is idle"
    driver.close()
    again = open_tournament(replace(config, existing_output=ExistingOutput.RESUME))
    again.until_end()
    assert len(again.live) == 2
    assert "No game was played." not in again.words()


def test_six_players_with_whole_names_fit_the_smallest_window(open_tournament: OpenTournament, tmp_path: Path) -> None:
    entries = [{"player_type": each} for each in ("simple_heuristic", *["random"] * 4)]
    named = config_of({"game_type": "tournament", "players": entries}).players
    players = (*named, configure("random", name="random walk"))
    driver = open_tournament(replace(config_for(tmp_path, 1), players=players), (900, 600))
    driver.until_end()
    names = {row.cells[1] for row in driver.standings.rows}
    assert names == {"Greedy", "Random 1", "Random 2", "Random 3", "Random 4", "random walk"}
    assert "Greedy" in driver.status
    style, stage = driver.scene.style, driver.scene.widgets
    for table in driver.panels(StandingRows):
        place = stage.place_of(table.name)
        assert table.fitting(style, place)[1] == 6
        low, many = table.fitting(style, pygame.Rect(place.topleft, (place.width, place.height // 2)))
        assert round(table.header * style.scale) + low * (many + 1) <= place.height // 2, "the rows and a note fit"
    assert {record.black for record in ResultsReader(tmp_path / "games.jsonl")} >= {"simple_heuristic", "random 1"}


def workers() -> list[BaseProcess]:
    """Return the processes of a tournament, without the compiler that an earlier test may have started."""
    return [child for child in multiprocessing.active_children() if child.name != "othello-compiler"]


def test_a_tournament_is_paused_watched_reported_and_closed(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(config_for(tmp_path, 100_000))
    control, results = driver.scene.tournament.control, tmp_path / "games.jsonl"
    driver.keys("r")  # without a game there is nothing to report
    assert not driver.report_writer.is_busy
    driver.until(lambda: driver.games > 0)
    assert driver.wake is not None, "the next results are read soon"
    driver.press("hold")
    assert control.is_paused
    assert "Paused" in driver.status
    driver.keys("Space")
    assert not control.is_paused

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
    driver.keys("Shift+Tab")  # the last stop, or the one before if both boards have games
    assert driver.scene.widgets.focus.startswith("board")
    driver.keys("Enter")
    assert isinstance(driver.scene.dialog, LiveDialog)
    driver.keys("Esc", "Esc")

    driver.press("report")
    assert driver.report_writer.is_busy
    driver.until(lambda: not driver.report_writer.is_busy)
    page = tmp_path / "games-report" / "report.html"
    assert page.read_bytes()
    assert results.read_bytes().startswith(page.read_bytes())
    assert driver.status == f"The report is in {page}."
    assert not driver.is_bad
    for key in ("S", "Space"):
        driver.report_writer.message = "old news"
        driver.keys(key, "Esc")
        assert "old news" not in driver.status, "newer news replace the message of the report"

    driver.keys("Ctrl+Q")
    assert driver.scene.wants_to_quit
    driver.close()
    assert not workers()
    assert len(list(ResultsReader(results))) >= driver.games


def test_the_tournament_screen_is_used_and_stopped_by_keyboard(open_tournament: OpenTournament, tmp_path: Path) -> None:
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
    driver.keys("s", "Enter")
    driver.until_end()
    assert driver.status.startswith("Stopped (")
    assert driver.panel(ProgressBar).share < 1
    is_paused = control.is_paused
    driver.keys("Space")
    assert control.is_paused == is_paused, "an ended tournament cannot be paused"


def test_a_report_that_fails_says_why(tmp_path: Path) -> None:
    cases: list[tuple[Write, Browse, bool, str]] = [
        (reports.fails, reports.browses, True, "No report: the folder cannot be written"),
        (reports.dies, reports.browses, True, "The report could not be written. See the log for details."),
        (reports.write_page, reports.finds_no_browser, False, "no browser could be opened."),
    ]

    def is_finished(writer: ReportWriter) -> bool:
        writer.update()
        return not writer.is_busy

    for number, (write, browse, has_failed, message) in enumerate(cases):
        results = tmp_path / f"{number}.jsonl"
        results.write_text("")
        with closing(ReportWriter(results, write, browse)) as writer:
            writer.open()
            assert not writer.failed, "it is being written"
            wait_until(partial(is_finished, writer))
            assert writer.message.endswith(message)
            assert writer.failed == has_failed
    with closing(ReportWriter(tmp_path / "games.jsonl", reports.sleeps)) as writer:
        writer.open()
        assert workers()
    assert not workers()


def test_an_error_is_one_line(open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ResultsWriter, "append", Mock(side_effect=OutputError("the disk is full")))
    driver = open_tournament(config_for(tmp_path, 2))
    driver.until_end()
    assert driver.status == "The tournament stopped: the disk is full."
    assert driver.is_bad


def record(number: int, result: str) -> GameRecord:
    return GameRecord(game=number, series=number, black="A", white="B", black_points=40, white_points=24, result=result)


CONFIG = Config(PLAYERS, "tournament", seed=1)


@pytest.fixture
def state() -> TournamentState:
    return TournamentState(Experiment(CONFIG), 0.0)


def positions(*numbers: int) -> list[Event]:
    """Return the events that show the start positions of games."""
    jobs = [GameJob(number, number, (PLAYERS[0], PLAYERS[1]), SPEC, 1) for number in numbers]
    return [PositionShown(job, Game.new(RULES)) for job in jobs]


def test_a_board_shows_its_game_until_another_replaces_it(state: TournamentState) -> None:
    def numbers() -> list[int]:
        return [live.number for live in state.boards if live is not None]

    state.take(positions(1, 2, 3), 0.0, is_paused=False)
    assert numbers() == [1, 2]
    for number in (2, 3):
        state.take(positions(number), 2.0, is_paused=False)
    assert numbers() == [3, 2]
    state.take(positions(3, 2), 5.0, is_paused=False)
    over = replace(record(3, "black"), transcript="d3c3", reason="white failed: ValueError: no", fault="failed")
    state.take([GameFinished(over)], 6.0, is_paused=False)
    state.take(positions(2, 4), 7.0, is_paused=False)
    first = state.boards[0]
    assert first is not None
    assert first.game.ply == 2, "the end of a watched game stays for a while"
    assert standings_text.live(first, is_last=False).note == "Black wins, forfeited"
    state.take(positions(4), 7.5, is_paused=False)
    assert numbers() == [4, 2]
    state.take([GameFinished(record(4, "black"))], 7.6, is_paused=False)
    state.take(positions(5), 7.7, is_paused=False)
    assert numbers() == [5, 2], "the end of a game that was hardly watched does not stay"


def test_a_sequential_test_shows_its_bounds_and_why_it_stopped(open_tournament: OpenTournament, tmp_path: Path) -> None:
    config = config_for(tmp_path, 100_000)
    tournament = replace(config.tournament, sprt=SprtConfig(0, 400, "normalised"))
    driver = open_tournament(replace(config, tournament=tournament))
    driver.until(lambda: driver.games >= 4)
    parts = "of at most 200000 games", "H0: 0 normalised Elo, at –2.94", "Log-likelihood ratio"
    assert all(map(driver.shows_words, parts))
    driver.until(lambda: driver.scene.state.end is not None)
    assert driver.status.startswith("SPRT: H")
    assert "normalised Elo, not" in driver.status
    assert not driver.scene._can_go_on


def test_a_tournament_is_set_up_with_openings_a_test_and_adjudication(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("f5d6c3\n")
    plan = proposed_settings(SPEC)
    plan.results, plan.openings, plan.adjudicate, plan.sprt = "", str(tmp_path / "openings.txt"), 12, 50
    assert plan.config().tournament.sprt is None  # there is no test of three players
    plan.forms = plan.forms[:2]
    settings = plan.config().tournament
    assert (settings.opening_book, settings.adjudicate, settings.sprt) == (("f5d6c3",), 12, SprtConfig(0, 50))
    plan.openings = "Tiger: 2; f5d6c4"
    assert plan.config().tournament.opening_book == ("f5d6c3d3c4", "f5d6c3d3c4", "f5d6c4")
    plan.opening_plies = 4
    with pytest.raises(ConfigError, match="cannot be combined"):
        plan.config()


def test_an_adjudicated_game_is_no_forfeit(state: TournamentState) -> None:
    over = replace(record(1, "black"), reason=ADJUDICATED)
    state.take([GameFinished(over)], 1.0, is_paused=False)
    assert state.forfeited is None
    shown = LiveGame(1, ("A", "B"), over.replayed(), 0.0, 0.0, over)
    assert standings_text.live(shown, is_last=True).note == "Black wins, adjudicated"


def verdict(standings: Standings, config: Config = CONFIG) -> str:
    state = TournamentState(Experiment(config), 0.0)
    state.take([StandingsShown(analyse(standings))], 1.0, is_paused=False)
    return standings_text.verdict(state, config, is_stopped=False)


def swapped_games(won: int, games: int) -> Standings:
    """Return standings with pairs of games, colours swapped, of which A has won the first."""
    standings = Standings("AB")
    for number in range(1, games + 1):
        black, white = "AB" if number % 2 else "BA"
        result = "black" if (black == "A") is (number <= won) else "white"
        standings.add(replace(record(number, result), series=(number + 1) // 2, black=black, white=white))
    return standings


@pytest.mark.parametrize(
    ("won", "games", "words"),
    [
        (6, 6, "A leads with 6 of 6 points. {unclear} About 3 more games like these would show it."),
        (4, 6, "A leads with 4 of 6 points. {unclear} About 69 more games like these would show it."),
        (11, 20, "A leads with 11 of 20 points. {unclear} About 690 more games like these would show it."),
        (80, 80, "A leads with 80 of 80 points. A is stronger than B."),
        (3, 6, "A and B are equal. {unclear}"),
    ],
)
def test_the_verdict_depends_on_the_games_and_names_how_many_more_are_needed(won: int, games: int, words: str) -> None:
    unclear = "These games do not show that A is stronger than B."
    assert verdict(swapped_games(won, games)) == words.format(unclear=unclear)


def test_the_verdict_names_proved_differences_first() -> None:
    standings = Standings("ABC")
    pairs = [("A", "B")] * 3 + [("A", "C")] * 40 + [("B", "C")] * 3
    for number, (black, white) in enumerate(pairs, 1):
        standings.add(replace(record(number, "black"), black=black, white=white))
    text = verdict(standings, replace(CONFIG, players=tuple(configure("random", name=name) for name in "ABC")))
    assert text.startswith("A leads with 43 of 43 points. A is stronger than C. These games do not show that A is")


def test_more_rounds_follow_a_finished_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    document = {"game_type": "tournament", "game_repetitions": 2, "players": [{"player_type": "random"}] * 2}
    (tmp_path / "games.config.json").write_text(json.dumps(document))
    with closing(TournamentHandle(replace(config_for(tmp_path, 2), seed=7))) as handle:
        for rounds, games in ((0, 4), (3, 10)):
            if rounds:
                handle.resume(rounds)
            handle.tournament.start()
            wait_until(lambda: any(isinstance(event, TournamentEnded) for event in handle.tournament.events()), 120.0)
            assert [record.game for record in ResultsReader(path)] == [*range(1, games + 1)]
    assert json.loads((tmp_path / "games.config.json").read_text())["game_repetitions"] == 5
    assert resumed(path).game_repetitions == 5


def test_up_to_twelve_players_are_added_each_one_level_stronger(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, players=make_judge)
    dialog = driver.open("tournament")

    def players(*changes: str) -> list[Any]:
        for name in changes:
            dialog.on_control_changed(name, True)
        driver.use(("rules.empty_squares", "to_winner"))
        found = (each.name for each in driver.panels(Select))
        return [driver.widget(name, Select).value for name in found if name.endswith(".player_type")]

    assert players("add", "add", "player1.remove") == ["level.2", "level.4", "level.5", "level.6"]
    assert players(*["add"] * 8)[-6:] == ["level.8", "level.9", *["level.10"] * 4]
    assert not driver.has("add")
    start = dialog.on_control_changed("start", True)
    assert isinstance(start, gui.StartTournament)
    assert ("empty_squares", "to_winner") in start.config.game.options
    assert len(players(*["player0.remove"] * 10)) == 2
    assert not driver.has("player0.remove"), "a tournament needs two players"


def test_more_rounds_are_proposed_for_computers_only() -> None:
    found = analyse(swapped_games(4, 6))
    assert standings_text.more_rounds(found, CONFIG) == (23, 69)
    assert standings_text.more_rounds(found, replace(CONFIG, tournament=TournamentConfig("paired"))) == (34, 68)
    assert standings_text.more_rounds(analyse(Standings("AB")), CONFIG) == (0, 0)
    person = (configure("user", name="A"), PLAYERS[1])
    assert standings_text.more_rounds(found, replace(CONFIG, players=person)) == (0, 0)


def test_a_finished_tournament_offers_more_games_and_lists_those_of_a_pair(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_text, "more_rounds", lambda *_: (2, 4))
    players = tuple(configure("random", name=name) for name in "ABC")
    driver = open_tournament(replace(config_for(tmp_path, 3), players=players))
    driver.until_end()
    button = driver.widget("more", Button)
    assert (button.label, button.command) == ("Play 4 more games", gui.ResumeTournament(2))
    assert not any(map(driver.has, ("hold", "stop")))
    table, rect = driver.panel(CrossTable), driver.placed("cross").rect
    canvas = PaintContext(pygame.Surface((1, 1)), driver.scene.style, rect, input=InputContext(driver.scene.window))
    points = [(x, y) for x in range(rect.left, rect.right, 6) for y in range(rect.top, rect.bottom, 6)]
    cells = {pair: at for at in points if (pair := table.pair_at(at, canvas)) is not None}
    assert set(cells) == {(one, other) for one in "ABC" for other in "ABC" if one != other}
    driver.click(cells["A", "C"])
    dialog = driver.dialog(GamesDialog)
    assert dialog.title == "A – C"
    driver.until(lambda: "6 games" in driver.words())
    items = driver.widget("rows", ListView).items
    assert {item.label.split("·")[1].strip() for item in items} == {"A – C", "C – A"}
    command = dialog.on_control_changed("open", True)
    assert isinstance(command, gui.OpenListed)
    assert {*command.parsed.players} == {"A", "C"}
    driver.keys("Esc", "l")
    driver.until(lambda: "18 games" in driver.words())


def test_pauses_do_not_count_as_time(state: TournamentState) -> None:
    state.take([GameFinished(record(1, "black"))], 2.0, is_paused=False)
    state.take([], 100.0, is_paused=True)
    assert (state.games_per_second, state.seconds_left) == (0.5, 4.0)
    state.take([GameFinished(record(2, "black")), TournamentEnded()], 102.0, is_paused=False)
    assert state.share == pytest.approx(2 / 3)


def controller(folder: Path, *opponents: str, format: str = "best_of_3", series_per_pair: int = 1) -> Config:
    """Return a tournament of the user and computers, which play at random against each other."""
    config = config_for(folder, 1)
    tournament = replace(config.tournament, format=format, series_per_pair=series_per_pair)
    players = (PERSON, *map(computer, opponents))
    return replace(config, players=players, tournament=tournament, move_delay_seconds=0.0)


@pytest.mark.slow
def test_the_user_plays_all_own_games_and_computers_the_rest(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(controller(tmp_path, "first", "second", format="paired"))
    shown = []
    for game in range(4):
        session = driver.play_game()
        shown.append((*(player.name for player in session.players.values()), driver.game_screen.occasion[-1]))
        assert f"Game {game % 2 + 1} of 2" in driver.game_screen.occasion[0]
        driver.key(pygame.K_RETURN)  # back to the standings
    pairs = [("user", "first"), ("first", "user"), ("user", "second"), ("second", "user")]
    assert shown == [(*pair, f"Game {game % 2 + 1} of 2") for game, pair in enumerate(pairs)]
    driver.until_end()
    assert sum(float(row.cells[2]) for row in driver.standings.rows) == 6
    assert "Last games" in driver.words()
    assert driver.panel(ProgressBar).share == 1.0
    assert len(list(ResultsReader(tmp_path / "games.jsonl"))) == 6


def test_the_score_is_shown_between_the_games_and_after_a_stop(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(controller(tmp_path, "first"), MINIMUM_SIZE)
    driver.until_invited()
    assert {"Your next game", "0 of at most 3 games"} <= set(driver.words())
    (invited,) = driver.live
    assert (invited.black, invited.white) == ("You", "first")
    assert (invited.note, invited.score) == ("Game 1 of at most 3", "0 : 0")
    assert "Press Enter to start your game" in driver.status
    session = driver.play_game()
    assert {"Continue", "Show board"} <= set(driver.words())
    assert not {"Play again", "Review"} & set(driver.words()), "other games follow"
    driver.press("new")  # "Continue"
    driver.until_invited()
    (invited,) = driver.live
    assert (invited.white, invited.note) == ("You", "Game 2 of at most 3")
    assert invited.score == {Color.BLACK: "0 : 1", Color.WHITE: "1 : 0", None: "0.5 : 0.5"}[session.referee.winner]
    driver.stop()
    driver.until_end()
    assert "No game was played." not in driver.words()
    assert [(live.black, live.white) for live in driver.live] == [("You", "first")]


def test_an_invited_user_sees_the_series_and_can_only_stop(open_tournament: OpenTournament, tmp_path: Path) -> None:
    config = controller(tmp_path, "first", "second", format="gauntlet_of_3", series_per_pair=3)
    driver = open_tournament(config, (1280, 736))
    driver.until(lambda: driver.status == "Press Enter to start your game.")
    driver.keys("Space")
    assert not driver.scene.tournament.control.is_paused
    driver.stop()
    driver.until_end()
    assert driver.status == "Stopped before the first game ended."
    driver.keys("Enter")
    assert driver.scene.game_screen is None


def test_the_config_file_of_a_tournament_stays_only_if_a_game_has_begun(tmp_path: Path) -> None:
    config = controller(tmp_path, "first")
    assert config.output_file is not None
    beside, unfinished = config_path_of(config.output_file), tmp_path / "games.jsonl.unfinished"
    for has_begun in (False, True):
        with closing(TournamentHandle(config, "{}")):
            with pytest.raises(OutputError, match="another program is using it"):
                TournamentHandle(config, "of another window")
            assert beside.read_text() == "{}"
            if has_begun:
                unfinished.write_text("{}")
        assert beside.exists() == has_begun
    TournamentHandle(replace(config, existing_output=ExistingOutput.OVERWRITE), "{}").close()
    assert not unfinished.exists(), "its results are overwritten"


def test_a_tournament_game_has_no_undo_and_shows_standings(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(controller(tmp_path, "first"))
    session, game_screen = driver.begin_game(), driver.game_screen
    driver.resize((1000, 700))
    assert game_screen.window.size == driver.scene.window.size == (1000, 700)
    driver.type("d3")
    driver.until(lambda: session.game.ply == 2)
    for button in ("undo", "swap", "hand_white", "new"):
        driver.press(button)
    driver.keys("Ctrl+Z", "F2", "Ctrl+N")
    assert session.game.ply == 2
    assert session.players[Color.BLACK].is_user
    assert driver.scene.session is session
    driver.keys("Ctrl+Shift+T")
    assert driver.active_screen is not game_screen
    driver.until(lambda: "Your game" in driver.words())
    (shown,) = driver.live
    assert shown.board.position == session.game.position
    driver.keys("Enter")
    assert driver.active_screen is game_screen
    assert game_screen.base_context is Context.TOURNAMENT_GAME
    driver.press("standings")
    driver.stop()
    driver.until_end()
    assert driver.scene.game_screen is None


@pytest.mark.slow
def test_a_closed_tournament_continues_its_unfinished_game(open_tournament: OpenTournament, tmp_path: Path) -> None:
    """Close the tournament in its second game, then play both series to the end."""
    config = controller(tmp_path, "first", series_per_pair=2)
    driver = open_tournament(config)
    driver.play_game()
    occasions = {driver.game_screen.occasion[-1]}
    driver.keys("Enter")
    session = driver.begin_game()
    driver.until(lambda: session.awaits_user)
    driver.type(session.game.text_of(session.game.legal_moves()[0]))
    driver.until(lambda: session.game.ply >= 2 and session.awaits_user)
    driver.keys("Ctrl+Q")
    assert driver.scene.active_screen.wants_to_quit
    driver.close()
    again = open_tournament(config := replace(config, existing_output=ExistingOutput.RESUME))
    assert again.games == 1
    again.until(lambda: "Your game" in again.words())
    (shown,) = again.live
    assert shown.board.position == session.game.position
    assert "return to your game" in again.status
    resumed = again.begin_game()
    assert resumed.game.moves == session.game.moves
    spent = session.history.tree.known(session.game).clock.spent
    assert sum(spent) > 0
    assert resumed.referee.clock.spent == pytest.approx(spent, abs=0.001)
    again.close()
    third = open_tournament(config)
    following = third.scene.state
    while not third.scene.is_complete:
        third.play_game()
        occasions.add(third.game_screen.occasion[-1])
        third.press("standings")
        third.until(lambda: following.invitation is not None or following.end is not None)
    assert {f"Series {series} of 2 · Game {game} of at most 3" for series in (1, 2) for game in (1, 2)} <= occasions
    _, second, *_ = records = [*ResultsReader(tmp_path / "games.jsonl")]
    assert second.transcript.startswith(format_transcript(session.game))
    assert [record.game for record in records] == sorted({record.game for record in records})
    third.turn()
    third.close()
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.parametrize(
    ("change", "opening", "moves"),
    [({}, "", "f5d6"), ({}, "f5", "f5d6"), ({}, "d3", "d3"), ({"number": 3}, "", ""), ({"experiment": "b"}, "", "")],
)
def test_an_unfinished_game_continues_the_same_game(
    tmp_path: Path, change: dict[str, Any], opening: str, moves: str
) -> None:
    tree = GameTree.of(parse_transcript("f5d6", RULES), PositionData())
    document = {"experiment": "a", "number": 2, "game": document_of(GameFile(tree))}
    (tmp_path / "games.jsonl.unfinished").write_text(json.dumps(document))
    job = replace(GameJob(2, 1, (PLAYERS[0], PLAYERS[1]), SPEC, 1, experiment="a"), **change)
    left = UnfinishedGame(tmp_path / "games.jsonl").begin(job, parse_transcript(opening, RULES))
    assert format_transcript(left.game if isinstance(left, GameTree) else left) == moves


def test_a_damaged_unfinished_game_is_set_aside(
    open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    config, path = controller(tmp_path, "first"), tmp_path / "games.jsonl.unfinished"
    path.write_text("{", encoding="utf-8")
    session = (driver := open_tournament(config)).begin_game()
    assert (tmp_path / "games.jsonl.damaged.unfinished").exists()
    driver.unfinished.close()
    assert json.loads(path.read_text(encoding="utf-8"))["game"]["moves"] == []
    monkeypatch.setattr(unfinished, "set_aside", Mock(side_effect=OutputError("the disk is full")))
    path = tmp_path / "other.jsonl.unfinished"
    path.write_text("{", encoding="utf-8")
    with closing(UnfinishedGame(tmp_path / "other.jsonl")) as other:
        assert other.seed("") is None
        other.keep(session.history)
    assert path.read_text(encoding="utf-8") == "{"
    assert "the disk is full" in caplog.text
    path.write_text('{"experiment": "", "number": 1}', encoding="utf-8")
    job, start = GameJob(1, 1, (PLAYERS[0], PLAYERS[1]), SPEC, 1), Game.new(RULES)
    assert UnfinishedGame(tmp_path / "other.jsonl").begin(job, start) is start, "the file contains no game"


def test_the_opponent_stops_searching_with_the_tournament(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(controller(tmp_path, "slow"))
    session = driver.begin_game()
    driver.type("d3")
    driver.until(lambda: session.worker.started_at is not None)
    driver.press("standings")
    driver.stop()
    driver.until_end()
    assert driver.scene.game_screen is None
    driver.until(lambda: not driver.worker.poll() and not driver.worker.is_busy)
