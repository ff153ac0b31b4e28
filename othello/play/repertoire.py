"""The openings that a person learns: lines for black or for white, and what is remembered of each position of theirs.

All lines of a side make one tree, in which the same position is one, however the moves came to it. Each position in
which that side is to move is asked on its own, when it would be forgotten; see `memory`. A rehearsal plays the lines.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from functools import cached_property
from random import Random
from typing import Any, Final, TypeAlias

from othello.errors import GameFileError, errors_as
from othello.frozen import Frozen
from othello.game import AnyGame, Game
from othello.play.keeper import Keeper, SharedValue
from othello.play.memory import Memory, Recall, memory_of
from othello.records.game_file import json_of
from othello.records.transcript import forced_passes, format_transcript, parse_transcript
from othello.resources import schema_of
from othello.rules.protocol import Color, GameSpec, Move, Position, Rules
from othello.rules.registry import rules_of, spec_of, unusual_options
from othello.rules.symmetry import square_images
from othello.schema import check

REPERTOIRE_NAME: Final = "repertoire.json"  # what the lines are called in the store
MOST_LINES: Final = 1000
_FORMAT: Final = "othello-lab repertoire"
_VERSION: Final = 1


class Card(Frozen):
    """A position in which the person is to find the move of their repertoire."""

    spec: GameSpec
    color: Color
    position: Position


class Line(Frozen):
    """Moves from the start of a game, and the side that learns them."""

    game: AnyGame
    color: Color

    @classmethod
    def of(cls, game: AnyGame, color: Color) -> Line:
        """A game as a line: the board is turned so that lines that look alike begin alike."""
        return cls(_turned(game), color)

    @property
    def key(self) -> tuple[object, ...]:
        return self.game.rules.spec, self.color, self.game.moves

    @cached_property
    def cards(self) -> Mapping[Card, AnyGame]:
        """What is asked of it, and what was played before."""
        games = (self.game.at(ply) for ply in range(self.game.ply))
        spec = self.game.rules.spec
        return {
            Card(spec, self.color, each.position): each
            for each in games
            if each.to_move is self.color and not each.must_pass
        }


Answers: TypeAlias = Mapping[Position, Mapping[Move, Position]]
"""The moves of all lines of a side, by the position in which they are played, with the position that each leads to."""


class _Kept(Frozen):
    """All that is kept."""

    lines: Mapping[tuple[object, ...], Line] = field(default_factory=dict)
    memories: Mapping[Card, Memory] = field(default_factory=dict)

    @cached_property
    def cards(self) -> Mapping[Card, AnyGame]:
        """All that can be asked, and what was played before."""
        return {card: game for line in self.lines.values() for card, game in line.cards.items()}

    def with_line(self, line: Line, today: date) -> _Kept:
        """Beginnings of a line that is longer are no lines of their own."""
        if any(_begins(line, other) for other in self.lines.values()):
            return self
        lines = {key: other for key, other in self.lines.items() if not _begins(other, line)}
        return _Kept({**lines, line.key: line}, {**dict.fromkeys(line.cards, Memory(today)), **self.memories})

    def without(self, line: Line) -> _Kept:
        lines = {key: other for key, other in self.lines.items() if key != line.key}
        left = _Kept(lines).cards
        return _Kept(lines, {card: memory for card, memory in self.memories.items() if card in left})

    def knowing(self, card: Card, memory: Memory) -> _Kept:
        return _Kept(self.lines, {**self.memories, card: memory})


class Repertoire(SharedValue[_Kept]):
    """All lines that a person learns; see `SharedValue` for where they are kept."""

    def __init__(self, keeper: Keeper | None = None, today: Callable[[], date] = date.today) -> None:
        super().__init__(keeper, REPERTOIRE_NAME, _Kept(), _kept_in, _text_of)
        self._today = today

    @property
    def today(self) -> date:
        return self._today()

    @property
    def lines(self) -> Sequence[Line]:
        return tuple(self.value.lines.values())

    def add(self, game: AnyGame, color: Color) -> Line | None:
        """Learn the moves of a game; None where the side moves nowhere, or the game began somewhere else."""
        line = Line.of(game, color)
        if game.positions[0] != game.rules.start() or not line.cards or len(self.lines) >= MOST_LINES:
            return None
        today = self._today()
        self.change(lambda kept: kept.with_line(line, today))
        return line

    def remove(self, line: Line) -> None:
        self.change(lambda kept: kept.without(line))

    def memory(self, card: Card) -> Memory:
        return self.value.memories.get(card, Memory())

    def know(self, card: Card, memory: Memory) -> None:
        self.change(lambda kept: kept.knowing(card, memory))

    @property
    def cards(self) -> Mapping[Card, AnyGame]:
        """All that can be asked, and what was played before."""
        return self.value.cards

    def due(self) -> list[Card]:
        """What is to be asked today."""
        return [card for card in self.cards if self.memory(card).due <= self._today()]

    @property
    def next_due(self) -> date | None:
        """When the next one comes, None where there is none."""
        return min((self.memory(card).due for card in self.cards), default=None)

    def answers(self, spec: GameSpec, color: Color) -> Answers:
        """All moves of the lines of a side."""
        found: defaultdict[Position, dict[Move, Position]] = defaultdict(dict)
        for line in self.lines:
            if (line.game.rules.spec, line.color) == (spec, color):
                for position, move, after in zip(
                    line.game.positions, line.game.moves, line.game.positions[1:], strict=False
                ):
                    found[position][move] = after
        return found


def _begins(line: Line, other: Line) -> bool:
    """Whether a line is the other one, or its beginning."""
    is_like = (line.color, line.game.rules.spec) == (other.color, other.game.rules.spec)
    return is_like and other.game.moves[: line.game.ply] == line.game.moves


# Symmetries.


def same_moves(game: AnyGame, move: Move) -> set[Move]:
    """The moves that are the same as one, since the board looks the same once it is turned or mirrored."""
    return {image[move] if move < len(image) else move for image in _symmetries(game.rules, game.position)}


def _turned(game: AnyGame) -> AnyGame:
    """The same game on a board that is turned or mirrored: of all ways that the start allows always the same one."""
    start, moves = Game.new(game.rules, game.positions[0]), game.moves
    ways = (
        start.after(image[move] if move < len(image) else move for move in moves)
        for image in _symmetries(game.rules, start.position)
    )
    return max(ways, key=format_transcript)


def _symmetries(rules: Rules[Position], position: Position) -> Iterator[Sequence[Move]]:
    """Where each square comes to lie, for every way to turn or mirror the board that changes nothing there."""
    marks = rules.marks(position)
    if rules.rows != rules.columns or rules.rests:
        yield range(len(marks))
        return
    for image in square_images(rules.rows):
        if all(marks[image[square]] is owner for square, owner in enumerate(marks)):
            yield image


# As a text.


def _entry(game: AnyGame, color: Color) -> dict[str, Any]:
    spec = game.rules.spec
    told = {"game": spec.game, "rules": unusual_options(spec), "color": color.label, "moves": format_transcript(game)}
    return {key: value for key, value in told.items() if value}


def _text_of(kept: _Kept) -> str:
    lines = [_entry(line.game, line.color) for line in kept.lines.values()]
    cards = [
        {**_entry(game, card.color), **kept.memories[card].document}
        for card, game in kept.cards.items()
        if card in kept.memories
    ]
    parts = (",\n".join(json.dumps(entry) for entry in entries) for entries in (lines, cards))
    told = ",\n".join(f'"{name}": [\n{part}\n]' for name, part in zip(("lines", "cards"), parts, strict=True))
    return f'{{"format": "{_FORMAT}", "version": {_VERSION},\n{told}}}\n'


def _kept_in(text: str) -> _Kept:
    """The inverse of `_text_of`; OthelloError where the text is damaged."""
    document = json_of(text)
    check(document, schema_of("repertoire"), GameFileError)
    lines = [Line(*_game(entry, f"lines[{index}]")) for index, entry in enumerate(document["lines"])]
    memories = {}
    for index, entry in enumerate(document["cards"]):
        place = f"cards[{index}]"
        game, color = _game(entry, place)
        with errors_as(GameFileError, "at_place", ValueError, place=place):
            memories[Card(game.rules.spec, color, game.position)] = memory_of(entry)
    return _Kept({line.key: line for line in lines}, memories)


def _game(entry: Mapping[str, Any], place: str) -> tuple[AnyGame, Color]:
    with errors_as(GameFileError, "at_place", place=place):
        rules = rules_of(spec_of(entry["game"], entry.get("rules", "")))
        return parse_transcript(entry.get("moves", ""), rules), Color[entry["color"].upper()]


_EASY_SECONDS: Final = 4.0  # who knows a move within this time has no trouble
_GOOD_SECONDS: Final = 15.0


class Rehearsal:
    """Lines of a repertoire, one after the other.

    A line goes where something is due, or was missed before, as long as there is such a position. A position counts
    when it is due, and whenever it is missed; it comes again until its move is known at once.

    Args:
        repertoire: the lines, which are told what was remembered.
        spec: of the game whose lines come first.
        random: draws lines and replies.
        is_free: whether the first line may be any.

    Attributes:
        game: what is on the board; None: nothing is left to be asked.
        color: the person's side.
        tried: the wrong move that was tried in this position, None where none was.
        is_shown: whether the move was shown.
        taken: the person's last right move, as it was played on the board.
        known: how many of the line's moves were known at once.
        asked: of how many.
    """

    def __init__(self, repertoire: Repertoire, spec: GameSpec, random: Random, *, is_free: bool = False) -> None:
        self.repertoire = repertoire
        self._spec, self._random = spec, random
        self._missed: set[Card] = set()  # what comes again until it is known
        self.begin(is_free=is_free)

    def begin(self, *, is_free: bool = False) -> None:
        """Begin with the next line, one in which something is left to be asked; any line where `is_free`."""
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
    def left(self) -> list[Card]:
        """What is due, or was missed before."""
        memory, today = self.repertoire.memory, self.repertoire.today
        return [card for card in self.repertoire.cards if card in self._missed or memory(card).due <= today]

    @property
    def expected(self) -> Mapping[Move, Position]:
        """The moves that the repertoire has here; none where the line has ended."""
        return {} if self.game is None else self._answers.get(self.game.position, {})

    @property
    def awaits_person(self) -> bool:
        return self.game is not None and self.game.to_move is self.color and bool(self.expected)

    @property
    def awaits_reply(self) -> bool:
        return self.game is not None and self.game.to_move is not self.color and bool(self.expected)

    @property
    def answer(self) -> Move:
        """The move of the repertoire: the first that leads to what is left, where there are several."""
        return self.replies[0]

    def choose(self, move: Move, seconds: float) -> None:
        """Take the person's move. A right one is played; where only another one leads to what is left, that one is."""
        game = self.game
        assert game is not None
        same = same_moves(game, move)
        right = [each for each in self.expected if each in same]
        if not right:
            self._miss()
            self.tried = move
            return
        card, memory = self._card(game), self.repertoire.memory(self._card(game))
        if self.tried is None and not self.is_shown:
            self.known += 1
            if card in self._missed:
                self._missed.discard(card)
            elif memory.due <= self.repertoire.today:
                recall = Recall.within(seconds, _EASY_SECONDS, _GOOD_SECONDS)
                self.repertoire.know(card, memory.after(recall, self.repertoire.today))
        self.asked += 1
        self._left.discard(card)
        useful = self.replies
        self.taken = next((each for each in right if each in useful), useful[0])
        self._play(self.taken)

    def show(self) -> None:
        """Show the move of the repertoire."""
        self._miss()
        self.is_shown = True

    @property
    def replies(self) -> Sequence[Move]:
        """The expected moves that lead to what is left; all of them if none does."""
        return [move for move, after in self.expected.items() if self._leads_to(after)] or [*self.expected]

    def reply(self, games: Mapping[Move, int]) -> None:
        """Play the other side's move, in the proportion of the games in which people have played the moves.

        Where there are no such games, all moves are alike.
        """
        moves = self.replies
        weights = [games.get(move, 0) for move in moves]
        self._play(self._random.choices(moves, weights if any(weights) else None)[0])

    def _miss(self) -> None:
        """The move is not known: that counts once, and the position comes again."""
        assert self.game is not None
        card = self._card(self.game)
        if card not in self._missed:
            self._missed.add(card)
            self.repertoire.know(card, self.repertoire.memory(card).after(Recall.AGAIN, self.repertoire.today))

    def _play(self, move: Move) -> None:
        assert self.game is not None
        self.game, self.tried, self.is_shown = forced_passes(self.game.play(move)), None, False

    def _card(self, game: AnyGame) -> Card:
        return Card(game.rules.spec, self.color, game.position)

    def _leads_to(self, position: Position) -> bool:
        """Whether something is left to be asked, in a position or behind it."""
        assert self.game is not None
        waiting, seen = [position], {position}
        while waiting:
            position = waiting.pop()
            if Card(self.game.rules.spec, self.color, position) in self._left:
                return True
            new = {*self._answers.get(position, {}).values()} - seen
            seen |= new
            waiting += new
        return False
