"""What is said to a program and heard of it, whatever both speak.

A dialogue is a state machine on lines: it knows no clock, no thread and no process.
"""

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import ClassVar, Final, NamedTuple, TypeAlias

from othello.errors import IllegalMoveError, ProgramError, Reason, TranscriptError
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.programs.registered import Program
from othello.rules.protocol import Move, Position, Rules
from othello.search.report import Line, Unit

_SHOWN: Final = 120
_PLAYED: Final = {"no_legal_move": "pass", "goal": "most", "size": 8, "handicap": 0}


class Question(Frozen):
    """What a program is asked: for a move, or to judge the moves of a position."""

    game: AnyGame
    seconds: float | None = None  # for the answer
    clock: tuple[float, float] | None = None  # for all moves of the game: at its beginning, and what is left of it
    judges: bool = False  # whether the moves are to be judged
    seed: int = 0  # of the game, for a program that can be told


class Greeted(NamedTuple):
    """The program is ready."""


class Judged(NamedTuple):
    """What the program thinks of a move, for the side to move."""

    move: Move
    value: float | None
    unit: Unit = Unit.EXPECTED
    depth: int = 0
    line: Line = ()
    visits: int = 0  # how often the program has looked at the move


class Counted(NamedTuple):
    """How many positions the program has seen."""

    nodes: int


class Answered(NamedTuple):
    """The move that the program plays; None: it has judged, or has been interrupted, and names none."""

    move: Move | None


class Held(NamedTuple):
    """The program knows that it is to stand still."""


Fact: TypeAlias = Greeted | Judged | Counted | Answered | Held


class Dialogue(ABC):
    """Our side of a dialogue. What is to be said next waits in `to_say`, and has to be said before the next line.

    Attributes:
        name: what the program calls itself, empty as long as nothing is known.
        repeats: whether the program says that it makes the same decisions with the same seed.
        expected: what has to be heard next, the name of words in the catalogue; empty where nothing has.
    """

    unit: ClassVar[Unit] = Unit.NONE  # of the values that programs tell which speak so; NONE: not all tell any

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        self.program = program
        self.rules = rules
        self.to_say: list[str] = []
        self.name = ""
        self.repeats = False
        self.expected = ""
        self._question: Question | None = None  # whose answer is of use

    @classmethod
    def plays(cls, rules: Rules[Position]) -> bool:
        """Whether such games can be spoken of: of Othello as all programs know it, unless a protocol knows more."""
        spec = rules.spec
        return spec.game == "othello" and all(spec[key] == value for key, value in _PLAYED.items())

    @classmethod
    def refusal(cls, game: AnyGame) -> Reason | None:
        """Why this game cannot be spoken of although such games can; None where it can."""
        return None

    @abstractmethod
    def greet(self) -> None:
        """Begin; a `Greeted` follows."""

    @abstractmethod
    def ask(self, question: Question) -> None:
        """Ask something, when nothing else is expected any more; an `Answered` follows."""

    @abstractmethod
    def heard(self, line: str) -> list[Fact]:
        """What a line means; ProgramError where the program may not say this now."""

    @abstractmethod
    def hurry(self) -> None:
        """The answer is wanted now. Not every program can be told."""

    def drop(self) -> None:
        """The answer is of no use any more."""
        self._question = None

    def hold(self, is_held: bool) -> bool:
        """The program is to stand still, or may go on; whether a `Held` follows. Most programs cannot be told."""
        return False

    def end(self, game: AnyGame) -> bool:
        """The game is over; whether the program is going to answer that. Most programs cannot be told."""
        return False

    def part(self) -> None:
        """The program is not needed any more."""
        self.to_say.append("quit")

    def wrong(self, line: str, expected: str = "") -> ProgramError:
        """That something else was expected than this line."""
        wanted = expected or self.expected
        reason = Reason(f"program_expected_{wanted}") if wanted else Reason("program_expected_nothing")
        return ProgramError("program_said", heard=line.strip()[:_SHOWN], expected=reason)

    def move_of(self, text: str, line: str) -> Move:
        """The move that the program plays, in the position that it was asked about; ProgramError: it is not legal."""
        assert self._question is not None
        game = self._question.game
        try:
            move = self.rules.parse_move(game.position, text.lower())
        except TranscriptError:
            raise self.wrong(line, "move") from None
        legal = game.legal_moves()
        if move not in legal:
            raise ProgramError("illegal_answer", move=game.text_of(move), legal=", ".join(map(game.text_of, legal)))
        return move

    def line_of(self, texts: list[str]) -> Line:
        """The beginning of a line of moves from the position that was asked about, as far as it is legal."""
        if self._question is None:
            return ()
        game = self._question.game
        with suppress(TranscriptError, IllegalMoveError):
            for text in texts:
                game = game.play(self.rules.parse_move(game.position, text.lower()))
        return game.moves[self._question.game.ply :]


def number_in(text: str) -> float | None:
    """The number that a text begins with, None where it begins with something else."""
    digits = text.strip().rstrip("%")
    try:
        value = float(digits)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None  # neither is infinity a value, nor what is none
