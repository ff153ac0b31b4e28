"""Recursive kernels are compiled for one set of types.

A constant among the arguments of a call may be a type of its own to numba. The kernel then exists twice, both call each
other, and a process that loads them from the cache crashes.
"""

from __future__ import annotations

from typing import Any

import pytest

from othello.players.registry import configure
from othello.search.alphabeta import alphabeta
from othello.search.pvs import pvs
from tests.positions import START
from tests.thinking import answer


@pytest.mark.parametrize("kernel", [alphabeta, pvs])
def test_a_recursive_kernel_has_one_signature(kernel: Any) -> None:
    answer(configure("heuristic", depth=4), START)
    assert len(kernel.nopython_signatures) <= 1, "none where the caller came from the cache"
