"""The table: a room with a board, and a mode beside the board. What a click or key around the board means is here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from othello.errors import cause_of
from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import sentences, ui, window, wording
from othello.gui.actions import Where
from othello.gui.commands import PASS, Answer, Screen, handles
from othello.gui.dialogs.dialog import Dialog
from othello.gui.faces.board import BoardPlace, BoardState
from othello.gui.files import Files
from othello.gui.mode import PLAY, Mode, Person
from othello.gui.modes import DIALOGS, dialog_type, mode_type
from othello.gui.play.board import BOARD, BoardPanel, Status, TablePlaces
from othello.gui.play.cards import next_change
from othello.gui.play.figures import is_forced
from othello.gui.play.hints import Hints
from othello.gui.play.looking import Looking, Noises
from othello.gui.play.moves import MOVES, AnnotateLine, Listing, MoveList, ScrollMoves, listing, shape
from othello.gui.play.over import over_board, result
from othello.gui.preferences import PreferencesFile, motion_of, toggled
from othello.gui.room import Room, earliest
from othello.gui.toolbar import Toolbar, button, toolbar
from othello.play import commands as play
from othello.play.library import Library
from othello.play.repertoire import Repertoire
from othello.play.session import Session
from othello.play.training import Deck
from othello.rules.protocol import Color, Move
from othello.search.report import Line
from othello.texts import joined, number, say

if TYPE_CHECKING:
    from othello.play.explorer import Explorer
    from othello.store.database import Store

_LOOK_SECONDS: Final = 0.1  # between two looks at what is read or written meanwhile
_FRAME_SECONDS: Final = 1 / 90  # so much less than a screen's that a frame which comes late still makes the refresh
_OF_RUNNING_GAME: Final = {"resign": play.Resign, "draw": play.AgreeDraw}


class Table(Room):
    """Board, mode and buttons around one session.

    Args:
        session: what is shown and told what to do.
        size: of the window in real pixels.
        now: the current time on the session's clock.
        occasion: which game of a tournament it is, in ever fewer words; empty where it is of none.
        preferences: how the person wants the window; None: as usual.
        library: keeps the person's games; None: they are not kept.
        deck: keeps the person's exercises, likewise.
        repertoire: keeps the openings that the person learns, likewise.
        store: opens the store of games; None: there is none.
    """

    def __init__(
        self,
        session: Session,
        size: ui.Point,
        now: float,
        occasion: Sequence[str] = (),
        preferences: PreferencesFile | None = None,
        library: Library | None = None,
        deck: Deck | None = None,
        repertoire: Repertoire | None = None,
        store: Callable[[], Store] | None = None,
    ) -> None:
        self.session = session
        super().__init__(session.game.rules.spec, preferences or PreferencesFile(), size)
        self.person = Person(
            self.preferences,
            Deck() if deck is None else deck,  # an empty one is false
            repertoire or Repertoire(),
        )
        self.files = Files(library)
        self._store = store
        self._explorer: Explorer | None = None
        self.looking = Looking()
        self.hints = Hints(session)
        self.occasion = tuple(occasion)
        self.mode: Mode = mode_type(PLAY)(self, now)
        self._on_board = session.view.shown
        self._captures: tuple[AnyGame, tuple[Mapping[Move, int], Mapping[Move, int]]] | None = None
        self._listed: tuple[object, Listing] | None = None
        self._sounds = Noises(session)
        if preferences is not None:
            self.apply(now=now)
        self.show(now)

    @property
    def explorer(self) -> Explorer:
        """Asks the store. It begins when somebody first asks: the window opens without it."""
        if self._explorer is None:
            from othello.play.explorer import Explorer

            self._explorer = Explorer(self._store)
        return self._explorer

    def close(self) -> None:
        """Wait until all files are written, and leave the store."""
        self.files.close()
        if self._explorer is not None:
            self._explorer.close()

    # What the room says of itself.

    @property
    def place(self) -> Where:
        return Where.RATED if self.session.referee.job.is_rated else Where.GAME

    @property
    def letters(self) -> str:
        return self.face.letters

    @property
    def name(self) -> str:
        if self.mode.name != PLAY:
            return say(f"actions.{self.mode.name}.button")
        rules, seats = self.session.game.rules, self.session.seats
        black, white = (wording.player_name(rules, seats, color) for color in Color)
        players = say("files.players", black=black, white=white)
        title = wording.title(rules)
        return players if title == window.TITLE else f"{title} – {players}"

    def screens(self) -> Iterator[Screen]:
        if self.dialog is not None:
            yield self.dialog
        yield self.mode
        yield self

    def toolbar(self) -> Toolbar:
        rules = wording.unusual_rules(self.face.rules)
        occasion = (*(f"{rules} · {words}" for words in self.occasion), rules) if rules else self.occasion
        is_busy = self.session.referee.job.is_rated and not self.session.referee.is_over
        mode = self.mode.part_of or self.mode.name
        return toolbar(self.face, self.place, mode=mode, disabled=("new",) if is_busy else (), occasion=occasion)

    def body(self, now: float) -> ui.Panel:
        column = self.mode.column(now)
        if self.mode.fills_window:
            return column
        session, looking = self.session, self.looking
        over = over_board(session, looking, self.style, self.face) if self.mode.shows_game else None
        has_result = self.mode.name == PLAY and over is None and looking.shows_result(session)
        board = self.board_panel(now)
        caption = self.mode.caption(board.state.pointed)
        return TablePlaces(
            board,
            ui.Label((" · ".join(caption), *caption[1:]), 11, bold=True, align="center"),
            self._status(),
            (*self._switches(), *self.mode.beside_status()),
            column,
            over,
            result(session, self.occasion, now, self.style, self.face, has_details=self.preferences.value.details)
            if has_result
            else (),
            self.mode.foot(),
        )

    def board_panel(self, now: float) -> BoardPanel:
        """The board as the mode has it."""
        past = self.mode.past()
        return BoardPanel(
            self.face,
            self.mode.board(self._board()),
            self.preferences.value.text_size / 100,
            0.0 if self.looking.flip is None else now,
            self.mode.marks(),
            sentences.past(self.session) if past is None else past,
            name=BOARD,
        )

    @property
    def board_place(self) -> BoardPlace | None:
        """Where the squares lie, None while no board is seen."""
        placed = self.stage.find(BOARD)
        if placed is None or not isinstance(placed.panel, BoardPanel):
            return None
        return placed.panel.place(self.style, placed.rect)

    def _board(self) -> BoardState:
        """What the board shows while playing."""
        session, looking, shown = self.session, self.looking, self.session.view.shown
        wanted = self.preferences.value
        hint = self.hints.report
        report = hint or session.history.tree.known(shown).report
        report = None if report is None or is_forced(report) or not wanted.shows_values else report
        is_forfeited = session.view.is_live and session.referee.forfeit is not None
        captures, others = self.captures(shown) if looking.flip is None and not is_forfeited else ({}, {})
        shows_counts = wanted.shows_captures and hint is None
        return BoardState(
            position=shown.position,
            captures=captures,
            is_choice=not session.view.is_live or session.referee.seat.is_user,
            shows_counts=shows_counts,
            others=others if shows_counts and self._has_both else None,
            shows_legal=wanted.shows_legal,
            shows_coordinates=wanted.shows_coordinates,
            report=report,
            losses=self.person.losses(report),
            has_details=wanted.details,
            shows_bounds=wanted.details and wanted.values_by == "bound",
            hint=None if hint is None else hint.move,
            last_move=shown.last_move if wanted.shows_last_move else None,
            cursor=looking.cursor,
            typed=looking.typed,
            hover=looking.hover,
            flip=looking.flip,
            is_over=is_forfeited,
        )

    @property
    def _has_both(self) -> bool:
        """Whether the captures of both sides are wanted, in a game that has any."""
        return self.face.has_captures and self.preferences.value.captures_of == "both"

    def captures(self, game: AnyGame) -> tuple[Mapping[Move, int], Mapping[Move, int]]:
        """How many pieces each legal move captures, and each move that the other side would have if it were to move.

        The rules are asked once a position.
        """
        if self._captures is None or self._captures[0] is not game:
            rules, others = game.rules, dict[Move, int]()
            own = () if game.must_pass else game.legal_moves()
            if self.face.has_captures and not game.is_over:
                position: Any = game.position
                turned = replace(position, to_move=game.to_move.opponent)
                moves = (move for move in rules.legal_moves(turned) if not rules.is_pass(move))
                others = {move: len(rules.captured(turned, move)) for move in moves}
            self._captures = game, ({move: len(rules.captured(game.position, move)) for move in own}, others)
        return self._captures[1]

    def move_list(self, signs: Mapping[Line, str] | None = None, *, spare: float = 0) -> MoveList:
        """The list of moves; what is listed is found once a change of the tree.

        Args:
            signs: of mistakes, by the line that each ends.
            spare: see `MoveList`.
        """
        tree, signs = self.session.history.tree, signs or {}
        seen = tree.line.positions[0], tree.line.moves, shape(tree.root), signs
        if self._listed is None or self._listed[0] != seen:
            self._listed = seen, listing(tree, signs)
        row = self.looking.first_row
        shown = self.session.view.shown.moves
        return MoveList(self.face, self._listed[1], shown, row, spare, name=MOVES, grow=1, height=104)

    def _status(self) -> ui.Panel:
        session, looking = self.session, self.looking
        counts = self._has_both + 1 if self.face.has_captures and self.preferences.value.shows_captures else 0
        advice = looking.typed.advice if looking.typed else ""
        words, meanwhile = self.mode.status(), looking.message or self.hints.words
        if not words:
            told = sentences.status(session, advice, counts=counts), self.mode.remark(), looking.introduced(session)
            words = joined(*told)
        unsaved = None if self.files.library is None else self.files.library.notice
        if unsaved is not None:
            words = joined(say("files.unsaved", reason=cause_of(unsaved)), words)
        notice = unsaved or session.not_recorded or session.worker.not_kept or session.worker.failure
        is_bad = bool(notice or (looking.message and not looking.is_good))
        is_urgent = is_bad or (session.view.is_live and (session.referee.is_over or session.announces_pass))
        live = "assertive" if is_urgent else "polite" if self.mode.reads_status else ""
        return Status(words, is_bad, meanwhile, self.mode.aloud(), live, looking.murmur, name="status")

    def _switches(self) -> tuple[ui.Panel, ...]:
        """The buttons that say what is shown on the board."""
        if not self.mode.has_switches:
            return ()
        has_captures = self.face.has_captures
        chosen = has_captures and self.preferences.value.shows_captures
        return (
            button("captures", self.place, enabled=has_captures, chosen=chosen, other=chosen and self._has_both),
            button("values", self.place, chosen=self.mode.shows_values),
        )

    # Commands.

    def unclaimed(self, command: object, now: float) -> None:
        """Leave to files what is for files, and the rest to the session."""
        following = self.files.do(command, self.session, self.face, now)
        if following is not None:
            for each in following:
                self.issue(each)
        elif isinstance(command, play.SessionCommand):
            self.looking.message, self.looking.typed = "", None
            self.session.do(command, now)
            if isinstance(command, play.NewGame) and self.mode.ends_with_game:
                self.issue(gui.SwitchMode(PLAY))

    @handles(play.DeleteLine)
    def _delete(self, command: play.DeleteLine, now: float) -> None:
        if self.session.allows(play.DeleteLine):
            self.looking.tell(say("past.deleted"), now, is_good=True)
        self.session.do(command, now)

    @handles(gui.SwitchMode)
    def _switch_mode(self, command: gui.SwitchMode, now: float) -> None:
        self.mode.leave(now)
        self.looking.flip = self.looking.cursor = self.looking.typed = None
        self.mode = mode_type(command.mode)(self, now)
        self.stage.kept.clear()

    def recover(self, title: str, reason: str, now: float) -> None:
        """Go on in the mode Play, and save the game."""
        mode, self.mode = self.mode, mode_type(PLAY)(self, now)
        if self.files.library is not None:
            self.files.library.flush(self.session, now)
        super().recover(title, reason, now)
        mode.leave(now)

    @handles(gui.Toggle)
    def _toggle(self, command: gui.Toggle, now: float) -> None:
        self.looking.flip = None
        self.preferences.change(**toggled(self.preferences.value, command.option))
        self.apply(now=now)
        if command.option == "motion":
            motion = say(f"motions.{motion_of(self.preferences.value)}")
            self.looking.tell(say("named", name=say("settings.motion"), words=motion), now, is_good=True)

    @handles(play.ChangePace)
    def _change_pace(self, command: play.ChangePace, now: float) -> None:
        self.session.do(command, now)
        seconds = self.session.pace.delay
        words = say("settings.at_least", seconds=number(seconds)) if seconds else say("settings.no_pace")
        self.looking.tell(say("named", name=say("settings.pace"), words=words), now, is_good=True)

    @handles(play.MoveNow)
    def _move_now(self, command: play.MoveNow, now: float) -> None:
        allowed = self.session.allows(play.MoveNow)
        self.looking.tell(say("status.moves_now" if allowed else "status.not_thinking"), now, is_good=True)
        self.session.do(command, now)

    @handles(gui.PlainCommand.APPLY_PREFERENCES)
    def apply(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Make window and session as the person wants them."""
        super().apply(command, now)
        wanted = self.preferences.value
        if self.session.game_analysis is not None:
            self.session.game_analysis.judges_ended = wanted.analyses_games
            self.session.game_analysis.judges_moves = wanted.tells_losses
        if wanted.pace_seconds is not None:
            self.session.do(play.SetPace(wanted.pace_seconds), now)
        if self.preferences.notice:
            self.looking.tell(self.preferences.notice, now, is_good=False)
            self.preferences.notice = ""

    def without_effect(self) -> Collection[str]:
        return [name for name, kind in _OF_RUNNING_GAME.items() if not self.session.allows(kind)]

    def dialog_of(self, name: str) -> Dialog | None:
        found = super().dialog_of(name) or self.files.dialog(
            name, self.session, has_details=self.preferences.value.details
        )
        if found is None and name in DIALOGS:
            return dialog_type(name)(self.session, self.preferences)
        return found

    @handles(gui.Learn)
    def _learn(self, command: gui.Learn, now: float) -> None:
        """Put a line into the repertoire, and say how much there is to learn."""
        self.close_dialog()
        line = self.person.repertoire.add(command.game, command.color)
        if line is None:
            self.looking.tell(say("repertoire.not_added"), now, is_good=False)
        else:
            name, side = wording.line_name(line.game), wording.side(line.game.rules, line.color)
            self.looking.tell(say("repertoire.added", name=name, side=side, n=len(line.cards)), now, is_good=True)

    @handles(gui.AddArchive)
    def _add_archive(self, command: gui.AddArchive, now: float) -> object:
        self.close_dialog()
        self.explorer.add(command.paths)
        return gui.SwitchMode("explore")

    @handles(gui.PlainCommand.HINT)
    def _hint(self, command: gui.PlainCommand, now: float) -> None:
        self.hints.ask(self.preferences.value, now)

    @handles(gui.PlainCommand.ASK_TO_RESIGN)
    def _ask_to_resign(self, command: gui.PlainCommand, now: float) -> None:
        self._ask("resign", play.Resign())

    @handles(gui.PlainCommand.OFFER_DRAW)
    def _offer_draw(self, command: gui.PlainCommand, now: float) -> object | None:
        """Ask the other person, or tell what the computer answers."""
        session, speaker = self.session, self.session.speaker
        if speaker is None:
            return None
        if session.seats[speaker.opponent].is_user:
            self._ask("draw", play.AgreeDraw())
            return None
        if not session.draw_refusal:
            return play.AgreeDraw()
        name = wording.player_name(session.game.rules, session.seats, speaker.opponent)
        self.looking.tell(say(f"draw_refused.{session.draw_refusal}", name=name), now, is_good=True)
        return None

    def _ask(self, what: str, command: play.Resign | play.AgreeDraw) -> None:
        """Let a person confirm the end of the game."""
        from othello.gui.dialogs.notices import Question

        speaker = self.session.speaker
        if speaker is not None:
            side = wording.side(self.face.rules, speaker)
            title, text, yes = (say(f"ending.{what}.{part}", side=side) for part in ("title", "text", "yes"))
            self.enter_dialog(Question(title, text, yes, command))

    @handles(play.HandOver)
    def _hand_over(self, command: play.HandOver, now: float) -> Answer:
        """Ask before a computer takes over from a user in the game."""
        from othello.gui.dialogs.notices import Question

        session, color = self.session, command.color
        if command.player is not None or session.referee.is_over or not session.seats[color].is_user:
            self.close_dialog()
            return PASS
        seats = session.seats.handed_over(color)
        name = wording.player_name(session.game.rules, seats, color)
        title, text, yes = (say(f"hand_over.{part}", name=name) for part in ("title", "text", "yes"))
        if session.allows(play.HandOver):
            self.enter_dialog(Question(title, text, yes, play.HandOver(color, seats[color])))
        return None

    @handles(play.Resign, play.AgreeDraw)
    def _end(self, command: play.Resign | play.AgreeDraw, now: float) -> None:
        self.close_dialog()
        self.session.do(command, now)

    @handles(gui.Tell)
    def _tell(self, command: gui.Tell, now: float) -> None:
        self.looking.tell(command.words, now, is_good=command.is_good)

    @handles(gui.Murmur)
    def _murmur(self, command: gui.Murmur, now: float) -> None:
        self.looking.murmur = command.words

    @handles(gui.Offer)
    def _offer(self, command: gui.Offer, now: float) -> None:
        self.looking.offer, self.looking.typed = (self.session.view.shown, command.move), None

    @handles(ScrollMoves)
    def _scroll_moves(self, command: ScrollMoves, now: float) -> None:
        self.looking.first_row = command.first_row

    @handles(AnnotateLine)
    def _annotate(self, command: AnnotateLine, now: float) -> object | None:
        if self.session.referee.job.is_rated:
            return None
        self.session.do(play.Visit(command.line), now)
        return gui.Open("note")

    @handles(gui.PressSquare)
    def _press_square(self, command: gui.PressSquare, now: float) -> object | None:
        session, looking = self.session, self.looking
        if session.announces_pass:
            return play.Acknowledge()
        looking.cursor = None
        if looking.shows_failure(session):
            looking.closed = session.game
        elif looking.offered(session) is not None:
            looking.offer = None
        elif command.move is not None and not looking.shows_result(session):
            return self.mode.choose(command.move)
        return None

    @handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> None:
        looking = self.looking
        looking.cursor = self.face.moved(looking.cursor, self.mode.shown_position, command.columns, command.rows)

    @handles(gui.PutCursor)
    def _put_cursor(self, command: gui.PutCursor, now: float) -> None:
        self.stage.leave()
        self.looking.cursor = command.square

    @handles(gui.NextLegal)
    def _next_legal(self, command: gui.NextLegal, now: float) -> None:
        if self.mode.is_over:
            self._next_button(command.steps)
            return
        self.stage.leave()
        self.looking.cursor = self.face.next_legal(self.looking.cursor, self.mode.shown_position, command.steps)

    def _next_button(self, steps: int) -> None:
        """Move the focus to the next button: at first, to the main one of those that lead on from a finished game."""
        first = next((name for name in ("again", "look_back", "to_review") if self.stage.find(name)), "")
        if first and not self.stage.focus:
            self.stage.go_to(first)
        else:
            self.stage.next(steps)

    @handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> object | None:
        self.stage.leave()
        looking = self.looking
        before = "" if looking.typed is None else looking.typed.text
        typed = self.face.typed(before, command.letter, self.mode.shown_position)
        if typed is not None and typed.move is not None and typed.is_complete:
            return self.mode.choose(typed.move)
        if typed is not None:
            looking.typed, looking.message = typed, ""
        return None

    @handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> object | None:
        session, looking = self.session, self.looking
        if session.announces_pass:
            return play.Acknowledge()
        if looking.shows_result(session):
            return play.NewGame() if session.history.is_played_here else gui.SwitchMode("review")
        if looking.shows_failure(session):
            return play.Step()
        offered = looking.offered(session)
        if offered is not None:
            return play.PlayFromHere(offered)
        return None if looking.chosen is None else self.mode.choose(looking.chosen)

    @handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> object | None:
        session, looking = self.session, self.looking
        if self.stage.focus:
            self.stage.leave()
        elif looking.typed is not None:
            looking.typed = None
        elif looking.offered(session) is not None:
            looking.offer = None
        elif looking.shows_result(session) or looking.shows_failure(session):
            looking.closed = session.game
        elif not session.view.is_live:
            return play.Visit(session.game.moves)
        else:
            looking.cursor = None
        return None

    # Time.

    def follow(self, now: float) -> None:
        """Move the session and what follows from it on."""
        session, looking = self.session, self.looking
        is_covered = self.dialog is not None and not session.referee.job.is_rated
        if is_covered != session.pace.is_covered:
            session.do(play.Cover(is_covered), now)
        session.update(now)
        ended = session.events()
        self.issue(self.files.follow(session, ended, now, is_covered=self.dialog is not None))
        for event in ended:
            self.preferences.change(has_finished=True)
            self.mode.hear(event)
        self.refresh(now)
        self.hints.update(now)
        self._follow_board(now)
        looking.pass_time(now, is_over=self.mode.is_over)
        looking.hover = self._hover()
        self.heard = self._sounds.between(ended, looking, self.preferences.value, now)

    def refresh(self, now: float) -> None:
        if self.mode.spec != self.spec:  # the board is of another game now, with another face
            self.spec = self.mode.spec
            self.looking.cursor = self.looking.typed = self.looking.flip = None
        self.mode.update(now)

    def changes(self) -> object | None:
        """What a dialog shows is known to the dialog alone."""
        session, hints = self.session, self.hints
        if self.dialog is not None:
            return None
        unsaved = None if self.files.library is None else self.files.library.notice
        notices = unsaved, session.not_recorded, session.worker.not_kept, session.worker.failure
        kept = self.person.deck.notice, self.person.repertoire.notice
        seen = session.version, session.referee.job, session.referee.forfeit, hints.words, hints.is_running
        return self.mode, self.mode.changes(), replace(self.looking), *seen, *notices, *kept

    def _follow_board(self, now: float) -> None:
        """Notice that another position is shown: turn over what the step to it did, and keep its move in sight."""
        old, new = self._on_board, self.session.view.shown
        if new.moves != old.moves or new.position != old.position:
            self._on_board = new
            motion = motion_of(self.preferences.value)
            self.looking.turn_over(self.session.view.step, now, self.face, motion)
            self.looking.first_row = None

    def _hover(self) -> Move | None:
        session = self.session
        mouse = self.stage.mouse
        if mouse is None or self.dialog is not None:
            return None
        if not (session.awaits_person or not session.view.is_live or self.mode.name != PLAY):
            return None
        place = self.board_place if self.stage.panel_at(mouse) == BOARD else None
        return None if place is None else self.mode.square_at(place, mouse)

    def next_show(self, now: float) -> float | None:
        return earliest(
            self.mode.next_wake(now),
            None if self.looking.flip is None else now,
            None if self.session.next_game_at is None else now + 0.25,
        )

    def next_wake(self, now: float) -> float | None:
        wake = earliest(
            super().next_wake(now),
            self.next_show(now),
            self.session.next_event(now),
            next_change(self.session, now, is_covered=self.dialog is not None),
            self.looking.message_ends if self.looking.message else None,
            now + _LOOK_SECONDS if self.files.is_busy else None,
        )
        return None if wake is None else max(wake, now + _FRAME_SECONDS)
