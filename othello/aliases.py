"""Former names in files, on the command line and in the JSON protocol, which are read but never written."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

NAMES: Final[Mapping[str, str]] = {
    # Keys and values of configs, settings, saved games and results. "tune.step" is a key, or a value, of `tune` only.
    "heuristic_ends": "heuristic_terminal_value",
    "final_ties": "tie_break",
    "mcts_ties": "mcts_tie_break",
    "mcts_tree_learns": "mcts_tree_file_updates",
    "mcts_root.usual": "tree_policy",
    "engine_margin": "probcut_margin",
    "book_variety": "book_tolerance_discs",
    "empties": "empty_squares",
    "empty_squares.nobody": "ignored",
    "empty_squares.winner": "to_winner",
    "colors.drawn": "random",
    "openings_order.drawn": "random",
    "tune.step": "perturbation",
    "tune.move": "gain",
    "slip": "inaccuracy",
    "tells_losses": "shows_losses",
    "megabytes": "memory_mb",  # of a registered program
}
TEXT_NAMES: Final[Mapping[str, str]] = {  # of catalogues of texts
    **NAMES,
    "hall": "tournament",
    "lines.hall": "standings",
    "actions.hall": "standings",
    "orders.drawn": "random",
    "settings.megabytes": "memory_size",
}
COMMANDS: Final[Mapping[str, str]] = {"prepare": "compile", "archive stats": "archive moves"}
WORDS: Final[Mapping[str, str]] = {  # of the JSON protocol
    "over": "game_over",
    "hold": "pause",
    "held": "paused",
    "go_on": "resume",
    "judge": "analyse",
    "wants": "capabilities",
    "chance": "win_probability",
    "score": "engine_score",
    "exact": "exact_discs",
}
FORMER_WORDS: Final[Mapping[str, str]] = {word: former for former, word in WORDS.items()}
_FREE: Final = ("environment", "openings", "players")  # objects whose keys the user chooses


def renamed(value: Any, place: str = "", table: Mapping[str, str] = NAMES) -> Any:
    """Return a JSON value with the former names of a table replaced; `place` is the key that it belongs to."""
    if isinstance(value, str):
        return table.get(f"{place}.{value}", value)
    if isinstance(value, list):
        return [renamed(item, "" if isinstance(item, dict) else place, table) for item in value]
    if not isinstance(value, dict):
        return value
    names = {key: key if place in _FREE else table.get(f"{place}.{key}", table.get(key, key)) for key in value}
    # A key is not overwritten by its former name: if both are there, the former name is an unknown key.
    names = {key: key if name in value else name for key, name in names.items()}
    return {name: renamed(value[key], name, table) for key, name in names.items()}


def renamed_arguments(words: Sequence[str]) -> list[str]:
    """Return the arguments of the command line with former names of commands and options replaced."""
    for former, command in COMMANDS.items():
        if list(words[: len(former.split())]) == former.split():
            words = [*command.split(), *words[len(former.split()) :]]
    return [_renamed_option(word) for word in words]


def _renamed_option(word: str) -> str:
    name, equals, value = word.partition("=")
    key = name.removeprefix("--").replace("-", "_")
    return f"--{NAMES[key].replace('_', '-')}{equals}{value}" if name.startswith("--") and key in NAMES else word
