"""A session stays consistent after any sequence of commands."""

import random
from dataclasses import replace

import pytest

from othello.errors import Reason
from othello.play import session_commands as cmd
from othello.play.worker import Failed, News, SearchAnswered, SearchProgress, Started
from othello.rules.protocol import Color, Move
from tests.play.fake_players import PERSON, computer, report
from tests.play.session_driver import SessionDriver, drive_session

PLAYERS = (
    PERSON,
    computer("first"),
    replace(PERSON, clock_seconds=20.0, increment_seconds=0.5),
    replace(computer("hurried"), clock_seconds=15.0),
)
LOOKING = (cmd.GoTo(1), cmd.GoTo(4), cmd.Browse(-1), cmd.Browse(1), cmd.Analyse(computer("second")), cmd.Analyse(None))
TAKING_BACK = (cmd.Undo(), cmd.Redo(), cmd.PlayMove(Move(0)))
ACTING = (
    *TAKING_BACK,
    cmd.NewGame(),
    cmd.RestoreGame(),
    cmd.PlayFromHere(),
    cmd.TogglePause(),
    cmd.StepMoves(),
    cmd.MoveNow(),
    cmd.SwapSides(),
    cmd.HandOver(Color.BLACK),
    cmd.HandOver(Color.WHITE),
    cmd.Acknowledge(),
)


@pytest.mark.parametrize("seed", range(30))
def test_a_session_is_consistent_whatever_is_done(seed: int) -> None:
    draw = random.Random(seed)
    driver = drive_session(draw.choice(PLAYERS), draw.choice(PLAYERS), repetitions=draw.choice([1, 3]))
    for _ in range(600):
        session = driver.session
        was_live, before = session.view.is_at_latest, session.game
        command: cmd.SessionCommand | None = None
        if draw.random() < 0.4 and session.awaits_user and was_live:
            command = cmd.PlayMove(draw.choice(session.game.legal_moves()))
        elif draw.random() < 0.6:
            search(driver, draw)
        else:
            command = draw.choice(ACTING + LOOKING)
        if command is not None:
            session.do(command, driver.now)
        if not was_live and isinstance(command, (cmd.Undo, cmd.Redo, cmd.PlayMove)):
            assert session.game is before
        driver.wait(draw.choice([0.0, 0.01, 0.5, 3.0]))
        assert session.view.is_at_latest or not was_live or command in LOOKING
        check(driver)


def search(driver: SessionDriver, draw: random.Random) -> None:
    """Let a search of the game or of the analysis report."""
    script = draw.choice([driver.script, driver.analyst])
    if script.is_asked:
        game, _ = script.requests[-1]
        script.news.append(Started(driver.now))
        final = SearchAnswered(report(game, final=True), driver.now + draw.choice([0.0, 0.1]))
        others: tuple[News, News] = (SearchProgress(report(game)), Failed(Reason("no reason"), driver.now))
        script.news.append(draw.choice([final, final, final, *others]))
        script.is_asked = isinstance(script.news[-1], SearchProgress)


def check(driver: SessionDriver) -> None:
    session = driver.session
    tree, clock, mover = session.history.tree, session.referee.clock, session.game.to_move
    assert tree.game == session.game
    assert tree.line.moves[: session.game.ply] == session.game.moves
    assert min(clock.spent) >= 0
    assert clock.running in (None, mover)
    if session.referee.is_over or session.pace.paused:
        assert clock.running is None or session.allows(cmd.StepMoves)
    elif session.awaits_user:
        assert clock.running is (None if session.clock_waits else mover)
    elif not session.game.must_pass:
        assert session.worker.is_wanted or session.next_event(driver.now) == driver.now
