"""The levels of the computer as stairs, and what is known of the strength and the time of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pygame import Rect

from othello.config import PlayerConfig
from othello.gui.toolkit.panel import Canvas
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Size, Style, blit_text
from othello.gui.toolkit.switches import Choice, draw_segment
from othello.players import levels
from othello.rules.protocol import GameSpec
from othello.search.report import SearchReport
from othello.texts import say

_HEIGHT: Final = 112


def stairs(style: Style, chosen: int, spec: GameSpec) -> Choice:
    """All levels, for a game, as steps side by side."""
    options = tuple((level, say(f"levels.{level}")) for level in range(1, levels.COUNT + 1))
    widest = max(style.length(name, 12) for _, name in options)
    painter = _StepPainter(chosen, spec)
    return Choice(options, chosen, painter=painter, rows=0, cell=Size(widest, _HEIGHT), name="level")


@dataclass(frozen=True)
class _StepPainter:
    """Draws a level as a step of stairs, with its strength where that was measured.

    Attributes:
        chosen: the chosen level.
        spec: of the game.
    """

    chosen: int
    spec: GameSpec

    def __call__(self, on: Canvas, level: int, is_chosen: bool) -> None:
        surface, style, rect, px, palette = on.surface, on.style, on.rect, on.style.px, on.style.palette
        draw_segment(on, chosen=is_chosen)
        measured = levels.measured(level, self.spec)
        foot = rect.top + px(64 if measured else 72)
        width, height = min(px(44), rect.width - px(12)), px(16 + 3.6 * level)
        step = Rect(rect.centerx - width // 2, foot - height, width, height)
        color = palette.accent if is_chosen else palette.step if level < self.chosen else palette.high_step
        fill_rounded(surface, step, px(5), color)
        surface.fill(color, (step.left, step.bottom - px(6), step.width, px(6)))
        number = style.text(str(level), 12, palette.on_accent if is_chosen else None, bold=True)
        blit_text(surface, number, anchor="center", at=(rect.centerx, foot - px(10)))
        name = say(f"levels.{level}")
        is_bold = is_chosen and style.width(name, 12, bold=True) <= rect.width
        label = style.text(style.fit(name, 12, rect.width), 12, bold=is_bold)
        blit_text(surface, label, anchor="center", at=(rect.centerx, foot + px(15)))
        if measured:
            elo = style.text(str(measured.elo), 11, palette.text if is_chosen else palette.muted)
            blit_text(surface, elo, anchor="center", at=(rect.centerx, foot + px(34)))


def strength(level: int, spec: GameSpec) -> str:
    """What is known of a level's strength, in words; empty where nothing was measured."""
    measured = levels.measured(level, spec)
    if measured is None:
        return ""
    return say("new_game.elo", elo=measured.elo, margin=measured.margin, games=measured.games)


def cost(player: PlayerConfig, report: SearchReport | None) -> str:
    """How long a player takes for a move here."""
    if report is None:
        return say("new_game.measuring")
    wanted = getattr(player, "simulation_count", None)
    seconds = report.seconds
    if wanted and report.simulations:
        seconds *= wanted / report.simulations
    return say("new_game.cost", time=f"{max(seconds, 0.01):.1g}" if seconds < 1 else f"{seconds:.0f}")
