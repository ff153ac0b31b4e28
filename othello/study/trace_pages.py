"""The steps of a search as a page for the browser and as an animation."""

import io
import json
from collections.abc import Sequence
from html import escape
from string import Template
from textwrap import wrap
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.resources import asset
from othello.rules.protocol import Position, Square
from othello.search.steps import Backup, Expansion, MoveSelection, Playout, Step, line_of
from othello.study.step_text import StepText, by_bound, text_of
from othello.texts import language

_SIZE: Final = (960, 520)  # of the animation, in pixels
_MARGIN: Final = 20
_BOARD: Final = 480
_STEP_MILLISECONDS: Final = 1500
_DISCS: Final = ("#07090b", "#fdfbf6")
_SIGNS: Final = str.maketrans("·–", "\N{MULTIPLICATION SIGN}−")  # signs that all fonts have
_COLORS: Final = {
    "background": "#12161c",
    "text": "#e8edf3",
    "muted": "#8b98a8",
    "accent": "#4cc2ff",
    "chosen": "#24405a",
    "ground": "#1f6f50",
    "frame": "#0e3b2a",
}


class Frame(NamedTuple):
    """A step and its board."""

    text: StepText
    position: Position
    marks: dict[Square, str]  # texts on squares
    next: tuple[Square, ...]  # squares of the move that the step chooses


def frame_of(step: Step, game: AnyGame, config: PlayerConfig) -> Frame:
    """Return the picture of a step of a search that began at the end of `game`."""
    text = text_of(step, game, config)
    match step:
        case MoveSelection() | Expansion():
            squares = {move: game.rules.squares_of(move)[-1:] for move in by_bound(step.children)}
            marks = {places[0]: text.rows[index][2] for index, places in enumerate(squares.values()) if places}
            chosen = game.rules.squares_of(line_of(step)[-1])[-1:]
            marks |= dict.fromkeys(chosen, "+") if isinstance(step, Expansion) else {}
            return Frame(text, game.after(step.path).position, marks, chosen)
        case Playout():
            return Frame(text, game.after(step.path).after(step.moves).position, {}, ())
        case Backup():
            places_of_path = [game.rules.squares_of(move)[-1:] for move in line_of(step)]
            marks = {places[0]: str(ply) for ply, places in enumerate(places_of_path, 1) if places}
            return Frame(text, game.position, marks, tuple(marks))
    return Frame(text, game.after(step.path).position, {}, ())


def as_html(steps: Sequence[Step], game: AnyGame, config: PlayerConfig, title: str) -> str:
    """Return a page that needs nothing else."""
    frames = [_as_object(frame_of(step, game, config), game) for step in steps]
    data = json.dumps({"board": game.rules.grid, "steps": frames}, separators=(",", ":")).replace("<", "\\u003c")
    page = Template(asset("report/steps.html").read_text(encoding="utf-8"))
    return page.substitute(title=escape(title), language=language(), data=data)


def _as_object(frame: Frame, game: AnyGame) -> dict[str, Any]:
    return frame.text._asdict() | {
        "board": "".join("0" if owner is None else str(owner + 1) for owner in game.rules.owners(frame.position)),
        "marks": frame.marks,
        "next": frame.next,
    }


def as_gif(steps: Sequence[Step], game: AnyGame, config: PlayerConfig) -> bytes:
    """Return a looping animation."""
    frames = [_picture(frame_of(step, game, config), game) for step in steps]
    colors = frames[0].quantize(64)
    first, *others = (frame.quantize(palette=colors, dither=Image.Dither.NONE) for frame in frames)
    stream = io.BytesIO()
    first.save(stream, "GIF", save_all=True, append_images=others, duration=_STEP_MILLISECONDS, loop=0)
    return stream.getvalue()


def _font(size: int, text: str = "", *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font with all signs of a text in the language in use."""
    is_japanese, weight = language() == "ja" or any(sign in text for sign in "√∞"), "Bold" if bold else "Regular"
    name = f"NotoSansJP-{weight}.otf" if is_japanese else f"NotoSans-{weight}.ttf"
    return ImageFont.truetype(asset(f"fonts/{name}"), size)


def _picture(frame: Frame, game: AnyGame) -> Image.Image:
    image = Image.new("RGB", _SIZE, _COLORS["background"])
    draw = ImageDraw.Draw(image)
    _draw_board(draw, frame, game)
    left, top = _BOARD + 2 * _MARGIN, _MARGIN
    title, formula = (text.translate(_SIGNS) for text in (frame.text.title, frame.text.formula))
    draw.text((left, top), title, _COLORS["text"], _font(18, title, bold=True))
    top += 34
    for line in wrap(frame.text.sentence, 28 if language() == "ja" else 56):
        draw.text((left, top), line, _COLORS["text"], _font(14))
        top += 20
    draw.text((left, top + 4), formula, _COLORS["accent"], _font(14, formula, bold=True))
    _draw_table(draw, frame.text, left, top + 34)
    return image


def _draw_table(draw: ImageDraw.ImageDraw, text: StepText, left: int, top: int) -> None:
    if not text.rows:
        return
    width = (_SIZE[0] - left - _MARGIN) / len(text.header)
    for row, cells in enumerate((text.header, *text.rows)):
        if text.chosen is not None and row == text.chosen + 1:
            draw.rectangle((left - 6, top, _SIZE[0] - _MARGIN + 6, top + 20), _COLORS["chosen"])
        for column, cell in enumerate(cells):
            place = (left, top + 2) if column == 0 else (left + (column + 1) * width, top + 2)
            color = _COLORS["text" if row else "muted"]
            draw.text(place, cell, color, _font(12), anchor="la" if column == 0 else "ra")
        top += 22
        if top > _SIZE[1] - 22:
            return


def _draw_board(draw: ImageDraw.ImageDraw, frame: Frame, game: AnyGame) -> None:
    rules = game.rules
    cell = _BOARD / max(rules.columns, rules.rows)
    for square, owner in enumerate(rules.owners(frame.position)):
        x, y = _MARGIN + square % rules.columns * cell, _MARGIN + square // rules.columns * cell
        draw.rectangle((x, y, x + cell, y + cell), _COLORS["ground"], _COLORS["frame"], 1)
        disc = (x + cell * 0.1, y + cell * 0.1, x + cell * 0.9, y + cell * 0.9)
        if owner is not None:
            draw.ellipse(disc, _DISCS[owner])
        if (mark := frame.marks.get(Square(square))) is not None:
            edge, width = ("accent", 3) if square in frame.next else ("muted", 1)
            draw.ellipse(disc, _COLORS["frame"], _COLORS[edge], width)
            font = _font(max(8, int(cell * 0.24)), bold=True)
            draw.text((x + cell / 2, y + cell / 2), mark, _COLORS["text"], font, anchor="mm")
