"""Classes of users as players, in another process and in this one."""

import pickle
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from othello.errors import ConfigError, ForfeitError, OthelloError, ProgramError
from othello.game import Game
from othello.play.referee import GameJob
from othello.players.compilation import compiler
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import configure, create_player
from othello.players.python_class_player import GameView
from othello.programs.program_registry import entry_of, find, program_of
from othello.rules.protocol import Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag
from othello.tournament.executor import play_game
from tests.positions import RULES, SPEC
from tests.programs.registered import registered_class


def player_of(name: str, options: str = "", *, in_process: bool = True, game: str = "othello") -> Player:
    config = configure("python", program=registered_class(name), class_options=options, in_process=in_process)
    player = create_player(config, game_spec(game))
    player.new_game(3)
    return player


def test_a_class_plays_the_same_game_in_a_process_of_its_own() -> None:
    records = []
    compiler.end()
    before = psutil.Process().children()
    for in_process in (False, True):
        player = configure("python", program=registered_class("Greedy"), class_options="sign=-1", in_process=in_process)
        records.append(play_game(GameJob(1, 1, (player, configure("random")), SPEC, 7)))
    assert [(record.reason, record.black) for record in records] == [("", "Greedy")] * 2
    assert records[0].replayed() == records[1].replayed()
    assert psutil.Process().children() == before


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("raise", r"ZeroDivisionError: .* \(line \d+ of classes.py\)"),
        pytest.param("illegal", "z9", marks=pytest.mark.slow),
        pytest.param("nothing", "None", marks=pytest.mark.slow),
        pytest.param("crash", "ended with status 139", marks=pytest.mark.slow),
        pytest.param("exit", "ended with status 3", marks=pytest.mark.slow),
    ],
)
def test_a_faulty_class_loses_its_game(what: str, words: str) -> None:
    for in_process in (False,) if what in ("crash", "exit") else (False, True):
        player = player_of("Wrong", f"what={what}", in_process=in_process)
        with player, pytest.raises(ForfeitError, match=words):
            choose(player, Game.new(RULES))


@pytest.mark.slow
def test_a_class_that_hangs_is_ended() -> None:
    stop, before = StopFlag(), psutil.Process().children()
    with player_of("Wrong", "what=hang", in_process=False) as player:
        thinking = player.think(Game.new(RULES), stop, 0.2)
        stop.cancel()
        assert list(thinking) == []
        player.new_game(4)
    assert psutil.Process().children() == before


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("Wrong", "what=begin", "RuntimeError: no weights"),
        ("Wrong", "what", "“what” is not an option of a class"),
        ("Wrong", "2=what", "“2=what” is not an option of a class"),
        ("Wrong", "who=me", "TypeError"),
        ("Nobody", "", "has no attribute 'Nobody'"),
        ("Thinker", "depht=3", "depht: unknown key; did you mean depth"),
        ("Thinker", "depth=0", "depth: is 0; allowed: a whole number from 1 to 100"),
    ],
)
def test_a_class_that_cannot_start_is_one_line(name: str, options: str, words: str) -> None:
    with pytest.raises(OthelloError, match=words) as caught:
        player_of(name, options)
    assert "\n" not in str(caught.value)


def test_a_class_plays_the_games_that_it_declares() -> None:
    with player_of("Greedy", game="tictactoe") as player:
        assert choose(player, Game.new(rules_of(game_spec("tictactoe")))).move == 0
    with pytest.raises(ProgramError, match="does not play Connect Four"):
        player_of("Greedy", game="connect_four")


def test_a_search_that_was_stopped_does_not_stop_the_next_one() -> None:
    game, stop = Game.new(RULES).play(Move(19)), StopFlag()
    stop.time_is_up()
    with player_of("Thinker", "depth=8", in_process=False) as hosted:
        assert final_report(hosted, hosted.analyse(game, stop)).depth < 8
        assert final_report(hosted, hosted.analyse(game, StopFlag())).depth == 8


def test_reports_are_the_same_from_another_process() -> None:
    game, reports = Game.new(RULES).play(Move(19)), list[SearchReport]()
    for in_process in (False, True):
        with player_of("Thinker", "depth=2", in_process=in_process) as player:
            reports.append(final_report(player, player.analyse(game, StopFlag())))
            assert player.is_deterministic
    assert (reports[0].player, reports[0].unit, reports[0].depth) == ("python", Unit.SCORE, 2)
    assert replace(reports[0], seconds=0.0) == replace(reports[1], seconds=0.0)


@pytest.mark.slow
def test_the_end_of_a_game_is_reported_to_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = tmp_path / "diary"
    monkeypatch.setenv("OTHELLO_TEST_DIARY", str(diary))
    players = [configure("python", program=registered_class("Diarist"), in_process=here) for here in (False, True)]
    job = GameJob(1, 1, (players[0], replace(players[1], name="here")), SPEC, 7)
    record = play_game(job)
    assert record.reason == ""
    end = RULES.format_position(record.replayed().position)
    assert diary.read_text().splitlines() == [end, end]
    monkeypatch.setenv("OTHELLO_TEST_DIARY", str(tmp_path))  # cannot be written, which loses no game
    assert play_game(job).replayed() == record.replayed()
    with player_of("Diarist", in_process=False) as player, pytest.raises(ForfeitError, match="it is a folder"):
        player.game_over(Game.new(RULES))


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [True, False])
def test_no_time_passes_for_a_paused_class(in_process: bool) -> None:
    stop, found, game = StopFlag(), list[SearchReport](), Game.new(RULES)
    with player_of("Sleeper", in_process=in_process) as player:
        thread = threading.Thread(target=lambda: found.extend(player.think(game, stop, 1.0)))
        thread.start()
        time.sleep(0.1)
        stop.set_paused(True)
        time.sleep(1.5)
        stop.set_paused(False)
        thread.join(10)
    assert found[-1].move == game.legal_moves()[0]


def test_a_view_shows_the_game() -> None:
    for name in GAMES:
        game = GameView.of(game=name, seed=5)
        before = game.board
        while not game.is_over:
            after = game.play(game.moves[0])
            place = game.place(game.moves[0])
            assert place is None or after.board[place[0]][place[1]] == game.to_move
            assert after.seed != game.seed
            assert after.history == (*game.history, game.moves[0])
            assert GameView.of(game.text, name).moves == game.moves
            game = after
        assert (game.name, game.result in ("X", "O", "draw"), game.to_move in "XO") == (name, True, True)
        assert GameView.of(game=name).board == before
    assert GameView.of("-" * 27 + "OX------XO" + "-" * 27 + " X").score == {"X": 2, "O": 2}
    timed = pickle.loads(pickle.dumps(GameView.of(seconds=1.0)))
    assert 0 < (timed.seconds or 0) <= 1
    assert timed.moves == GameView.of().moves
    with pytest.raises(OthelloError):
        GameView.of().play("a1")


def test_only_a_class_is_a_python_player() -> None:
    program = find(registered_class("Greedy"))
    assert program_of("Greedy", entry_of(program)) == program
    inline_program = program_of("edax", {"command": ["edax"], "protocol": "gtp"})
    with pytest.raises(OthelloError, match="edax is an external program, not a Python class"):
        create_player(configure("python", program="edax", inline_program=inline_program), SPEC)
    for wrong in ("classes", "classes:", "os.system('x'):y", "../classes:Greedy"):
        with pytest.raises(ConfigError, match="class: is"):
            program_of("x", {"class": wrong})
