"""Snapshots of searches: between moves, in files, and in several threads."""

from collections import Counter
from collections.abc import Iterator
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
from othello.search.mcts import Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.report import Line
from othello.search.simulator import ParallelSearch, Simulator
from othello.search.stop import StopFlag
from othello.search.store import NOT_EXPANDED
from othello.search.tree import node_bytes
from othello.search.tree_snapshot import Arrays
from tests.player_factory import MCTS_TYPES
from tests.positions import RULES, SPEC
from tests.simulators import EACH, MAKE, OPENING, C, arrive, go, visits


@EACH
def test_the_subtree_of_the_played_moves_is_kept(search: str) -> None:
    simulator = MAKE[search]()
    go(simulator, Game.new(RULES), count=5000)
    go(simulator, OPENING)
    assert visits(simulator) > 500 + 100
    assert [stats.move for stats in simulator.root_moves()] == list(OPENING.legal_moves())
    assert visits(go(MAKE[search](), OPENING)) == 500


@EACH
def test_a_move_gains_no_visits_by_having_been_played(search: str) -> None:
    simulator = MAKE[search]()
    go(simulator, Game.new(RULES), count=400)
    before = {stats.move: stats.visits for stats in simulator.root_moves()}
    go(simulator, Game.new(RULES).play(Move(19)), count=5000)
    go(simulator, Game.new(RULES), count=1)
    after = {stats.move: stats.visits for stats in simulator.root_moves()}
    assert sum(after.values()) == sum(before.values()) + 1
    assert all(after[move] - before[move] in (0, 1) for move in before)


def siblings(snapshot: Arrays) -> Iterator[list[int]]:
    """Yield the visits of the moves of each node."""
    visits = "edge_visits" if "edge_visits" in snapshot else "visits"
    firsts, lengths, counts = (snapshot[name].tolist() for name in ("first_edge", "edges", visits))
    for first, length in zip(firsts, lengths, strict=True):
        if length not in (0, NOT_EXPANDED):
            yield counts[first : first + length]


@EACH
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 40)), min_size=2, max_size=8), st.integers(0, 99))
def test_no_move_is_repeated_before_all_are_tried(search: str, ways: list[tuple[int, int]], seed: int) -> None:
    simulator = MAKE[search]()
    game: AnyGame = Game.new(RULES)
    go(simulator, game, seed, 2)
    for back, count in ways:
        if back < 0:
            game = game.play(min(simulator.root_moves(), key=lambda stats: stats.visits).move)
        game = game.at(max(0, game.ply - max(0, back)))
        go(simulator, game, seed, count)
    for counts in siblings(simulator.snapshot()):
        assert max(counts) <= 1 or min(counts) >= 1


@EACH
def test_knowledge_survives_in_a_file(search: str, tmp_path: Path) -> None:
    author, path = MAKE[search](), tmp_path / "tree.npz"
    go(author, OPENING, count=2000)
    told, nodes = author.root_moves(), author.nodes
    tree_file.save(path, search, author.snapshot())
    readers = [MAKE[search](), MAKE[search]()]
    for reader in readers:
        loaded = tree_file.load(path, search)
        assert loaded is not None
        reader.load_snapshot(loaded)
        arrive(reader, OPENING, seed=7)
        assert reader.root_moves() == told
        assert reader.nodes == nodes
        reader.simulate(300, 8, StopFlag())
        assert visits(reader) == 2300
    assert readers[0].root_moves() == readers[1].root_moves()


@pytest.mark.parametrize("threads", [2, 3])
@EACH
def test_threads_share_a_count_and_repeat_it(search: str, threads: int) -> None:
    def run() -> Simulator:
        return go(ParallelSearch([MAKE[search]() for _ in range(threads)]), OPENING, count=1001)

    first, second = run(), run()
    assert visits(first) == 1001
    assert first.root_moves() == second.root_moves()
    move = OPENING.legal_moves()[0]
    assert first.principal_variation(move) == second.principal_variation(move)
    assert [stats.move for stats in first.root_moves()] == list(OPENING.legal_moves())
    assert all(stats.value is None or 0 <= stats.value <= 1 for stats in first.root_moves())


@EACH
def test_the_line_of_threads_is_the_best_supported(search: str) -> None:
    simulators = [MAKE[search]() for _ in range(4)]
    together = go(ParallelSearch(simulators), OPENING, count=2000)
    for first in OPENING.legal_moves():
        line = together.principal_variation(first)
        assert len(line) > 2
        for length in range(1, len(line)):
            support: Counter[int] = Counter()
            for simulator in simulators:
                support.update({stats.move: stats.visits for stats in simulator.child_stats(line[:length])})
            assert support[line[length]] == max(support.values())


def test_a_tree_without_room_for_the_way_starts_anew() -> None:
    simulator = TreeSearch(RULES, Uct(C), 2000, memory=60 * node_bytes(RULES))
    go(simulator, Game.new(RULES), count=2000)
    kept = arrive(simulator, OPENING, seed=1)
    assert simulator.simulate(100, 8, StopFlag()) == 100
    assert visits(simulator) >= 100
    assert kept == (visits(simulator) > 100)


@pytest.mark.parametrize("places", [10, 25, 60])
def test_a_tree_that_began_anew_is_still_one_of_its_games(places: int) -> None:
    simulator = TreeSearch(RULES, Uct(C), 2000, memory=places * node_bytes(RULES))
    go(simulator, Game.new(RULES), count=2000)
    go(simulator, OPENING)
    other = Game.new(RULES).play(next(move for move in OPENING.legal_moves() if move in Game.new(RULES).legal_moves()))
    for game in (other, OPENING, other.play(other.legal_moves()[0]), Game.new(RULES)):
        assert [stats.move for stats in go(simulator, game).root_moves()] == list(game.legal_moves())


def test_a_file_is_for_games_from_the_start(tmp_path: Path) -> None:
    player = create_player(configure("mcts_uct", mcts_tree_file=str(tmp_path / "tree.npz")), SPEC)
    with pytest.raises(TreeFileError, match="starts from another position"):
        choose(player, Game.new(RULES, OPENING.position))


def smaller(search: str, simulations: int, memory: int = 1 << 30) -> MctsSearch:
    """Return a search of the same kind with room for so many simulations."""
    if search == "grouping":
        return GraphSearch(RULES, Uct(C), simulations, memory)
    return TreeSearch(RULES, Uct(C) if search == "uct" else Ucb1Tuned(), simulations, memory)


def expanded(snapshot: Arrays) -> list[int]:
    """Return the visits of all nodes with tried moves, in descending order. The root of a tree has none."""
    return sorted(snapshot["visits"][1:][snapshot["tried"][1:] > 0].tolist(), reverse=True)


@EACH
@pytest.mark.parametrize("simulations", [1, 4, 30])
def test_a_smaller_search_takes_over_what_was_visited_most(search: str, simulations: int) -> None:
    author, reader = go(MAKE[search](), Game.new(RULES), count=15_000), smaller(search, simulations)
    told = author.snapshot()
    reader.load_snapshot(told)
    known = reader.snapshot()
    assert len(known["visits"]) < len(told["visits"])
    assert expanded(known) == expanded(told)[: len(expanded(known))]
    MAKE[search]().load_snapshot(known)  # which looks at every count and move
    arrive(reader, Game.new(RULES), seed=1)
    assert reader.root_moves() == author.root_moves()
    reader.simulate(50, 8, StopFlag())
    assert visits(reader) == 15_050


@EACH
def test_what_is_told_leaves_room_for_as_much_again(search: str) -> None:
    simulator = smaller(search, 300)
    for turn in range(6):
        game = Game.new(RULES)
        while game.ply < 20:
            assert arrive(simulator, game, turn)
            simulator.simulate(7, 1, StopFlag())
            game = game.play(game.legal_moves()[turn % len(game.legal_moves())])
        MAKE[search]().load_snapshot(simulator.snapshot())


@pytest.mark.parametrize("player_type", MCTS_TYPES)
def test_every_match_is_written(player_type: str, tmp_path: Path) -> None:
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
def test_a_file_learns_what_it_is_told_to(player_type: str, tmp_path: Path) -> None:
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
        reader = (GraphSearch if player_type == "mcts_grouping" else TreeSearch)(rules, Uct(C), 1000)
        reader.load_snapshot(known)
        reader.set_root((), rules.kernel_state(rules.start()), np.random.SeedSequence(1))
        told = {
            line: {stats.move: (stats.visits, stats.value) for stats in reader.child_stats(line) if stats.visits}
            for line in [(), shared, *results]
        }
        assert sum(count for count, _ in told[()].values()) == at_start
        assert learns != "results" or told == results
        way = [(rules.kernel_state(p), move) for p, move in zip(games[2].positions, shared, strict=False)]
        reader.set_root(way, rules.kernel_state(games[2].position), np.random.SeedSequence(1))
        assert visits(reader) == later


@pytest.mark.parametrize(("search", "memory"), [("uct", 25 * node_bytes(RULES)), ("grouping", 2000)])
def test_a_search_that_outgrew_its_memory_says_that_nothing_is_written(
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
    monkeypatch.setattr(mcts_player, "create_simulator", lambda *_: smaller(search, 2000, memory))
    later = OPENING.play(OPENING.legal_moves()[0])
    with create_player(config, SPEC) as player:
        play(player, Game.new(RULES), later, later.play(later.legal_moves()[0]))
        (told,) = caplog.messages
        assert "tree.npz: nothing is written" in told
        assert path.read_bytes() == before
        play(player, Game.new(RULES))
        assert len(caplog.messages) == 1
