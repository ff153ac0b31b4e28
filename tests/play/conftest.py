"""Fixtures of the tests of games in progress and of what is stored of them."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from othello.study.library import Library
from othello.study.store_writer import StoreWriter


@pytest.fixture
def store_writer(tmp_path: Path) -> Iterator[StoreWriter]:
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        yield store_writer


@pytest.fixture
def library(store_writer: StoreWriter) -> Library:
    """Return the library of a window."""
    return Library(store_writer)


@pytest.fixture
def store_writers(tmp_path: Path) -> Iterator[list[StoreWriter]]:
    """Return the writers of four windows with one store."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(StoreWriter(tmp_path / "games.sqlite"))) for _ in range(4)]
