"""The scene of a tournament that is watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.actions import Where
from othello.gui.commands import Command, Point
from othello.gui.dialogs.notices import Question
from othello.gui.faces.registry import face_of
from othello.gui.following import Following
from othello.gui.hall_layout import TournamentLayout, arrange_hall
from othello.gui.preferences import PreferencesFile, put_on
from othello.gui.report import ReportDesk
from othello.gui.scenes import results
from othello.gui.scenes.scene import Scene
from othello.gui.views import frame
from othello.gui.views import tournament as view
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.rules.registry import rules_of
from othello.texts import say
from othello.tournament.findings import Findings
from othello.tournament.watched import Event, WatchedTournament

_LOOK_SECONDS: Final = 0.1  # how often the tournament is asked for news
_SELDOM_SECONDS: Final = 0.5  # and while it waits for the person


@dataclass(frozen=True, slots=True)
class TournamentPicture:
    """Everything that the window shows; two equal ones look the same."""

    size: Point
    scroll: int
    state: view.TournamentState
    status: str
    is_bad: bool
    buttons: tuple[object, ...]
    dialog: tuple[str, object] | None


class TournamentScene(Scene):
    """Standings, progress and boards of one tournament.

    Args:
        tournament: what is watched; it is begun here.
        desk: writes reports.
        size: of the window in real pixels.
        now: the current time.
        preferences: how the person wants it; None: as usual.
        is_kept: whether the results are there when the window is closed.

    Attributes:
        under_way: the person's game, None while there is none.
    """

    picture: TournamentPicture
    layout: TournamentLayout

    def __init__(
        self,
        tournament: WatchedTournament,
        desk: ReportDesk,
        size: Point,
        now: float,
        preferences: PreferencesFile | None = None,
        *,
        is_kept: bool = True,
    ) -> None:
        self.tournament = tournament
        self.following = Following(tournament.experiment, now)
        self.preferences = preferences or PreferencesFile()
        self.under_way: AnyGame | None = None
        self._desk = desk
        self._is_kept = is_kept
        self._scroll = self._first_row = 0
        config = tournament.experiment.config
        face, has_person = face_of(config.game), any(player.is_user for player in config.players)
        self._found: Findings | None = None
        self._counts = rules_of(tournament.experiment.config.game).points == "discs"
        where = Where.CONTEST if has_person else Where.HALL
        super().__init__(face, where, arrange_hall(size, face, where), now)
        self._table: tuple[view.Row, ...] = ()
        self._colors = ""
        tournament.start()
        self._arrange(size)
        self.update(now)

    @property
    def name(self) -> str:
        return say("actions.tournament.button")

    def _arrange(self, size: Point) -> None:
        """Lay everything out in a window of that size."""
        text = self.preferences.value.text_size / 100
        players = len(self.tournament.experiment.config.players)
        self.layout = arrange_hall(size, self.face, self.place, text, players, self._scroll)
        self._scroll = min(max(0, self._scroll), self.layout.longest)
        if self.dialog is not None:
            self.dialog.resize(self.layout.style, self.layout.window)

    def do(self, command: Command, now: float) -> None:
        """Carry a command out; those of a game mean nothing here."""
        super().do(command, now)
        if self.in_dialog(command, now) or self.in_focus(command, now):
            return
        control = self.tournament.control
        match command:
            case gui.Resize(size):
                self._arrange(size)
            case gui.ApplyPreferences():
                put_on(self.preferences.value)
                self._arrange(self.layout.window.size)
                self._drawn = None
            case gui.CloseDialog():
                self.dialog = None
            case gui.Scroll(rows) | gui.MoveCursor(_, rows):
                self._scroll_by(rows)
            case gui.Stop(is_certain) if self.goes_on:
                self._stop(is_certain)
            case gui.OpenReport() if self.following.standings.games:
                self._desk.open()
            case play.TogglePause() if self._can_go_on:
                self.issue(gui.GoOn())
            case play.TogglePause() if self._can_pause:
                self._desk.forget()
                if control.is_paused:
                    control.go_on()
                else:
                    control.pause()

    def _scroll_by(self, rows: int) -> None:
        """Scroll the page, or where all of it is seen, the table."""
        if self.layout.longest:
            self._scroll = min(max(0, self._scroll + rows * self.layout.style.px(40)), self.layout.longest)
            self._arrange(self.layout.window.size)
        else:
            self._first_row += rows

    def _stop(self, is_certain: bool) -> None:
        """End it here, or ask first."""
        self._desk.forget()
        if is_certain:
            self.dialog = None
            self.tournament.control.stop()
            return
        text = say("hall.stops_kept" if self._is_kept else "hall.stops_text")
        command = gui.Stop(is_certain=True)
        layout = self.layout
        self.dialog = Question(say("hall.stops"), text, say("hall.stop"), command, layout.style, layout.window)

    @property
    def goes_on(self) -> bool:
        """Whether there are games to be played."""
        return self.following.end is None and not self.tournament.control.is_stopped

    @property
    def _can_pause(self) -> bool:
        """Whether there is anything to hold: a person's game waits anyway."""
        return self.goes_on and self.following.invitation is None

    @property
    def _can_go_on(self) -> bool:
        """Whether it was stopped, and has games left."""
        following, experiment = self.following, self.tournament.experiment
        is_open = following.end is not None and not following.end.verdict
        return is_open and not self._is_complete and following.standings.games < experiment.most_games

    def update(self, now: float) -> None:
        """Take the news of the tournament and move the buttons on."""
        self.take(self.tournament.events(), now)
        if isinstance(self.dialog, Question) and isinstance(self.dialog.command, gui.Stop) and not self.goes_on:
            self.dialog = None  # it came to its end by itself
        self._desk.update()
        self.issue(None if self.dialog is None else self.dialog.update())
        self._first_row = min(max(0, self._first_row), self.layout.last_first_row(len(self._table)))
        is_invited = self.following.invitation is not None and self.goes_on
        places = self.layout.buttons | ({"begin": self.layout.play} if is_invited else {})
        self.update_buttons(self._button_states(), self.layout.seen(places), now)
        self.update_focus(places)
        self.picture = self._look()

    def take(self, events: list[Event], now: float) -> None:
        """Count what has happened."""
        went_on = self.following.end is None
        self.following.take(events, now, is_paused=self.tournament.control.is_paused)
        if went_on and self.following.end is not None:
            self._desk.forget()
        if self._found is not self.following.findings:
            self._found = self.following.findings
            self._table = results.rows(self._found, counts=self._counts)
            self._colors = results.colors(self._found, self.face.rules)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        expects_news = self.following.end is None or self._desk.is_busy or self.awaits_tooltip
        if not expects_news:
            return None
        waits = self.following.invitation is not None or self.tournament.control.is_paused
        return now + (_SELDOM_SECONDS if waits and not self.awaits_tooltip else _LOOK_SECONDS)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything as it was at the last update."""
        self._drawn = picture = self.picture
        layout = self.layout
        surface.fill(theme.BACKGROUND)
        view.draw(surface, layout, self.face, picture.state)
        frame.draw_toolbar(surface, layout.style, layout.toolbar, self.face)
        if unusual := wording.unusual_rules(self.face.rules):
            frame.draw_occasion(surface, layout.style, layout.toolbar, (unusual,))
        color = theme.WARNING if picture.is_bad else theme.MUTED
        frame.draw_status(surface, layout.style, layout.status, picture.status, color)
        self.widgets.draw(surface)
        self.draw_over(surface)

    def _button_states(self) -> dict[str, ButtonState]:
        is_held = self.tournament.control.is_paused and self._can_pause
        return {
            "tournament": ButtonState(selected=True),
            "begin": ButtonState(other=self.under_way is not None),
            "hold": ButtonState(self._can_pause or self._can_go_on, selected=is_held, other=is_held or self._can_go_on),
            "stop": ButtonState(enabled=self.goes_on),
            "report": ButtonState(enabled=self.following.standings.games > 0 and not self._desk.is_busy),
        }

    def _look(self) -> TournamentPicture:
        following = self.following
        status, is_bad = self._status()
        state = view.TournamentState(
            rows=self._table,
            has_balance=self._counts,
            first_row=self._first_row,
            progress=results.progress(following, self.tournament.experiment),
            share=1.0 if self._is_complete else following.share,
            colors=self._colors,
            title=results.title(following, is_playing=self.under_way is not None),
            live=self._boards(),
            waiting=say("hall.none_played" if following.end is not None else "hall.none_yet"),
        )
        return TournamentPicture(
            size=self.layout.window.size,
            scroll=self._scroll,
            state=state,
            status=status,
            is_bad=is_bad,
            buttons=(*self.widgets.appearance, self.focus.name),
            dialog=None if self.dialog is None else (self.dialog.title, self.dialog.version),
        )

    @property
    def _is_complete(self) -> bool:
        """Whether the tournament has come to its own end."""
        end = self.following.end
        return end is not None and not end.broke_off and not self.tournament.control.is_stopped

    def _boards(self) -> tuple[view.LiveState | None, ...]:
        following = self.following
        if following.invitation is not None:
            config = self.tournament.experiment.config
            return results.invited(following.invitation, config, following.standings, self.under_way), None
        is_last = following.end is not None
        return tuple(None if live is None else results.live(live, is_last=is_last) for live in following.boards)

    def _status(self) -> tuple[str, bool]:
        """What is going on, and whether it is bad news."""
        following, control, desk = self.following, self.tournament.control, self._desk
        config = self.tournament.experiment.config
        if desk.message:
            return desk.message, desk.failed
        if following.end is not None and following.end.broke_off:
            error = following.end.error
            told = None if error is None else say("hall.broke_off", error=str(error))
            return told or say("hall.broke_off_somehow"), True
        if following.end is not None:
            return results.verdict(following, config, is_stopped=control.is_stopped), False
        if control.is_stopped:
            return say("hall.stopping"), False
        if control.is_paused and self._can_pause:
            return say("hall.paused"), False
        if self.under_way is not None:
            return say("hall.back"), False
        if following.invitation is not None:
            has_others = results.has_others(config)
            return say("hall.invited_before_others" if has_others else "hall.invited"), False
        if following.forfeited is not None:
            return results.forfeit(following.forfeited), True
        if not any(following.boards):
            return say("hall.starting"), False
        return say("hall.seed", seed=self.tournament.experiment.seed), False

    def close(self) -> None:
        """End the tournament; waits until everything is written and every process has ended."""
        self.tournament.close()
