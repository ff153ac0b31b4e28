"""Controls of the dialog for a new game: choices of the game, the level and the side, and the button for the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect, Surface

from othello.game import AnyGame, Game
from othello.gui import labels, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import BoardRenderer, renderer_for, renderer_type
from othello.gui.dialogs import player_form
from othello.gui.dialogs.player_form import GAP
from othello.players import levels
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.texts import tr

RANDOM: Final = "random"
"""The choice of a random side."""


class RulesButton(ui.Button):
    """Button with a summary of the rules. It shows or hides their controls."""

    words: str = ""  # the summary; empty if it stands below the button
    is_open: bool = False  # the controls are shown

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return replace(super().accessible(on), name=self.words or tr("spoken.rules"), is_open=self.is_open)

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        title, change = style.length(tr("new_game.rules"), 13, bold=True), style.length(tr("new_game.change"), 13)
        return ui.Size(84 + title + style.length(self.words, 12) + change, 40)

    def draw(self, on: ui.PaintContext) -> None:
        rect, px, palette = on.rect, on.style.px, on.style.palette
        ui.fill_rounded(on.surface, rect, px(8), palette.raised if on.is_lit else palette.panel, palette.line, px(1))
        ui.draw_chevron(on.surface, palette.muted, (rect.left + px(19), rect.centery), px(9), down=self.is_open)
        right = on.text((rect.left + px(36), rect.centery), tr("new_game.rules"), 13, bold=True).right
        if self.enabled:
            change = tr("buttons.close_keys" if self.is_open else "new_game.change")
            color = palette.text if on.is_lit else palette.accent
            on.text((rect.right - px(16), rect.centery), change, 13, color, anchor="midright")
        on.text((right + px(16), rect.centery), self.words, 12, palette.muted)


_LEVEL_HEIGHT: Final = 112
_LEVEL_NAMES: Final = (12, 11, 10)  # font sizes: the largest that fits is used


def level_buttons(style: ui.Style, chosen: int, spec: GameSpec, name: str) -> ui.SegmentedControl:
    """Return the choice of a level for a game, as a staircase."""
    options = tuple((level, tr(f"levels.{level}")) for level in range(1, levels.COUNT + 1))
    widest = max(style.length(name, _LEVEL_NAMES[-1]) for _, name in options)
    painter, cell = _StepPainter(chosen, spec), ui.Size(widest, _LEVEL_HEIGHT)
    tips, called = tuple(tr(f"level_tips.{level}") for level, _ in options), tr("spoken.level")
    return ui.SegmentedControl(options, chosen, 0, painter, 0, cell, tips, accessible_name=called, name=name)


@dataclass(frozen=True)
class SidePainter:
    """Draws a side as its piece and its name, and a random side as both pieces."""

    renderer: BoardRenderer
    words: Mapping[str, str]

    def __call__(self, on: ui.PaintContext, side: str, is_chosen: bool) -> None:
        px, word, rect = on.style.px, self.words[side], on.rect
        ui.draw_segment(on, chosen=is_chosen)
        size = on.style.largest(word, (13, 12, 11), rect.width - px(44), bold=is_chosen)
        pieces = [color for color in Color if side in (color.label, RANDOM)]
        width = px(8) + px(14) * (len(pieces) - 1) + px(18) + on.style.width(word, size, bold=is_chosen)
        left = rect.centerx - width // 2 + px(9)
        for index, color in enumerate(pieces):
            self.renderer.draw_piece(on.surface, (left + px(14) * index, rect.centery), px(18), color)
        shade = on.style.palette.accent if is_chosen else None
        at = (left + px(14) * (len(pieces) - 1) + px(17), rect.centery)
        on.text(at, word, size, shade, bold=is_chosen, room=rect.right - px(4) - at[0])


@dataclass(frozen=True)
class _StepPainter:
    """Draws a level as a step, with its Elo if it was measured for the game."""

    chosen: int
    spec: GameSpec

    def __call__(self, on: ui.PaintContext, level: int, is_chosen: bool) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        ui.draw_segment(on, chosen=is_chosen)
        measured = levels.measured(level, self.spec)
        footer = rect.top + px(64 if measured else 72)
        width, height = min(px(44), rect.width - px(12)), px(16 + 3.6 * level)
        step = Rect(rect.centerx - width // 2, footer - height, width, height)
        color = palette.accent if is_chosen else palette.step if level < self.chosen else palette.high_step
        ui.fill_rounded(on.surface, step, px(5), color)
        on.surface.fill(color, (step.left, step.bottom - px(6), step.width, px(6)))
        shade, at = palette.on_accent if is_chosen else None, (rect.centerx, footer - px(10))
        on.text(at, str(level), 12, shade, anchor="center", bold=True)
        name = tr(f"levels.{level}")
        is_bold = is_chosen and style.width(name, 12, bold=True) <= rect.width
        at = (rect.centerx, footer + px(15))
        on.text(at, name, _LEVEL_NAMES, anchor="center", bold=is_bold, room=rect.width - px(2))
        if measured:
            shade = palette.text if is_chosen else palette.muted
            on.text((rect.centerx, footer + px(34)), str(measured.elo), 11, shade, anchor="center")


_CARD: Final = 64
_BOARD: Final = 48
_BESIDE_TITLE: Final = 98  # the board to the left of the title, and the check to the right
_OVERSAMPLING: Final = 4
_EXAMPLE_PLIES: Final = 0.2  # share of the longest game


def game_choice(style: ui.Style, chosen: str) -> ui.SegmentedControl:
    """Return the choice of a game, with a small board for each."""
    games = player_form.games()
    words = [word for _, title in games for word in title.split()]
    widest = max(style.length(word, 14, bold=True) for word in words) + _BESIDE_TITLE  # long titles take two lines
    tips, cell = tuple(tr(f"games.{game}.summary", "") for game, _ in games), ui.Size(widest, _CARD)
    return ui.SegmentedControl(
        games, chosen, GAP, _draw_game, 0, cell, tips, accessible_name=tr("spoken.game"), name="game"
    )


def _draw_game(on: ui.PaintContext, name: str, is_chosen: bool) -> None:
    """Draw the option of a game: its board and its title."""
    style, rect, px = on.style, on.rect, on.style.px
    ui.draw_tile(on, chosen=is_chosen)
    at = rect.left + px(8), rect.top + px(8)
    on.surface.blit(small_board(name, px(_BOARD), style.palette), at, special_flags=pygame.BLEND_PREMULTIPLIED)
    lines = style.wrap(labels.title(rules_of(game_spec(name))), 14, rect.width - px(_BESIDE_TITLE - 2), 2, bold=True)
    for index, line in enumerate(lines):
        y = rect.centery + round(px(20) * (index - (len(lines) - 1) / 2))
        on.text((rect.left + px(64), y), line, 14, bold=True)
    if is_chosen:
        ui.draw_badge(on, (rect.right - px(20), rect.centery))


@lru_cache(maxsize=16)
def small_board(name: str, size: int, palette: ui.Palette) -> Surface:
    """Return a small picture of a board with an example position, with premultiplied alpha.

    The board is drawn larger and scaled down, which keeps all details.
    """
    game, side = _example(name), size * _OVERSAMPLING
    renderer, image = renderer_for(game.rules.spec, palette), Surface((side, side), pygame.SRCALPHA)
    place = renderer.layout_in(ui.Style(1.0, palette), Rect(0, 0, side, side), 10)
    renderer.draw(image, place, BoardState(game.position, shows_coordinates=False), 0.0)
    if renderer.example_side:
        middle = Rect(0, 0, renderer.example_side * place.cell, renderer.example_side * place.cell)
        middle.center = place.grid.center
        whole = Surface(middle.inflate(place.cell // 2, place.cell // 2).size, pygame.SRCALPHA)
        ui.fill_rounded(whole, whole.get_rect(), place.cell // 4, getattr(palette, renderer.frame))
        whole.blit(image, (place.cell // 4, place.cell // 4), middle)
        image = whole
    return pygame.transform.smoothscale(image.premul_alpha(), (size, size))  # avoids dark edges


@lru_cache(maxsize=8)
def _example(name: str) -> AnyGame:
    """Return an example position of a game, from its renderer or from a few arbitrary moves."""
    game, moves = Game.new(rules_of(game_spec(name))), renderer_type(name).example
    if moves is not None:
        return game.after(game.rules.parse_move(game.position, move) for move in moves.split())
    for ply in range(max(4, int(game.rules.max_moves * _EXAMPLE_PLIES))):
        legal = game.legal_moves()
        following = game.play(legal[(ply * 5 + 2) % len(legal)])
        if following.is_over:
            break
        game = following
    return game
