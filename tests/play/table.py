"""A session at a table of the test: its searchers answer when they are told to, its clock only the test moves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from othello.config import Config, PlayerConfig
from othello.game import AnyGame, Game
from othello.play import commands as cmd
from othello.play.pace import PASS_SECONDS
from othello.play.referee import Job
from othello.play.session import Session
from othello.play.thinking import Answered, News, Seat, Started
from othello.records.record import GameRecord
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from othello.search.report import Line
from tests.play.faulty import computer, report
from tests.positions import RULES, parse_board

FIRST, SECOND = computer("first"), computer("second")
# Black plays a1 and white has no move then, while black has h1.
PASS_AHEAD = "-OX-----" + "-" * 48 + "XXXXXXO-" + "X"


@dataclass
class Script:
    """A `Searcher` whose news the test writes."""

    requests: list[tuple[AnyGame, Any]] = field(default_factory=list)
    cancelled: int = 0
    dismissed: list[AnyGame] = field(default_factory=list)
    hurried: int = 0
    is_held: bool = False
    seconds: float | None = None
    prepared: list[str] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    opened: tuple[Line, ...] = ()
    is_busy: bool = False
    is_wanted: bool = False  # whether a request waits for its answer

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        self.prepared += [player.name for player in players]

    def submit(self, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        self.requests.append((game, asked))
        self.is_wanted = True
        self.news.clear()
        self.is_held = False
        self.seconds = seconds

    def hurry(self) -> None:
        self.hurried += 1

    def hold(self, is_held: bool) -> None:
        self.is_held = is_held

    def dismiss(self, game: AnyGame) -> None:
        self.dismissed.append(game)

    def cancel(self) -> None:
        self.cancelled += 1
        self.is_wanted = False
        self.news.clear()

    def look_into(self, lines: Sequence[Line]) -> None:
        self.opened = tuple(lines)

    def poll(self) -> list[News]:
        news, self.news = self.news, []
        return news

    def answer(self, began: float, ended: float) -> None:
        game, _ = self.requests[-1]
        self.news += [Started(began), Answered(report(game, final=True), ended)]
        self.is_wanted = False


@dataclass
class Table:
    """A session with all that belongs to it."""

    script: Script
    session: Session
    records: list[GameRecord]
    analyst: Script = field(default_factory=Script)
    now: float = 0.0

    def do(self, *commands: cmd.SessionCommand) -> None:
        for command in commands:
            self.session.do(command, self.now)
            self.session.update(self.now)

    def wait(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.session.update(self.now)

    def answer(self, thought: float = 0.0) -> None:
        """Let the computer answer, and its answer be played."""
        self.script.answer(self.now, self.now + thought)
        self.wait(thought)
        self.wait(self.session.pace.delay)
        self.wait()

    @property
    def ply(self) -> int:
        return self.session.game.ply


def table(
    black: PlayerConfig, white: PlayerConfig, repetitions: int = 1, delay: float = 0.8, board: str = "", **rules: str
) -> Table:
    script, analyst, records = Script(), Script(), list[GameRecord]()
    start = Game.new(RULES, parse_board(board)) if board else None
    config = Config(
        (black, white), seed=5, game_repetitions=repetitions, move_delay_seconds=delay, game=game_spec(options=rules)
    )
    session = Session(config, script, 0.0, records.append, start=start, analyst=analyst, judge=Script())
    made = Table(script, session, records, analyst)
    made.wait()
    return made


def play_on(made: Table, limit: int = 200) -> None:
    """Play first moves for everybody until the game is over."""
    for _ in range(limit):
        session = made.session
        if session.game.is_over:
            return
        if session.game.must_pass:
            made.wait(PASS_SECONDS)
        elif session.referee.seat.is_user:
            made.do(cmd.PlayMove(session.game.legal_moves()[0]))
        else:
            made.answer()
    raise AssertionError("the game does not end")
