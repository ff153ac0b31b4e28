"""Compilation in other processes, and its order."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from othello.cli import main
from othello.kernel import jit
from othello.kernel.loading import all_is_compiled
from othello.players import compilation, levels
from othello.players.compilation import Compiler, Task, everything, tasks_of
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec
from othello.schema import options_of
from tests.positions import SPEC

WORK = compilation._work
LOST = configure("mcts_uct", name="lost", mcts_tree_file="/nowhere/at/all/tree.npz"), SPEC
FIRST, SECOND = ((configure("random", name=name), SPEC) for name in ("first", "second"))


def work(sender: Connection, urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> None:
    """Stands in for the process that compiles: it is half done with each task at once, and never with the last."""
    for ready, _ in enumerate(urgent, start=1):
        sender.send((ready, 0, 0, None))
    if rest is not None:
        sender.send((len(urgent), rest[1] + 1, 4, None))
        time.sleep(600)


def idle(*_: object) -> None:
    """Stands in for the process that helps."""


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "_work", work)
    monkeypatch.setattr(compilation, "_help", idle)
    made = Compiler()
    yield made
    made.end()


def until(compiler: Compiler, share: float | None, *, is_busy: bool) -> None:
    end = time.monotonic() + 60
    while (compiler.share, compiler.is_busy) != (share, is_busy):
        assert time.monotonic() < end, (compiler.share, compiler.is_busy)
        time.sleep(0.005)


def test_nobody_waits_for_a_process_that_an_ending_program_does_not_start(compiler: Compiler) -> None:
    compiler._starter = ThreadPoolExecutor(1)
    compiler._starter.shutdown()  # as the interpreter does in the end
    compiler.compile(FIRST)


@pytest.mark.slow
def test_what_is_asked_for_comes_first_and_the_rest_goes_on(compiler: Compiler) -> None:
    compiler.compile(FIRST)
    until(compiler, None, is_busy=False)  # nothing else is wanted
    compiler.begin([FIRST], SPEC)
    until(compiler, 0.25, is_busy=True)
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
def test_what_is_asked_for_after_a_search_is_not_compiled_at_its_low_priority(compiler: Compiler) -> None:
    def search_and_ask() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        compiler.compile(SECOND)

    compiler.begin([FIRST], SPEC)
    until(compiler, 0.25, is_busy=True)
    with ThreadPoolExecutor(1) as searcher:
        searcher.submit(search_and_ask).result()
    process = compiler._process
    assert process is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid or 0) == os.getpriority(os.PRIO_PROCESS, 0)


def test_where_all_is_compiled_no_process_is_begun(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kernels" / "state"
    folder.mkdir(parents=True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", folder)
    assert not all_is_compiled()
    jit.remember_all_is_compiled()
    assert all_is_compiled()
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)


@pytest.mark.rare
def test_nobody_who_plays_needs_a_kernel_that_was_not_thought_of(tmp_path: Path) -> None:
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
def test_what_one_process_has_compiled_another_one_needs_no_more(tmp_path: Path) -> None:
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


def test_every_game_is_compiled_and_those_that_are_shown_first() -> None:
    games = [tasks[0][1] for tasks in everything([game_spec("connect_four")])]
    assert games[0].game == "connect_four"
    assert {spec.game for spec in games} == set(GAMES)
    assert len(games) == len(set(games)) > len(GAMES)  # boards of two sizes and variants are compiled apart


@pytest.mark.slow
def test_all_is_compiled_at_once_when_that_is_asked_for(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kernels" / "state").mkdir(parents=True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path / "kernels" / "state")
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
def test_nothing_is_started_and_nothing_said_where_the_program_ends_meanwhile(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
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
    sender.send(("words", "that", "nobody", "here", "knows"))
    time.sleep(600)


@pytest.mark.slow
def test_who_waits_for_a_process_of_another_version_goes_on(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compilation, "_work", newer)
    compiler.compile(FIRST)
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)
    assert "not understood" in caplog.text


def fail(*_: object) -> None:
    sys.stderr.close()  # nobody is to read of this
    raise SystemExit(1)


def little(sender: Connection, urgent: Sequence[Task], rest: tuple[GameSpec, int] | None) -> None:
    """Two games with three players that need nothing compiled, one of which cannot be prepared."""
    pytest.MonkeyPatch().setattr(compilation, "everything", lambda _: [[FIRST, LOST], [FIRST]])  # in this process
    compilation._work(sender, urgent, rest)


@pytest.mark.rare
def test_one_process_after_the_other_goes_on_until_nothing_is_left(
    compiler: Compiler,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(compilation, "_work", little)
    compiler.begin([FIRST], SPEC)
    until(compiler, None, is_busy=False)
    assert all_is_compiled()
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("lost cannot play this game: ")
    assert capfd.readouterr().err == ""
    assert os.getpriority(os.PRIO_PROCESS, 0) < 19  # the program itself does not step back
