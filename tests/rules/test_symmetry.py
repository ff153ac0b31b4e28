"""One state stands for eight images and for both colours, and moves find their way back."""

import pytest

from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Move
from othello.rules.symmetry import square_images
from othello.rules.symmetry_kernels import original
from tests import compiled_rules
from tests.positions import IMAGES, RULES, START, image_of, with_empties, with_forced_pass

POSITIONS = [
    START,
    *(position for empties in (56, 40, 24, 8, 2) for position in with_empties(4, empties)),
    *with_forced_pass(4),
]


def canonical_state(position: OthelloPosition) -> tuple[int, int]:
    state, _ = compiled_rules.canonical(RULES.kernel_state(position))
    return int(state[0]), int(state[1])


def seen_as_black(state: tuple[int, int]) -> OthelloPosition:
    return OthelloPosition(int(state[0]), int(state[1]), Color.BLACK)


@pytest.mark.parametrize("position", POSITIONS)
def test_all_images_share_the_smallest_one(position: OthelloPosition) -> None:
    images = [image_of(position, image) for image in range(len(IMAGES))]
    smallest = min((image.own, image.opponent) for image in images)
    assert {canonical_state(image) for image in images} == {smallest}


@pytest.mark.parametrize("position", POSITIONS)
def test_moves_of_the_canonical_state_are_the_moves_of_every_image(position: OthelloPosition) -> None:
    for image in (image_of(position, number) for number in range(len(IMAGES))):
        state = RULES.kernel_state(image)
        words, symmetry = compiled_rules.canonical(state)
        canonical = RULES.kernel_state(seen_as_black(words))
        there = compiled_rules.legal_moves(canonical, RULES.max_moves)
        back = [compiled_rules.original_move(state, move, symmetry) for move in there]
        assert tuple(sorted(back)) == RULES.legal_moves(image)
        for move, former in zip(there, back, strict=True):
            after = compiled_rules.play(canonical, move)
            leads_to = canonical_state(seen_as_black(after))
            assert leads_to == canonical_state(RULES.play(image, Move(former)))


@pytest.mark.parametrize("size", [3, 6, 8])
def test_the_tables_are_the_eight_maps_and_their_inverses_are_the_kernels(size: int) -> None:
    tables = square_images(size)
    assert len({*tables}) == len(tables) == 8
    for symmetry, table in enumerate(tables):
        assert sorted(table) == [*range(size * size)]
        assert all(original.py_func(image, size, symmetry) == square for square, image in enumerate(table))  # type: ignore[attr-defined]


@pytest.mark.parametrize("position", POSITIONS)
def test_images_of_a_position_by_the_tables_have_one_key(position: OthelloPosition) -> None:
    keys, boards = set(), (position.black, position.white)
    for table in square_images(8):
        black, white = (sum(1 << table[square] for square in range(64) if board >> square & 1) for board in boards)
        keys.add(RULES.key_of(OthelloPosition(black, white, position.to_move))[0])
    assert len(keys) == 1
