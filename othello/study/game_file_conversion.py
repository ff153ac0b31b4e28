"""Conversion between games of a session and game files."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from othello.config import Config, PlayerConfig
from othello.config_file import config_of_game, entry_of
from othello.errors import GameFileError, OthelloError, quoted
from othello.game import GameTree, Node
from othello.play.assessment import Limits, judged, summary, unanalysed_plies
from othello.play.clock import Clock
from othello.play.history import PositionState, Tree
from othello.play.players import Players
from othello.play.referee import Fault, Forfeit, Referee
from othello.play.session_commands import OpenGame
from othello.records.game_file import Entry, GameFile, PositionData
from othello.rules.protocol import Color, GameSpec

S = TypeVar("S")
T = TypeVar("T")


def game_file_from(tree: Tree, referee: Referee, date: str) -> GameFile:
    """Return a game as a game file; `date`: the start of the game, such as 2026-01-31T18:30:00."""
    result = _result(referee) | _accuracy(tree, referee) | _counts(tree, referee) if referee.is_over else {}
    game = tree.game.rules.name
    return GameFile(
        tree=_map_tree(tree, lambda moment: _position_data(moment, referee.players)),
        players=(entry_of(referee.players[Color.BLACK]), entry_of(referee.players[Color.WHITE])),
        names=(referee.players.title(Color.BLACK, game), referee.players.title(Color.WHITE, game)),
        date=date,
        seed=referee.job.seed,
        opening_plies=min(referee.job.opening_plies, tree.game.ply),
        result=result,
    )


def _result(referee: Referee) -> dict[str, Any]:
    black, white = referee.game.rules.score(referee.game.position)
    result: dict[str, Any] = {"winner": "draw" if referee.winner is None else referee.winner.label}
    result |= {"black": black, "white": white}
    if referee.forfeit is not None:
        forfeit = referee.forfeit
        result |= {"fault": forfeit.fault.name.lower(), "spent": forfeit.spent, "allowed": forfeit.allowed}
        result |= {} if forfeit.reason is None else {"reason": forfeit.reason.english}
    return result


def _accuracy(tree: Tree, referee: Referee) -> dict[str, float]:
    """Return both sides' accuracy if all moves are analysed."""
    opening = referee.job.opening_plies
    if unanalysed_plies(tree, tree.game, opening):
        return {}
    summaries = {color.label: summary(judged(tree, tree.game, opening), color, Limits()) for color in Color}
    return {
        f"{side}_accuracy": round(summary.accuracy, 4) for side, summary in summaries.items() if summary is not None
    }


def _counts(tree: Tree, referee: Referee) -> dict[str, bool]:
    """Return {"counts": False} if others than the two players made some of the moves, as in a pasted game."""
    turns = [*zip(tree.game.moves, tree.along(tree.game), strict=False)][referee.job.opening_plies :]
    own = (tree.game.rules.is_pass(move) or moment.players == referee.players for move, moment in turns)
    return {} if all(own) else {"counts": False}


def _position_data(moment: PositionState, players: Players) -> PositionData:
    """Return a position's data for the file. Times are only stored if the present players had the turn."""
    return PositionData(
        note=moment.note,
        used=moment.clock.spent if moment.players == players else None,
        gained=moment.clock.gained,
        report=moment.report,
        analyses=tuple((entry_of(player), report) for player, report in moment.analyses.items()),
    )


def open_command(file: GameFile) -> OpenGame:
    """Return the command that opens a game file.

    Raises:
        GameFileError: the players or the result are invalid.
    """
    spec = file.rules.spec
    entries = file.players
    if entries is None and file.tree.game.is_over:  # the current players have not played it
        entries = {"player_type": "user"}, {"player_type": "user"}
    config = None if entries is None else _config(entries, spec)
    players = None if config is None else _players_of(config)
    asked: dict[str, PlayerConfig] = {}

    def moment(known: PositionData) -> PositionState:
        analyses = {}
        for entry, report in known.analyses:
            key = json.dumps(entry, sort_keys=True)
            if key not in asked:
                player, _ = _players_of(_config((entry, {**entry, "name": "the other"}), spec))
                asked[key] = replace(player, player_color=None)
            analyses[asked[key]] = report
        clock = Clock() if known.used is None else Clock(known.used, known.gained)
        seated = None if known.used is None or players is None else Players(players)
        return PositionState(seated, clock, known.report, analyses, known.note)

    tree = _map_tree(file.tree, moment)
    plies = min(file.opening_plies, tree.game.ply)
    notices = () if config is None else config.notices
    forfeit = _forfeit(file.result)
    return OpenGame(tree, players, file.seed, plies, forfeit, file.date, waits=True, notices=notices)


def _config(entries: tuple[Entry, Entry], spec: GameSpec) -> Config:
    first, second = entries
    if "name" in first and first["name"] == second.get("name"):  # a computer may have taken over under the same name
        second = {**second, "name": f"{second['name']} 2"}
    try:
        return config_of_game((first, second), spec)
    except OthelloError as error:
        raise GameFileError(error.reason) from None


def _players_of(config: Config) -> tuple[PlayerConfig, PlayerConfig]:
    black, white = config.players
    return _without_files(black), _without_files(white)


def _without_files(player: PlayerConfig) -> PlayerConfig:
    """Remove file names: a foreign file must not refer to files on this machine."""
    changes: dict[str, Any] = dict.fromkeys(player.memory_files)
    return replace(player, **changes) if changes else player


def _forfeit(result: Mapping[str, Any]) -> Forfeit | None:
    if "fault" not in result:
        return None
    faults = {fault.name.lower(): fault for fault in Fault}
    fault = faults.get(result["fault"])
    if fault is Fault.DRAW_AGREED and result["winner"] == "draw":
        return Forfeit(Color.BLACK, fault)
    if fault is None or fault is Fault.DRAW_AGREED or result["winner"] == "draw":
        words = ", ".join(faults)
        raise GameFileError("schema_value", place="result.fault", value=result["fault"], allowed=words, hint=None)
    loser = Color[result["winner"].upper()].opponent
    spent, allowed = float(result.get("spent", 0)), float(result.get("allowed", 0))
    reason = quoted(result["reason"]) if result.get("reason") else None
    return Forfeit(loser, fault, spent, allowed, reason)


def _map_tree(tree: GameTree[S], change: Callable[[S], T]) -> GameTree[T]:
    """Return a tree with other data for every position."""
    return GameTree(tree.game, tree.line, _map_node(tree.root, change), change(tree.blank))


def _map_node(node: Node[S], change: Callable[[S], T]) -> Node[T]:
    children = {move: _map_node(child, change) for move, child in node.children.items()}
    return Node(change(node.known), children)
