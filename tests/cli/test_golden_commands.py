"""What commands print, word for word."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers


@pytest.mark.usefixtures("data_dir")
def test_commands_print_the_golden_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))  # where programs are registered

    def answer(question: str) -> str:
        name, sign, text = question.partition(" = ")
        if sign:
            Path(name).write_text(json.loads(text), encoding="utf-8")
            return ""
        status, printed = cli.run(*shlex.split(question)[1:])
        without_times = re.sub(
            r'(?<="seconds": )[^}]+|\d+\.\d{3,}|\d+\.\d\d(?= s,)|[\d,]+(?= nodes/s)', "TIME", printed
        )
        without_times = re.sub(r"(?<=leaves/s).*", " TIME", without_times)
        return without_times.replace(str(tmp_path), "FOLDER") + f"status {status}" * bool(status)

    assert_answers("commands.txt", answer)
