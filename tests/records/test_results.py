"""Results files have only complete lines, even after errors and crashes."""

import errno
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from othello.config import ExistingOutput
from othello.errors import OutputError, ResultsError
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter, check_output
from tests.results_files import RECORD, SUFFIXES, write_results


@SUFFIXES
def test_results_round_trip(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    with ResultsWriter(file) as writer:
        for number in range(5):
            writer.append(replace(RECORD, game=number))
            assert len(list(ResultsReader(file))) == number + 1, "a record is there as soon as it is written"
    assert list(ResultsReader(file)) == [replace(RECORD, game=number) for number in range(5)]


NAMES = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=100).filter(str.strip)


@given(NAMES, st.booleans())
def test_any_name_survives(tmp_path_factory: pytest.TempPathFactory, name: str, as_csv: bool) -> None:
    file = tmp_path_factory.mktemp("names") / ("games.csv" if as_csv else "games.jsonl")
    record = GameRecord(black=name, white="w", black_points=1, white_points=2, result="white")
    write_results(file, record)
    assert list(ResultsReader(file)) == [record]


@SUFFIXES
def test_a_torn_last_line_is_left_out_and_written_over(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    write_results(file, RECORD, RECORD)
    whole = file.read_bytes()
    second = whole.index(b"\n", whole.index(b"f5d6c3")) + 1
    for cut in range(second, len(whole) - 1):
        file.write_bytes(whole[:cut])
        reader = ResultsReader(file)
        assert list(reader) == [RECORD]
        assert (reader.is_cut_off, reader.end) == (cut > second, second)
        write_results(file, RECORD, existing=ExistingOutput.RESUME)
        assert file.read_bytes() == whole


@SUFFIXES
def test_a_torn_or_missing_header_is_written_again(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    write_results(file, RECORD)
    whole = file.read_bytes()
    for start in (b"", b"game,se"):
        file.write_bytes(start)
        write_results(file, RECORD, existing=ExistingOutput.RESUME)
        assert file.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "existing", "words"),
    [
        ("a,b\n", ExistingOutput.REFUSE, "other data"),
        ("result,black,white,black_points,white_points\ndraw,A,B,32,32\n", ExistingOutput.RESUME, "has other columns"),
        ("nonsense\n", ExistingOutput.RESUME, "line 1"),
    ],
)
def test_foreign_files_are_only_overwritten_on_request(
    content: str, existing: ExistingOutput, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "games.csv"
    file.write_text(content)
    with pytest.raises((OutputError, ResultsError), match=words):
        ResultsWriter(file, existing)
    assert file.read_text() == content
    write_results(file, RECORD, existing=ExistingOutput.OVERWRITE)  # the refused writer has released its lock
    assert list(ResultsReader(file)) == [RECORD]


@SUFFIXES
def test_games_are_only_overwritten_on_request(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    write_results(file)
    write_results(file, RECORD)  # no game is in the file yet
    with pytest.raises(OutputError, match="already contains games"):
        ResultsWriter(file)
    other = replace(RECORD, game=9)
    with ResultsWriter(file, ExistingOutput.OVERWRITE) as writer:
        assert list(ResultsReader(file)) == [RECORD], "nothing is touched before there is something to write"
        writer.append(other)
    assert list(ResultsReader(file)) == [other]


@SUFFIXES
@pytest.mark.parametrize("existing", ExistingOutput)
def test_a_writer_without_records_changes_no_file(suffix: str, existing: ExistingOutput, tmp_path: Path) -> None:
    new, old, link = (tmp_path / f"{name}{suffix}" for name in ("new", "old", "link"))
    link.symlink_to(tmp_path / f"target{suffix}")
    write_results(old, RECORD)
    cut = old.read_bytes() + b"3,2,torn"
    old.write_bytes(cut)
    for path in (new, link):
        with ResultsWriter(path, existing):
            assert path.exists()
    if existing is not ExistingOutput.REFUSE:
        write_results(old, existing=existing)
    assert old.read_bytes() == cut
    assert sorted(path.name for path in tmp_path.iterdir()) == [link.name, old.name]
    assert not link.exists()


def test_a_file_is_locked_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    write_results(file, RECORD)
    seen = []

    def look(line: int, record: GameRecord) -> None:
        seen.append((line, record))
        with pytest.raises(OutputError, match="another program is using it"):
            ResultsWriter(file, ExistingOutput.RESUME)

    with ResultsWriter(file, ExistingOutput.RESUME, look):
        assert seen == [(1, RECORD)]


def test_a_check_sees_what_was_written_before_it_got_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program writes its first game between opening and locking, so the file is no longer new."""
    path = tmp_path / "a.jsonl"
    monkeypatch.setattr("othello.files._lock", lambda _: path.write_bytes(b"{}\n"))
    with pytest.raises(OutputError):
        check_output(path)
    assert path.read_bytes() == b"{}\n"


CHECKER = """
import sys
from pathlib import Path
from othello.errors import OutputError
from othello.records.results import check_output
print(flush=True)
while True:
    try:
        check_output(Path(sys.argv[1]))
    except OutputError:
        pass
"""


def test_a_check_removes_no_file_of_another_process(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    checker = subprocess.Popen([sys.executable, "-c", CHECKER, str(file)], stdout=subprocess.PIPE)
    assert checker.stdout is not None
    checker.stdout.readline()
    try:
        written = 0
        while written < 200:
            try:
                writer = ResultsWriter(file)
            except OutputError:
                continue  # the other process was checking the file
            with writer:
                writer.append(RECORD)
                assert list(ResultsReader(file)) == [RECORD]
            assert list(ResultsReader(file)) == [RECORD]
            file.unlink()
            written += 1
    finally:
        checker.kill()
        checker.communicate()


def test_a_check_leaves_no_file_and_keeps_links(tmp_path: Path) -> None:
    check_output(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "games.jsonl")
    check_output(link)
    assert [*tmp_path.iterdir()] == [link]
    (tmp_path / "folder.csv").mkdir()
    for name in ("folder.csv", "absent/new.csv", "new.txt"):
        with pytest.raises(OutputError, match=r"cannot be written|unknown ending"):
            check_output(tmp_path / name)


def test_a_full_disk_at_the_first_game_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.csv"
    with ResultsWriter(path) as writer:
        file = writer._file

        def fail(_: bytes) -> int:
            raise OSError(errno.ENOSPC, "full")

        full = SimpleNamespace(tell=file.tell, truncate=file.truncate, seek=file.seek, write=fail)
        with monkeypatch.context() as patch:
            patch.setattr(writer, "_file", full)
            with pytest.raises(OutputError, match="the disk is full"):
                writer.append(RECORD)
    assert not path.exists()


def test_a_line_that_fits_only_in_part_is_removed(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of the file size are set otherwise here")
    file = tmp_path / "games.jsonl"
    write_results(tmp_path / "one.jsonl", RECORD)
    whole = 1000 // (tmp_path / "one.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(OutputError, match="too large"):
            write_results(file, *[RECORD] * (whole + 1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    reader = ResultsReader(file)
    assert list(reader) == [RECORD] * whole
    assert not reader.is_cut_off
