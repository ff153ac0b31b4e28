"""The scene of a tournament that is watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.actions import Where, key_list
from othello.gui.commands import Command, Point
from othello.gui.faces.registry import face_of
from othello.gui.following import Following
from othello.gui.layout import TournamentLayout, arrange_hall
from othello.gui.report import ReportDesk
from othello.gui.scenes import results
from othello.gui.scenes.scene import Scene
from othello.gui.texts import say
from othello.gui.views import frame, panels
from othello.gui.views import tournament as view
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.tournament.findings import Findings
from othello.tournament.watched import Event, WatchedTournament

_LOOK_SECONDS: Final = 0.1  # how often the tournament is asked for news


@dataclass(frozen=True, slots=True)
class TournamentPicture:
    """Everything that the window shows; two equal ones look the same."""

    size: Point
    state: view.TournamentState
    status: str
    is_bad: bool
    buttons: tuple[object, ...]
    shows_help: bool


class TournamentScene(Scene):
    """Standings, progress and boards of one tournament.

    Args:
        tournament: what is watched; it is begun here.
        desk: writes reports.
        size: of the window in real pixels.
        now: the current time.
    """

    picture: TournamentPicture
    layout: TournamentLayout

    def __init__(self, tournament: WatchedTournament, desk: ReportDesk, size: Point, now: float) -> None:
        self.tournament = tournament
        self.following = Following(tournament.experiment, now)
        self._desk = desk
        config = tournament.experiment.config
        face, has_person = face_of(config.game), any(player.is_user for player in config.players)
        super().__init__(face, Where.CONTEST if has_person else Where.HALL, arrange_hall(size, face), now)
        self._first_row = 0
        self._found: Findings | None = None
        self._table: tuple[view.Row, ...] = ()
        self._colors = ""
        tournament.start()
        self.update(now)

    def do(self, command: Command, now: float) -> None:
        """Carry a command out; those of a game mean nothing here."""
        super().do(command, now)
        control = self.tournament.control
        match command:
            case gui.Resize(size):
                self.layout = arrange_hall(size, self.face)
            case gui.PressAt() | gui.Dismiss():
                self.shows_help = False
            case gui.Scroll(rows):
                self._first_row += rows
            case gui.Stop() if self._goes_on:
                self._desk.forget()
                control.stop()
            case gui.OpenReport() if self.following.standings.games:
                self._desk.open()
            case play.TogglePause() if self._can_pause:
                self._desk.forget()
                if control.is_paused:
                    control.go_on()
                else:
                    control.pause()

    @property
    def _goes_on(self) -> bool:
        return self.following.end is None and not self.tournament.control.is_stopped

    @property
    def _can_pause(self) -> bool:
        """Whether there is anything to hold: a person's game waits anyway."""
        return self._goes_on and self.following.invitation is None

    def update(self, now: float) -> None:
        """Take the news of the tournament and move the buttons on."""
        self.take(self.tournament.events(), now)
        self._desk.update()
        self._first_row = min(max(0, self._first_row), self.layout.last_first_row(len(self._table)))
        is_invited = self.following.invitation is not None and self._goes_on
        places = self.layout.buttons | ({"begin": self.layout.play} if is_invited else {})
        self.update_buttons(self._button_states(), places, now)
        self.picture = self._look()

    def take(self, events: list[Event], now: float) -> None:
        """Count what has happened."""
        went_on = self.following.end is None
        self.following.take(events, now, is_paused=self.tournament.control.is_paused)
        if went_on and self.following.end is not None:
            self._desk.forget()
        if self._found is not self.following.findings:
            self._found = self.following.findings
            self._table, self._colors = results.rows(self._found), results.colors(self._found)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        expects_news = self.following.end is None or self._desk.is_busy or self.awaits_tooltip
        return now + _LOOK_SECONDS if expects_news else None

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything as it was at the last update."""
        self._drawn = picture = self.picture
        layout = self.layout
        surface.fill(theme.BACKGROUND)
        frame.draw_logo(surface, layout.style, self.face, layout.toolbar)
        frame.draw_rules(surface, layout.style, self.face, layout.toolbar)
        view.draw(surface, layout, self.face, picture.state)
        color = theme.WARNING if picture.is_bad else theme.MUTED
        status = layout.style.fit(picture.status, 13, layout.status.width)
        frame.draw_status(surface, layout.style, layout.status, status, color)
        self.widgets.draw(surface)
        if picture.shows_help:
            panels.draw_help(surface, layout, key_list(self.where))

    def _button_states(self) -> dict[str, ButtonState]:
        is_held = self.tournament.control.is_paused and self._can_pause
        return {
            "hold": ButtonState(self._can_pause, selected=is_held, other=is_held),
            "stop": ButtonState(enabled=self._goes_on),
            "report": ButtonState(enabled=self.following.standings.games > 0 and not self._desk.is_busy),
        }

    def _look(self) -> TournamentPicture:
        following = self.following
        status, is_bad = self._status()
        state = view.TournamentState(
            rows=self._table,
            first_row=self._first_row,
            progress=self._progress(),
            share=1.0 if self._is_complete else following.share,
            colors=self._colors,
            title=self._title(),
            live=self._boards(),
            waiting=say("hall.none_played" if following.end is not None else "hall.none_yet"),
        )
        size = self.layout.window.size
        return TournamentPicture(size, state, status, is_bad, self.widgets.appearance, self.shows_help)

    @property
    def _is_complete(self) -> bool:
        """Whether the tournament has come to its own end."""
        end = self.following.end
        return end is not None and not end.broke_off and not self.tournament.control.is_stopped

    def _title(self) -> str:
        if self.following.invitation is not None:
            return say("hall.next_game")
        return say("hall.live" if self.following.end is None else "hall.last")

    def _boards(self) -> tuple[view.LiveState | None, ...]:
        following = self.following
        if following.invitation is not None:
            config = self.tournament.experiment.config
            return results.invited(following.invitation, config, following.standings), None
        is_last = following.end is not None
        return tuple(None if live is None else results.live(live, is_last=is_last) for live in following.boards)

    def _progress(self) -> str:
        following, most = self.following, self.tournament.experiment.most_games
        games = following.standings.games
        rate = f"{following.games_per_second:.3g}" if following.games_per_second else ""
        rate = rate and say("hall.rate", rate=rate)
        if following.end is not None:
            return " · ".join(filter(None, (say("hall.games", n=games), rate)))
        is_open = self.tournament.experiment.config.tournament.is_best_of_3
        done = say("hall.done_of_at_most" if is_open else "hall.done_of", n=most, games=games)
        left = following.seconds_left
        time_left = "" if left is None else say("hall.left", time=wording.rough_time(left))
        return " · ".join(filter(None, (done, rate, time_left)))

    def _status(self) -> tuple[str, bool]:
        """What is going on, and whether it is bad news."""
        following, control, desk = self.following, self.tournament.control, self._desk
        if desk.message:
            return desk.message, desk.failed
        if following.end is not None and following.end.broke_off:
            error = following.end.error
            return say("hall.broke_off", error=error) if error else say("hall.broke_off_somehow"), True
        if following.end is not None:
            config = self.tournament.experiment.config
            return results.verdict(following, config, is_stopped=control.is_stopped), False
        if control.is_stopped:
            return say("hall.stopping"), False
        if control.is_paused and self._can_pause:
            return say("hall.paused"), False
        if following.invitation is not None:
            return say("hall.invited_before_others" if self._has_others else "hall.invited"), False
        if following.forfeited is not None:
            return results.forfeit(following.forfeited), True
        if not any(following.boards):
            return say("hall.starting"), False
        return say("hall.seed", seed=self.tournament.experiment.seed), False

    @property
    def _has_others(self) -> bool:
        """Whether computers play each other, too."""
        computers = [player for player in self.tournament.experiment.config.players if not player.is_user]
        return len(computers) > 1

    def close(self) -> None:
        """End the tournament; waits until everything is written and every process has ended."""
        self.tournament.close()
