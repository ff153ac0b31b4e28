"""A page as a list of blocks, in Markdown and HTML."""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from othello.resources import asset
from othello.tournament.report_text import TextTable


class Block(NamedTuple):
    """A part of a page."""

    markdown: str
    html: str


def as_html(blocks: Sequence[Block], title: str) -> str:
    """Return the page in HTML. It needs only the picture files in its folder."""
    body = "\n".join(block.html for block in blocks)
    style = asset("report/page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>\n{style}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


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


_BUTTONS: Final = (("first", "First", "Home"), ("back", "Back", "Left"), ("on", "On", "Right"), ("end", "Last", "End"))


def replay(boards: Sequence[Mapping[str, Any]], games: Sequence[Mapping[str, Any]]) -> Block:
    """Return a board that replays games, given as in `Replays`. Without JavaScript it stays hidden."""
    buttons = "".join(
        f'<button type="button" class="{name}" title="Key: {key}">{text}</button>' for name, text, key in _BUTTONS
    )
    data = json.dumps({"boards": boards, "games": games}, separators=(",", ":")).replace("<", "\\u003c")
    script = asset("report/replay.js").read_text(encoding="utf-8")
    html = (
        '<section id="replay" aria-label="Games on a board" hidden>\n'
        '<select class="choice" aria-label="Game" title="Keys: Page Up, Page Down"></select>\n'
        '<svg class="board" role="img" xmlns="http://www.w3.org/2000/svg"></svg>\n'
        f'<div class="side"><div class="buttons">{buttons}</div><p class="told" aria-live="polite"></p>'
        '<div class="moves" aria-label="Moves"></div></div>\n'
        f'<script type="application/json" class="games">{data}</script>\n</section>\n<script>\n{script}</script>'
    )
    return Block("report.html replays the games on a board.", html)
