"""What a list tells of a game: when it began, who played, how it ended."""

from __future__ import annotations

import json
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from othello.errors import legible
from othello.frozen import Frozen
from othello.records.game_file import Entry, GameFile, unusual
from othello.rules.protocol import Color


class Told(NamedTuple):
    """What the head of a game tells.

    Attributes:
        date: when the game began, as 2026-01-31T18:30:00.
        game: its name.
        players: the entries of black and white, as in config.json.
        result: how it ended, as a file has it; empty where it has not.
        rules: the options that are not the usual ones.
        counts: whether its players made all moves themselves, from the usual start.
    """

    date: str = ""
    game: str = ""
    players: tuple[Entry, Entry] = ({}, {})
    result: Entry = MappingProxyType({})
    rules: Entry = MappingProxyType({})
    counts: bool = True

    @property
    def head(self) -> str:
        told = self.date, self.game, self.players, {**self.result}, {**self.rules}, self.counts
        return json.dumps(told, ensure_ascii=False).encode(errors="replace").decode()


class Listed(Frozen):
    """A game in a list, which is read once somebody asks what the head tells: there may be many games."""

    head: str  # JSON
    number: int = 0  # among the person's own games
    name: str = ""  # that somebody has given the game

    @classmethod
    def of(cls, file: GameFile) -> Listed:
        game, rules = file.tree.game, file.rules
        counts = game.positions[0] == rules.start() and file.result.get("counts", True) is True
        players = file.players or ({}, {})
        return cls(Told(file.date, rules.spec.game, players, file.result, unusual(rules.spec), counts).head)

    @cached_property
    def told(self) -> Told:
        """What the head tells; nothing where it is damaged."""
        try:
            date, game, (black, white), result, rules, counts = json.loads(self.head)
            if "\\" in self.head or not self.head.isprintable():  # hardly ever
                date, game, black, white = legible(str(date)), legible(str(game)), _shown(black), _shown(white)
            return Told(str(date), str(game), ({**black}, {**white}), {**result}, {**rules}, counts is True)
        except (TypeError, ValueError, AttributeError):
            return Told()

    @property
    def date(self) -> str:
        return self.told.date

    @property
    def game(self) -> str:
        return self.told.game

    @property
    def players(self) -> tuple[Entry, Entry]:
        return self.told.players

    @property
    def result(self) -> Entry:
        return self.told.result

    @cached_property
    def person(self) -> Color | None:
        """The side of the one person who played, None where that was nobody or both, or others made some moves."""
        if self.result.get("counts") is False:
            return None
        people = [color for color, entry in zip(Color, self.players, strict=True) if entry.get("player_type") == "user"]
        return people[0] if len(people) == 1 else None

    @property
    def persons_accuracy(self) -> float | None:
        """The share of right moves of the one person who played, None where it is not known."""
        found = None if self.person is None else self.result.get(f"{self.person.label}_accuracy")
        return float(found) if isinstance(found, int | float) and 0 <= found <= 1 else None


def _shown(entry: Entry) -> Entry:
    """What is said of a player, in texts that can be shown."""
    return {key: legible(value) if isinstance(value, str) else value for key, value in entry.items()}
