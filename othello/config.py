"""The settings of config.json as dataclasses, whose options describe themselves. `config_file` reads them."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from enum import Enum
from math import inf
from pathlib import Path
from typing import Final

from othello.errors import Reason
from othello.frozen_dataclass import FrozenDataclass
from othello.rules.protocol import Color, GameSpec, Position, Rules
from othello.rules.registry import game_spec
from othello.schema import ABOVE_0, option, options_of, up_to

FREE_LENGTH_FORMATS: Final = ("round_robin", "gauntlet")  # tournament formats with any number of games per pairing
MAX_SEED: Final = (1 << 63) - 1
_STANDARD_GAME: Final = game_spec()
_NAME: Final = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff])\S([\s\S]*\S)?$"
_PATH: Final = up_to(4096)
_MAX_FIGURE: Final = 1_000_000_000


class ExistingOutput(Enum):
    """The choice for a results file that already contains games."""

    REFUSE = "refuse"
    OVERWRITE = "overwrite"
    RESUME = "resume"


class PlayerConfig(FrozenDataclass):
    """One entry of `players`, with the file's defaults filled in: the options of all types of player.

    Each type adds its own options in a subclass. `player_registry.configure` creates the right subclass.
    """

    player_type: str
    _: KW_ONLY
    player_color: Color | None = option(
        None,
        "The player's colour in a match. Used only if both players have one. Ignored in a tournament.",
        choices=dict.fromkeys((color.label for color in Color), ""),
        is_personal=True,
    )
    # the given name, or the type
    name: str = option(
        "",
        "The name shown in the window and in results. Left out: the player's type, numbered if two players have it.",
        words=up_to(40, title="a text without blanks at its ends or control characters", pattern=_NAME),
        is_personal=True,
    )
    # counts the players of a type without given names, from 1; 0 for the only one, None for a given name
    number: int | None = None
    time_limit_seconds: float | None = option(
        None, "Maximum seconds for a move. null: no limit.", 0.001, 86400, is_personal=True
    )
    clock_seconds: float | None = option(
        None, "Seconds for all moves of a game. A player without time left loses. null: no clock.", 0.1, 86400
    )
    increment_seconds: float = option(0.0, "Seconds that a player's clock gains with each move.", 0, 3600)

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.usual_name)
            object.__setattr__(self, "number", 0)

    @property
    def is_user(self) -> bool:
        return self.player_type == "user"

    @property
    def kind(self) -> str:
        """The type as `player_registry.configure` takes it: for programs with a dot and the program's name."""
        return self.player_type

    @property
    def usual_name(self) -> str:
        """The name of a player that the file gives no name."""
        return self.player_type

    @property
    def is_named(self) -> bool:
        return self.number is None

    @property
    def memory_files(self) -> dict[str, Path]:
        """The files with what the player has learned, by option."""
        keys = [key for key, option in options_of(type(self)).items() if option.is_memory]
        return {key: Path(getattr(self, key)) for key in keys if getattr(self, key) is not None}

    @property
    def strength(self) -> dict[str, int]:
        """The options that set the playing strength, without those that are null or at a time limit's maximum."""
        options = ((key, option, getattr(self, key)) for key, option in options_of(type(self)).items())
        return {
            key: value
            for key, option, value in options
            if option.is_strength and value is not None and not (option.is_bound and value == option.maximum)
        }

    def allotment_used(self, seconds: float) -> float:
        """Return the share of `seconds` that the player uses on average if the clock allots them to a move."""
        return 1.0

    def solving_seconds(self, rules: Rules[Position], moves: int) -> float:
        """Return the seconds that the player needs to solve the last `moves` moves of a game; inf: it cannot."""
        return inf

    @property
    def memory_megabytes(self) -> int:
        """The maximum memory of the player's searches; 0: negligible."""
        return 0

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        """Return an option that contradicts the other options or the rules, and the reason; None if there is none."""
        return None


class SprtConfig(FrozenDataclass):
    """A sequential probability ratio test (SPRT) of the first player's strength against the second's, in Elo."""

    elo0: float = option(..., "H0: the first player is stronger by at most this much.", -1000, 1000)
    elo1: float = option(..., "H1: the first player is stronger by at least this much. Above elo0.", -1000, 1000)
    elo_model: str = option(
        "logistic",
        "The unit of elo0 and elo1.",
        choices={
            "logistic": "the usual Elo, which follows from the score",
            "normalised": "the score above 1/2 in standard deviations of a game, times 347.4; the number of games that "
            "a test needs depends on it alone, not on draws and openings",
        },
    )
    alpha: float = option(0.05, "The chance of accepting H1 although H0 is true.", maximum=0.5, words=ABOVE_0)
    beta: float = option(0.05, "The chance of accepting H0 although H1 is true.", maximum=0.5, words=ABOVE_0)


class Figures(FrozenDataclass):
    """The results of a player or a colour in another experiment."""

    points: float | None = option(None, "1 for a win, 0.5 for a draw.", 0, _MAX_FIGURE)
    discs_won: float | None = option(None, "Own discs (or game points) at the end of all games.", 0, _MAX_FIGURE)
    discs_lost: float | None = option(None, "The opponents' discs at the end of all games.", 0, _MAX_FIGURE)
    balance: float | None = option(None, "Discs won minus discs lost.", -_MAX_FIGURE, _MAX_FIGURE)
    seconds: float | None = option(None, "Mean thinking time per game.", 0, _MAX_FIGURE)


class Comparison(FrozenDataclass):
    """The results of another experiment."""

    label: str = option(..., "The name of the other experiment, and the heading of its columns.", words=up_to(40))
    players: Mapping[str, Figures] = option(
        ..., "For each player's name, or black and white: points, discs won, discs lost, balance, seconds per game."
    )


class TunedOption(FrozenDataclass):
    """The range of a tuned option."""

    minimum: float | None = option(None, "The lowest value. null: the option's own.", -_MAX_FIGURE, _MAX_FIGURE)
    maximum: float | None = option(None, "The highest value. null: the option's own.", -_MAX_FIGURE, _MAX_FIGURE)
    scale: str = option(
        "linear",
        "The scale on which steps are equal.",
        choices={
            "linear": "equal steps add the same number",
            "logarithmic": "equal steps multiply by the same factor, for counts and learning rates; minimum above 0",
        },
    )


class TuneConfig(FrozenDataclass):
    """The search of `othello tune` for the values of the first player's options."""

    options: Mapping[str, TunedOption] = option(..., "The numeric options of the first player to tune, with ranges.")
    iterations: int = option(200, "The number of times the values move.", 1, 100_000)
    pairs: int = option(8, "Game pairs per iteration, between changed values and the opposite changes.", 1, 10_000)
    perturbation: float = option(
        0.2, "The change of a value in the first iteration, as a share of its range.", maximum=0.5, words=ABOVE_0
    )
    gain: float = option(
        0.1, "The largest move of a value in the first iteration, as a share of its range.", maximum=1, words=ABOVE_0
    )


class TournamentConfig(FrozenDataclass):
    """The settings of a tournament."""

    format: str = option(
        "best_of_3",
        "Which players meet, and how many games they play.",
        choices={
            "best_of_3": "every pair plays until one player has won two games, at most three",
            "paired": "every pair plays two games with swapped colours",
            "round_robin": "every pair plays games_per_pair games with alternating colours",
            "gauntlet": "as round_robin, but only the first player meets the others",
            "gauntlet_of_3": "as best_of_3, but only the first player meets the others",
        },
    )
    series_per_pair: int = option(
        1, "Series per pair in a best_of_3 or a gauntlet_of_3, before repetitions.", 1, 1_000_000
    )
    colors: str = option(
        "alternate",
        "Who has black in the first game of a series. The second game has the colours swapped. The colours of a last "
        "game without a partner, such as a third one, are always random.",
        choices={"alternate": "the player that config.json lists first", "random": ""},
    )
    games_per_pair: int = option(2, "Games per pair in a round_robin or a gauntlet, before repetitions.", 1, 1_000_000)
    opening_plies: int = option(
        0, "Number of random moves that open each game pair and lead to a balanced position. 0: none.", 0, 20
    )
    openings: Path | None = option(
        None,
        "A file of openings, one per line: a name, moves such as f5d6c3, or a position, optionally followed by a "
        "semicolon and moves. A # starts a comment. Or a file of games, such as PGN. All games of a series begin with "
        "the same opening. Not together with opening_plies. null: none.",
        words=_PATH,
    )
    openings_start: int = option(1, "Number of the first opening used; the file is then cycled.", 1, 1_000_000)
    openings_order: str = option(
        "file",
        "Which opening a series gets.",
        choices={
            "file": "the next one, the same for every pair of players, and after the last the first again",
            "random": "a random one, by the seed of the series' first game",
        },
    )
    opening_book: tuple[str, ...] = ()  # the transcripts of `openings`, of the tournament or of the whole config
    adjudicate: int = option(
        0,
        "End a game of Othello when at most this many squares are empty, with the result of best play as proved by the "
        "engine. Games of a user are always played to their end. 0: all games are.",
        0,
        24,
    )
    processes: int | None = option(
        None, "Number of processes, each of which plays one game at a time. null: one per core.", 1, 1024
    )
    time_margin_seconds: float = option(
        0.5, "Seconds by which a player may exceed its time limit, because a busy machine can delay it.", 0, 3600
    )
    log: Path | None = option(
        None, "A file to which the messages from and to external programs are appended. null: none.", words=_PATH
    )
    sprt: SprtConfig | None = option(
        None, "A sequential probability ratio test that ends a tournament of two players. null: play all games."
    )
    compare: Comparison | None = option(
        None, "Results of another experiment with the same players, to show beside the results. null: none."
    )

    @property
    def is_best_of_3(self) -> bool:
        return self.format.endswith("of_3")

    @property
    def may_end_early(self) -> bool:
        """True if results can make scheduled games unnecessary."""
        return self.is_best_of_3 or self.sprt is not None


class Config(FrozenDataclass):
    """All settings of config.json and of the command line."""

    players: tuple[PlayerConfig, ...]  # in the order of the file; for a match black, then white
    game_type: str = option(
        "match",
        "What to play. Left out: a tournament if the file has the key tournament, else a match.",
        choices={
            "match": "one game between two players",
            "tournament": "a tournament of all players, best of three unless tournament.format says otherwise",
        },
    )
    game_repetitions: int = option(1, "Number of matches or tournaments, each with a new seed.", 1, 1_000_000)
    seed: int | None = option(
        None, "The seed from which all others are drawn. null: a random one, which is reported.", 0, MAX_SEED
    )
    show_visualisation: bool = option(True, "Whether to open the window. It always opens for a user.")
    move_delay_seconds: float = option(0.8, "Minimum seconds for a computer player's move in the window.", 0, 60)
    openings: Mapping[str, int] | None = option(
        None,
        "The openings of the games, by name (Tiger) or as moves (f5d6c3), each with its weight, as in "
        '{"Tiger": 2, "f5d6c4": 1}. A match gets a random one, in proportion to the weights. The series of a '
        "tournament get them in the order of tournament.openings_order, each as often as its weight. Not together with "
        "openings or opening_plies of a tournament. null: none.",
        1,
        100,
    )
    output_file: Path | None = option(
        None, "The results file (.csv or .jsonl), relative to the current folder. null: none.", words=_PATH
    )
    game: GameSpec = _STANDARD_GAME
    tournament: TournamentConfig = option(
        TournamentConfig(), "The settings of a tournament; a match uses adjudicate, time_margin_seconds and compare."
    )
    tune: TuneConfig | None = option(None, "The search of `othello tune` for the best values of options. null: none.")
    game_seed: int | None = None  # the seed of the only game to play, None for all games; set by the command line only
    existing_output: ExistingOutput = ExistingOutput.REFUSE  # set by the command line only
    notices: tuple[str, ...] = ()  # settings of the file without effect, a line each

    @property
    def opens_window(self) -> bool:
        return self.show_visualisation or any(player.is_user for player in self.players)
