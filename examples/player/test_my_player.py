from my_player import MyPlayer

from othello.players.own_player import View


def test_it_takes_a_corner():
    game = View.of("-OX" + "-" * 61 + " X")
    assert MyPlayer().choose(game) == "a1"
