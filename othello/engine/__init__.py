"""What is made for Othello alone: patterns, evaluation, middle game, end game, levels."""

from __future__ import annotations

from typing import Any

from othello.rules.protocol import Rules


def knows(rules: Rules[Any]) -> bool:
    """Whether the engine plays such games: Othello with passes, most discs, and a centre that is not empty at first."""
    options = dict(rules.spec.options)
    return rules.spec.game == "othello" and (
        options["no_legal_move"] == "pass" and options["goal"] == "most" and options["start"] != "reversi"
    )
