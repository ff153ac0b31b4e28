"""The input of a terminal, and the questions before a game."""

import os
import re
import select
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TextIO, TypeVar

from rich.console import Console

from othello.config import Config, PlayerConfig
from othello.errors import CommandError, ConfigError, errors_as
from othello.numbers import parse_whole
from othello.players import levels
from othello.players.player_registry import (
    COMPUTERS,
    OPTIONS,
    PLAYERS,
    USUAL_LEVEL,
    configure,
    type_title,
    unsupported_reason,
)
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, spec_of, unusual_options
from othello.schema import Option, check, first_fault, nearest, object_schema, options_of
from othello.texts import tr

QUIT: Final = ("quit", "q", "exit")  # words that end the program at any prompt
_MAX_LINE: Final = 4096  # bytes
_DEFAULT_PLAYERS: Final = (
    configure("user", player_color=Color.BLACK),
    configure("engine", player_color=Color.WHITE, level=USUAL_LEVEL),
)
_SIDES: Final = tuple(color.label for color in Color)
Answer = TypeVar("Answer")


class Lines:
    """Reads lines of a file, with a timeout if the system can wait for the file."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file
        self._fd = _waitable(file)
        self._read = b""
        self.is_interactive = self._fd is not None and os.isatty(self._fd)

    def next(self, seconds: float | None = None) -> str | None:
        """Return the next line, or None if `seconds` pass first. Raises EOFError at the end."""
        if self._file is None:
            raise EOFError
        if self._fd is None:
            line = self._file.readline(_MAX_LINE)
            if not line:
                raise EOFError
            return line
        while b"\n" not in self._read and len(self._read) < _MAX_LINE:
            if not select.select([self._fd], [], [], seconds)[0]:
                return None
            part = os.read(self._fd, _MAX_LINE)
            if not part and not self._read:
                raise EOFError
            self._read += part or b"\n"
        text, _, self._read = self._read.partition(b"\n")
        return text.decode("utf-8", "replace")


def _waitable(file: TextIO | None) -> int | None:
    """Return the file's descriptor if `select` can wait for it."""
    try:
        assert file is not None
        select.select([file.fileno()], [], [], 0)
        return file.fileno()
    except (AssertionError, OSError, ValueError):
        return None


def questions(config: Config, lines: Lines) -> dict[str, Any]:
    """Ask for game, players and times and return them as a config. With a config of the user, nothing is asked."""
    if (config.game, config.players) != (game_spec(), _DEFAULT_PLAYERS):
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
        self._print(tr("terminal.what"))
        titles = [tr(f"games.{game}.title", game) for game in GAMES]
        game = self._one_of(tr("terminal.game"), list(GAMES), config.game.game, words=titles)
        spec = self._rules(config.game if config.game.game == game else game_spec(game))
        computers = [name for name in COMPUTERS if unsupported_reason(_easiest(name), spec) is None]
        named = [tr(f"levels.{level}") for level in range(1, levels.COUNT + 1)]
        known = named[USUAL_LEVEL - 1]
        others = [*computers, "user"]
        words = [*named, *map(type_title, others)]
        opponent = self._one_of(tr("terminal.opponent"), [*named, *others], known, len(named), words)
        if opponent in named:
            level: dict[str, Any] = {"level": named.index(opponent) + 1, "name": opponent}
            opponent = levels.opponent(level["level"], opponent).player_type
        else:
            level = self._level(opponent, spec)
        times = self._answer(tr("terminal.times"), tr("terminal.no_limit"), _times)
        side = "both"
        if opponent != "user":
            words = [*(tr(f"terminal.sides.{side}") for side in _SIDES), tr("terminal.neither")]
            side = self._one_of(tr("terminal.your_side"), [*_SIDES, "neither"], _SIDES[0], words=words)
        chosen = times | level
        players = [_entry("user" if side in (label, "both") else opponent, chosen) for label in _SIDES]
        if side == "neither" and "name" in players[1]:
            players[1]["name"] += " 2"
        return {"game": spec.game, "rules": dict(spec.options), "players": players}

    def _rules(self, usual: GameSpec) -> GameSpec:
        """Ask for the rules: an option by its number, or all as in results files, such as `size=5 win_length=4`."""
        spec, options = usual, GAMES[usual.game].options

        def chosen(text: str) -> GameSpec | Option:
            number = parse_whole(text, 1, len(options))
            if number is not None:
                return options[number - 1]
            if text and "=" not in text:
                raise ConfigError("none_of_these", text=text, hint="")
            return spec_of(usual.game, text) if text else spec

        while options:
            for number, (name, value) in enumerate(spec.options, start=1):
                self._print(f"  {number} {_rule(spec, name)}: {_rule_choice(spec, name, value)}")
            answer = self._answer(tr("terminal.rules"), tr("terminal.as_shown"), chosen)
            if isinstance(answer, GameSpec):
                return answer
            spec = self._changed(spec, answer)
        return usual

    def _changed(self, spec: GameSpec, option: Option) -> GameSpec:
        """Ask for the value of an option, and return the changed rules."""
        what, words = _rule(spec, option.name), [_rule_choice(spec, option.name, choice) for choice in option.choices]
        shown = dict(spec.options)[option.name]
        if words:
            word = self._one_of(what, words, _rule_choice(spec, option.name, shown))
            return self._with(spec, option.name, list(option.choices)[words.index(word)])
        bounds = tr("terminal.range", minimum=option.minimum, maximum=option.maximum)
        return self._answer(
            f"{what}, {bounds}", str(shown), lambda text: self._with(spec, option.name, text) if text else spec
        )

    def _with(self, spec: GameSpec, name: str, value: object) -> GameSpec:
        changed = dict(option.split("=") for option in unusual_options(spec).split())
        return spec_of(spec.game, " ".join(f"{key}={choice}" for key, choice in {**changed, name: value}.items()))

    def _level(self, opponent: str, spec: GameSpec) -> dict[str, Any]:
        """Ask for the opponent's level if it has levels. Some games it plays only at a level."""
        option = options_of(PLAYERS[opponent].config_type).get("level")
        if option is None:
            return {}
        usual = "none" if unsupported_reason(configure(opponent), spec) is None else "5"

        def chosen(text: str) -> dict[str, Any]:
            word = text or usual
            level = {} if word == "none" else {"level": int(word) if re.fullmatch("[0-9]{1,9}", word) else word}
            reason = first_fault(level, object_schema([option])) or unsupported_reason(
                configure(opponent, **level), spec
            )
            if reason is not None:
                raise ConfigError(reason)
            return level

        return self._answer(tr("terminal.level", minimum=option.minimum, maximum=option.maximum), usual, chosen)

    def _one_of(self, what: str, choices: Sequence[str], usual: str, first: int = 0, words: Sequence[str] = ()) -> str:
        """Ask for one of the choices, by number, name or words. The first `first` choices get a line of their own."""
        words = words or choices

        def chosen(text: str) -> str:
            number = parse_whole(text, 1, len(choices))
            if number is not None:
                return choices[number - 1]
            known = dict(zip(map(str.lower, (*words, *choices)), (*choices, *choices), strict=True))
            if text and text not in known:
                raise ConfigError("none_of_these", text=text, hint=nearest(text, [*choices, *words]))
            return known.get(text, usual)

        numbered = [f"{number} {word}" for number, word in enumerate(words, start=1)]
        for part in filter(None, (numbered[:first], numbered[first:])):
            self._print("  " + "  ".join(part))
        return self._answer(what, words[choices.index(usual)], chosen)

    def _answer(self, what: str, usual: str, read: Callable[[str], Answer]) -> Answer:
        """Ask until `read` accepts the answer, and return its result."""
        while True:
            self._print(f"{what} [{usual}]: ", end="")
            text = (self._lines.next() or "").strip().lower()
            if text in QUIT:
                raise SystemExit
            try:
                return read(text)
            except ConfigError as error:
                self._print(f"  {error}")

    def _print(self, text: str, end: str = "\n") -> None:
        self._console.print(text, end=end, markup=False, highlight=False)


def _rule(spec: GameSpec, name: str) -> str:
    """Return the name of a rule option."""
    return tr(f"rule_names.{spec.game}.{name}", name)


def _rule_choice(spec: GameSpec, name: str, value: object) -> str:
    """Return the name of a value of a rule option."""
    return tr(f"rule_choices.{spec.game}.{name}.{value}", tr(f"rule_values.{name}", str(value), value=value))


def _easiest(player_type: str) -> PlayerConfig:
    return configure(player_type, **{"level": 1} if "level" in options_of(PLAYERS[player_type].config_type) else {})


def _times(text: str) -> dict[str, float]:
    """Parse `5` (seconds per move) or `300+5` (clock and increment) into a player's options."""
    keys = ("clock_seconds", "increment_seconds") if "+" in text else ("time_limit_seconds",)
    if text in ("", tr("terminal.no_limit"), "none"):
        return {}
    with errors_as(ConfigError, "no_times", ValueError, text=text):
        values = dict(zip(keys, map(float, text.split("+", maxsplit=1)), strict=True))
    check(values, object_schema(OPTIONS[key] for key in keys), ConfigError)
    return values


def _entry(player_type: str, chosen: Mapping[str, float]) -> dict[str, Any]:
    """Return an entry of `players`. A user gets no level, name and time limit per move, but a clock."""
    keys = options_of(PLAYERS[player_type].config_type)
    own = {key: value for key, value in chosen.items() if key in keys}
    if player_type == "user":
        own.pop("time_limit_seconds", None)
        own.pop("name", None)
    return {"player_type": player_type, **own}
