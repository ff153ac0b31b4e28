"""A list of games and files: one row each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import pygame
from pygame import Rect

from othello.gui import theme, wording
from othello.gui.controls import Button
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.play.library import Listed
from othello.players.registry import PLAYERS
from othello.rules.protocol import Color


@dataclass(frozen=True)
class Row(Button):
    """A row that can be chosen.

    Attributes:
        right: what stands at its right end.
        shorter: the label in ever fewer words, for where there is no room.
    """

    right: str = ""
    shorter: tuple[str, ...] = ()

    def at(self, rect: Rect) -> Self:
        """The same in another place."""
        return replace(self, rect=rect)

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        fill_rounded(surface, rect, px(6), theme.LINE if mouse is not None else theme.RAISED)
        right = style.fit(self.right, 12, rect.width // 2)
        image = style.text(right, 12, theme.MUTED)
        blit_text(surface, image, anchor="midright", at=(rect.right - px(12), rect.centery))
        room = rect.width - image.get_width() - px(36)
        labels = (self.label, *self.shorter)
        label = style.fit(next((each for each in labels if style.width(each, 13) <= room), labels[-1]), 13, room)
        blit_text(surface, style.text(label, 13), anchor="midleft", at=(rect.left + px(12), rect.centery))


def names(listed: Listed) -> str:
    """Who played."""
    black, white = (_name(entry) for entry in listed.players)
    return say("files.players", black=black, white=white)


def _name(entry: dict[str, object]) -> str:
    kind, level = str(entry.get("player_type", "")), entry.get("level")
    if "name" in entry and wording.is_level_name(entry["name"], level):
        return say(f"levels.{level}")  # its name was written in the language of that day
    if entry.get("name"):
        return str(entry["name"])
    if kind == "user":
        return say("players.you")
    return say(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind)


def listed_row(name: str, listed: Listed) -> Row:
    """A game in the list: when, who, what, how it ended."""
    title = say(f"games.{listed.game}.title", listed.game)
    date, who = listed.date.replace("T", " "), names(listed)
    known, right = listed.persons_accuracy, _result(listed)
    if known is not None:
        right = f"{right}  ·  {say('files.accuracy', percent=f'{100 * known:.0f}')}"
    label, *shorter = (
        "  ·  ".join(filter(None, parts)) for parts in ((date[:16], who, title), (date[:10], who), (who,))
    )
    return Row(name, Rect(0, 0, 0, 0), label=label, right=right, shorter=tuple(shorter))


def _result(listed: Listed) -> str:
    winner = listed.result.get("winner")
    if winner not in ("black", "white", "draw"):
        return say("files.unfinished")
    if winner == "draw":
        return say("results.draw")
    person = listed.person
    points = [str(listed.result.get(color.label, "")) for color in Color]
    if (winner if person is None else person.label) == Color.WHITE.label:
        points.reverse()  # the person's or else the winner's come first
    score = f"{points[0]} : {points[1]}" if all(points) else ""
    if person is not None:
        return say("files.won", score=score) if winner == person.label else say("files.lost", score=score)
    side = say(f"games.{listed.game}.{winner}", say(f"sides.{winner}"))
    return f"{say('results.wins', side=side)} {score}"
