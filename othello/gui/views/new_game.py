"""The games, the levels and their words in the dialog before a game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import pygame
from pygame import Rect

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.gui import theme, wording
from othello.gui.choices import draw_badge, draw_segment
from othello.gui.faces.board import BoardState
from othello.gui.faces.registry import face_of
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.players import levels
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.texts import say

_LARGER: Final = 4
_EXAMPLE_PLIES: Final = 0.2  # of a whole game: enough to see what it is


@lru_cache(maxsize=8)
def _example(name: str) -> AnyGame:
    """A position that shows what a game looks like."""
    game = Game.new(rules_of(game_spec(name)))
    for ply in range(max(4, int(game.rules.max_moves * _EXAMPLE_PLIES))):
        legal = game.legal_moves()
        following = game.play(legal[(ply * 5 + 2) % len(legal)])
        if following.is_over:
            break
        game = following
    return game


@theme.drawn_once(16)
def _board(name: str, size: int) -> pygame.Surface:
    """A small board, drawn large and made smaller: all that is on a large one is on it."""
    game, side = _example(name), size * _LARGER
    face, style = face_of(game.rules.spec), theme.style(1.0)
    image = pygame.Surface((side, side), pygame.SRCALPHA)
    face.draw(image, face.place(style, image.get_rect(), style.px(10)), BoardState(game.position), 0.0)
    return pygame.transform.smoothscale(image, (size, size))


def _draw_board(surface: pygame.Surface, name: str, rect: Rect) -> None:
    surface.blit(_board(name, rect.width), rect)


def _draw_ground(surface: pygame.Surface, style: Style, rect: Rect, chosen: bool, lit: bool) -> None:
    if not chosen and not lit:
        fill_rounded(surface, rect, style.px(10), theme.RAISED)
    draw_segment(surface, style, rect, chosen=chosen, lit=lit)


def draw_game(surface: pygame.Surface, style: Style, rect: Rect, name: str, chosen: bool, lit: bool) -> None:
    """One game to choose, with its board."""
    px = style.px
    _draw_ground(surface, style, rect, chosen, lit)
    _draw_board(surface, name, Rect(rect.centerx - px(48), rect.top + px(16), px(96), px(96)))
    rules, room = rules_of(game_spec(name)), rect.width - px(12)
    title = style.fit(wording.title(rules), 16, room, bold=True)
    blit_text(surface, style.text(title, 16, bold=True), anchor="center", at=(rect.centerx, rect.top + px(130)))
    text = style.fit(say(f"games.{name}.summary", ""), 12, room)
    color = theme.TEXT if chosen else theme.MUTED
    blit_text(surface, style.text(text, 12, color), anchor="center", at=(rect.centerx, rect.top + px(151)))
    if chosen:
        draw_badge(surface, style, (rect.right - px(20), rect.top + px(20)))


def draw_small_game(surface: pygame.Surface, style: Style, rect: Rect, name: str, chosen: bool, lit: bool) -> None:
    """The same where there is less room."""
    px = style.px
    _draw_ground(surface, style, rect, chosen, lit)
    _draw_board(surface, name, Rect(rect.left + px(8), rect.top + px(8), px(40), px(40)))
    room = rect.width - px(60 + (40 if chosen else 8))
    title = style.fit(wording.title(rules_of(game_spec(name))), 14, room, bold=True)
    blit_text(surface, style.text(title, 14, bold=True), anchor="midleft", at=(rect.left + px(60), rect.centery))
    if chosen:
        draw_badge(surface, style, (rect.right - px(20), rect.centery))


class LevelPainter:
    """Draws a level as a step of stairs, with its strength where that was measured.

    Args:
        level: the chosen one.
        spec: of the game.
    """

    def __init__(self, level: int, spec: GameSpec) -> None:
        self._level, self._spec = level, spec

    def __call__(self, surface: pygame.Surface, style: Style, rect: Rect, level: Any, chosen: bool, lit: bool) -> None:
        px = style.px
        draw_segment(surface, style, rect, chosen=chosen, lit=lit)
        measured = levels.measured(level, self._spec)
        foot = rect.top + px(64 if measured else 72)
        width, height = min(px(44), rect.width - px(12)), px(16 + 3.6 * level)
        step = Rect(rect.centerx - width // 2, foot - height, width, height)
        color = theme.ACCENT if chosen else theme.STEP if level < self._level else theme.HIGH_STEP
        fill_rounded(surface, step, px(5), color)
        surface.fill(color, (step.left, step.bottom - px(6), step.width, px(6)))
        ink = theme.ON_ACCENT if chosen else theme.TEXT
        number = style.text(str(level), 12, ink, bold=True)
        blit_text(surface, number, anchor="center", at=(rect.centerx, foot - px(10)))
        name = say(f"levels.{level}")
        is_bold = chosen and style.width(name, 12, bold=True) <= rect.width
        label = style.text(style.fit(name, 12, rect.width), 12, theme.TEXT, bold=is_bold)
        blit_text(surface, label, anchor="center", at=(rect.centerx, foot + px(15)))
        if measured:
            elo = style.text(str(measured.elo), 11, theme.TEXT if chosen else theme.MUTED)
            blit_text(surface, elo, anchor="center", at=(rect.centerx, foot + px(34)))


def strength(level: int, spec: GameSpec) -> list[str]:
    """What is known of a level's strength, in words."""
    measured = levels.measured(level, spec)
    if measured is None:
        return []
    return [say("new_game.elo", elo=measured.elo, margin=measured.margin, games=measured.games)]


def cost(player: PlayerConfig, report: SearchReport | None) -> str:
    """How long a player takes for a move here."""
    if report is None:
        return say("new_game.measuring")
    wanted = getattr(player, "simulation_count", None)
    seconds = report.seconds
    if wanted and report.simulations:
        seconds *= wanted / report.simulations
    return say("new_game.cost", time=f"{max(seconds, 0.01):.1g}" if seconds < 1 else f"{seconds:.0f}")


def clock(seconds: float) -> str:
    """What a clock is called; 0 seconds are none."""
    return say("times.minutes", minutes=f"{seconds / 60:g}") if seconds else say("new_game.no_clock")
