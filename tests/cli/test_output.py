"""Results and words that cannot be written, and the ways to start the program."""

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import othello
from tests.command_line import CommandLine, write_config

needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


@needs_full_device
@pytest.mark.parametrize(
    ("command", "redirection"),
    [("perft 3", ">/dev/full"), ("--version", ">&-"), ("--headless --seed 1", ">/dev/full"), ("--version", ">&- 2>&-")],
)
def test_an_output_that_cannot_be_written_is_no_traceback(command: str, redirection: str, tmp_path: Path) -> None:
    config = f'--config "{write_config(tmp_path)}"' if "headless" in command else ""
    line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello {config} {command} {redirection}'
    done = subprocess.run(["bash", "-c", line], check=False, stderr=subprocess.PIPE, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1
    if "full" in redirection:
        assert done.returncode == 2


@pytest.mark.parametrize("name", ["games.txt", "games", ".csv", "folder.csv", "absent/games.csv"])
def test_output_paths_are_checked_first(name: str, config_file: Path, cli: CommandLine) -> None:
    Path("folder.csv").mkdir()
    assert "output_file" in cli.error("--config", config_file, "--output", name)
    assert sorted(path.name for path in Path().iterdir()) == ["config.json", "folder.csv"]


@needs_full_device
def test_a_full_disk_is_one_line(config_file: Path, cli: CommandLine) -> None:
    Path("games.jsonl").symlink_to("/dev/full")
    cli("--config", config_file, "--output", "games.jsonl", status=2)
    assert "the disk is full" in cli.errors
    assert cli.errors.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "some/file"), "othello: some/file: permission denied\n"),
        (BrokenPipeError(32, "Broken pipe"), "othello: the system reports error 32: Broken pipe\n"),
    ],
)
def test_other_system_errors_are_not_output_errors(
    error: OSError, words: str, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    def fail(arguments: argparse.Namespace) -> None:
        raise error

    monkeypatch.setattr("othello.cli.arguments.parse", lambda _: argparse.Namespace(command=fail))
    assert cli.error("perft", 3) == words


def test_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "othello", "perft", "4", "--divide"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_all_three_ways_to_start_are_the_same_program(tmp_path: Path) -> None:
    main_file = Path(othello.__file__).parents[1] / "main.py"
    script = Path(sysconfig.get_path("scripts"), "othello")  # which need not be on the PATH
    for command in ([sys.executable, str(main_file)], [sys.executable, "-m", "othello"], [str(script)]):
        ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert ran.stdout.strip() == f"othello {othello.__version__}"
