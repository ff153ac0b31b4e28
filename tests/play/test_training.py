"""Exercises, the opening repertoire and the rating: what is due, what counts, and how it is stored."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from othello.errors import OthelloError
from othello.game import AnyGame, Game
from othello.play.assessment import Limits, is_right, judged, values_of, worst
from othello.players.levels import measured
from othello.records.game_file import GameHeaders, GameListEntry
from othello.records.transcript import format_transcript, parse_transcript
from othello.resources import schema_of
from othello.rules.board_text import BitboardPosition, RowGame
from othello.rules.connect_four import ConnectFour
from othello.rules.protocol import Color, GameSpec, Move, Position
from othello.rules.registry import game_spec, rules_of
from othello.rules.symmetry import mirror_images
from othello.schema import first_fault
from othello.store.store_file import StoreFile
from othello.study.card_state import CardState, Rating
from othello.study.explorer import continued
from othello.study.rating_history import FIRST_STEP, LAST_STEP, expected, rating_histories, step
from othello.study.repertoire import REPERTOIRE_NAME, OpeningDrill, Repertoire, RepertoireLine, _text_of, same_moves
from othello.study.store_writer import DamagedValue, StoreWriter
from othello.study.training import DECK_NAME, MOST, Deck, Exercise, ExerciseAttempt, exercise_of, format_exercises
from tests.play.test_history import analysed, random_report
from tests.play.test_library import full, settle
from tests.positions import RULES, SPEC, random_game_of

MONDAY = date(2026, 11, 23)


class Calendar:
    """A date that the test advances."""

    day = MONDAY

    def __call__(self) -> date:
        return self.day


def text_in(store_writer: StoreWriter, name: str = DECK_NAME) -> str:
    """Return the stored text."""
    settle(store_writer)
    return (store_writer.store.get_value(name) or b"").decode()


def mistakes(seed: int = 1, name: str = "othello") -> list[Exercise]:
    game = random_game_of(rules_of(game_spec(name)), seed)
    found = worst(judged(analysed(game, random.Random(seed)), game), Limits())
    return [exercise_of(game, judgement, "Skilled", "2026-11-21T18:30:00") for judgement in found]


def right(exercise: Exercise) -> int:
    return next(move for move in values_of(exercise.report) if is_right(exercise.report, move))


def test_intervals_grow_with_each_recall_and_with_ease(store_writer: StoreWriter) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    deck = Deck(store_writer, today)
    deck.add([exercise])
    waits: list[int] = []
    while not waits or waits[-1] < 100:
        (found,) = deck.due()
        deck.record_review(replace(ExerciseAttempt(found).tried(Move(right(found))), seconds=30.0))
        assert deck.next_due is not None
        assert not deck.due()
        waits.append((deck.next_due - today.day).days)
        today.day = deck.next_due
        settle(store_writer)
        deck = Deck(store_writer, today)
    assert waits == sorted({*waits})
    (found,) = deck.due()
    best, answer = right(found), ExerciseAttempt(found)
    others = [move for move in values_of(found.report) if not is_right(found.report, move)]
    answers = [
        (Rating.EASY, replace(answer.tried(Move(best)), seconds=5.0)),
        (Rating.GOOD, replace(answer.tried(Move(best)), seconds=30.0)),
        (Rating.HARD, replace(answer.tried(Move(best)), seconds=100.0)),
        (Rating.HARD, answer.tried(others[0]).tried(Move(best))),
        (Rating.HARD, replace(answer, had_hint=True).tried(Move(best))),
        (Rating.AGAIN, answer.tried(others[0]).tried(others[1]).tried(Move(best))),
        (Rating.AGAIN, replace(answer, is_shown=True)),
    ]
    assert [attempt.recall for _, attempt in answers] == [recall for recall, _ in answers]
    due = [found.memory.after(recall, today.day).due for recall in Rating]
    assert due == sorted({*due})


def test_exercises_are_ordered_by_due_date_and_a_missed_one_is_due_the_next_day() -> None:
    today, (exercise, other, *_) = Calendar(), sorted(mistakes(), key=lambda each: each.loss)
    deck = Deck(None, today)
    deck.add([exercise])
    deck.record_review(ExerciseAttempt(exercise, is_shown=True))
    assert deck.next_due == today.day + timedelta(days=1)
    deck.add([exercise])
    assert not deck.due()
    deck.chosen = (exercise,)  # on request
    assert [found.key for found in deck.take()] == [exercise.key]
    assert not deck.take()
    today.day += timedelta(days=2)
    deck.add([other])
    assert [found.key for found in deck.due()] == [exercise.key, other.key]


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
@pytest.mark.parametrize("seed", range(3))
def test_exercises_round_trip(store_writer: StoreWriter, name: str, seed: int) -> None:
    deck = Deck(store_writer, Calendar())
    deck.add(mistakes(seed, name))
    assert first_fault(json.loads(text_in(store_writer)), schema_of("training")) is None
    read = Deck(store_writer, Calendar())
    for old, new in zip(deck.due(), read.due(), strict=True):
        assert (new.key, new.opponent, new.played_on) == (old.key, old.opponent, old.played_on)
        assert new.game.moves == old.game.moves
        assert values_of(new.report) == pytest.approx(values_of(old.report), abs=1e-5)
    assert read.notice is None


def test_an_attempt_ends_with_a_right_move() -> None:
    for exercise in mistakes(2):
        values, best = values_of(exercise.report), right(exercise)
        assert ExerciseAttempt(exercise).tried(exercise.played).tries == (exercise.played,)
        assert not ExerciseAttempt(exercise).tried(exercise.played).is_over
        solved = ExerciseAttempt(exercise).tried(Move(best))
        assert solved.is_known
        assert solved.tried(exercise.played) == solved
        assert ExerciseAttempt(exercise).tried(Move(-1)) == ExerciseAttempt(exercise)
        assert {move for move in values if ExerciseAttempt(exercise).is_better(move)} == {
            move for move, value in values.items() if value > values[exercise.played]
        }


def test_damaged_exercises_are_backed_up(store_writer: StoreWriter) -> None:
    draw, sound = random.Random(4), format_exercises(mistakes()[:3])
    for _ in range(40):
        at = draw.randrange(len(sound))
        damaged = sound[:at] + draw.choice(["", "x", "}", "-1", '"', "9" * 400]) + sound[at + draw.randrange(1, 30) :]
        store_writer.store.update_value(DECK_NAME, lambda _: damaged.encode())  # noqa: B023
        deck = Deck(store_writer, Calendar())
        deck.due()
        if deck.notice is not None:
            assert isinstance(deck.notice, DamagedValue)
            assert text_in(store_writer, deck.notice.name) == damaged
            assert json.loads(text_in(store_writer))["exercises"] == []
    assert store_writer.store.get_value("training.damaged-9.json") is not None


def test_exercises_are_stored_when_there_is_space(store_writer: StoreWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    deck, found = Deck(store_writer, Calendar()), mistakes()
    with monkeypatch.context() as patch:
        patch.setattr(StoreFile, "writing", full)
        deck.add(found[:1])
        settle(store_writer)
        assert isinstance(deck.notice, OthelloError)
        assert len(deck.due()) == 1
    deck.add(found[1:])
    settle(store_writer)
    assert deck.notice is None
    assert len(Deck(store_writer, Calendar())) == len(found)


def test_windows_share_exercises(store_writers: list[StoreWriter]) -> None:
    today = Calendar()
    exercises = [*{each.key: each for seed in range(3) for each in mistakes(seed)[:8]}.values()]
    decks = [Deck(store_writer, today) for store_writer in store_writers]
    assert not decks[0].due()
    for index, exercise in enumerate(exercises):
        decks[index % 2].add([exercise])
    decks[0].record_review(ExerciseAttempt(exercises[0], is_shown=True))
    for store_writer in store_writers:
        settle(store_writer)
    assert {each.key for each in decks[2].due()} == {each.key for each in exercises[1:]}
    decks[2].record_review(ExerciseAttempt(exercises[1], is_shown=True))
    settle(store_writers[2])
    decks[0].add(exercises)  # what the other window has reviewed, unknown to this one, keeps its due date
    decks[0].record_review(ExerciseAttempt(exercises[2], is_shown=True))
    settle(store_writers[0])
    last = Deck(store_writers[3], today)
    assert (len(last), len(last.due())) == (len(exercises), len(exercises) - 3)


@pytest.mark.slow
def test_the_most_costly_mistakes_are_kept(store_writer: StoreWriter) -> None:
    draw = random.Random(7)
    game = random_game_of(rules_of(game_spec("tictactoe", {"size": 15, "win_length": 15})), 1)
    found = []
    for ply in range(60):
        report = random_report(game.at(ply), draw)
        found += [Exercise(game.at(ply), move, report) for move in draw.sample(game.at(ply).legal_moves(), 6)]
    assert len(found) > MOST == 300
    deck = Deck(store_writer, Calendar())
    deck.add(found)
    costliest = sorted((each.loss for each in found), reverse=True)[:MOST]
    assert [each.loss for each in deck.due()] == costliest
    worst_of_all = replace(max(found, key=lambda each: each.loss), memory=CardState(MONDAY, 150.0, 5.0, MONDAY))
    known = Deck(None, Calendar())
    known.change(lambda _: {worst_of_all.key: worst_of_all})
    known.add(each for each in found if each.key != worst_of_all.key)
    assert worst_of_all.key not in known.value, "what is known goes first"
    settle(store_writer)
    again = Deck(store_writer, Calendar())
    assert [each.loss for each in again.due()] == pytest.approx(costliest, abs=1e-3)
    assert again.notice is None


LINES = ("f5d6c3d3c4f4f6", "f5d6c3d3c4f4c5", "f5d6c3g5c6", "f5f6e6f4e3", "f5d6c4d3c3")


def opening(moves: str) -> AnyGame:
    return parse_transcript(moves, RULES)


def play_move(drill: OpeningDrill, move: str) -> None:
    assert drill.game is not None
    drill.choose(RULES.parse_move(drill.game.position, move), 1.0)


def repertoire(store: StoreWriter | None = None, day: Calendar | None = None, side: Color = Color.BLACK) -> Repertoire:
    made = Repertoire(store, day or Calendar())
    for line in LINES:
        made.add(opening(line), side)
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
    assert book.add(opening("f5"), Color.WHITE) is None, "white has no move in it"
    assert book.add(opening("f5d6c3"), Color.WHITE) is not None
    for spec in (game_spec(options={"goal": "fewest"}), game_spec("connect_four"), game_spec("ultimate_tictactoe")):
        assert book.add(random_game_of(rules_of(spec), 1).at(6), Color.WHITE) is not None
    assert first_fault(json.loads(text_in(store_writer, REPERTOIRE_NAME)), schema_of("repertoire")) is None
    again = Repertoire(store_writer, Calendar())
    assert again.lines == book.lines
    assert {card: again.memory(card) for card in again.cards} == {card: book.memory(card) for card in book.cards}
    again.remove(again.lines[0])
    settle(store_writer)
    left = Repertoire(store_writer, Calendar())
    assert left.lines == book.lines[1:]
    left.value = replace(left.value, lines={(number,): left.lines[0] for number in range(1000)})
    assert left.add(opening("f5d6c3"), Color.BLACK) is None, "it is full"


@pytest.mark.parametrize("damage", [("f5d6c4", "f5d6a1"), ('"lines"', '"rows"')])
def test_windows_share_a_repertoire_and_damage_is_backed_up(store_writers: list[StoreWriter], damage: Any) -> None:
    damaged = _text_of(repertoire().value).replace(*damage).encode()
    store_writers[0].store.update_value(REPERTOIRE_NAME, lambda _: damaged)
    windows = [Repertoire(store_writer, Calendar()) for store_writer in store_writers[:3]]
    assert not windows[0].lines
    assert isinstance(windows[0].notice, DamagedValue)
    assert damage[1] in text_in(store_writers[0], windows[0].notice.name)
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
    book = repertoire(None, today, color)
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
        play_line(OpeningDrill(book, SPEC, Random(1)), seconds=seconds)
        (card,) = book.cards
        due.append(book.memory(card).due)
    assert due == sorted({*due})
    known = CardState().after(Rating.GOOD, MONDAY)
    assert len({known.after(Rating.GOOD, known.due) for _ in range(20)}) == 1, "no interval is drawn at random"


def test_symmetric_moves_and_other_lines_are_right() -> None:
    drill = OpeningDrill(repertoire(), SPEC, Random(1))
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
    book, replies = repertoire(), Counter[Move]()
    book.add(random_game_of(rules_of(game_spec("tictactoe")), 1), Color.BLACK)
    drill = OpeningDrill(book, SPEC, Random(3))
    for _ in range(200):
        drill.begin(is_free=True)
        drill.choose(drill.answer, 1.0)
        drill.reply({perpendicular: 30, diagonal: 10, Move(0): 1000})
        assert drill.game is not None
        replies[drill.game.moves[-1]] += 1
    assert set(replies) == {perpendicular, diagonal}
    assert 2 < replies[perpendicular] / replies[diagonal] < 4.5


def listed(
    date: str, level: int | None, winner: str, *, is_black: bool = True, game: str = "othello", **more: Any
) -> GameListEntry:
    opponent: dict[str, Any] = {"player_type": "engine"} | ({} if level is None else {"level": level})
    players = ({"player_type": "user"}, opponent) if is_black else (opponent, {"player_type": "user"})
    return GameListEntry(GameHeaders(date, game, players, {"winner": winner}, **more).headers_json)


@pytest.mark.parametrize("seed", range(5))
def test_ratings_follow_the_formula_in_the_order_of_the_dates(seed: int) -> None:
    draw = random.Random(seed)
    games = []
    for day in range(1, 20):
        winner, is_black = draw.choice(["black", "white", "draw"]), draw.random() < 0.5
        games.append(listed(f"2026-11-{day:02}T10:00:00", draw.randint(1, 10), winner, is_black=is_black))
    history = rating_histories(draw.sample(games, len(games)))["othello"]
    assert [game.date for game in history.games] == [game.headers.date for game in games]
    rating = float(history.games[0].elo)
    for number, game in enumerate(history.games, 1):
        known = measured(game.level, SPEC)
        assert known is not None
        assert game.elo == known.elo
        rating += step(number) * (game.score - expected(rating, game.elo))
        assert game.rating == pytest.approx(rating)
    assert sum(score.won + score.drawn + score.lost for score in history.scores) == len(games)
    elo = {game.level: game.elo for game in history.games}
    assert {score.level: score.elo for score in history.scores if score.level in elo} == elo
    points = sum(score.won + score.drawn / 2 for score in history.scores)
    assert points == pytest.approx(sum(game.score for game in history.games))


def test_steps_decrease_from_the_first_to_the_last_one() -> None:
    for is_black, change in ((True, FIRST_STEP / 2), (False, -FIRST_STEP / 2)):
        (game,) = rating_histories([listed("1", 3, "black", is_black=is_black)])["othello"].games
        assert game.rating == game.elo + change
    steps = [step(number) for number in range(1, 200)]
    assert (*steps[:2], expected(0, 400)) == (FIRST_STEP, FIRST_STEP / 2, 1 / 11)
    assert steps == sorted(steps, reverse=True)
    assert set(steps[10:]) == {LAST_STEP} == {40.0}


def test_only_finished_games_of_a_user_against_a_level_count() -> None:
    user, level = {"player_type": "user"}, {"player_type": "engine", "level": 3}
    others = [listed("1", None, "black"), listed("2", 3, ""), listed("3", 99, "black")]
    others += [listed("4", 3, "black", game="go"), listed("5", 3, "black", rules={"goal": "fewest"})]
    others.append(listed("6", 3, "black", counts=False))
    for pair in ((level, level), (user, user)):
        others.append(GameListEntry(GameHeaders("7", "othello", pair, {"winner": "black"}).headers_json))
    assert rating_histories(others) == {}
