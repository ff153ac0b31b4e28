"""Games in GGF."""

from __future__ import annotations

import pytest

from othello.errors import OthelloError
from othello.records.ggf import play_item, read_ggf
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color

START = "8 ---------------------------O*------*O--------------------------- *"
HEAD = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"


def test_a_game() -> None:
    game = read_ggf(f"{HEAD}BO[{START}]B[F5//1.2]W[d6/-1.5]B[C3/2/0.1]W[d3].;)")
    assert format_transcript(game) == "f5d6c3d3"
    assert game.to_move is Color.BLACK
    assert read_ggf(f"1 (;GM[Othello]TY[8]BO[{START}];)").ply == 0
    small = read_ggf(f"(;GM[Othello]TY[6a]BO[6 {'-' * 14}O*----*O{'-' * 14} *]B[C2];)")
    assert small.rules.columns == 6
    assert small.rules.spec["goal"] == "fewest"


@pytest.mark.parametrize("passes", ["", "W[PA]", "W[pass//2]"])
def test_passes_may_be_written(passes: str) -> None:
    board = "8 " + "-" * 24 + "XO------" + "-" * 24 + "-OXXXXXX *"
    game = read_ggf(f"(;GM[Othello]TY[8]BO[{board}]B[C4]{passes}B[A8];)")
    assert format_transcript(game) == "c4a8"
    assert game.ply == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f5d6",
        "(;GM[Othello];)",
        f"(;GM[Go]BO[{START}];)",
        f"(;GM[Othello]BO[8 {'-' * 64}];)",
        f"(;GM[Othello]BO[10 {'-' * 100} *];)",
        f"(;GM[Othello]BO[{START}]W[F5];)",
        f"(;GM[Othello]BO[{START}]B[a1];)",
        f"(;GM[Othello]BO[{START}]B[];)",
        f"(;GM[Othello]BO[{START}]B[PA];)",
    ],
)
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(OthelloError):
        read_ggf(text)


def test_a_move_as_nboard_tells_it() -> None:
    game = read_ggf(f"(;GM[Othello]BO[{START}];)")
    for item in ("F5", "d6/1.00/2", "C3//0.1"):
        game = play_item(game, item)
    assert format_transcript(game) == "f5d6c3"
