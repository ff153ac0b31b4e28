"""The user's unfinished game of a tournament, stored beside the results after each move."""

import json
import logging
import re
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any

from othello.errors import OthelloError, OutputError
from othello.files import BackgroundWriter, is_file, read_text, set_aside, write_text
from othello.game import AnyGame, GameTree
from othello.play.history import History, Tree
from othello.play.referee import GameJob
from othello.records.game_file import MAX_BYTES, document_of, game_of
from othello.strict_json import parse
from othello.study.game_file_conversion import game_file_from, open_command

_log = logging.getLogger(__name__)


class UnfinishedGame:
    """Stores the game with its clocks, to continue it when the tournament is opened again.

    A thread writes the file, because a disk may be slow.
    """

    def __init__(self, results: Path) -> None:
        self._path = results.with_name(f"{results.name}.unfinished")
        self._writer = BackgroundWriter("unfinished game")
        self._can_write = True  # False: a damaged file cannot be renamed
        self._written: Tree | None = None
        self._left: tuple[GameJob, AnyGame | Tree] | None = None  # the start of the latest game

    @property
    def exists(self) -> bool:
        return is_file(self._path)

    def seed(self, settings: str) -> int | None:
        """Return the seed of the tournament of the stored game, or None if there is no game with such settings."""
        begun = re.fullmatch(rf"(\d{{1,19}})-{re.escape(settings)}", str(self._read().get("experiment")), re.ASCII)
        return None if begun is None else int(begun[1])

    def begin(self, job: GameJob, start: AnyGame) -> AnyGame | Tree:
        """Return the stored game of a job, or `start`."""
        if self._left is None or self._left[0] is not job:
            self._left = job, self._as_left(job, start)
        return self._left[1]

    def _as_left(self, job: GameJob, start: AnyGame) -> AnyGame | Tree:
        document = self._read()
        if document.get("experiment") != job.experiment or document.get("number") != job.number:
            return start
        try:
            tree = open_command(game_of(document["game"])).start
        except (OthelloError, KeyError) as error:
            self._refuse(error)
            return start
        is_of_job = isinstance(tree, GameTree) and tree.game.positions[: start.ply + 1] == start.positions
        return tree if is_of_job else start

    def keep(self, history: History) -> None:
        """Write the game if it has changed."""
        if self._can_write and (self._written is None or self._written.game is not history.game):
            self._written = tree = history.tree
            self._left = None
            referee, date, job = copy(history.referee), history.date, history.referee.job

            def write() -> None:
                parts = {"experiment": job.experiment, "number": job.number}
                text = json.dumps({**parts, "game": document_of(game_file_from(tree, referee, date))})
                try:
                    write_text(self._path, text)
                except OutputError as error:
                    _log.warning("the game under way is not kept: %s", error)

            self._writer.do("game", write)

    def drop(self) -> None:
        """Delete the file."""

        def remove() -> None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

        self._written = None
        self._writer.do("game", remove)

    def close(self) -> None:
        """Wait a few seconds at most until everything is written."""
        self._writer.close(5.0)

    def _read(self) -> dict[str, Any]:
        if not self.exists:
            return {}
        try:
            document = parse(read_text(self._path, MAX_BYTES))
        except OthelloError as error:
            self._refuse(error)
            return {}
        return document if isinstance(document, dict) else {}

    def _refuse(self, error: Exception) -> None:
        _log.warning("%s: %s", self._path, error)
        try:
            set_aside(self._path)
        except OutputError as failure:
            _log.warning("%s", failure)
            self._can_write = False
