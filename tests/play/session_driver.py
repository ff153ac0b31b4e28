"""A session for tests: the test gives the answers of searches and moves the clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from othello.config import Config, PlayerConfig
from othello.game import AnyGame, Game
from othello.play import session_commands as cmd
from othello.play.playback import PASS_SECONDS
from othello.play.referee import GameJob
from othello.play.session import Session
from othello.play.worker import News, PlayerRequest, SearchAnswered, Started, Worker
from othello.records.record import GameRecord
from othello.rules.protocol import Move
from tests.play.fake_players import computer, report
from tests.positions import RULES, parse_board

FIRST, SECOND = computer("first"), computer("second")
# Black plays a1 and white has no move then, while black has h1.
PASS_AHEAD = "-OX-----" + "-" * 48 + "XXXXXXO-" + "X"
BEFORE_PASS: AnyGame = Game.new(RULES, parse_board(PASS_AHEAD))


class ScriptedWorker(Worker):
    """A worker without a thread: the test reads its requests and writes its messages."""

    def __init__(self) -> None:
        self.requests: list[tuple[AnyGame, Any]] = []
        self.cancelled = self.hurried = 0
        self.dismissed: list[AnyGame] = []
        self.prepared: list[str] = []
        self.news: list[News] = []
        self.expects_news = False
        self.is_asked = False  # whether a request waits for its answer
        super().__init__()

    def _start_thread(self, ready: object) -> Any:
        return self

    def give(self, job: Any) -> None:
        if isinstance(job, tuple):
            self.prepared.append(job[0].name)
        elif isinstance(job, Game):
            self.dismissed.append(job)
        else:
            self.requests.append((job.game, job.asked))
            self.is_asked = True

    def read(self) -> list[tuple[None, News]]:
        news, self.news = self.news, []
        return [(None, item) for item in news]

    thinking = None  # no request is running

    def move_now(self) -> None:
        self.hurried += self.is_wanted
        super().move_now()

    def cancel(self) -> None:
        if self.is_wanted and self.ended_at is None:
            self.cancelled += 1
            self.is_asked = False
            self.news.clear()
        super().cancel()

    def submit(self, game: AnyGame, asked: PlayerRequest | GameJob, seconds: float | None = None) -> None:
        super().submit(game, asked, seconds)
        self.news.clear()

    @property
    def is_busy(self) -> bool:
        return self.expects_news and not self.is_paused

    def answer_last(self, began: float, ended: float) -> None:
        game, _ = self.requests[-1]
        self.news += [Started(began), SearchAnswered(report(game, final=True), ended)]
        self.is_asked = False


Step = cmd.SessionCommand | Callable[["SessionDriver"], object]


@dataclass
class SessionDriver:
    """A session with its workers and clock."""

    script: ScriptedWorker
    session: Session
    records: list[GameRecord]
    analyst: ScriptedWorker = field(default_factory=ScriptedWorker)
    now: float = 0.0

    def do(self, *steps: Step) -> None:
        for step in steps:
            if isinstance(step, cmd.SessionCommand):
                self.session.do(step, self.now)
                self.session.update(self.now)
            else:
                step(self)

    def play(self, *moves: int) -> None:
        """Play moves, by default the first legal one."""
        for move in moves or self.session.game.legal_moves()[:1]:
            self.do(cmd.PlayMove(Move(move)))

    def report(self, *news: News) -> None:
        """Let the search send messages."""
        self.script.news += news
        self.wait()

    def cover(self, is_covered: bool, seconds: float = 0.0) -> None:
        version = self.session.version
        self.session.set_covered(is_covered, self.now)
        assert self.session.referee.job.is_rated or self.session.version > version
        self.wait()
        self.wait(seconds)

    def wait(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.session.update(self.now)

    def answer(self, thought: float = 0.0) -> None:
        """Let the computer answer, and play the answer."""
        self.script.answer_last(self.now, self.now + thought)
        self.wait(thought)
        self.wait(self.session.pace.delay)
        self.wait()

    @property
    def ply(self) -> int:
        return self.session.game.ply


def drive_session(
    black: PlayerConfig, white: PlayerConfig, *steps: Step, config: Mapping[str, Any] | None = None, **session: Any
) -> SessionDriver:
    """Start a session, and take the first steps in it."""
    settings = {"seed": 5, "move_delay_seconds": 0.8, **(config or {})}
    script, analyst, records = ScriptedWorker(), ScriptedWorker(), list[GameRecord]()
    session |= {"analyst": analyst, "game_analyst": ScriptedWorker()}
    started = Session(Config((black, white), **settings), script, 0.0, records.append, **session)
    driver = SessionDriver(script, started, records, analyst)
    driver.wait()
    driver.do(*steps)
    return driver


def play_on(driver: SessionDriver, limit: int = 200) -> None:
    """Play the first legal moves of both sides until the game is over."""
    for _ in range(limit):
        session = driver.session
        if session.game.is_over:
            return
        if session.game.must_pass:
            driver.wait(PASS_SECONDS)
        elif session.referee.player.is_user:
            driver.play()
        else:
            driver.answer()
    raise AssertionError("the game does not end")


def play(name: str = "") -> Step:
    """Return a step that plays a move, by default the first legal one."""

    def step(driver: SessionDriver) -> None:
        game = driver.session.game
        driver.do(cmd.PlayMove(game.rules.parse_move(game.position, name) if name else game.legal_moves()[0]))

    return step


def wait(seconds: float) -> Step:
    return lambda driver: driver.wait(seconds)


def answer(thought: float = 0.0) -> Step:
    return lambda driver: driver.answer(thought)


def start_search(driver: SessionDriver) -> None:
    driver.report(Started(driver.now))
