"""The steps of a search as an animation."""

from unittest.mock import Mock
from zlib import crc32

import pytest
from PIL import ImageDraw, ImageFont

from othello.game import Game
from othello.rules.protocol import Square
from othello.study.step_text import StepText
from othello.study.trace_pages import Frame, _picture
from tests.positions import RULES, START


def test_a_picture_has_texts_and_discs_in_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Mock()
    monkeypatch.setattr(ImageDraw, "Draw", lambda _image: draw)
    text = StepText("Title", "a " * 60, ("move", "value"), (("d3", "1"), *[("c4", "2")] * 30), 1, "1 · 2")
    _picture(Frame(text, START, {Square(19): "+", Square(26): "1"}, (Square(19),)), Game.new(RULES))
    drawn = [
        (name, *(value.size if isinstance(value, ImageFont.FreeTypeFont) else value for value in values), options)
        for name, values, options in draw.mock_calls
    ]
    assert crc32(repr(drawn).encode()) == 483239665, "look at pictures of `othello trace` before you change it"
