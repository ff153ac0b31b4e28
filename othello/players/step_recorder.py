"""Records of the steps of a player's search.

The search is run again with the same options and the same seed, so that its last step ends in the same move.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from othello.config import PlayerConfig
from othello.errors import PlayerError
from othello.game import AnyGame
from othello.players.heuristic_player import HeuristicPlayer, SimpleHeuristicPlayer
from othello.players.mcts_player import MctsConfig
from othello.players.player import Player, PlayerWrapper, choose
from othello.players.player_registry import computers, create_player, type_of
from othello.players.slicing_player import SlicingPlayer
from othello.rules.protocol import GameSpec, Move, Position, Rules, Square
from othello.search.report import Line, SearchReport
from othello.search.steps import ExitReason, NodeExit, Step
from othello.search.stop import StopFlag


def record_steps(
    config: PlayerConfig,
    game: AnyGame,
    seed: int,
    record: Callable[[Step], None],
    first: int = 1,
    last: int | None = None,
    stop: StopFlag | None = None,
    as_played: bool = False,
) -> SearchReport | None:
    """Search for a move as a player does, and record the steps.

    Args:
        config: the player.
        game: the moves up to the position.
        seed: of the game.
        record: receives the steps in their order.
        first: the first simulation or episode to record, from 1.
        last: the last one; the search then ends. None: the search ends as usual.
        stop: cancels the search.
        as_played: search in the batches that the player uses. Otherwise a batch is one simulation, unless the player's
            options say otherwise.

    Returns:
        The final report; None if the search was cancelled.

    Raises:
        PlayerError: such a player has no steps, or the position is over.
    """
    if game.is_over:
        raise PlayerError("no_steps_at_end")
    stop = stop or StopFlag()
    with create_player(stepped_config(config, game.rules, as_played), game.rules.spec) as player:
        while isinstance(player, PlayerWrapper):
            player = player.inner
        player.new_game(seed)
        if isinstance(player, SlicingPlayer):
            search = player.step_through()
            if player.reuses_tree:  # the search depends on the earlier ones of the game
                for ply in range(game.ply % 2, game.ply, 2):
                    choose(player, game.at(ply))
            search.record_steps(record, first, last)
            return _answer(player, game, stop)
        if not isinstance(player, HeuristicPlayer | SimpleHeuristicPlayer):
            raise PlayerError("no_steps", name=config.name)
        report = _answer(player, game, stop)
        if report is not None:
            for node in _nodes(player, game, report, stop):
                if stop.is_cancelled:
                    return None
                record(node)
        return report


def stepped_kinds(spec: GameSpec) -> list[str]:
    """Return the kinds of players of a game whose searches have steps."""
    classes = SlicingPlayer, HeuristicPlayer, SimpleHeuristicPlayer
    return [kind for kind in computers(spec) if issubclass(type_of(kind), classes)]


def stepped_config(config: PlayerConfig, rules: Rules[Position], as_played: bool = False) -> PlayerConfig:
    """Return the options of a search in steps, with the batch and the solver that a search chooses for itself."""
    if isinstance(config, MctsConfig):
        if config.search_threads > 1:
            raise PlayerError("no_steps_of_threads", name=config.name)
        batch = config.mcts_batch if as_played else config.mcts_batch or 1
        return replace(config, mcts_batch=batch, mcts_solver=config.proves(rules))
    return config


def _answer(player: Player, game: AnyGame, stop: StopFlag) -> SearchReport | None:
    return next((report for report in player.think(game, stop) if report.final), None)


def _nodes(player: Player, game: AnyGame, report: SearchReport, stop: StopFlag) -> Iterator[NodeExit]:
    """Yield the positions of a search in the order in which it leaves them."""
    if not isinstance(player, HeuristicPlayer):
        for stats in report.moves:
            value = -round(stats.value or 0.0)
            yield NodeExit(1, (stats.move,), None, None, value, ExitReason.EVALUATED, _terms(game, (stats.move,)))
        return
    from othello.search.alphabeta import INFINITE
    from othello.search.trace_buffers import ALPHA, BETA, ITERATION, PATH, REASON, VALUE, new_node_trace

    trace = new_node_trace(report.nodes, player.config.depth)
    player.record_nodes(trace)
    _answer(player, game, stop)
    best: int | None = None
    rows = trace.rows[: trace.used[0]]
    iterations = [*rows[1:, ITERATION].tolist(), None]
    for row, following in zip((row.tolist() for row in rows), iterations, strict=True):
        plies = row[ITERATION]
        path = tuple(map(Move, row[PATH : PATH + plies - row[1]]))
        alpha, beta = (None if abs(end) == INFINITE else end for end in (row[ALPHA], row[BETA]))
        reason = ExitReason(row[REASON])
        terms = _terms(game, path, player.config.heuristic_evaluation) if reason is ExitReason.EVALUATED else {}
        yield NodeExit(plies, path, alpha, beta, row[VALUE], reason, terms)
        if len(path) == 1:
            best = -row[VALUE] if best is None else max(best, -row[VALUE])
        if best is not None and following != plies:
            yield NodeExit(plies, (), None, None, best, ExitReason.SEARCHED, {})
            best = None


def _terms(game: AnyGame, path: Line, evaluation: str = "difference") -> Mapping[Square, int]:
    """Return the terms of the evaluation after a path, for the side to move there."""
    rules, position = game.rules, game.after(path).position
    terms = rules.evaluation_terms(position)
    if evaluation == "difference":
        return terms
    owners = rules.owners(position)  # only the squares of the searching side count
    return {square: term for square, term in terms.items() if owners[square] is game.to_move}
