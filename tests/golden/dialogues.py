"""Golden files of questions and answers: what follows "> " is put in, and the indented lines below it come out."""

import os
from collections.abc import Callable
from pathlib import Path
from textwrap import indent


def assert_answers(name: str, answer: Callable[[str], str]) -> None:
    """Compare the answers to a file's questions; OTHELLO_WRITES_GOLDEN_SCREENS=1 writes them after intended changes."""
    golden = Path(__file__).parent / name
    questions = [line for line in golden.read_text(encoding="utf-8").split("\n") if line.startswith("> ")]
    found = "\n".join(f"{question}\n{indent(answer(question[2:]), '    ')}" for question in questions)
    if "OTHELLO_WRITES_GOLDEN_SCREENS" in os.environ:
        golden.write_text(found, encoding="utf-8")
    assert found.split("\n> ") == golden.read_text(encoding="utf-8").split("\n> ")
