"""Every example of `othello --help` and of the pages in docs/ works."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from othello.cli.arguments import parse
from othello.config_file import load

ROOT: Final = Path(__file__).parents[2]
DUEL: Final = '{"players": [{"player_type": "mcts_uct"}, {"player_type": "heuristic"}]}'


def in_help(capsys: pytest.CaptureFixture[str]) -> list[str]:
    with pytest.raises(SystemExit):
        parse(["--help"])
    text = capsys.readouterr().out.partition("\nexamples")[2]
    assert DUEL in text.partition("\n")[0]
    return re.findall(r"^  (othello.*?)(?:  .*)?$", text, flags=re.MULTILINE)


def in_docs() -> list[str]:
    """Return the commands in blocks without a language. Synopses are blocks of `text`."""
    pages = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    commands = "\n".join(block for language, block in blocks if not language)
    return re.findall(r"^(?:\$ )?(othello (?!/).*?)(?:  .*)?$", commands, flags=re.MULTILINE)


def test_every_example_of_help_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "duel.json").write_text(DUEL)
    environment = os.environ | {"OTHELLO_DATA_DIR": str(tmp_path / "data")}
    examples = in_help(capsys)
    assert len(examples) > 10
    for example in examples:
        _, *words = shlex.split(example)
        parse(words)
        if words and words[0] != "tune":  # a window, and hours of games
            ran = subprocess.run(
                [sys.executable, "-P", "-m", "othello", *words],
                cwd=tmp_path,
                env=environment,
                input="quit\n",
                capture_output=True,
                text=True,
                check=False,
            )
            assert (ran.returncode, ran.stderr) == (0, ""), example
    assert (tmp_path / "page" / "report.html").is_file()


@pytest.mark.parametrize("example", in_docs())
def test_every_example_of_the_docs_is_parsed(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = parse(shlex.split(example)[1:])
    config = getattr(arguments, "config", None)
    if config is not None and config.parts[0] == "examples":
        assert load(config).players
