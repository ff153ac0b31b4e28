"""`othello book`: make, extend and check books, and import those of other programs."""

import json
import struct
from pathlib import Path

import pytest

from othello.cli import main
from othello.cli.gtp import Gtp
from othello.cli.nboard import NBoard
from othello.engine import discs_of
from othello.engine.book import START, Book
from othello.records.transcript import parse_transcript
from tests.cli.servers import ask, server
from tests.command_line import error_of
from tests.positions import RULES, format_board

MAKE = ["--depth", "1", "--seed", "3"]


def made(file: Path, positions: int, *more: str) -> Book:
    assert main(["book", "make", str(file), "--positions", str(positions), *MAKE, *more]) == 0
    return Book(file)


@pytest.mark.slow
def test_a_book_is_made_extended_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, part = tmp_path / "whole.bin", tmp_path / "part.bin"
    made(part, 20)
    assert made(part, 100).known == made(whole, 100).known
    capsys.readouterr()
    assert main(["book", "extend", str(part), "--positions", "500"]) == 0
    assert len(Book(part)) > len(Book(whole))
    assert main(["book", "check", str(part), "--sample", "3"]) == 0
    assert "mean difference" in capsys.readouterr().out
    assert "already exists" in error_of(["book", "make", str(part), "--depth", "2"], capsys)
    assert "needed: 2" in error_of(["book", "export", str(part)], capsys)
    assert ".obf, .txt" in error_of(["book", "export", str(part), str(tmp_path / "out.csv")], capsys)
    part.write_bytes(part.read_bytes()[:-1])
    assert error_of(["book", "extend", str(part)], capsys) == f"othello: {part}: is damaged\n"


@pytest.mark.slow
def test_two_processes_make_the_same_book(tmp_path: Path) -> None:
    assert made(tmp_path / "two.bin", 300, "--processes", "2").known == made(tmp_path / "one.bin", 300).known


@pytest.mark.slow
def test_exported_books_come_back(tmp_path: Path) -> None:
    book = made(tmp_path / "book.bin", 100)
    for suffix in (".obf", ".txt"):
        text, back = tmp_path / f"book{suffix}", tmp_path / f"back{suffix}.bin"
        assert main(["book", "export", str(tmp_path / "book.bin"), str(text)]) == 0
        assert main(["book", "merge", str(text), str(back), "--depth", "2"]) == 0
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


def test_foreign_books_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, start = tmp_path / "out.bin", format_board(RULES.start())
    after = parse_transcript("f5d6", RULES).position
    texts = {
        "obf": f"% a remark\n{start}; F5:+2; D3:+2;\n",
        "edax": f"{start},21,f5,2\n",
        "moves": "f5 -2 21\nf5d6c3 +1\n",
    }
    for name, content in texts.items():
        (tmp_path / name).write_text(content)
        assert main(["book", "merge", str(tmp_path / name), str(out), "--overwrite"]) == 0
        known = Book(out).probe(*discs_of(parse_transcript("d3", RULES).position))
        assert known is not None
        assert known.value == -2
    (tmp_path / "edax.dat").write_bytes(edax_book("f5", "d6", "c3"))
    assert main(["book", "merge", str(tmp_path / "obf"), str(tmp_path / "edax.dat"), str(out), "--overwrite"]) == 0
    third = Book(out).probe(*discs_of(after))
    assert third is not None
    assert (third.value, third.depth, third.is_open) == (3, 21, True)
    root = Book(out).probe(*START)
    assert root is not None
    assert root.value == 3  # by way of f5, which was searched deeper
    capsys.readouterr()
    assert main(["book", "export", str(out), str(tmp_path / "lines.txt")]) == 0
    assert capsys.readouterr().out.startswith(f"{len((tmp_path / 'lines.txt').read_text().splitlines())} lines written")
    far = parse_transcript("f5d6c3d3c4f4c5", RULES).position
    (tmp_path / "far").write_text(f"{format_board(far)}; B4:+2;\n")
    assert main(["book", "merge", str(tmp_path / "far"), str(tmp_path / "far.bin")]) == 0
    capsys.readouterr()
    assert "no positions that a .txt file" in error_of(
        ["book", "export", str(tmp_path / "far.bin"), str(tmp_path / "far.txt")], capsys
    )
    assert not (tmp_path / "far.txt").exists()
    assert main(["book", "export", str(tmp_path / "far.bin"), str(tmp_path / "far.obf")]) == 0
    assert "1 lines written" in capsys.readouterr().out
    (tmp_path / "edax.dat").write_bytes(edax_book("f5", "d6")[:-3])
    assert "is damaged" in error_of(["book", "merge", str(tmp_path / "edax.dat"), str(tmp_path / "new.bin")], capsys)
    for values in ("F5:+2; A1:+2;", f"F5:{'9' * 400};", f"F5:{'9' * 5000};", "F5:+500;"):
        (tmp_path / "obf").write_text(f"{start}; {values}\n")
        assert "obf: line 1" in error_of(["book", "merge", str(tmp_path / "obf"), str(tmp_path / "new.bin")], capsys)


@pytest.mark.slow
def test_book_moves_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--player", "engine", "--depth", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "book"
    assert main(["analyse", "--player", "engine", "--depth", "4"]) == 0
    assert "from the opening book" in capsys.readouterr().out
    nboard = server(NBoard, "--player", "engine", "--depth", "4")
    ask(nboard, "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)")
    assert ask(nboard, "hint 2").count("book ") == 2
    assert "source book" in ask(server(Gtp, "--player", "engine", "--depth", "4"), "kata-analyze")
