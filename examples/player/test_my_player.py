from my_player import MyPlayer

from othello.players.python_class_player import GameView


def test_it_takes_a_corner():
    game = GameView.of("-OX" + "-" * 61 + " X")
    assert MyPlayer().choose(game) == "a1"
