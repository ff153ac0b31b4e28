"""Fixtures of all tests: no test depends on time, because kernels may be compiled in it, or on the user's files."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

from othello import resources, texts
from tests.command_line import CommandLine
from tests.golden.dialogues import WRITES

# As `players.compilation` does: with the default, a sixteenth of the time to compile is garbage collection.
gc.set_threshold(100_000)

# Programs that tests start need a third of a second longer if each compiles the modules of this one.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them the programs that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")

ROOT = Path(__file__).parents[1]


def written_files() -> set[Path]:
    """Return the files of the repository and of the user's own settings, games and logs; caches do not count."""
    kinds = ("data", "config", "state", "log")
    user = [getattr(platformdirs, f"user_{kind}_path")("othello", appauthor=False) for kind in kinds]
    checkout = [path for path in ROOT.iterdir() if path.name[0] != "." and path.name != "build"]
    found = {path for folder in (*user, *checkout) for path in (folder, *folder.rglob("*")) if path.exists()}
    return {path for path in found if "__pycache__" not in path.parts}


@pytest.fixture(scope="session", autouse=True)
def isolated_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all programs keep their files in a temporary folder, except compiled kernels and lists of fonts."""
    home, before = tmp_path_factory.mktemp("home"), written_files()
    environment = {
        "OTHELLO_CACHE_DIR": resources.cache_folder(),
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR") or platformdirs.user_cache_path("matplotlib"),
        "OTHELLO_DATA_DIR": home,
        "OTHELLO_CONFIG_DIR": home / "settings",
        "HOME": home,
        **{f"XDG_{kind}_HOME": home / kind.lower() for kind in ("CACHE", "CONFIG", "DATA", "STATE")},
        # Programs that tests start find the tests although they leave the current folder out of their path.
        "PYTHONPATH": ROOT,
        "LC_ALL": "C.UTF-8",  # and speak English
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, str(value))
        yield
    is_writing = WRITES in os.environ
    assert is_writing or written_files() <= before, "a test wrote outside of its folders"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Return the command line of the program, run in this process."""
    return CommandLine(capsys)


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder in which the program keeps its games."""
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def restored_language() -> Iterator[None]:
    """Speak English again after a test that chooses or adds a language."""
    yield
    texts.add({})
    texts.use("en")
