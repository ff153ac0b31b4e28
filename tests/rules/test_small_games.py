"""Tic-tac-toe and ultimate tic-tac-toe against the slow reference and the published counts."""

import random
from collections.abc import Collection

import numpy as np
import pytest

from othello.errors import BoardTextError, ConfigError, TranscriptError
from othello.kernel.random import random_lanes, random_state
from othello.rules.protocol import Color, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from tests import compiled_rules
from tests.rules import slow_rows

PERFT = [
    ({"size": 3}, (9, 72, 504, 3024, 15120, 56160, 154944, 255168, 255168)),
    ({"size": 4}, (16, 240, 3360, 43680, 524160, 5765760)),
    ({"size": 4, "win_length": 3}, (16, 240, 3360, 43680, 524160, 5541120)),
    ({"size": 5}, (25, 600, 13800, 303600, 6375600)),
]
ULTIMATE_PERFT = (81, 720, 6336, 55080, 473256, 4020960)


def tictactoe(**options: int) -> Rules[Position]:
    return rules_of(game_spec("tictactoe", options))


ULTIMATE = rules_of(game_spec("ultimate_tictactoe"))


@pytest.mark.parametrize(("options", "counts"), PERFT)
def test_perft_of_tictactoe(options: dict[str, int], counts: tuple[int, ...]) -> None:
    rules = tictactoe(**options)
    assert tuple(rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)) == counts


def test_perft_of_ultimate() -> None:
    counts = tuple(ULTIMATE.perft(ULTIMATE.start(), depth) for depth in range(1, len(ULTIMATE_PERFT) + 1))
    assert counts == ULTIMATE_PERFT


def test_the_slow_reference_counts_the_same() -> None:
    assert slow_rows.perft(slow_rows.Rows(3, 3), 5) == PERFT[0][1][4]
    assert slow_rows.perft(slow_rows.Rows(4, 3), 3) == PERFT[2][1][2]
    assert slow_rows.perft(slow_rows.Ultimate(), 3) == ULTIMATE_PERFT[2]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "length"), [(3, 3), (4, 3), (5, 4), (8, 5), (15, 5), (15, 15)])
def test_tictactoe_is_the_slow_game(size: int, length: int, seed: int) -> None:
    rules, slow = tictactoe(size=size, win_length=length), slow_rows.Rows(size, length)
    position, draw = rules.start(), random.Random(seed)
    while True:
        moves = rules.legal_moves(position)
        assert [divmod(move, size) for move in moves] == slow.moves()
        outcome, result = rules.outcome(position), slow.result()
        assert (outcome is None) == (result is None)
        if outcome is not None:
            assert outcome.winner == (None if result == -1 else Color(result or 0))
            return
        move = draw.choice(moves)
        position, slow = rules.play(position, move), slow.play(divmod(move, size))


def worth(rules: Rules[Position], own: Collection[int], others: Collection[int]) -> int:
    """Return the value of the rows that a side can still fill: four times as much for every mark."""
    counts = (sum(square in own for square in line) for line in rules.lines if not set(line).intersection(others))
    return sum(4 ** min(count - 1, 5) for count in counts if 0 < count < len(rules.lines[0]))


@pytest.mark.parametrize(("size", "length"), [(3, 3), (6, 4), (7, 7), (8, 5), (9, 5), (15, 5), (15, 9), (15, 15)])
def test_a_win_in_one_move_is_foreseen_where_trying_all_moves_finds_it(size: int, length: int) -> None:
    """Rows that lack one mark, or two, among other marks."""
    rules, draw = tictactoe(size=size, win_length=length), random.Random(size)
    moves, known = np.zeros(rules.max_moves, np.uint8), set()
    for _ in range(60):
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


@pytest.mark.parametrize("seed", range(20))
def test_ultimate_is_the_slow_game(seed: int) -> None:
    position, slow, draw = ULTIMATE.start(), slow_rows.Ultimate(), random.Random(seed)
    while True:
        moves = ULTIMATE.legal_moves(position)
        assert [divmod(move, 9) for move in moves] == slow.moves()
        if not moves:
            break
        move = draw.choice(moves)
        position, slow = ULTIMATE.play(position, move), slow.play(divmod(move, 9))
    outcome = ULTIMATE.outcome(position)
    assert outcome is not None
    assert outcome.winner == (None if slow.winner() is None else Color(slow.winner() or 0))
    boards = [[board.result() for board in slow.boards].count(side) for side in (0, 1)]
    assert list(ULTIMATE.score(position)) == boards


def test_more_boards_win_a_tie_where_the_rules_say_so() -> None:
    by_boards = rules_of(game_spec("ultimate_tictactoe", {"tie": "boards"}))
    decided = 0
    for seed in range(300):
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
    assert decided > 10


@pytest.mark.parametrize("text", ["7,9", "7, 9", "7 9", "(7, 9)", " 7 ,9 "])
def test_ultimate_reads_moves_as_people_write_them(text: str) -> None:
    assert ULTIMATE.parse_move(ULTIMATE.start(), text) == 6 * 9 + 8
    assert ULTIMATE.move_text(ULTIMATE.start(), Move(6 * 9 + 8)) == "7,9"


@pytest.mark.parametrize("text", ["", "7", "0,1", "1,10", "a1", "7;9"])
def test_ultimate_refuses_what_is_no_move(text: str) -> None:
    with pytest.raises(TranscriptError, match="1,1 to 9,9"):
        ULTIMATE.parse_move(ULTIMATE.start(), text)


def test_tictactoe_names_squares_by_column_and_row() -> None:
    rules = tictactoe(size=15)
    assert rules.move_text(rules.start(), Move(14 * 15 + 14)) == "o15"
    assert rules.parse_move(rules.start(), "O15") == 14 * 15 + 14
    for text in ("p1", "a16", "a0", "a", "11"):
        with pytest.raises(TranscriptError, match="a1 to o15"):
            rules.parse_move(rules.start(), text)


@pytest.mark.parametrize(
    ("marks", "ends"), [("XXXOO----", [(0, 2)]), ("XOX-OX-O-", [(1, 7)]), ("XOXXOOOXX", []), ("---------", [])]
)
def test_the_row_that_wins_is_known(marks: str, ends: list[tuple[int, int]]) -> None:
    rules = tictactoe()
    side = "O" if marks.count("X") > marks.count("O") else "X"
    won = rules.won_lines(rules.parse_position(f"{marks} {side}"))
    assert [(line[0], line[-1]) for line in won] == ends


def test_boards_that_win_are_joined_at_their_middles() -> None:
    rows = ["XXXXXXXXX", "-" * 9, "-" * 9, "OO-OO-OO-", "-" * 9, "-" * 9, "OO-------", "-" * 9, "-" * 9]
    position = ULTIMATE.parse_position(f"{''.join(rows)} O any")
    assert ULTIMATE.won_lines(position) == ((10, 13, 16),)


@pytest.mark.parametrize("text", ["", "X" * 81 + " X any", "-" * 81 + " X", "-" * 81 + " O any", "-" * 81 + " X 10"])
def test_ultimate_refuses_boards_that_cannot_be(text: str) -> None:
    with pytest.raises(BoardTextError):
        ULTIMATE.parse_position(text)


def test_the_win_length_fits_the_board() -> None:
    usual = {3: 3, 4: 4, 5: 4, 6: 4, 7: 5, 15: 5}
    assert {size: game_spec("tictactoe", {"size": size})["win_length"] for size in usual} == usual
    with pytest.raises(ConfigError, match=r"rules\.win_length: 4 in a row does not fit on 3 . 3; allowed: 3 to 3"):
        game_spec("tictactoe", {"win_length": 4})
    for options in ({"size": 2}, {"size": 16}, {"size": 3, "win_length": 2}):
        with pytest.raises(ConfigError):
            game_spec("tictactoe", options)


@pytest.mark.parametrize(
    "rules",
    [
        tictactoe(size=3),
        tictactoe(size=5),
        pytest.param(tictactoe(size=9), marks=pytest.mark.slow),
        ULTIMATE,
        rules_of(game_spec("connect_four")),
    ],
    ids=["3", "5", "9", "ultimate", "connect_four"],
)
def test_playouts_of_both_kinds_agree(rules: Rules[Position]) -> None:
    """Both draw from the same distribution: shares of wins and draws within five standard errors."""
    games = 20_000
    state = rules.kernel_state(rules.start())
    single, side_by_side = np.zeros(games, np.int64), np.zeros(games, np.int64)
    compiled_rules.playouts_one_at_a_time(state, random_state(np.random.SeedSequence(1)), single)
    lanes = random_lanes(np.random.SeedSequence(2), 16, more_rows=2 + rules.state_words)
    compiled_rules.playouts_in_lock_step(state, 16, lanes, side_by_side)
    for value in (-1, 0, 1):
        first, second = (np.sign(differences) == value for differences in (single, side_by_side))
        assert abs(first.mean() - second.mean()) < 5 * np.sqrt(0.5 / games)
