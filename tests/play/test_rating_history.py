"""The user's scores against the levels, and the rating."""

import random
from typing import Any

import pytest

from othello.players.levels import measured
from othello.records.game_file import GameHeaders, GameListEntry
from othello.study.rating_history import FIRST_STEP, LAST_STEP, expected, rating_histories, step
from tests.positions import SPEC


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
    assert steps[0] == FIRST_STEP
    assert steps == sorted(steps, reverse=True)
    assert steps[1] == FIRST_STEP / 2
    assert set(steps[10:]) == {LAST_STEP} == {40.0}


def test_only_finished_games_of_a_user_against_a_level_count() -> None:
    user, level = {"player_type": "user"}, {"player_type": "engine", "level": 3}
    won = {"winner": "black"}
    others = [
        listed("1", None, "black"),
        listed("2", 3, ""),
        listed("3", 99, "black"),
        listed("4", 3, "black", game="go"),
        listed("5", 3, "black", rules={"goal": "fewest"}),
        listed("8", 3, "black", counts=False),
        GameListEntry(GameHeaders("6", "othello", (level, level), won).headers_json),
        GameListEntry(GameHeaders("7", "othello", (user, user), won).headers_json),
    ]
    assert rating_histories(others) == {}
