"""What commands print, word for word."""

import json
import re
import shlex
import time
from pathlib import Path

import pytest

import othello
from othello.cli.arguments import parse
from tests.command_line import CommandLine
from tests.golden.dialogues import assert_answers

SECONDS = (
    r'(?<="seconds": )(\d+\.\d{1,6}|[\d.]+e-\d\d)(?=[,}])'
    r"|(?<=\bseconds)\s+(\d+\.\d{1,6})\b|(\d+\.\d{3})(?= s )|(\d+\.\d\d)(?= s,| s late)"
)
RATES = r"|[\d,]+(?= nodes/s| a sec)|(?<=leaves/s)\s.*"
THINKING_TIMES = r"|(?<= )(\d\.\d{3,})"  # of games that are played


@pytest.mark.usefixtures("data_dir")
def test_commands_print_the_golden_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))  # where programs are registered
    monkeypatch.setattr("othello.cli.book_commands.ProcessPoolExecutor", None)  # one process starts no other
    began = time.perf_counter()

    def hide(found: re.Match[str]) -> str:
        """Return TIME for seconds that can have passed, and for a rate, which has no group."""
        seconds = float(found[found.lastindex] if found.lastindex else 0)
        return "TIME" if seconds < time.perf_counter() - began else found[0]

    def settled(text: str) -> str:
        short = re.sub(r"\d+\.\d{6,}", lambda number: f"{float(number[0]):.4g}", text)
        return short.replace(str(tmp_path), "FOLDER")

    def answer(question: str) -> str:
        word, sign, text = question.partition(" ")[0], *question.partition(" = ")[1:]
        if sign:
            Path(word).write_text(json.loads(text), encoding="utf-8")
            return ""
        if word == "cat":
            text = Path(question[4:]).read_text(encoding="utf-8").replace(othello.__version__, "VERSION")
            if question.endswith(".html"):  # the steps on a page
                text = re.sub(r'(?s).*id="data">(.*?)</script>.*', r"\1", text).replace('{"title', '\n{"title')
            return settled(text)
        if word == "parse":
            parsed = vars(parse(shlex.split(question)[1:]))
            known = {key: value for key, value in sorted(parsed.items()) if value is not None and not callable(value)}
            return ", ".join(f"{key}: {json.dumps(value, default=str)}" for key, value in known.items())
        status, printed = cli.run(*shlex.split(question)[1:])
        measured = SECONDS + RATES + THINKING_TIMES * bool(re.search("othello (--config|report g)", question))
        text = re.sub(measured, hide, printed) + f"status {status}" * bool(status)
        return settled(text)

    assert_answers("commands.txt", answer)
