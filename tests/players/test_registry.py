"""Players describe themselves: what every list of players, options and rules takes from them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from othello import config_file
from othello.errors import ConfigError, PlayerError, Reason
from othello.game import AnyGame, Game
from othello.players import player_registry
from othello.players.learning_player import LearningPlayer
from othello.players.player import ComputerConfig, Player, PlayerWrapper
from othello.players.player_registry import PLAYERS, configure, create_player
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Move, Position, Rules
from othello.rules.registry import game_spec
from othello.schema import option, options_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.command_line import RANDOM, write_config
from tests.positions import RULES, SPEC


class PatientConfig(ComputerConfig):
    patience: int = option(3, "How many moves it waits.", 1, 9)


class Patient(RandomPlayer):
    player_type = "patient"
    title = "Patient"
    description = "nothing like it"
    config_type = PatientConfig
    config: PatientConfig

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        return None if rules.columns > 9 else Reason("the board is too small")


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Return a player that is one class and one line of the registry."""
    monkeypatch.setitem(PLAYERS, "patient", Patient)
    for key, value in options_of(PatientConfig).items():
        monkeypatch.setitem(player_registry.OPTIONS, key, value)
    config_file.config_schema.cache_clear()
    yield
    config_file.config_schema.cache_clear()


def load(folder: Path, **player: Any) -> Any:
    return config_file.load(write_config(folder, players=[RANDOM, player]))


@pytest.mark.usefixtures("newcomer")
def test_a_new_player_is_read_and_refused_like_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"players\[1\]: patient cannot play this game: the board is too"):
        load(tmp_path, player_type="patient")
    with pytest.raises(PlayerError, match="the board is too small"):
        create_player(configure("patient"), SPEC)
    monkeypatch.setattr(Patient, "plays", lambda _: None)
    assert load(tmp_path, player_type="patient", patience=5).players[1] == PatientConfig(
        "patient", player_color=load(tmp_path, player_type="random").players[1].player_color, patience=5
    )
    with pytest.raises(ConfigError, match=r"players\[1\]\.patience: is 10; allowed: a whole number from 1 to 9"):
        load(tmp_path, player_type="patient", patience=10)
    with pytest.raises(ConfigError, match=r"players\[1\]\.patence: unknown key; did you mean patience"):
        load(tmp_path, player_type="patient", patence=5)
    assert "only used by patient" in load(tmp_path, player_type="random", patience=5).notices[0]


class Cautious(PlayerWrapper):
    """Asks the other player, and says that it did."""

    key = "patience"

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        return None if rules.columns == 8 else Reason("the board is no chess board")

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        for report in self._ask_inner(game, stop, limit, judge_all):
            yield replace(report, player=f"cautious {report.player}")


@pytest.mark.usefixtures("newcomer")
def test_a_new_wrapper_is_a_class_and_a_line_and_a_person_is_no_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_registry, "WRAPPERS", (*player_registry.WRAPPERS, Cautious))
    monkeypatch.setattr(Patient, "plays", lambda _: None)
    with create_player(configure("patient", endgame_empties=4), SPEC) as player:
        assert isinstance(player, Cautious)
        player.new_game(7)
        player.expanded_lines = ((Move(1),),)
        endgame = player.inner
        assert isinstance(endgame, PlayerWrapper)
        assert (endgame.key, endgame.inner.seed, endgame.inner.expanded_lines) == ("endgame_empties", 7, ((1,),))
        for ask in (player.think, player.analyse):
            assert [report.player for report in ask(Game.new(RULES), StopFlag())] == ["cautious patient"]
    with pytest.raises(PlayerError, match="patience: the board is no chess board"):
        create_player(configure("patient"), game_spec("tictactoe"))
    with pytest.raises(PlayerError, match="endgame_empties: endgames of Tic-tac-toe cannot be solved"):
        create_player(configure("random", endgame_empties=4), game_spec("tictactoe"))
    with pytest.raises(ValueError, match="user"):
        create_player(configure("user"), SPEC)


def test_a_wrapper_passes_everything_to_the_inner_player() -> None:
    inner = Mock(Player, rules=RULES)
    inner.think.return_value = inner.analyse.return_value = ()
    player, game = Cautious(PatientConfig("patient"), inner), Game.new(RULES)
    player.prepare()
    player.compile_jobs()
    player.new_game(7)
    assert [*player.think(game, StopFlag()), *player.analyse(game, StopFlag())] == []
    player.game_over(game)
    player.release()
    passed = ["prepare", "compile_jobs", "new_game", "think", "analyse", "game_over", "release"]
    assert [name for name, *_ in inner.method_calls] == passed


@pytest.mark.parametrize("learner", ["q_learning", "sarsa"])
def test_learners_pass_their_options_to_the_search(learner: str) -> None:
    given = {"learning_epsilon": 0.2, "learning_rate_start": 0.7, "learning_rate_end": 0.3, "learning_discount": 0.9}
    player = create_player(configure(learner, **given), game_spec("tictactoe"))
    assert isinstance(player, LearningPlayer)
    assert player._new_simulator()._lessons[1:5] == (0.2, 0.7, 0.3, 0.9)
