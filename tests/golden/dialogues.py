"""Golden files of texts, and those of questions and answers."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Final

WRITES: Final = "OTHELLO_WRITES_GOLDEN_SCREENS"  # this variable has tests write golden files, after intended changes
FOLDER: Final = Path(__file__).parent


def rounded(text: str) -> str:
    """Return a text whose decimal fractions are rounded to four significant digits."""
    return re.sub(r"\d+\.\d+(e-\d+)?", lambda number: f"{float(number[0]):.4g}", text)


def assert_golden(name: str, text: str, separator: str = "\n") -> None:
    """Assert that a text is that of a file, part by part, or write the file."""
    if WRITES in os.environ:
        (FOLDER / name).write_text(text, encoding="utf-8")
    assert text.split(separator) == (FOLDER / name).read_text(encoding="utf-8").split(separator)


def assert_answers(name: str, answer: Callable[[str], str]) -> None:
    """Ask the questions of a file, the lines that begin with "> ", and compare the answers, indented below them."""
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    questions = [line for line in lines if line.startswith("> ")]
    found = (f"{question}\n{indent(answer(question[2:]), '    ')}" for question in questions)
    assert_golden(name, "\n".join(found), separator="\n> ")
