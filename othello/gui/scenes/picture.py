"""What the window of a game shows at one moment, as values, and how that is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from othello.gui import theme
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.views import cards, frame, moves, panels, values
from othello.gui.widgets import Widgets


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the window shows. Two equal pictures look the same, so the second need not be drawn.

    Attributes:
        buttons: the look of the widgets.
        pace: seconds from one move of a computer to the next.
        occasion: what is special about the game, in ever fewer words; empty where nothing is.
        score: what black and white have.
        search: the search in figures, None where it is not wanted.
        is_bad: whether the status is bad news.
        over: what lies over the board.
        keys: the list of keys, empty where it is closed.
        flip_at: the time that the flip animation has reached.
    """

    size: tuple[int, int]
    buttons: tuple[object, ...]
    pace: float
    occasion: tuple[str, ...]
    board: BoardState
    cards: tuple[cards.CardState, ...]
    score: tuple[int, int]
    moves: moves.MoveListState
    search: values.SearchState | None
    status: str
    is_bad: bool
    over: panels.Banner | panels.Result | None
    keys: tuple[tuple[str, str], ...]
    flip_at: float


def draw(surface: pygame.Surface, layout: Layout, face: Face, picture: Picture, widgets: Widgets) -> None:
    """Draw the whole window."""
    style = layout.style
    surface.fill(theme.BACKGROUND)
    frame.draw_toolbar(surface, layout, face, picture.pace)
    if picture.occasion:
        frame.draw_occasion(surface, layout, picture.occasion)
    face.draw(surface, layout.place, picture.board, picture.flip_at)
    for card, rect in zip(picture.cards, layout.cards, strict=True):
        cards.draw_card(surface, style, face, rect, card)
    cards.draw_score_bar(surface, face, layout.score_bar, *picture.score)
    list_panel, search_panel = layout.side_panels(picture.search is not None)
    moves.draw(surface, moves.MoveGrid(style, list_panel, face.squares), face, picture.moves)
    if search_panel is not None and picture.search is not None:
        values.draw_panel(surface, style, search_panel, picture.search)
    color = theme.WARNING if picture.is_bad else theme.MUTED
    frame.draw_status(surface, style, layout.status, picture.status, color)
    if isinstance(picture.over, panels.Result):
        panels.draw_result(surface, layout, face, picture.over)
    elif picture.over is not None:
        panels.draw_banner(surface, layout, face, picture.over)
    widgets.draw(surface)
    if picture.keys:
        panels.draw_help(surface, layout, picture.keys)
