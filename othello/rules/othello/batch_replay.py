"""Many games are replayed at once, compiled: whole archives within seconds."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64
from othello.kernel.decorators import Bytes, Ints, Words, kernel
from othello.rules.othello.othello_kernels import PASS, flips, mobility

_MOST_PLIES: Final = 124  # of a game that begins with an empty centre, or elsewhere: no two passes follow one another


@kernel
def replay(boards: Words, moves: Bytes, ends: Ints, plies: Bytes, counts: Ints) -> None:
    """Replay games with the usual passes.

    `boards` holds two words a game, own discs first: those of its start, and in the end those of its last position.
    `moves` holds the moves of all games, which end at `ends`. The games with all passes go to `plies`, a row each, and
    how many plies they have to `counts`: -1 where a move is not legal.
    """
    place = 0
    for game in range(ends.size):
        own, opponent = boards[game, 0], boards[game, 1]
        legal = mobility(own, opponent)
        count, is_sound = 0, True
        while is_sound:
            is_end = place == ends[game]
            move = as_int64(PASS) if is_end else as_int64(moves[place])
            if legal == ZERO:
                legal = mobility(opponent, own)
                if legal == ZERO or count == plies.shape[1]:
                    is_sound = is_end
                    break
                own, opponent = opponent, own
                plies[game, count] = PASS
                count += 1
                if move == PASS and not is_end:
                    place += 1
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
            place += 1
        boards[game, 0], boards[game, 1] = own, opponent
        counts[game] = count if is_sound else -1
        place = ends[game]


Played: TypeAlias = tuple[int, int, bytes]
"""A game: its first boards, own discs first, and its moves."""


def _replay(games: Sequence[Played]) -> tuple[Words, Bytes, Ints]:
    """The last boards of games, their moves with all passes, and how many these are."""
    boards = np.array([game[:2] for game in games], np.uint64)
    ends = np.cumsum([len(moves) for _, _, moves in games], dtype=np.int64)
    moves = np.frombuffer(b"".join(moves for _, _, moves in games), np.uint8)
    plies, counts = np.zeros((len(games), _MOST_PLIES), np.uint8), np.zeros(len(games), np.int64)
    replay(boards, moves, ends, plies, counts)
    return boards, plies, counts


def ended(games: Sequence[Played]) -> list[list[int]]:
    """The last boards of games with all passes, own discs first."""
    found: list[list[int]] = _replay(games)[0].tolist()
    return found


def replayed(games: Sequence[Played]) -> list[bytes | None]:
    """The moves of games with all passes, None where one is not legal."""
    _, plies, counts = _replay(games)
    rows = plies.tobytes()
    starts = range(0, len(rows), _MOST_PLIES)
    return [
        None if count < 0 else rows[start : start + count] for start, count in zip(starts, counts.tolist(), strict=True)
    ]
