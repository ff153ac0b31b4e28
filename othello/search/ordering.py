"""The order of moves, found one at a time: most positions are refuted by their first move, and no more is needed."""

from othello.kernel.decorators import Ints, inlined


@inlined
def least_first(keys: Ints, turn: int, count: int) -> int:
    """The least of `keys[turn:count]`, moved to the place `turn`.

    A pass of bubble sort, all minima and maxima. To sort by insertion instead took half of an alpha-beta search's time,
    in branches that no processor can predict.
    """
    least: int = keys[turn]
    for index in range(turn + 1, count):
        other = keys[index]
        keys[index] = max(least, other)
        least = min(least, other)
    keys[turn] = least
    return least
