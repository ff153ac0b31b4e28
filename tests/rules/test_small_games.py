"""Texts of all games; tic-tac-toe, ultimate tic-tac-toe and Connect Four against slow, obvious implementations."""

import random
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pytest

from othello.errors import BoardTextError, ConfigError, TranscriptError
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move, Position, Rules, Square
from othello.rules.registry import game_spec, rules_of
from tests import compiled_rules

Cell = tuple[int, int]  # (row, column), from 0


def has_row(marks: frozenset[Cell], length: int) -> bool:
    """Return whether so many marks are in a row, column or diagonal."""
    for row, column in marks:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all((row + down * step, column + right * step) in marks for step in range(length)):
                return True
    return False


@dataclass(frozen=True)
class Rows:
    """A game of tic-tac-toe: the marks of both sides, X first."""

    size: int
    length: int
    marks: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    turn: int = 0

    def result(self) -> int | None:
        """Return the side that has won, -1 for a draw, None for an unfinished game."""
        for side in (0, 1):
            if has_row(self.marks[side], self.length):
                return side
        return None if self.free_cells() else -1

    def free_cells(self) -> list[Cell]:
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [cell for cell in cells if cell not in self.marks[0] | self.marks[1]]

    def moves(self) -> list[Cell]:
        return self.free_cells() if self.result() is None else []

    def play(self, cell: Cell) -> Self:
        marks = list(self.marks)
        marks[self.turn] |= {cell}
        return replace(self, marks=(marks[0], marks[1]), turn=1 - self.turn)


class Drops(Rows):
    """A game of Connect Four, on the upper six rows of a board of 7 x 7 squares."""

    def __init__(self, size: int = 7, length: int = 4, **position: Any) -> None:
        super().__init__(size, length, **position)

    def free_cells(self) -> list[Cell]:
        """Return the lowest free cell of each column."""
        free = [cell for cell in super().free_cells() if cell[0] < 6]
        return sorted({column: (row, column) for row, column in free}.values())


@dataclass(frozen=True)
class Ultimate:
    """A game of ultimate tic-tac-toe: nine games of tic-tac-toe, and the one that is to be played in."""

    boards: tuple[Rows, ...] = (Rows(3, 3),) * 9
    target: int | None = None
    turn: int = 0

    def result(self) -> int | None:
        """Return the side with three boards in a row, -1 for a draw, None for an unfinished game."""
        results = [board.result() for board in self.boards]
        for side in (0, 1):
            if has_row(frozenset(divmod(board, 3) for board in range(9) if results[board] == side), 3):
                return side
        return None if None in results else -1

    def moves(self) -> list[Cell]:
        """Row and column of the whole board."""
        if self.result() is not None:
            return []
        open_boards = [board for board in range(9) if self.boards[board].result() is None]
        if self.target in open_boards:
            open_boards = [self.target]
        return sorted(
            (board // 3 * 3 + row, board % 3 * 3 + column)
            for board in open_boards
            for row, column in self.boards[board].moves()
        )

    def play(self, cell: Cell) -> Self:
        row, column = cell
        board = row // 3 * 3 + column // 3
        boards = list(self.boards)
        boards[board] = Rows(3, 3, boards[board].marks, self.turn).play((row % 3, column % 3))
        return replace(self, boards=tuple(boards), target=row % 3 * 3 + column % 3, turn=1 - self.turn)


SlowGame = Rows | Ultimate


def perft(game: SlowGame, depth: int) -> int:
    """Leaves of the game tree; a finished game counts as one."""
    moves = game.moves()
    if depth == 0 or not moves:
        return 1
    return sum(perft(game.play(move), depth - 1) for move in moves)


def tictactoe(**options: int) -> Rules[Position]:
    return rules_of(game_spec("tictactoe", options))


OTHELLO, SMALL_OTHELLO = (rules_of(game_spec(options={"size": size})) for size in (8, 6))
ULTIMATE = rules_of(game_spec("ultimate_tictactoe"))
CONNECT_FOUR = rules_of(game_spec("connect_four"))
START = CONNECT_FOUR.start()


@pytest.mark.parametrize(
    ("rules", "slow", "counts"),
    [
        (tictactoe(), Rows(3, 3), (9, 72, 504, 3024, 15120, 56160, 154944, 255168, 255168)),
        (tictactoe(size=4), Rows(4, 4), (16, 240, 3360, 43680, 524160, 5765760)),
        (tictactoe(size=4, win_length=3), Rows(4, 3), (16, 240, 3360, 43680, 524160, 5541120)),
        (tictactoe(size=5), Rows(5, 4), (25, 600, 13800, 303600, 6375600)),
        (ULTIMATE, Ultimate(), (81, 720, 6336, 55080, 473256, 4020960)),
        (CONNECT_FOUR, Drops(), (7, 49, 343, 2401, 16807, 117649, 823536, 5686266)),
    ],
)
def test_perft(rules: Rules[Position], slow: SlowGame, counts: tuple[int, ...]) -> None:
    assert tuple(rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)) == counts
    depth = next(depth for depth, count in enumerate(counts, start=1) if count > 300)
    assert perft(slow, depth) == counts[depth - 1]


@pytest.mark.parametrize(
    ("rules", "slow", "games"),
    [
        *(
            (tictactoe(size=size, win_length=length), Rows(size, length), 2 if size == 15 else 8)
            for size, length in ((3, 3), (4, 3), (5, 4), (8, 5), (15, 5), (15, 15))
        ),
        (ULTIMATE, Ultimate(), 20),
        (CONNECT_FOUR, Drops(), 20),
    ],
)
def test_random_games_are_those_of_the_slow_game(rules: Rules[Position], slow: SlowGame, games: int) -> None:
    assert len(rules.symmetries) == (2 if rules is CONNECT_FOUR else 8)
    for seed in range(games):
        position, game, draw = rules.start(), slow, random.Random(seed)
        while moves := rules.legal_moves(position):
            assert sorted(divmod(move, rules.columns) for move in moves) == sorted(game.moves())
            assert rules.outcome(position) is None
            assert game.result() is None
            move = draw.choice(moves)
            position, game = rules.play(position, move), game.play(divmod(move, rules.columns))
        outcome, result = rules.outcome(position), game.result()
        assert outcome is not None
        assert result is not None
        assert outcome.winner == (None if result == -1 else Color(result))
        assert compiled_rules.facts(rules.kernel_state(position))[-1] == rules.state_words
        if isinstance(game, Ultimate):
            boards = [[board.result() for board in game.boards].count(side) for side in (0, 1)]
            assert list(rules.score(position)) == boards
            owners = {None: None, -1: None, 0: Color.BLACK, 1: Color.WHITE}
            assert rules.block_owners(position) == tuple(owners[board.result()] for board in game.boards)


@pytest.mark.parametrize(
    ("rules", "texts", "move", "text"),
    [
        (tictactoe(size=15), ("o15", "O15"), 14 * 15 + 14, "o15"),
        (ULTIMATE, ("7,9", "7, 9", "7 9", "(7, 9)", " 7 ,9 "), 6 * 9 + 8, "7,9"),
        (CONNECT_FOUR, ("4", "d", " D "), 5 * 7 + 3, "4"),
        (SMALL_OTHELLO, ("f6", "F6"), 5 * 6 + 5, "f6"),
        (OTHELLO, ("pass",), 64, "pass"),
    ],
)
def test_moves_may_be_written_differently(rules: Rules[Position], texts: tuple[str, ...], move: int, text: str) -> None:
    assert {rules.parse_move(rules.start(), each) for each in texts} == {move}
    assert rules.move_text(rules.start(), Move(move)) == text


@pytest.mark.parametrize(
    ("rules", "texts", "message"),
    [
        (CONNECT_FOUR, ("", "0", "8", "h", "44", "d1"), "columns 1 to 7"),
        (ULTIMATE, ("", "7", "0,1", "1,10", "a1", "7;9"), "1,1 to 9,9"),
        (tictactoe(size=15), ("p1", "a16", "a0", "a", "11"), "a1 to o15"),
        (OTHELLO, ("", "i1", "a9", "a", "11", "a11", "z"), "a1 to h8"),
        (SMALL_OTHELLO, ("g1", "a7", "h8"), "a1 to f6"),
    ],
)
def test_texts_that_name_no_move_are_refused(rules: Rules[Position], texts: tuple[str, ...], message: str) -> None:
    for text in texts:
        with pytest.raises(TranscriptError, match=message):
            rules.parse_move(rules.start(), text)


@pytest.mark.parametrize(
    ("rules", "texts", "message"),
    [
        (CONNECT_FOUR, ("", "-" * 42, "-" * 42 + " O", "-" * 41 + "O X"), None),
        (CONNECT_FOUR, ("X" + "-" * 41 + " O", "----X" + "-" * 37 + " O"), "the square below [15] is empty;"),
        (ULTIMATE, ("", "X" * 81 + " X any", "-" * 81 + " X", "-" * 81 + " O any", "-" * 81 + " X 10"), None),
        (OTHELLO, ("", "X", "-" * 64, "-" * 64 + " -", "-" * 65 + " X", "-" * 63 + "? X", "-" * 64 + " XX"), None),
        (SMALL_OTHELLO, (OTHELLO.format_position(OTHELLO.start()),), None),
    ],
)
def test_impossible_positions_are_refused(rules: Rules[Position], texts: tuple[str, ...], message: str | None) -> None:
    for text in texts:
        with pytest.raises(BoardTextError, match=message):
            rules.parse_position(text)


BOARDS_ROW = ["XXXXXXXXX", "-" * 9, "-" * 9, "OO-OO-OO-", "-" * 9, "-" * 9, "OO-------", "-" * 9, "-" * 9]


@pytest.mark.parametrize(
    ("rules", "board", "lines"),
    [
        (tictactoe(), "XXXOO---- O", ((0, 1, 2),)),
        (tictactoe(), "XOX-OX-O- X", ((1, 4, 7),)),
        (tictactoe(), "XOXXOOOXX O", ()),
        (tictactoe(), "--------- X", ()),
        (CONNECT_FOUR, "-" * 28 + "OOO----XXXX--- O", ((35, 36, 37, 38),)),
        pytest.param(ULTIMATE, f"{''.join(BOARDS_ROW)} O any", ((10, 13, 16),), id="middles of the won boards"),
    ],
)
def test_winning_lines(rules: Rules[Position], board: str, lines: tuple[tuple[int, ...], ...]) -> None:
    assert rules.won_lines(rules.parse_position(board)) == lines


def worth(rules: Rules[Position], own: Collection[int], others: Collection[int]) -> int:
    """Return the value of the rows that a side can still fill: four times as much for every mark."""
    counts = (sum(square in own for square in line) for line in rules.lines if not set(line).intersection(others))
    return sum(4 ** min(count - 1, 5) for count in counts if 0 < count < len(rules.lines[0]))


@pytest.mark.parametrize(("size", "length"), [(3, 3), (6, 4), (7, 7), (8, 5), (9, 5), (15, 5), (15, 9), (15, 15)])
def test_a_win_in_one_move_is_found_without_trying_all_moves(size: int, length: int) -> None:
    rules, draw = tictactoe(size=size, win_length=length), random.Random(size)
    moves, known = np.zeros(rules.max_moves, np.uint8), set()
    for _ in range(300 // size):
        free, row = [*range(rules.max_moves)], draw.choice(rules.lines)
        draw.shuffle(free)
        own = {*draw.sample(row, length - draw.choice((1, 1, 2))), *free[: draw.randrange(size)]}
        others = [square for square in free if square not in own][: len(own)]
        marks = "".join("X" if square in own else "O" if square in others else "-" for square in range(len(free)))
        if len(others) < len(own) or rules.outcome(position := rules.parse_position(f"{marks} X")) is not None:
            continue
        after = [rules.outcome(rules.play(position, move)) for move in rules.legal_moves(position)]
        wins = any(outcome is not None and outcome.winner is not None for outcome in after)
        state = rules.kernel_state(position)
        assert compiled_rules.decided_in_one(state, moves) == (wins, int(wins))
        value = worth(rules, own, others) - worth(rules, others, own)
        assert compiled_rules.evaluate(state) == max(-9000, min(9000, value))
        known.add(wins)
    assert known == {True, False}


def test_more_boards_win_a_tie_with_the_option() -> None:
    by_boards = rules_of(game_spec("ultimate_tictactoe", {"tie": "boards"}))
    decided = 0
    for seed in range(100):
        position, draw = ULTIMATE.start(), random.Random(seed)
        while moves := ULTIMATE.legal_moves(position):
            position = ULTIMATE.play(position, draw.choice(moves))
        usual, other = ULTIMATE.outcome(position), by_boards.outcome(position)
        assert usual is not None
        assert other is not None
        if usual.winner is not None:
            assert other.winner is usual.winner
        else:
            ahead = other.black - other.white
            assert other.winner is (None if ahead == 0 else Color.BLACK if ahead > 0 else Color.WHITE)
            decided += ahead != 0
    assert decided > 3


def test_the_win_length_fits_the_board() -> None:
    usual = {3: 3, 4: 4, 5: 4, 6: 4, 7: 5, 15: 5}
    assert {size: game_spec("tictactoe", {"size": size})["win_length"] for size in usual} == usual
    with pytest.raises(ConfigError, match=r"rules\.win_length: 4 in a row does not fit on 3 . 3; allowed: 3 to 3"):
        game_spec("tictactoe", {"win_length": 4})
    for options in ({"size": 2}, {"size": 16}, {"size": 3, "win_length": 2}):
        with pytest.raises(ConfigError):
            game_spec("tictactoe", options)


def test_a_transcript_is_a_row_of_columns_that_are_not_full() -> None:
    game = parse_transcript("d 4 5, e 4.d", CONNECT_FOUR)
    assert format_transcript(game) == "44554"
    assert parse_transcript("44554", CONNECT_FOUR) == game
    with pytest.raises(TranscriptError):
        parse_transcript("f5d6", CONNECT_FOUR)
    with pytest.raises(TranscriptError, match="move 7, 4: not legal here; legal: 1, 2, 3, 5, 6, 7"):
        parse_transcript("4444444", CONNECT_FOUR)


def test_any_square_of_a_column_means_its_lowest_free_square() -> None:
    assert {CONNECT_FOUR.pointed_square(START, Square(square)) for square in range(3, 42, 7)} == {38}
    after = CONNECT_FOUR.play(START, Move(38))
    assert (CONNECT_FOUR.parse_move(after, "4"), CONNECT_FOUR.move_text(after, Move(31))) == (31, "4")
    full = parse_transcript("444444", CONNECT_FOUR).position
    assert Move(CONNECT_FOUR.pointed_square(full, Square(38))) not in CONNECT_FOUR.legal_moves(full)
