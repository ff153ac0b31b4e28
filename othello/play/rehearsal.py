"""The lines of a repertoire played from memory: one's own moves, and replies in the proportion in which people play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from othello.game import AnyGame, Game
from othello.play.memory import Recall
from othello.play.repertoire import Answers, Card, Repertoire, same_moves
from othello.records.transcript import forced_passes
from othello.rules.protocol import GameSpec, Move, Position
from othello.rules.registry import rules_of

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
        return self._best(self.expected)[0]

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
        best = self._best(self.expected)
        self.taken = next((each for each in right if each in best), best[0])
        self._play(self.taken)

    def show(self) -> None:
        """Show the move of the repertoire."""
        self._miss()
        self.is_shown = True

    @property
    def replies(self) -> Sequence[Move]:
        """Among which moves the reply is drawn: those that lead to what is left."""
        return self._best(self.expected)

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

    def _best(self, moves: Mapping[Move, Position]) -> Sequence[Move]:
        """Those of some moves that lead to what is left; all of them where none does."""
        return [move for move, after in moves.items() if self._leads_to(after)] or [*moves]

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
