"""A page as a list of blocks, and the two languages it is written in."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from othello.resources import asset
from othello.tournament.wording import TextTable


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the page (level 1), or of a part of it (level 2)."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Sentences:
    """A list of short statements."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A picture in a file beside the page."""

    file: str
    caption: str  # what it shows, for those who see it and those who do not


@dataclass(frozen=True, slots=True)
class Link:
    """A file beside the page."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A board on which games are replayed, where the page is one that can."""

    boards: Sequence[Mapping[str, Any]]  # as `Replays` has them
    games: Sequence[Mapping[str, Any]]  # as `Replays` has them, at least one


Block: TypeAlias = Heading | Sentences | TextTable | PageFigure | Link | Replay


def as_markdown(blocks: Sequence[Block]) -> str:
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def as_html(blocks: Sequence[Block], title: str) -> str:
    """The page in HTML, which needs nothing but the pictures beside it."""
    body = "\n".join(_html(block) for block in blocks)
    style = asset("report/page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>\n{style}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_plain(text)}"
        case Sentences(texts):
            return "\n".join(f"- {_plain(text)}" for text in texts)
        case PageFigure(file, caption):
            return f"![{_plain(caption)}]({file})"
        case Link(file, text):
            return f"[{_plain(text)}]({file})"
        case Replay():
            return "report.html replays the games on a board."
        case TextTable(title, header, rows):
            lines = [header, ("---", *("---:" for _ in header[1:])), *rows]
            cells = (" | ".join(cell if row is lines[1] else _plain(cell) for cell in row) for row in lines)
            return f"**{_plain(title)}**\n\n" + "\n".join(f"| {row} |" for row in cells)


def _plain(text: str) -> str:
    """Text in which nothing is taken for Markdown or HTML."""
    return re.sub(r"([\\`*\[\]<>|#&~]|\b_|_\b)", r"\\\1", text)


def _html(block: Block) -> str:
    escape = html.escape
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Sentences(texts):
            return "<ul>\n" + "\n".join(f"<li>{escape(text)}</li>" for text in texts) + "\n</ul>"
        case PageFigure(file, caption):
            told = escape(caption)
            return f'<figure><img src="{file}" alt="{told}"><figcaption>{told}</figcaption></figure>'
        case Link(file, text):
            return f'<p><a href="{file}">{escape(text)}</a></p>'
        case Replay(boards, games):
            return _replay(boards, games)
        case TextTable(title, header, rows):
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
            body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            return (
                f'<h3>{escape(title)}</h3>\n<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
                f"<tbody>\n{body}\n</tbody>\n</table></div>"
            )


_BUTTONS: Final = (("first", "First", "Home"), ("back", "Back", "Left"), ("on", "On", "Right"), ("end", "Last", "End"))


def _replay(boards: Sequence[Mapping[str, Any]], games: Sequence[Mapping[str, Any]]) -> str:
    """The part that the script fills. Without scripts it is empty, and games.txt has the moves."""
    buttons = "".join(
        f'<button type="button" class="{name}" title="Key: {key}">{text}</button>' for name, text, key in _BUTTONS
    )
    data = json.dumps({"boards": boards, "games": games}, separators=(",", ":")).replace("<", "\\u003c")
    script = asset("report/replay.js").read_text(encoding="utf-8")
    return (
        '<section id="replay" aria-label="Games on a board" hidden>\n'
        '<select class="choice" aria-label="Game" title="Keys: Page Up, Page Down"></select>\n'
        '<svg class="board" role="img" xmlns="http://www.w3.org/2000/svg"></svg>\n'
        f'<div class="side"><div class="buttons">{buttons}</div><p class="told" aria-live="polite"></p>'
        '<div class="moves" aria-label="Moves"></div></div>\n'
        f'<script type="application/json" class="games">{data}</script>\n</section>\n<script>\n{script}</script>'
    )
