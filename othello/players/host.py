"""Runs a user's class in its own process and speaks the JSON protocol of docs/programs.md.

    python -m othello.players.host MODULE:CLASS [OPTION=VALUE ...]

The class's standard output is redirected to standard error, because answers are written to standard output.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from queue import Queue
from typing import Any, Final, TextIO

from othello.errors import ForfeitError, OthelloError, ProgramError
from othello.game import AnyGame, Game
from othello.players.player import Player
from othello.players.python_class_player import class_errors_as, load_player, title_of
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag

_PAUSE: Final = 0.05  # seconds between two snapshots
_UNITS: Final = {Unit.REWARD: "win_probability", Unit.SCORE: "engine_score", Unit.DISCS: "exact_discs"}


class Host:
    """The program's side of the JSON protocol, around a player."""

    def __init__(self, name: str, options: str, answers: TextIO) -> None:
        self._name = name
        self._options = options
        self._answers = answers
        self._player: Player | None = None
        self._seed: int | None = None
        self._turn = threading.Lock()  # held while an answer is written

    def answer(self, message: dict[str, Any], stop: StopFlag) -> None:
        """Carry out a message."""
        try:
            if message["type"] == "hello":
                self._greet(message)
            elif message["type"] == "go":
                self._think(message, stop)
            elif message["type"] == "game_over":
                with class_errors_as(ForfeitError):
                    self._ready.game_over(self._game(message))
                self.say("done")
        except ProgramError as error:
            is_refusal = error.reason.name == "program_game"
            self.say("refuse" if is_refusal else "error", message=error.reason.english)
        except OthelloError as error:
            self.say("error", id=message.get("id"), message=error.reason.english)

    def _greet(self, message: dict[str, Any]) -> None:
        rules = rules_of(game_spec(message["game"], message["rules"]))
        self._player = player = load_player(self._name, self._options, rules, str(Path.cwd()))
        with class_errors_as(ProgramError):
            player.prepare()
        name = title_of(self._name, player)
        self.say("ready", name=name, deterministic=player.is_deterministic, capabilities=["pause", "game_over"])

    @property
    def _ready(self) -> Player:
        assert self._player is not None
        return self._player

    def _game(self, message: dict[str, Any]) -> AnyGame:
        rules = self._ready.rules
        game: AnyGame = Game.new(rules, rules.parse_position(message["start"]))
        for text in message["moves"]:
            game = game.play(rules.parse_move(game.position, text))
        return game

    def _think(self, message: dict[str, Any], stop: StopFlag) -> None:
        player, game = self._ready, self._game(message)
        with class_errors_as(ForfeitError):
            if self._seed != message["seed"]:
                self._seed = message["seed"]
                player.new_game(message["seed"])
            ask = player.analyse if message["analyse"] else player.think
            sent_at = 0.0
            for report in ask(game, stop, message["seconds"]):
                if report.final or time.monotonic() > sent_at + _PAUSE:
                    sent_at = time.monotonic()
                    self._tell(message["id"], game, report)

    def _tell(self, number: int, game: AnyGame, report: SearchReport) -> None:
        known = [stats for stats in report.moves if stats.value is not None or stats.visits]
        self.say(
            "move" if report.final else "info",
            id=number,
            move=game.text_of(report.move),
            value=report.value,
            unit=_UNITS.get(report.unit, "discs"),
            depth=report.depth,
            nodes=report.nodes,
            line=game.texts_of(report.pv),
            values={game.text_of(stats.move): stats.value for stats in known},
            visits={game.text_of(stats.move): stats.visits for stats in known},
        )

    def say(self, kind: str, **parts: Any) -> None:
        """Write an answer. Any thread may call this."""
        with self._turn:
            self._answers.write(json.dumps({"type": kind, **parts}) + "\n")
            self._answers.flush()


def main() -> None:
    """Answer messages until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    host = Host(sys.argv[1], " ".join(sys.argv[2:]), answers)
    waiting: Queue[tuple[dict[str, Any], StopFlag] | None] = Queue()
    threading.Thread(target=_listen, args=(host, waiting), daemon=True).start()
    while (asked := waiting.get()) is not None:
        host.answer(*asked)


def _listen(host: Host, waiting: Queue[tuple[dict[str, Any], StopFlag] | None]) -> None:
    """Queue messages until the input ends, and stop or pause the running search when a message says so."""
    stop = StopFlag()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "quit":
            break
        if message["type"] == "stop":
            stop.time_is_up()
        elif message["type"] in ("pause", "resume"):
            stop.set_paused(message["type"] == "pause")
            if stop.is_paused:
                host.say("paused", id=message["id"])
        else:
            stop = StopFlag()
            waiting.put((message, stop))
    stop.cancel()
    waiting.put(None)


if __name__ == "__main__":
    main()
