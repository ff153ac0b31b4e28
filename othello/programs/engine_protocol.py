"""The base of the protocols that programs speak: a state machine on lines, without clock, thread or process."""

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import ClassVar, Final, NamedTuple, TypeAlias

from othello.errors import IllegalMoveError, ProgramError, Reason, TranscriptError
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.programs.program_registry import Program
from othello.rules.protocol import Move, Position, Rules
from othello.search.report import Line, Unit

_SHOWN: Final = 120
_PLAYED: Final = {"no_legal_move": "pass", "goal": "most", "size": 8, "handicap": 0}


class EngineRequest(FrozenDataclass):
    """A request to a program: for a move, or for an evaluation of all moves."""

    game: AnyGame
    seconds: float | None = None  # time for the answer; None: no limit
    clock: tuple[float, float] | None = None  # seconds for the whole game: at its start, and left now
    judges: bool = False  # True if the moves are to be evaluated
    seed: int = 0  # of the game, for programs that accept one


class EngineReady(NamedTuple):
    """Reported when the program is ready."""


class EngineAnalysis(NamedTuple):
    """The program's evaluation of a move, for the side to move."""

    move: Move
    value: float | None
    unit: Unit = Unit.EXPECTED
    depth: int = 0
    line: Line = ()
    visits: int = 0  # how often the program searched the move


class NodeCount(NamedTuple):
    """The number of positions that the program has searched."""

    nodes: int


class EngineMove(NamedTuple):
    """The program's move. None: it evaluated moves or was interrupted, and names no move."""

    move: Move | None


class EnginePaused(NamedTuple):
    """Reported when the program confirms that it is paused."""


Fact: TypeAlias = EngineReady | EngineAnalysis | NodeCount | EngineMove | EnginePaused


class EngineProtocol(ABC):
    """Our side of a protocol. The caller sends the lines in `to_say` before it passes on the next line of output.

    Attributes:
        name: the program's own name; empty: unknown.
        repeats: True if the program says that it makes the same decisions with the same seed.
        expected: the answer that the program has to send next, as a name in the catalogue of texts; empty: none.
    """

    unit: ClassVar[Unit] = Unit.NONE  # of all values in this protocol; NONE: programs differ, or send no values

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        self.program = program
        self.rules = rules
        self.to_say: list[str] = []
        self.name = ""
        self.is_deterministic = False
        self.expected = ""
        self._question: EngineRequest | None = None  # the latest one, unless it was cancelled

    @classmethod
    def plays(cls, rules: Rules[Position]) -> bool:
        """Return whether the protocol covers such games; most protocols know only Othello with standard rules."""
        spec = rules.spec
        return spec.game == "othello" and all(spec[key] == value for key, value in _PLAYED.items())

    @classmethod
    def unsupported_reason(cls, game: AnyGame) -> Reason | None:
        """Return why this game cannot be sent although its rules are covered, or None if it can."""
        return None

    @abstractmethod
    def greet(self) -> None:
        """Start the connection; an `EngineReady` follows."""

    @abstractmethod
    def ask(self, question: EngineRequest) -> None:
        """Send a request when nothing else is expected; an `EngineMove` follows."""

    @abstractmethod
    def handle_line(self, line: str) -> list[Fact]:
        """Return the reports in a line of output.

        Raises:
            ProgramError: the program must not send this line now.
        """

    @abstractmethod
    def move_now(self) -> None:
        """Ask for the answer at once, if the protocol has a command for that."""

    def drop(self) -> None:
        """Ignore the answer to the latest request, and end its search if the protocol can."""
        self.move_now()
        self._question = None

    def set_paused(self, is_paused: bool) -> bool:
        """Pause or resume the program, if the protocol can; return whether an `EnginePaused` follows."""
        return False

    def end(self, game: AnyGame) -> None:  # noqa: B027 (most protocols have no command for that)
        """Report the end of the game, and set `expected` if an answer follows."""

    def quit(self) -> None:
        """Tell the program to quit."""
        self.to_say.append("quit")

    def wrong(self, line: str, expected: str = "") -> ProgramError:
        """Return the error for a line that was not expected."""
        reason = Reason(f"program_expected_{expected or self.expected or 'nothing'}")
        return ProgramError("program_said", heard=line.strip()[:_SHOWN], expected=reason)

    def move_of(self, text: str, line: str) -> Move:
        """Return the program's move in the requested position.

        Raises:
            ProgramError: `text` is no legal move.
        """
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
        """Return the line of moves from the requested position, up to the first illegal move."""
        if self._question is None:
            return ()
        game = self._question.game
        with suppress(TranscriptError, IllegalMoveError):
            for text in texts:
                game = game.play(self.rules.parse_move(game.position, text.lower()))
        return game.moves[self._question.game.ply :]


def number_in(text: str) -> float | None:
    """Return the number in `text`, without a per cent sign, or None if it is no number."""
    digits = text.strip().rstrip("%")
    try:
        value = float(digits)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None  # infinity and NaN are not values
