"""PGN: numbered moves below tags, as PlayOK and chess programs write games."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from othello.errors import GameFileError, OthelloError, TranscriptError
from othello.records.formats import parsed_game
from othello.records.formats.format import Format, SourceText, moves_of, othello_of, texts_of
from othello.records.formats.normalise import counted_lines, date_of, noted, words_of
from othello.records.game_file import Entry
from othello.rules.protocol import Position, Rules

_TAGS: Final = re.compile(r'\s*\[\s*\w+\s+"')
_NUMBERED: Final = re.compile(r"\s*1\s*\.+\s*[a-h][1-8]", re.IGNORECASE)
_EXTRAS: Final = re.compile(r"[{}()$!?*]|\d-\d")
_TOKEN: Final = re.compile(
    r"""\[\s{0,9}(?P<tag>\w{1,40})\s{1,9}"(?P<value>[^\n]{0,1000}?)"\s{0,9}\]
    |\{(?P<note>[^}\n]*+(?:\n(?!\[\w)[^}\n]*+)*+)\} | ;(?P<rest>[^\n]*) | (?P<bracket>[()])
    |(?P<result>\d{1,2}-\d{1,2}(?![\d-])|1/2-1/2|\*) | \$\d{1,4} | [!?]+
    |(?P<moves>(?:(?:\d{1,4}\s{0,9}\.{1,9}|[a-h][1-8]|pass|ps|pa|--)\s{0,9}){1,20000}+) | (?P<other>[^\s()]{1,20})""",
    re.IGNORECASE | re.VERBOSE,
)
_MOVE: Final = re.compile(r"[a-h][1-8]|pass|ps|pa|--")
_NUMBER: Final = re.compile(r"(\d{1,4})\s{0,9}\.")
_SCORE: Final = re.compile(r"(\d{1,2})-(\d{1,2})")
_ENDINGS: Final = {"resigned": "resigned", "time forfeit": "out_of_time", "draw agreed": "draw_agreed"}
_WIDTH: Final = 100


class PgnFormat(Format):
    """Games with tags, comments and variations in brackets."""

    name = "PGN"
    suffixes = (".pgn",)
    supports = frozenset({"moves", "names", "date", "event", "times", "values", "notes", "variations", "tags"})

    def matches(self, source: SourceText) -> bool:
        text = source.text
        if _TAGS.match(text) is not None or _NUMBERED.match(text) is None or _EXTRAS.search(text) is None:
            return _TAGS.match(text) is not None
        return isinstance(next(self.read(source)), parsed_game.ParsedGame)  # handwritten moves are rarely PGN

    def parse(self, source: SourceText) -> Iterator[parsed_game.FileItem]:
        text, number, game = source.text, 0, _PgnReader(1)
        line_at, index = counted_lines(text), 0
        while token := _TOKEN.search(text, index):
            index = token.end()
            if game.is_over or (game.has_moves and token["tag"]):
                number += 1
                yield game.to_parsed_game(number)
                game = _PgnReader(line_at(token.start()))
            elif game.is_empty:
                game.line = line_at(token.start())
            game.take(token)
            if game.skipped > parsed_game.MAX_BRANCHES:  # so much cannot be the rest of a game
                index = text.find("\n[", index)
                index = len(text) if index < 0 else index
        if not game.is_empty:
            yield game.to_parsed_game(number + 1)

    def dump(self, parsed: parsed_game.ParsedGame) -> str:
        difference, fault = parsed.difference, parsed.result.get("fault")
        squares = parsed.rules.columns**2
        score = "*" if difference is None or fault else f"{(squares + difference) // 2}-{(squares - difference) // 2}"
        tags = {"Event": parsed.event, "Date": parsed.date[:10].replace("-", "."), "Time": parsed.date[11:]}
        tags |= {"Black": parsed.players[0], "White": parsed.players[1], "Result": score}
        if fault:
            endings = {fault: words for words, fault in _ENDINGS.items()}
            tags |= {"Winner": str(parsed.result["winner"]), "Termination": str(endings.get(fault, fault))}
        if squares != 64 or parsed.begun != othello_of().start():  # without a position, readers assume 8 x 8
            tags["FEN"] = parsed.rules.format_position(parsed.begun)
        headers = [f'[{name} "{value.replace(chr(34), chr(39))}"]' for name, value in tags.items() if value]
        return "\n".join([*headers, "", _wrapped([*_words(parsed), score]), "", ""])


class _PgnReader:
    """Reads one game token by token."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.is_over = self.has_moves = False
        self._tags: dict[str, str] = {}
        self._branches = parsed_game.VariationTree()
        self._after, self._score = 0, ""
        self._saved: list[int] = []
        self._rules: Rules[Position] = othello_of()
        self._start: Position | None = None
        self._fault: OthelloError | None = None
        self.skipped = 0  # tokens after the error

    @property
    def is_empty(self) -> bool:
        return not (self._tags or self.has_moves)

    def take(self, token: re.Match[str]) -> None:
        if token["tag"]:
            self._tags[token["tag"].lower()] = token["value"].replace("\\", "")
            return
        if self._fault is not None:
            self.skipped += 1
            self.is_over = bool(token["result"])
            return
        try:
            self._play(token)
        except OthelloError as error:
            self._fault = error

    def _play(self, token: re.Match[str]) -> None:
        if not self.has_moves:
            self.has_moves = True
            self._begin()
        note = token["note"] or token["rest"]
        if note:
            self._branches.add_note(self._after, noted(note.strip()))
        elif token["bracket"]:
            self._change_line(token["bracket"])
        elif token["moves"]:
            self._add_moves(token["moves"])
        elif token["result"]:
            self.is_over, self._score = True, token["result"]
        elif token["other"] and self._saved and token["other"][0] not in "[{":
            # an unknown word in a variation does not invalidate the game
            self._branches.add_note(self._after, noted(token["other"]))
        elif token["other"]:
            number = self._branches.depths[self._after] + 1
            raise TranscriptError("no_move_there", number=number, text=token["other"])

    def _change_line(self, bracket: str) -> None:
        if bracket == "(":
            self._saved.append(self._after)
            self._after = self._branches.before(self._after)
        elif self._saved:
            self._after = self._saved.pop()
        else:
            raise GameFileError("brackets", text=bracket)

    def _add_moves(self, text: str) -> None:
        before = self._branches.depths[self._after]
        for number, following_number in pairwise(map(int, _NUMBER.findall(text))):
            if not 0 <= following_number - number <= 1:
                raise TranscriptError("number_there", number=before + 1, given=following_number)
        if texts := _MOVE.findall(text.lower()):
            self._after = self._branches.add(self._after, moves_of(texts, self._rules, before))

    def _begin(self) -> None:
        if board := self._tags.get("fen", "").strip():
            self._rules = othello_of({36: 6}.get(len(board.split()[0]), 8))
            start = self._rules.parse_position(board)
            self._start = None if start == self._rules.start() else start

    def to_parsed_game(self, number: int) -> parsed_game.FileItem:
        if self._fault is None and not self.has_moves:
            self._fault = GameFileError("pgn_empty")
        if self._fault is None and not self.is_over and _SCORE.match(self._tags.get("result", "")):
            self._fault = GameFileError("game_end", sign=self._tags["result"])
        if self._fault is None and self._saved:
            self._fault = GameFileError("brackets", text="(")
        if self._fault is not None:
            return parsed_game.fault_at(number, self.line, self._fault)
        tags = self._tags
        return parsed_game.ParsedGame(
            self._rules,
            start=self._start,
            players=(_known_text(tags.get("black", "")), _known_text(tags.get("white", ""))),
            date=date_of(f"{tags.get('date', '')} {tags.get('time', '')}".strip()),
            event=_known_text(tags.get("event", "")) or _known_text(tags.get("site", "")),
            result=self._result(),
            number=number,
            line=self.line,
            **self._branches.to_fields(self._rules),
        )

    def _result(self) -> Entry:
        fault = _ENDINGS.get(self._tags.get("termination", "").lower())
        winner = self._tags.get("winner", "").lower()
        if fault and winner in ("black", "white", "draw") and (winner == "draw") is (fault == "draw_agreed"):
            return {"winner": winner, "fault": fault}
        score = _SCORE.fullmatch(self._tags.get("result") or self._score)
        size = self._rules.columns
        if score is None or not 2 < int(score[1]) + int(score[2]) <= size**2:
            return {}
        return parsed_game.result_of(int(score[1]) - int(score[2]), size=size)


def _known_text(text: str) -> str:
    return "" if text.strip() in ("?", "-") else words_of(text)


def _words(parsed: parsed_game.ParsedGame) -> list[str]:
    """Return the moves with numbers, notes and variations."""
    texts = texts_of(parsed.rules.columns)
    note, branches = parsed.all_branches
    children, last = parsed_game.following(branches), 0
    for detail in parsed.all_details:
        last = children[last][0]
        note_of_move = f"{parsed_game.search_words(detail)} {branches[last - 1].note}".strip()
        branches[last - 1] = branches[last - 1]._replace(note=note_of_move)
    words = [_note(note)] if note else []

    def tell(number: int, ply: int, is_first: bool) -> None:
        _, move, note, _ = branches[number - 1]
        if ply % 2 == 0 or is_first:
            words.append(f"{ply // 2 + 1}.{'..' * (ply % 2)}")
        words.append(texts.get(move, "--"))
        if note:
            words.append(_note(note))

    def tell_after(number: int, ply: int) -> None:
        is_first = True
        while numbers := children[number]:
            number, *others = numbers
            tell(number, ply, is_first)
            is_first = bool(others) or bool(branches[number - 1].note)
            for other in others:
                words.append("(")
                tell(other, ply, True)
                tell_after(other, ply + 1)
                words.append(")")
            ply += 1

    tell_after(0, parsed.begun.to_move)
    return words


def _note(note: str) -> str:
    return f"{{{note}}}" if "}" not in note else f";{note}\n"


def _wrapped(words: list[str]) -> str:
    """Join words into lines. A word that is a comment to the end of the line ends its line."""
    lines, length = [""], 0
    for word in words:
        separator = "" if not length else "\n" if length + len(word) > _WIDTH else " "
        lines += separator, word
        length = 0 if word.endswith("\n") else len(word) + (0 if separator == "\n" else length + 1)
    return "".join(lines)
