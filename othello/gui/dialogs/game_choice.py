"""Which game somebody wants, and by which rules: the games with their pictures, and a control for every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import pygame
from pygame import Rect

from othello.errors import OthelloError
from othello.game import AnyGame, Game
from othello.gui import wording
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import face_of
from othello.gui.toolkit.layout import Column, Row, Space
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Palette, Size, Style
from othello.gui.toolkit.switches import Choice, draw_badge, draw_segment, draw_tile
from othello.gui.toolkit.words import Label
from othello.players import levels
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, follows
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
    """Draws a level as a step of stairs, with its strength where that was measured."""

    chosen: int
    spec: GameSpec

    def __call__(self, on: Canvas, level: int, is_chosen: bool) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        draw_segment(on, chosen=is_chosen)
        measured = levels.measured(level, self.spec)
        foot = rect.top + px(64 if measured else 72)
        width, height = min(px(44), rect.width - px(12)), px(16 + 3.6 * level)
        step = Rect(rect.centerx - width // 2, foot - height, width, height)
        color = palette.accent if is_chosen else palette.step if level < self.chosen else palette.high_step
        fill_rounded(on.surface, step, px(5), color)
        on.surface.fill(color, (step.left, step.bottom - px(6), step.width, px(6)))
        shade, at = palette.on_accent if is_chosen else None, (rect.centerx, foot - px(10))
        on.text(at, str(level), 12, shade, anchor="center", bold=True)
        name = say(f"levels.{level}")
        is_bold = is_chosen and style.width(name, 12, bold=True) <= rect.width
        label = style.fit(name, 12, rect.width)
        on.text((rect.centerx, foot + px(15)), label, 12, anchor="center", bold=is_bold)
        if measured:
            shade = palette.text if is_chosen else palette.muted
            on.text((rect.centerx, foot + px(34)), str(measured.elo), 11, shade, anchor="center")


NARROW: Final = 700
"""A page of fewer design pixels has one control in a row."""
GAP: Final = 16
HEIGHT: Final = 40
"""Of a control below its label."""
_NUMBERS: Final = (*range(1, 9), 10, 15)
"""What rows of buttons offer of a number."""
_ANY: Final = 10_000.0  # more room across than any control needs
_SMALL: Final = 56
_LARGE: Final = 168
_BESIDE_TITLE: Final = 104  # a small board, and the check of the chosen game
_LARGER: Final = 4
_EXAMPLE_PLIES: Final = 0.2  # of a whole game: enough to see what the game is


@dataclass
class ChosenRules:
    """A choice that can be changed; what was chosen for a game is there again when the game is chosen again."""

    game: str  # its name
    options: dict[str, dict[str, Any]]  # the rules that were chosen, by game

    def choose_rule(self, option: str, value: Any) -> None:
        """Take one rule of the game."""
        self.options[self.game] = _with_rule(self.game, self.options[self.game], option, value)

    @property
    def spec(self) -> GameSpec:
        """The game, by the rules that were chosen for it."""
        with suppress(OthelloError):  # what was chosen together may not go together
            return game_spec(self.game, self.options[self.game])
        return game_spec(self.game)


def _with_rule(game: str, options: Mapping[str, Any], option: str, value: Any) -> dict[str, Any]:
    """Rules of a game after one of them was chosen; those that follow from the others then follow anew."""
    known = {each.name: each for each in GAMES[game].options}
    kept = {name: each for name, each in options.items() if known[option].is_optional or not known[name].is_optional}
    return {**kept, option: value}


def rule_choices(spec: GameSpec) -> list[tuple[str, Choice]]:
    """What can be chosen of a game's rules, after its label; each control is called `rules.OPTION`."""
    chosen, game = dict(spec.options), spec.game
    found = []
    for option in GAMES[game].options:
        offered = option.choices or sorted({*_NUMBERS, *[chosen[option.name]]})
        values = (value for value in offered if follows(value, option.schema) and _goes(game, option, value, chosen))
        words = tuple((value, wording.rule_choice(game, option.name, value)) for value in values)
        choice = one_of(f"rules.{option.name}", words, chosen[option.name])
        found.append((wording.rule_name(game, option.name), choice))
    return found


def _goes(game: str, option: Option, value: Any, chosen: Mapping[str, Any]) -> bool:
    """Whether a value goes with the other rules."""
    with suppress(OthelloError):
        return bool(game_spec(game, _with_rule(game, chosen, option.name, value)))
    return False


def one_of(name: str, options: tuple[tuple[Any, str], ...], value: Any) -> Choice:
    """One of a few, side by side on as many rows as the words need."""
    return Choice(options, value, name=name, rows=0, cell=Size(0, HEIGHT))


def labelled(style: Style, label: str, control: Panel) -> Panel:
    """A control below its label."""
    return Column((Label(label, 12, style.palette.muted, bold=True), control), gap=3, grow=1)


def pairs(style: Style, room: float, controls: Iterable[tuple[str, Panel]]) -> Panel:
    """Controls below their labels, two in a row where both have room there."""
    half = (room - GAP) / 2 if room >= NARROW else 0.0
    lines: list[list[Panel]] = [[]]
    free = Space(grow=1)
    for label, control in controls:
        panel = labelled(style, label, control)
        if control.size(style, _ANY).width > half:
            lines.append([panel])
        elif free in lines[-1]:
            lines[-1] = [lines[-1][0], panel]
        else:
            lines.append([panel, free])
    return Column([Row(line, GAP, "top") for line in lines[1:]], gap=11)


def games() -> tuple[tuple[str, str], ...]:
    """All games, with their titles."""
    return tuple((name, wording.title(rules_of(game_spec(name)))) for name in GAMES)


def pictures(style: Style, chosen: str, *, is_small: bool) -> Choice:
    """The games, each with a board."""
    options = games()
    widest = max(style.length(title, 14, bold=True) for _, title in options) + _BESIDE_TITLE
    rows, cell = (0, Size(widest, _SMALL)) if is_small else (1, Size(0, _LARGE))
    return Choice(options, chosen, GAP, _draw_small_game if is_small else _draw_game, rows, cell, name="game")


def _draw_game(on: Canvas, name: str, is_chosen: bool) -> None:
    """One game to choose, with its board."""
    rect, px, palette = on.rect, on.style.px, on.style.palette
    draw_tile(on, chosen=is_chosen)
    on.surface.blit(_board(name, px(96), palette), (rect.centerx - px(48), rect.top + px(16)))
    title, room = wording.title(rules_of(game_spec(name))), rect.width - px(12)
    on.text((rect.centerx, rect.top + px(130)), title, 16, anchor="center", bold=True, room=room)
    words, color = say(f"games.{name}.summary", ""), palette.text if is_chosen else palette.muted
    on.text((rect.centerx, rect.top + px(151)), words, 12, color, anchor="center", room=room)
    if is_chosen:
        draw_badge(on, (rect.right - px(20), rect.top + px(20)))


def _draw_small_game(on: Canvas, name: str, is_chosen: bool) -> None:
    """The same where there is less room."""
    style, rect, px = on.style, on.rect, on.style.px
    draw_tile(on, chosen=is_chosen)
    on.surface.blit(_board(name, px(40), style.palette), (rect.left + px(8), rect.top + px(8)))
    room = rect.width - px(60 + (40 if is_chosen else 8))
    title = style.fit(wording.title(rules_of(game_spec(name))), 14, room, bold=True)
    on.text((rect.left + px(60), rect.centery), title, 14, bold=True)
    if is_chosen:
        draw_badge(on, (rect.right - px(20), rect.centery))


@lru_cache(maxsize=16)
def _board(name: str, size: int, palette: Palette) -> pygame.Surface:
    """A small board, drawn large and made smaller: all that is on a large one is on it."""
    game, side = _example(name), size * _LARGER
    face, image = face_of(game.rules.spec, palette), pygame.Surface((side, side), pygame.SRCALPHA)
    face.draw(image, face.place(Style(1.0, palette), Rect(0, 0, side, side), 10), BoardState(game.position), 0.0)
    return pygame.transform.smoothscale(image, (size, size))


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
