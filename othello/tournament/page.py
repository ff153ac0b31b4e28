"""A page as a list of blocks, and the two languages it is written in."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from othello.tournament.findings import Table


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
class Figure:
    """A picture in a file beside the page.

    Attributes:
        file: its name.
        caption: what it shows, for those who see it and those who do not.
    """

    file: str
    caption: str


@dataclass(frozen=True, slots=True)
class Link:
    """A file beside the page."""

    file: str
    text: str


Block: TypeAlias = Heading | Sentences | Table | Figure | Link

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a2029; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
div.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid #d5dbe2; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; }
figure { margin: 1rem 0; }
figcaption { color: #56616d; font-size: 14px; }
"""


def as_markdown(blocks: Sequence[Block]) -> str:
    """The page in Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def as_html(blocks: Sequence[Block], title: str) -> str:
    """The page in HTML, which needs nothing but the pictures beside it."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_plain(text)}"
        case Sentences(texts):
            return "\n".join(f"- {_plain(text)}" for text in texts)
        case Figure(file, caption):
            return f"![{_plain(caption)}]({file})"
        case Link(file, text):
            return f"[{_plain(text)}]({file})"
        case Table(title, header, rows):
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
        case Figure(file, caption):
            return (
                f'<figure><img src="{file}" alt="{escape(caption)}"><figcaption>{escape(caption)}</figcaption></figure>'
            )
        case Link(file, text):
            return f'<p><a href="{file}">{escape(text)}</a></p>'
        case Table(title, header, rows):
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
            body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            return (
                f'<h3>{escape(title)}</h3>\n<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
                f"<tbody>\n{body}\n</tbody>\n</table></div>"
            )
