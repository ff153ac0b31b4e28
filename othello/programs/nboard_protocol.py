"""NBoard's protocol, versions 1 and 2, with tolerance for real programs.

A program never moves by itself: it is sent every move or the whole game. `ping` ends its search; output before the
matching `pong` belongs to earlier requests.
"""

import re
from typing import Final

from othello.game import AnyGame
from othello.numbers import parse_whole
from othello.programs import engine_protocol as protocol
from othello.programs.program_registry import USUAL_DEPTH, Program
from othello.rules.protocol import Color, Move, Position, Rules
from othello.search.report import Unit

_MOVE: Final = re.compile(r"([a-hA-H][1-8]|[pP][aA](?:[sS][sS])?)")
_PAIR: Final = re.compile(r"\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)")


class NBoardProtocol(protocol.EngineProtocol):
    """Our side of NBoard's protocol."""

    unit = Unit.EXPECTED

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        super().__init__(program, rules)
        self._ping = 0
        self._sent_game: AnyGame | None = None  # the game that was sent to the program
        self._is_asked = False  # a `go` or `hint` was sent and has not been answered
        self._may_answer = False  # an interrupted request may still be answered
        self._is_greeted = False

    def greet(self) -> None:
        self.to_say += ["nboard 2", f"set depth {self.program.depth or USUAL_DEPTH}", "set contempt 0"]
        self._synchronise()

    def ask(self, question: protocol.EngineRequest) -> None:
        self._question = question
        self._tell(question.game)
        self._synchronise()

    def move_now(self) -> None:
        if self._is_asked:
            self._may_answer = True
            self._synchronise()

    def handle_line(self, line: str) -> list[protocol.Fact]:
        word, _, rest = line.strip().partition(" ")
        if word.startswith("?") and not self._is_greeted:  # a response in GTP
            raise self.wrong(line)
        if word.startswith("==="):
            return self._moved(f"{word[3:]} {rest}", line)
        match word:
            case "pong":
                return self._synchronised(rest)
            case "set" if rest.startswith("myname "):
                self.name = rest.removeprefix("myname ").strip()
            case "search" | "book" if self._is_current:
                return self._judged(rest)
            case "nodestats" if self._is_current:
                nodes = protocol.number_in(rest.split()[0] if rest.split() else "")
                return [] if nodes is None else [protocol.NodeCount(int(nodes))]
            case "status" if self._question is not None and self._question.judges and self._is_asked:
                if not rest.strip() or "waiting" in rest.lower():
                    return self._end()
        return []

    @property
    def _is_current(self) -> bool:
        """True if the output belongs to a request whose answer is needed."""
        return self._is_asked and self._question is not None

    def _tell(self, game: AnyGame) -> None:
        """Send a game: the moves that the program lacks, or else the whole game."""
        sent, self._sent_game = self._sent_game, game
        if sent is not None and sent.positions[0] == game.positions[0] and game.moves[: sent.ply] == sent.moves:
            texts = (_text(game.at(ply), game.moves[ply]) for ply in range(sent.ply, game.ply))
            self.to_say += [f"move {text}" for text in texts]
        else:
            self.to_say.append(f"set game {_ggf(game)}")

    def _synchronise(self) -> None:
        self._ping += 1
        self.to_say.append(f"ping {self._ping}")
        self.expected = self.expected or "pong"

    def _synchronised(self, number: str) -> list[protocol.Fact]:
        """Handle `pong`: earlier requests are over, so the next request can be sent."""
        pong = parse_whole(number, 0, self._ping)
        if pong is None:
            raise self.wrong(f"pong {number}")
        if pong < self._ping:
            return []
        self.expected = ""
        if not self._is_greeted:
            self._is_greeted = True
            return [protocol.EngineReady()]
        if self._is_asked:  # this pong follows a `go` or `hint`, so that search has ended
            return self._end()
        question, self._may_answer = self._question, False
        if question is not None:
            self._is_asked = True
            self.to_say.append(f"hint {len(question.game.legal_moves())}" if question.judges else "go")
            self.expected = "judgement" if question.judges else "move"
        return []

    def _end(self, move: Move | None = None) -> list[protocol.Fact]:
        is_wanted = self._question is not None
        self._is_asked, self._question, self.expected = False, None, ""
        return [protocol.EngineMove(move)] if is_wanted else []

    def _moved(self, rest: str, line: str) -> list[protocol.Fact]:
        """Parse a move: `=== b7 64.00 0.0`, `=== F5/3.2/0.1` or `=== PA//3.1`."""
        if not self._is_current:
            if not self._may_answer:
                raise self.wrong(line)
            return []
        move, *fields = re.split(r"[\s/]", rest.strip())
        chosen = self.move_of("pass" if move.lower().startswith("pa") else move, line)
        value = protocol.number_in(fields[0]) if fields else None
        facts: list[protocol.Fact] = [] if value is None else [protocol.EngineAnalysis(chosen, value)]
        return facts + self._end(chosen)

    def _judged(self, rest: str) -> list[protocol.Fact]:
        """Parse `search F5d6C3 3.14 0 12 ...`; the value may be a pair, for black and for white."""
        pair = _PAIR.search(rest)
        words = (_PAIR.sub(pair[1], rest, count=1) if pair else rest).split()
        line = self.line_of(_MOVE.findall(words[0])) if words else ()
        value = protocol.number_in(words[1]) if len(words) > 1 else None
        if not line or value is None:
            return []
        depth = re.match("[0-9]{1,3}", words[3]) if len(words) > 3 else None
        return [protocol.EngineAnalysis(line[0], value, Unit.EXPECTED, int(depth[0]) if depth else 0, line)]


def _text(game: AnyGame, move: Move) -> str:
    return "PA" if game.rules.is_pass(move) else game.text_of(move).upper()


def _ggf(game: AnyGame) -> str:
    """Return a game in GGF: the first position and the moves."""
    marks = {None: "-", Color.BLACK: "*", Color.WHITE: "O"}
    start = game.positions[0]
    board = "".join(marks[mark] for mark in game.rules.owners(start))
    turns = ((game.at(ply), game.moves[ply]) for ply in range(game.ply))
    moves = "".join(f"{'BW'[before.to_move]}[{_text(before, move)}]" for before, move in turns)
    head = "GM[Othello]PC[othello-lab]PB[black]PW[white]RE[?]TI[0]TY[8]"
    return f"(;{head}BO[8 {board} {marks[start.to_move]}]{moves};)"
