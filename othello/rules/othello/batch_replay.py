"""Fast replay of many games with kernels, for archives."""

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64
from othello.kernel.decorators import Bytes, Ints, Words, kernel
from othello.rules.othello.othello_kernels import PASS, flips, mobility

_MAX_PLIES: Final = 124  # upper bound for all start positions, because passes are never consecutive


@kernel
def replay(boards: Words, moves: Bytes, ends: Ints, plies: Bytes, counts: Ints) -> None:
    """Replay games with the standard rules for passes.

    Args:
        boards: uint64 of shape (games, 2), own discs first: the start positions, replaced by the last positions.
        moves: the moves of all games in one array.
        ends: the end of the moves of each game.
        plies: uint8 of shape (games, plies), receives the moves with all passes.
        counts: receives the number of plies, or -1 for a game with an illegal move.
    """
    index = 0
    for game in range(ends.size):
        own, opponent = boards[game, 0], boards[game, 1]
        legal = mobility(own, opponent)
        count, is_sound = 0, True
        while is_sound:
            is_end = index == ends[game]
            move = as_int64(PASS) if is_end else as_int64(moves[index])
            if legal == ZERO:
                legal = mobility(opponent, own)
                if legal == ZERO or count == plies.shape[1]:
                    is_sound = is_end
                    break
                own, opponent = opponent, own
                plies[game, count] = PASS
                count += 1
                if move == PASS and not is_end:
                    index += 1
                continue
            if is_end:
                break
            bit = ONE << np.uint64(move)
            if move >= PASS or legal & bit == ZERO or count == plies.shape[1]:
                is_sound = False
                break
            captured = flips(own, opponent, bit)
            own, opponent = opponent ^ captured, own | captured | bit
            legal = mobility(own, opponent)
            plies[game, count] = move
            count += 1
            index += 1
        boards[game, 0], boards[game, 1] = own, opponent
        counts[game] = count if is_sound else -1
        index = ends[game]


# A game: first boards, own discs first, and moves.
Played: TypeAlias = tuple[int, int, bytes]


def _replay(games: Sequence[Played]) -> tuple[Words, Bytes, Ints]:
    """Return the last boards of games, their moves with all passes, and the numbers of plies."""
    boards = np.array([game[:2] for game in games], np.uint64)
    ends = np.cumsum([len(moves) for _, _, moves in games], dtype=np.int64)
    moves = np.frombuffer(b"".join(moves for _, _, moves in games), np.uint8)
    plies, counts = np.zeros((len(games), _MAX_PLIES), np.uint8), np.zeros(len(games), np.int64)
    replay(boards, moves, ends, plies, counts)
    return boards, plies, counts


def ended(games: Sequence[Played]) -> list[list[int]]:
    """Return the last boards of games with all passes, own discs first."""
    return cast("list[list[int]]", _replay(games)[0].tolist())


def replayed(games: Sequence[Played]) -> list[bytes | None]:
    """Return the moves of games with all passes; None for a game with an illegal move."""
    _, plies, counts = _replay(games)
    rows = plies.tobytes()
    starts = range(0, len(rows), _MAX_PLIES)
    return [
        None if count < 0 else rows[start : start + count] for start, count in zip(starts, counts.tolist(), strict=True)
    ]
