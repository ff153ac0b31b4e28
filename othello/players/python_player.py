"""A Python class as a player: one that the user has registered, or one from an installed package."""

from collections.abc import Iterator
from dataclasses import replace

from othello.config import PlayerConfig
from othello.errors import ForfeitError, ProgramError, errors_as
from othello.game import AnyGame
from othello.players.player import Player, PlayerWrapper
from othello.players.program_player import ProgramConfig, ProgramPlayer
from othello.players.python_class_player import class_errors_as, load_player
from othello.programs.program_registry import Program
from othello.rules.protocol import Position, Rules
from othello.schema import option
from othello.search.report import SearchReport
from othello.search.stop import StopFlag


class PythonConfig(ProgramConfig):
    """Options of Python classes."""

    class_options: str = option(
        "",
        "Options of a python player's class, such as depth=5 style=bold.",
        words={"maxLength": 400},
        is_personal=True,
    )
    in_process: bool = option(
        False,
        "Whether a python player's class plays in this process. That is faster, but a crash ends the whole program.",
        is_personal=True,
    )

    @property
    def registered(self) -> Program:
        program = super().registered
        if not program.class_name:
            raise ProgramError("program_no_class", name=program.name)
        return replace(program, command=(*program.command, *self.class_options.split()))


class PythonPlayer(ProgramPlayer):
    """Runs a class in its own process, like any other external program."""

    player_type = "python"
    title = "Python class"
    description = "a Python class, by its registered or installed name"
    config_type = PythonConfig

    @classmethod
    def create(cls, config: PlayerConfig, rules: Rules[Position]) -> Player:
        assert isinstance(config, PythonConfig)
        if not config.in_process:
            return cls(config, rules)
        program = config.registered
        with errors_as(ProgramError, "in_name", ProgramError, name=program.name):
            player = load_player(program.class_name, config.class_options, rules, program.folder)
        return _InProcess(config, player)


class _InProcess(PlayerWrapper):
    """Runs a class in this process. Exceptions lose its game, but a crash ends the whole program."""

    player_type = PythonPlayer.player_type

    def new_game(self, seed: int) -> None:
        with class_errors_as(ForfeitError):
            super().new_game(seed)

    def game_over(self, game: AnyGame) -> None:
        with class_errors_as(ForfeitError):
            super().game_over(game)

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        with class_errors_as(ForfeitError):
            for report in self._ask_inner(game, stop, limit, judge_all):
                yield replace(report, player=self.player_type)
