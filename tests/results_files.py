"""Results files with records."""

from pathlib import Path

from othello.config import ExistingOutput
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter

RECORD = GameRecord(
    game=3,
    series=2,
    black='a "b", c',
    white="größer",
    seed=(1 << 53) - 1,
    transcript="f5d6c3",
    black_points=40,
    white_points=24,
    result="black",
    black_seconds=0.25,
    white_seconds=1e-06,
)


def write_results(file: Path, *records: GameRecord, existing: ExistingOutput = ExistingOutput.REFUSE) -> None:
    with ResultsWriter(file, existing) as writer:
        for record in records:
            writer.append(record)


def lines_in(file: Path) -> int:
    """Return the number of complete lines of a file, 0 if it does not exist yet."""
    try:
        return file.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0
