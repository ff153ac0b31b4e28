"""Compilation of kernels in separate processes: at once for players that are needed, in the background for all others.

The compiler occupies several hundred megabytes of a process until the process ends. Therefore another process compiles
what is not in the cache yet. Compiled kernels remain in the cache whenever that process ends. This module also prepares
players and frees their memory, for programs that run for long.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import itertools
import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from othello.child_process import Connection, spawn_context
from othello.config import PlayerConfig
from othello.errors import OthelloError, Reason, reason_of
from othello.kernel.loading import NotCompiledError, all_is_compiled, kernels_folder, only_loading
from othello.machine import cores
from othello.players.levels import opponent
from othello.players.player import Player
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.players.program_player import ProgramConfig
from othello.rules.protocol import GameSpec
from othello.rules.registry import all_variants
from othello.schema import options_of

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# A player, and the game that it is to play.
Task: TypeAlias = tuple[PlayerConfig, GameSpec]

_log = logging.getLogger(__name__)

_SPAWN: Final = spawn_context()
_OBJECTS: Final = 100_000  # with the default of 700, garbage collection took a twelfth of the time
_LOWEST: Final = 19  # priority on Unix
_BELOW_NORMAL: Final = 0x4000  # priority class on Windows

# The order of players in the background: levels and analyses first, then opponents.
_ORDER: Final = ("engine", "mcts_uct", *COMPUTERS)

# Options that need kernels of their own.
_COMPILED_APART: Final[Sequence[dict[str, Any]]] = (
    {"mcts_solver": True},
    {"mcts_solver": False},
    {"mcts_leaf": "evaluation"},
    {"mcts_playout_plies": 1},
)


def tasks_of(spec: GameSpec) -> list[Task]:
    """Return players that together need all kernels of a game."""
    players = [opponent(1, "1"), *map(configure, _ORDER), configure("random", endgame_empties=1)]
    for options, kind in itertools.product(_COMPILED_APART, COMPUTERS):
        if options.keys() <= options_of(PLAYERS[kind].config_type).keys():
            players.append(configure(kind, **options))
    return [(player, spec) for player in dict.fromkeys(players) if unsupported_reason(player, spec) is None]


def everything(first: Iterable[GameSpec] = ()) -> list[list[Task]]:
    """Return a list of tasks for each game and each variant with its own kernels, the games in `first` first."""
    return [tasks_of(spec) for spec in dict.fromkeys((*first, *all_variants()))]


class Compiler:
    """Runs at most one compiling process, with a helper for urgent tasks if there is a second core. Thread-safe.

    `compile` waits for an urgent task. After `begin`, everything else is compiled between such calls, with low
    priority.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._starter: ThreadPoolExecutor | None = None  # processes inherit the priority of its thread
        self._process: SpawnProcess | None = None
        self._helper: SpawnProcess | None = None  # a second process, for urgent tasks
        self._urgent: Sequence[Task] = ()  # compiled first, with normal priority
        self._ready = 0  # finished urgent tasks
        self._first: GameSpec | None = None  # game of the first background tasks
        self._is_wanted = False  # background tasks are enabled
        self._done = 0
        self._total = 0  # number of background tasks; 0: unknown

    @property
    def share(self) -> float | None:
        """The compiled share of all tasks, 0 to 1; None unless background tasks are being compiled."""
        with self._changed:
            is_compiling = self._process is not None and self._is_wanted and self._ready == len(self._urgent)
            return self._done / self._total if is_compiling and self._total else None

    @property
    def is_busy(self) -> bool:
        """True if `share` may change."""
        return self._is_wanted

    def begin(self, urgent: Sequence[Task], first: GameSpec) -> None:
        """Compile urgent tasks, and then everything else until `end`, unless all is compiled already."""
        self._first, self._is_wanted = first, True
        urgent = [
            task for task in urgent if not isinstance(task[0], ProgramConfig) and unsupported_reason(*task) is None
        ]
        threading.Thread(target=self._begin, args=(urgent,), name="compiler", daemon=True).start()

    def _begin(self, urgent: Sequence[Task]) -> None:
        is_there = all_is_compiled()
        with self._changed:
            if is_there:
                self._first, self._is_wanted = None, False
            elif self._process is None and self._first is not None:
                self._start(urgent)

    def set_paused(self, is_paused: bool) -> None:
        """Pause the background tasks, or resume them."""
        with self._changed:
            if self._first is None or self._is_wanted is not is_paused:
                return
            self._is_wanted = not is_paused
            if is_paused and self._ready == len(self._urgent):
                self._stop()
            elif not is_paused and self._process is None:
                self._start(())

    def end(self) -> None:
        """Stop compiling. Threads that wait continue without the kernels."""
        with self._changed:
            self._first, self._is_wanted = None, False
            self._stop()

    def compile(self, task: Task) -> None:
        """Compile what a player needs, with normal priority, before everything else."""
        with self._changed:
            if self._process is None or task not in self._urgent:
                self._stop()
                self._start([task])
            process, place = self._process, self._urgent.index(task)
            self._changed.wait_for(lambda: process is None or self._process is not process or self._ready > place)

    def _start(self, urgent: Sequence[Task]) -> None:
        receiver, sender = _SPAWN.Pipe(duplex=False)
        rest = (self._first, self._done) if self._first is not None and self._is_wanted else None
        self._process = _SPAWN.Process(target=_work, args=(sender, urgent, rest), name="othello-compiler", daemon=True)
        self._urgent, self._ready = urgent, 0
        try:
            self._launch(self._process)
            if urgent and cores() > 1:
                self._helper = _SPAWN.Process(target=_help, args=(urgent,), name="othello-compiler", daemon=True)
                self._launch(self._helper)
            sender.close()
            threading.Thread(target=self._listen, args=(self._process, receiver), name="compiler", daemon=True).start()
        except RuntimeError:  # the interpreter is shutting down
            self._process = self._helper = None

    def _launch(self, process: SpawnProcess) -> None:
        from concurrent.futures import ThreadPoolExecutor  # here: the window opens faster without it

        self._starter = self._starter or ThreadPoolExecutor(1)
        self._starter.submit(process.start).result()

    def _stop(self) -> None:
        self._end_helper()
        if self._process is not None:
            self._process.kill()
            self._process.join()  # otherwise it remains as a zombie
            self._process = None
            self._changed.notify_all()

    def _end_helper(self) -> None:
        if self._helper is not None:
            self._helper.kill()
            self._helper.join()
            self._helper = None

    def _take(self, process: SpawnProcess, news: tuple[int, int, int, Reason | None]) -> None:
        ready, done, total, fault = news
        with self._changed:
            if self._process is not process:
                return
            self._ready = ready
            if fault:
                _log.warning("%s", fault.english)
            if total:
                self._done, self._total = done, total
            self._changed.notify_all()
            if self._ready == len(self._urgent):
                self._end_helper()
                if not self._is_wanted:
                    self._stop()

    def _listen(self, process: SpawnProcess, receiver: Connection) -> None:
        """Receive messages of a process until it ends."""
        try:
            while True:
                self._take(process, receiver.recv())
        except (EOFError, OSError):
            pass
        except (AttributeError, ImportError, TypeError, ValueError, UnpicklingError) as error:
            _log.warning("the process that compiles is not understood: %r", error)
            process.kill()
        process.join()
        with self._changed:
            if self._process is not process:
                return
            self._stop()
            if process.exitcode == 0 and self._is_wanted and not (self._total and self._done == self._total):
                self._start(())
            else:
                self._first, self._is_wanted = None, False


def _work(sender: Connection, urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> None:
    """Compile in a separate process.

    Args:
        sender: receives after each task: finished urgent tasks, finished other tasks, number of other tasks, and the
            reason if a player cannot be prepared.
        urgent: tasks that a thread waits for.
        rest: the game to begin the other tasks with, and how many of them are finished; None: no other tasks.
    """
    _settle()
    first, done = rest or (None, 0)
    for ready, task in enumerate(urgent, start=1):
        sender.send((ready, done, 0, _fault(task)))
    if first is None:
        return
    from othello.kernel.jit import CACHE_FOLDER, remember_all_is_compiled

    if CACHE_FOLDER is None:
        sys.exit(1)  # the result would be lost
    _step_back()
    games, fault = everything([first]), None
    total, ends = sum(map(len, games)), set(itertools.accumulate(map(len, games)))
    for task in list(itertools.chain(*games))[done:]:
        sender.send((len(urgent), done, total, fault))
        fault = _fault(task)
        done += 1
        if done in ends:
            break  # the next game is for a new process, because the memory of the compiler grows
    if done == total:
        remember_all_is_compiled()
    sender.send((len(urgent), done, total, fault))


def _help(urgent: Sequence[Task]) -> None:
    """Compile a part of urgent tasks in a second process. The first process then finds it in the cache."""
    _settle()
    for task in urgent:
        _fault(task, helps=True)


def _settle() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
    gc.set_threshold(_OBJECTS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _fault(task: Task, *, helps: bool = False) -> Reason | None:
    """Compile what a player needs, or a part as a helper. Return the reason if that fails."""
    try:
        compile_task(task, helps=helps)
    except Exception as error:  # players can be plugins
        return Reason("not_played", {"player": task[0].name, "reason": reason_of(error)})
    return None


def compile_task(task: Task, *, helps: bool = False) -> None:
    """Compile what a player needs in this process, or a part as a helper."""
    with create_player(*task) as player:
        own, helpers = player.compile_jobs()
        for function, arguments in helpers if helps else own:
            from othello.kernel.jit import join  # here: many players need no compiler

            join(function, *arguments)
        if not helps:
            player.prepare()


def _step_back() -> None:
    """Give this process the lowest priority."""
    if sys.platform == "win32":
        kernel32 = ctypes.windll.kernel32
        kernel32.SetPriorityClass(kernel32.GetCurrentProcess(), _BELOW_NORMAL)
        return
    os.nice(_LOWEST)
    with suppress(OSError):  # on Linux, sessions can have priorities, too
        os.setsid()
        Path("/proc/self/autogroup").write_text(str(_LOWEST))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


# The compiler of the program.
compiler: Final = Compiler()


def compile_all(processes: int) -> Generator[tuple[int, int], None, None]:
    """Compile everything with `processes` processes. Yields the numbers of finished and of all tasks.

    If it is stopped, compiled kernels remain in the cache.

    Raises:
        OthelloError: a player cannot be prepared.
        PermissionError: the cache cannot be written.
    """
    if all_is_compiled():
        return
    from othello.kernel.jit import CACHE_FOLDER, remember_all_is_compiled

    if CACHE_FOLDER is None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(kernels_folder()))
    waiting = everything()  # players of a game share kernels, so they share a process
    total, done = sum(map(len, waiting)), 0
    faults: list[Reason] = []
    working: dict[Connection, SpawnProcess] = {}
    try:
        while waiting or working:
            while waiting and len(working) < processes:
                receiver, sender = _SPAWN.Pipe(duplex=False)
                process = _SPAWN.Process(target=_work, args=(sender, waiting.pop(), None), daemon=True)
                process.start()
                sender.close()
                working[receiver] = process
            ready = wait(list(working))
            for receiver in [connection for connection in working if connection in ready]:
                try:
                    *_, fault = receiver.recv()
                    faults += [fault] if fault else []
                    done += 1
                    yield done, total
                except EOFError:
                    working.pop(receiver).join()
    finally:
        for process in working.values():
            process.kill()
    if faults:
        raise OthelloError(faults[0])
    if done < total:
        raise RuntimeError("a process that compiled has failed")
    remember_all_is_compiled()


_compiling: Final = threading.Lock()

# The parts of LLVM in `/proc/self/smaps` whose pages have not changed since they were read from the file.
_COMPILER: Final = re.compile(
    r"^(\w+)-(\w+) r-[x-]p .*/libllvmlite\.so\n(?:[A-Z].*\n)*?Anonymous: +0 kB\n(?:[A-Z].*\n)*?Swap: +0 kB\n", re.M
)

_NOT_NEEDED: Final = 4  # MADV_DONTNEED of mman.h
_ARENAS: Final = -8  # M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h
_MAPPED_FROM: Final = -3
_TRIMMED_FROM: Final = -1


def prepare(player: Player) -> None:
    """Prepare a player for its first move; see `Player.prepare`. Helper processes compile by themselves."""
    if _loads(player):
        return
    if multiprocessing.current_process().daemon:  # cannot start processes, and frees its memory at its end
        player.prepare()
        return
    with _compiling:  # wait if another thread compiles the same
        if _loads(player):
            return
        compiler.compile((player.config, player.rules.spec))
    player.prepare()


def _loads(player: Player) -> bool:
    """Load the kernels of a player. Return False if one of them has to be compiled."""
    with suppress(NotCompiledError), only_loading():
        player.prepare()
        return True
    return False


def trim_memory() -> None:
    """Return freed memory, and the code of LLVM, to the system.

    Loading a player uses 70 MB of LLVM's code, playing uses none. Pages that are needed again are read from the file.
    """
    if (trim := _of_libc("malloc_trim")) is not None:
        trim(0)
    if (advise := _of_libc("madvise")) is not None:
        with suppress(OSError):
            for start, end in _COMPILER.findall(Path("/proc/self/smaps").read_text(encoding="utf-8")):
                first = int(start, 16)
                advise(ctypes.c_void_p(first), ctypes.c_size_t(int(end, 16) - first), _NOT_NEEDED)


def configure_malloc() -> None:
    """Configure glibc to return freed memory by itself, for programs that run for hours.

    All threads share two heaps instead of eight for each core, and blocks of a megabyte or more are mapped, so that
    they are returned when they are freed.
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
