"""`othello book`: make, extend and check books, and import those of other programs."""

import struct
from pathlib import Path

import pytest

from othello.cli.gtp import Gtp
from othello.cli.nboard import NBoard
from othello.engine import discs_of
from othello.engine.book import START, Book
from othello.records.transcript import parse_transcript
from tests.cli.servers import ask, server
from tests.command_line import CommandLine
from tests.positions import RULES, format_board

MAKE = ["--depth", "1", "--seed", "3"]


def made(cli: CommandLine, file: Path, positions: int, *more: object) -> Book:
    cli("book", "make", file, "--positions", positions, *MAKE, *more)
    return Book(file)


@pytest.mark.slow
def test_a_book_is_made_extended_and_checked(tmp_path: Path, cli: CommandLine) -> None:
    whole, part = tmp_path / "whole.bin", tmp_path / "part.bin"
    made(cli, part, 20)
    assert made(cli, part, 100).known == made(cli, whole, 100).known
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
    assert made(cli, tmp_path / "two.bin", 300, "--processes", 2).known == made(cli, tmp_path / "one.bin", 300).known


@pytest.mark.slow
def test_exported_books_come_back(tmp_path: Path, cli: CommandLine) -> None:
    book = made(cli, tmp_path / "book.bin", 100)
    for suffix in (".obf", ".txt"):
        text, back = tmp_path / f"book{suffix}", tmp_path / f"back{suffix}.bin"
        cli("book", "export", tmp_path / "book.bin", text)
        cli("book", "merge", text, back, "--depth", "2")
        known = Book(back).known
        same = [entry.value == known[boards].value for boards, entry in book.known.items() if boards in known]
        assert len(same) > 0.9 * len(book)
        assert all(same)


def edax_book(*moves: str) -> bytes:
    """Return the first three positions of a game in the form of Edax, each with its best move."""
    content = b"XADEKOOB" + bytes((4, 4)) + bytes(28) + struct.pack("<i", len(moves))
    for ply, move in enumerate(moves):
        own, opponent = discs_of(parse_transcript("".join(moves[:ply]), RULES).position)
        content += struct.pack("<QQ4I3hBB", own, opponent, 0, 0, 0, 1, 5 - ply, -64, 64, 0, 21)
        content += struct.pack("<bB", 5 - ply, RULES.parse_move(RULES.start(), move))
    return content


def test_foreign_books_are_read(tmp_path: Path, cli: CommandLine) -> None:
    out, start = tmp_path / "out.bin", format_board(RULES.start())
    after = parse_transcript("f5d6", RULES).position
    texts = {
        "obf": f"% a remark\n{start}; F5:+2; D3:+2;\n",
        "edax": f"{start},21,f5,2\n",
        "moves": "f5 -2 21\nf5d6c3 +1\n",
    }
    for name, content in texts.items():
        (tmp_path / name).write_text(content)
        cli("book", "merge", tmp_path / name, out, "--overwrite")
        known = Book(out).probe(*discs_of(parse_transcript("d3", RULES).position))
        assert known is not None
        assert known.value == -2
    (tmp_path / "edax.dat").write_bytes(edax_book("f5", "d6", "c3"))
    cli("book", "merge", tmp_path / "obf", tmp_path / "edax.dat", out, "--overwrite")
    third = Book(out).probe(*discs_of(after))
    assert third is not None
    assert (third.value, third.depth, third.is_open) == (3, 21, True)
    root = Book(out).probe(*START)
    assert root is not None
    assert root.value == 3  # by way of f5, which was searched deeper
    told = cli("book", "export", out, tmp_path / "lines.txt")
    assert told.startswith(f"{len((tmp_path / 'lines.txt').read_text().splitlines())} lines written")
    far = parse_transcript("f5d6c3d3c4f4c5", RULES).position
    (tmp_path / "far").write_text(f"{format_board(far)}; B4:+2;\n")
    cli("book", "merge", tmp_path / "far", tmp_path / "far.bin")
    assert "no positions that a .txt file" in cli.error("book", "export", tmp_path / "far.bin", tmp_path / "far.txt")
    assert not (tmp_path / "far.txt").exists()
    assert "1 lines written" in cli("book", "export", tmp_path / "far.bin", tmp_path / "far.obf")
    (tmp_path / "edax.dat").write_bytes(edax_book("f5", "d6")[:-3])
    assert "is damaged" in cli.error("book", "merge", tmp_path / "edax.dat", tmp_path / "new.bin")
    for values in ("F5:+2; A1:+2;", f"F5:{'9' * 400};", f"F5:{'9' * 5000};", "F5:+500;"):
        (tmp_path / "obf").write_text(f"{start}; {values}\n")
        assert "obf: line 1" in cli.error("book", "merge", tmp_path / "obf", tmp_path / "new.bin")


@pytest.mark.slow
def test_book_moves_are_marked(cli: CommandLine) -> None:
    assert cli.json("analyse", "--player", "engine", "--depth", 4, "--json")[0]["source"] == "book"
    assert "from the opening book" in cli("analyse", "--player", "engine", "--depth", 4)
    nboard = server(NBoard, "--player", "engine", "--depth", "4")
    ask(nboard, "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)")
    assert ask(nboard, "hint 2").count("book ") == 2
    assert "source book" in ask(server(Gtp, "--player", "engine", "--depth", "4"), "kata-analyze")
