"""Commands of the training: existing files stay, errors are reported, and all processes stop together."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from othello.errors import CommandError
from training import fit, parallel, selfplay

ROOT = Path(__file__).parents[2]

NAPS = """
import os, time
from training import parallel

def nap(file):
    draft = file.with_suffix(".draft")
    draft.write_text(str(os.getpid()))
    draft.rename(file)
    time.sleep(600)

def main():
    arguments = parallel.parsed(parallel.command("naps", None, "naps"))
    parallel.make_missing(nap, {arguments.out / f"{nap}.nap": () for nap in range(4)}, arguments, "naps")
"""


def write_square(file: Path, number: int) -> int:
    file.write_text(str(number**2))
    return number


def ask(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    """Let a command be called with these arguments."""
    monkeypatch.setattr(sys, "argv", ["command", *map(str, arguments)])


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_missing_files_are_made(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "2").write_text("kept")
    who = argparse.Namespace(jobs=jobs, scheduler=None)
    done = parallel.make_missing(
        write_square, {tmp_path / str(number): (number,) for number in range(5)}, who, "squares"
    )
    assert sorted(done) == [0, 1, 3, 4]
    assert [(tmp_path / str(number)).read_text() for number in range(5)] == ["0", "1", "kept", "9", "16"]


def test_files_of_other_settings_are_not_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def count(_work: object, tasks: dict[Path, object], *_: object) -> list[int]:
        made.append(len(tasks))
        return []

    monkeypatch.setattr(parallel, "make_missing", count)
    out, weights = tmp_path / "games", tmp_path / "weights"
    weights.write_bytes(b"one")
    for options in ([], ["--batches", 7], ["--jobs", 2]):
        ask(monkeypatch, "--out", out, "--weights", weights, *options)
        selfplay.main()
    assert made == [100, 7, 100]
    ask(monkeypatch, "--out", out, "--weights", weights, "--depth", 4, "--seed", 2)
    with pytest.raises(CommandError, match="other seed, depth; give another --out"):
        selfplay.main()
    weights.write_bytes(b"two")
    ask(monkeypatch, "--out", out, "--weights", weights)
    with pytest.raises(CommandError, match="other weights;"):
        selfplay.main()


def test_a_fit_to_other_positions_needs_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parallel, "make_missing", stop)
    for name, error in (("a", KeyboardInterrupt), ("b", CommandError), ("a", KeyboardInterrupt)):
        (tmp_path / name).write_text(name)
        ask(monkeypatch, tmp_path / name, "--out", tmp_path / "fit")
        with pytest.raises(error):
            fit.main()


@pytest.mark.parametrize(
    ("module", "arguments", "words"),
    [
        ("fit", ["missing.npz", "--out", "fit"], r"No such file or directory: '.*missing\.npz'"),
        ("fit", ["garbage", "--out", "fit"], r"garbage: is no file of positions"),
        ("errors", ["garbage"], r"garbage: is no file of positions"),
        ("fit", ["garbage", "--out", "garbage/fit"], "garbage"),
        ("fit", ["garbage", "--out", "fit", "--jobs", "0"], "--jobs: invalid positive value: '0'"),
        ("selfplay", ["--out", "games", "--weights", "garbage"], "garbage: is not a weights file"),
        ("levels", ["garbage", "--out", "levels"], "garbage: is damaged"),
        ("probcut", ["garbage", "--out", "probcut"], "garbage: is no file of positions"),
    ],
)
def test_faults_are_one_line(
    module: str,
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("garbage").write_text("garbage")
    monkeypatch.setattr(parallel, "end_process", sys.exit)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ask(monkeypatch, *arguments)
    with pytest.raises(SystemExit) as ending:
        parallel.run(f"training.{module}")
    assert ending.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(("training.", "python -m training."))
    assert re.search(words, last)


def test_an_invalid_address_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra training")
    who = argparse.Namespace(jobs=1, scheduler="nowhere:none")
    with pytest.raises(CommandError, match="--scheduler nowhere:none: "):
        parallel.make_missing(write_square, {tmp_path / "1": (1,)}, who, "squares")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_all_processes_end_with_the_command(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "naps.py").write_text(NAPS)
    script = "from training import parallel; parallel.run('naps')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-c", script, "--out", str(tmp_path / "out"), "--jobs", "2"]
    with subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        while len(naps := list(tmp_path.glob("out/*.nap"))) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        workers = [psutil.Process(int(nap.read_text())) for nap in naps]
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        _, told = process.communicate()
    psutil.wait_procs(workers, timeout=60)
    assert not any(worker.is_running() for worker in workers)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert told == "naps: interrupted; what is done is kept\n"


@pytest.mark.rare
def test_a_cluster_makes_the_same_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra training")
    options = ["--weights", "none", "--depth", 1, "--solve-from", 6, "--batches", 2]
    with distributed.LocalCluster(n_workers=1, dashboard_address=None, host="127.0.0.1") as cluster:
        monkeypatch.chdir(tmp_path)  # the worker's folder is another one
        for out, who in (("here", []), ("there", ["--scheduler", cluster.scheduler_address])):
            ask(monkeypatch, "--out", out, *options, *who)
            selfplay.main()
    for name in ("batch-00000.npz", "batch-00001.npz"):
        assert Path("here", name).read_bytes() == Path("there", name).read_bytes()
