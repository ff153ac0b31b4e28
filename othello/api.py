"""The program as a library: functions for games, searches, matches and game files.

Players and rules are written as in config.json. docs/python.md has examples.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello.config_file import config_of
from othello.game import AnyGame, Game
from othello.kernel.interrupt import interruptible
from othello.players.player import final_report
from othello.players.player_registry import create_player
from othello.records.formats.parsed_game import ParsedGame
from othello.records.readers import read_games
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.registry import DEFAULT_GAME, game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment

__all__ = [
    "Game",
    "GameRecord",
    "ParsedGame",
    "SearchReport",
    "as_arrays",
    "new_game",
    "play_match",
    "read_games",
    "search",
]


def new_game(moves: str = "", game: str = DEFAULT_GAME, board: str = "", **rules: Any) -> AnyGame:
    """Return a game after some moves, such as "f5d6c3".

    Args:
        moves: the transcript.
        game: the key of the game in config.json.
        board: the position before the moves. Empty: the start of the game.
        **rules: options of the game that differ from the default.

    Raises:
        OthelloError: the moves, the board or the rules are wrong.
    """
    game_rules = rules_of(game_spec(game, rules))
    return parse_transcript(moves, game_rules, game_rules.parse_position(board) if board else None)


def search(game: AnyGame, player_type: str = "engine", seed: int = 0, **options: Any) -> SearchReport:
    """Search a position by a player, and return its move, the value of every move and the best line.

    Args:
        game: the game, which must not be over.
        player_type: the type of player in config.json.
        seed: the same seed gives the same report, unless time is limited.
        **options: options of the player, such as time_limit_seconds=1.0, depth=12 or level=5.

    Raises:
        OthelloError: there is no such player or option, or the player does not play the game.
    """
    spec, entry = game.rules.spec, {"player_type": player_type, **options}
    document = {"players": [entry, {"player_type": "random"}], "game": spec.game, "rules": dict(spec.options)}
    with create_player(config_of(document).players[0], spec) as player:
        interruptible(player.prepare)
        player.new_game(seed)
        return interruptible(lambda: final_report(player, player.analyse(game, StopFlag())))


def play_match(
    first: Mapping[str, Any] | str, second: Mapping[str, Any] | str, pairs: int = 1, **settings: Any
) -> Iterator[GameRecord]:
    """Play pairs of games with swapped colours, and yield a record after each game.

    Args:
        first: a player as in config.json, such as {"player_type": "mcts_uct", "simulation_count": 1000}, or its type.
        second: the other player.
        pairs: the number of game pairs.
        **settings: other keys of config.json, such as seed=1 or tournament={"opening_plies": 6}.

    Raises:
        OthelloError: a player or a setting is wrong, or a player failed.
    """
    tournament = {"format": "paired", **settings.pop("tournament", {})}
    players = [{"player_type": player} if isinstance(player, str) else player for player in (first, second)]
    document = {"players": players, "game_type": "tournament", "game_repetitions": pairs, **settings}
    yield from Experiment(config_of({**document, "tournament": tournament})).play(SerialExecutor())


def as_arrays(games: Iterable[object]) -> tuple[NDArray[np.uint8] | NDArray[np.uint16], NDArray[np.int16]]:
    """Return the moves and results of games. Other objects, such as errors of `read_games`, are skipped.

    Returns:
        Moves of shape (games, plies) and dtype uint8: squares from 0 (a1), row by row; 64 is a pass on 8 x 8, 255 is
        no move. In games with more than 255 different moves, the dtype is uint16, and 65535 is no move. Results of
        shape (games,) and dtype int16: black's discs minus white's, 0 if unknown.
    """
    parsed_games = [game for game in games if isinstance(game, ParsedGame)]
    plies = max((len(parsed.moves) for parsed in parsed_games), default=0)
    dtype = np.dtype(f"u{max((parsed.rules.move_bytes for parsed in parsed_games), default=1)}")
    moves = np.full((len(parsed_games), plies), np.iinfo(dtype).max, dtype)
    for row, parsed in zip(moves, parsed_games, strict=True):
        row[: len(parsed.moves)] = np.frombuffer(parsed.rules.pack(parsed.moves), f"<u{parsed.rules.move_bytes}")
    return moves, np.array([parsed.difference or 0 for parsed in parsed_games], np.int16)
