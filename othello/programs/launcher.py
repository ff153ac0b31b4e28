"""Runs another program in a small process of its own, and ends the program when the parent process ends.

The parent holds a pipe open. When the pipe is closed, even because the parent was killed, the program and all its
descendants are killed. The file is run by its path and imports only the standard library.

    python -I -S launcher.py PIPE MEGABYTES PROGRAM [ARGUMENT ...]
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator

assert sys.platform != "win32"

_CANNOT = 127  # exit status of a program that cannot be started, as in shells
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER in prctl.h
_SUBREAPER = 36
_SECONDS = 2.0  # how long to try to kill descendants


def main(arguments: list[str]) -> int:
    """Run a program and return its exit status."""
    pipe, megabytes, *command = int(arguments[0]), int(arguments[1]), *arguments[2:]
    _control(_SUBREAPER, True)  # orphaned descendants become children of this process
    wakeup, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    launcher = os.getpid()
    program = os.fork()
    if program == 0:
        _become(command, megabytes, launcher)
    with contextlib.suppress(OSError):
        os.setpgid(program, program)  # done by both processes, because either may be first
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # closes this process's ends of the pipes, which then end with the program
        os.dup2(nowhere, number)
    status = _CANNOT
    while True:
        ready, _, _ = select.select([pipe, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, select.PIPE_BUF)
            ended = dict(_reaped())
            if program in ended:
                status = ended[program]
                break
        if pipe in ready:
            order = os.read(pipe, 1)
            if not order:
                break
            with contextlib.suppress(OSError):
                os.killpg(program, signal.SIGSTOP if order == b"s" else signal.SIGCONT)
    _end_all(program)
    return status


def _become(command: list[str], megabytes: int, launcher: int) -> None:
    """Replace this forked process by the program. Safe, because it has only one thread."""
    os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _control(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != launcher:
        os._exit(_CANNOT)
    try:
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode(errors="replace"))
        os._exit(_CANNOT)


def _control(option: int, value: int) -> None:
    """Call prctl, which only Linux has."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value)


def _reaped() -> Iterator[tuple[int, int]]:
    """Yield the process ids and exit statuses of children that have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            status = os.waitstatus_to_exitcode(ended[1])
            yield ended[0], 128 - status if status < 0 else status


def _end_all(program: int) -> None:
    """Kill the program, its process group and all descendants."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        for descendant in _descendants():
            with contextlib.suppress(OSError):
                os.kill(descendant, signal.SIGKILL)
        try:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                select.select([], [], [], 0.01)
        except ChildProcessError:
            return


def _descendants() -> Iterator[int]:
    """Yield the ids of all descendants, as far as /proc lists them."""
    waiting = [os.getpid()]
    while waiting:
        process = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.scandir(f"/proc/{process}/task"):
                with open(f"{thread.path}/children", encoding="ascii") as file:  # noqa: PTH123 (pathlib loads slowly)
                    found = [int(word) for word in file.read().split()]
                yield from found
                waiting += found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
