"""Any game in a text terminal: the same session as in the window, told in lines and driven by typed ones."""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from othello.cli import DONE, end_process
from othello.cli.questions import QUIT, Lines
from othello.config import Config
from othello.errors import PlayerError, Reason, TranscriptError
from othello.game import AnyGame
from othello.play import commands as cmd
from othello.play.seeding import draw_seed
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.registry import configure, counts_of, title_of
from othello.records.results import ResultsWriter
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color, Move, Position, Rules
from othello.schema import nearest
from othello.search.report import SearchReport, Unit
from othello.texts import number, say

_SIGNS: Final = "XO"
_STYLES: Final = ("bold green", "bold magenta")
_NAP_SECONDS: Final = 0.01  # between two looks for a computer's news
_CLOSE_SECONDS: Final = 0.3
_MOST_LEGAL: Final = 20  # moves that are listed where another was typed
_MOST_HINTS: Final = 3
_ADVISER: Final = configure("mcts_uct", simulation_count=20_000)

_COMMANDS: Final = (
    *("hint", "undo", "redo", "moves", "board", "now", "pause", "swap", "black", "white"),
    *("resign", "draw", "new", "help", "quit"),
)
_SHORT: Final = {"?": "help", "h": "help", **dict.fromkeys(QUIT, "quit")}
_ORDERS: Final[Mapping[str, cmd.SessionCommand]] = {
    "undo": cmd.Undo(),
    "redo": cmd.Redo(),
    "now": cmd.MoveNow(),
    "pause": cmd.TogglePause(),
    "swap": cmd.SwapSides(),
    "black": cmd.HandOver(Color.BLACK),
    "white": cmd.HandOver(Color.WHITE),
    "resign": cmd.Resign(),
    "new": cmd.NewGame(),
}


def play_in_terminal(config: Config, lines: Lines) -> None:
    """Play what the config says until it is over, the person leaves, or the input ends.

    Raises:
        OutputError: the results file cannot be written.
        PlayerError: a computer fails, and no person is there to go on.
    """
    console = Console()
    config = replace(config, seed=draw_seed() if config.seed is None else config.seed)
    workers = Worker(), Worker(analyses=True)
    output = config.output_file
    try:
        with nullcontext() if output is None else ResultsWriter(output, config.existing_output) as results:
            on_finished = None if results is None else results.append
            session = Session(config, workers[0], time.monotonic(), on_finished, analyst=workers[1])
            if not console.is_terminal:
                session.pace.delay = 0.0  # nobody follows
            workers[0].prepare(session.seats.computers, config.game)
            TerminalTable(session, console, lines).play()
    finally:
        hanging = [worker for worker in workers if not worker.close(_CLOSE_SECONDS)]
    if hanging:
        end_process(DONE)


class TerminalTable:
    """A session, and a person at a terminal who may play in it."""

    def __init__(
        self, session: Session, console: Console, lines: Lines, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._session = session
        self._console = console
        self._lines = lines
        self._clock = clock
        self._ahead: list[str] = []  # moves that were typed while a computer thought
        self._told: AnyGame | None = None
        self._news: list[str] = []  # of this turn, told already
        self._offered: AnyGame | None = None  # where one of two persons offered a draw
        self._is_prompted = False
        self._is_left = False

    def play(self) -> None:
        """Go on until there is nothing more to play, or nobody to play it."""
        self._say(say("terminal.seed", seed=self._session.jobs.config.seed))
        try:
            while not self._is_left:
                self._go_on()
        except EOFError:
            self._say(say("terminal.ended") if self._session.awaits_person else "")

    def _go_on(self) -> None:
        session, now = self._session, self._clock()
        session.update(now)
        if session.announces_pass:
            session.do(cmd.Acknowledge(), now)
        self._tell()
        if session.seats.is_between_computers and not session.pace.paused:
            if session.worker.failure is not None and not session.referee.is_over:
                raise PlayerError("seat_failed", name=title_of(session.referee.seat), reason=session.worker.failure)
            if session.referee.is_over and session.next_game_at is None:
                self._is_left = True
                return
            if session.referee.is_over and not self._console.is_terminal:
                session.do(cmd.NewGame(), now)
        self._listen()

    # What is told.

    def _say(self, text: str) -> None:
        if self._is_prompted:
            self._is_prompted = False
            self._console.print()
        self._console.print(text, markup=False, highlight=False)

    def _tell_once(self, text: str) -> None:
        if text and text not in self._news:
            self._news.append(text)
            self._say(text)

    def _tell(self) -> None:
        session = self._session
        if self._told != session.game:
            self._news.clear()
            self._tell_moves()
        self._tell_once(str(session.not_recorded or session.worker.not_kept or ""))
        if session.referee.is_over:
            self._tell_once(self._result())
        elif session.worker.failure is not None:
            reason = {"name": title_of(session.referee.seat), "reason": session.worker.failure}
            self._tell_once(str(Reason("seat_failed", reason)))
        elif session.is_drawing:
            self._tell_once(say("terminal.drawing"))
        elif session.worker.preparing is not None and not session.awaits_person:
            titles = {seat.name: title_of(seat) for seat in session.seats.values()}
            name = titles.get(session.worker.preparing, session.worker.preparing)
            self._tell_once(say("terminal.preparing", name=name))
        elif session.worker.is_running and self._console.is_terminal:
            name = title_of(session.referee.seat)
            self._tell_once(say("terminal.thinks", side=side(session.game.to_move), name=name))

    def _tell_moves(self) -> None:
        """The moves since the board was shown last, and the board."""
        game, told = self._session.game, self._told
        if told is not None and told.moves == game.moves[: told.ply] and told.positions[0] == game.positions[0]:
            for ply in range(told.ply, game.ply):
                self._say(move_line(game, ply, self._session.history.tree.known(game.at(ply)).report))
        elif told is not None and game.ply and told.moves[: game.ply] == game.moves:
            self._say(say("terminal.taken_back"))
        self._told = game
        if not game.must_pass:
            self._show_board()

    def _show_board(self) -> None:
        game, session = self._session.game, self._session
        self._say("")
        self._console.print(board(game), soft_wrap=True)
        points = score(game.rules, game.position)
        parts = [points] if points and any(game.rules.score(game.position)) else []
        for color in Color:
            remaining = session.referee.remaining(color, self._clock())
            parts += [] if remaining is None else [say("terminal.left", side=_SIGNS[color], seconds=f"{remaining:.0f}")]
        if parts:
            self._say("    " + "   ".join(parts))

    def _result(self) -> str:
        session = self._session
        game, winner = session.game, session.referee.winner
        result = say("terminal.drawn")
        if winner is not None:
            result = say("terminal.wins", side=side(winner), name=title_of(session.seats[winner]))
        if (forfeit := session.referee.forfeit) is not None:
            told = forfeit.told(side(forfeit.color))
            result = told if winner is None else f"{told}; {result}"
        result = say("terminal.result", number=session.referee.job.number, result=result)
        told = f"{result}   {score(game.rules, game.position)}".rstrip()
        if game.outcome is None or not game.outcome.engines_differ:
            return told
        black, white = game.outcome.counted
        return f"{told}   {say('results.counted', black=black, white=white)}"

    # What is typed.

    @property
    def _needs_person(self) -> bool:
        """Whether the game waits for input."""
        session = self._session
        if session.referee.is_over:
            return not session.seats.is_between_computers or session.pace.paused
        return session.awaits_person or session.pace.paused or session.worker.failure is not None

    def _listen(self) -> None:
        """Obey the next line, or wait for one, or for the computer."""
        event = self._session.next_event(self._clock())
        seconds = None if event is None else max(_NAP_SECONDS, event - self._clock())
        if self._needs_person:
            self._prompt()
            line = self._ahead.pop(0) if self._ahead else self._lines.next(seconds)
            if line is not None:
                self._is_prompted = self._is_prompted and not self._lines.is_interactive
                self._obey(line.strip().lower())
        elif self._lines.is_interactive:
            line = self._lines.next(seconds)
            if line is not None and line.strip().lower() in (*_COMMANDS, *_SHORT):
                self._obey(line.strip().lower())
            elif line is not None:
                self._ahead.append(line)
        else:
            time.sleep(_NAP_SECONDS)

    def _prompt(self) -> None:
        if self._is_prompted:
            return
        self._is_prompted = True
        session = self._session
        what = say("terminal.your_move")
        if session.referee.is_over:
            what = say("terminal.over")
        elif not session.awaits_person:
            what = say("terminal.held") if session.worker.failure is None else say("terminal.failed")
        sign = "" if session.referee.is_over else f"{_SIGNS[session.game.to_move]}: "
        self._console.print(f"{sign}{what}> ", end="", markup=False, highlight=False)

    def _obey(self, line: str) -> None:
        match _SHORT.get(line, line):
            case "help":
                self._help()
            case "hint":
                self._hint()
            case "moves":
                self._say(format_transcript(self._session.game) or say("terminal.no_moves"))
            case "board":
                self._show_board()
            case "quit":
                self._is_left = True
            case "draw":
                self._offer_draw()
            case command if command in _ORDERS:
                self._order(command)
            case move if move:
                self._play_move(move)

    def _order(self, command: str) -> None:
        session = self._session

        def state() -> object:
            return session.history, session.game, session.pace.paused, session.seats, session.referee.is_over

        before, self._offered = state(), None
        session.do(_ORDERS[command], self._clock())
        if before == state() and not session.allows(cmd.MoveNow):
            self._say(say("terminal.nothing", command=command))
        elif command in ("swap", "black", "white"):
            self._say("   ".join(f"{side(color)}: {title_of(session.seats[color])}" for color in Color))

    def _offer_draw(self) -> None:
        """A computer answers at once; the other of two persons agrees by the same word, and declines by any move."""
        session, speaker = self._session, self._session.speaker
        if speaker is None:
            self._say(say("terminal.nothing", command="draw"))
        elif session.seats[speaker.opponent].is_user and self._offered != session.game:
            self._offered = session.game
            self._say(say("terminal.draw_offered", side=side(speaker)))
        elif session.seats[speaker.opponent].is_user or not session.draw_refusal:
            session.do(cmd.AgreeDraw(), self._clock())
        else:
            self._say(say(f"draw_refused.{session.draw_refusal}", name=title_of(session.seats[speaker.opponent])))

    def _play_move(self, line: str) -> None:
        game = self._session.game
        try:
            move = game.rules.parse_move(game.position, line)
        except TranscriptError as error:
            self._say(f"{error}{nearest(line, _COMMANDS) or ''}")
            return
        legal = game.legal_moves()
        if not self._session.awaits_person:
            self._say(say("terminal.no_move_now"))
        elif move in legal:
            self._session.do(cmd.PlayMove(move), self._clock())
        else:
            texts = list(map(game.text_of, legal))
            listed = say("terminal.legal", moves="  ".join(texts)) if len(texts) <= _MOST_LEGAL else ""
            self._say(say("terminal.illegal", move=game.text_of(move)) + listed)

    def _help(self) -> None:
        game = self._session.game
        example = next(map(game.text_of, game.legal_moves()), None)
        self._say(say("terminal.help_such_as", move=example) if example else say("terminal.help"))
        for name in _COMMANDS:
            self._say(f"  {name:<6} {say(f'terminal.commands.{name}')}")
        self._say(legend(game))

    def _hint(self) -> None:
        """What a search thinks of the position, as far as it comes while the person may still move."""
        session = self._session
        if not session.awaits_person:
            self._say(say("terminal.hint_for_you"))
            return
        self._say(say("terminal.looks"))
        session.do(cmd.Analyse(_ADVISER), self._clock())
        while session.awaits_person and not ((report := session.shown_analysis) is not None and report.final):
            session.update(self._clock())
            time.sleep(_NAP_SECONDS)
        report = session.shown_analysis
        session.do(cmd.Analyse(None), self._clock())
        if report is None:
            return
        text = session.game.text_of
        best = sorted(report.moves, key=lambda stats: stats.visits, reverse=True)
        for stats in best[:_MOST_HINTS]:
            self._say(
                f"  {text(stats.move):<4} {_value(stats.value, report.unit):>8}  "
                + say(f"terminal.counted.{counts_of(report.player)}", count=number(stats.visits, ",d"))
            )


# The board, as X and O, with coordinates, the last move, and where one may play.


def side(color: Color) -> str:
    """What a side is called: its sign on the board, and its name."""
    return say(f"terminal.sides.{color.label}")


def board(game: AnyGame) -> Text:
    """The board after the last move, which stands in brackets.

    A legal move shows how much it captures, or a star where not every empty square may be played on.
    """
    rules = game.rules
    columns, rows, block = rules.columns, rules.rows, rules.block_size or max(rules.columns, rules.rows)
    cells = [_cell(game, square) for square in range(columns * rows)]
    text = Text("    ")
    for column, name in enumerate(rules.column_names):
        text.append(" " * _is_edge(column, block) + f"{name:^3}", "dim")
    for row, name in enumerate(rules.row_names):
        if _is_edge(row, block):
            text.append("\n    " + "+".join(["-" * 3 * block] * (columns // block)), "dim")
        text.append(f"\n{name:>3} ", "dim")
        for column, cell in enumerate(cells[row * columns : (row + 1) * columns]):
            text.append("|" * _is_edge(column, block), "dim")
            text.append_text(cell)
    return text


def _is_edge(index: int, block: int) -> bool:
    return index > 0 and index % block == 0


def _cell(game: AnyGame, square: int) -> Text:
    rules, position = game.rules, game.position
    owner = rules.marks(position)[square]
    if owner is not None:
        is_last = square == game.last_move
        return Text(f"[{_SIGNS[owner]}]" if is_last else f" {_SIGNS[owner]} ", _STYLES[owner])
    if square not in game.legal_moves():
        return Text(" . ", "dim")
    return Text(f"{_sign(game, square):>2} ", "cyan")


def _sign(game: AnyGame, move: Move) -> str:
    captured = len(game.rules.captured(game.position, move))
    empty = sum(mark is None for mark in game.rules.marks(game.position))
    return str(captured) if captured else "*" if len(game.legal_moves()) < empty else "."


def legend(game: AnyGame) -> str:
    """What stands on the board, as far as this game needs words for it."""
    signs = {_sign(game, move) for move in game.legal_moves() if not game.rules.is_pass(move)}
    told = [say("terminal.last_move")]
    told += [say("terminal.captures")] if signs - {"*", "."} else []
    told += [say("terminal.star")] if "*" in signs else []
    return "; ".join(told)


def score(rules: Rules[Position], position: Any) -> str:
    """Points where the game has any, and the boards within the board that are won."""
    black, white = rules.score(position)
    text = f"{_SIGNS[0]} {black} : {white} {_SIGNS[1]}" if rules.points else ""
    owners = rules.block_owners(position)
    won = (f"{number}: {_SIGNS[owner]}" for number, owner in enumerate(owners, start=1) if owner is not None)
    return f"   {say('terminal.boards_won')}  ".join(filter(None, (text, ", ".join(won))))


def _value(value: float | None, unit: Unit) -> str:
    if value is None:
        return "-"
    return f"{number(100 * value, '.1f')} %" if unit is Unit.REWARD else f"{value:+.0f}"


def move_line(game: AnyGame, ply: int, report: SearchReport | None) -> str:
    """A move of a game, with what the search found that chose it."""
    move, mover, before = game.moves[ply], game.positions[ply].to_move, game.at(ply)
    if game.rules.is_pass(move):
        return say("terminal.passes", side=side(mover))
    text = say("terminal.plays", side=side(mover), move=before.text_of(move))
    if report is None or report.move != move:
        return text
    parts = [text]
    if report.value is not None:
        parts.append(say("terminal.value", value=_value(report.value, report.unit)))
    if report.simulations:
        parts.append(say(f"terminal.counted.{counts_of(report.player)}", count=number(report.simulations, ",d")))
    return ", ".join([*parts, f"{number(report.seconds, '.2f')} s"])
