"""Players that are made ready where memory is to be given back."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from llvmlite import binding as llvm

from othello.kernel.loading import NotCompiledError, only_loads
from othello.players import compilation
from othello.players.player_registry import configure
from tests.play.fake_players import FirstMove
from tests.positions import RULES


class Uncompiled(FirstMove):
    """A player whose code counts as compiled when another process has written a file."""

    file: Path

    def prepare(self) -> None:
        if only_loads() and not self.file.exists():
            raise NotCompiledError


def test_what_no_cache_has_is_compiled_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Uncompiled(configure("random", name=str(tmp_path / "process")), RULES)
    player.file = tmp_path / "process"
    monkeypatch.setattr(compilation, "_work", leave)
    compilation.prepare(player)
    first = player.file.read_text()
    assert first != str(os.getpid())
    compilation.prepare(player)
    assert player.file.read_text() == first, "what a cache has is only loaded"
    assert not only_loads()


def leave(sender: object, tasks: Sequence[compilation.Task], rest: object) -> None:
    """Leave the number of the process that this is called in."""
    Path(tasks[0][0].name).write_text(str(os.getpid()))


def test_memory_is_given_back_where_the_system_can_be_told() -> None:
    def resident() -> int:
        maps = psutil.Process().memory_maps(grouped=False)
        return sum(each.rss for each in maps if each.path.endswith("libllvmlite.so") and "x" in each.perms)

    compilation.configure_malloc()
    text = str(llvm.parse_assembly("@four = constant i32 4"))
    before = resident()
    compilation.trim_memory()
    if sys.platform == "linux":
        assert 4 * resident() < before
    assert str(llvm.parse_assembly("@four = constant i32 4")) == text, "what is needed again is read again"
