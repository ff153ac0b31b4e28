"""The ten levels of games that the engine does not play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello import reading
from othello.engine import levels as engine_levels
from othello.errors import KnowledgeError
from othello.players import counts, levels
from othello.players.counts import COUNT, counted_levels
from othello.players.registry import refusal
from othello.resources import asset
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from tests.rule_sets import every_spec
from training.counts import even_counts

MEASURED = [
    game_spec(entry["game"], entry["rules"])
    for entry in json.loads(asset("levels-mcts.json").read_text(encoding="utf-8"))["games"]
]


@pytest.mark.parametrize("spec", MEASURED, ids=str)
def test_measured_levels_rise_and_say_how_sure_that_is(spec: GameSpec) -> None:
    found = counted_levels(spec)
    assert len(found) == COUNT
    counts, strengths = [level.simulations for level in found], [level.elo for level in found]
    assert counts == sorted(set(counts))
    assert strengths == sorted(strengths)
    assert all(level.games >= 100 and level.margin > 0 for level in found)
    assert levels.measured(3, spec) == found[2]


def test_every_rule_set_has_ten_levels_and_no_strength_that_nobody_measured() -> None:
    for spec in every_spec():
        counts = [level.simulations for level in counted_levels(spec)]
        assert len(counts) == COUNT
        assert counts == sorted(counts)
        assert not refusal(levels.opponent(4, "somebody"), spec)
    assert levels.measured(3, game_spec("tictactoe", {"size": 9, "win_length": 3})) is None


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"games": 3}', '{"games": [{"game": "othello"}]}'])
def test_a_file_of_levels_that_is_not_what_it_should_be_is_refused(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "levels.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(reading, "asset", lambda _name: file)
    for read in (engine_levels.levels.__wrapped__, lambda: counts.counted_levels.__wrapped__(game_spec("tictactoe"))):
        with pytest.raises(KnowledgeError, match=r"levels\.json: (cannot be read|is damaged)"):
            read()


def test_counts_for_even_steps_lie_between_those_that_were_measured() -> None:
    counts = even_counts([0, 10, 100, 1000], [0.0, 100.0, 200.0, 300.0])
    assert counts[-1] == 1000
    assert counts == sorted(counts)
    assert min(abs(count - 100) for count in counts) < 30
