"""The registry of games and their specs."""

import pickle
from typing import Any

import pytest

from othello.errors import ConfigError
from othello.rules.registry import DEFAULT_GAME, GAMES, game_spec, rules_of, spec_of, unusual_options
from tests.rule_sets import every_spec


def test_specs_are_values() -> None:
    for game in GAMES:
        spec = game_spec(game)
        for option in GAMES[game].options:
            assert game_spec(game, {option.name: option.default}) == spec
            assert option.default in (spec[option.name], None)
        copy = pickle.loads(pickle.dumps(spec))
        assert copy == spec
        assert hash(copy) == hash(spec)
        assert rules_of(copy) == rules_of(spec) == pickle.loads(pickle.dumps(rules_of(spec)))
        assert rules_of(spec).spec == spec


def test_only_unusual_options_are_written_and_they_are_read_again() -> None:
    some = {"goal": "fewest", "start": "alternate", "no_legal_move": "pass"}
    assert unusual_options(game_spec(DEFAULT_GAME, some)) == "start=alternate goal=fewest"
    assert all(unusual_options(game_spec(game)) == "" for game in GAMES)
    for spec in every_spec():
        assert spec_of(spec.game, unusual_options(spec)) == spec


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("chess", {}, "unknown game “chess”; allowed: "),
        (DEFAULT_GAME, {"size": 9}, "rules.size: is 9; allowed: 8, 6"),
        (DEFAULT_GAME, {"goal": "none"}, 'rules.goal: is "none"; allowed: most, fewest'),
    ],
)
def test_unknown_games_and_invalid_options_are_refused(game: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        game_spec(game, options)
