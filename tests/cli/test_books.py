"""`othello book`: make, extend and check books, and import those of other programs; the repertoire and the archive."""

import struct
from pathlib import Path

import pytest

from othello.cli.gtp import Gtp
from othello.cli.nboard import NBoard
from othello.engine import discs_of
from othello.engine.book import Book, BookEntry
from othello.records.transcript import parse_transcript
from othello.store.database import STORE_NAME, Store
from othello.study.repertoire import REPERTOIRE_NAME
from tests.cli.servers import ask, server
from tests.command_line import START, CommandLine
from tests.positions import RULES, format_board


def make(cli: CommandLine, file: Path, positions: int, *more: object) -> Book:
    cli("book", "make", file, "--positions", positions, "--depth", 1, "--seed", 3, *more)
    return Book(file)


def entry_of(file: Path, moves: str) -> BookEntry:
    """Return the entry of the position after these moves."""
    entry = Book(file).probe(*discs_of(parse_transcript(moves, RULES).position))
    assert entry is not None
    return entry


def test_a_book_is_made_extended_and_checked(tmp_path: Path, cli: CommandLine) -> None:
    whole, part = tmp_path / "whole.bin", tmp_path / "part.bin"
    make(cli, part, 20)
    assert make(cli, part, 100).known == make(cli, whole, 100).known
    cli("book", "extend", part, "--positions", "500")
    assert len(Book(part)) > len(Book(whole))
    assert "mean difference" in cli("book", "check", part, "--sample", 3)
    assert "already exists" in cli.error("book", "make", part, "--depth", "2")
    assert "needed: 2" in cli.error("book", "export", part)
    assert ".obf, .txt" in cli.error("book", "export", part, tmp_path / "out.csv")
    part.write_bytes(part.read_bytes()[:-1])
    assert cli.error("book", "extend", part) == f"othello: {part}: is damaged\n"


@pytest.mark.slow
def test_two_processes_make_the_same_book(tmp_path: Path, cli: CommandLine) -> None:
    assert make(cli, tmp_path / "two.bin", 300, "--processes", 2).known == make(cli, tmp_path / "one.bin", 300).known


def test_exported_books_come_back(tmp_path: Path, cli: CommandLine) -> None:
    book = make(cli, tmp_path / "book.bin", 100)
    for suffix in (".obf", ".txt"):
        text, back = tmp_path / f"book{suffix}", tmp_path / f"back{suffix}.bin"
        cli("book", "export", tmp_path / "book.bin", text)
        cli("book", "merge", text, back, "--depth", "2")
        known = Book(back).known
        same = [entry.value == known[boards].value for boards, entry in book.known.items() if boards in known]
        assert len(same) > 0.9 * len(book)
        assert all(same)


def edax_book(*moves: str) -> bytes:
    """Return the first positions of a game in the form of Edax, each with its best move."""
    content = b"XADEKOOB" + bytes((4, 4)) + bytes(28) + struct.pack("<i", len(moves))
    for ply, move in enumerate(moves):
        own, opponent = discs_of(parse_transcript("".join(moves[:ply]), RULES).position)
        content += struct.pack("<QQ4I3hBB", own, opponent, 0, 0, 0, 1, 8 - ply, -64, 64, 0, 21)
        content += struct.pack("<bB", 8 - ply, RULES.parse_move(RULES.start(), move))
    return content


OBF = f"% a remark\n{START}; F5:+2; D3:+2;\n"


@pytest.mark.parametrize("content", [OBF, f"{START},21,f5,2\n", "f5 -2 21\nf5d6c3 +1\n"], ids=["obf", "Edax", "moves"])
def test_books_in_other_formats_are_merged(content: str, tmp_path: Path, cli: CommandLine) -> None:
    (tmp_path / "book").write_text(content)
    cli("book", "merge", tmp_path / "book", tmp_path / "out.bin")
    assert entry_of(tmp_path / "out.bin", "d3").value == -2


def test_several_books_are_merged_and_exported(tmp_path: Path, cli: CommandLine) -> None:
    out, lines = tmp_path / "out.bin", tmp_path / "lines.txt"
    (tmp_path / "obf").write_text(OBF)
    (tmp_path / "edax.dat").write_bytes(edax_book("d3", "c5", "b6", "f3", "f5", "c6"))
    cli("book", "merge", tmp_path / "obf", tmp_path / "edax.dat", out)
    third = entry_of(out, "f5d6")
    assert (third.value, third.depth, third.is_open, entry_of(out, "").value) == (-3, 24, True, -3)
    assert cli("book", "export", out, lines).startswith(f"{len(lines.read_text().splitlines())} lines written")


def test_positions_that_no_known_moves_lead_to_cannot_be_exported_as_moves(tmp_path: Path, cli: CommandLine) -> None:
    far, text = tmp_path / "far.bin", tmp_path / "far.txt"
    board = format_board(parse_transcript("f5d6c3d3c4f4c5", RULES).position)
    (tmp_path / "far").write_text(f"{board}; B4:+2;\n")
    cli("book", "merge", tmp_path / "far", far)
    assert "no positions that a .txt file" in cli.error("book", "export", far, text)
    assert not text.exists()
    assert "1 lines written" in cli("book", "export", far, tmp_path / "far.obf")
    cli("book", "merge", tmp_path / "far.obf", tmp_path / "back.bin")
    assert Book(tmp_path / "back.bin").known == Book(far).known


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (edax_book("f5", "d6")[:-3], "is damaged"),
        (f"{START}; F5:+2; A1:+2;\n".encode(), "line 1"),
        (f"{START}; F5:{'9' * 400};\n".encode(), "line 1"),
        (f"{START}; F5:{'9' * 5000};\n".encode(), "line 1"),
        (f"{START}; F5:+500;\n".encode(), "line 1"),
    ],
    ids=["cut", "illegal move", "400 digits", "5000 digits", "value"],
)
def test_faults_of_other_books_are_named(content: bytes, fault: str, tmp_path: Path, cli: CommandLine) -> None:
    (tmp_path / "book").write_bytes(content)
    assert f"book: {fault}" in cli.error("book", "merge", tmp_path / "book", tmp_path / "new.bin")


def test_book_moves_are_marked(cli: CommandLine) -> None:
    assert cli.json("analyse", "--player", "engine", "--depth", 4, "--json")[0]["source"] == "book"
    assert "from the opening book" in cli("analyse", "--player", "engine", "--depth", 4)
    nboard = server(NBoard, "--player", "engine", "--depth", "4")
    ask(nboard, "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)")
    assert ask(nboard, "hint 2").count("book ") == 2
    assert "source book" in ask(server(Gtp, "--player", "engine", "--depth", "4"), "kata-analyze")


def test_a_damaged_repertoire_is_set_aside(data_dir: Path, cli: CommandLine) -> None:
    with Store(data_dir / STORE_NAME) as store:
        store.update_value(REPERTOIRE_NAME, lambda _: b"{")
    assert "repertoire.damaged.json: " in cli.error("repertoire", "list")
    assert cli("repertoire", "list", "--json") == ""
