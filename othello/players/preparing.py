"""How players are made ready and released in a program that runs for long, so that memory is given back."""

from __future__ import annotations

import ctypes
import multiprocessing
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from othello.kernel.loading import NotCompiledError, only_loading
from othello.players.compiling import compiler
from othello.players.player import Player

_compiling: Final = threading.Lock()

_COMPILER: Final = re.compile(
    r"^(\w+)-(\w+) r-[x-]p .*/libllvmlite\.so\n(?:[A-Z].*\n)*?Anonymous: +0 kB\n(?:[A-Z].*\n)*?Swap: +0 kB\n", re.M
)
"""The parts of the compiler in `/proc/self/smaps` of which no page has changed since they were read from their file."""

_NOT_NEEDED: Final = 4  # MADV_DONTNEED of mman.h
_ARENAS: Final = -8  # M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h
_MAPPED_FROM: Final = -3
_TRIMMED_FROM: Final = -1


def prepare(player: Player) -> None:
    """Make a player ready for its first move; see `Player.prepare`. A helping process compiles by itself."""
    if _loads(player):
        return
    if multiprocessing.current_process().daemon:  # must not start others, and gives its memory back in the end
        player.prepare()
        return
    with _compiling:  # or somebody else compiles the same, and this thread waits for that
        if _loads(player):
            return
        compiler.compile((player.config, player.rules.spec))
    player.prepare()


def _loads(player: Player) -> bool:
    """Whether all that a player needs has been compiled, and is loaded now."""
    with suppress(NotCompiledError), only_loading():
        player.prepare()
        return True
    return False


def give_back() -> None:
    """Return memory to the system: what was freed, which glibc keeps even if nobody needs so much again, and LLVM.

    To load a player takes 70 megabytes of LLVM's own code, and to play takes none of them. Whoever needs them once
    more has them read from their file again.
    """
    if (trim := _of_libc("malloc_trim")) is not None:
        trim(0)
    if (advise := _of_libc("madvise")) is not None:
        with suppress(OSError):
            for start, end in _COMPILER.findall(Path("/proc/self/smaps").read_text(encoding="utf-8")):
                first = int(start, 16)
                advise(ctypes.c_void_p(first), ctypes.c_size_t(int(end, 16) - first), _NOT_NEEDED)


def keep_little() -> None:
    """Let glibc give memory back by itself, for a program that runs for hours.

    Of all threads' memory it makes two heaps and not eight a core, and it maps every block of a megabyte, whose place
    goes back as soon as the block is freed. By default both grow with use, and small blocks hold large holes.
    """
    if (set_option := _of_libc("mallopt")) is not None:
        for option, value in (_ARENAS, 2), (_MAPPED_FROM, 1 << 20), (_TRIMMED_FROM, 1 << 20):
            set_option(option, value)


@cache
def _of_libc(name: str) -> Callable[..., int] | None:
    with suppress(AttributeError, OSError, TypeError):
        function: Callable[..., int] = getattr(ctypes.CDLL(None), name)
        return function
    return None
