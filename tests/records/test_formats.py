"""File formats: recognition by content, round trips and error messages."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from othello.errors import FileError, OthelloError
from othello.game import Game, GameTree
from othello.records import readers
from othello.records.formats.format import Format, SourceText
from othello.records.formats.normalise import date_of
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.game_file import GameFile, PositionData, document_of
from othello.records.readers import FORMATS, WRITTEN, read_games, recognise
from othello.records.transcript import parse_transcript
from othello.rules.othello.scalar_bits import PASS
from othello.rules.registry import game_spec, rules_of
from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers
from tests.positions import RULES, SPEC, START, random_game_of
from tests.published import played_games

GGF = """(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[Ann]PW[Bob]TI[05:00//02:00]TY[8]RE[-4.00:r]
BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[d3//0.01]W[c5/-2.39/1:02.5]B[F6];)"""
SGF = "(;FF[4]GM[2]SZ[8]PB[Ann]PW[Bob]DT[2003-12-15]C[Hello\\] you];B[d3](;W[c5]C[good];B[ff])(;W[c3]))"
PGN = """[Event "?"]
[Site "PlayOK"]
[Date "2003.12.15"]
[Black "Ann"]
[White "Bob"]
[Result "38-26"]

1. d3 c5 {good} (1... c3 2. c4) 2. f6 38-26
"""
QUEST = """{"id": 7, "created": "2003-12-15T12:33:18Z", "players": [{"name": "Ann"}, {"name": "Bob"}],
 "position": {"moves": [{"m": "d3", "t": 1}, {"m": "c5", "t": 2}, {"m": "f6", "t": 3},
 {"s": "TIME"}]}}"""
EOTHELLO = '{"games": [{"black": {"username": "Ann"}, "white": "Bob", "date": "2003-12-15", "moves": "D3C5F6"}]}'


def games_of(data: bytes | str, path: Path | None = None) -> tuple[str, list[Any]]:
    """Return the name of the format that recognises a file, and the games in it."""
    source = SourceText(data.encode() if isinstance(data, str) else data, SPEC, path)
    format_ = next(each for each in FORMATS if each.matches(source))
    return format_.name, [*format_.read(source)]


def described(text: str) -> str:
    """Return all that is read from a text, an error or a game per line, and the error if there is no game."""
    found: list[FileItem] = []
    try:
        found += readers.games_in(text, SPEC)
        readers.first_of(found)
    except OthelloError as error:
        found.append(error)
    lines = (str(each) if isinstance(each, OthelloError) else described_game(each) for each in found)
    return "\n".join(dict.fromkeys(lines))


def described_game(parsed: ParsedGame) -> str:
    document = document_of(parsed.opened)
    kept = {key: value for key, value in document.items() if key not in ("format", "version", "program", "moves")}
    moves = (" ".join(str(value) for value in entry.values()) for entry in document["moves"])
    features = [*sorted(parsed.features), *(["branches"] if parsed.branches else [])]
    numbers = f"{parsed.number} {parsed.line} {parsed.difference} {' '.join(features)}"
    return f"{numbers}: {', '.join(moves)} {json.dumps(kept, ensure_ascii=False)}"


def test_readers_give_the_golden_answers() -> None:
    assert_answers("texts.txt", lambda text: described(json.loads(text)))


@pytest.mark.parametrize(
    ("text", "name"),
    [(GGF, "GGF"), (f"some words\n2 {GGF}", "GGF"), (SGF, "SGF"), (PGN, "PGN"), (QUEST, "JSON"), (EOTHELLO, "JSON")],
)
def test_a_format_is_recognised_by_its_content(text: str, name: str) -> None:
    known, (parsed,) = games_of(text)
    assert (known, bytes(parsed.moves)) == (name, bytes(RULES.parse_move(START, each) for each in ("d3", "c5", "f6")))
    assert (parsed.players, parsed.date[:10]) == (("Ann", "Bob"), "2003-12-15")
    assert recognise(text, SPEC) == parsed.opened
    assert [entry["name"] for entry in parsed.opened.players] == ["Ann", "Bob"]


@pytest.mark.parametrize("program", ["GoGui:1.5.1", "gogui-twogtp", "TwoGtp:1.4"])
def test_rows_of_gogui_are_counted_from_below(program: str) -> None:
    """GoGui counts rows from the top, so that the top row is 8, and writes no kind of game."""
    text = f"(;FF[4]CA[UTF-8]AP[{program}]SZ[8]\nKM[0]PB[Ann]\n;B[fd];W[dc]C[d6];B[cf];W[])"
    assert games_of(text.replace(";W[]", ""))[1][0].opened.tree.game == recognise("f5d6c3", SPEC).tree.game
    setup = text.replace("SZ[8]", "SZ[8]AB[de][ed]AW[dd:dd][ee]PL[W]").partition(";B[fd]")[0] + ";W[ce])"
    (found,) = games_of(setup)[1]
    marks = RULES.format_position(found.begun)
    assert (marks[27:29], marks[35:37], marks[-1]) == ("XO", "OX", "O")


def test_times_values_results_and_rules_of_ggf_are_read() -> None:
    (parsed,) = games_of(GGF)[1]
    assert parsed.result == {"winner": "white", "fault": "resigned"}
    known = parsed.opened.tree.along(parsed.opened.tree.game)
    assert [each.used for each in known] == [(0.0, 0.0), (0.01, 0.0), (0.01, 62.5), (0.01, 62.5)]
    assert [report and report.value for report in (each.report for each in known)] == [None, -2.39, None, None]
    rules = recognise(f"(;GM[Othello]TY[6a]BO[6 {'-' * 14}O*----*O{'-' * 14} *]B[C2];)", SPEC).rules
    assert (rules.columns, rules.spec["goal"]) == (6, "fewest")


def test_a_result_of_ggf_is_exact_unless_the_game_was_broken_off() -> None:
    for text, kind, result in (
        ("+8", "8", {"winner": "black", "black": 36, "white": 28}),
        ("-64.0:s", "8", {"winner": "white", "black": 0, "white": 64}),
        ("0:r", "8", {"winner": "draw", "black": 32, "white": 32}),
        ("0:s", "8k", {"winner": "draw", "fault": "draw_agreed"}),
        ("+8.5:t", "s8k", {"winner": "black", "fault": "out_of_time"}),
        *((text, kind, {}) for text, kind in (("+8.5", "8"), ("+8", "8k"), ("+65", "8"), ("?", "8"))),
    ):
        file = GGF.replace("-4.00:r", text).replace("TY[8]", f"TY[{kind}]")
        assert games_of(file)[1][0].result == result, text


@pytest.mark.parametrize("passes", ["", "W[PA]", "W[pass//2]"])
def test_passes_of_ggf_may_be_missing(passes: str) -> None:
    board = "8 " + "-" * 24 + "XO------" + "-" * 24 + "-OXXXXXX *"
    game = recognise(f"(;GM[Othello]TY[8]BO[{board}]B[C4]{passes}B[A8];)", SPEC).tree.game
    assert game.at(0).texts_of(game.moves) == ["c4", "pass", "a8"]


def test_dates_have_any_separators_and_a_day_of_the_calendar() -> None:
    dates = {"2003-01-31": "2003-01-31", "on 2003/12/1": "2003-12-01", "2003.1": "2003", "103-1-1": ""}
    dates |= {f"2003-{day}": "2003" for day in ("00-10", "13-10", "10-00", "10-32")}
    dates |= {"2003.1.5_23:59:59.MST": "2003-01-05T23:59:59", "2003-1-5T0:00": "2003-01-05T00:00:00"}
    dates |= {f"2003-01-05 {time}": "2003-01-05" for time in ("24:00:00", "23:60:00", "23:00:60")}
    assert {text: date_of(text) for text in dates} == dates


def test_variations_and_comments_are_read() -> None:
    for text in (SGF, PGN):
        tree = games_of(text)[1][0].opened.tree
        d3 = tree.game.at(1)
        assert [d3.text_of(move) for move in tree.variations(d3)] == ["c5", "c3"]
        assert tree.known(tree.game.at(2)).note == "good"
    assert games_of(SGF)[1][0].opened.tree.root.known.note == "Hello] you"


@st.composite
def trees(draw: st.DrawFn) -> GameFile:
    """Return a game with notes and variations; some games have an unusual start."""
    start = Game.new(RULES).after(())
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 9))):
            start = start.play(draw(st.sampled_from(start.legal_moves())))
    chance = random.Random(draw(st.integers(0, 10**6)))
    tree = GameTree.of(Game.new(RULES, start.position), PositionData())
    notes = st.text(st.characters(categories=["L", "N", "P", "Zs"], max_codepoint=0x2FF), max_size=9).map(str.strip)

    def grow(game: Any, plies: int) -> Any:
        while plies and game.legal_moves():
            game, plies = game.play(chance.choice(game.legal_moves())), plies - 1
        while game.must_pass:
            game = game.play(game.legal_moves()[0])
        return game

    tree = tree.to(grow(tree.game, draw(st.integers(0, 60))))
    for _ in range(draw(st.integers(0, 3))):
        branch = grow(tree.game.at(draw(st.integers(0, tree.game.ply))), draw(st.integers(1, 4)))
        tree = tree.know(branch, PositionData(note=draw(notes)))
    tree = tree.know(tree.game.at(draw(st.integers(0, tree.game.ply))), PositionData(note=draw(notes)))
    names = ({"player_type": "user", "name": "Ann"}, {"player_type": "user", "name": "Bob B."})
    return GameFile(tree, names, "2026-01-31T18:30:00", event="Club")


def there_and_back(format_: Format, file: GameFile, folder: Path) -> ParsedGame:
    path = folder / f"game{format_.suffixes[0]}"
    format_.save(path, [ParsedGame.of(file)])
    (found,) = read_games(path, SPEC)
    assert isinstance(found, ParsedGame), str(found)
    return found


@given(trees())
@settings(max_examples=25)
def test_games_round_trip_as_far_as_formats_support(tmp_path_factory: pytest.TempPathFactory, file: GameFile) -> None:
    folder = tmp_path_factory.mktemp("games")
    written = ParsedGame.of(file)
    for format_ in dict.fromkeys(WRITTEN.values()):
        if format_.unsupported_reason(written) is not None or format_.name == "OBF":
            continue
        read, lost = there_and_back(format_, file, folder), written.features - format_.supports
        assert (tuple(read.moves)[: len(written.moves)], read.begun) == (written.moves, written.begun), format_.name
        if not lost & {"variations", "notes"}:
            assert read.opened.tree.root == file.tree.root, format_.name
        if "taken_back" not in lost:
            assert read.opened.tree.game == file.tree.game, format_.name
        if "names" in format_.supports:
            headers = read.opened.players, read.event, read.date[:4]
            assert headers == (file.players, "Club", "2026"), format_.name


@pytest.mark.parametrize("options", [{"size": 6}, {"handicap": 2}, {"size": 6, "handicap": 1}])
@pytest.mark.parametrize("suffix", [".pgn", ".ggf", ".sgf"])
def test_games_on_other_boards_round_trip_with_results(suffix: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = random_game_of(rules_of(game_spec(options=options)), 3)
    names = ({"player_type": "user", "name": "Ann"}, {"player_type": "user", "name": "Bob"})
    read = there_and_back(WRITTEN[suffix], GameFile(GameTree.of(game, PositionData()), names), tmp_path)
    assert read.opened.tree.game.texts_of(read.moves) == game.at(0).texts_of(game.moves)
    assert read.players == ("Ann", "Bob")
    assert game.outcome is not None
    assert (read.result["black"], read.result["white"]) == game.outcome.counted


@pytest.mark.slow
def test_the_games_of_many_formats_follow_one_another(tmp_path: Path, cli: CommandLine) -> None:
    """Convert tournament games through all formats that can store them, and back."""
    (tmp_path / "first.txt").write_text("\n".join(game.transcript for game in played_games()), encoding="utf-8")
    names = ["first.txt", "a.ggf", "a.sgf", "a.wtb", "a.pgn", "a.othello.json", "last.txt"]
    for before, after in pairwise(names):
        assert f"36 games written to {tmp_path / after}" in cli("convert", tmp_path / before, tmp_path / after)
    assert (tmp_path / "last.txt").read_text().splitlines() == [game.transcript for game in played_games()]
    (tmp_path / "damaged.wtb").write_bytes(b"\xff" + (tmp_path / "a.wtb").read_bytes()[1:])
    with pytest.raises(FileError, match="WTHOR"):
        [*read_games(tmp_path / "damaged.wtb", SPEC)]
    scores = [each.result["black"] for each in read_games(tmp_path / "a.wtb", SPEC) if isinstance(each, ParsedGame)]
    assert scores == [game.score for game in played_games()]


def test_conversions_list_lost_features_and_refused_games(tmp_path: Path, cli: CommandLine) -> None:
    (tmp_path / "in.sgf").write_text(SGF + SGF.replace("ff", "b1") * 21)
    convert = "convert", tmp_path / "in.sgf"
    out = cli(*convert, tmp_path / "out.txt", status=2)
    assert "1 game written" in out
    assert "Not stored in TXT: date (1), names (1), notes (1), variations (1)" in out
    assert "in.sgf: game 2, line 1, move 3, b1: not legal here; legal: " in cli.errors
    assert cli.errors.count("not legal here") == 20
    assert "games skipped: 21 of 22" in cli.errors
    (tmp_path / "folder").mkdir()
    cli(*convert, tmp_path / "folder", status=2)
    cli("convert", *(tmp_path / "folder").iterdir(), tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == (tmp_path / "out.txt").read_text()
    (tmp_path / "names.jou").touch()
    for name, words in (
        ("out.txt", "already exists; use --overwrite to replace it"),
        ("names.wtb", "names.jou: already exists"),
        ("out.gff", "did you mean ."),
    ):
        assert words in cli.error(*convert, tmp_path / name)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return a file of every format, with a few games each."""
    games, folder = games_of("f5d6c3\nf5f6e6")[1], tmp_path_factory.mktemp("files")
    for suffix, format_ in WRITTEN.items():
        format_.save(folder / f"games{suffix}", games)
    others = (GGF, SGF, PGN, QUEST, EOTHELLO, "https://example.org/?f5d6c3d3")
    return [*(text.encode() * 2 for text in others), *(path.read_bytes() for path in sorted(folder.iterdir()))]


FILLERS = [b"(;", b"[", b"]", b"\\", b"{", b'"', b"\0", b"BO[]", "TY[1²]".encode(), b"9" * 400, b"-" * 99]


@pytest.mark.slow
@given(st.data())
@settings(max_examples=400, deadline=None)
def test_damaged_files_give_one_line_errors(files: list[bytes], drawn: st.DataObject) -> None:
    data = drawn.draw(st.sampled_from(files))
    for _ in range(drawn.draw(st.integers(1, 4))):
        start, end = sorted(drawn.draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        filler = drawn.draw(st.sampled_from(FILLERS) | st.binary(max_size=9) | st.just(data[start:end] * 2))
        data = data[:start] + filler + data[end:]
    try:
        found = games_of(data)[1]
    except OthelloError as error:
        found = [error]
    for each in found:
        assert each.opened if isinstance(each, ParsedGame) else len(str(each).splitlines()) == 1


@pytest.mark.slow
def test_time_and_memory_grow_linearly_with_the_file() -> None:
    """Read files for which time or memory could grow with the square of the size."""
    for text, words in (
        ('{"moves": "' + "-" * 9999 + 'x"}', "no moves"),
        ("(;GM[2]C[\n" * 20_000, "the end of the game"),
        ("(;GM[2]" + "(;B[f5](;W[d6]" * 50_000, "more than 20000 moves"),
        ("(;GM[2]" + ";B[f5]" * 50_000 + ")", "more than 20000 moves"),
        ("(;" * 2_000_000, "more than 20000 moves"),
        ('[Event "x"]' + "x " * 4_000_000, "does not start with a move"),
        ("(;GM[Othello]" + "B[f5]" * 250_000 + ";)", "characters are too many"),
    ):
        try:
            (found,) = games_of(text)[1]
        except OthelloError as error:
            found = error
        assert words in str(found)


@pytest.mark.parametrize(("limit", "text", "words"), [("GAMES", "f5", "than 3"), ("FAULTS", "f5f5", "3 games have")])
def test_games_and_faults_have_a_maximum(monkeypatch: pytest.MonkeyPatch, limit: str, text: str, words: str) -> None:
    monkeypatch.setattr(readers, f"_MAX_{limit}", 3)
    *others, last = readers.games_in("f5d6\nf5\n" + f"{text}\n" * 99, SPEC)
    assert words in str(last)
    assert len(others) == (3 if limit == "GAMES" else 5)


@pytest.mark.slow
def test_the_ends_of_many_games_are_those_of_each() -> None:
    games = [parse_transcript(game.transcript, RULES) for game in played_games()]
    assert any(PASS in game.moves for game in games)
    many = [(game.positions[0], game.moves) for game in games] * 20
    assert RULES.all_ended(many) == [game.position for game in games] * 20


def test_moves_outside_of_a_game_are_a_fault() -> None:
    for text in ("(;FF[4]GM[2]SZ[8]);B[f5];W[d6])", GGF.replace("W[c5", ";)W[c5"), GGF.replace("(;GM", "(GM") + GGF):
        assert any(isinstance(each, OthelloError) for each in games_of(text)[1]), text


def test_tags_of_pgn_may_have_quotes_and_open_notes_end_with_the_game() -> None:
    text = PGN.replace('[Event "?"]', '[Event "The "Big" \\"Open\\""]')
    (first, second) = games_of(text + "\n" + PGN.replace("f6", "h8"))[1]
    assert (first.event, first.players, len(first.moves)) == ('The "Big" "Open"', ("Ann", "Bob"), 3)
    assert "game 2, line 10, move 3, h8" in str(second)
    first, second = games_of(PGN.replace("good}", "good") + "\n" + PGN)[1]
    assert "{good" in str(first), "an open note ends with its game"
    assert len(second.moves) == 3


KOMI = "DT[2003.12.15_12:33:18.MST] RB[1084.65] RW[1640.99] TI[15:00//02:00] TY[s8kr18] KB[d3/2.00/27.23] KM[-3.1]"


def test_komi_clock_and_ratings_of_ggf_become_a_note(tmp_path: Path) -> None:
    board = GGF.split("\n")[1]
    text = f"(;GM[Othello]PB[Ann]PW[Bob]{KOMI.replace(' ', '')}RE[+8.500]{board}B[d3]W[c5];)"
    (found,) = games_of(text)[1]
    assert (found.result, found.date, found.start_note) == ({}, "2003-12-15T12:33:18", f"{KOMI} RE[+8.500]")
    assert "tags" in found.features
    assert "notes" not in found.features
    for suffix in (".othello.json", ".ggf", ".sgf", ".pgn"):
        read = there_and_back(WRITTEN[suffix], found.opened, tmp_path).start_note
        assert sorted(read.split()) == sorted(found.start_note.split())
    assert "tags" not in games_of(GGF.replace("TI[05:00//02:00]", "").replace(".MST", ""))[1][0].features


def test_an_invalid_value_of_obf_becomes_a_note() -> None:
    board = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    for text, note in ((f"{board}; --:-127;", "--:-127"), (f"{board}; d3:+1; a1:+2;", "a1:+2")):
        (found,) = games_of(text)[1]
        assert found.opened.tree.root.known.note == note
