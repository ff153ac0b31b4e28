"""The steps of a search in words and as an animation."""

from io import BytesIO
from math import nan
from typing import Any
from unittest.mock import Mock
from zlib import crc32

import pytest
from PIL import Image, ImageDraw, ImageFont

from othello.game import Game
from othello.players.player_registry import configure
from othello.rules.protocol import Square
from othello.rules.registry import game_spec, rules_of
from othello.search import steps as s
from othello.study import trace_pages
from othello.study.step_text import StepText, children_table, text_of
from tests.positions import RULES, START, line


def test_an_animation_has_texts_and_discs_in_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    text = StepText("Title", "a " * 60, ("move", "value"), (("d3", "1"), *[("c4", "2")] * 30), 1, "1 · 2")
    frame, draw = trace_pages.Frame(text, START, {Square(19): "+", Square(26): "1"}, (Square(19),)), Mock()
    monkeypatch.setattr(trace_pages, "frame_of", lambda *_: frame)
    monkeypatch.setattr(ImageDraw, "Draw", lambda _image: draw)
    film = Image.open(BytesIO(trace_pages.as_gif([Mock()], Game.new(RULES), Mock())))
    assert (film.info["loop"], film.info["duration"]) == (0, 1500)
    monkeypatch.setattr(ImageFont.FreeTypeFont, "__repr__", lambda font: f"{font.getname()} {font.size}")
    drawn = [*map(tuple, draw.mock_calls)]
    assert crc32(repr(drawn).encode()) == 753888749, "look at pictures of `othello trace` before you change it"


def test_every_kind_of_step_has_its_words() -> None:
    game, full = Game.new(rules_of(game_spec("tictactoe"))), line(0, 1, 2, 4, 3, 5, 7, 6, 8)
    a1, b2 = line(0, 4)
    edges = {a1: s.Edge(3, 3, 1, 1, 0, 0.5, 0.25, nan), b2: s.Edge(2, 2, 0, 1, 0, 0.25, 0.75, nan)}
    tuned = {move: edge._replace(variance=0.125) for move, edge in edges.items()}
    values = tuple(s.NodeValue(path, 1, 0.5) for path in ((), (a1,)))
    steps: list[s.Step] = [s.MoveSelection(4, (), 5, moves, b2) for moves in (edges, tuned)]
    steps += [s.MoveSelection(1234, (), 5, edges, a1, True), s.Expansion(2, (a1,), b2, {b2: edges[b2]})]
    steps += [s.Playout(1, (a1,), moves, result) for result in (1, 0.5, 0) for moves in (full[1:], full[1:3], ())]
    steps += [s.Playout(1, full, (), 0.5), s.Backup(3, values, values)]
    steps += [s.NodeExit(2, (a1,), -3, None, 5, reason, {}) for reason in s.ExitReason]
    steps += [s.NodeExit(2, (), None, 4, -1, s.ExitReason.EVALUATED, {Square(0): 2, Square(1): -1, Square(2): -1})]
    steps += [s.Choice(7, (a1,), 0.25, explores, b2) for explores in (True, False)]
    steps.append(s.Update(8, (), a1, 0.5, -1, 0.1, 0.35))
    tables: tuple[Any, ...] = edges, {a1: steps[-1]}, {b2: steps[-4]}
    words = [text_of(step, game, configure("mcts_uct")) for step in steps]
    words += [children_table(children, game) for children in tables]
    golden = [text for found in words for text in (*found, found.as_latex())]
    assert crc32(repr(golden).encode()) == 697484434, golden
