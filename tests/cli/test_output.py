"""Results and words that cannot be written, and who reads them."""

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import othello
from othello.cli import main
from othello.errors import OutputError
from othello.records.results import ResultsWriter
from tests.command_line import error_of, write_config


@pytest.mark.parametrize(
    ("command", "redirection"),
    [("perft 3", ">/dev/full"), ("--version", ">&-"), ("--headless --seed 1", ">/dev/full"), ("--version", ">&- 2>&-")],
)
def test_an_output_that_cannot_be_written_is_no_traceback(command: str, redirection: str, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    config = tmp_path / "config.json"
    config.write_text('{"players": [{"player_type": "random"}, {"player_type": "random"}]}')
    line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello {command} {redirection}'
    if "headless" in command:
        line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello --config "{config}" {command} {redirection}'
    done = subprocess.run(["bash", "-c", line], check=False, stderr=subprocess.PIPE, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1
    if "full" in redirection:
        assert done.returncode == 2


@pytest.mark.parametrize("name", ["games.txt", "games", ".csv", "folder.csv", "absent/games.csv"])
def test_output_paths_are_checked_first(name: str, config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder.csv").mkdir()
    assert "output_file" in error_of(["--config", str(config_file), "--output", name], capsys)
    assert sorted(path.name for path in Path().iterdir()) == ["config.json", "folder.csv"]


def test_a_disk_that_fills_up_is_one_line(
    config_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    Path("games.jsonl").symlink_to("/dev/full")
    assert main(["--config", str(config_file), "--output", "games.jsonl"]) == 2
    error = capsys.readouterr().err
    assert "the disk is full" in error
    assert error.count("\n") == 1


def test_a_disk_that_fills_up_later_keeps_what_was_written(
    config_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = ResultsWriter.append

    def append(self: ResultsWriter, record: Any) -> None:
        if record.game == 3:
            raise OutputError("output_file: 'games.csv' cannot be written: the disk is full")
        write(self, record)

    monkeypatch.setattr(ResultsWriter, "append", append)
    write_config(config_file.parent, game_repetitions=5)
    assert main(["--config", str(config_file), "--output", "games.csv"]) == 2
    assert len(Path("games.csv").read_text().splitlines()) == 3
    assert "the disk is full" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "some/file"), "othello: some/file: permission denied\n"),
        (BrokenPipeError(32, "Broken pipe"), "othello: the system reports error 32: Broken pipe\n"),
    ],
)
def test_other_system_errors_are_not_output_errors(
    error: OSError, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: argparse.Namespace) -> None:
        raise error

    monkeypatch.setattr("othello.cli.arguments.parse", lambda _: argparse.Namespace(command=fail))
    assert main(["perft", "3"]) == 2
    assert capsys.readouterr() == ("", words)


def test_a_closed_pipe_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "othello", "perft", "4", "--divide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


def test_all_three_ways_to_start_are_the_same_program(tmp_path: Path) -> None:
    main_file = Path(othello.__file__).parents[1] / "main.py"
    script = Path(sysconfig.get_path("scripts"), "othello")  # which need not be on the PATH
    for command in ([sys.executable, str(main_file)], [sys.executable, "-m", "othello"], [str(script)]):
        ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert ran.stdout.strip() == f"othello {othello.__version__}"
