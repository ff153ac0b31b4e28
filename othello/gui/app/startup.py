"""The game that the window starts with: that of a config file, or the last one."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from othello.config import Config, PlayerConfig
from othello.config_file import config_of
from othello.errors import OthelloError
from othello.files import read_bytes
from othello.gui import labels
from othello.gui.preferences import PreferencesFile
from othello.players.player_registry import create_player
from othello.strict_json import MAX_BYTES
from othello.texts import tr


class StartupGame(NamedTuple):
    """The game that the window starts with."""

    config: Config  # the game, or the tournament
    words: str = ""  # how it was chosen, for the status line
    file: Path | None = None  # a game file to open first
    offers_left: bool = True  # offer to resume an unfinished game, unless a file is opened


def startup_game(config: Config, path: Path, preferences: PreferencesFile, *, is_named: bool) -> StartupGame:
    """Return the game to start with: that of a config file, or the user's last game.

    The file decides if the command line names it, at the first start, and if it has changed since the last start.

    Args:
        config: the contents of the file.
        path: the file.
        preferences: they store the last game, and a hash of the file at the last start.
        is_named: the command line says what to play.
    """
    by_file = StartupGame(config, tr("start.by_file", file=path.name))
    if is_named:
        return by_file
    known, place = preferences.value.configs, str(path.resolve())
    print_now = _fingerprint(path)
    if known.get(place) != print_now:
        preferences.change(configs={**known, place: print_now}, usual={})
        return by_file if known else StartupGame(config)
    usual = _usual(preferences.value.usual, config)
    if usual is None or _chosen(usual) == _chosen(config):
        return StartupGame(config)
    return StartupGame(usual, tr("start.as_last"))


def _fingerprint(path: Path) -> str:
    """Return a hash of the file; empty if it cannot be read."""
    try:
        return sha256(read_bytes(path, MAX_BYTES)).hexdigest()
    except OthelloError:
        return ""


def _usual(chosen: Mapping[str, Any], config: Config) -> Config | None:
    """Return the last game, with all other settings of the file; None if it cannot be played."""
    try:
        usual = config_of({**chosen, "game_type": "match"})
        usual = replace(usual, players=tuple(map(_renamed, usual.players)))
        for player in usual.players:
            if player.memory_files:
                create_player(player, usual.game)
    except OthelloError:
        return None
    if config.game_type == "tournament":
        return replace(usual, move_delay_seconds=config.move_delay_seconds)
    tournament = replace(config.tournament, opening_book=usual.tournament.opening_book)
    return replace(config, players=usual.players, game=usual.game, openings=usual.openings, tournament=tournament)


def _chosen(config: Config) -> tuple[object, ...]:
    """Return the settings of a game that the user chooses."""
    return config.players, config.game, config.openings or {}


def _renamed(player: PlayerConfig) -> PlayerConfig:
    """Return a player with the name of its level in the current language."""
    level = player.strength.get("level")
    return replace(player, name=tr(f"levels.{level}")) if labels.is_level_name(player.name, level) else player
