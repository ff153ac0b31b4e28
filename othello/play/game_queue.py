"""The sequence of games of a session: players, rules, numbers and seeds."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

from othello.config import Config, PlayerConfig
from othello.game import AnyGame, Game, GameTree
from othello.play.history import History
from othello.play.players import Players
from othello.play.referee import GameJob
from othello.play.seeding import draw_seed, endless_game_seeds, opening_of_match
from othello.play.session_commands import OpenGame
from othello.records.openings import book_game, book_of
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of


class GameQueue:
    """The games of a session."""

    def __init__(self, config: Config) -> None:
        self.config = config  # of the current game; `game_repetitions` is the number of games in a row
        again = () if config.game_seed is None else (config.game_seed,)
        self._seeds = chain(again, iter(draw_seed, None) if config.seed is None else endless_game_seeds(config.seed))
        self._begun = 0

    @property
    def has_more(self) -> bool:
        """True if the next game between computers starts without the user."""
        return self._begun < self.config.game_repetitions

    @property
    def start(self) -> AnyGame:
        """A game before its first move."""
        return Game.new(rules_of(self.config.game))

    def change(
        self,
        game: GameSpec,
        players: tuple[PlayerConfig, PlayerConfig] | None = None,
        openings: Mapping[str, int] | None = None,
    ) -> None:
        """Change the settings of future games. With other players, games are not repeated automatically.

        Args:
            game: the rules.
            players: black and white; None: the current ones.
            openings: with weights; None: the current ones if the game is the same, otherwise none.
        """
        if openings is None:
            openings = (self.config.openings or {}) if game == self.config.game else {}
        tournament = replace(self.config.tournament, opening_book=book_of(openings, rules_of(game)))
        self.config = replace(self.config, game=game, openings=openings, tournament=tournament)
        if players is not None:
            self.config = replace(self.config, players=players, game_repetitions=1)

    def next(self, players: Iterable[PlayerConfig], *, draws: bool = True) -> GameJob:
        """Return the next job; `draws`: choose its opening at random if the rules ask for that."""
        self._begun += 1
        black, white = players
        seed = next(self._seeds)
        game, rules = self.config.game, rules_of(self.config.game)
        opening = opening_of_match(self.config, seed) if draws else ""
        plies = book_game(opening, rules).ply if opening else rules.random_opening_plies if draws else 0
        if seed == self.config.game_seed:  # the seed of a game that may come from a tournament
            plies = max(plies, self.config.tournament.opening_plies)
        return GameJob(self._begun, self._begun, (black, white), game, seed, plies, opening, time_margin_seconds=None)

    def begin(self, players: Players) -> History:
        """Return the next game before its first move."""
        history = History(self.next(players.values()), self.start)
        history.referee.players = players
        return history

    def resume(self, open_game: OpenGame, players: Players) -> History:
        """Return an opened game, with the current players if it names none. A finished one counts as recorded."""
        black, white = open_game.players or tuple(players.values())
        game = open_game.start.game if isinstance(open_game.start, GameTree) else open_game.start
        self.change(game.rules.spec, (black, white))
        job = self.next((black, white), draws=False)
        job = replace(
            job, seed=job.seed if open_game.seed is None else open_game.seed, opening_plies=open_game.opening_plies
        )
        history = History(job, open_game.start, open_game.date)
        history.referee.forfeit = open_game.forfeit
        history.is_recorded = history.referee.is_over
        return history
