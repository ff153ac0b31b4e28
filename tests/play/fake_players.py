"""Players with faults, and a slow one."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from othello.config import PlayerConfig
from othello.errors import TreeFileError
from othello.game import AnyGame
from othello.players.player import Player
from othello.players.player_registry import configure
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import rules_of
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag


def report(game: AnyGame, move: int | None = None, visits: int = 100, final: bool = False) -> SearchReport:
    """Return a plausible report on a position; the first legal move is the best by default."""
    legal = game.legal_moves()
    best = legal[0] if move is None else Move(move)
    stats = tuple(MoveStats(other, visits // (index + 1), 0.6 - 0.07 * index) for index, other in enumerate(legal))
    return SearchReport("test", best, 0.6, stats, Unit.REWARD, visits, visits, 7, (best,), 0.01, final)


class FirstMove(Player):
    """Plays the first legal move at once."""

    released: ClassVar[list[Player]] = []

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        yield replace(report(game, final=True), player=self.name)

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        yield replace(report(game, final=True), player="analyst")

    def release(self) -> None:
        self.released.append(self)


class Slow(FirstMove):
    """Searches until it is stopped, or until `finish` is set."""

    finish = threading.Event()
    visits: ClassVar[int]

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        visits = 0
        while not stop.is_set and not self.finish.is_set():
            time.sleep(0.002)
            visits += 1000
            Slow.visits = visits
            yield replace(report(game, visits=visits), below=dict.fromkeys(self.expanded_lines, ()))
        if not stop.is_cancelled:
            yield report(game, visits=visits, final=True)


class Faulty(FirstMove):
    """Makes the mistake that its name says."""

    def prepare(self) -> None:
        if self.name == "unprepared":
            raise OSError("no compiler here")

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        match self.name:
            case "raising":
                yield report(game)
                raise RuntimeError("the tree\nis full")
            case "exiting":
                raise SystemExit(1)  # `except Exception` does not catch it
            case "illegal":
                yield report(game, move=27, final=True)
            case "nonsense":
                yield "e4"  # type: ignore[misc]
            case "forgetful" | "unprepared":
                yield from super().think(game, stop, seconds)

    def game_over(self, game: AnyGame) -> None:
        if self.name == "forgetful":
            raise TreeFileError("notes.npz: the disk\nis full")


class Hanging(FirstMove):
    """Ignores its stop flag until `woken` is set."""

    woken = threading.Event()

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        self.woken.wait(60)
        yield report(game, final=True)


_FAULTS = "raising", "exiting", "illegal", "nonsense", "silent", "unprepared", "forgetful"
_KINDS: dict[str, type[Player]] = {
    "first": FirstMove,
    "second": FirstMove,
    "slow": Slow,
    "hanging": Hanging,
    **dict.fromkeys(_FAULTS, Faulty),
}


def make_player(config: PlayerConfig, spec: GameSpec) -> Player:
    """Create a player by the name in its config, as `create_player` does for real players."""
    return _KINDS[config.name](config, rules_of(spec))


def computer(kind: str) -> PlayerConfig:
    return configure("random", name=kind)


PERSON = configure("user")


class Judge(FirstMove):
    """Values a move at four discs, or 5 % of win probability, for each captured disc."""

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        in_discs = self.config.player_type == "engine"
        worth = {move: len(self.rules.captured(game.position, move)) for move in game.legal_moves()}
        values = {move: 4.0 * discs if in_discs else discs / 20 for move, discs in worth.items()}
        stats = tuple(MoveStats(move, 1, value) for move, value in values.items())
        best = max(values, key=lambda move: values[move])
        unit = Unit.EXPECTED if in_discs else Unit.REWARD
        replies = tuple(MoveStats(reply, 1, values[best]) for reply in game.play(best).legal_moves())
        below: dict[tuple[Move, ...], tuple[MoveStats, ...]] = {(best,): replies}
        yield SearchReport("judge", best, values[best], stats, unit, depth=12, pv=(best,), below=below, final=True)


def make_judge(config: PlayerConfig, spec: GameSpec) -> Player:
    """Create a player that analyses games."""
    return Judge(config, rules_of(spec))
