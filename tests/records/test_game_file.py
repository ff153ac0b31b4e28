"""The program's own game files, transcripts, names of openings, and pasted texts."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from othello.cli import main
from othello.errors import BoardTextError, FileError, GameFileError, OthelloError, TranscriptError
from othello.game import AnyGame, Game, GameTree
from othello.records.formats.parsed_game import ParsedGame
from othello.records.formats.plain import format_text
from othello.records.game_file import GameFile, PositionData, format_game, parse_game
from othello.records.openings import leads_to, left_book_at, opening_name_of, opening_names_of
from othello.records.readers import format_diagram, games_in, read_game, recognise
from othello.records.transcript import format_transcript, parse_transcript
from othello.resources import asset, schema_of
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from tests.positions import DRAWN, RULES, SPEC, START_IMAGES, parse_board, random_game_of
from tests.published import openings, played_games

PLAYERS = ({"player_type": "user"}, {"player_type": "mcts_uct", "simulation_count": 200})


def some_report(game: AnyGame) -> SearchReport:
    first, *_, last = game.legal_moves()
    stats = tuple(MoveStats(move, 10 + move, 0.5, exact=move != last) for move in game.legal_moves())
    pv = first, game.play(first).legal_moves()[0]
    report = SearchReport("mcts_uct", first, 0.5, stats, Unit.REWARD, simulations=300, nodes=7, depth=4)
    return replace(report, pv=pv, seconds=1.25, final=True)


def branching(spec: GameSpec = SPEC) -> GameFile:
    """Return a game with a variation, a move that was taken back, and data of positions."""
    start = Game.new(rules_of(spec))
    tree = GameTree.of(start, PositionData())
    for index in (0, 1, 0, 2, 0):
        tree = tree.play(tree.game.legal_moves()[index])
    tree = tree.to(tree.game.at(2))
    tree = tree.play(tree.game.legal_moves()[-1]).play(tree.game.play(tree.game.legal_moves()[-1]).legal_moves()[0])
    tree = tree.to(tree.game.at(3))
    analysed = {"player_type": "mcts_uct", "simulation_count": 50}
    report = some_report(tree.game)
    known = PositionData("Why not?", (1.5, 2.25), (0.0, 3.0), report, ((analysed, report),))
    tree = tree.know(tree.game, known).know(start, PositionData("The start."))
    return GameFile(tree, PLAYERS, "2026-01-31T18:30:00", seed=5, opening_plies=2)


@pytest.mark.parametrize("spec", [*map(game_spec, GAMES), game_spec(options={"size": 6, "handicap": 3})], ids=str)
def test_game_files_round_trip(spec: GameSpec) -> None:
    file = branching(spec)
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "this program did not save this game"),
        (format_game(branching()).replace("othello-lab game", "something"), 'its format is not "othello-lab game"'),
    ],
)
def test_a_document_of_another_program_is_refused(text: str, words: str) -> None:
    with pytest.raises(GameFileError, match=words):
        parse_game(text)


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
        (format_game(branching(game_spec("tictactoe"))), "tictactoe", 3),
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


def test_transcripts_may_have_blanks_capitals_and_numbers() -> None:
    for text in (" F5 d6,C3\nd3 ", "1. F5 d6 2. c3 2... d3 3."):
        assert parse_transcript(text, RULES) == parse_transcript("f5d6c3d3", RULES)
    ultimate = rules_of(game_spec("ultimate_tictactoe"))
    assert parse_transcript("1. 7,9 2,8 2. (6, 5)", ultimate) == parse_transcript("7,9 2,8 6,5", ultimate)
    assert parse_transcript("", ultimate) == Game.new(ultimate)


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


LINE = "f5d6c3d3c4f4c5b3c2e3d2"
TAB = "\t"
MOVES = re.findall("..", LINE)
GAME = parse_transcript(LINE, RULES)
BOARD = RULES.format_position(GAME.position)[:64]
WITH_PASS = next(g for g in (parse_transcript(each.transcript, RULES) for each in played_games()) if 64 in g.moves[:-1])


def write_moves(style: str, texts: list[str]) -> str:
    """Write moves in a style: number, number of the pair, move, colour and player."""
    sides = {
        "c": "BW", "C": ("Black", "White"), "x": "XO", "d": "●○", "e": "⚫⚪", "j": "黒白", "g": ("Schwarz", "Weiß"),
        "s": ("Negras", "Blancas"), "f": ("Noir", "Blanc"), "l": ("Czarne", "Białe"), "p": ("Ann", "Bob"),
    }  # fmt: skip
    found = []
    for ply, text in enumerate(texts):
        words: dict[str, Any] = {name: both[ply % 2] for name, both in sides.items()}
        words |= {"n": ply + 1, "k": ply // 2 + 1, "m": text, "M": text.upper(), "t": ply % 10}
        words |= {"o": chr(0x2460 + ply), "q": 1 + ply % 3, "z": 1 + ply % 2}
        words |= {"v": (-1) ** ply * ply, "W": "".join(chr(ord(letter) + 0xFEE0) for letter in text)}
        found.append(style.format(**words))
    return "".join(found)


def games_or_faults(text: str) -> list[AnyGame | str]:
    return [each.opened.tree.game if isinstance(each, ParsedGame) else str(each) for each in games_in(text, SPEC)]


# fmt: off
STYLES = [
    "{m}\u00a0", "{m}\u3000", "{m}\u200b", "{m}\t", "{M}-", "{m}\u2013", "{m} \u2014 ", "{m} → ", "{m} -> ", "{m}/",
    "{m}; ", "{m}. ", "{m} · ", "{m}、", "{m}_", "{m}+", "{m} > ", "{W}", "{W}\u3000", "{n}){m} ", "{n}) {m}\n",
    "{n}: {m}\n", "#{n} {m}\n", "({n}) {m} ", "[{n}] {m} ", "{n} - {m}\n", "{n}={m} ", "{n}.{m}", "{n}{m} ",
    "No.{n} {m}\n", "Move {n}: {m}\n", "Turn {n} - {C} - {m}\n", "{c}:{m} ", "{C}: {M}\n", "{C} {m}, ", "{c}{m} ",
    "{c}[{m}]", ";{c}[{m}]", "{x} {m}\n", "{x}: {m} ", "{d}{m}", "{e}\ufe0f {m}\n", "{j}\uff1a{m}\n", "{j}{m}",
    "{n}手目 {m}\n", "第{n}手 {j} {m}\n", "{n}. {g}: {m}\n", "{f} : {m}\n", "{s}: {m}\n", "{l}: {m}\n", "{p}: {m}\n",
    "{p} {m}\n", "{p} {m} ", "{p} plays {M}.\n", "Move {n} :\n{p} places a disc in {M} and flips {q} disc(s)\n",
    "{p} plays a disc on {M} and turns over {q} discs\n", "[12:0{t}:33] {p} moves to {m}\n",
    "10:3{t}:11 PM - {p} played {m}\n", "{n}: {M}//{t}.5\n", "{m}/{v:.2f}/{t}.25 ", "{m} {v:+d} ", "{m}({v:+d}) ",
    "{m} 0:0{t} ", "{m} (0:0{t}) ", "{m} {t}s ", "{m} {n}.5s, ", "{m} [{t}.{t}] ", "{m} 5{t}% ", '"{m}" ', "“{m}” ",
    "«{m}» ", "'{m}', ", "`{m}` ", "[{m}] ", "<{m}> ", "({m}) ", "「{m}」", "<td>{m}</td>", "{m}&nbsp;", "**{m}** ",
    "{n},{C},{m},{t}.5\n", '"{n}","{m}"\n', "{n};{m};0,{t}\n", "{m}\n", "{m}\r\n", "{n}. {m}\n", "    {m}\n",
    "  - {m}\n", "• {m}\n", "* {m}\n", "{m} ({C}) ", "{m} {C}, ", "{m}! ", "{m}?!\n", "{k}... {m} ", "> {m}\n",
    "{m} {{note}} ", "| {n} | {C} | {m} |\n", "{m[0]} {m[1]} ", "{M[0]}-{M[1]} ", "Zug {n}: {m}\n",
    "Coup {n} : {m}\n", "{p} ({C}): {m}\n", "{p} [{c}] {m}\n", "{o}{m}", "{m[1]}{M[0]} ", "({m[0]},{m[1]}) ",
    "('{m[0]}', {m[1]}), ", "2025-03-01T12:0{t}:05Z INFO {m}\n", "Player {z}: {m}\n",
    '{{"ply": {n}, "move": "{m}"}}\n', "{M}, ",
]
# fmt: on


@pytest.mark.parametrize("style", STYLES)
def test_moves_in_every_style(style: str) -> None:
    for head in ("", "Tamenori H. \u2013 Murakami T., 2024-05-03\n\n"):
        assert games_or_faults(head + write_moves(style, MOVES)) == [GAME]


@pytest.mark.parametrize(
    "text",
    [
        f"Ann vs. Bob: {LINE}",
        f"Round 3, Table 5, 2024-05-03\nAnn (1500) - Bob (1620)\n{LINE}\n38-26",
        f"{LINE} White resigns",
        f"{LINE} (38:26)",
        f"{LINE}, black wins 40 to 24, white lost on time",
        f"Ann: hi!\nBob: hello\n{LINE}\nAnn: gg",
        f"Look at my game: https://example.org/g#{LINE} what do you think?",
        f"https://example.org/v?g={'%20'.join(MOVES)}&x=c4",
        f"{LINE}\nhttps://example.org/v?g={LINE}",
        f"https://example.org/viewer?moves={LINE}&x=1",
        f"https://example.org/#{LINE.upper()}",
        json.dumps({"name": "ba276087", "args": [{"position": {"moves": [{"m": move} for move in MOVES]}}]}),
        f"My game today\n{LINE}\nsee https://example.org/games/77",
        f"eOthello_game_id,winner,game_moves\n645016,1,{LINE}",
        "1. f5 d6 2. c3 d3 (2... e3) 3. c4 f4 4. c5 b3 5. c2 e3 6. d2",
        "1. f5 (0:03) d6 (0:02) 2. c3 d3 3. c4 f4 4. c5 b3 5. c2 e3 6. d2 38-26",
        "1.\tf5\td6\n2.\tc3\td3\n3.\tc4\tf4\n4.\tc5\tb3\n5.\tc2\te3\n6.\td2",
        "| # | Black | White |\n|---|---|---|\n" + write_moves("{m} |", MOVES).join(("| ", "")),
        "1.f5d62.c3d33.c4f44.c5b35.c2e36.d2",
        "f5! d6?! c3!! d3? c4 {Tiger} f4!? c5 b3 c2 e3 d2+",
        "f5 d6 c3 d3\n\nc4 f4 c5 b3\n\nc2 e3 d2",
        f"```\n{LINE}\n```",
        f"{{'moves': {MOVES}}}",
        f"{MOVES}",
        json.dumps([{"move": move} for move in MOVES]),
        f"{format_diagram(GAME)}\n\n{LINE}",
        f"{LINE}\n\n{format_diagram(GAME)}",
        LINE.replace("c", "\u0441").replace("e", "\u0435"),
        f"{LINE[:7]}\n{LINE[7:]}",
        LINE[:2] + " ".join(f" {move[0]}:{move[1]}" for move in MOVES[1:]),
        f"Black: {' '.join(MOVES[::2])}\nWhite: {' '.join(MOVES[1::2])}",
        f"○ {' '.join(MOVES[1::2])}\n● {' '.join(MOVES[::2])}",
        f"Move\t1\t2\t3\t4\t5\nBlack\t{TAB.join(MOVES[::2])}\nWhite\t{TAB.join(MOVES[1::2])}",
    ],
)
def test_moves_among_other_words(text: str) -> None:
    assert games_or_faults(text) == [GAME]


def test_passes_in_every_style() -> None:
    texts = WITH_PASS.at(0).texts_of(WITH_PASS.moves)
    played = [text for text in texts if text != "pass"]
    for style in ("{m} ", "{n}. {m} ", "{p}: {m}\n", "{m}\n", "({m}) "):
        assert recognise(write_moves(style, texts), SPEC).tree.game == WITH_PASS
        assert "{p}" in style or recognise(write_moves(style, played), SPEC).tree.game == WITH_PASS
    pairs = " ".join(f"{ply // 2 + 1}. {text}" if ply % 2 == 0 else text for ply, text in enumerate(texts))
    moves = ("passes" if text == "pass" else f"plays {text}" for text in texts)
    log = "\n".join(f"{'AB'[ply % 2]}nn {move}" for ply, move in enumerate(moves))
    spellings = pairs, pairs.replace("pass", "--"), pairs.replace("pass", "-"), log, log.replace("passes", "must pass")
    for text in spellings:
        assert recognise(text, SPEC).tree.game == WITH_PASS


ROWS = [BOARD[place : place + 8] for place in range(0, 64, 8)]
EDAX = "\n".join(
    ["  A B C D E F G H"]
    + [f"{n} {' '.join(row.replace('X', '*'))} {n}{' O to move' * (n == 2)}" for n, row in enumerate(ROWS, 1)]
    + ["  A B C D E F G H"]
)
COUNTED = "/".join(re.sub("-+", lambda found: str(len(found[0])), row) for row in ROWS)


def drawn(black: str, white: str, empty: str, between: str = "", end: str = "\n") -> str:
    signs = {"X": black, "O": white, "-": empty}
    return end.join(between.join(signs[sign] for sign in row) for row in ROWS)


@pytest.mark.parametrize(
    "text",
    [
        f"{drawn('X', 'O', '-')}\nO",
        f"{drawn('X', 'O', '-', ' ')}\nWhite to move",
        f"White to move:\n{drawn('x', 'o', '_')}",
        f"{drawn('B', 'W', '.')}\nnext: W",
        f"{drawn('1', '2', '0')}\nWhite's turn",
        f"{drawn('1', '2', '0', ' ')}\nTurn: white",
        f"{drawn('1', '2', '0', '', '')} w",
        f"[[{drawn('1', '2', '0', ', ', '],[')}]]\nWhite to play",
        f"{drawn('●', '○', '・')}\n白番",
        f"{drawn('黒', '白', '・')}\n手番: 白",
        f"{drawn('⚫', '⚪', '🟩')}\nWhite to play",
        f"{drawn('⚫', '⚪', '⬜')}\nWhite to play",
        f"{drawn('⬛', '⬜', '🟩')}\nWhite to play",
        f"{drawn('@', 'O', '.')}\nWhite moves",
        f"{drawn('#', 'O', '.')}\nSide to move: white",
        f"{drawn('x', '0', '-')}\no to move",
        f"{drawn('X', 'O', '-', '', '/')} o",
        f"{COUNTED} O",
        f"{COUNTED.replace('X', 'B').replace('O', 'W')} w",
        f"setboard {BOARD} O",
        f'"{BOARD} O"',
        f"{drawn('X', 'O', '-', ',')}\nWhite to move",
        f"> {drawn('X', 'O', '-', '', chr(10) + '> ')}\n> White to move",
        f"Black: 7 White: 9\n{drawn('X', 'O', '-')}\nWeiß am Zug",
        f"{drawn('X', 'O', '-')}\nTrait aux blancs",
        f"{drawn('X', 'O', '-')}\nJuegan blancas",
        f"{drawn('X', 'O', '-')}\nRuch białych",
        f"Last move: d2\n{drawn('X', 'O', '-')}\nWhite to move",
        EDAX,
        "\n".join(f"| {line}" for line in EDAX.splitlines()),
        "| " + drawn("X", "O", " ", " | ", " |\n" + "+---" * 8 + "+\n| ") + " |\nWhite to move",
        "│" + drawn("●", "○", " ", "│", "│\n├" + "─┼" * 7 + "─┤\n│") + "│\nWhite to move",
        "\n".join(f"{8 - row} {cells}" for row, cells in enumerate(ROWS[::-1])) + "\n  abcdefgh\nWhite to move",
        f"{format_diagram(GAME)}\nWhite to move",
    ],
)
def test_diagrams_in_every_style(text: str) -> None:
    found = recognise(text, SPEC).tree.game
    assert (RULES.format_position(found.position), found.ply) == (f"{BOARD} O", 0)


def test_a_diagram_without_a_side_asks_for_it() -> None:
    for text in (format_diagram(GAME), drawn("X", "O", "-"), drawn("⚫", "⚪", "🟩"), f"Ann - Bob\n{COUNTED}"):
        with pytest.raises(OthelloError, match="whose turn it is; add a line"):
            recognise(text, SPEC)
        assert recognise(f"{text}\nWhite to move", SPEC).tree.game.position == GAME.position


@pytest.mark.parametrize("side", ["Schwarz ist am Zug", "Ход чёрных", "흑 차례", "次は黒", "Turno de las negras"])
def test_sides_in_other_languages(side: str) -> None:
    for text in (drawn("X", "O", ".", " "), drawn("B", "W", "", ","), drawn("●", "○", "", "\t")):
        found = recognise(f"{text}\n{side}", SPEC).tree.game
        assert RULES.format_position(found.position) == f"{BOARD} X"


def test_labels_and_frames_are_no_squares() -> None:
    rows = [" ".join(row.replace("-", ".")) for row in ROWS]
    for row in ("{number} {cells} {number}", "{cells} {number}", "{number}. {cells}", "{number}: {cells}"):
        text = "\n".join(row.format(number=number, cells=cells) for number, cells in enumerate(rows, 1))
        found = recognise(f"  A B C D E F G H\n{text}\nX to move % number 40", SPEC).tree.game
        assert RULES.format_position(found.position) == f"{BOARD} X"
    framed = ["-" * 8, *["X" * 8] * 4, *["O" * 8] * 4, "-" * 8, "X to move"]
    assert recognise("\n".join(framed), SPEC).tree.game.position == DRAWN


def test_a_diagram_with_the_numbers_of_moves() -> None:
    for game in (GAME, WITH_PASS):
        squares = [{"X": "●", "O": "○", "-": ""}[sign] for sign in RULES.format_position(RULES.start())[:64]]
        for number, move in enumerate((move for move in game.moves if move != 64), 1):
            squares[move] = str(number)
        rows = [squares[place : place + 8] for place in range(0, 64, 8)]
        for text in (
            "\n".join("\t".join(row) for row in rows),
            "\n".join("\t".join([*row, str(number)]) for number, row in enumerate(rows, 1)),
            "\n".join(f"| {' | '.join(row)} |" for row in rows),
            "  a  b  c  d  e  f  g  h\n"
            + "\n".join(f"{number} {' '.join(cell or '--' for cell in row)}" for number, row in enumerate(rows, 1)),
        ):
            assert recognise(f"Ann - Bob\n{text}\n36-28", SPEC).tree.game == game
            with pytest.raises(OthelloError):
                recognise(text.replace("10", "11", 1), SPEC)


def test_moves_follow_a_diagram() -> None:
    head = "(;?M[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    assert recognise(f"{head}B[f5]W[d6]B[c3];)", SPEC).tree.game.ply == 3
    found = recognise(f"{drawn('X', 'O', '.', ' ')}\nWhite to move\n12. e6", SPEC).tree.game
    assert (found.positions[0], format_transcript(found)) == (GAME.position, "e6")


def test_a_transcript_is_first_tried_as_the_current_game(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("\n".join(MOVES), encoding="utf-8")
    assert main(["convert", str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]) == 0
    assert (tmp_path / "b.txt").read_text() == f"{LINE}\n"
    for spec in (SPEC, game_spec("tictactoe"), game_spec(options={"size": 6})):
        assert recognise("\n".join(MOVES), spec).tree.game == GAME
    assert recognise("c4", SPEC).tree.game == parse_transcript("c4", RULES)
    assert recognise("b2 a1", game_spec("tictactoe")).rules.name == "tictactoe"


@pytest.mark.parametrize("text", ["c4 c3 b3 b2", "c4\nc3\nb3\nb2", "1. c4\n2. c3\n3. b3\n4. b2"])
def test_an_illegal_move_is_no_move_of_another_game(text: str) -> None:
    with pytest.raises(TranscriptError, match=r"move 3, b3: not legal here"):
        recognise(text, SPEC)


def test_a_whole_game_shows_the_size_of_its_board() -> None:
    game = random_game_of(rules_of(game_spec(options={"size": 6})), 5)
    assert recognise(write_moves("{C}: {m}\n", game.at(0).texts_of(game.moves)), SPEC).tree.game == game
