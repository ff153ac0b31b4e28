"""Boards: cursor, typed moves and squares, and a picture of all marks."""

import io
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
import pygame
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from othello.game import Game
from othello.gui import ui
from othello.gui.boards import ultimate_tictactoe
from othello.gui.boards.board_layout import BoardLayout, BoardState, FlipAnimation, TypedMove, draw_report
from othello.gui.boards.renderer import BoardRenderer, renderer_for, renderer_type
from othello.gui.dialogs.new_game import small_board
from othello.gui.game_files import picture_of
from othello.gui.platform.window import scale_for
from othello.gui.preferences import palette_named, theme_names
from othello.gui.toolbar import HEIGHT
from othello.gui.toolkit.style import Box, Style
from othello.gui.widgets.board_widget import BOARD, BoardPanel, GameScreenLayout, Status
from othello.play import session_commands as cmd
from othello.play.referee import Fault, Forfeit
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.protocol import Color, Move, Rules, Square
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import BoundTerms, MoveStats, SearchReport, Unit
from tests.golden.screens import FOLDER, assert_picture, draw_blocks
from tests.gui.window_driver import RENDERER, WindowDriver, square
from tests.positions import RULES, SPEC, parse_board, random_game_of

START = RULES.start()
LEGAL = [square(name) for name in ("d3", "c4", "f5", "e6")]
SIZE = (1280, 800)


@pytest.fixture(autouse=True)
def _fonts() -> None:
    pygame.font.init()


@pytest.fixture
def ultimate() -> BoardRenderer:
    return renderer_of("ultimate_tictactoe")


def renderer_of(game: str) -> BoardRenderer:
    return renderer_for(game_spec(game), palette_named())


def place_in(size: tuple[int, int], renderer: BoardRenderer, text: float = 1.0) -> BoardLayout:
    board = BoardPanel(renderer, BoardState(renderer.rules.start()), text, name=BOARD)
    style = Style(scale_for(size) * text, palette_named())
    box = Box(0, HEIGHT, size[0] / style.scale, size[1] / style.scale - HEIGHT)
    places = GameScreenLayout(board, Status(""), Status(""), (), Status(""))
    rect = next(style.rect(at) for panel, at in places.layout_children(style, box, {}) if panel is board)
    return board.layout_in(style, rect)


def drawn(renderer: BoardRenderer, **state: Any) -> NDArray[np.uint8]:
    """Draw a start position, and return the pixels."""
    surface = pygame.Surface(SIZE)
    renderer.draw(surface, place_in(SIZE, renderer), BoardState(renderer.rules.start(), **state), 0.0)
    pixels: NDArray[np.uint8] = pygame.surfarray.array3d(surface)
    return pixels


def draw_values(renderer: BoardRenderer, place: BoardLayout, report: SearchReport, **state: Any) -> pygame.Surface:
    """Draw the values of a report, but no board."""
    surface = pygame.Surface(SIZE)
    board = BoardState(renderer.rules.start(), report=report, **state)
    draw_report(surface, place, board, renderer.values(report, ()))
    return surface


class Wide(Othello):
    """Rules of a board that is twelve columns wide and ten rows high."""

    columns, rows, bits = 12, 10, tuple(range(120))


@pytest.mark.parametrize("size", [12, 24, 64])
def test_discs_of_the_contrast_theme_are_flat_with_a_rim_in_the_other_colour(size: int) -> None:
    palette = palette_named("high-contrast")
    centres = palette.black_centre, palette.white_centre
    for color in Color:
        surface = pygame.Surface((100, 100))
        surface.fill(palette.square_dark)
        renderer_for(SPEC, palette).draw_piece(surface, (50, 50), size, color)
        inner = range(50 - int(size * 0.3), 50 + int(size * 0.3))
        assert {tuple(surface.get_at((x, 50)))[:3] for x in inner} == {centres[color]}
        rim = [tuple(surface.get_at((x, 50)))[:3] for x in range(50 - size // 2, 50 - size // 2 + 3)]
        assert min(sum(abs(a - b) for a, b in zip(each, centres[color.opponent], strict=True)) for each in rim) < 300


@pytest.mark.parametrize("shows_counts", [False, True])
@pytest.mark.parametrize("theme", theme_names())
def test_marks_of_legal_moves_are_visible_on_the_pieces_of_both_sides(theme: str, shows_counts: bool) -> None:
    renderer, pieces = renderer_for(SPEC, palette_named(theme)), (square("d4"), square("e4"))
    marks = {Move(piece): 1 for piece in pieces}  # as in games whose pieces move
    marked = drawn(renderer, captures=marks, shows_counts=shows_counts)
    changes = np.abs(marked.astype(int) - drawn(renderer)).max(axis=2)
    for piece in pieces:
        rect = place_in(SIZE, renderer).square_rect(piece)
        assert changes[rect.left : rect.right, rect.top : rect.bottom].max() > 60


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("game", GAMES)
def test_a_saved_picture_and_a_small_board_have_no_dark_edges(game: str, theme: str) -> None:
    palette = palette_named(theme)
    renderer = renderer_for(game_spec(game), palette)
    saved = pygame.image.load(io.BytesIO(picture_of(renderer, BoardState(renderer.rules.start()))), "board.png")
    assert saved.get_at((0, 0)).a == 0
    small, ground = small_board(game, 96, palette), pygame.Surface((96, 96))
    ground.fill("white")
    ground.blit(small, (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
    top = next(y for y in range(96) if small.get_at((48, y)).a)
    assert sum(ground.get_at((48, top))[:3]) >= sum(ground.get_at((48, top + 1))[:3])


def test_the_cursor_appears_on_a_legal_square_and_goes_round_the_edges() -> None:
    assert RENDERER.moved(None, START, 1, 0) == square("d3")
    assert RENDERER.next_legal(None, START, 1) == square("d3")
    assert RENDERER.next_legal(None, START, -1) == square("e6")
    assert RENDERER.moved(square("a1"), START, -1, -1) == square("h8")
    assert RENDERER.moved(square("h8"), START, 1, 0) == square("a8")
    passing = parse_board("XO" + "-" * 62 + " O")
    assert RENDERER.next_legal(square("a5"), passing, 1) == square("a5"), "the cursor stays if no move is legal"
    assert RENDERER.next_legal(None, passing, 1) is None


@given(st.integers(0, 63))
def test_the_cursor_reaches_every_legal_square_in_turn(start: int) -> None:
    for steps in (1, -1):
        cursor: int | None = start
        visited = [cursor := RENDERER.next_legal(cursor, START, steps) for _ in LEGAL]
        assert sorted(filter(None, visited)) == LEGAL
        assert RENDERER.next_legal(RENDERER.next_legal(Square(start), START, steps), START, -steps) == visited[-1]


@pytest.mark.parametrize(
    ("game", "keys", "expected"),
    [
        ("othello", "d", ("d", None, False, 8)),
        ("othello", "d3", ("d3", 19, True, 1)),
        ("othello", "h8", ("h8", 63, True, 1)),
        ("othello", "3", None),
        ("othello", "d9", None),
        ("ultimate_tictactoe", "7", ("7", None, False, 9)),
        ("ultimate_tictactoe", "79", ("7, 9", 62, False, 9)),  # Enter follows
        ("ultimate_tictactoe", "791", ("1", None, False, 9)),
        ("wide", "l1", ("l1", 11, False, 1)),
        ("wide", "l10", ("l10", 119, True, 1)),
        ("wide", "l11", None),
    ],
)
def test_squares_are_typed(game: str, keys: str, expected: tuple[str, int | None, bool, int] | None) -> None:
    wide: Rules[Any] = Wide(SPEC)
    renderer = BoardRenderer(wide, palette_named()) if game == "wide" else renderer_of(game)
    found, start = None, renderer.rules.start()
    for key in keys:
        found = renderer.typed("" if found is None else found.text, key, start)
    assert (found and (found.text, found.square, found.is_complete, len(found.lit[0]))) == expected
    letters = {"othello": "abcdefgh12345678", "ultimate_tictactoe": "123456789", "wide": "abcdefghijkl0123456789"}
    assert set(renderer.letters) == set(letters[game])


def test_an_illegal_move_of_ultimate_is_explained(ultimate: BoardRenderer) -> None:
    rules = ultimate.rules
    position = rules.play(rules.start(), rules.parse_move(rules.start(), "2,6"))  # sends to the middle right board
    assert ultimate.why_not(position, Square(80)) == "9, 9: you must play in the middle right board."
    assert ultimate.why_not(position, Square(14)) == "2, 6 is taken."


def test_a_gap_between_boards_of_ultimate_is_no_square(ultimate: BoardRenderer) -> None:
    place = place_in(SIZE, ultimate)
    assert place.square_at((place.square_rect(2).right + 2, place.square_rect(2).centery)) is None


def test_a_game_without_a_renderer_has_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello.gui.boards.renderer.package_of_game", lambda _: "othello.rules")
    assert renderer_type("apart") is BoardRenderer


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_drawn_with_and_without_a_renderer_of_its_own(game: str) -> None:
    for renderer in (renderer_of(game), BoardRenderer(rules_of(game_spec(game)), palette_named())):
        place = place_in(SIZE, renderer)
        assert drawn(renderer).any()
        for at in range(renderer.squares):
            assert place.board.contains(place.square_rect(at))
            assert place.square_at(place.square_rect(at).center) == at
        assert renderer.logo(40).get_height() == 40
        line = Game.new(renderer.rules)
        for move in (renderer.example or "").split():
            line = line.play(renderer.rules.parse_move(line.position, move))


@pytest.mark.parametrize("text", [1.0, 2.0])
@pytest.mark.parametrize("size", [SIZE, (900, 600)])
@pytest.mark.parametrize("game", ["othello", "ultimate_tictactoe"])
def test_values_stay_on_their_squares_whatever_the_size_of_text(game: str, size: tuple[int, int], text: float) -> None:
    renderer = renderer_of(game)
    place, middle = place_in(size, renderer, text), renderer.squares // 2
    values = (MoveStats(Move(middle), 97_000, 0.483), MoveStats(Move(middle - 2), 9_000, 0.383))
    report = SearchReport("mcts_uct", values[0].move, 0.483, values, Unit.REWARD)
    losses = dict.fromkeys((stats.move for stats in values), ("–48%", "??"))
    other = place.square_rect(middle - 2)
    surface = draw_values(renderer, place, report, losses=losses, has_details=True)
    surface.fill("black", place.square_rect(middle))
    if place.is_round:
        pygame.draw.circle(surface, "black", other.center, place.plate / 2 + 2)
    else:
        surface.fill("black", other)
    assert not pygame.surfarray.array3d(surface).any()


def test_no_text_is_wider_than_its_square(monkeypatch: pytest.MonkeyPatch) -> None:
    images = list[pygame.Surface]()

    def note(_: pygame.Surface, image: pygame.Surface, **_where: Any) -> pygame.Rect:
        images.append(image)
        return image.get_rect()

    monkeypatch.setattr(ui, "blit_text", note)
    moves = MoveStats(Move(19), 97_000, 0.483), MoveStats(Move(26), 9_000, 0.383)
    report = SearchReport("mcts_uct", Move(19), 0.483, moves, Unit.REWARD)
    for height in range(400, 1200, 20):
        place = place_in((1600, height), RENDERER)
        draw_values(RENDERER, place, report, losses={Move(26): ("–48%", "??")}, has_details=True)
        room = place.plate - place.mark_style.px(9)
        assert [image.get_width() for image in images if image.get_width() > room] == [], height


class Sliding(Othello):
    """Rules whose moves have the number 64 times the square of a piece, plus the square that it enters."""

    def squares_of(self, move: Move) -> tuple[Square, ...]:
        start, end = divmod(move, 64)
        return Square(start), Square(end)

    def captured(self, position: OthelloPosition, move: Move) -> tuple[Square, ...]:
        return ()


def marked_boards() -> Iterator[tuple[BoardRenderer, BoardState]]:
    """Yield boards with many marks, of games whose moves have one square or two."""
    values: list[tuple[int, float | None, bool, bool]] = [(9_000, 0.4, True, True), (47_000, 0.6, True, False)]
    values += [(30, 0.3, False, False), (0, None, True, False)]
    terms, losses = BoundTerms(0.1, 0.05), (("–4%", "??"), ("", ""), ("–48%", "?!"), ("–1%", "")) * 2
    rules: Rules[Any] = Sliding(SPEC)
    sliding = BoardRenderer(rules, RENDERER.palette)
    placed = [Move(square) for square in (19, 26, 37, 44, 0, 20, 63, 56)]
    slid = [Move(64 * start + end) for start, end in ((28, 20), (7, 19), (3, 19), (28, 26), (36, 44), (56, 40))]
    for renderer, moves, picked in ((RENDERER, placed, ()), (sliding, slid, ()), (sliding, slid, (Square(28),))):
        counts, others = ({move: n % 4 for n, move in enumerate(moves, first)} for first in (0, 2))
        state = BoardState(START, counts, picked=picked, hover=Square(19), last_move=moves[1], cursor=Square(63))
        for unit in (Unit.REWARD, Unit.DISCS):
            is_reward = unit is Unit.REWARD
            stats = tuple(MoveStats(move, *values[n % 4], terms) for n, move in enumerate(moves))
            report = SearchReport("test", moves[0], 0.5, stats, unit, simulations=9)
            shown = replace(state, report=report, losses=dict(zip(moves, losses, strict=False)), shows_bounds=is_reward)
            yield (
                renderer,
                replace(shown, has_details=is_reward, others=others if is_reward else None, shows_counts=True),
            )
        lit = TypedMove("", "", ((0, 1), (5, 61)))
        yield renderer, replace(state, hint=moves[2], shows_counts=not picked, typed=lit, hover=Square(moves[0] % 64))
        bare = replace(state, others=others, shows_legal=bool(picked), shows_coordinates=False)
        yield (
            renderer,
            replace(bare, is_choice=False, flip=FlipAnimation((Square(27),), (Square(19),), Color.WHITE, -0.3, 1.0)),
        )


def test_marks_on_boards_are_those_of_their_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_blocks(monkeypatch)
    boards = [*marked_boards()]
    picture = pygame.Surface((1112, 608 * len(boards)))
    for index, (renderer, state) in enumerate(boards):
        for left, width, margin in ((0, 176, 8), (176, 328, 16), (504, 608, 16)):
            rect = pygame.Rect(left, 608 * index, width, width)
            renderer.draw(picture, renderer.layout_in(Style(1.0, RENDERER.palette), rect, margin), state, 0.0)
    assert_picture(picture, FOLDER.with_name("marks.png"))


def test_ultimate_invites_only_a_user_who_can_move(ultimate: BoardRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[str] = []
    monkeypatch.setattr(ultimate_tictactoe, "_draw_tag", lambda *drawn: words.append(drawn[3]))
    drawn(ultimate, captures={Move(0): 0})
    assert words == ["here"] * 9
    drawn(ultimate)
    drawn(ultimate, captures={Move(0): 0}, is_choice=False)
    assert len(words) == 9, "there is no move, or the computer moves"
    late = random_game_of(ultimate.rules, 0).at(56)
    state = BoardState(late.position, dict.fromkeys(late.legal_moves(), 0))
    ultimate.draw(pygame.Surface(SIZE), place_in(SIZE, ultimate), state, 0.0)
    assert words[9:] == ["draw", "here"]


@pytest.mark.parametrize("is_over", [False, True])
def test_ultimate_frames_open_boards_until_the_game_is_over(ultimate: BoardRenderer, is_over: bool) -> None:
    framed = np.abs(drawn(ultimate, is_over=is_over).astype(int) - palette_named().accent).max(axis=2) < 2
    assert framed.any() != is_over


def test_a_game_that_was_lost_on_time_is_over_on_the_board(driver: WindowDriver) -> None:
    driver.session.do(cmd.OpenGame(driver.session.game, forfeit=Forfeit(Color.WHITE, Fault.OUT_OF_TIME)), monotonic())
    driver.settle()
    assert driver.board.is_over


@pytest.mark.parametrize("name", theme_names())
def test_the_mark_of_the_last_move_is_visible_on_a_white_piece(name: str) -> None:
    renderer = renderer_for(SPEC, palette_named(name))
    place, surface = place_in((900, 600), renderer), pygame.Surface((900, 600))
    renderer.draw(surface, place, BoardState(START, last_move=Move(square("d4"))), 0.0)
    dot = place.square_rect(square("d4")).inflate(-place.cell * 0.7, -place.cell * 0.7)
    assert pygame.surfarray.array3d(surface.subsurface(dot)).max(axis=2).min() < 60
