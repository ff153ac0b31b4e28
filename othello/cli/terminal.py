"""Games in a text terminal: the session of the window with typed commands and printed boards."""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from othello.cli import DONE, end_process
from othello.cli.terminal_input import QUIT, Lines
from othello.config import Config
from othello.errors import PlayerError, Reason, TranscriptError
from othello.game import AnyGame
from othello.play import session_commands as cmd
from othello.play.seeding import draw_seed
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.player_registry import configure, counts_of, title_of
from othello.records.results import ResultsWriter
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color, Position, Rules, Square
from othello.schema import nearest
from othello.search.report import SearchReport, value_text
from othello.texts import number, tr

_SIGNS: Final = "XO"
_STYLES: Final = ("bold green", "bold magenta")
_POLL_SECONDS: Final = 0.01  # how often the session is updated
_CLOSE_SECONDS: Final = 0.3
_MAX_LEGAL: Final = 20  # more legal moves are not listed after an illegal one
_MAX_HINTS: Final = 3
_ADVISER: Final = configure("mcts_uct", simulation_count=20_000)

_COMMANDS: Final = (
    *("hint", "undo", "redo", "moves", "board", "now", "pause", "swap", "black", "white"),
    *("resign", "draw", "new", "help", "quit"),
)
_ALIASES: Final = {"?": "help", "h": "help", **dict.fromkeys(QUIT, "quit")}
_SESSION_COMMANDS: Final[Mapping[str, cmd.SessionCommand]] = {
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
    """Play the games of a config until they are over, the user quits, or the input ends.

    Raises:
        OutputError: the results file cannot be written.
        PlayerError: a computer player failed in a game without a user.
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
                session.pace.delay = 0.0  # the delay is for people who watch
            workers[0].prepare(session.players.computers, config.game)
            TerminalGame(session, console, lines).play()
    finally:
        hanging = [worker for worker in workers if not worker.close(_CLOSE_SECONDS)]
    if hanging:
        end_process(DONE)


class TerminalGame:
    """A session that is shown and controlled in a terminal."""

    def __init__(
        self, session: Session, console: Console, lines: Lines, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._session = session
        self._console = console
        self._lines = lines
        self._clock = clock
        self._queued: list[str] = []  # moves typed while a computer thinks
        self._shown: AnyGame | None = None  # the game as it was printed last
        self._notices: list[str] = []  # printed in this turn
        self._draw_offer: AnyGame | None = None  # the position in which one of two users offered a draw
        self._is_prompted = False
        self._has_quit = False

    def play(self) -> None:
        """Play until all games are over, the user quits, or the input ends."""
        self._print(tr("terminal.seed", seed=self._session.jobs.config.seed))
        try:
            while not self._has_quit:
                self._step()
        except EOFError:
            self._print(tr("terminal.ended") if self._session.awaits_user else "")

    def _step(self) -> None:
        session, now = self._session, self._clock()
        session.update(now)
        if session.announces_pass:
            session.do(cmd.Acknowledge(), now)
        self._report()
        if session.players.is_between_computers and not session.pace.paused:
            if session.worker.failure is not None and not session.referee.is_over:
                raise PlayerError("seat_failed", name=title_of(session.referee.player), reason=session.worker.failure)
            if session.referee.is_over and session.next_game_at is None:
                self._has_quit = True
                return
            if session.referee.is_over and not self._console.is_terminal:
                session.do(cmd.NewGame(), now)
        self._read_input()

    # Output.

    def _print(self, text: str) -> None:
        if self._is_prompted:
            self._is_prompted = False
            self._console.print()
        self._console.print(text, markup=False, highlight=False)

    def _print_once(self, text: str) -> None:
        if text and text not in self._notices:
            self._notices.append(text)
            self._print(text)

    def _report(self) -> None:
        session = self._session
        if self._shown != session.game:
            self._notices.clear()
            self._print_moves()
        self._print_once(str(session.not_recorded or session.worker.save_failure or ""))
        if session.referee.is_over:
            self._print_once(self._result())
        elif session.worker.failure is not None:
            reason = {"name": title_of(session.referee.player), "reason": session.worker.failure}
            self._print_once(str(Reason("seat_failed", reason)))
        elif session.is_drawing:
            self._print_once(tr("terminal.drawing"))
        elif session.worker.preparing is not None and not session.awaits_user:
            titles = {seat.name: title_of(seat) for seat in session.players.values()}
            name = titles.get(session.worker.preparing, session.worker.preparing)
            self._print_once(tr("terminal.preparing", name=name))
        elif session.worker.is_running and self._console.is_terminal:
            name = title_of(session.referee.player)
            self._print_once(tr("terminal.thinks", side=side(session.game.to_move), name=name))

    def _print_moves(self) -> None:
        """Print the moves since the board was printed last, and the board."""
        game, shown = self._session.game, self._shown
        if shown is not None and shown.moves == game.moves[: shown.ply] and shown.positions[0] == game.positions[0]:
            for ply in range(shown.ply, game.ply):
                self._print(move_line(game, ply, self._session.history.tree.known(game.at(ply)).report))
        elif shown is not None and game.ply and shown.moves[: game.ply] == game.moves:
            self._print(tr("terminal.taken_back"))
        self._shown = game
        if not game.must_pass:
            self._board()

    def _board(self) -> None:
        game, session = self._session.game, self._session
        self._print("")
        self._console.print(board(game), soft_wrap=True)
        points = score(game.rules, game.position)
        parts = [points] if points and any(game.rules.score(game.position)) else []
        for color in Color:
            remaining = session.referee.remaining(color, self._clock())
            parts += [] if remaining is None else [tr("terminal.left", side=_SIGNS[color], seconds=f"{remaining:.0f}")]
        if parts:
            self._print("    " + "   ".join(parts))

    def _result(self) -> str:
        session = self._session
        game, winner = session.game, session.referee.winner
        result = tr("terminal.drawn")
        if winner is not None:
            result = tr("terminal.wins", side=side(winner), name=title_of(session.players[winner]))
        if (forfeit := session.referee.forfeit) is not None:
            reason = forfeit.sentence(side(forfeit.color))
            result = reason if winner is None else f"{reason}; {result}"
        result = tr("terminal.result", number=session.referee.job.number, result=result)
        text = f"{result}   {score(game.rules, game.position)}".rstrip()
        if game.outcome is None or not game.outcome.engines_differ:
            return text
        black, white = game.outcome.counted
        return f"{text}   {tr('results.counted', black=black, white=white)}"

    # Input.

    @property
    def _awaits_input(self) -> bool:
        session = self._session
        if session.referee.is_over:
            return not session.players.is_between_computers or session.pace.paused
        return session.awaits_user or session.pace.paused or session.worker.failure is not None

    def _read_input(self) -> None:
        """Carry out the next line, or wait for one or for the computer's move."""
        event = self._session.next_event(self._clock())
        seconds = None if event is None else max(_POLL_SECONDS, event - self._clock())
        if self._awaits_input:
            self._prompt()
            line = self._queued.pop(0) if self._queued else self._lines.next(seconds)
            if line is not None:
                self._is_prompted = self._is_prompted and not self._lines.is_interactive
                self._carry_out(line.strip().lower())
        elif self._lines.is_interactive:
            line = self._lines.next(seconds)
            if line is not None and line.strip().lower() in (*_COMMANDS, *_ALIASES):
                self._carry_out(line.strip().lower())
            elif line is not None:
                self._queued.append(line)
        else:
            time.sleep(_POLL_SECONDS)

    def _prompt(self) -> None:
        if self._is_prompted:
            return
        self._is_prompted = True
        session = self._session
        what = tr("terminal.your_move")
        if session.referee.is_over:
            what = tr("terminal.over")
        elif not session.awaits_user:
            what = tr("terminal.held") if session.worker.failure is None else tr("terminal.failed")
        sign = "" if session.referee.is_over else f"{_SIGNS[session.game.to_move]}: "
        self._console.print(f"{sign}{what}> ", end="", markup=False, highlight=False)

    def _carry_out(self, line: str) -> None:
        command = _ALIASES.get(line, line)
        if command in _SESSION_COMMANDS:
            self._do(command)
        elif command in _COMMANDS:
            getattr(self, f"_{command}")()
        elif command:
            self._play_move(command)

    def _moves(self) -> None:
        self._print(format_transcript(self._session.game) or tr("terminal.no_moves"))

    def _quit(self) -> None:
        self._has_quit = True

    def _do(self, command: str) -> None:
        session = self._session

        def state() -> object:
            return session.history, session.game, session.pace.paused, session.players, session.referee.is_over

        before, self._draw_offer = state(), None
        session.do(_SESSION_COMMANDS[command], self._clock())
        if before == state() and not session.allows(cmd.MoveNow):
            self._print(tr("terminal.nothing", command=command))
        elif command in ("swap", "black", "white"):
            self._print("   ".join(f"{side(color)}: {title_of(session.players[color])}" for color in Color))

    def _draw(self) -> None:
        """Offer a draw. A computer answers at once; a second user accepts by the same command or declines by a move."""
        session, color = self._session, self._session.side_that_may_resign
        if color is None:
            self._print(tr("terminal.nothing", command="draw"))
        elif session.players[color.opponent].is_user and self._draw_offer != session.game:
            self._draw_offer = session.game
            self._print(tr("terminal.draw_offered", side=side(color)))
        elif session.players[color.opponent].is_user or not session.draw_refusal:
            session.do(cmd.AgreeDraw(), self._clock())
        else:
            self._print(tr(f"draw_refused.{session.draw_refusal}", name=title_of(session.players[color.opponent])))

    def _play_move(self, line: str) -> None:
        game = self._session.game
        try:
            move = game.rules.parse_move(game.position, line)
        except TranscriptError as error:
            self._print(f"{error}{nearest(line, _COMMANDS) or ''}")
            return
        legal = game.legal_moves()
        if not self._session.awaits_user:
            self._print(tr("terminal.no_move_now"))
        elif move in legal:
            self._session.do(cmd.PlayMove(move), self._clock())
        else:
            texts = list(map(game.text_of, legal))
            listed = tr("terminal.legal", moves="  ".join(texts)) if len(texts) <= _MAX_LEGAL else ""
            self._print(tr("terminal.illegal", move=game.text_of(move)) + listed)

    def _help(self) -> None:
        game = self._session.game
        example = next(map(game.text_of, game.legal_moves()), None)
        self._print(tr("terminal.help_such_as", move=example) if example else tr("terminal.help"))
        for name in _COMMANDS:
            self._print(f"  {name:<6} {tr(f'terminal.commands.{name}')}")
        self._print(legend(game))

    def _hint(self) -> None:
        """Search the position while it is the user's turn, and print the best moves."""
        session = self._session
        if not session.awaits_user:
            self._print(tr("terminal.hint_for_you"))
            return
        self._print(tr("terminal.looks"))
        session.do(cmd.Analyse(_ADVISER), self._clock())
        while session.awaits_user and not ((report := session.shown_analysis) is not None and report.final):
            session.update(self._clock())
            time.sleep(_POLL_SECONDS)
        report = session.shown_analysis
        session.do(cmd.Analyse(None), self._clock())
        if report is None:
            return
        text = session.game.text_of
        best = sorted(report.moves, key=lambda stats: stats.visits, reverse=True)
        for stats in best[:_MAX_HINTS]:
            count = tr(f"terminal.counted.{counts_of(report.player)}", count=number(stats.visits, ",d"))
            self._print(f"  {text(stats.move):<4} {value_text(stats.value, report.unit, number):>8}  {count}")


def side(color: Color) -> str:
    """Return the name of a side with its sign on the board."""
    return tr(f"terminal.sides.{color.label}")


def board(game: AnyGame) -> Text:
    """Return the board with the last move in brackets.

    Legal moves show the number of captured discs, or a star if only some empty squares are legal.
    """
    rules = game.rules
    columns, rows, block = rules.columns, rules.rows, rules.block_size or max(rules.columns, rules.rows)
    signs = _signs(game)
    cells = [_cell(game, square, signs) for square in map(Square, range(columns * rows))]
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


def _cell(game: AnyGame, square: Square, signs: Mapping[Square, str]) -> Text:
    owner, last = game.rules.owners(game.position)[square], game.last_move
    is_last = last is not None and square in game.rules.squares_of(last)
    if owner is not None or is_last:
        sign, style = (" ", "dim") if owner is None else (_SIGNS[owner], _STYLES[owner])
        return Text(f"[{sign}]" if is_last else f" {sign} ", style)
    return Text(f"{signs[square]:>2} ", "cyan") if square in signs else Text(" . ", "dim")


def _signs(game: AnyGame) -> dict[Square, str]:
    """Return the signs of the empty squares that legal moves enter."""
    rules, owners = game.rules, game.rules.owners(game.position)
    targets = {to: move for move in game.legal_moves() for to in rules.squares_of(move) if owners[to] is None}
    plain = "*" if len(targets) < owners.count(None) else "."
    counts = {square: len(rules.captured(game.position, move)) for square, move in targets.items()}
    return {square: str(count or plain) for square, count in counts.items()}


def legend(game: AnyGame) -> str:
    """Return an explanation of the signs on the board."""
    signs = set(_signs(game).values())
    texts = [tr("terminal.last_move")]
    texts += [tr("terminal.captures")] if signs - {"*", "."} else []
    texts += [tr("terminal.star")] if "*" in signs else []
    return "; ".join(texts)


def score(rules: Rules[Position], position: Any) -> str:
    """Return the points if the game has any, and the owners of small boards."""
    black, white = rules.score(position)
    text = f"{_SIGNS[0]} {black} : {white} {_SIGNS[1]}" if rules.points else ""
    owners = rules.block_owners(position)
    won = (f"{number}: {_SIGNS[owner]}" for number, owner in enumerate(owners, start=1) if owner is not None)
    return f"   {tr('terminal.boards_won')}  ".join(filter(None, (text, ", ".join(won))))


def move_line(game: AnyGame, ply: int, report: SearchReport | None) -> str:
    """Return a line about a move, with the value and size of the search that chose it."""
    move, mover, before = game.moves[ply], game.positions[ply].to_move, game.at(ply)
    if game.rules.is_pass(move):
        return tr("terminal.passes", side=side(mover))
    text = tr("terminal.plays", side=side(mover), move=before.text_of(move))
    if report is None or report.move != move:
        return text
    parts = [text]
    if report.value is not None:
        parts.append(tr("terminal.value", value=value_text(report.value, report.unit, number)))
    if report.simulations:
        parts.append(tr(f"terminal.counted.{counts_of(report.player)}", count=number(report.simulations, ",d")))
    return ", ".join([*parts, f"{number(report.seconds, '.2f')} s"])
