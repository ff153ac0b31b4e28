"""`othello --terminal`: questions, output, commands and exit."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from othello.cli.terminal import board
from othello.cli.terminal_input import Lines, questions
from othello.config import Config
from othello.config_file import entry_of, load
from othello.errors import CommandError
from othello.game import AnyGame
from othello.play.session import Session
from othello.players.player_registry import configure
from othello.records.results import ResultsReader
from othello.rules.protocol import Color, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of
from tests.command_line import RANDOM, CommandLine, write_config
from tests.golden.dialogues import assert_answers
from tests.positions import random_game_of
from tests.rule_sets import every_spec, names

USER = {"player_type": "user"}
EACH_GAME = pytest.mark.parametrize("game", GAMES)
RULE_SETS = [rules_of(spec) for spec in every_spec()]
Play = Callable[..., str]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> Play:
    """Type some lines in a game, and return the output."""

    def play(*lines: str, players: Any = (USER, USER), **settings: Any) -> str:
        config = write_config(tmp_path, players=players, **{"seed": 1, **settings})
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr("othello.cli.terminal._POLL_SECONDS", 0.001)
        monkeypatch.setattr("othello.cli.terminal.end_process", int)  # it would end the tests if a player hangs
        return re.sub(r"(?m)^preparing .*\n", "", cli("--terminal", "--allow-programs", "--config", config))

    return play


def typed(game: AnyGame) -> list[str]:
    """Return the moves as people type them."""
    texts = zip(game.moves, game.at(0).texts_of(game.moves), strict=True)
    return [text for move, text in texts if not game.rules.is_pass(move)]


@EACH_GAME
def test_two_people_play_a_game_to_its_end(game: str, play: Play, tmp_path: Path) -> None:
    played = random_game_of(rules_of(game_spec(game)), 1)
    file = tmp_path / "games.jsonl"
    output = play(*typed(played), game=game, output_file=str(file))
    assert output.count("plays") == len(typed(played))
    outcome = played.outcome
    assert outcome is not None
    assert ("wins" if outcome.winner is not None else "a draw") in output
    (record,) = ResultsReader(file)
    assert record.winner is outcome.winner


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_game_that_cannot_be_recorded_is_announced(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.symlink_to("/dev/full")
    output = play("a1", "a2", "b1", "b2", "c1", "quit", game="tictactoe", output_file=str(file))
    assert output.count("the disk is full") == 1


def test_a_computer_answers_an_offered_draw(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    players = USER, RANDOM
    assert "Random declines the draw: it is too early." in play("draw", "quit", players=players)
    monkeypatch.setattr(Session, "draw_refusal", "")
    assert "game 1: Draw agreed\n" in play("b2", "draw", "quit", players=players, game="tictactoe")


@pytest.mark.parametrize("rules", RULE_SETS, ids=names(RULE_SETS))
def test_a_board_fits_on_a_small_screen(rules: Rules[Position]) -> None:
    game = random_game_of(rules, 1)
    for shown in (game, game.at(0), game.at(game.ply // 2)):
        lines = board(shown).plain.split("\n")
        assert max(map(len, lines)) < 80
        assert len(lines) <= 19, "there is room for the prompt and messages"
        marks = rules.owners(shown.position)
        for color, sign in zip(Color, "XO", strict=True):
            assert "".join(lines[1:]).count(sign) == marks.count(color)


def asked(*answers: str) -> Config:
    """Return the config that results from these answers."""
    path = Path("config.json")
    return load(path, questions(load(path), Lines(io.StringIO("".join(f"{answer}\n" for answer in answers)))))


def test_numbers_of_any_length_are_refused() -> None:
    long = "9" * 5000
    config = asked(long, "tictactoe", long, f"size={long}", "", "engine", long, "3", "", "")
    assert (config.game, config.players[1].strength) == (game_spec("tictactoe"), {"level": 3})


def test_sessions_and_questions_print_the_golden_words(
    play: Play, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    def answer(question: str) -> str:
        settings, _, lines = question.partition(" | ")
        if settings == "questions":
            capsys.readouterr()
            config = asked(*lines.split(","))
            return f"{capsys.readouterr().out}\n{config.game} {list(map(entry_of, config.players))}"
        return re.sub(r"(?m), \d\.\d\d s$", "", play(*lines.split(), **json.loads(settings)))

    assert_answers("terminal.txt", answer)


@pytest.mark.parametrize("before", [[], ["tictactoe"], ["", "1"], ["", "", ""]])
@pytest.mark.parametrize("word", ["quit", "Q", "exit"])
def test_quit_leaves_at_every_question(before: list[str], word: str) -> None:
    with pytest.raises(SystemExit) as exit_:
        asked(*before, word)
    assert not exit_.value.code


def test_lines_of_a_pipe_are_read_as_they_come() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader) as file:
        lines = Lines(file)
        assert (lines.is_interactive, lines.next(0.0)) == (False, None)
        for written, read in ((b"b2\nsw", ["b2", None]), (b"ap\xff\n\nr", ["swap\ufffd", "", None]), (b"edo", [None])):
            os.write(writer, written)
            assert [lines.next(0.0) for _ in read] == read
        os.close(writer)
        assert lines.next() == "redo"
        with pytest.raises(EOFError):
            lines.next()


def test_a_config_leads_to_no_questions() -> None:
    config = Config((configure("user"), configure("random")))
    assert questions(config, Lines(io.StringIO())) == {}
    with pytest.raises(CommandError, match="the input ended"):
        asked("tictactoe")


def read_until(process: subprocess.Popen[bytes], *words: str) -> str:
    """Read until these words have appeared in this order, and return the output."""
    assert process.stdout is not None
    shown = b""
    while not re.search(".*".join(map(re.escape, words)), shown.decode("utf-8", "replace"), re.DOTALL):
        part = os.read(process.stdout.fileno(), 1000)
        assert part, shown.decode()
        shown += part
    return shown.decode()


def test_a_person_at_a_real_terminal(tmp_path: Path) -> None:
    """Play and press Ctrl-C in a terminal without colours and a display."""
    pytest.importorskip("pty")
    config = write_config(tmp_path, players=[USER, RANDOM], game="tictactoe")
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    with subprocess.Popen(
        [sys.executable, "-c", script, sys.executable, "-m", "othello", "--terminal", "--config", str(config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment | {"NO_COLOR": "1", "TERM": "xterm"},
        bufsize=0,
    ) as terminal:
        try:
            assert terminal.stdin is not None
            read_until(terminal, "your move (or help)>")
            terminal.stdin.write(b"b2\nz9\n")  # the second line while the computer thinks
            shown = read_until(terminal, "O (white) plays", "“z9” is not a move", "your move (or help)>")
            assert not any(color in shown for color in ("\x1b[3", "\x1b[1;3", "\x1b[2;3"))
            terminal.stdin.write(b"\x03")
            assert terminal.wait(60) == 130
        finally:
            terminal.kill()


@pytest.mark.usefixtures("restored_language")
def test_the_language_is_that_of_the_system(play: Play, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    monkeypatch.setenv("LC_ALL", "pl_PL.UTF-8")
    output = play("help", "a1", "z9", "b2", "moves", "quit", game="tictactoe")
    assert "X (czarne): ruch a1" in output
    assert "„z9” to nie ruch; ruchy to pola od a1 do c3" in output
    assert "cofnij swój ostatni ruch" in output
    assert not re.search(r"\b(your|move|is|not|the)\b", output)
    assert cli.error("--config", "absent.json", "--headless") == "othello: absent.json: nie ma takiego pliku\n"
    assert "gra [othello]:" in cli("--terminal", status=2).lower()
