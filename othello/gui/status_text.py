"""The state of a game in sentences, addressed to the user if exactly one plays."""

from collections.abc import Iterator

from othello.gui.labels import fault, last_move, outcome, player_name, side
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players.player_registry import PLAYERS, type_title
from othello.programs.program_registry import is_mute
from othello.rules.protocol import Color
from othello.texts import joined, tr


def person(session: Session) -> Color | None:
    """Return the side of the only user; None if no user plays, or two."""
    sides = [color for color in Color if session.players[color].is_user]
    return sides[0] if len(sides) == 1 else None


def contender(session: Session) -> Color | None:
    """Return the side of the only user; None if there are two or none, or if other players began the game."""
    return person(session) if session.history.is_played_here else None


def occasion(session: Session, *, has_details: bool) -> str:
    """Return the number of the game in this window; with details also its seed."""
    game, games = session.referee.job.number, session.jobs.config.game_repetitions
    text = tr("results.game_of", game=game, games=games) if 1 < games >= game else tr("results.game", game=game)
    return f"{text} · {tr('results.seed', seed=session.referee.job.seed)}" if has_details else text


def status(session: Session, typing: str, counts: int) -> str:
    """Return the status of the game in one or two sentences.

    Args:
        session: the game.
        typing: what to type next; empty if no move is half typed.
        counts: number of sides (0, 1 or 2) whose captures the squares show.
    """
    notice = session.not_recorded or session.worker.save_failure
    if notice is not None:
        return notice.sentence()
    if typing:
        return typing
    note = session.history.tree.known(session.view.shown).note
    if note:
        return tr("note.shown", note=note)
    if not session.view.is_at_latest:
        meanwhile = tr("status.meanwhile", name=_mover(session)) if session.worker.is_running else ""
        return joined(tr("status.past"), meanwhile)
    if session.referee.is_over:
        return joined(*_end(session), next_game(session), tr("status.way_on") if session.referee.job.is_rated else "")
    if session.worker.failure is not None:
        return tr("status.silent" if is_mute(session.worker.failure) else "status.failed", name=_mover(session))
    if session.game.must_pass:
        is_own = person(session) is session.game.to_move
        return tr("status.you_pass") if is_own else tr("status.passes", name=_mover(session))
    last = _last_move(session)
    return joined(last, *_turn(session, counts=0 if last else counts))


def history_label(session: Session) -> str:
    """Return the label of the shown position; empty if it is the game's latest."""
    if session.view.is_at_latest:
        return ""
    if session.view.is_in_variation:
        return tr("past.aside", ply=session.view.shown.number)
    if not session.view.shown.ply:
        return tr("past.start")
    return tr("past.move", ply=session.view.shown.number, plies=session.history.tree.line.number)


def ending(session: Session) -> str:
    """Return the result of the game in a few words."""
    user, winner = contender(session), session.referee.winner
    if user is None or winner is None:
        return outcome(session.game.rules, winner)
    return tr("results.you_win" if user is winner else "results.you_lose")


def next_game(session: Session) -> str:
    """Return the players of the next game; empty if they do not change."""
    players, rules = session.next_players, session.game.rules
    if players == session.players:
        return ""
    sides = (tr("named", name=side(rules, color), words=player_name(rules, players, color)) for color in Color)
    black, white = sides
    return tr("status.next_game", black=black, white=white)


def counted(session: Session) -> str:
    """Return the score as engines count it if it differs from the board; otherwise an empty string."""
    end = session.game.outcome
    if end is None or not end.engines_differ:
        return ""
    black, white = end.counted
    return tr("results.counted", black=black, white=white)


def no_move(session: Session) -> tuple[str, str]:
    """Return a title and a text which say that the side to move must pass."""
    rules, color, user = session.game.rules, session.game.to_move, person(session)
    name, other = side(rules, color), side(rules, color.opponent)
    if user is color:
        return tr("pass.your_title"), tr("pass.your_text", other=other)
    return tr("pass.title", side=name), tr("pass.text" if user is None else "pass.their_text", side=name, other=other)


def _mover(session: Session) -> str:
    """Return the name of the side to move, or of its player if that says more."""
    rules, color = session.game.rules, session.game.to_move
    name, color_name = player_name(rules, session.players, color), side(rules, color)
    return name if name == color_name or person(session) is not None else tr("status.mover", side=color_name, name=name)


def _end(session: Session) -> Iterator[str]:
    """Yield sentences about the end of the game."""
    end, result = session.game.outcome, ending(session)
    if session.referee.forfeit is not None:
        reason = fault(session.game.rules, session.referee.forfeit, contender(session))
        yield tr("status.forfeit", fault=reason, result=result)
    elif end is not None:
        first, second = (side(session.game.rules, color) for color in Color)
        score = tr("results.score", first=first, black=end.black, white=end.white, second=second)
        has_points = session.game.rules.points
        yield tr("status.result" if has_points else "status.ended", result=result, score=score)
        yield tr("sentence", words=more) if (more := counted(session)) else ""


def _last_move(session: Session) -> str:
    """Return the last move in words; empty if a user played it."""
    game = session.game
    mover = game.to_move.opponent
    if not session.history.is_begun:
        return tr("status.restores") if session.allows(cmd.RestoreGame) else ""
    players = session.history.tree.known(game.at(game.ply - 1)).players or session.players
    if game.rules.is_pass(game.moves[-1]):
        is_own = players[mover].is_user and person(session) is not None
        return tr("status.you_passed") if is_own else tr("status.passed", side=side(game.rules, mover))
    if players[mover].is_user:
        return ""
    return tr("status.played", name=player_name(game.rules, players, mover), move=last_move(game))


def own_move(session: Session) -> str:
    """Return the move that led to the shown position; empty if the status line says it."""
    game = session.view.shown
    if not game.ply:
        return ""
    mover = game.at(game.ply - 1).to_move
    if game.rules.is_pass(game.moves[-1]):
        return "" if session.view.is_at_latest else tr("status.passed", side=side(game.rules, mover))
    players = session.history.tree.known(game.at(game.ply - 1)).players or session.players
    if session.view.is_at_latest and not session.referee.is_over and not players[mover].is_user:
        return ""
    return tr("spoken.played", side=side(game.rules, mover), move=last_move(game))


def _prepared(session: Session, name: str) -> str:
    """Return the displayed name of a player: one of the two, or the player of a hint or an analysis."""
    color = next((color for color in Color if session.players[color].name == name), None)
    if color is not None:
        return player_name(session.game.rules, session.players, color)
    return type_title(name) if name in PLAYERS else name


def _turn(session: Session, *, counts: int) -> Iterator[str]:
    """Yield sentences about the turn, and about reasons for a delay."""
    preparing = session.worker.preparing
    if session.is_drawing:
        yield tr("status.drawing")
    elif session.referee.player.is_user:
        is_paused = session.pace.paused and not session.players.is_between_computers
        is_own = person(session) is not None
        name = side(session.game.rules, session.game.to_move)
        yield tr("status.your_move") if is_own else tr("status.to_move", side=name)
        yield tr("status.held") if is_paused else ""
        yield tr("status.clock_waits") if session.clock_waits and session.referee.player.clock_seconds else ""
        yield tr("status.preparing_meanwhile", player=_prepared(session, preparing)) if preparing is not None else ""
        numbers = ("", tr("status.numbers"), tr("status.numbers_of_both"))[counts]
        yield numbers if not is_paused and preparing is None else ""
    elif session.pace.paused:
        yield tr("status.paused")
    elif preparing is not None:
        is_program = isinstance(session.referee.player, PLAYERS["external"].config_type)
        yield tr("status.starting", name=_mover(session)) if is_program else tr("status.preparing")
    else:
        yield tr("status.thinking" if session.worker.is_running else "status.waiting", name=_mover(session))
