"""The cards of both sides with names, times and points, and the bar of their points."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import pygame

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import labels, ui
from othello.gui.boards.renderer import BoardRenderer
from othello.play.clock import Clock
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.texts import tr

_TICK_SECONDS: Final = 0.1  # seconds between changes of a shown time
_LOW_SHARE: Final = 0.1  # share of a clock below which its time is low
_CLOCK: Final = (28, 24, 20, 16)  # font sizes of a clock; the first that fits is used
_LETTERS: Final = 11  # font size of the button
_TIME: Final = 88  # width of a time beside the button


class ClockTimes(NamedTuple):
    """The texts and states of the clock of a side."""

    time: str  # time left, or time used if the player has no clock
    is_low: bool  # little time is left
    is_out: bool  # no time is left
    thinking: float | None  # seconds since the search began, in visible steps; None: no search


class SideCard(ui.Widget):
    """The card of a side with player, points and time. Its fields do not change while time passes."""

    renderer: BoardRenderer
    color: Color
    title: str  # the name of the player
    details: tuple[str, ...]  # its description in ever fewer words; the first that fits is shown
    points: str  # empty in games without points
    player: PlayerConfig
    clock: Clock  # times of both sides
    is_active: bool  # the side is to move
    unit: str  # the unit of the points, if the game has one
    since: float | None  # start of the side's search; None: no search
    has_tenths: bool  # used time is shown with tenths of a second
    note: str  # text beside the time, such as "passed"
    hand: ui.Button | None  # the button that hands the side over
    is_flat: bool = False  # a low card with two lines of text

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        hand, wide = self._hand(style, box.width)
        if hand is not None:
            yield hand, ui.Box(box.x + 12, box.bottom - 34, wide, 24)

    def _hand(self, style: ui.Style, width: float) -> tuple[ui.Button | None, float]:
        """Return the button and its width; its longer label is used if that has room."""
        hand, words = self.hand, tr("hand_over.button")
        if hand is None:
            return None, 0.0
        wide = style.length(words, _LETTERS) + 16
        if hand.label == hand.widest[-1] and wide <= width - 24 - _TIME:
            return replace(hand, label=words), wide
        return hand, max(76.0, hand.size(style, width).width - 8)

    def times(self, now: float) -> ClockTimes:
        """Return the text of the clock at a time."""
        remaining, used = self.clock.remaining(self.color, self.player, now), self.clock.used(self.color, now)
        time = labels.time_used(used, self.has_tenths) if remaining is None else labels.time_left(remaining)
        is_out = remaining is not None and remaining <= 0
        thinking = None if self.since is None else int(max(0.0, now - self.since) / _TICK_SECONDS) * _TICK_SECONDS
        return ClockTimes(time, _is_low(remaining, self.player), is_out, thinking)

    def render_key(self, on: ui.PaintContext) -> object:
        return self, self.times(on.now)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        side = labels.side(self.renderer.rules, self.color)
        points = f"{self.points} {self.unit}".strip() if self.points else ""
        time, _ = self._words(self.times(on.now))
        texts = (side, self.title if self.title != side else "", self.details[0], points, time, self.note)
        return ui.AccessibleNode("group", name=", ".join(filter(None, texts)), description=self.tip)

    def draw(self, on: ui.PaintContext) -> None:
        px, palette, rect = on.style.px, on.style.palette, on.rect
        ground, edge = (palette.active, palette.accent) if self.is_active else (palette.panel, palette.edge)
        ui.fill_rounded(on.surface, rect, px(10), ground, edge, px(2 if self.is_active else 1))
        if self.is_flat:
            self._draw_flat(on)
            return
        self.renderer.draw_piece(on.surface, (rect.left + px(30), rect.top + px(33)), px(34), self.color)
        is_narrow = rect.width < px(230)  # the name has its own line
        note = self._draw_time(on, is_narrow=is_narrow)
        self._draw_names(on, self._draw_points(on, is_narrow=is_narrow), note, is_narrow=is_narrow)

    def _draw_flat(self, on: ui.PaintContext) -> None:
        px, rect, palette, times = on.style.px, on.rect, on.style.palette, self.times(on.now)
        self.renderer.draw_piece(on.surface, (rect.left + px(24), rect.centery), px(28), self.color)
        right = on.text((rect.right - px(14), rect.centery), self.points, 20, anchor="midright", bold=True).left - px(6)
        left, upper, lower = rect.left + px(48), rect.top + px(15), rect.top + px(33)
        dots = 0 if times.thinking is None else px(30)
        on.text((left, upper), self.title, (14, 13, 12), bold=True, room=right - left - dots)
        if times.thinking is not None:
            self._draw_thinking(on, times.thinking, (right - px(6), upper))
        if self.note:
            left = on.text((left, lower), self.note, 12, self._note_color(on), bold=True).right + px(8)
        has_clock = self.player.clock_seconds is not None
        color = palette.warning if times.is_low else palette.text if has_clock else palette.muted
        if has_clock:
            on.text((left, lower), self._words(times)[1], (16, 14, 12), color, bold=True, room=right - left)
            return
        words = next((word for word in self._words(times) if on.style.width(word, 12) <= right - left), "")
        on.text((left, lower), words, 12, color, bold=times.is_low)

    def _words(self, times: ClockTimes) -> tuple[str, str]:
        """Return the text of the clock, and a shorter one."""
        if times.is_out:
            return (tr("cards.out"),) * 2
        kind = "low" if times.is_low else "used" if self.player.clock_seconds is None else "left"
        return tr(f"cards.{kind}", time=times.time), times.time

    def _draw_points(self, on: ui.PaintContext, *, is_narrow: bool) -> int:
        """Draw the points, and return their left edge."""
        style, px, rect = on.style, on.style.px, on.rect
        right, y = rect.right - px(14), rect.top + px(44 if is_narrow else 31)
        left = on.text((right, y), self.points, 20 if is_narrow else 32, anchor="midright", bold=True).left
        if self.unit and not is_narrow:
            left = on.text((left - px(6), y), self.unit, 11, style.palette.muted, anchor="midright").left
        return left

    def _draw_names(self, on: ui.PaintContext, end: int, note: str, *, is_narrow: bool) -> None:
        """Draw the name, and the note or the details below it, up to `end`."""
        px, palette, rect = on.style.px, on.style.palette, on.rect
        left = rect.left + px(56)
        room = end - left - px(6)
        name_room = rect.right - px(14) - left - px(0 if self.since is None else 30) if is_narrow else room
        on.text((left, rect.top + px(11)), self.title, 16, anchor="topleft", bold=True, room=name_room)
        color = self._note_color(on) if note else palette.muted
        at = (left, rect.top + px(35))
        on.text(at, note or self.details, 12, color, anchor="topleft", bold=bool(note), room=room)

    def _draw_time(self, on: ui.PaintContext, *, is_narrow: bool) -> str:
        """Draw the time, with the note or the signs of thinking beside it; return the note if it has no room there."""
        style, px, rect, palette = on.style, on.style.px, on.rect, on.style.palette
        right, bottom = rect.right - px(14), rect.bottom - px(20)
        times, left = self.times(on.now), rect.left + px(20 + self._hand(style, rect.width / style.scale)[1])
        words, short = self._words(times)
        color, sizes = palette.muted, tuple[int, ...]((12 if is_narrow else 13,))
        if self.player.clock_seconds is not None:
            color, sizes, words = palette.text, _CLOCK, words if times.is_low else short
        color = palette.warning if times.is_low else color
        words = words if style.width(words, sizes[-1], bold=True) <= right - left else short
        time = on.text((right, bottom), words, sizes, color, anchor="midright", bold=len(sizes) > 1, room=right - left)
        if self.note:
            if is_narrow or time.left - px(10) - style.width(self.note, 13, bold=True) < left:
                return self.note
            on.text((time.left - px(10), bottom), self.note, 13, self._note_color(on), anchor="midright", bold=True)
        elif times.thinking is not None:
            end = (right, rect.top + px(23)) if is_narrow else (time.left - px(12), bottom)
            self._draw_thinking(on, times.thinking, end)
        return ""

    def _note_color(self, on: ui.PaintContext) -> tuple[int, int, int]:
        return on.style.palette.accent if self.is_active else on.style.palette.last_move

    def _draw_thinking(self, on: ui.PaintContext, thinking: float, right: tuple[int, int]) -> None:
        """Draw three dots that light up one after the other."""
        px, palette, lit = on.style.px, on.style.palette, int(thinking * 5) % 3
        for index in range(3):
            dot = ui.circle(px(6), palette.accent if index == lit else palette.muted, 1.0 if index == lit else 0.5)
            on.image(dot, at=(right[0] - px(9) * (2 - index), right[1]), anchor="midright")


def flat(side: SideCard) -> SideCard:
    """Return the low card of a side, without the button."""
    return replace(side, grow=0, height=48, hand=None, is_flat=True)


class ScoreBar(ui.Widget):
    """A bar of the points of both sides, black at the left."""

    renderer: BoardRenderer
    black: int
    white: int

    def draw(self, on: ui.PaintContext) -> None:
        bar, palette, total = on.rect, on.style.palette, self.black + self.white
        black, white = (self.renderer.colors[color] for color in Color)
        ui.fill_rounded(on.surface, bar, bar.height // 2, white if total else palette.line, palette.token_edge)
        width = bar.width * self.black // max(1, total)
        if width >= bar.height:
            left = pygame.Rect(bar.left, bar.top, width, bar.height)
            ui.fill_rounded(on.surface, left, bar.height // 2, black, palette.line, 1)


def card(
    session: Session,
    renderer: BoardRenderer,
    color: Color,
    played_out: AnyGame | None = None,
    hand: ui.Button | None = None,
    *,
    has_details: bool,
) -> SideCard:
    """Return the card of a side in the shown position, or in `played_out`, the end of a line that is previewed."""
    game = played_out or session.view.shown
    is_at_latest = session.view.is_at_latest and played_out is None
    then = session.history.tree.known(session.view.shown)
    players = session.players if is_at_latest or then.players is None else then.players
    is_over = session.referee.is_over if is_at_latest else game.is_over
    is_active = game.to_move is color and not is_over
    is_running = is_active and is_at_latest and session.worker.is_running
    details = partial(labels.player_details, players[color], game.rules.spec)
    return SideCard(
        renderer=renderer,
        color=color,
        title=labels.player_name(game.rules, players, color),
        details=details(has_details=has_details),
        tip="" if players[color].is_user or has_details else details(has_details=True)[0],
        points=str(game.rules.score(game.position)[color]) if game.rules.points else "",
        unit=tr(f"games.{game.rules.name}.points", ""),
        player=players[color],
        clock=session.referee.clock if is_at_latest else then.clock,
        is_active=is_active,
        since=session.worker.started_at if is_running else None,
        # only seconds for a user, to redraw a waiting window seldom
        has_tenths=has_details and not players[color].is_user,
        note=_note(game, is_over, is_active, is_running),
        hand=hand,
        grow=True,
        height=96,
        min_content=150,
    )


def _note(game: AnyGame, is_over: bool, is_active: bool, is_thinking: bool) -> str:
    """Return the note on the card of a side: its pass, or that it is to move."""
    if is_over:
        return ""
    if not is_active:
        return tr("cards.passed") if any(map(game.rules.is_pass, game.moves[-1:])) else ""
    if game.must_pass:
        return tr("cards.passes")
    return "" if is_thinking else tr("cards.to_move")  # not only the border shows whose turn it is


def is_low(session: Session, now: float) -> bool:
    """Return whether the running clock of a user is low."""
    color = session.referee.clock.running
    if color is None or not session.players[color].is_user:
        return False
    return _is_low(session.referee.remaining(color, now), session.players[color])


def _is_low(remaining: float | None, player: PlayerConfig) -> bool:
    limit = player.clock_seconds
    return remaining is not None and limit is not None and remaining < limit * _LOW_SHARE


def next_change(session: Session, now: float, *, is_covered: bool) -> float | None:
    """Return the time at which a running clock looks different, or None.

    While a dialog covers the cards, used time does not count.
    """
    color = session.referee.clock.running
    if session.worker.is_running:
        return now + _TICK_SECONDS
    remaining = None if color is None else session.referee.remaining(color, now)
    if color is None or (is_covered and remaining is None):
        return None
    if remaining is None:
        return now + 1.01 - session.referee.clock.used(color, now) % 1
    return now + (_TICK_SECONDS if remaining <= labels.TENTHS_LEFT + 1 else remaining % 1 + 0.01)
