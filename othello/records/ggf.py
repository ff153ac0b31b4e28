"""Games of Othello as GGF has them, the format of the Generic Game Server and of NBoard."""

from __future__ import annotations

import re
from typing import Final

from othello.errors import GameFileError
from othello.game import AnyGame, Game
from othello.records.transcript import play_text
from othello.rules.protocol import Color
from othello.rules.registry import DEFAULT_GAME, game_spec, rules_of

_PROPERTY: Final = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")
_BOARD: Final = re.compile(r"(\d{1,2})\S*\s+(\S.*)", re.DOTALL)


def read_ggf(text: str) -> AnyGame:
    """The game in a text such as `(;GM[Othello]BO[8 ... *]B[F5//1.2]W[D6];)`; OthelloError where there is none.

    Passes may be left out. Values and times of moves are not read.
    """
    properties = _PROPERTY.findall(text) if "(;" in text else []
    told = {name.upper(): value.strip() for name, value in properties}
    board = _BOARD.fullmatch(told.get("BO", ""))
    if board is None or told.get("GM", "Othello").lower() != DEFAULT_GAME:
        raise GameFileError("no_ggf")
    goal = "fewest" if "a" in told.get("TY", "").lower() else "most"  # "8a" is anti-Othello
    rules = rules_of(game_spec(DEFAULT_GAME, {"size": int(board[1]), "goal": goal}))
    game = Game.new(rules, rules.parse_position(board[2]))
    for name, value in properties:
        if name.upper() in ("B", "W"):
            game = play_item(game, value, Color("BW".index(name.upper())))
    return game


def play_item(game: AnyGame, item: str, color: Color | None = None) -> AnyGame:
    """The game after a move such as `F5`, `f5/1.50/3.2` or `PA//1`; TranscriptError where the move is none.

    A pass that the rules force comes before the move where the other side is to move than `color`, and where the
    move is no pass.
    """
    text = item.strip()[:2]  # PASS is PA, too, and some write more behind a square
    is_pass = game.must_pass and game.rules.is_pass(game.rules.parse_move(game.position, text))
    if game.must_pass and not is_pass and color is not game.to_move:
        game = game.play(game.legal_moves()[0])
    if color not in (None, game.to_move):
        raise GameFileError("no_ggf")
    return play_text(game, text)
