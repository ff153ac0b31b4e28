"""Reports about results: from whole, partial, damaged, foreign and several files; and the style of players."""

import html
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

import othello
from othello.errors import ResultsError
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.tournament.plots import draw_path
from othello.tournament.replay import MEASURES, PlayingStyle
from othello.tournament.standings import summarise
from othello.tournament.tournament_report import notes, write_report
from tests.command_line import CommandLine, write_config
from tests.golden.dialogues import assert_golden
from tests.positions import RULES, random_game_of
from tests.published import played_games
from tests.rules.reference import captured
from tests.tournament.game_records import TRANSCRIPT, records, round_robin, write


@pytest.fixture
def with_plots() -> None:
    """Draw all plots, which takes the most time by far."""


@pytest.fixture(autouse=True)
def without_plots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a single empty plot, except in tests with `with_plots`."""

    def draw_nothing(_: object, __: object, folder: Path) -> dict[str, str]:
        (folder / "elo.svg").touch()
        return {}

    if "with_plots" not in request.fixturenames:
        monkeypatch.setattr("othello.tournament.plots.draw_all", draw_nothing)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a file of 40 games, of which A wins most."""
    return write(tmp_path / "games.jsonl", records())


def page_of(folder: Path, games: list[GameRecord]) -> str:
    """Write a report on games to a folder, and return its page."""
    folder.mkdir(exist_ok=True)
    write_report([write(folder / "games.jsonl", games)], folder)
    return (folder / "report.html").read_text()


class Page(HTMLParser):
    """Checks that every tag is closed, and collects what the page refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.files: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "img"):
            self.open.append(tag)
        self.files += [value for name, value in attributes if name in ("src", "href") and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.usefixtures("with_plots")
def test_a_report_names_the_stronger_player(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "page"
    write_report([results], folder)
    text = (folder / "report.html").read_text()
    page = Page(text)
    assert "A is stronger than B" in text
    assert f"Played: othello. Last game: {time.strftime('%Y-%m-%d')}" in text
    for name, caption in re.findall(r'<img src="([^"]+)" alt="([^"]+)"', text):
        assert f">{caption}<" not in (folder / name).read_text()  # the page says so, once
    plots = {f"{name}.svg" for name in ("time", "elo", "colours", "differences", "lengths", "style")}
    assert set(page.files) == {*plots, "games.txt"}
    assert all((folder / name).stat().st_size > 100 for name in page.files)
    code = re.sub(r"^ *// .*$", "", text.replace("http://www.w3.org/2000/svg", ""), flags=re.MULTILINE)
    assert "//" not in code, "a page needs no network"
    markdown = (folder / "report.md").read_text()
    assert "- A is stronger than B" in markdown
    assert set(re.findall(r"\]\(([^)]+)\)", markdown)) == set(page.files)
    for line in (folder / "games.txt").read_text().splitlines()[1:]:
        parse_transcript(line.split("\t")[-1], RULES)


def shown(axes: Any) -> str:
    """Return what a plot shows, as text."""

    def numbers(values: Any) -> str:
        return " ".join(f"{value + 0:.2f}" for value in np.ravel(values))

    legends = np.atleast_1d(axes.get_legend() or axes.figure.legends[:1])
    grid, column = axes.get_subplotspec().get_geometry(), axes.get_shared_x_axes().get_siblings(axes)
    lines = [f"{axes.get_title()}; x: {axes.get_xlabel()}; y: {axes.get_ylabel()}; {numbers(grid)} {len(column)}"]
    styles = [f"{line.get_c()} {line.get_ls()} {line.get_lw():g} {line.get_ms():g}" for line in axes.lines]
    lines += [f"line {style} {numbers(line.get_xydata())}" for style, line in zip(styles, axes.lines, strict=True)]
    lines += [f"bar {to_hex(bar.get_facecolor())} {numbers(bar.get_bbox().extents)}" for bar in axes.patches]
    lines += [f"text {text.get_text()} {text.xyann}" for text in axes.texts]
    lines += [f"legend {key.get_frame_on()} {key._ncols} {[text.get_text() for text in key.texts]}" for key in legends]
    for axis, is_automatic in ((axes.xaxis, axes.get_autoscalex_on()), (axes.yaxis, axes.get_autoscaley_on())):
        if isinstance(axis.get_major_locator(), FixedLocator) or axis.get_scale() == "log":
            low, high = sorted(axis.get_view_interval())
            ticks = [at for at in axis.get_ticklocs() if low <= at <= high]  # older versions also place others
            minor, words = axis.get_minorticklocs(), axis.get_major_formatter().format_ticks(ticks)
            lines.append(f"ticks {len(minor)} {numbers(ticks)}: {words}")
        lines.append(f"{axis.get_scale()}, {'automatic' if is_automatic else numbers(axis.get_view_interval())}")
    return "\n".join(lines)


@pytest.mark.usefixtures("with_plots")
def test_plots_show_the_golden_words_and_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = ("exploration=0.5", "exploration=1", "exploration=20", "final_move=max", "final_move=secure")
    names = [f"mcts_uct mcts_{label}" for label in labels]
    games = round_robin(pairwise([*names, "A" * 41]), 8, 0.7)
    games = [
        replace(
            game,
            black_seconds=number / 4,
            black_points=game.black_points + number % 8,
            white_points=game.white_points - number % 8,
            transcript=TRANSCRIPT[: 2 + 2 * (number % 5)],
        )
        for number, game in enumerate(games)
    ]
    parts: list[str] = []

    def show(figure: Figure, *_: object, **__: object) -> None:
        parts.extend((f"figure {figure.get_size_inches()}", *map(shown, figure.axes)))

    monkeypatch.setattr(Figure, "savefig", show)
    values = {"depth": ([2.0, 2.5, 3.0], "linear"), "exploration": ([0.1, 1.0, 20.0], "log")}
    draw_path([0, 4, 8], values, tmp_path / "path.svg")
    assert {"elo.svg", "sweep-1.svg", "sweep-2.svg"} < set(Page(page_of(tmp_path, games)).files)
    assert_golden("plots.txt", "\n\n".join(parts) + "\n")


def test_without_matplotlib_a_page_has_no_plots_and_says_so(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "othello.tournament.plots", raising=False)
    cli("report", results, "--out", tmp_path / "page")
    text = (tmp_path / "page" / "report.html").read_text()
    assert Page(text).files == ["games.txt"]
    assert "pip install matplotlib" in text
    assert "A is stronger than B" in text


@pytest.mark.slow
@pytest.mark.usefixtures("with_plots")
def test_the_same_results_make_the_same_page(results: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_report([results], tmp_path / folder)
    for made in (tmp_path / "one").iterdir():
        assert made.read_bytes() == (tmp_path / "two" / made.name).read_bytes(), made.name


NAMES = [("$\\frac{1$", "_line"), ("将棋", "👩\u200d💻"), ("x" * 100, "&lt;"), ("</script><b>", "<!--<script>")]
SLOW_NAMES = [pytest.param(names, marks=pytest.mark.slow) for names in NAMES]


@pytest.mark.parametrize("names", [('<b>"A|', "$x_1$ & [B](c)"), *SLOW_NAMES])
@pytest.mark.usefixtures("with_plots")
def test_names_cannot_break_a_page(names: tuple[str, str], tmp_path: Path) -> None:
    text = page_of(tmp_path, records(names=names))
    Page(text)
    assert "<b>" not in text
    markdown = (tmp_path / "report.md").read_text()
    assert r"\<b\>" in markdown or "<b>" not in names[0]
    for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table
    for name in names:
        assert html.escape(name) in text
        shown = name if len(name) <= 40 else "x" * 39 + "…"
        assert html.escape(shown, quote=False) in (tmp_path / "lengths.svg").read_text()


def test_a_page_is_replaced_as_a_whole_or_not_at_all(results: Path, tmp_path: Path) -> None:
    write_report([results], tmp_path / "page")
    before = {file.name: file.read_bytes() for file in (tmp_path / "page").iterdir()}
    (tmp_path / "damaged.jsonl").write_bytes(results.read_bytes() + b"{}\n")
    for folder in ("page", "new"):
        with pytest.raises(ResultsError, match="line 41"):
            write_report([tmp_path / "damaged.jsonl"], tmp_path / folder, overwrite=True)
    assert {file.name: file.read_bytes() for file in (tmp_path / "page").iterdir()} == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["games.txt", "report.md", "report.html", "elo.svg"])
def test_files_are_only_replaced_on_request(name: str, results: Path, tmp_path: Path, cli: CommandLine) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / name).write_text("mine")
    assert f"{page / name}: already exists" in cli.error("report", results, "--out", page)
    assert [(file.name, file.read_text()) for file in page.iterdir()] == [(name, "mine")]
    cli("report", results, "--out", page, "--overwrite")
    assert (page / name).read_text() != "mine"


def test_characters_that_a_terminal_lacks_are_escaped(tmp_path: Path) -> None:
    file = write(tmp_path / "games.jsonl", records(names=("żółw", "B")))
    ran = subprocess.run(
        [sys.executable, "-m", "othello", "report", str(file)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"\\u017c\\xf3\\u0142w is stronger than B" in ran.stdout


def data_of(page: str) -> dict[str, Any]:
    """Return the data that the script of a page reads."""
    (data,) = re.findall(r'class="games">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)  # type: ignore[no-any-return]


def test_a_page_replays_games_on_a_board(tmp_path: Path) -> None:
    """Decode the positions of the page as its script does, and compare them with those of the rules."""
    transcripts = [played.transcript for played in played_games()]
    games = [replace(record, transcript=moves) for record, moves in zip(records(36), transcripts, strict=True)]
    data = data_of(page_of(tmp_path, games))
    (board,) = data["boards"]
    assert (board["columns"], board["rows"]) == (8, 8)
    assert "".join(board["columnNames"] + board["rowNames"]) == "abcdefgh12345678"
    for transcript, shown in zip(transcripts, data["games"], strict=True):
        game = parse_transcript(transcript, RULES)
        assert [RULES.parse_move(RULES.start(), move) for move in shown["moves"].split(" ")] == list(game.moves)
        assert shown["squares"] == [[] if RULES.is_pass(move) else [move] for move in game.moves]
        assert shown["scores"].split(",")[0] == "2 : 2"
        owners: list[Color | None] = [None] * 64
        for word, position in zip(shown["changes"].split(","), game.positions, strict=True):
            for figures in re.findall("..", word):
                square, owner = divmod(int(figures, 36), 3)
                owners[square] = (None, Color.BLACK, Color.WHITE)[owner]
            assert tuple(owners) == RULES.owners(position)


def test_games_without_discs_show_no_disc_counts(tmp_path: Path) -> None:
    row = replace(records(1)[0], transcript="a1 b1 a2 b2 a3", game_name="tictactoe", black_points=1, white_points=0)
    games = [replace(row, result="black"), replace(records(2)[1], series=7)]
    page = page_of(tmp_path, games)
    data = data_of(page)
    assert [(game["score"], game["note"]) for game in data["games"]] == [("", "A wins."), ("24 : 40", "A wins.")]
    assert [(board["columns"], board["areTurned"]) for board in data["boards"]] == [(3, False), (8, True)]
    assert [game["board"] for game in data["games"]] == [0, 1]
    assert "Different games are counted together: othello, tictactoe." in page


@pytest.mark.parametrize(
    ("name", "moves", "counted"),
    [("othello", TRANSCRIPT, "discs"), ("tictactoe", "a1 b1 a2 b2 a3", ""), ("ultimate_tictactoe", "1,1", "boards")],
)
def test_a_report_names_the_game_points(name: str, moves: str, counted: str, tmp_path: Path, cli: CommandLine) -> None:
    record = replace(records(1)[0], transcript=moves, game_name=name, black_points=1, white_points=0)
    file = write(tmp_path / "games.jsonl", [record])
    for text in (cli("report", file, "--out", tmp_path), (tmp_path / "report.html").read_text()):
        assert ("balance" in text) == bool(counted)
        for word in ("discs", "boards"):
            assert (f"{word} won" in text) == (word == counted)


def test_a_report_limits_the_games_that_it_replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello.tournament.replay._MAX_GAMES", 5)
    games = records(8)
    games[1] = replace(games[1], transcript="a1")
    games[2] = replace(games[2], transcript="f5f5")
    page = page_of(tmp_path, games)
    assert [shown["number"] for shown in data_of(page)["games"]] == [1, 4, 5, 6, 7]
    assert "The first 5 games are here; the file below has 1 more." in page
    assert "2 games cannot be replayed" in page


def test_games_of_the_same_two_players_stand_together(tmp_path: Path) -> None:
    games = [
        replace(record, game=2 * record.game - place, series=2 * record.series - place)
        for number in range(4)
        for place, names in enumerate((("A", "B"), ("A", "C")))
        for record in records(4, names=names)[number : number + 1]
    ]
    shown = data_of(page_of(tmp_path, games))["games"]
    assert ["".join(sorted(game["players"])) for game in shown] == ["AB"] * 4 + ["AC"] * 4


def test_figures_of_another_experiment_are_shown(results: Path, tmp_path: Path, cli: CommandLine) -> None:
    figures = {"points": 27.5, "discs_won": 1_062_317, "discs_lost": 856, "balance": 206, "seconds": 127.81}
    theirs = {"A": figures, "black": {kind: figure + 4000 for kind, figure in figures.items()}}
    compare = {"label": "theirs", "players": theirs}
    players = [{"player_type": "random", "name": name} for name in "AB"]
    file = write_config(tmp_path, game_type="tournament", players=players, tournament={"compare": compare})
    out = cli("report", results, "--config", file, "--out", tmp_path / "page")
    pages = (tmp_path / "page" / "report.md").read_text(), (tmp_path / "page" / "report.html").read_text()
    for text in (out, *pages):
        assert all(text.count(f"{kind.replace('_', ' ')} (theirs)") == 2 for kind in figures)
        assert all(figure in text for figure in ("27.5", "1062317", "856", "+206", "127.81"))
        assert all(figure in text for figure in ("4027.5", "1066317", "4856", "+4206", "4127.81"))
    assert "theirs" not in cli("report", results)
    compare = {"label": "theirs", "players": {"A": {"points": 1}}}
    write_config(tmp_path, game_type="tournament", players=players, tournament={"compare": compare})
    assert cli("report", results, "--config", file).count("(theirs)") == 1


def test_notes_mention_several_experiments_and_versions_and_forfeits(tmp_path: Path) -> None:
    other = [replace(record, experiment="8-def", version="9.0") for record in records(4)]
    lost = GameRecord(black="A", white="B", black_points=5, white_points=9, result="black", reason="white hangs")
    files = write(tmp_path / "a.csv", records(4)), write(tmp_path / "b.csv", other), write(tmp_path / "c.csv", [lost])
    summary = summarise(files)
    assert summary.standings.games == 9
    experiments, versions, forfeit = notes(summary)
    assert "3 experiments" in experiments
    assert versions.endswith(f"{othello.__version__}, 9.0.")
    assert forfeit == "Ended early: game 1: white hangs."
    assert not summarise(files[2:]).differences["A"]
    many = write(tmp_path / "many.csv", [replace(lost, game=number) for number in range(52)])
    assert notes(summarise([many]))[-2:] == ["Ended early: game 49: white hangs.", "Ended early: 2 games more."]


def test_a_cut_file_is_read_with_a_notice(results: Path, cli: CommandLine) -> None:
    results.write_bytes(results.read_bytes()[:-20])
    assert "39 games" in cli("report", results)
    assert "is incomplete and was skipped" in cli.errors


SETUP_ERROR = r"games.jsonl: line 1: setup: "


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("games.txt", "x", "allowed: .csv, .jsonl"),
        ("games.csv", "", "no games"),
        ("games.csv", "a,b\n1,2\n", "line 1"),
        ("games.jsonl", "{}\n", "line 1"),
        ("games.jsonl", "[1]", SETUP_ERROR),
        ("games.jsonl", '{"players": {"A": 5}}', SETUP_ERROR),
        ("games.jsonl", '{"sprt": {}}', SETUP_ERROR),
        ("games.jsonl", '{"sprt": {"elo0": "x", "elo1": 5}}', SETUP_ERROR),
    ],
)
def test_files_without_results(name: str, content: str, words: str, tmp_path: Path, cli: CommandLine) -> None:
    file = write(tmp_path / "games.jsonl", records(1))
    is_setup = words == SETUP_ERROR
    (tmp_path / name).write_text(file.read_text().replace("{}", content) if is_setup else content)
    assert words in cli.error("report", tmp_path / name)


def test_requests_that_cannot_be_carried_out_are_one_line(results: Path, tmp_path: Path, cli: CommandLine) -> None:
    for words in ([], [tmp_path / "absent.csv"], [tmp_path], [results, "--out", results]):
        cli.error("report", *words)
    assert "cannot be written" in cli.errors


SETUP: dict[str, Any] = {
    "players": {
        "A": {"player_type": "mcts_uct", "simulation_count": 60, "mcts_solver": None, "program": "A"},
        "B": {"player_type": "mcts_uct", "simulation_count": 20, "mcts_solver": True, "program": "B"},
    },
    "sprt": {"elo0": 0, "elo1": 200},
}
WITH_SETUP = [replace(record, setup=SETUP) for record in records()]


def test_a_report_has_the_golden_words_and_numbers(tmp_path: Path) -> None:
    games = round_robin((("A", "B"), ("C", "A"), ("B", "C"), ("D", "E")), 14, 0.75)
    games = [replace(game, black_moves=3, white_moves=2, black_seconds=n / 4) for n, game in enumerate(games)]
    games[2] = replace(games[2], result="draw", black_points=32, white_points=32)
    games[9] = replace(games[9], reason="white hangs", transcript="f5d6c4", fault="hangs")
    pages = []
    for file in (write(tmp_path / "games.jsonl", games), write(tmp_path / "setup.csv", WITH_SETUP)):
        write_report([file], tmp_path / file.stem)
        pages.append(re.sub(r"game: \d.*?\.", "game: DATE.", (tmp_path / file.stem / "report.md").read_text()))
    assert_golden("report.md", "".join(pages) + "\n")


def test_a_report_as_json(tmp_path: Path, cli: CommandLine) -> None:
    file = write(tmp_path / "games.jsonl", WITH_SETUP)
    assert file.read_text().count("simulation_count") == 2, "once per file and player"
    (report,) = cli.json("report", file, "--json")
    standings = summarise([file]).standings
    best, _ = report["players"]
    assert report["games"] == 40 == best["games"]
    assert [player["name"] for player in report["players"]] == [total.name for total in standings.ranking()]
    assert best["options"] == SETUP["players"]["A"]
    assert best["elo"]["estimate"] == standings.elo()["A"].estimate
    (pair,) = report["pairs"]
    assert (pair["players"], pair["games"], pair["stronger"], pair["is_corrected"]) == (["A", "B"], 40, "A", True)
    assert sum(pair["pentanomial"]) == 20
    assert report["sequential_test"]["accepted"] == 1
    write(tmp_path / "other.jsonl", records(2))
    assert cli.json("report", tmp_path / "other.jsonl", "--json")[0]["sequential_test"] is None


def style_record(opening_plies: int = 0) -> GameRecord:
    return GameRecord(black="A", white="B", black_points=3, white_points=3, result="draw", opening_plies=opening_plies)


def style_of(*transcripts: str, opening_plies: int = 0) -> PlayingStyle:
    style = PlayingStyle()
    for transcript in transcripts:
        style.add(style_record(opening_plies), parse_transcript(transcript, RULES))
    return style


def test_the_style_of_first_moves_by_hand() -> None:
    # f5 is one of four moves, turns e5 over and leads to 4 : 1; d6 is one of three, turns d5 and leads to 3 : 3.
    style = style_of("f5d6")
    assert (style.mean("A"), style.mean("B")) == ((4, 1, 3, 0), (3, 1, 0, 0))
    assert [part.tolist() for part in style.course("B", MEASURES.index("captured"))] == [[2], [1]]
    style = style_of("f5d6", "f5f6e6")
    assert [part.tolist() for part in style.course("A", MEASURES.index("lead"))] == [[1, 3], [3, 3]]
    assert style.players["A"][:, 0].tolist() == [2, 0, 1]


def test_openings_and_absent_players_have_no_style() -> None:
    style = style_of("f5d6c3d3c4", opening_plies=3)
    assert style.course("B", 0)[0].tolist() == [4]
    assert style.course("A", 0)[0].tolist() == [5]
    assert style_of("f5", opening_plies=1).players == {}
    assert [len(each) for measure in range(len(MEASURES)) for each in style.course("C", measure)] == [0] * 8


def test_a_game_without_captures_and_corners_has_no_such_measures() -> None:
    """The corners of the board of Ultimate tic-tac-toe are squares like others."""
    style, rules = PlayingStyle(), rules_of(game_spec("ultimate_tictactoe"))
    style.add(style_record(), parse_transcript("1,1", rules))
    assert [MEASURES[measure] for measure in style.known] == ["mobility"]


def recounted(game: AnyGame, ply: int) -> tuple[int, ...]:
    """Return the measures of a move, from the grids before and after it."""
    size = game.rules.columns
    before, after = (
        tuple("." if mark is None else "XO"[mark] for mark in game.rules.owners(position))
        for position in game.positions[ply : ply + 2]
    )
    own, other = "XO"[game.positions[ply].to_move], "OX"[game.positions[ply].to_move]
    squares = [(row, column) for row in range(size) for column in range(size)]
    corners = [after[0], after[size - 1], after[-size], after[-1]]
    return (
        sum(bool(captured(before, own, square)) for square in squares),
        before.count(other) - after.count(other),
        after.count(own) - after.count(other),
        corners.count(own) - corners.count(other),
    )


@pytest.mark.parametrize("size", [8, 6])
def test_the_measures_of_random_games_are_those_of_a_slow_recount(size: int) -> None:
    rules, style = rules_of(game_spec("othello", {"size": size})), PlayingStyle()
    sums = {name: np.zeros(1 + len(MEASURES)) for name in "AB"}
    for seed in range(25):
        game = random_game_of(rules, seed)
        style.add(style_record(), game)
        for ply, move in enumerate(game.moves):
            if not rules.is_pass(move):
                sums["AB"[game.positions[ply].to_move]] += (1, *recounted(game, ply))
    for name in "AB":
        assert style.players[name].sum(axis=0).tolist() == sums[name].tolist()
