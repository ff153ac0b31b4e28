"""Runs another program and ends with it, whatever happens: a small process between that program and ours.

Ours says by a pipe that it lives. When the pipe ends, all that the other program has begun ends too, also where our
process was killed. This file is run by its path, alone, with the standard library: it imports nothing of ours.

    python -I -S launcher.py PIPE MEGABYTES PROGRAM [ARGUMENT ...]
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator

_CANNOT = 127  # the status of a program that cannot be started, as shells have it
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl.h
_SUBREAPER = 36
_SECONDS = 2.0  # after which what still lives is beyond reach


def main(arguments: list[str]) -> int:
    """Run a program, and return its exit status."""
    pipe, megabytes, *command = int(arguments[0]), int(arguments[1]), *arguments[2:]
    _control(_SUBREAPER, 1)  # what a program of the program leaves behind becomes a child of this process
    wakeup, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    launcher = os.getpid()
    program = os.fork()
    if program == 0:
        _become(command, megabytes, launcher)
    with contextlib.suppress(OSError):
        os.setpgid(program, program)  # the program does the same: whoever comes first
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # the pipes are the program's: they end with it
        os.dup2(nowhere, number)
    status = _CANNOT
    while True:
        ready, _, _ = select.select([pipe, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 64)
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
    """Become the program. The process has one thread, so that all of this is safe here."""
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
    """Ask Linux for what other systems do not have."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _reaped() -> Iterator[tuple[int, int]]:
    """The children that have ended, and how."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            status = os.waitstatus_to_exitcode(ended[1])
            yield ended[0], 128 - status if status < 0 else status


def _end_all(program: int) -> None:
    """Kill the program, its group, and all that descends from it, until nobody is left."""
    rounds = 0
    while rounds < 100 * _SECONDS:
        with contextlib.suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        for descendant in _descendants():
            with contextlib.suppress(OSError):
                os.kill(descendant, signal.SIGKILL)
        try:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                rounds += 1
                select.select([], [], [], 0.01)
        except ChildProcessError:
            return


def _descendants() -> Iterator[int]:
    """The processes below this one, as far as the system tells."""
    waiting = [os.getpid()]
    while waiting:
        process = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.scandir(f"/proc/{process}/task"):
                file = os.open(f"{thread.path}/children", os.O_RDONLY)
                found = [int(word) for word in os.read(file, 1 << 16).split()]
                os.close(file)
                yield from found
                waiting += found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
