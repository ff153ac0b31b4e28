"""What commands print, word for word."""

import json
import re
import shlex
from pathlib import Path

import pytest

import othello
from othello.cli.arguments import parse
from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers

MEASURED = re.compile(r'(?<="seconds": )[^}]+|\d+\.\d{3,}|\d+\.\d\d(?= s,)|[\d,]+(?= nodes/s| a sec)|(?<=leaves/s)\s.*')


@pytest.mark.usefixtures("data_dir")
def test_commands_print_the_golden_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))  # where programs are registered

    def answer(question: str) -> str:
        word, sign, text = question.partition(" ")[0], *question.partition(" = ")[1:]
        if sign:
            Path(word).write_text(json.loads(text), encoding="utf-8")
            return ""
        if word == "cat":
            text = Path(question[4:]).read_text(encoding="utf-8").replace(othello.__version__, "VERSION")
            if question.endswith(".html"):  # the steps on a page
                text = re.sub(r'(?s).*id="data">(.*?)</script>.*', r"\1", text).replace('{"title', '\n{"title')
            return re.sub(r"\d+\.\d{6,}", lambda number: f"{float(number[0]):.4g}", text)
        if word == "parse":
            parsed = vars(parse(shlex.split(question)[1:]))
            known = {key: value for key, value in sorted(parsed.items()) if value is not None and not callable(value)}
            return ", ".join(f"{key}: {json.dumps(value, default=str)}" for key, value in known.items())
        status, printed = cli.run(*shlex.split(question)[1:])
        without_times = re.sub(MEASURED, "TIME", printed)
        return without_times.replace(str(tmp_path), "FOLDER") + f"status {status}" * bool(status)

    assert_answers("commands.txt", answer)
