"""The processor cores and the memory available to this process."""

import ctypes
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_CGROUP: Final = ("memory.max", "memory/memory.limit_in_bytes")  # versions 2 and 1, below /sys/fs/cgroup


@cache
def cores() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def memory_megabytes() -> int:
    """Return the physical memory, or the limit of the container if that is lower."""
    limits = [_physical_bytes()]
    for name in _CGROUP:
        with suppress(OSError, ValueError):
            limits.append(int((Path("/sys/fs/cgroup") / name).read_text(encoding="ascii")))
    return min(limits) >> 20


def _physical_bytes() -> int:
    if sys.platform == "win32":
        status = (ctypes.c_uint64 * 8)(64)  # MEMORYSTATUSEX: size of the structure, physical memory
        ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
        return status[1]
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
