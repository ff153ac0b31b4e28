"""A page as a list of blocks, in Markdown and HTML."""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from string import Template
from typing import Any, NamedTuple

from othello.resources import asset
from othello.tournament.report_text import TextTable


class Block(NamedTuple):
    """A part of a page."""

    markdown: str
    html: str


def as_html(blocks: Sequence[Block], title: str) -> str:
    """Return the page in HTML. It needs only the picture files in its folder."""
    body = "\n".join(block.html for block in blocks)
    return _filled("page.html", title=escape(title), style=_text("page.css"), body=body)


def heading(text: str, level: int = 2) -> Block:
    """Return the title of the page (level 1) or of a section (level 2)."""
    return Block(f"{'#' * level} {_plain(text)}", f"<h{level}>{escape(text)}</h{level}>")


def statements(*texts: str) -> Block:
    items = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
    return Block("\n".join(f"- {_plain(text)}" for text in texts), f"<ul>\n{items}\n</ul>")


def picture(file: str, caption: str) -> Block:
    """Return a picture from a file in the folder of the page. The caption is also its alternative text."""
    text = escape(caption)
    html = f'<figure><img src="{file}" alt="{text}"><figcaption>{text}</figcaption></figure>'
    return Block(f"![{_plain(caption)}]({file})", html)


def link(file: str, text: str) -> Block:
    """Return a link to a file in the folder of the page."""
    return Block(f"[{_plain(text)}]({file})", f'<p><a href="{file}">{escape(text)}</a></p>')


def table(cells: TextTable) -> Block:
    title, header, rows = cells.title, cells.header, cells.rows
    lines = [map(_plain, header), ("---", *("---:" for _ in header[1:])), *(map(_plain, row) for row in rows)]
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return Block(
        f"**{_plain(title)}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines),
        f'<h3>{escape(title)}</h3>\n<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>",
    )


def _plain(text: str) -> str:
    """Escape Markdown and HTML."""
    return re.sub(r"([\\`*\[\]<>|#&~]|\b_|_\b)", r"\\\1", text)


def replay(boards: Sequence[Mapping[str, Any]], games: Sequence[Mapping[str, Any]]) -> Block:
    """Return a board that replays games, given as in `Replays`. Without JavaScript it stays hidden."""
    data = json.dumps({"boards": boards, "games": games}, separators=(",", ":")).replace("<", "\\u003c")
    html = _filled("replay.html", data=data, script=_text("replay.js"))
    return Block("report.html replays the games on a board.", html)


def _text(name: str) -> str:
    return asset(f"report/{name}").read_text(encoding="utf-8")


def _filled(name: str, **parts: str) -> str:
    return Template(_text(name)).substitute(parts)
