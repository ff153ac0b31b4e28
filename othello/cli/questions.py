"""Lines that a person types, and what is asked before a game in a terminal."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TextIO, TypeVar

from rich.console import Console

from othello.config import Config, PlayerConfig
from othello.errors import CommandError, ConfigError
from othello.players.registry import COMPUTERS, OPTIONS, PLAYERS, configure, refusal
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, spec_of, unusual_options
from othello.schema import check, first_fault, nearest, object_schema, options_of
from othello.texts import say

_LONGEST_LINE: Final = 4096
_USUAL_PLAYERS: Final = (
    configure("user", player_color=Color.BLACK),
    configure("mcts_uct", player_color=Color.WHITE),
)
_SIDES: Final = tuple(color.label for color in Color)
Answer = TypeVar("Answer")


class Lines:
    """Lines out of a file, waited for no longer than one likes where the system can do so."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file
        self._fd = _waitable(file)
        self._read = b""
        self.is_interactive = self._fd is not None and os.isatty(self._fd)  # whether a person types them

    def next(self, seconds: float | None = None) -> str | None:
        """A line, or None if none has come after the given seconds; EOFError at the end of the input."""
        if self._file is None:
            raise EOFError
        if self._fd is None:
            line = self._file.readline(_LONGEST_LINE)
            if not line:
                raise EOFError
            return line
        while b"\n" not in self._read and len(self._read) < _LONGEST_LINE:
            if not select.select([self._fd], [], [], seconds)[0]:
                return None
            part = os.read(self._fd, _LONGEST_LINE)
            if not part and not self._read:
                raise EOFError
            self._read += part or b"\n"
        text, _, self._read = self._read.partition(b"\n")
        return text.decode("utf-8", "replace")


def _waitable(file: TextIO | None) -> int | None:
    """The number of a file that `select` can wait for."""
    try:
        assert file is not None
        select.select([file.fileno()], [], [], 0)
        return file.fileno()
    except (AssertionError, OSError, ValueError):
        return None


def questions(config: Config, lines: Lines) -> dict[str, Any]:
    """The config's keys that a person sets. The program asks for them only with the built-in config."""
    if (config.game, config.players) != (game_spec(), _USUAL_PLAYERS):
        return {}
    try:
        return _Questions(lines).ask(config)
    except EOFError:
        print()
        raise CommandError("input_ended") from None


class _Questions:
    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._console = Console()

    def ask(self, config: Config) -> dict[str, Any]:
        self._say(say("terminal.what"))
        game = self._one_of(say("terminal.game"), list(GAMES), config.game.game)
        spec = self._rules(config.game if config.game.game == game else game_spec(game))
        computers = [name for name in COMPUTERS if refusal(_easiest(name), spec) is None]
        known = next((player.player_type for player in config.players if player.player_type in computers), "mcts_uct")
        opponent = self._one_of(say("terminal.opponent"), [*computers, "user"], known)
        level = self._level(opponent, spec)
        times = self._answer(say("terminal.times"), say("terminal.no_limit"), _times)
        side = "both"
        if opponent != "user":
            side = self._one_of(say("terminal.your_side"), [*_SIDES, "neither"], _SIDES[0])
        chosen = times | level
        return {
            "game": spec.game,
            "rules": dict(spec.options),
            "players": [_entry("user" if side in (label, "both") else opponent, chosen) for label in _SIDES],
        }

    def _rules(self, usual: GameSpec) -> GameSpec:
        options = GAMES[usual.game].options
        for option in options:
            bounds = say("terminal.range", least=option.minimum, most=option.maximum)
            self._say(f"  {option.name}: {', '.join(map(str, option.choices)) or bounds}")
        if not options:
            return usual
        name, value = usual.options[0]
        return self._answer(
            say("terminal.rules", example=f"{name}={value}"),
            unusual_options(usual) or say("terminal.as_usual"),
            lambda text: spec_of(usual.game, text) if text else usual,
        )

    def _level(self, opponent: str, spec: GameSpec) -> dict[str, Any]:
        """At which of its levels an opponent plays, where it has any; some games it may play at a level only."""
        option = options_of(PLAYERS[opponent].config_type).get("level")
        if option is None:
            return {}
        usual = "none" if refusal(configure(opponent), spec) is None else "5"

        def chosen(text: str) -> dict[str, Any]:
            word = text or usual
            level = {} if word == "none" else {"level": int(word) if word.isdecimal() else word}
            reason = first_fault(level, object_schema([option])) or refusal(configure(opponent, **level), spec)
            if reason is not None:
                raise ConfigError(reason)
            return level

        return self._answer(say("terminal.level", least=option.minimum, most=option.maximum), usual, chosen)

    def _one_of(self, what: str, choices: Sequence[str], usual: str) -> str:
        def chosen(text: str) -> str:
            if text.isdecimal() and 1 <= int(text) <= len(choices):
                return choices[int(text) - 1]
            if text and text not in choices:
                raise ConfigError("none_of_these", text=text, hint=nearest(text, choices))
            return text or usual

        self._say("  " + "  ".join(f"{number} {name}" for number, name in enumerate(choices, start=1)))
        return self._answer(what, usual, chosen)

    def _answer(self, what: str, usual: str, read: Callable[[str], Answer]) -> Answer:
        """What was answered; asked again until it makes sense."""
        while True:
            self._say(f"{what} [{usual}]: ", end="")
            try:
                return read((self._lines.next() or "").strip().lower())
            except ConfigError as error:
                self._say(f"  {error}")

    def _say(self, text: str, end: str = "\n") -> None:
        self._console.print(text, end=end, markup=False, highlight=False)


def _easiest(player_type: str) -> PlayerConfig:
    return configure(player_type, **{"level": 1} if "level" in options_of(PLAYERS[player_type].config_type) else {})


def _times(text: str) -> dict[str, float]:
    """A player's options out of `5`, seconds a move, or `300+5`, a clock and what each move adds to it."""
    keys = ("clock_seconds", "increment_seconds") if "+" in text else ("time_limit_seconds",)
    if text in ("", say("terminal.no_limit"), "none"):
        return {}
    try:
        values = dict(zip(keys, map(float, text.split("+", maxsplit=1)), strict=True))
    except ValueError:
        raise ConfigError("no_times", text=text) from None
    check(values, object_schema(OPTIONS[key] for key in keys), ConfigError)
    return values


def _entry(player_type: str, chosen: Mapping[str, float]) -> dict[str, Any]:
    """An entry of `players`. A level and a limit on every move are for computers, a clock for both sides."""
    keys = options_of(PLAYERS[player_type].config_type)
    own = {key: value for key, value in chosen.items() if key in keys}
    if player_type == "user":
        own.pop("time_limit_seconds", None)
    return {"player_type": player_type, **own}
