"""The evaluation of a position: a sum of weights of patterns, mobility, frontier and regions.

Values are expected final disc differences for the side to move.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from othello.engine import patterns
from othello.engine.last_empties import QUADRANTS
from othello.engine.patterns import FEW, FEW_MOVES, LANES, PLACE_VALUES, STAGES, WEIGHTS
from othello.engine.stable_discs import with_neighbours
from othello.engine.weights import UNITS
from othello.kernel import vectors
from othello.kernel.bits import ONE, as_int64, lowest_square, popcount
from othello.kernel.decorators import inlined, intrinsic, ir, kernel, types
from othello.rules.othello.othello_kernels import Bitboard, mobility

# int16 array of shape (STAGES, WEIGHTS), in 1 / UNITS discs.
Weights: TypeAlias = NDArray[np.int16]

# uint16 array of shape (plies, 2, LANES): for each position of a line, the sums of the place values of the discs, the
# side to move first.
#
# The pattern index of a lane is the first sum plus twice the second.
Numbers: TypeAlias = NDArray[np.uint16]

_NUMBER = ir.IntType(16)
_VECTOR = ir.VectorType(_NUMBER, LANES)
_INT, _WORD = ir.IntType(32), ir.IntType(64)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, row: Any, row_length: int, element: Any) -> Any:
    """Return the address of a row of a contiguous array as a pointer to `element`."""
    data = context.make_array(kind)(context, builder, array).data
    start = builder.gep(data, [builder.mul(row, ir.Constant(_WORD, row_length))])
    return builder.bitcast(start, element.as_pointer())


_PLACE_VALUE_ROWS: Final = [ir.Constant(_VECTOR, row.tolist()) for row in PLACE_VALUES]


def _place_values(builder: Any, square: Any) -> Any:
    return vectors.row(builder, "pattern_place_values", _PLACE_VALUE_ROWS, square)


def _sum_of_squares(builder: Any, board: Any) -> Any:
    """Return the sum of the place values of the squares of a board, which must not be empty."""
    before = builder.block
    turn, done = builder.append_basic_block("turn"), builder.append_basic_block("turned")
    builder.branch(turn)
    builder.position_at_end(turn)
    left, total = builder.phi(_WORD), builder.phi(_VECTOR)
    square = builder.cttz(left, ir.Constant(ir.IntType(1), 1))
    more = builder.add(total, _place_values(builder, square))
    rest = builder.and_(left, builder.sub(left, ir.Constant(_WORD, 1)))
    left.add_incoming(board, before)
    left.add_incoming(rest, turn)
    total.add_incoming(ir.Constant(_VECTOR, [0] * LANES), before)
    total.add_incoming(more, turn)
    builder.cbranch(builder.icmp_unsigned("!=", rest, ir.Constant(_WORD, 0)), turn, done)
    builder.position_at_end(done)
    return more


def _sums(context: Any, builder: Any, kind: Any, numbers: Any, ply: Any) -> tuple[Any, Any]:
    """Return the two sums of place values of a ply."""
    here = _pointer(context, builder, kind, numbers, ply, 2 * LANES, _VECTOR)
    return builder.load(here, align=2), builder.load(builder.gep(here, [ir.Constant(_INT, 1)]), align=2)


def _after(context: Any, builder: Any, kind: Any, numbers: Any, ply: Any, turned: Any, square: Any) -> tuple[Any, Any]:
    """Return the two sums after a move, those of the new side to move first."""
    own, opponent = _sums(context, builder, kind, numbers, ply)
    captured = _sum_of_squares(builder, turned)
    placed = _place_values(builder, square)
    return builder.sub(opponent, captured), builder.add(own, builder.add(captured, placed))


def _total(context: Any, builder: Any, kind: Any, weights: Any, stage: Any, own: Any, opponent: Any) -> Any:
    """Return the sum of the weights of all lanes from the two sums of place values."""
    base = _pointer(context, builder, kind, weights, stage, WEIGHTS, _NUMBER)
    with builder.goto_entry_block():
        scratch = builder.alloca(_VECTOR)
    builder.store(builder.add(own, builder.add(opponent, opponent)), scratch)
    lanes = builder.bitcast(scratch, _NUMBER.as_pointer())
    total = ir.Constant(_INT, 0)
    for lane, start in enumerate(patterns.LANE_STARTS):
        number = builder.zext(builder.load(builder.gep(lanes, [ir.Constant(_INT, lane)])), _WORD)
        weight = builder.load(builder.gep(base, [builder.add(number, ir.Constant(_WORD, start))]))
        total = builder.add(total, builder.sext(weight, _INT))
    return builder.sext(total, _WORD)


def _descend(_typing: Any, numbers: Any, ply: Any, turned: Any, square: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers, ply, turned, square = arguments
        own, opponent = _after(context, builder, signature.args[0], numbers, ply, turned, square)
        below = builder.add(ply, ir.Constant(_WORD, 1))
        there = _pointer(context, builder, signature.args[0], numbers, below, 2 * LANES, _VECTOR)
        builder.store(own, there, align=2)
        builder.store(opponent, builder.gep(there, [ir.Constant(_INT, 1)]), align=2)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.uint64, types.int64), generate


def _sum_here(_typing: Any, weights: Any, stage: Any, numbers: Any, ply: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, stage, numbers, ply = arguments
        sums = _sums(context, builder, signature.args[2], numbers, ply)
        return _total(context, builder, signature.args[0], weights, stage, *sums)

    return types.int64(weights, types.int64, numbers, types.int64), generate


def _sum_after(_typing: Any, weights: Any, stage: Any, numbers: Any, ply: Any, turned: Any, square: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, stage, numbers, ply, turned, square = arguments
        sums = _after(context, builder, signature.args[2], numbers, ply, turned, square)
        return _total(context, builder, signature.args[0], weights, stage, *sums)

    return types.int64(weights, types.int64, numbers, types.int64, types.uint64, types.int64), generate


def _regions(_typing: Any, own: Any, empty: Any, moves: Any, replies: Any) -> Any:
    edges = [0xFF, 0xFF << 56, 0x0101010101010101, 0x8080808080808080]
    small = ir.VectorType(_INT, 8)

    def numbers(*values: int) -> Any:
        return ir.Constant(small, [ir.Constant(_INT, value) for value in values])

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def counts(board: Any, *regions: int) -> Any:
            found = builder.and_(vectors.broadcast(builder, board, 8), vectors.constants(*regions))
            return builder.trunc(vectors.bit_counts(builder, found), small)

        def least(vector: Any, value: int) -> Any:
            most = numbers(*[value] * 8)
            return builder.select(builder.icmp_unsigned("<", vector, most), vector, most)

        def bits(flags: Any) -> Any:
            """Return a bit for each quadrant."""
            word = builder.zext(builder.bitcast(flags, ir.IntType(8)), _WORD)
            return builder.and_(word, ir.Constant(_WORD, 15))

        own, empty, moves, replies = arguments
        regions = [*map(int, QUADRANTS), *edges]
        left, able, other = (counts(board, *regions) for board in (empty, moves, replies))
        odd = builder.and_(builder.ctpop(empty), ir.Constant(_WORD, 1))
        places = builder.mul(least(left, FEW - 1), numbers(*[FEW_MOVES] * 8))
        places = builder.mul(builder.add(places, least(able, FEW_MOVES - 1)), numbers(*[FEW_MOVES] * 8))
        places = builder.mul(builder.add(places, least(other, FEW_MOVES - 1)), numbers(*[2] * 8))
        places = builder.add(places, builder.trunc(vectors.broadcast(builder, odd, 8), small))
        places = builder.mul(places, numbers(*[1] * 4, *[9] * 4))
        places = builder.add(places, counts(own, *[0] * 4, *edges))
        places = builder.add(places, numbers(*[patterns.QUADRANT] * 4, *[patterns.EDGE] * 4))
        none = numbers(*[0] * 8)
        access = bits(builder.icmp_unsigned("!=", able, none))
        for shift, flags in (
            (4, builder.icmp_unsigned("!=", other, none)),
            (8, builder.trunc(left, ir.VectorType(ir.IntType(1), 8))),
        ):
            access = builder.or_(access, builder.shl(bits(flags), ir.Constant(_WORD, shift)))
        found = [builder.zext(builder.extract_element(places, ir.Constant(_INT, at)), _WORD) for at in range(8)]
        found.append(builder.add(access, ir.Constant(_WORD, patterns.ACCESS)))
        return context.make_tuple(builder, signature.return_type, found)

    places: Any = types.UniTuple
    return places(types.int64, 9)(*[types.uint64] * 4), generate


# Write the sums after a move to the next ply of the line.
descend = cast(Callable[[Numbers, int, Bitboard, int], None], intrinsic(_descend))
# Return the indices of the weights of the four quadrants, the four edges, and the access of both sides.
_places_of_regions = cast(Callable[[Bitboard, Bitboard, Bitboard, Bitboard], tuple[int, ...]], intrinsic(_regions))
_sum_of_patterns = cast(Callable[[Weights, int, Numbers, int], int], intrinsic(_sum_here))
_sum_of_patterns_after = cast(Callable[[Weights, int, Numbers, int, Bitboard, int], int], intrinsic(_sum_after))

COUNTED: Final = 12  # number of weights of a position besides those of patterns
_MAX_COUNTED: Final = FEW - 1
_MAX_DISCS: Final = 63  # maximum value in discs: less than a wipe-out


@kernel
def write_numbers(own: Bitboard, opponent: Bitboard, numbers: Numbers, ply: int) -> None:
    """Compute the sums of a position from its discs."""
    for side in range(2):
        for lane in range(LANES):
            numbers[ply, side, lane] = 0
        board = opponent if side else own
        while board:
            square = lowest_square(board)
            board &= board - ONE
            for lane in range(LANES):
                numbers[ply, side, lane] += PLACE_VALUES[square, lane]


@inlined
def pass_on(numbers: Numbers, ply: int) -> None:
    """Write the sums after a pass to the next ply of the line."""
    for lane in range(LANES):
        numbers[ply + 1, 0, lane] = numbers[ply, 1, lane]
        numbers[ply + 1, 1, lane] = numbers[ply, 0, lane]


@inlined
def counted(own: Bitboard, opponent: Bitboard) -> tuple[int, ...]:
    """Return the indices of the COUNTED weights of a position that do not belong to patterns."""
    empty = ~(own | opponent)
    moves, replies = mobility(own, opponent), mobility(opponent, own)
    count, reply_count = popcount(moves), popcount(replies)
    frontier = with_neighbours(empty)
    counts = min(count, _MAX_COUNTED) * FEW + min(reply_count, _MAX_COUNTED)
    counts = counts * FEW + min(popcount(frontier & own) >> 1, _MAX_COUNTED)
    counts = counts * FEW + min(popcount(frontier & opponent) >> 1, _MAX_COUNTED)
    return (
        patterns.OWN_MOVES + count,
        patterns.OPPONENT_MOVES + reply_count,
        patterns.FRONTIER + counts * 2 + (popcount(empty) & 1),
        *_places_of_regions(own, empty, moves, replies),
    )


@inlined
def _stage(own: Bitboard, opponent: Bitboard) -> int:
    discs = max(4, popcount(own | opponent))  # an edited position may have fewer
    return min((discs - 4) >> 1, STAGES - 1)


@inlined
def with_counts(pattern_sum: int, own: Bitboard, opponent: Bitboard, weights: Weights) -> int:
    """Return the value of a position from the value of its patterns, in 1 / UNITS discs."""
    total, stage = pattern_sum, _stage(own, opponent)
    for place in counted(own, opponent):
        total += as_int64(weights[stage, place])
    return total


@inlined
def in_discs(value: int) -> int:
    """Convert a value in 1 / UNITS discs to discs, rounded."""
    return max(-_MAX_DISCS, min(_MAX_DISCS, (value + UNITS // 2) // UNITS))


@kernel
def evaluate(own: Bitboard, opponent: Bitboard, numbers: Numbers, ply: int, weights: Weights) -> int:
    """Return the value of the position whose sums are at `ply`, in discs."""
    patterns = _sum_of_patterns(weights, _stage(own, opponent), numbers, ply)
    return in_discs(with_counts(patterns, own, opponent, weights))


@inlined
def patterns_after(
    own: Bitboard, opponent: Bitboard, turned: Bitboard, square: int, numbers: Numbers, ply: int, weights: Weights
) -> int:
    """Return the value of the patterns after a move, in 1 / UNITS discs. Faster than `evaluate_after`."""
    return _sum_of_patterns_after(weights, _stage(own, opponent), numbers, ply, turned, square)


@inlined
def evaluate_after(
    own: Bitboard, opponent: Bitboard, turned: Bitboard, square: int, numbers: Numbers, ply: int, weights: Weights
) -> int:
    """Return the value of the position after a move, for its side to move, in discs.

    Args:
        own: discs of the side to move after the move.
        opponent: discs of the other side.
        turned: discs that the move turned over.
        square: square of the move.
        numbers: sums of the line.
        ply: the ply before the move.
        weights: of the evaluation.
    """
    patterns = patterns_after(own, opponent, turned, square, numbers, ply, weights)
    return in_discs(with_counts(patterns, own, opponent, weights))
