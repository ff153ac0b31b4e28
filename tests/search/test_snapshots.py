"""Snapshots of searches: between moves, in files, and in several threads."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from othello.errors import TreeFileError
from othello.game import AnyGame, Game
from othello.players import mcts_player
from othello.players.player import Player, choose
from othello.players.player_registry import configure, create_player
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search import tree_file
from othello.search.report import Line
from othello.search.simulator import ParallelSearch, Simulator
from othello.search.stop import StopFlag
from othello.search.store import NOT_EXPANDED
from othello.search.tree import node_bytes
from othello.search.tree_snapshot import Arrays
from tests.player_factory import MCTS_TYPES
from tests.positions import RULES, SPEC
from tests.simulators import EACH, OPENING, go, new_search, set_root, visits


@EACH
def test_a_search_keeps_the_subtree_of_the_played_moves(search: str) -> None:
    simulator = new_search(search)
    go(simulator, Game.new(RULES), count=5000)
    go(simulator, OPENING)
    assert visits(simulator) > 500 + 100
    assert [stats.move for stats in simulator.root_moves()] == list(OPENING.legal_moves())
    assert visits(go(new_search(search), OPENING)) == 500


@EACH
def test_a_move_gains_no_visits_by_having_been_played(search: str) -> None:
    simulator = new_search(search)
    go(simulator, Game.new(RULES), count=400)
    before = {stats.move: stats.visits for stats in simulator.root_moves()}
    go(simulator, Game.new(RULES).play(Move(19)), count=5000)
    go(simulator, Game.new(RULES), count=1)
    after = {stats.move: stats.visits for stats in simulator.root_moves()}
    assert sum(after.values()) == sum(before.values()) + 1
    assert all(after[move] - before[move] in (0, 1) for move in before)


@EACH
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 40)), min_size=2, max_size=8), st.integers(0, 99))
def test_no_move_is_repeated_before_all_are_tried(search: str, ways: list[tuple[int, int]], seed: int) -> None:
    simulator = new_search(search)
    game: AnyGame = Game.new(RULES)
    go(simulator, game, seed, 2)
    for back, count in ways:
        if back < 0:
            game = game.play(min(simulator.root_moves(), key=lambda stats: stats.visits).move)
        game = game.at(max(0, game.ply - max(0, back)))
        go(simulator, game, seed, count)
    snapshot = simulator.snapshot()
    counts = snapshot.get("edge_visits", snapshot["visits"])
    for first, length in zip(snapshot["first_edge"].tolist(), snapshot["edges"].tolist(), strict=True):
        siblings = counts[first : first + length] if length != NOT_EXPANDED else counts[:0]
        assert not siblings.size or siblings.max() <= 1 or siblings.min() >= 1


@EACH
def test_knowledge_survives_in_a_file(search: str, tmp_path: Path) -> None:
    author, path = new_search(search), tmp_path / "tree.npz"
    go(author, OPENING, count=2000)
    moves, nodes = author.root_moves(), author.nodes
    tree_file.save(path, search, author.snapshot())
    readers = [new_search(search), new_search(search)]
    for reader in readers:
        loaded = tree_file.load(path, search)
        assert loaded is not None
        reader.load_snapshot(loaded)
        set_root(reader, OPENING, seed=7)
        assert reader.root_moves() == moves
        assert reader.nodes == nodes
        reader.simulate(300, 8, StopFlag())
        assert visits(reader) == 2300
    assert readers[0].root_moves() == readers[1].root_moves()


@pytest.mark.parametrize("threads", [2, 3])
@EACH
def test_threads_share_a_count_and_repeat_it(search: str, threads: int) -> None:
    def run() -> Simulator:
        return go(ParallelSearch([new_search(search) for _ in range(threads)]), OPENING, count=1001)

    first, second = run(), run()
    assert visits(first) == 1001
    assert first.root_moves() == second.root_moves()
    move = OPENING.legal_moves()[0]
    assert first.principal_variation(move) == second.principal_variation(move)
    assert [stats.move for stats in first.root_moves()] == list(OPENING.legal_moves())
    assert all(stats.value is None or 0 <= stats.value <= 1 for stats in first.root_moves())


@EACH
def test_the_line_of_threads_is_the_best_supported(search: str) -> None:
    simulators = [new_search(search) for _ in range(4)]
    together = go(ParallelSearch(simulators), OPENING, count=2000)
    for first in OPENING.legal_moves():
        line = together.principal_variation(first)
        assert len(line) > 2
        for length in range(1, len(line)):
            support: Counter[int] = Counter()
            for simulator in simulators:
                support.update({stats.move: stats.visits for stats in simulator.child_stats(line[:length])})
            assert support[line[length]] == max(support.values())


@pytest.mark.parametrize("places", [10, 25, 60])
def test_a_tree_without_room_for_the_path_starts_anew(places: int) -> None:
    simulator = new_search("uct", RULES, 2000, memory=places * node_bytes(RULES))
    go(simulator, Game.new(RULES), count=2000)
    has_path = set_root(simulator, OPENING)
    assert simulator.simulate(500, 8, StopFlag()) == 500
    assert visits(simulator) > 500 if has_path else visits(simulator) == 500
    other = Game.new(RULES).play(next(move for move in OPENING.legal_moves() if move in Game.new(RULES).legal_moves()))
    for game in (other, OPENING, other.play(other.legal_moves()[0]), Game.new(RULES)):
        assert [stats.move for stats in go(simulator, game).root_moves()] == list(game.legal_moves())


def test_a_tree_file_is_for_games_from_the_start(tmp_path: Path) -> None:
    player = create_player(configure("mcts_uct", mcts_tree_file=str(tmp_path / "tree.npz")), SPEC)
    with pytest.raises(TreeFileError, match="starts from another position"):
        choose(player, Game.new(RULES, OPENING.position))


def expanded(snapshot: Arrays) -> list[int]:
    """Return the visits of all nodes with tried moves, in descending order. The root of a tree has none."""
    return sorted(snapshot["visits"][1:][snapshot["tried"][1:] > 0].tolist(), reverse=True)


@EACH
@pytest.mark.parametrize("simulations", [1, 4, 30])
def test_a_smaller_search_keeps_the_most_visited_nodes(search: str, simulations: int) -> None:
    author, reader = go(new_search(search), Game.new(RULES), count=15_000), new_search(search, RULES, simulations)
    learned = author.snapshot()
    reader.load_snapshot(learned)
    known = reader.snapshot()
    assert len(known["visits"]) < len(learned["visits"])
    assert expanded(known) == expanded(learned)[: len(expanded(known))]
    new_search(search).load_snapshot(known)  # which looks at every count and move
    set_root(reader, Game.new(RULES))
    assert reader.root_moves() == author.root_moves()
    reader.simulate(50, 8, StopFlag())
    assert visits(reader) == 15_050


@EACH
def test_a_nearly_full_search_still_has_valid_snapshots(search: str) -> None:
    simulator = new_search(search, RULES, 300)
    for turn in range(6):
        game = Game.new(RULES)
        while game.ply < 20:
            assert set_root(simulator, game, turn)
            simulator.simulate(7, 1, StopFlag())
            game = game.play(game.legal_moves()[turn % len(game.legal_moves())])
        new_search(search).load_snapshot(simulator.snapshot())


@pytest.mark.parametrize("player_type", MCTS_TYPES)
def test_a_tree_file_is_written_after_every_game(player_type: str, tmp_path: Path) -> None:
    path, before = tmp_path / "tree.npz", b""
    for seed in range(6):
        with create_player(configure(player_type, mcts_tree_file=str(path), simulation_count=3), SPEC) as player:
            player.new_game(seed)
            game, draw = Game.new(RULES), np.random.default_rng(seed)
            while not game.is_over:
                move = choose(player, game).move if game.to_move is Color.BLACK else draw.choice(game.legal_moves())
                game = game.play(Move(int(move)))
            player.game_over(game)
        assert path.read_bytes() != before
        before = path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("player_type", MCTS_TYPES)
def test_a_tree_file_learns_from_searches_or_results_or_both(player_type: str, tmp_path: Path) -> None:
    """Of results, each move of a finished game is a visit with the result, and nothing else is known."""
    rules = rules_of(game_spec("tictactoe"))
    games = [
        parse_transcript(moves, rules, rules.start()) for moves in ("a1 b1 a2 b2 a3", "a1 b1 a2 b2 c3 b3", "a1 b1")
    ]
    results: dict[Line, dict[Move, tuple[int, float]]] = {}
    for winner, game in zip(Color, games, strict=False):
        for ply, move in enumerate(game.moves):
            games_before, value = results.setdefault(game.moves[:ply], {}).get(move, (0, 0.0))
            points = float(game.positions[ply].to_move is winner)
            value = (games_before * value + points) / (games_before + 1)
            results[game.moves[:ply]][move] = games_before + 1, value
    shared = games[2].moves
    for learns, at_start, later in (("searches", 0, 120), ("results", 2, 2), ("both", 2, 122)):
        path = tmp_path / f"{learns}.npz"
        config = configure(player_type, mcts_tree_file=str(path), mcts_tree_file_updates=learns, simulation_count=40)
        for part in games[:1], games[1:]:
            with create_player(config, rules.spec) as player:
                for game in part:
                    choose(player, game.at(len(shared)))
                    player.game_over(game)
        known = tree_file.load(path, f"{player_type}, tictactoe, size 3, win_length 3")
        assert known is not None
        reader = new_search(player_type.removeprefix("mcts_"), rules, 1000)
        reader.load_snapshot(known)
        set_root(reader, Game.new(rules))
        learned = {
            line: {stats.move: (stats.visits, stats.value) for stats in reader.child_stats(line) if stats.visits}
            for line in [(), shared, *results]
        }
        assert sum(count for count, _ in learned[()].values()) == at_start
        assert learns != "results" or learned == results
        set_root(reader, games[2])
        assert visits(reader) == later


@pytest.mark.parametrize(("search", "memory"), [("uct", 25 * node_bytes(RULES)), ("grouping", 2000)])
def test_a_search_that_outgrew_its_memory_writes_no_file_and_says_so(
    search: str, memory: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tree.npz"
    config = configure(f"mcts_{search}", mcts_tree_file=str(path), simulation_count=100)

    def play(player: Player, *games: AnyGame) -> None:
        for game in games:
            choose(player, game)
        player.game_over(games[-1])

    with create_player(config, SPEC) as player:
        play(player, OPENING)
    before = path.read_bytes()
    monkeypatch.setattr(mcts_player, "create_simulator", lambda *_: new_search(search, RULES, 2000, memory=memory))
    later = OPENING.play(OPENING.legal_moves()[0])
    with create_player(config, SPEC) as player:
        play(player, Game.new(RULES), later, later.play(later.legal_moves()[0]))
        (learned,) = caplog.messages
        assert "tree.npz: nothing is written" in learned
        assert path.read_bytes() == before
        play(player, Game.new(RULES))
        assert len(caplog.messages) == 1
