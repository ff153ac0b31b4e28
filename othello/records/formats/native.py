"""The program's own format: one game as a JSON document, or a list with one game per line."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from othello.errors import Reason
from othello.files import write_bytes
from othello.records.formats.format import Format, SourceText
from othello.records.formats.normalise import lines_of
from othello.records.formats.parsed_game import FileItem, ParsedGame, parse_each
from othello.records.game_file import FORMAT, SUFFIX, GameFile, document_of, format_game, game_of, json_of, parse_game

_AROUND: Final = " \r\t,[]"  # characters around a document in a list
_FEATURES: Final = "moves names date event times values tags notes variations searches settings taken_back"


class NativeFormat(Format):
    """Stores all data of a game."""

    name = "othello"
    suffixes = (SUFFIX, ".json")
    supports = frozenset(_FEATURES.split())

    def matches(self, source: SourceText) -> bool:
        start = source.text[:4000].lstrip()
        return start.startswith(("{", "[")) and f'"{FORMAT}"' in start

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        text = source.text
        lines = ((line, document) for line, words in lines_of(text) if (document := words.strip(_AROUND)))
        first = [*islice(lines, 2)]
        if len(first) > 1 and first[0][1].endswith("}"):
            return parse_each(chain(first, lines), partial(_parse_game, parse_game))
        if not text.lstrip().startswith("["):
            return iter((ParsedGame.of(parse_game(text)),))
        return parse_each(((0, document) for document in json_of(text)), partial(_parse_game, game_of))

    def unsupported_reason(self, parsed: ParsedGame) -> Reason | None:
        return None

    def save(self, path: Path, parsed_games: Iterable[ParsedGame]) -> None:
        waiting = iter(parsed_games)
        first = [*islice(waiting, 2)]
        if len(first) == 1:
            write_bytes(path, format_game(first[0].opened).encode())
            return
        games = (json.dumps(document_of(parsed.opened), ensure_ascii=False) for parsed in chain(first, waiting))
        write_bytes(path, "".join(("[\n", ",\n".join(games), "\n]\n")).encode(errors="replace"))


def _parse_game(parse: Callable[[Any], GameFile], document: Any, number: int, line: int) -> ParsedGame:
    return ParsedGame.of(parse(document), number, line)
