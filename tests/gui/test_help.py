"""Help: how each game is played, and what every key does, by mouse and by keyboard."""

import pytest

from othello import texts
from othello.game import AnyGame, Game
from othello.gui.boards.renderer import renderer_type
from othello.gui.dialogs.help import ANY, HowToPlayDialog
from othello.gui.dialogs.new_game import NewGameDialog
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import tr
from tests.gui.window_driver import OpenWindow
from tests.play.fake_players import PERSON


def shown(game: str, name: str) -> AnyGame:
    rules = rules_of(game_spec(game))
    lesson = next(each for each in renderer_type(game).lessons if each.name == name)
    line = Game.new(rules, rules.parse_position(lesson.board) if lesson.board else None)
    for move in lesson.moves.split():
        line = line.play(rules.parse_move(line.position, move))
    return line


def boards(game: AnyGame) -> set[int]:
    return {move // 27 * 3 + move % 9 // 3 for move in game.legal_moves()}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_three_to_five_lessons_and_a_sentence_per_variant(game: str) -> None:
    words = texts.catalogue("en")  # other languages have the same texts
    lessons = renderer_type(game).lessons
    assert 3 <= len(lessons) <= 5
    assert len({shown(game, each.name).position for each in lessons}) == len(lessons)
    assert all(words[f"how_to_play.{game}.{each.name}"] for each in lessons)
    for option in GAMES[game].options:
        described = {value for value in (*option.choices, ANY) if f"variants.{game}.{option.name}.{value}" in words}
        assert ANY in described or described == {*option.choices} - {option.default}


def test_the_boards_of_lessons_show_what_the_sentences_say() -> None:
    star = shown("othello", "capture")
    taken = star.rules.captured(star.position, star.rules.parse_move(star.position, "d4"))
    ways = {tuple((a > b) - (a < b) for a, b in zip(divmod(at, 8), (3, 3), strict=True)) for at in taken}
    assert len(ways) == 8
    after = shown("othello", "pass")
    white = after.rules.parse_position(after.rules.format_position(after.position).replace(" X", " O"))
    assert Game.new(after.rules, white).must_pass
    assert not after.must_pass
    assert shown("othello", "end").rules.score(shown("othello", "end").position) == (38, 26)
    for game in ("tictactoe", "connect_four"):
        rows = [shown(game, name) for name in ("row", "column", "diagonal")]
        assert all(each.outcome is not None and each.outcome.winner is Color.BLACK for each in rows)
        outcome = shown(game, "draw").outcome
        assert outcome is not None
        assert outcome.winner is None
    sent, won, free, end = (shown("ultimate_tictactoe", name) for name in ("sent", "won", "free", "end"))
    assert (boards(sent), boards(won), boards(free)) == ({2}, {5}, {*range(9)} - {4})
    assert won.rules.block_owners(won.position)[4] is Color.BLACK
    assert len(end.rules.won_lines(end.position)) == 1


def test_how_to_play_opens_from_new_game_for_the_chosen_game(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    driver.keys("Ctrl+N")
    for game, lesson in (("ultimate_tictactoe", "sent"), ("othello", "capture")):
        driver.use(("game", game))
        driver.press("help")
        assert isinstance(driver.scene.dialog, HowToPlayDialog)
        assert tr(f"how_to_play.{game}.{lesson}") in driver.words()
        driver.keys("Esc")
        assert isinstance(driver.scene.dialog, NewGameDialog)


def test_the_variants_of_this_game_are_marked(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("othello", {"goal": "fewest", "handicap": 2}))
    driver.keys("F1")
    assert tr("how_to_play.othello.capture") in driver.words(), "the rules come first until a game was finished"
    driver.keys("Left")
    assert tr("how_to_play.othello.capture") not in driver.words()
    driver.keys("Right")
    here = [each for each in driver.words() if each.endswith("(this game)")]
    assert here == ["Goal: Fewest discs wins (this game)", "Handicap for black (this game)"]
