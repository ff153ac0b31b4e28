"""A tournament in which the user plays, driven by real events on a virtual display."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello.config import Config, ExistingOutput
from othello.errors import OutputError
from othello.gui.actions import Context
from othello.gui.dialogs.tournament_setup import config_path_of
from othello.gui.platform.window import MINIMUM_SIZE
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.records.results import ResultsReader
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color
from tests.golden.screens import draw
from tests.gui.tournament_driver import OpenTournament, config_for
from tests.play.fake_players import PERSON, computer


def controller(folder: Path, *opponents: str, format_: str = "best_of_3") -> Config:
    """Return a tournament of the user and computers, which play at random against each other."""
    config = config_for(folder, 1)
    tournament = replace(config.tournament, format=format_)
    players = (PERSON, *map(computer, opponents))
    return replace(config, players=players, tournament=tournament, move_delay_seconds=0.0)


@pytest.mark.slow
def test_the_user_plays_one_game_after_another_and_computers_play_the_rest(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    driver = open_tournament(controller(tmp_path, "first", "second", format_="paired"))
    shown = []
    for game in range(4):
        session = driver.play_game()
        shown.append(
            (session.players[Color.BLACK].name, session.players[Color.WHITE].name, driver.game_screen.occasion[-1])
        )
        assert f"Game {game % 2 + 1} of 2" in driver.game_screen.occasion[0]
        driver.key(pygame.K_RETURN)  # back to the standings
    assert shown == [
        ("user", "first", "Game 1 of 2"),
        ("first", "user", "Game 2 of 2"),
        ("user", "second", "Game 1 of 2"),
        ("second", "user", "Game 2 of 2"),
    ]
    driver.until_end()
    assert sum(float(row.cells[2]) for row in driver.standings.rows) == 6
    assert "Last games" in driver.words()
    assert driver.share == 1.0
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


def test_an_invitation_names_the_series_and_only_games_that_are_played(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    config = controller(tmp_path, "first", "second", format_="gauntlet_of_3")
    driver = open_tournament(replace(config, tournament=replace(config.tournament, series_per_pair=3)), (1280, 736))
    driver.until(lambda: driver.status == "Press Enter to start your game.")
    assert {"Series 1 of 3", "Game 1 of at most 3"} <= set(draw(driver)[0])


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


def test_an_invited_user_can_stop_but_not_pause(open_tournament: OpenTournament, tmp_path: Path) -> None:
    driver = open_tournament(controller(tmp_path, "first"))
    driver.until_invited()
    driver.keys("Space")
    assert not driver.scene.tournament.control.is_paused
    driver.stop()
    driver.until_end()
    assert driver.status == "Stopped before the first game ended."
    driver.keys("Enter")
    assert driver.scene.game_screen is None


def test_a_tournament_game_has_no_undo_and_the_standings_can_be_shown(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
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
def test_a_closed_tournament_continues_with_its_next_game(open_tournament: OpenTournament, tmp_path: Path) -> None:
    config = controller(tmp_path, "first", format_="paired")
    driver = open_tournament(config)
    driver.play_game()
    driver.keys("Enter")
    driver.begin_game()
    driver.keys("Ctrl+Q")
    assert driver.scene.active_screen.wants_to_quit
    driver.close()
    again = open_tournament(replace(config, existing_output=ExistingOutput.RESUME))
    assert again.games == 1
    again.play_game()
    assert again.game_screen.occasion[-1] == "Game 2 of 2"
    again.keys("Enter")
    again.until_end()
    assert [record.game for record in ResultsReader(tmp_path / "games.jsonl")] == [1, 2]


@pytest.mark.slow
def test_an_unfinished_game_continues_with_its_moves_and_times(open_tournament: OpenTournament, tmp_path: Path) -> None:
    """Close the tournament in its first game, without results, then play both series to the end."""
    config = controller(tmp_path, "first")
    config = replace(config, tournament=replace(config.tournament, series_per_pair=2))
    driver = open_tournament(config)
    session = driver.begin_game()
    driver.until(lambda: session.awaits_user)
    text = session.game.text_of(session.game.legal_moves()[0])
    driver.type(text)
    driver.until(lambda: session.game.ply >= 2 and session.awaits_user)
    driver.keys("Ctrl+Q")
    driver.close()
    again = open_tournament(replace(config, existing_output=ExistingOutput.RESUME))
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
    third = open_tournament(replace(config, existing_output=ExistingOutput.RESUME))
    following = third.scene.state
    occasions = set()
    while not third.scene.is_complete:
        third.play_game()
        occasions.add(third.game_screen.occasion[-1])
        third.keys("Enter")
        third.until(lambda: following.invitation is not None or following.end is not None)
    assert {f"Series {series} of 2 · Game {game} of at most 3" for series in (1, 2) for game in (1, 2)} <= occasions
    first, *_ = ResultsReader(tmp_path / "games.jsonl")
    assert first.transcript.startswith(format_transcript(session.game))
    third.turn()
    third.close()
    assert not list(tmp_path.glob("*.unfinished"))


def test_a_damaged_unfinished_game_is_set_aside(open_tournament: OpenTournament, tmp_path: Path) -> None:
    config = controller(tmp_path, "first")
    (tmp_path / "games.jsonl.unfinished").write_text("{", encoding="utf-8")
    assert not open_tournament(config).begin_game().game.moves
    assert (tmp_path / "games.jsonl.damaged.unfinished").exists()


def test_the_opponent_stops_searching_when_the_tournament_is_stopped(
    open_tournament: OpenTournament, tmp_path: Path
) -> None:
    driver = open_tournament(controller(tmp_path, "slow"))
    session = driver.begin_game()
    driver.type("d3")
    driver.until(lambda: session.worker.started_at is not None)
    driver.press("standings")
    driver.stop()
    driver.until_end()
    assert driver.scene.game_screen is None
    driver.until(lambda: not driver.worker.poll() and not driver.worker.is_busy)
