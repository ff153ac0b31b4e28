"""The opening book: symmetric images, damaged files, and building with several processes."""

import re
from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from pathlib import Path

import pytest

from othello.engine import discs_of
from othello.engine.book import START, Book, BookEntries, BookEntry, after, canonical, shipped_book, write
from othello.engine.book_builder import BookBuilder, Searching, Task, compare, judge
from othello.engine.endgame import solve
from othello.errors import BookError
from othello.records.transcript import parse_transcript
from othello.rules.othello.scalar_bits import PASS, mobility
from othello.search.stop import StopFlag
from tests.positions import IMAGES, RULES, image_of, random_game, with_empties


def grown(draft: BookBuilder, positions: int, search: Searching = map) -> BookEntries:
    list(draft.grow(positions, search))
    return draft.known


@pytest.fixture(scope="module")
def known() -> BookEntries:
    return grown(BookBuilder(3, 7), 300)


@pytest.fixture
def file(known: BookEntries, tmp_path: Path) -> Path:
    write(tmp_path / "book.bin", known, 3, 7)
    return tmp_path / "book.bin"


def test_a_book_is_read_as_written_and_is_the_same_for_all_images(known: BookEntries, file: Path) -> None:
    book = Book(file)
    assert book.known == known
    assert (len(book), book.depth, book.seed) == (len(known), 3, 7)
    assert book.probe(*discs_of(random_game(1)[40])) is None
    for position in random_game(3)[:4]:
        entry = book.probe(*discs_of(position))
        values = [each.value for each in book.moves(*discs_of(position)).values()]
        assert entry is not None
        assert values
        for image in range(len(IMAGES)):
            turned = discs_of(image_of(position, image))
            assert book.probe(*turned) == entry
            assert [entry.value for entry in book.moves(*turned).values()] == values


def test_values_come_from_the_best_moves(known: BookEntries, file: Path) -> None:
    book = Book(file)
    assert [len(known), *map(sum, zip(*known.values(), strict=True))] == [401, 2006, 1309, 1203, 79]
    assert compare(*discs_of(random_game(1)[20]), 4) == -8
    opened = {boards: entry for boards, entry in known.items() if entry.is_open}
    assert len(opened) > 20
    for boards, entry in opened.items():
        moves = book.moves(*boards)
        best = next(iter(moves.values()))
        assert len(moves) == mobility(*boards).bit_count()
        assert (entry.value, best.value) == (best.value, max(each.value for each in moves.values()))
        assert entry.depth <= 1 + best.depth
    line = book.line(*START, next(iter(book.moves(*START))))
    assert len(line) > 3
    assert parse_transcript("".join(RULES.move_text(RULES.start(), move) for move in line), RULES).moves == line


def test_values_near_the_end_are_exact() -> None:
    (position,) = with_empties(1, 6)
    solved = solve(position, StopFlag(), True)
    assert solved is not None
    scores = solved.scores
    assert judge((*discs_of(position), [*scores], 8)) == [BookEntry(-score, 5, 0, False) for score in scores.values()]


def test_the_order_of_searches_does_not_change_the_book(known: BookEntries, file: Path) -> None:
    searched = list[Task]()

    def backwards(work: Callable[[Task], list[BookEntry]], tasks: Iterable[Task]) -> list[list[BookEntry]]:
        searched.extend(tasks)
        return [work(task) for task in reversed(list(tasks))][::-1]

    begun = BookBuilder(3, 7)
    next(begun.grow(300, backwards))
    write(file, begun.known, 3, 7)
    assert grown(BookBuilder(3, 7, Book(file).known), 300) == known
    searched.clear()
    leaves = {boards: entry._replace(is_open=False) for boards, entry in known.items()}
    assert grown(BookBuilder(3, 7, leaves), 402, backwards) == grown(BookBuilder(3, 7, known), 402)
    assert sum(len(moves) for *_, moves, _ in searched) == 357, "known entries are not searched again"


@pytest.mark.parametrize("place", [-1, 20, 100])
def test_a_book_with_a_changed_bit_is_refused(place: int, file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    with pytest.raises(BookError, match=re.escape(str(file))):
        Book(file)


def test_the_shipped_book_is_large_and_valid() -> None:
    book = shipped_book()
    assert len(book) >= 100_000
    known = book.probe(*START)
    assert known is not None
    assert abs(known.value) <= 2
    for own, opponent in zip(*(column[::997].tolist() for column in book.columns[:2]), strict=True):
        assert canonical(own, opponent) == (own, opponent)
        assert not own & opponent
        assert mobility(own, opponent) or not mobility(opponent, own)


def test_the_book_skips_positions_with_a_forced_pass() -> None:
    sides = set()
    for position, following in chain.from_iterable(pairwise(random_game(seed)) for seed in range(8)):
        for move in RULES.legal_moves(position):
            if move != PASS and RULES.play(position, move) == following:
                own, opponent, side = after(*discs_of(position), move)
                assert (own, opponent) == discs_of(following)[::-side]
                assert mobility(own, opponent) or not mobility(opponent, own)
                sides.add(side)
    assert sides == {-1, 1}


def test_the_documented_perfect_game_is_a_draw() -> None:
    text = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    (moves,) = re.findall(r"`((?:[A-H][1-8]){60})`", text)
    game = parse_transcript(moves, RULES)
    assert game.ply == 60
    assert game.outcome is not None
    assert (game.outcome.black, game.outcome.white) == (32, 32)
