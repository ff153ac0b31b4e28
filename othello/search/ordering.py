"""Move ordering by incremental sorting: most positions are refuted by the first move, so the others need no order."""

from othello.kernel.decorators import Ints, inlined


@inlined
def least_first(keys: Ints, turn: int, count: int) -> int:
    """Move the smallest of `keys[turn:count]` to index `turn` and return it.

    This is one pass of bubble sort, made of minima and maxima. Insertion sort took half of the time of an alpha-beta
    search, because of branches that a processor cannot predict.
    """
    minimum: int = keys[turn]
    for index in range(turn + 1, count):
        other = keys[index]
        keys[index] = max(minimum, other)
        minimum = min(minimum, other)
    keys[turn] = minimum
    return minimum
