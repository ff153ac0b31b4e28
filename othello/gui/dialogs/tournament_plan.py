"""A tournament as somebody sets it up in the window: what was chosen, and the config that it amounts to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from othello.config import FREE_LENGTH_FORMATS, Config, ExistingOutput, PlayerConfig
from othello.config_file import config_of, load
from othello.errors import ConfigError
from othello.gui.dialogs.game_choice import ChosenRules
from othello.gui.dialogs.player_form import SAME_NAME, form_of, free_name, parts_of, player_of
from othello.play.library import data_folder
from othello.players import levels
from othello.players.registry import configure, refusal
from othello.reading import is_file
from othello.records.results import SUFFIXES, check_output
from othello.resources import default_config
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES
from othello.texts import say
from othello.writing import write_text

MOST_PLAYERS: Final = 12
LEVEL: Final = "level."
"""Before the number of a level, where another player has its type."""
_CONFIG: Final = ".config.json"


@dataclass
class Plan(ChosenRules):
    """What was chosen so far.

    Attributes:
        forms: the players; `player_type` may be a level too.
        format: who plays whom, how often; see `TournamentConfig`.
        games_per_pair: for formats that take such a number.
        rounds: how many times the whole is repeated.
        opening_plies: random moves before each game.
        processes: games at the same time, 0 for one a processor core.
        results: the results file; a name alone is one in the usual folder, nothing means that none is kept.
    """

    forms: list[dict[str, Any]]
    format: str = "round_robin"
    games_per_pair: int = 2
    rounds: int = 1
    opening_plies: int = 0
    processes: int = 0
    results: str = field(default_factory=lambda: f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl")

    @property
    def path(self) -> Path | None:
        """Where the results go."""
        name = self.results.strip()
        if not name:
            return None
        return results_folder() / (name if name.endswith(SUFFIXES) else f"{name}{SUFFIXES[-1]}")

    def players(self) -> Iterator[PlayerConfig]:
        """Everybody, no two levels with one name.

        Raises:
            OthelloError: a form describes no player of this game.
        """
        names: set[str] = set()
        for form in self.forms:
            kind = form["player_type"]
            if kind.startswith(LEVEL):
                level = int(kind.removeprefix(LEVEL))
                name = form["name"] or free_name(say(f"levels.{level}"), names)
                player = levels.opponent(level, name)
            else:
                player = player_of(form, {}, names)
                reason = refusal(player, self.spec)
                if reason:
                    raise ConfigError(reason)
            if player.is_named and player.name in names:
                raise ConfigError(SAME_NAME)
            names |= {player.name} if player.is_named else set()
            yield player

    def parts(self) -> dict[str, Any]:
        """All of it but the results file, as keys of a config file.

        Raises:
            OthelloError: a form describes no player of this game.
        """
        settings = {"format": self.format, "opening_plies": self.opening_plies, "processes": self.processes}
        if self.format in FREE_LENGTH_FORMATS:
            settings["games_per_pair"] = self.games_per_pair
        return {
            "game_type": "tournament",
            "game_repetitions": self.rounds,
            **parts_of(self.spec, list(self.players())),
            "tournament": {key: value for key, value in settings.items() if value},
        }

    def config(self) -> Config:
        """What is to be played.

        Raises:
            OthelloError: it cannot be played like that.
        """
        config = config_of({key: value for key, value in self.parts().items() if value is not None})
        if self.path is not None:
            if self.path.parent == results_folder():
                with suppress(OSError):
                    self.path.parent.mkdir(parents=True, exist_ok=True)
            check_output(self.path)
        return replace(config, output_file=self.path)

    def write(self) -> None:
        """Put the config beside the results, so that they can be gone on with later, here or on the command line.

        Raises:
            OutputError: it cannot be written.
        """
        if self.path is not None:
            document = {key: value for key, value in self.parts().items() if value is not None}
            write_text(_config_of(self.path), json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def plan_for(spec: GameSpec) -> Plan:
    """A tournament to begin with: three levels, one after the other."""
    forms = [{**form_of(configure("random")), "player_type": f"{LEVEL}{level}"} for level in (2, 3, 4)]
    options: dict[str, dict[str, Any]] = {name: {} for name in GAMES}
    options[spec.game] = dict(spec.options)
    return Plan(spec.game, options, forms)


def results_folder() -> Path:
    """Where results are kept unless somebody says otherwise."""
    return data_folder().parent / "tournaments"


def _config_of(results: Path) -> Path:
    """Where the config of a results file lies."""
    return results.with_name(f"{results.stem}{_CONFIG}")


def kept_results() -> list[Path]:
    """The results files of the usual folder that can be gone on with, the newest first."""
    names = (path for path in results_folder().glob("*.*") if path.suffix in SUFFIXES)
    files = [path for path in names if is_file(path) and is_file(_config_of(path))]
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def resumed(results: Path) -> Config:
    """What goes on with a results file.

    Raises:
        OthelloError: neither beside it nor in config.json there is a tournament that it may be of.
    """
    beside, usual = _config_of(results), default_config()
    config = next((load(path) for path in (beside, usual) if path.exists()), None)
    if config is None or config.game_type != "tournament":
        raise ConfigError("no_config", file=results.name, config=beside.name)
    return replace(config, output_file=results, existing_output=ExistingOutput.RESUME)
