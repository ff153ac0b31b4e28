"""Notices of the game screen: whose turn it is, announcements, questions and the result."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from othello.gui import labels, status_text, ui
from othello.gui.actions import Context
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.toolbar import button
from othello.gui.widgets.view_state import BoardViewState
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.rules.protocol import Color, Move
from othello.texts import tr

_WAYS_ON: Final = ("hand_to", "programs")  # buttons that help after the failure of a player


def turn_panel(session: Session, renderer: BoardRenderer, palette: ui.Palette) -> ui.Widget | None:
    """Return whose turn it is, or how the game has ended; None in games with discs, whose score says enough."""
    game, rules, is_at_latest = session.view.shown, session.game.rules, session.view.is_at_latest
    if rules.points == "discs":
        return None
    color: Color | None = game.to_move
    is_over, reason = session.referee.is_over if is_at_latest else game.is_over, ""
    is_own = is_at_latest and not is_over and status_text.person(session) is color
    if is_over:
        outcome = game.outcome
        color = session.referee.winner if is_at_latest else None if outcome is None else outcome.winner
        title = status_text.ending(session) if is_at_latest else labels.outcome(rules, color)
    else:
        side = labels.side(rules, game.to_move)
        task, reason = renderer.task(game.position, game.last_move, is_own=is_own)
        if not task:
            title = tr("status.your_move") if is_own else tr("status.to_move", side=side)
        else:
            title = tr("turn.yours", task=task) if is_own else tr("turn.theirs", side=side, task=task)
    words = (ui.Label(title, 16, bold=True, sizes=(15, 14, 13, 12)), ui.Paragraph(reason, 13, max_lines=2))
    piece = () if color is None else (PieceIcon(renderer, color, 36),)
    line = ui.Row((*piece, ui.Column(words if reason else words[:1], 0, grow=True)), 16)
    fill, edge = (palette.chosen, palette.accent) if is_own else (palette.panel, palette.edge)
    return ui.Card(line, (16, 6), fill, edge, height=72)


def board_overlay(session: Session, view_state: BoardViewState, renderer: BoardRenderer) -> ui.Widget | None:
    """Return the notice over the board: a question, a pass or an error; or None."""
    rules, color, palette = session.game.rules, session.game.to_move, renderer.palette
    offered = view_state.offered(session)
    if offered is not None:
        return _offer(session, offered, palette)
    if session.announces_pass and view_state.flip is None:
        words = *status_text.no_move(session), tr("pass.advice")
        return banner(renderer, *words, color, cmd.Acknowledge())
    if view_state.shows_failure(session):
        failure, is_rated = session.worker.failure, session.referee.job.is_rated
        assert failure is not None
        title = tr("failure.title", name=labels.player_name(rules, session.players, color))
        texts = failure.sentence(), tr("failure.rated") if is_rated else ""
        lines = [ui.Paragraph(text, 13, palette.muted, align="center", max_lines=6) for text in texts if text]
        lines.insert(0, ui.Paragraph(title, 16, bold=True, align="center"))
        names = "ask_again", *(() if is_rated else _WAYS_ON), "board"
        place = Context.TOURNAMENT_GAME if is_rated else Context.GAME
        return question(palette, title, lines, names, palette.warning, place)
    return None


def _offer(session: Session, move: Move, palette: ui.Palette) -> ui.Widget:
    """Return the panel that offers to continue the game from the shown position."""
    shown = session.view.shown
    players = session.history.tree.known(shown).players or session.players
    rules, color = shown.rules, shown.to_move
    if not players[color].is_user:  # the computer chooses the move
        title, text = tr("offer.go_on"), tr("offer.computers", name=labels.player_name(rules, players, color))
    else:
        title, text = tr("offer.title", move=labels.move(shown, move), number=shown.number + 1), tr("offer.text")
    heading = ui.Label(title, 16, bold=True, align="center", sizes=(15, 14, 13))
    words = heading, ui.Paragraph(text, 13, palette.muted, align="center")
    return question(palette, title, words, ("play_offered", "drop_offer"), palette.last_move)


def question(
    palette: ui.Palette,
    title: str,
    words: Sequence[ui.Widget],
    names: Sequence[str],
    edge: ui.RGB,
    place: Context = Context.GAME,
) -> ui.Widget:
    """Return text with buttons below it, the first one for Enter; `place`: the context of the buttons."""
    buttons = [button(name, place, height=38, grow=True) for name in names]
    buttons[0] = replace(buttons[0], kind="primary")
    pairs = ui.Column([ui.Row(buttons[first : first + 2]) for first in range(0, len(buttons), 2)])
    rows = ui.FirstThatFits((ui.Row(buttons), pairs, ui.Column(buttons)))
    widest = ui.Spacer(width=380)  # narrower if there is less room
    body = ui.Column((ui.Column((*words, rows), 12), widest), 0, group=title)
    return ui.Card(body, (20, 16), palette.panel, edge, 12, 2)


def banner(renderer: BoardRenderer, title: str, text: str, advice: str, color: Color, command: object) -> ui.Widget:
    """Return an announcement about a side, with what follows and what to do next."""
    palette, spacer, heading = renderer.palette, ui.Spacer(grow=True), ui.Label(title, 20, bold=True, must_fit=True)
    line = ui.Row((spacer, PieceIcon(renderer, color, 24), heading, spacer), 10)
    head = ui.FirstThatFits((line, ui.Paragraph(title, 20, bold=True, align="center")))
    lines = ((text, palette.muted), (advice, palette.text))
    rows = [head, *(ui.Paragraph(words, 14, shade, align="center") for words, shade in lines)]
    return ui.Card(ui.Card(ui.Column(rows, 10), (24, 16), palette.raised, palette.last_move, 12, 2, command), (24, 0))


def result(
    session: Session, occasion: Sequence[str], now: float, renderer: BoardRenderer, *, has_details: bool
) -> tuple[ui.Widget, ...]:
    """Return the result of the game, and a version with fewer words."""
    rules, palette = session.game.rules, renderer.palette
    details = [occasion[-1] if occasion else status_text.occasion(session, has_details=has_details)]
    if session.referee.forfeit is not None:
        details.insert(0, labels.fault(rules, session.referee.forfeit, status_text.contender(session)))
    details += filter(None, (status_text.next_game(session),))
    if session.next_game_at is not None:
        details.append(tr("results.countdown", seconds=max(1, math.ceil(session.next_game_at - now))))
    black, white = rules.score(session.game.position)
    winner = session.referee.winner
    sides = []
    for color in Color:
        name = ui.Label(labels.player_name(rules, session.players, color), 13, bold=True, align="center")
        sides.append(ui.Column((PieceIcon(renderer, color, 34, is_winner=color is winner), name), 8, grow=True))
    score, small = ([ui.Label(f"{black} : {white}", size, bold=True)] if rules.points else [] for size in (32, 24))
    pieces = [PieceIcon(renderer, color, 24, is_winner=color is winner) for color in Color]
    brief = ui.Row((ui.Spacer(grow=True), pieces[0], *small, pieces[1], ui.Spacer(grow=True)), 12)
    ending = status_text.ending(session)
    title = ui.Label(ending, 20, bold=True, align="center", sizes=(18, 16, 14))
    facts = ui.Column([ui.Label(detail, 13, palette.muted, align="center", sizes=(12, 11)) for detail in details], 2)
    choices = (title, ui.Row((sides[0], *score, sides[1]), 8), facts), (title, brief)
    is_rated = session.referee.job.is_rated
    ways = ("again",) if is_rated else ("again", "look_back")[:: 1 if session.history.is_played_here else -1]
    names, place = (*ways, "board"), Context.TOURNAMENT_GAME if is_rated else Context.GAME
    return tuple(question(palette, ending, words, names, palette.accent, place) for words in choices)


class PieceIcon(ui.Widget):
    """A side's piece, with a halo for the winner."""

    renderer: BoardRenderer
    color: Color
    diameter: float
    is_winner: bool = False

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(self.diameter + 10, self.diameter + 10)

    def draw(self, on: ui.PaintContext) -> None:
        size = on.style.px(self.diameter)
        if self.is_winner:
            on.image(ui.circle(size + on.style.px(10), on.style.palette.accent), at=on.rect.center)
        self.renderer.draw_piece(on.surface, on.rect.center, size, self.color)


class StatusIcon(ui.Widget):
    """A disc with a sign: `check`, `cross`, or a letter."""

    color: ui.RGB
    sign: str

    def draw(self, on: ui.PaintContext) -> None:
        px, color, centre = on.style.px, on.style.palette.panel, on.rect.center
        on.image(ui.circle(px(30), self.color), at=centre)
        if self.sign == "check":
            ui.draw_check(on.surface, color, centre, on.rect.width // 2)
        elif self.sign == "cross":
            on.image(ui.cross(px(14), px(3), color), at=centre)
        else:
            on.text(centre, self.sign, 18, color, anchor="center", bold=True)
