"""Everything that config.json can say, as frozen dataclasses that describe themselves. `config_file` reads them."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from enum import Enum
from math import inf
from pathlib import Path
from typing import Final

from othello.errors import Reason
from othello.frozen import Frozen
from othello.rules.protocol import Color, GameSpec, Position, Rules
from othello.rules.registry import game_spec
from othello.schema import ABOVE_0, option, options_of, up_to

FREE_LENGTH_FORMATS: Final = ("round_robin", "gauntlet")  # formats of a tournament that take a number of games a pair
_USUAL_GAME: Final = game_spec()
_NAME: Final = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff])\S([\s\S]*\S)?$"


class ExistingOutput(Enum):
    """What to do with a results file that already holds games."""

    REFUSE = "refuse"
    OVERWRITE = "overwrite"
    RESUME = "resume"


class PlayerConfig(Frozen):
    """One entry of `players`, with the file's defaults filled in: the options of all types of player.

    Each type adds its own options in a subclass. `othello.players.registry.configure` makes the right subclass.
    """

    player_type: str
    _: KW_ONLY
    player_color: Color | None = option(
        None,
        "The player's colour in a match. Used only if both players have one, and ignored in a tournament.",
        choices=dict.fromkeys((color.label for color in Color), ""),
        is_personal=True,
    )
    # the given name, or the type
    name: str = option(
        "",
        "The name shown in the window and in results. Left out: the player's type, numbered if two have it.",
        words=up_to(40, title="a text without blanks at its ends or control characters", pattern=_NAME),
        is_personal=True,
    )
    # counts the players of a type without given names, from 1; 0 for a single one, None for a given name
    number: int | None = None
    time_limit_seconds: float | None = option(
        None,
        "The most seconds that this player may think about one move. null: no limit.",
        0.001,
        86400,
        is_personal=True,
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
        """What it is, for `othello.players.registry.configure`: its type; of a program, after a dot, also its name."""
        return self.player_type

    @property
    def usual_name(self) -> str:
        """What it is called in files where no name is given."""
        return self.player_type

    @property
    def is_named(self) -> bool:
        return self.number is None

    @property
    def memory_files(self) -> dict[str, Path]:
        """The files of the player's knowledge, by option."""
        keys = [key for key, option in options_of(type(self)).items() if option.is_memory]
        return {key: Path(getattr(self, key)) for key in keys if getattr(self, key) is not None}

    @property
    def strength(self) -> dict[str, int]:
        """The numbers that set how strongly it plays, by option; without those that are not set or not bounded."""
        options = ((key, option, getattr(self, key)) for key, option in options_of(type(self)).items())
        return {
            key: value
            for key, option, value in options
            if option.is_strength and value is not None and not (option.is_bound and value == option.maximum)
        }

    def allotment_used(self, seconds: float) -> float:
        """How much of its allotment this player takes on the mean, where a clock has so many seconds for a move."""
        return 1.0

    def solving_seconds(self, rules: Rules[Position], moves: int) -> float:
        """How long this player thinks about a move until it has solved an end of so many moves; inf: it never does."""
        return inf

    @property
    def memory_megabytes(self) -> int:
        """The most memory that its searches take; 0: too little to count."""
        return 0

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        """An option that does not fit the others or such games, and why; None where all options fit."""
        return None


class SprtConfig(Frozen):
    """A sequential probability ratio test of the first player's strength against the second's, in Elo."""

    elo0: float = option(..., "H0: the first player is stronger than the second by at most this much.", -1000, 1000)
    elo1: float = option(..., "H1: the first player is stronger by at least this much. Above elo0.", -1000, 1000)
    elo_model: str = option(
        "logistic",
        "What elo0 and elo1 mean.",
        choices={
            "logistic": "the usual Elo, which follows from the score",
            "normalised": "the score above 1/2 in standard deviations of a game, times 347.4; it sets how many games a "
            "test needs, whatever draws and openings do to the score",
        },
    )
    alpha: float = option(0.05, "How often H1 may be accepted although H0 is true.", maximum=0.5, words=ABOVE_0)
    beta: float = option(0.05, "How often H0 may be accepted although H1 is true.", maximum=0.5, words=ABOVE_0)


class Figures(Frozen):
    """What another experiment found for a player, or for a colour."""

    points: float | None = option(None, "1 for a win, 0.5 for a draw.", 0, 1_000_000_000)
    discs_won: float | None = option(
        None, "Own discs, or other points, at the end of all games together.", 0, 1_000_000_000
    )
    discs_lost: float | None = option(None, "The opponents' discs, or other points, likewise.", 0, 1_000_000_000)
    balance: float | None = option(None, "Discs, or other points, won minus lost.", -1_000_000_000, 1_000_000_000)
    seconds: float | None = option(None, "Mean thinking time per game.", 0, 1_000_000_000)


class Comparison(Frozen):
    """Another experiment's figures."""

    label: str = option(..., "The name of the other experiment, and the heading of its columns.", words=up_to(40))
    # the figures by player's name, and of the colours by "black" and "white"
    players: Mapping[str, Figures] = option(
        ...,
        "For each player's name, or black and white: points, discs won, discs lost, balance and seconds per game.",
    )


class TunedOption(Frozen):
    """Between which values an option of a player is tuned."""

    minimum: float | None = option(
        None, "The least value to try. null: the least that the option may have.", -1_000_000_000, 1_000_000_000
    )
    maximum: float | None = option(
        None, "The largest value to try. null: the largest that the option may have.", -1_000_000_000, 1_000_000_000
    )
    scale: str = option(
        "linear",
        "What counts as equally far apart.",
        choices={
            "linear": "values with the same difference",
            "logarithmic": "values with the same ratio, as suits counts and learning rates; for values above 0",
        },
    )


class TuneConfig(Frozen):
    """How `othello tune` looks for the values of the first player's options."""

    # the ranges by option
    options: Mapping[str, TunedOption] = option(
        ..., "For each option of the first player that is to be tuned, any with numbers: between which values."
    )
    iterations: int = option(200, "How often the values move.", 1, 100_000)
    pairs: int = option(
        8,
        "How many pairs of games the player with changed values plays before the values move, against itself with the "
        "opposite changes. Games of a pair have the same opening and swapped colours. These games run side by side.",
        1,
        10_000,
    )
    step: float = option(
        0.2,
        "By how much a value is changed to both sides in the first iteration, as a share of its range.",
        maximum=0.5,
        words=ABOVE_0,
    )
    move: float = option(
        0.1,
        "How far the values would move in the first iteration if one side won all games, as a share of their ranges.",
        maximum=1,
        words=ABOVE_0,
    )


class TournamentConfig(Frozen):
    """How a tournament is played."""

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
        "Who has black in the first game of a series. The second game has the colours swapped. Those of a last game "
        "without a partner, such as a third one, are always drawn by lot.",
        choices={"alternate": "the player that config.json names first", "drawn": "drawn by lot"},
    )
    games_per_pair: int = option(2, "Games per pair in a round_robin or a gauntlet, before repetitions.", 1, 1_000_000)
    opening_plies: int = option(
        0,
        "How many random moves open each game. They lead to a balanced position, and both games of a colour-swapped "
        "pair have the same ones. 0: games begin at the start position.",
        0,
        20,
    )
    openings: Path | None = option(
        None,
        "A file of openings: one a line, by name, as moves such as f5d6c3, or as a position, which moves may follow "
        "after a semicolon; what follows a # is a remark. Or a file of games, such as PGN, whose moves are openings. "
        "All games of a series begin with the same opening. Not together with opening_plies. null: none.",
        words=up_to(4096),
    )
    openings_start: int = option(
        1, "The number of the opening that comes first; those before it follow the last one.", 1, 1_000_000
    )
    openings_order: str = option(
        "file",
        "Which opening a series gets.",
        choices={
            "file": "the next one, the same for every pair of players, and after the last the first again",
            "drawn": "one that the seed of its first game draws",
        },
    )
    opening_book: tuple[str, ...] = ()  # the transcripts of that file, or of `openings`; read together with the config
    adjudicate: int = option(
        0,
        "A game of Othello ends when so few squares, or fewer, are empty, and its result is that of best play by both "
        "sides, which the engine proves. Games of a user are played to their end. 0: all games are.",
        0,
        24,
    )
    processes: int | None = option(
        None,
        "How many games are played at the same time, each in its own process. null: one per processor core. The games "
        "themselves do not depend on this number.",
        1,
        1024,
    )
    time_margin_seconds: float = option(
        0.5,
        "By how many seconds a player may exceed its time limit without losing the game. A busy machine can delay a "
        "player.",
        0,
        3600,
    )
    log: Path | None = option(
        None,
        "A file for what this program and external programs say to each other, with times; new lines follow those that "
        "it has. null: none.",
        words=up_to(4096),
    )
    sprt: SprtConfig | None = option(
        None,
        "A sequential probability ratio test. It ends a tournament of two players as soon as it has an answer. null: "
        "all games are played.",
    )
    compare: Comparison | None = option(
        None, "Figures of another experiment with the same players, to be shown beside the results. null: none."
    )

    @property
    def is_best_of_3(self) -> bool:
        """Whether a series ends as soon as a player has won two games."""
        return self.format.endswith("of_3")

    @property
    def may_end_early(self) -> bool:
        """Whether games may prove unnecessary."""
        return self.is_best_of_3 or self.sprt is not None


class Config(Frozen):
    """Everything that config.json and the command line say."""

    players: tuple[PlayerConfig, ...]  # in the order of the file; for a match black, then white
    game_type: str = option(
        "match",
        "What to play. Left out: a tournament if the file has settings of one, else a match.",
        choices={
            "match": "one game between two players",
            "tournament": "a tournament of all players, best of three unless tournament.format says otherwise",
        },
    )
    game_repetitions: int = option(
        1, "How many times the match or tournament is played, each time with a new seed.", 1, 1_000_000
    )
    seed: int | None = option(
        None, "The seed from which all others are drawn. null: a random one, which is reported.", 0, (1 << 63) - 1
    )
    show_visualisation: bool = option(
        True,
        "Whether to open the window. A user always plays in the window. A tournament shows standings and games in "
        "progress there.",
    )
    move_delay_seconds: float = option(
        0.8,
        "The least time that a computer player's move takes in the window, so that a person can follow. Without a "
        "window there is no delay.",
        0,
        60,
    )
    # the weight of each, by its name or its moves
    openings: Mapping[str, int] | None = option(
        None,
        "What games begin with: names of openings such as Tiger, or moves such as f5d6c3, each with its weight, as in "
        '{"Tiger": 2, "f5d6c4": 1}. The seed of a match draws one in proportion to the weights; the series of a '
        "tournament get them as tournament.openings_order says, each as often as its weight. Not together with "
        "openings or opening_plies of a tournament. null: none.",
        1,
        100,
    )
    output_file: Path | None = option(
        None,
        "The file for the result of every game. Its name ends in .csv or .jsonl and is relative to the current "
        "folder. null: no file.",
        words=up_to(4096),
    )
    game: GameSpec = _USUAL_GAME
    tournament: TournamentConfig = option(
        TournamentConfig(), "How a tournament is played. A match uses only adjudicate, time_margin_seconds and compare."
    )
    tune: TuneConfig | None = option(
        None, "What `othello tune` does: it looks for the best values of the first player's options. null: nothing."
    )
    game_seed: int | None = None  # the seed of the only game to play, None for all games; set by the command line alone
    existing_output: ExistingOutput = ExistingOutput.REFUSE  # set by the command line alone
    notices: tuple[str, ...] = ()  # the file's settings without effect, a line each

    @property
    def opens_window(self) -> bool:
        return self.show_visualisation or any(player.is_user for player in self.players)
