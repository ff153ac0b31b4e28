"""The user's opening repertoire: lines for black or white, and the memory of each position.

All lines of a side form one tree; positions reached by different moves are merged. Every position with the side to move
is reviewed on its own schedule; see `memory`. An opening drill plays through the lines.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from functools import cached_property
from random import Random
from typing import Any, Final, TypeAlias

from othello.errors import GameFileError, errors_as
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.records.game_file import json_of
from othello.records.transcript import forced_passes, format_transcript, parse_transcript
from othello.resources import schema_of
from othello.rules.protocol import Color, GameSpec, Move, Position
from othello.rules.registry import rules_of, spec_of, unusual_options
from othello.rules.symmetry import symmetries_between
from othello.schema import check
from othello.study.card_state import CardState, Rating, memory_of
from othello.study.store_writer import StoredValue, StoreWriter

REPERTOIRE_NAME: Final = "repertoire.json"  # of the value in the store
MAX_LINES: Final = 1000
_FORMAT: Final = "othello-lab repertoire"
_VERSION: Final = 1


class RepertoirePosition(FrozenDataclass):
    """A position in which the user has to find the move of the repertoire."""

    spec: GameSpec
    color: Color
    position: Position


class RepertoireLine(FrozenDataclass):
    """A line of moves from the start, for the side that learns it."""

    game: AnyGame
    color: Color

    @classmethod
    def of(cls, game: AnyGame, color: Color) -> RepertoireLine:
        """Return a game as a line. The board is turned to give symmetric lines the same first moves."""
        return cls(_normalised(game), color)

    @property
    def key(self) -> tuple[object, ...]:
        return self.game.rules.spec, self.color, self.game.moves

    @cached_property
    def cards(self) -> Mapping[RepertoirePosition, AnyGame]:
        """The positions to learn, with the game up to each."""
        games, spec = (self.game.at(ply) for ply in range(self.game.ply)), self.game.rules.spec
        own = (game for game in games if game.to_move is self.color and not game.must_pass)
        return {RepertoirePosition(spec, self.color, game.position): game for game in own}


Answers: TypeAlias = Mapping[Position, Mapping[Move, Position]]
"""The moves of all lines of a side by position, with the position after each move."""


class _StoredRepertoire(FrozenDataclass):
    """The stored lines and memories."""

    lines: Mapping[tuple[object, ...], RepertoireLine] = field(default_factory=dict)
    memories: Mapping[RepertoirePosition, CardState] = field(default_factory=dict)

    @cached_property
    def cards(self) -> Mapping[RepertoirePosition, AnyGame]:
        """All positions to learn, with the game up to each."""
        return {card: game for line in self.lines.values() for card, game in line.cards.items()}

    def with_line(self, line: RepertoireLine, today: date) -> _StoredRepertoire:
        """Return the state with a new line. It replaces lines that are its beginnings."""
        if any(_is_beginning_of(line, other) for other in self.lines.values()):
            return self
        lines = {key: other for key, other in self.lines.items() if not _is_beginning_of(other, line)}
        memories = {**dict.fromkeys(line.cards, CardState(today)), **self.memories}
        return _StoredRepertoire({**lines, line.key: line}, memories)

    def without(self, line: RepertoireLine) -> _StoredRepertoire:
        lines = {key: other for key, other in self.lines.items() if key != line.key}
        left = _StoredRepertoire(lines).cards
        return _StoredRepertoire(lines, {card: memory for card, memory in self.memories.items() if card in left})


class Repertoire(StoredValue[_StoredRepertoire]):
    """All lines that the user learns. See `StoredValue` for how they are stored."""

    def __init__(self, store_writer: StoreWriter | None = None, today: Callable[[], date] = date.today) -> None:
        super().__init__(store_writer, REPERTOIRE_NAME, _StoredRepertoire(), _parse_text, _text_of)
        self.today = today

    @property
    def lines(self) -> Sequence[RepertoireLine]:
        return tuple(self.value.lines.values())

    def add(self, game: AnyGame, color: Color) -> RepertoireLine | None:
        """Learn the moves of a game.

        Returns:
            The line; None if the side has no move in it, the game has another start, or the repertoire is full.
        """
        line = RepertoireLine.of(game, color)
        if game.positions[0] != game.rules.start() or not line.cards or len(self.lines) >= MAX_LINES:
            return None
        today = self.today()
        self.change(lambda state: state.with_line(line, today))
        return line

    def remove(self, line: RepertoireLine) -> None:
        self.change(lambda state: state.without(line))

    def memory(self, card: RepertoirePosition) -> CardState:
        return self.value.memories.get(card, CardState())

    def know(self, card: RepertoirePosition, memory: CardState) -> None:
        self.change(lambda state: replace(state, memories={**state.memories, card: memory}))

    @property
    def cards(self) -> Mapping[RepertoirePosition, AnyGame]:
        """All positions to learn, with the game up to each."""
        return self.value.cards

    def due(self) -> list[RepertoirePosition]:
        """Return the positions that are due today."""
        return [card for card in self.cards if self.memory(card).due <= self.today()]

    @property
    def next_due(self) -> date | None:
        """The day of the next review; None if there are no lines."""
        return min((self.memory(card).due for card in self.cards), default=None)

    def answers(self, spec: GameSpec, color: Color) -> Answers:
        """Return all moves of the lines of a side."""
        answers: defaultdict[Position, dict[Move, Position]] = defaultdict(dict)
        for game in (line.game for line in self.lines if line.color is color and line.game.rules.spec == spec):
            for position, move, after in zip(game.positions, game.moves, game.positions[1:], strict=False):
                answers[position][move] = after
        return answers


def _is_beginning_of(line: RepertoireLine, other: RepertoireLine) -> bool:
    """Return whether a line is the beginning of the other one, or equal to it."""
    is_like = (line.color, line.game.rules.spec) == (other.color, other.game.rules.spec)
    return is_like and other.game.moves[: line.game.ply] == line.game.moves


# Symmetries.


def same_moves(game: AnyGame, move: Move) -> set[Move]:
    """Return the moves that are images of a move under the symmetries of the position."""
    rules, position = game.rules, game.position
    return {rules.image_of_move(move, symmetry) for symmetry in symmetries_between(rules, position, position)}


def _normalised(game: AnyGame) -> AnyGame:
    """Return the image of a game that represents all its images."""
    rules, start = game.rules, game.at(0)
    symmetries = symmetries_between(rules, start.position, start.position)
    ways = (start.after(rules.image_of_move(move, symmetry) for move in game.moves) for symmetry in symmetries)
    return max(ways, key=format_transcript)


# As a text.


def _entry(game: AnyGame, color: Color) -> dict[str, Any]:
    spec = game.rules.spec
    fields = {"game": spec.game, "rules": unusual_options(spec), "color": color.label, "moves": format_transcript(game)}
    return {key: value for key, value in fields.items() if value}


def _text_of(state: _StoredRepertoire) -> str:
    lines = [_entry(line.game, line.color) for line in state.lines.values()]
    known = ((card, game) for card, game in state.cards.items() if card in state.memories)
    cards = [{**_entry(game, card.color), **state.memories[card].document} for card, game in known]
    parts = (",\n".join(json.dumps(entry) for entry in entries) for entries in (lines, cards))
    lists = ",\n".join(f'"{name}": [\n{part}\n]' for name, part in zip(("lines", "cards"), parts, strict=True))
    return f'{{"format": "{_FORMAT}", "version": {_VERSION},\n{lists}}}\n'


def _parse_text(text: str) -> _StoredRepertoire:
    """Parse the text of `_text_of`; raise an OthelloError if it is damaged."""
    document = json_of(text)
    check(document, schema_of("repertoire"), GameFileError)
    lines = [RepertoireLine(*_game(entry, f"lines[{index}]")) for index, entry in enumerate(document["lines"])]
    memories = {}
    for index, entry in enumerate(document["cards"]):
        place = f"cards[{index}]"
        game, color = _game(entry, place)
        with errors_as(GameFileError, "at_place", ValueError, place=place):
            memories[RepertoirePosition(game.rules.spec, color, game.position)] = memory_of(entry)
    return _StoredRepertoire({line.key: line for line in lines}, memories)


def _game(entry: Mapping[str, Any], place: str) -> tuple[AnyGame, Color]:
    with errors_as(GameFileError, "at_place", place=place):
        rules = rules_of(spec_of(entry["game"], entry.get("rules", "")))
        return parse_transcript(entry.get("moves", ""), rules), Color[entry["color"].upper()]


_EASY_SECONDS: Final = 4.0  # a faster answer is rated as easy
_GOOD_SECONDS: Final = 15.0


class OpeningDrill:
    """A drill of lines of a repertoire, one by one.

    A line leads through positions that are due or were missed before, as long as there are any. A position is reviewed
    when it is due and whenever it is missed. It is asked again until its move is known at once.

    Args:
        repertoire: the lines; it stores the reviews.
        spec: the game whose lines come first.
        random: chooses lines and replies.
        is_free: True if the first line may be any.

    Attributes:
        game: the current game; None if nothing is left.
        color: the user's side.
        tried: the last wrong move in this position; None if there was none.
        is_shown: True if the move was shown.
        taken: the user's last correct move, as played on the board.
        known: moves of the line that were known at once.
        asked: moves of the line that were asked.
    """

    def __init__(self, repertoire: Repertoire, spec: GameSpec, random: Random, *, is_free: bool = False) -> None:
        self.repertoire = repertoire
        self._spec, self._random = spec, random
        self._missed: set[RepertoirePosition] = set()  # asked again until known
        self.begin(is_free=is_free)

    def begin(self, *, is_free: bool = False) -> None:
        """Start the next line with positions that are left; any line if `is_free`."""
        left = [*self.repertoire.cards] if is_free else self.left
        own = [card for card in left if card.spec == self._spec]
        self._left = {*left}
        self.tried: Move | None = None
        self.taken: Move | None = None
        self.is_shown, self.known, self.asked = False, 0, 0
        self.game: AnyGame | None = None
        self._answers: Answers = {}
        if left:
            drawn = self._random.choice(own or left)
            self.color = drawn.color
            self._answers = self.repertoire.answers(drawn.spec, drawn.color)
            self.game = forced_passes(Game.new(rules_of(drawn.spec)))

    @property
    def left(self) -> list[RepertoirePosition]:
        """The positions that are due or were missed before."""
        memory, today = self.repertoire.memory, self.repertoire.today()
        return [card for card in self.repertoire.cards if card in self._missed or memory(card).due <= today]

    @property
    def expected(self) -> Mapping[Move, Position]:
        """The moves of the repertoire in this position; none at the end of the line."""
        return {} if self.game is None else self._answers.get(self.game.position, {})

    @property
    def awaits_user(self) -> bool:
        return self.game is not None and self.game.to_move is self.color and bool(self.expected)

    @property
    def awaits_reply(self) -> bool:
        return self.game is not None and self.game.to_move is not self.color and bool(self.expected)

    @property
    def answer(self) -> Move:
        """The first move of the repertoire that leads to positions that are left."""
        return self.replies[0]

    def choose(self, move: Move, seconds: float) -> None:
        """Handle the user's move.

        A correct move is played. If only another move leads to positions that are left, that one is played instead.
        """
        game = self.game
        assert game is not None
        same = same_moves(game, move)
        right = [move for move in self.expected if move in same]
        if not right:
            self._miss()
            self.tried = move
            return
        card, memory = self._card(game), self.repertoire.memory(self._card(game))
        if self.tried is None and not self.is_shown:
            self.known += 1
            if card in self._missed:
                self._missed.discard(card)
            elif memory.due <= self.repertoire.today():
                recall = Rating.within(seconds, _EASY_SECONDS, _GOOD_SECONDS)
                self.repertoire.know(card, memory.after(recall, self.repertoire.today()))
        self.asked += 1
        self._left.discard(card)
        useful = self.replies
        self.taken = next((move for move in right if move in useful), useful[0])
        self._play(self.taken)

    def show(self) -> None:
        """Show the move of the repertoire, which counts as missed."""
        self._miss()
        self.is_shown = True

    @property
    def replies(self) -> Sequence[Move]:
        """The expected moves that lead to a position still to be asked; all expected moves if none does."""
        return [move for move, after in self.expected.items() if self._leads_to(after)] or [*self.expected]

    def reply(self, games: Mapping[Move, int]) -> None:
        """Play a random move of the other side; `games`: how often people have played each move, which are its odds."""
        moves = self.replies
        weights = [games.get(move, 0) for move in moves]
        self._play(self._random.choices(moves, weights if any(weights) else None)[0])

    def _miss(self) -> None:
        """Review the position as forgotten, once, and ask it again."""
        assert self.game is not None
        card = self._card(self.game)
        if card not in self._missed:
            self._missed.add(card)
            self.repertoire.know(card, self.repertoire.memory(card).after(Rating.AGAIN, self.repertoire.today()))

    def _play(self, move: Move) -> None:
        assert self.game is not None
        self.game, self.tried, self.is_shown = forced_passes(self.game.play(move)), None, False

    def _card(self, game: AnyGame) -> RepertoirePosition:
        return RepertoirePosition(game.rules.spec, self.color, game.position)

    def _leads_to(self, position: Position) -> bool:
        """Return whether a position that is left can be reached."""
        assert self.game is not None
        waiting, seen = [position], {position}
        while waiting:
            position = waiting.pop()
            if RepertoirePosition(self.game.rules.spec, self.color, position) in self._left:
                return True
            new = {*self._answers.get(position, {}).values()} - seen
            seen |= new
            waiting += new
        return False
