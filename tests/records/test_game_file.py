"""The program's own game files, transcripts, recognised texts, and names of openings."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from othello.errors import BoardTextError, FileError, GameFileError, OthelloError, TranscriptError
from othello.game import AnyGame, Game, GameTree
from othello.records.formats.plain import format_text
from othello.records.game_file import GameFile, PositionData, format_game, parse_game
from othello.records.openings import leads_to, left_book_at, opening_name_of, opening_names_of
from othello.records.readers import read_game, recognise
from othello.records.transcript import format_transcript, parse_transcript
from othello.resources import asset, schema_of
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from tests.positions import RULES, SPEC, START_IMAGES, parse_board, random_game_of
from tests.published import openings

PLAYERS = ({"player_type": "user"}, {"player_type": "mcts_uct", "simulation_count": 200})


def some_report(game: AnyGame) -> SearchReport:
    first, *_, last = game.legal_moves()
    stats = tuple(MoveStats(move, 10 + move, 0.5, exact=move != last) for move in game.legal_moves())
    pv = first, game.play(first).legal_moves()[0]
    report = SearchReport("mcts_uct", first, 0.5, stats, Unit.REWARD, simulations=300, nodes=7, depth=4)
    return replace(report, pv=pv, seconds=1.25, final=True)


def branching(spec_name: str = "othello", **rules: int) -> GameFile:
    """Return a game with a variation, a move that was taken back, and data of positions."""
    start = Game.new(rules_of(game_spec(spec_name, rules)))
    tree = GameTree.of(start, PositionData())
    for index in (0, 1, 0, 2, 0):
        tree = tree.play(tree.game.legal_moves()[index])
    tree = tree.to(tree.game.at(2))
    tree = tree.play(tree.game.legal_moves()[-1]).play(tree.game.play(tree.game.legal_moves()[-1]).legal_moves()[0])
    tree = tree.to(tree.game.at(3))
    analysed = {"player_type": "mcts_uct", "simulation_count": 50}
    known = PositionData(
        "Why not?", (1.5, 2.25), (0.0, 3.0), some_report(tree.game), ((analysed, some_report(tree.game)),)
    )
    tree = tree.know(tree.game, known).know(start, PositionData("The start."))
    return GameFile(tree, PLAYERS, "2026-01-31T18:30:00", seed=5, opening_plies=2)


@pytest.mark.parametrize(
    ("game", "rules"), [*((game, {}) for game in GAMES), ("othello", {"size": 6}), ("othello", {"handicap": 3})]
)
def test_game_files_round_trip(game: str, rules: dict[str, int]) -> None:
    file = branching(game, **rules)
    text = format_game(file)
    assert parse_game(text) == file
    assert format_game(parse_game(text)) == text
    meta.validate(schema_of("game"))
    assert not list(Draft202012Validator(schema_of("game")).iter_errors(json.loads(text)))


def test_a_game_with_its_own_start_round_trips() -> None:
    start = RULES.parse_position("-" * 18 + "OOOOOO" + "-" * 11 + "XXX" + "-" * 26 + "X")
    file = GameFile(GameTree.of(Game.new(RULES, start), PositionData()))
    assert parse_game(format_game(file)) == file
    assert recognise(format_text(file.tree.game), SPEC) == file


SEARCH = {"player": "x", "move": "d3", "unit": "discs"}


def changed(**changes: Any) -> str:
    document = json.loads(format_game(branching()))
    for name, value in changes.items():
        where = document
        *way, last = name.split("__")
        for step in way:
            where = where[int(step) if step.isdecimal() else step]
        where[int(last) if last.isdecimal() else last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(moves__2__move="g7"), "move 3, g7: not legal here; legal: "),
        (changed(moves__2__move="z9"), "move 3: “z9” is not a move"),
        (changed(format="something"), 'its format is not "othello-lab game"'),
        (changed(version=2), "written by a newer program in format 2; this program reads format 1"),
        (changed(game="go"), "unknown game “go”; allowed: othello, tictactoe"),
        (changed(rules={"goal": "none"}), "rules.goal: is "),
        (changed(start="XO"), "start: the text has 2 characters"),
        (changed(colour="red"), "colour: unknown key"),
        (changed(moves__0__after=9), "moves[0].after: is 9; allowed: an earlier entry"),
        (changed(played=99), "played: is 99; allowed: 0 to "),
        (changed(line=1), "line: entry 1 does not follow entry "),
        (changed(date="yesterday"), "date: is "),
        (changed(start_position={"note": 3}), "start_position.note: is 3; allowed: a text"),
        (changed(moves__1__move="d3", moves__1__after=0), "move 1, d3: is listed twice after entry 0 of moves"),
        (changed(start_position={"search": {"player": "x", "move": "a1", "unit": "discs"}}), "start_position.search"),
        (
            changed(start_position={"search": {**SEARCH, "moves": [["d3", -1, 0, True]]}}),
            "start_position.search.moves: needs texts, whole numbers from 0",
        ),
        ('{"format": "othello-lab game", ', "not JSON"),
        ("{}", "this program did not save this game"),
        ('{"format": "othello-lab game", "version": 1, "game": "othello", "moves": 3}', "moves: is 3; allowed: a list"),
    ],
)
def test_an_error_names_the_place(text: str, words: str) -> None:
    with pytest.raises(GameFileError) as caught:
        parse_game(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_first_line_of_a_file_is_the_game_by_default() -> None:
    entries = [{"move": "d3"}, {"move": "c3"}, {"move": "f5", "after": 0}, {"move": "d6"}, {"move": "c4", "after": 2}]
    text = json.dumps({"format": "othello-lab game", "version": 1, "game": "othello", "moves": entries})
    game = parse_game(text).tree.game
    assert game.at(0).texts_of(game.moves) == ["d3", "c3"]


def test_damage_anywhere_is_a_game_file_error() -> None:
    text = format_game(branching())
    for place in range(0, len(text) - 1, 37):
        with pytest.raises(GameFileError):
            parse_game(text[:place])
        for broken in (text[:place] + "9" + text[place + 1 :], text[:place] + text[place + 5 :]):
            with suppress(GameFileError):  # and nothing else; many places can be another digit
                assert isinstance(parse_game(broken), GameFile)


@pytest.mark.parametrize(
    ("text", "game", "plies"),
    [
        ("f5d6c3d3c4", "othello", 5),
        (" F5 d6, c3\n", "othello", 3),
        ("1. f5 d6 2. c3 d3", "othello", 4),
        (RULES.format_position(RULES.start()), "othello", 0),
        ("b2 a1 c3", "tictactoe", 3),
        ("X--\n-O-\n--X O", "tictactoe", 0),
        ("5,5 4,4", "ultimate_tictactoe", 2),
        (format_game(branching("tictactoe")), "tictactoe", 3),
    ],
)
def test_texts_are_recognised(text: str, game: str, plies: int, tmp_path: Path) -> None:
    found = recognise(text, SPEC)
    assert (found.rules.name, found.tree.game.ply) == (game, plies)
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    assert read_game(tmp_path / "game.txt", SPEC) == found


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", GameFileError, "there is no text"),
        ("f5d6a1", TranscriptError, "move 3, a1: not legal here; legal: "),
        ("Dear all, hello", TranscriptError, "“Dear all, hello” is not a list of moves, a position or a saved game"),
        ("X" * 63, BoardTextError, "the text has 63 characters"),
        ("f5" * 20_000, GameFileError, "40000 characters are too many"),
    ],
)
def test_texts_without_a_game_are_refused(text: str, error: type[OthelloError], words: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=words):
        recognise(text, SPEC)
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=words):
        read_game(tmp_path / "game.txt", SPEC)


def test_a_transcript_is_first_tried_as_the_current_game() -> None:
    spec = game_spec("tictactoe")
    assert recognise("c4", SPEC).tree.game == parse_transcript("c4", RULES)
    assert recognise("b2 a1", spec).rules.spec == spec


@pytest.mark.parametrize("options", [{}, {"size": 6}, {"handicap": 4}, {"size": 6, "handicap": 1, "start": "reversi"}])
def test_transcripts_round_trip_and_forced_passes_are_inserted(options: dict[str, Any]) -> None:
    for seed in range(8):
        played = random_game_of(rules_of(game_spec(options=options)), seed)
        for ply in range(played.ply):
            game = played.at(ply)
            text = format_transcript(game)
            while game.must_pass:
                game = game.play(game.legal_moves()[0])
            assert parse_transcript(text, game.rules) == game


@pytest.mark.parametrize(
    ("text", "plain", "game"),
    [
        (" F5 d6,C3\nd3 ", "f5d6c3d3", "othello"),
        ("1. F5 d6 2. c3 2... d3 3.", "f5d6c3d3", "othello"),
        ("1. 7,9 2,8 2. (6, 5)", "7,9 2,8 6,5", "ultimate_tictactoe"),
    ],
)
def test_transcripts_may_have_blanks_capitals_and_numbers(text: str, plain: str, game: str) -> None:
    rules = rules_of(game_spec(game))
    assert parse_transcript(text, rules) == parse_transcript(plain, rules)
    assert parse_transcript("", rules) == Game.new(rules)


def test_passes_may_be_written_or_left_out() -> None:
    start = parse_board("OX" + "-" * 62 + " X")
    for text in ("c1", "pass c1", "--c1", "psc1", "PA C1"):
        game = parse_transcript(text, RULES, start)
        assert (game.moves, format_transcript(game)) == ((PASS, 2), "c1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5f5", "move 2, f5: not legal here"),
        ("f5 pass", "move 2, pass: not legal here"),
        ("f5d9", "“d9”"),
        ("f5!", "move 2: “!”"),
        ("a1", "move 1, a1: not legal here; legal: d3, c4, f5, e6"),
        ("5f", "move 1"),
        ("1. f5 2.5f", "move 2: “5f”"),
    ],
)
def test_transcripts_that_cannot_be_replayed(text: str, words: str) -> None:
    with pytest.raises(TranscriptError, match=words.replace("(", r"\(")):
        parse_transcript(text, RULES)


def test_published_openings_replay() -> None:
    assert [format_transcript(parse_transcript(text, RULES)) for text in openings()] == openings()


def test_every_opening_of_the_list_is_known_on_every_side_of_the_board() -> None:
    lines = [line.split("\t") for line in asset("openings.tsv").read_text().splitlines() if line[0] != "#"]
    assert len(lines) == 77
    for moves, names in lines:
        game = parse_transcript(moves, RULES)
        for image in START_IMAGES:
            squares = (image(*divmod(move, 8)) for move in game.moves)
            found = opening_name_of(game.at(0).after(Move(8 * row + column) for row, column in squares))
            assert found is not None, moves
            assert (found.names, found.ply) == (tuple(names.split("|")), game.ply)


def test_a_game_has_the_name_of_the_last_opening_that_it_went_through() -> None:
    game = parse_transcript("f5d6c3d3c4f4c5b3c2b4e3e6c6", RULES)
    by_ply = [None if (found := opening_name_of(game.at(ply))) is None else found.name for ply in range(game.ply + 1)]
    assert by_ply == [*[None] * 2, *["Perpendicular"] * 3, *["Tiger"] * 4, "Rose-Bill", *["Central Rose-Bill"] * 4]
    names = [each.name for each in opening_names_of(game)]
    assert names == ["Perpendicular", "Tiger", "Rose-Bill", "Central Rose-Bill"]
    assert (left_book_at(game), left_book_at(game.at(10))) == (11, None)
    other_order = parse_transcript("f5d6c5f4d3c3", RULES), parse_transcript("f5d6c5f4d3", RULES)
    assert [opening_name_of(each) for each in other_order] == [opening_name_of(other_order[1])] * 2


def test_a_move_leads_to_the_next_opening_on_its_way() -> None:
    game = parse_transcript("f5d6c3d3c4f4c5", RULES)
    ahead = {game.text_of(move): found.name for move in game.legal_moves() if (found := leads_to(game, move))}
    assert ahead == {"b3": "Rose-Bill", "b4": "Ishii"}
    start = game.at(0)
    assert {leads_to(start, move) for move in start.legal_moves()} == {None}, "the answer decides among three"
    small = parse_transcript("e4", rules_of(game_spec("othello", {"size": 6})))
    assert (opening_name_of(small), leads_to(small, small.legal_moves()[0]), left_book_at(small)) == (None, None, None)
