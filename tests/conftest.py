"""Fixtures of all tests: no test depends on time, because kernels may be compiled in it, or on the user's games."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them the programs that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")


@pytest.fixture(scope="session", autouse=True)
def isolated_data_dir() -> Iterator[None]:
    """Programs that tests start keep games in a folder of the tests' own."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "OTHELLO_DATA_DIR", folder)
        patch.setitem(os.environ, "OTHELLO_CONFIG_DIR", f"{folder}/settings")
        # Programs that tests start find the tests although they leave the current folder out of their path.
        patch.setitem(os.environ, "PYTHONPATH", str(Path(__file__).parents[1]))
        patch.setitem(os.environ, "LC_ALL", "C.UTF-8")  # and speak English
        yield
