"""Compilation in other processes, its order, and its memory."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock, call, patch

import psutil
import pytest
from llvmlite import binding as llvm

from othello.cli import main
from othello.kernel import jit
from othello.kernel.loading import NotCompiledError, all_is_compiled, only_loads
from othello.players import compilation, levels
from othello.players.compilation import Compiler, Task, everything, tasks_of
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from othello.schema import options_of
from tests.play.fake_players import FirstMove
from tests.positions import RULES, SPEC
from tests.programs.registered import external_player
from tests.waiting import wait_until

WORK, SPAWN = compilation._work, compilation._SPAWN
LOST = configure("mcts_uct", name="lost", mcts_tree_file="/nowhere/at/all/tree.npz"), SPEC
FIRST, SECOND = ((configure("random", name=name), SPEC) for name in ("first", "second"))


def work(sender: Connection, urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> None:
    """Stands in for the process that compiles: it is half done with each task at once, and never with the last."""
    for ready, _ in enumerate(urgent, start=1):
        sender.send((ready, 0, 0, None))
    if rest is not None:
        sender.send((len(urgent), rest[1] + 1, 4, None))
        KILLED.wait(600)


def idle(*_: object) -> None:
    """Stands in for the process that helps."""
    KILLED.wait(600)


class ThreadProcess:
    """A thread that looks like a process."""

    exitcode: int | None = None

    def __init__(self, *, target: Any, args: Any, daemon: bool, name: str = "") -> None:
        assert daemon, "the process would outlive the program"
        self._target, self._args, self._is_over = target, args, threading.Event()

    def start(self) -> None:
        STARTED.append(self)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._target(*self._args)
            self._end(0)
        except SystemExit as error:
            self._end(int(str(error)))

    def _end(self, code: int) -> None:
        if self.exitcode is None:
            self.exitcode = code
            getattr(self._args[0], "close", bool)()
            self._is_over.set()

    def kill(self) -> None:
        self._end(-9)

    def join(self) -> None:
        assert self._is_over.wait(60)


def shared_pipe(duplex: bool) -> tuple[Any, Any]:
    receiver, sender = multiprocessing.Pipe(duplex)
    another = threading.Semaphore()  # two processes have the sender open

    def close() -> None:
        if not another.acquire(blocking=False):
            sender.close()

    return receiver, SimpleNamespace(send=sender.send, close=close)


THREADS = SimpleNamespace(Pipe=shared_pipe, Process=ThreadProcess)
STARTED = list[ThreadProcess]()
KILLED = threading.Event()


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "_work", work)
    monkeypatch.setattr(compilation, "_help", idle)
    monkeypatch.setattr(compilation, "_SPAWN", THREADS)
    for settings in ("_settle", "_step_back"):
        monkeypatch.setattr(compilation, settings, lambda: None)
    folder = tmp_path / "kernels" / "state"
    folder.mkdir(parents=True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", folder)
    made = Compiler()
    yield made
    made.end()
    assert all(process.exitcode is not None for process in STARTED)
    STARTED.clear()
    KILLED.set()
    KILLED.clear()


def until(compiler: Compiler, share: float | None, *, is_busy: bool) -> None:
    wait_until(lambda: (compiler.share, compiler.is_busy) == (share, is_busy), 60.0)


def test_no_process_is_started_when_the_program_ends(compiler: Compiler) -> None:
    compiler._starter = ThreadPoolExecutor(1)
    compiler._starter.shutdown()  # as the interpreter does in the end
    compiler.compile(FIRST)


def test_requested_tasks_come_first_and_the_rest_continues(compiler: Compiler) -> None:
    compiler.set_paused(False)  # of nothing
    assert not compiler.is_busy
    compiler.compile(FIRST)
    until(compiler, None, is_busy=False)  # nothing else is wanted
    compiler.begin([FIRST], SPEC)
    until(compiler, 0.25, is_busy=True)
    assert compiler._helper is None, "the rest is left to one process"
    compiler.compile(SECOND)
    until(compiler, 0.5, is_busy=True)  # and does not begin anew
    compiler.set_paused(True)
    until(compiler, None, is_busy=False)
    compiler.compile(FIRST)
    assert compiler.share is None
    compiler.set_paused(False)
    until(compiler, 0.75, is_busy=True)
    compiler.end()
    until(compiler, None, is_busy=False)


@pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads are Linux's")
@pytest.mark.slow
def test_no_task_is_compiled_at_the_priority_of_a_search(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    def search_and_ask() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        compiler.compile(SECOND)

    monkeypatch.setattr(compilation, "_SPAWN", SPAWN)
    compiler.begin([FIRST], SPEC)
    until(compiler, 0.25, is_busy=True)
    with ThreadPoolExecutor(1) as searcher:
        searcher.submit(search_and_ask).result()
    process = compiler._process
    assert process is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid or 0) == os.getpriority(os.PRIO_PROCESS, 0)


def test_no_process_starts_if_all_is_compiled(compiler: Compiler) -> None:
    assert not all_is_compiled()
    jit.remember_all_is_compiled()
    assert all_is_compiled()
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)


def test_no_program_or_player_of_another_game_is_compiled(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    started = SimpleQueue[Sequence[Task]]()
    monkeypatch.setattr(compiler, "_start", started.put)
    compiler.begin([(external_player("gtp"), SPEC), FIRST, (configure("engine"), game_spec("tictactoe"))], SPEC)
    assert started.get(timeout=60) == [FIRST]


@pytest.mark.rare
def test_tasks_include_every_kernel_that_players_need(tmp_path: Path) -> None:
    environment = {**os.environ, "OTHELLO_CACHE_DIR": str(tmp_path)}
    program = f"from tests.players.test_compilation import compile_and_try; compile_and_try({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=Path(__file__).parents[2])


def compile_and_try(folder: str) -> None:
    spec = game_spec("connect_four")
    for task in tasks_of(spec):
        prepare(task)
    there = set(Path(folder).rglob("*.nbc"))
    for kind in COMPUTERS:
        for option in options_of(PLAYERS[kind].config_type).values():
            for value in (*option.choices, *((True, False) if option.kind is bool else ())):
                prepare((configure(kind, **{option.name: value}), spec))
    for level in range(1, levels.COUNT + 1):
        prepare((levels.opponent(level, "level"), spec))
    assert set(Path(folder).rglob("*.nbc")) == there


@pytest.mark.rare
def test_two_processes_share_the_work_without_overlap(tmp_path: Path) -> None:
    """Both halves, apart, hold all that is compiled together but what Python calls; in a small game."""
    program = "import sys; from tests.players.test_compilation import compile_a_part; compile_a_part(*sys.argv[1:])"
    found = {}
    for parts in (("help", ""), ("help", "all"), ("all",)):
        folder = tmp_path / "-".join(parts)
        environment = {**os.environ, "OTHELLO_CACHE_DIR": str(folder)}
        for part in filter(None, parts):
            command = [sys.executable, "-c", program, part]
            subprocess.run(command, check=True, env=environment, cwd=Path(__file__).parents[2])
        found[parts] = {file.name for file in folder.rglob("*.nbc")}
    assert found["help", ""] < found["help", "all"] == found["all",]


def compile_a_part(part: str) -> None:
    compilation.compile_task((configure("mcts_uct"), game_spec("connect_four")), helps=part == "help")


def prepare(task: Task) -> None:
    if unsupported_reason(*task) is None:
        with create_player(*task) as player:
            player.prepare()


def test_every_game_is_compiled_and_the_shown_ones_first() -> None:
    players = {tasks[0][1]: len(tasks) for tasks in everything([game_spec("connect_four")])}
    variants = ["othello", "tictactoe"]  # with the option that ends a game, and with large boards
    assert [spec.game for spec in players] == ["connect_four", *variants, "ultimate_tictactoe", *variants]
    assert [*players.values()] == [19, 23, 19, 18, 19, 19]


def test_the_command_compiles_all(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compilation, "everything", lambda: [[FIRST], [SECOND, FIRST], [SECOND]])
    assert list(compilation.compile_all(processes=2)) == [(done, 4) for done in (1, 2, 3, 4)]
    assert all_is_compiled()
    assert main(["compile"]) == 0
    assert capsys.readouterr().out == "All is compiled.\n"
    monkeypatch.setattr(compilation, "all_is_compiled", lambda: False)
    monkeypatch.setattr(compilation, "_work", fail)
    with pytest.raises(RuntimeError):
        list(compilation.compile_all(processes=2))
    monkeypatch.setattr(compilation, "_work", WORK)
    monkeypatch.setattr(compilation, "everything", lambda: [[LOST], [FIRST]])
    assert main(["compile"]) == 2
    assert "lost cannot play this game: " in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("last", [1, 2])
def test_a_process_need_not_start(compiler: Compiler, monkeypatch: pytest.MonkeyPatch, last: int) -> None:
    started = []

    def launch(process: SpawnProcess) -> None:
        started.append(process)
        if len(started) == last:
            raise RuntimeError("cannot schedule new futures after shutdown")

    monkeypatch.setattr(compiler, "_launch", launch)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    compiler.compile(FIRST)
    assert len(started) == last


def newer(sender: Connection, *_: object) -> None:
    """Return the process of another version of this program."""
    sender.send(("an", "unknown", "message"))
    KILLED.wait(600)


def test_messages_of_another_version_end_the_compilation(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compilation, "_work", newer)
    compiler.compile(FIRST)
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)
    assert "not understood" in caplog.text


def fail(*_: object) -> None:
    raise SystemExit(1)


def little(sender: Connection, urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> None:
    """Two games with three players that need nothing compiled, one of which cannot be prepared."""
    pytest.MonkeyPatch().setattr(compilation, "everything", lambda _: [[FIRST, LOST], [FIRST]])  # in this process
    compilation._work(sender, urgent, rest)


@pytest.mark.parametrize("context", [pytest.param(SPAWN, marks=pytest.mark.rare), THREADS])
def test_processes_continue_until_nothing_is_left(
    compiler: Compiler,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    context: object,
) -> None:
    monkeypatch.setattr(compilation, "_SPAWN", context)
    monkeypatch.setattr(compilation, "_work", little if context is SPAWN else WORK)
    monkeypatch.setattr(compilation, "everything", lambda _: [[FIRST, LOST], [FIRST]])
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)
    assert all_is_compiled()
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("lost cannot play this game: ")
    assert capfd.readouterr().err == ""
    assert os.getpriority(os.PRIO_PROCESS, 0) < 19  # the program itself does not step back


def test_a_process_reports_each_task(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = list[Any]()
    sender: Any = SimpleNamespace(send=sent.append)

    def reports(urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> list[tuple[int, int, int, bool]]:
        sent.clear()
        WORK(sender, urgent, rest)
        return [(*numbers, fault is not None) for *numbers, fault in sent]

    monkeypatch.setattr(compilation, "everything", lambda _: [[FIRST, LOST], [FIRST]])
    assert reports([FIRST, LOST], None) == [(1, 0, 0, False), (2, 0, 0, True)]
    first_game = [(1, 0, 0, False), (1, 0, 3, False), (1, 1, 3, False), (1, 2, 3, True)]
    assert reports([FIRST], (SPEC, 0)) == first_game
    assert not all_is_compiled()
    assert reports([], (SPEC, 2)) == [(0, 2, 3, False), (0, 3, 3, False)]
    assert all_is_compiled()
    monkeypatch.setattr(jit, "CACHE_FOLDER", None)
    assert reports([FIRST], None) == [(1, 0, 0, False)]
    with pytest.raises(SystemExit, match="1"):
        reports([], (SPEC, 0))


@pytest.mark.parametrize("helps", [False, True])
def test_a_helper_compiles_its_jobs_and_prepares_no_player(monkeypatch: pytest.MonkeyPatch, helps: bool) -> None:
    player, calls = MagicMock(), Mock()
    player.__enter__().compile_jobs.return_value = [("own", (1,))], [("helpers", (2,))]
    player.__enter__().prepare = calls.prepare
    monkeypatch.setattr(compilation, "create_player", lambda *_: player)
    monkeypatch.setattr(jit, "join", calls.join)
    compilation.compile_task(FIRST, helps=helps)
    assert calls.mock_calls == ([call.join("helpers", 2)] if helps else [call.join("own", 1), call.prepare()])


class Uncompiled(FirstMove):
    """A player whose code counts as compiled when another process has written a file."""

    file: Path

    def prepare(self) -> None:
        if only_loads() and not self.file.exists():
            raise NotCompiledError
        self.found = self.file.read_text()


def test_missing_kernels_are_compiled_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Uncompiled(configure("random", name=str(tmp_path / "process")), RULES)
    player.file = tmp_path / "process"
    monkeypatch.setattr(compilation, "_work", leave)
    compilation.prepare(player)
    first = player.found
    assert not first.startswith(f"{os.getpid()} ")
    priority = [] if sys.platform == "win32" else [call(19)]
    assert first.endswith(f" {(True, 100_000, priority, [False, True])}"), "a thread waits for the end of the program"
    compilation.prepare(player)
    assert player.file.read_text() == first, "what a cache has is only loaded"
    assert not only_loads()


def leave(sender: object, tasks: Sequence[Task], rest: object) -> None:
    """Leave the number of the process that this is called in, and how it is set up."""
    compilation._settle()
    with patch("os.nice", create=True) as nice, patch("os.setsid", side_effect=OSError, create=True):
        compilation._step_back()
    ignores, objects = signal.getsignal(signal.SIGINT) is signal.SIG_IGN, gc.get_threshold()[0]
    facts = ignores, objects, nice.mock_calls, [thread.daemon for thread in threading.enumerate()]
    Path(tasks[0][0].name).write_text(f"{os.getpid()} {facts}")


def test_memory_is_configured_with_the_numbers_of_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    options = list[object]()
    monkeypatch.setattr(compilation, "_of_libc", {"mallopt": lambda *option: options.append(option)}.get)
    compilation.configure_malloc()
    assert options == [(-8, 2), (-3, 1_048_576), (-1, 1_048_576)]


def test_memory_of_the_compiler_is_released() -> None:
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
