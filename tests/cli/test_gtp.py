"""`othello gtp`: the answers to other programs."""

import itertools
import random
import re
import sys
from collections.abc import Iterable, Iterator
from unittest.mock import Mock, call

import pytest

from othello.cli import main
from othello.cli.arguments import parse
from othello.cli.gtp import Gtp
from othello.cli.nboard import NBoard
from othello.cli.server import LONGEST_LINE, ServedPlayer, _Loop
from othello.game import AnyGame, Game
from othello.players.heuristic_player import HeuristicConfig
from othello.players.player import choose
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag
from tests.cli.servers import ask, program, server
from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers
from tests.player_factory import ready
from tests.positions import RULES, random_game_of

PLAYERS = (
    ("--player", "random"),
    ("--player", "heuristic", "--depth", "2"),
    ("--player", "mcts_uct", "--simulations", "60"),
    ("--player", "engine", "--level", "3"),
)


def test_known_commands_signs_and_sizes() -> None:
    gtp = server(Gtp, "--player", "random")
    assert ask(gtp, "12 na\x01me\x7f") == "=12 Othello-random\n\n"
    assert ask(gtp, "7\tboardsize  8 # as ever\x01") == "=7\n\n"
    for word in ask(gtp, "list_commands")[2:].split():
        assert ask(gtp, f"known_command {word}") == "= true\n\n"
    assert ask(gtp, "boardsize 6") == "=\n\n"
    assert ask(gtp, "gogui-rules_board").count(".") == 32
    assert ask(gtp, "reg_genmove b") != ask(gtp, "undo") == "? cannot undo\n\n"


def test_the_standard_input_is_answered_line_by_line_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pieces = [b"1 protocol_ver", b"sion\n2 name\n\n3 e", b"cho" + b"x" * LONGEST_LINE, b"y\n4 known_command quit"]
    read = Mock(side_effect=[*pieces, b""])
    monkeypatch.setattr("othello.cli.server.os", Mock(read=read))
    monkeypatch.setattr("othello.cli.server.end_process", sys.exit)
    with pytest.raises(SystemExit):
        main(["gtp", "--player", "random", "--seed", "1"])
    assert capsys.readouterr().out == "=1 2\n\n=2 Othello-random\n\n?3 unknown command\n\n=4 true\n\n"
    assert read.mock_calls == [call(0, LONGEST_LINE)] * 5


@pytest.mark.parametrize(
    ("kind", "lines", "stopped"),
    [
        (
            Gtp,
            "genmove b\n # interrupt \n3 reg_genmove w\nlz-analyze b\n2 name\nkata-analyze b\n\nlz-analyze\n",
            "yes no yes yes no",
        ),
        (NBoard, "go\nhint 2\n\nanalyze\nset depth 3\nhint 1\n", "no yes yes no"),
        (NBoard, "go\nhint 2\nPING 2\ngo\nquit\nignored\n", "yes yes yes"),
    ],
)
def test_commands_end_the_searches_before_them(
    kind: type[Gtp | NBoard], lines: str, stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = kind(ServedPlayer(parse([kind.__name__.lower(), "--player", "random"])))
    loop, found = _Loop(served, served._player), list[str]()

    def look(_: float) -> None:
        found.append(" ".join("yes" if request.stop.is_set else "no" for request in loop._searches))

    monkeypatch.setattr("othello.cli.server.os", Mock(read=Mock(side_effect=[lines.encode(), b""])))
    monkeypatch.setattr("othello.cli.server.time.sleep", look)
    loop.read()
    look(0)
    assert found == [stopped, stopped.replace("no", "yes")], "the end of the input ends all searches"


def test_answers_are_the_golden_words() -> None:
    gtp = server(Gtp, "--player", "heuristic", "--depth", "2", "--seed", "1")
    assert_answers("gtp.txt", lambda line: ask(gtp, line))


def test_the_player_learns_of_the_first_end_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    gtp, game = server(Gtp, "--player", "random"), random_game_of(RULES, 1)
    monkeypatch.setattr(gtp._player.ready(), "game_over", ended := Mock())
    moves = (f"play {game.at(ply).to_move.label} {game.at(ply).text_of(move)}" for ply, move in enumerate(game.moves))
    last = f"genmove {game.at(game.ply - 1).to_move.label}"
    for line, calls in (*((move, 0) for move in moves), ("undo", 0), (last, 1), ("undo", 1), (last, 1)):
        assert (ask(gtp, line)[0], ended.call_count) == ("=", calls)


def test_passes_may_be_left_out_and_undone() -> None:
    gtp = server(Gtp, "--player", "random")
    games = (random_game_of(RULES, seed) for seed in range(1000))
    positions = (game.at(ply) for game in games for ply in range(game.ply - 1))
    to_pass = next(game for game in positions if game.must_pass)
    passing, other = to_pass.to_move.label, to_pass.to_move.opponent.label
    for ply, move in enumerate(to_pass.moves):
        before = to_pass.at(ply)
        if not RULES.is_pass(move):
            assert ask(gtp, f"play {before.to_move.label} {before.text_of(move)}") == "=\n\n"
    assert ask(gtp, f"genmove {passing}") == "= pass\n\n"
    assert ask(gtp, "undo") == "=\n\n"
    after = to_pass.play(to_pass.legal_moves()[0])
    assert ask(gtp, f"play {other} {after.text_of(after.legal_moves()[0])}") == "=\n\n"
    assert ask(gtp, "undo") == "=\n\n"
    assert ask(gtp, "gogui-rules_side_to_move") == f"= {passing}\n\n"
    assert ask(gtp, f"play {passing} pass") == "=\n\n"


def test_a_flood_of_nonsense_gets_a_line_each() -> None:
    gtp = server(Gtp, "--player", "random")
    drawn = random.Random(1)
    words = ["play", "b", "w", "genmove", "a1", "pass", "-1", "nan", "1e99", "9" * 5000, "time_left", "time_settings"]
    words += ["boardsize", "żółw", "\N{SKULL}", "undo", "set_random_seed", "lz-analyze", "known_command", "12", "]"]
    for _ in range(500):
        line = " ".join(drawn.choices(words, k=drawn.randint(1, 4)))
        if "genmove" not in line and "lz-analyze" not in line:
            reply = ask(gtp, line)
            assert reply == "" or (reply[0] in "=?" and reply.endswith("\n\n") and reply.count("\n") == 2), line


@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_beyond_every_range_are_refused(digits: int) -> None:
    gtp, number = server(Gtp, "--player", "random"), "9" * digits
    for command in ("time_settings 10 5", "time_settings 10", "time_left b 10", "boardsize", "set_random_seed"):
        assert ask(gtp, f"{command} {number}").startswith("? ")
    assert ask(gtp, "time_settings 60 0 0") == ask(gtp, "time_left b 60 0") == "=\n\n"


class SlowPlayer(ServedPlayer):
    """Takes all the time that it gets, by a clock of its own."""

    now = 0.0
    last_seconds: float | None = None  # allotted for the last move

    def search(self, game: AnyGame, stop: StopFlag, seconds: float | None = None, **_: bool) -> Iterator[SearchReport]:
        self.last_seconds = seconds
        self.now += seconds or 0.0
        yield SearchReport("random", game.legal_moves()[0], None, (), Unit.NONE, final=True)


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> SlowPlayer:
    player = SlowPlayer(parse(["gtp", "--player", "random"]))
    monkeypatch.setattr("time.monotonic", lambda: player.now)
    return player


@pytest.mark.parametrize(("main", "period", "most"), [(60, 0, 0), (0, 10, 5), (5, 2, 1), (0, 0.2, 1), (1, 3, 25)])
@pytest.mark.parametrize("sends_time_left", [False, True])
def test_canadian_byo_yomi_is_used_and_never_exceeded(
    main: float, period: float, most: int, sends_time_left: bool, player: SlowPlayer
) -> None:
    gtp = Gtp(player)
    assert ask(gtp, f"time_settings {main} {period} {most}") == "=\n\n"
    assert player.config.clock_seconds == main + period
    left, stones = (main, 0) if main else (period, most)
    used, granted = 0.0, left
    for color in itertools.cycle("bw"):
        began = player.now
        if sends_time_left and color == "b":
            ask(gtp, f"time_left b {left} {stones}")
        assert ask(gtp, f"genmove {color}").startswith("=")
        if ask(gtp, "gogui-rules_final_result") != "= the game goes on\n\n":
            break
        if color == "b":
            used += player.now - began
            left -= player.now - began
            if left < 0 and not stones:
                left, stones, granted = left + period, most, granted + period
            assert left >= 0
            stones -= stones > 0
            if most and not stones and left < period and granted > main:
                left, stones, granted = period, most, granted + period
    assert 0.5 * granted < used
    assert ask(gtp, "time_settings 0 1 0") == ask(gtp, "clear_board") == "=\n\n"  # no limit
    assert (ask(gtp, "genmove b")[0], player.last_seconds) == ("=", None)
    gtp = Gtp(player)
    assert ask(gtp, "time_left b 60 0") == ask(gtp, "clear_board") == "=\n\n"  # also the clock of the next game
    assert (ask(gtp, "genmove b")[0], player.last_seconds) == ("=", 59.9 / 30)


@pytest.mark.parametrize(("main", "increment"), [(10, 2), (3, 1)])
def test_a_period_for_one_stone_may_be_an_increment(main: float, increment: float, player: SlowPlayer) -> None:
    gtp = Gtp(player)
    assert ask(gtp, f"time_settings {main} {increment} 1") == "=\n\n"
    left, used, granted = main, 0.0, main
    while ask(gtp, "gogui-rules_final_result") == "= the game goes on\n\n":
        if granted < 2 * main:  # later, the program has to count itself
            assert ask(gtp, f"time_left b {int(left)} 0") == "=\n\n"
        began = player.now
        assert ask(gtp, "genmove b").startswith("=")
        used += player.now - began
        left -= player.now - began
        assert left >= 0
        left, granted = left + increment, granted + increment
        assert ask(gtp, "genmove w").startswith("=")
    assert 0.6 * granted < used


def test_options_of_players_are_options_here(cli: CommandLine, capsys: pytest.CaptureFixture[str]) -> None:
    options = "--time 2.5 --depth 7 --heuristic-evaluation own --tie-break first"
    config = ServedPlayer(parse(["gtp", "--player", "heuristic", *options.split()])).config
    assert isinstance(config, HeuristicConfig)
    assert (config.time_limit_seconds, config.depth) == (2.5, 7)
    assert (config.heuristic_evaluation, config.tie_break) == ("own", "first")
    assert "mcts_exploration" in cli.error("gtp", "--mcts-exploration", "-3")
    assert "--depth" in cli.error("nboard", "--dept", "3")
    gtp = server(Gtp, "--player", "heuristic", "--level", "3")
    assert "--level" in capsys.readouterr().err
    assert ask(gtp, "name") == "= Othello-heuristic-depth-6\n\n"


def test_each_game_has_the_next_seed() -> None:
    def first_moves(gtp: Gtp) -> list[str]:
        return [ask(gtp, f"genmove {color}") for color in "bwbwbw"]

    seven, eight = (server(Gtp, "--player", "random", "--seed", seed) for seed in "78")
    first = first_moves(seven)
    assert ask(seven, "clear_board") == "=\n\n"
    assert first_moves(seven) == first_moves(eight) != first


@pytest.mark.parametrize("options", [(), ("--depth", "3")])
@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        (["time_settings 60 0 0"], 60.0),
        (["time_settings 60 0 0", "time_settings 30 0 0"], 30.0),
        (["time_settings 30 0 0", "play b f5", "time_settings 20 0 0"], 30.0),  # perhaps the time that is left
        (["play b f5", "time_settings 20 0 0"], 20.0),
    ],
)
def test_a_clock_set_last_before_the_game_or_first_during_it_replaces_other_limits(
    lines: list[str], seconds: float, options: tuple[str, ...]
) -> None:
    served = ServedPlayer(parse(["gtp", "--player", "heuristic", *options]))
    gtp = Gtp(served)
    for line in lines:
        assert ask(gtp, line) == "=\n\n"
    assert served.config.clock_seconds == seconds
    assert ask(gtp, "name") == f"= Othello-heuristic{'-depth-3' if options else ''}\n\n"


@pytest.mark.parametrize("options", [PLAYERS[:2], PLAYERS[2:]])
def test_games_by_the_protocol_are_the_games_of_the_players(options: tuple[tuple[str, ...], ...]) -> None:
    servers = [server(Gtp, *words) for words in options]
    for seed in (1, 2):
        for served in servers:
            assert ask(served, f"set_random_seed {seed}") == ask(served, "clear_board") == "=\n\n"
        players = [ready(ServedPlayer(parse(["gtp", *words])).config, seed) for words in options]
        game = Game.new(RULES)
        while not game.is_over:
            color = game.to_move
            move = choose(players[color], game).move
            text = "pass" if RULES.is_pass(move) else game.text_of(move).upper()
            assert ask(servers[color], f"genmove {color.label}") == f"= {text}\n\n"
            assert ask(servers[color.opponent], f"play {color.label} {text}") == "=\n\n"
            game = game.play(move)
        for served in servers:
            assert ask(served, f"genmove {game.to_move.label}") == "= pass\n\n"
            assert game.outcome is not None
            black, white = game.outcome.counted
            assert ask(served, "final_score") == f"= {'BW'[black < white]}+{abs(black - white)}\n\n"


def test_a_search_is_ended_by_a_comment_and_an_analysis_by_any_command() -> None:
    with program("gtp", "--player", "heuristic", "--depth", "100") as gtp:
        gtp.say("1 genmove b")
        gtp.say("# interrupt")
        assert re.fullmatch("=1 [C-F][3-6]\n", gtp.hears.readline())
        assert gtp.hears.readline() == "\n"
        for line in ("2 kata-analyze w 1", "3 lz-analyze"):
            gtp.say(line)
            gtp.until(f"={line[0]}")
            assert re.match(r"info move ([A-H][1-8]) visits \d+ scoreMean \S+ scoreLead .* pv \1", gtp.until("info")[0])
        gtp.say("9 gogui-rules_side_to_move")
        assert gtp.until("=9")[-1] == "=9 white"


@pytest.mark.parametrize(
    ("options", "command", "value", "reports"),
    [
        (("--player", "heuristic", "--depth", "4"), "kata-analyze w", r"scoreMean (\S+\.\d\d) scoreLead \2", (3, 2)),
        (PLAYERS[2], "kata-analyze", r"winrate 0\.\d{1,4}", (1, 1)),
        (PLAYERS[2], "lz-analyze", r"winrate \d{4}(\.\d\d?)?", (1, 1)),
    ],
)
def test_an_analysis_shows_the_first_and_last_report_and_one_after_each_pause(
    options: tuple[str, ...], command: str, value: str, reports: tuple[int, int]
) -> None:
    gtp = server(Gtp, *options)
    ask(gtp, "play b f5")
    for centiseconds, number in zip((0, 10**8), reports, strict=True):
        start, *lines, end = ask(gtp, f"{command} {centiseconds}").split("\n")[:-1]
        assert (start, len(lines), end) == ("=", number, "")
        for line in lines:
            assert re.match(rf"info move ([A-H][1-8]) visits \d+ {value} order 0 pv \1 .*info .* order 1 pv ", line)


class GoGui:
    """Parse answers as GoGui does in its classes GenericBoard, GoPoint, GtpUtil and AnalyzeDefinition."""

    COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
    TYPES = ("dboard", "gfx", "hstring", "plist", "pspairs", "pstring", "sboard", "string", "var", "varb", "varw")

    def __init__(self, *options: str) -> None:
        self.gtp = server(Gtp, *options)

    def send(self, command: str) -> str:
        reply = ask(self.gtp, command)
        assert reply.startswith("= ") or reply == "=\n\n", (command, reply)
        return reply[2:].removesuffix("\n\n").removesuffix("\n")

    def points(self, words: Iterable[str]) -> set[tuple[int, int] | None]:
        """Return column and row of points, from 0, row 0 lowest; None for a pass."""
        size = int(self.send("gogui-rules_board_size"))
        names = {f"{self.COLUMNS[column]}{row + 1}": (column, row) for column in range(size) for row in range(size)}
        return {None if word.upper() == "PASS" else names[word.upper()] for word in words}


@pytest.mark.parametrize("size", [8, 6])
def test_gogui_reads_the_board_and_the_legal_moves(size: int) -> None:
    gogui = GoGui("--player", "random")
    gogui.send(f"boardsize {size}")
    assert re.fullmatch("[A-Z][a-z]*", gogui.send("gogui-rules_game_id"))
    rules = rules_of(game_spec("othello", {"size": size}))
    line = random_game_of(rules, size)
    for ply, move in enumerate(line.moves):
        game = line.at(ply)
        signs = ["." if mark is None else "XO"[mark] for mark in rules.owners(game.position)]
        upper_row_first = [signs[row * size + column] for row in reversed(range(size)) for column in range(size)]
        assert re.findall(r"[XO.]", gogui.send("gogui-rules_board")) == upper_row_first, "point D3 is the square d3"
        places = {None if rules.is_pass(square) else (square % size, square // size) for square in game.legal_moves()}
        assert gogui.points(gogui.send("gogui-rules_legal_moves").split()) == places
        assert gogui.send("gogui-rules_side_to_move")[0] == "bw"[game.to_move]
        text = "PASS" if rules.is_pass(move) else f"{GoGui.COLUMNS[move % size]}{move // size + 1}"
        gogui.send(f"play {game.to_move.label} {text}")
    assert gogui.send("gogui-rules_legal_moves") == "", "by this GoGui knows that the game is over"


@pytest.mark.parametrize("options", PLAYERS[1:3])
def test_gogui_analyses(options: tuple[str, ...]) -> None:
    gogui = GoGui(*options)
    gogui.send("play b F5")
    known, labels = gogui.send("list_commands").split(), set()
    for line in gogui.send("gogui-analyze_commands").splitlines():
        kind, label, command = line.split("/")
        assert kind in gogui.TYPES
        assert command.split()[0] in known
        labels.add(label)
        words = gogui.send(command.replace("%m", "white")).split()
        if kind == "pspairs":
            legal = gogui.send("gogui-rules_legal_moves").split()
            assert set() < gogui.points(words[::2]) <= gogui.points(legal)
            assert all(re.fullmatch(r"[-+]\d+|\d+%", value) for value in words[1::2])
            assert len(words) % 2 == 0
        if kind in ("var", "plist"):
            assert gogui.points(words)
    assert len(labels) == 4
