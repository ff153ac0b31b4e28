"""The opening repertoire: its lines, and the drill."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from othello.game import AnyGame, Game
from othello.records.transcript import format_transcript, parse_transcript
from othello.resources import schema_of
from othello.rules.board_text import BitboardPosition, RowGame
from othello.rules.connect_four import ConnectFour
from othello.rules.protocol import Color, GameSpec, Move, Position
from othello.rules.registry import game_spec, rules_of
from othello.rules.symmetry import mirror_images
from othello.schema import first_fault
from othello.study.explorer import continued
from othello.study.repertoire import REPERTOIRE_NAME, OpeningDrill, Repertoire, RepertoireLine, _text_of, same_moves
from othello.study.store_writer import DamagedValue, StoreWriter
from tests.play.test_library import settle
from tests.play.test_training import Calendar, text_in
from tests.positions import RULES, SPEC, random_game_of

LINES = ("f5d6c3d3c4f4f6", "f5d6c3d3c4f4c5", "f5d6c3g5c6", "f5f6e6f4e3", "f5d6c4d3c3")


def opening(moves: str) -> AnyGame:
    return parse_transcript(moves, RULES)


def play_move(drill: OpeningDrill, move: str) -> None:
    assert drill.game is not None
    drill.choose(RULES.parse_move(drill.game.position, move), 1.0)


def repertoire(
    store_writer: StoreWriter | None = None, calendar: Calendar | None = None, color: Color = Color.BLACK
) -> Repertoire:
    made = Repertoire(store_writer, calendar or Calendar())
    for line in LINES:
        made.add(opening(line), color)
    return made


def play_line(drill: OpeningDrill, miss: Sequence[Position] = (), seconds: float = 1.0) -> None:
    """Play one line to its end, with a wrong first try at each move to miss."""
    assert drill.game is not None
    while drill.awaits_user or drill.awaits_reply:
        game = drill.game
        if drill.awaits_reply:
            drill.reply({})
            continue
        if game.position in miss:
            wrong = next(move for move in game.legal_moves() if move not in drill.expected)
            drill.choose(wrong, seconds)
            assert (drill.tried, drill.game) == (wrong, game), "nothing is played"
        drill.choose(drill.answer, seconds)


class SquareFour(ConnectFour):
    """Connect Four on 7 x 7: a square board whose rules are only symmetric from left to right."""

    rows = 7
    symmetries = mirror_images(7, 7)

    def squares_open(self, position: BitboardPosition) -> int:
        return RowGame.squares_open(self, position) & (position.taken >> 7 | 127 << 42)


def test_lines_are_only_turned_by_the_symmetries_of_the_rules() -> None:
    rules: Any = SquareFour(GameSpec("square_four", ()))
    left, right = (Game.new(rules).after(map(Move, squares)) for squares in ((42, 35, 44), (48, 41, 46)))
    assert RepertoireLine.of(left, Color.BLACK) == RepertoireLine.of(right, Color.BLACK)
    assert same_moves(Game.new(rules), Move(42)) == {42, 48}
    assert continued(left, right.at(2).position) == (2, (46,))
    assert continued(left, Game.new(rules).after(map(Move, (45, 38))).position) is None


def test_lines_are_stored_by_side_without_prefixes_and_symmetric_copies(store_writer: StoreWriter) -> None:
    book = repertoire(store_writer)
    for other in ("f5d6", "f5d6c3", "d3c5f6f5e6e3c3", LINES[0]):  # beginnings, and one that was turned
        book.add(opening(other), Color.BLACK)
    assert [format_transcript(line.game) for line in book.lines] == [*LINES]
    book.add(opening("f5"), Color.WHITE)
    assert len(book.lines) == len(LINES), "white has no move in it"
    assert book.add(opening("f5d6c3"), Color.WHITE) is not None
    fewest = rules_of(game_spec(options={"goal": "fewest"}))
    connect_four = rules_of(game_spec("connect_four"))
    for rules in (fewest, connect_four, rules_of(game_spec("ultimate_tictactoe"))):
        assert book.add(random_game_of(rules, 1).at(6), Color.WHITE) is not None
    assert first_fault(json.loads(text_in(store_writer, REPERTOIRE_NAME)), schema_of("repertoire")) is None
    again = Repertoire(store_writer, Calendar())
    assert again.lines == book.lines
    assert {card: again.memory(card) for card in again.cards} == {card: book.memory(card) for card in book.cards}
    again.remove(again.lines[0])
    settle(store_writer)
    left = Repertoire(store_writer, Calendar())
    assert left.lines == book.lines[1:]
    assert {*left.cards} <= {*book.cards}


def test_windows_share_a_repertoire_and_damage_is_backed_up(store_writers: list[StoreWriter]) -> None:
    damaged = _text_of(repertoire().value).replace("f5d6c4", "f5d6a1").encode()
    store_writers[0].store.update_value(REPERTOIRE_NAME, lambda _: damaged)
    windows = [Repertoire(store_writer, Calendar()) for store_writer in store_writers[:3]]
    assert not windows[0].lines
    assert isinstance(windows[0].notice, DamagedValue)
    assert "f5d6a1" in text_in(store_writers[0], windows[0].notice.name)
    for number, line in enumerate(LINES):
        windows[number % 2].add(opening(line), Color.BLACK)
    OpeningDrill(windows[0], SPEC, Random(1)).choose(opening("f5").moves[0], 1.0)
    for store_writer in store_writers[:2]:
        settle(store_writer)
    last = windows[2]
    assert {format_transcript(line.game) for line in last.lines} == {*LINES}
    assert len(last.due()) == len(last.cards) - 1


@pytest.mark.parametrize("color", Color)
def test_due_lines_are_asked_once_and_missed_lines_again(color: Color) -> None:
    today = Calendar()
    book = repertoire(calendar=today, color=color)
    missed = [*book.cards][1:3]
    drill, asked = OpeningDrill(book, SPEC, Random(color)), 0
    while drill.game is not None:
        new = [card for card in missed if not book.memory(card).stability]
        play_line(drill, [card.position for card in new])
        assert {*drill.left} >= {card for card in new if book.memory(card).stability}, "it comes again"
        asked += 1
        drill.begin()
        assert asked <= 3 * len(LINES)
    assert not book.due()
    tomorrow = [card for card in book.cards if book.memory(card).due == today.day + timedelta(days=1)]
    assert tomorrow == missed
    assert max(book.memory(card).due for card in book.cards) > today.day + timedelta(days=3), "easy lines are due later"
    memories = dict(book.value.memories)
    drill.begin(is_free=True)
    play_line(drill)
    assert book.value.memories == memories, "free practice changes no due date"
    today.day += timedelta(days=1)
    assert {*book.due()} == {*tomorrow}
    drill.begin()
    play_line(drill)
    assert len(book.due()) < len(tomorrow)


def test_slower_answers_are_due_sooner() -> None:
    due: list[date] = []
    for seconds in (100.0, 10.0, 1.0):
        book = Repertoire(None, Calendar())
        book.add(opening("f5"), Color.BLACK)
        drill = OpeningDrill(book, SPEC, Random(1))
        play_line(drill, seconds=seconds)
        (card,) = book.cards
        due.append(book.memory(card).due)
    assert due == sorted({*due})


def test_symmetric_moves_and_other_lines_are_right() -> None:
    book = repertoire()
    drill = OpeningDrill(book, SPEC, Random(1))
    play_move(drill, "c4")
    assert drill.game is not None
    assert (format_transcript(drill.game), drill.asked, drill.known) == ("f5", 1, 1)
    both = Repertoire(None, Calendar())
    for line in ("f5d6c3d3c4", "f5d6c4d3c3"):
        both.add(opening(line), Color.BLACK)
    drill = OpeningDrill(both, SPEC, Random(1))
    ways = []
    for _ in range(2):
        for move in ("f5", "c3"):
            play_move(drill, move)
            assert drill.tried is None
            if drill.awaits_reply:
                drill.reply({})
        assert drill.game is not None
        ways.append(format_transcript(drill.game)[:6])
        play_line(drill)
        drill.begin()
    assert ways == ["f5d6c3", "f5d6c4"], "the other line is asked, too"


def test_replies_are_drawn_by_their_frequency() -> None:
    perpendicular, diagonal = (opening(moves).moves[-1] for moves in ("f5d6", "f5f6"))
    drill = OpeningDrill(repertoire(), SPEC, Random(3))
    replies = Counter[Move]()
    for _ in range(200):
        drill.begin(is_free=True)
        drill.choose(drill.answer, 1.0)
        drill.reply({perpendicular: 30, diagonal: 10, Move(0): 1000})
        assert drill.game is not None
        replies[drill.game.moves[-1]] += 1
    assert set(replies) == {perpendicular, diagonal}
    assert 2 < replies[perpendicular] / replies[diagonal] < 4.5


def test_a_line_asks_for_the_moves_of_its_side() -> None:
    game = opening(LINES[0])
    for color in Color:
        asked = RepertoireLine(game, color).cards.values()
        assert [each.ply for each in asked] == [ply for ply in range(game.ply) if game.at(ply).to_move is color]
    assert not RepertoireLine(Game.new(RULES), Color.BLACK).cards
