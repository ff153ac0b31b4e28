"""The tables of symmetries are the eight maps of a square board, and searches use the same ones."""

import pytest

from othello.rules.symmetry import square_images
from othello.rules.symmetry_kernels import original
from tests import compiled_rules
from tests.positions import IMAGES, RULES, START, image_of, with_empties, with_forced_pass


@pytest.mark.parametrize("size", [3, 6, 8])
def test_tables_are_the_eight_maps_and_kernels_invert_them(size: int) -> None:
    tables = square_images(size)
    assert len({*tables}) == len(tables) == 8
    for symmetry, table in enumerate(tables):
        assert sorted(table) == [*range(size * size)]
        assert all(original.py_func(image, size, symmetry) == square for square, image in enumerate(table))  # type: ignore[attr-defined]


def test_all_images_have_the_smallest_one_as_canonical_state() -> None:
    """`contract/test_games.py` tests symmetries as the rules define them; here they are computed square by square."""
    for position in (START, *with_empties(8, 30), *with_forced_pass(2)):
        images = [image_of(position, image) for image in range(len(IMAGES))]
        smallest = min((image.own, image.opponent) for image in images)
        for image in images:
            state, _ = compiled_rules.canonical(RULES.kernel_state(image))
            assert (int(state[0]), int(state[1])) == smallest
