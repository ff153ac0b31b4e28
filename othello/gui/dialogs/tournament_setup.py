"""Dialog that sets up a new tournament or resumes one from its results file."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeAlias

from othello.config import FREE_LENGTH_FORMATS, Config, ExistingOutput, PlayerConfig, SprtConfig, TournamentConfig
from othello.config_file import config_of, find_config, load
from othello.errors import ConfigError, OthelloError, OutputError, reason_of
from othello.files import is_file, write_text
from othello.gui import commands as gui, labels, ui
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import NARROW, Dialog, failure
from othello.gui.dialogs.player_form import LEVEL, TALL, ChosenRules
from othello.gui.dialogs.saving import ConfigDialog
from othello.gui.preferences import PreferencesFile
from othello.machine import cores
from othello.play.session import Session
from othello.players import levels
from othello.players.player_registry import configure, title_of
from othello.records.openings import weighed
from othello.records.results import SUFFIXES, check_output
from othello.resources import data_folder
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.schema import options_of
from othello.strict_json import format_document, read as read_json
from othello.texts import person, tr
from othello.tournament.experiment import count_games, is_complete
from othello.tournament.schedule import max_games, max_games_per_pair, pairings

MAX_PLAYERS: Final = 12
_CONFIG: Final = ".config.json"
Choices: TypeAlias = Callable[[], Iterable[tuple[Any, str]]]


def _setting(default: Any, choices: Choices, needs: Callable[[Any], bool] = lambda _: True) -> Any:
    """Return a field with a list in the dialog, whose label is the text `setup.labels.NAME` or the name itself.

    Args:
        default: the value at first.
        choices: returns the values with their texts.
        needs: returns True if the field has an effect with the other settings.
    """
    return field(default=default, metadata={"choices": choices, "needs": needs})


def _choices(name: str, of: type = TournamentConfig) -> Iterable[str]:
    return map(str, options_of(of)[name].choices)


def _numbers(*values: int) -> Iterable[tuple[int, str]]:
    return ((value, str(value)) for value in values)


@dataclass
class TournamentSettings(ChosenRules):
    """Settings of a new tournament, as chosen so far. The fields without a comment are those of `TournamentConfig`."""

    forms: list[dict[str, Any]]  # of the players; `player_type` may also be a level
    openings: str = ""  # the path of a file of openings, or names and moves
    format: str = _setting("round_robin", lambda: ((name, tr(f"formats.{name}")) for name in _choices("format")))
    games_per_pair: int = _setting(
        2, lambda: _numbers(1, 2, 4, 6, 10, 20, 50, 100), lambda own: own.format in FREE_LENGTH_FORMATS
    )
    rounds: int = _setting(1, lambda: _numbers(1, 2, 3, 5, 10, 20, 50, 100))  # the key game_repetitions
    opening_plies: int = _setting(
        0, lambda: ((n, tr("setup.random_plies" if n else "setup.start", n=n)) for n in range(0, 13, 2))
    )
    openings_order: str = _setting(
        "file",
        lambda: ((name, tr(f"setup.orders.{name}")) for name in _choices("openings_order")),
        lambda own: bool(own.openings.strip()),
    )
    adjudicate: int = _setting(  # 0: the engine does not end games
        0,
        lambda: ((n, tr("setup.adjudicated" if n else "setup.never", n=n)) for n in (0, *range(8, 21, 2))),
        lambda own: rules_of(own.spec).points == "discs",
    )
    sprt: int = _setting(  # elo1 of a sequential test whose elo0 is 0; 0: no test
        0,
        lambda: ((elo, tr("setup.test" if elo else "setup.no_test", elo=elo)) for elo in (0, 10, 20, 50, 100, 200)),
        lambda own: len(own.forms) == 2 and own.has_game_pairs,
    )
    elo_model: str = _setting(
        "logistic",
        lambda: ((name, tr(f"tournament.elo.{name}")) for name in _choices("elo_model", SprtConfig)),
        lambda own: own.takes("sprt") and own.sprt > 0,
    )
    processes: int = _setting(  # 0: one for each processor core
        0, lambda: ((0, tr("setup.all_cores", n=cores())), *_numbers(*range(1, cores() + 1)))
    )
    # The path of the results file, or its name in the usual folder; empty: results are not stored.
    results: str = field(default_factory=lambda: f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl")

    @property
    def path(self) -> Path | None:
        """The results file; None if results are not stored."""
        name = self.results.strip()
        if not name:
            return None
        return results_folder() / (name if name.endswith(SUFFIXES) else f"{name}{SUFFIXES[-1]}")

    @property
    def has_game_pairs(self) -> bool:
        return self.games_per_pair % 2 == 0 if self.takes("games_per_pair") else self.format == "paired"

    @property
    def lists(self) -> dict[str, Choices]:
        """The choices of the fields that have an effect, by their names."""
        listed = {setting.name: setting.metadata["choices"] for setting in fields(self) if setting.metadata}
        return {name: choices for name, choices in listed.items() if self.takes(name)}

    def takes(self, name: str) -> bool:
        """Return whether a field with a list has an effect together with the other settings."""
        return any(setting.metadata["needs"](self) for setting in fields(self) if setting.name == name)

    @property
    def _named(self) -> dict[str, int]:
        """The openings given by name or by moves; empty if a file contains them."""
        path = Path(self.openings.strip())
        return {} if path.suffix or path.exists() else weighed(self.openings)

    def parts(self) -> dict[str, Any]:
        """Return all settings except the results file as keys of a config file.

        Raises:
            OthelloError: a form is not a valid player of this game.
        """
        settings = {name: getattr(self, name) for name in self.lists if name in options_of(TournamentConfig)}
        settings["openings"] = "" if self._named else self.openings.strip()
        if self.takes("elo_model"):
            settings["sprt"] = {"elo0": 0, "elo1": self.sprt, "elo_model": self.elo_model}
        return {
            "game_type": "tournament",
            "game_repetitions": self.rounds,
            **({"openings": self._named} if self._named else {}),
            **player_form.parts_of(self.spec, player_form.players_of(self.forms, self.spec)),
            "tournament": {key: value for key, value in settings.items() if value},
        }

    def config(self) -> Config:
        """Return the config of the tournament, and create the usual folder if the results go there.

        Raises:
            OthelloError: the settings are not valid, or the results file cannot be written.
        """
        config = config_of(self.parts())
        if self.path is not None:
            if self.path.parent == results_folder():
                try:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                except OSError as error:
                    raise OutputError("unwritable", path=self.path, reason=reason_of(error)) from None
            check_output(self.path)
        return replace(config, output_file=self.path)

    @property
    def document(self) -> str:
        """The text of the config file beside the results, which is needed to resume the tournament."""
        return "" if self.path is None else format_document(self.parts())


def proposed_settings(spec: GameSpec) -> TournamentSettings:
    """Return the settings that are proposed for a game, with the levels 2 to 4 as players."""
    forms = [{**player_form.form_of(configure("random")), "player_type": f"{LEVEL}{level}"} for level in (2, 3, 4)]
    return TournamentSettings(spec.game, player_form.rules_by_game(spec), forms)


def results_folder() -> Path:
    """Return the usual folder of results files."""
    return data_folder() / "tournaments"


def keep_rounds(results: Path, rounds: int) -> None:
    """Change the number of rounds in the config file beside a results file, if there is one.

    Raises:
        OutputError: the config file cannot be written.
    """
    path = config_path_of(results)
    if path.exists():
        write_text(path, format_document({**read_json(path), "game_repetitions": rounds}))


def config_path_of(results: Path) -> Path:
    """Return the path of the config file beside a results file."""
    return results.with_name(f"{results.stem}{_CONFIG}")


class ResumableTournament(NamedTuple):
    """A results file whose tournament is not finished."""

    path: Path
    date: str  # of its last game
    players: str
    progress: str  # game, format and number of games played

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read a results file. Returns None if all games are played; a damaged file has its name for the players."""
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        try:
            config = resumed(path)
            if is_complete(config, path):
                return None
        except OthelloError:
            return cls(path, date, path.name, "")
        form, limit = config.tournament, max_games(config)
        done = labels.games_done(form, count_games(path), limit)
        game, names = labels.title(rules_of(config.game)), (localized_name(player) for player in config.players)
        return cls(path, date, " – ".join(names), " · ".join((game, tr(f"formats.{form.format}"), done)))


def localized_name(player: PlayerConfig) -> str:
    """Return the name of a player. Names of levels and types are in the language in use."""
    level = player.strength.get("level")
    if labels.is_level_name(player.name, level):
        return tr(f"levels.{level}")
    return person() if player.is_user and not player.is_named else title_of(player)


def resumable_tournaments() -> list[ResumableTournament]:
    """Return the unfinished tournaments in the usual folder, the newest first."""
    named = (path for path in results_folder().glob("*.*") if path.suffix in SUFFIXES)
    files = [path for path in named if is_file(path) and is_file(config_path_of(path))]
    files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    return [tournament for tournament in map(ResumableTournament.read, files) if tournament is not None]


def resumed(results: Path) -> Config:
    """Return the config that resumes the tournament of a results file.

    Raises:
        OthelloError: neither the config file beside the results nor config.json is a tournament.
    """
    beside, usual = config_path_of(results), find_config().path
    config = next((load(path) for path in (beside, usual) if path.exists()), None)
    if config is None or config.game_type != "tournament":
        raise ConfigError("no_config", file=results.name, config=beside.name)
    return replace(config, output_file=results, existing_output=ExistingOutput.RESUME)


_MIN_SECONDS: Final = 10.0  # minimum duration shown, in seconds
_START_SECONDS: Final = 4.0  # until the worker processes are ready


class TournamentDialog(Dialog):
    """Sets up a tournament, at first of the session's game, or resumes one."""

    buttons = ("cancel", "start")
    keeps_size = True

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = tr("setup.title")
        self._settings = proposed_settings(session.game.rules.spec)
        self._resumable = resumable_tournaments()
        self._tab, self._has_details = "new", preferences.value.details
        self._move_times = player_form.MoveTimes(session)

    @property
    def _fault(self) -> str:
        """Why the settings are not valid; empty if they are."""
        return failure(self._settings.config)

    # Content

    def content(self) -> ui.Widget:
        names = (("new", tr("setup.new")), ("kept", tr("setup.kept")))
        choice = ui.SegmentedControl(
            names, self._tab, accessible_name=self.title, name="tab", height=TALL, width=min(self.content_width, 480)
        )
        tabs = [choice] if self._resumable else []
        return ui.Column((*tabs, *([self._resume_list()] if self._tab == "kept" else self._new())), gap=16)

    def _resume_list(self) -> ui.Widget:
        """Return the list of tournaments to resume."""
        rows = []
        for index, tournament in enumerate(self._resumable):
            label, name = f"{tournament.date}  ·  {tournament.players}", f"kept:{index}"
            rows.append(
                ui.MenuItem(label, right=tournament.progress, shorter=(tournament.players,), name=name, height=36)
            )
        return ui.Column(rows, gap=4)

    def _new(self) -> list[ui.Widget]:
        """Return the form of a new tournament."""
        settings, style, room = self._settings, self.style, self.content_width
        title = ui.Label(tr("new_game.players"), 14, bold=True, height=28, grow=True)
        add = [player_form.link("add", tr("setup.add"))] if len(settings.forms) < MAX_PLAYERS else []
        where = tr("setup.results", folder=str(settings.path.parent)) if settings.path else tr("setup.no_results")
        results = ui.TextField(settings.results, tr("setup.nowhere"), max_length=1000, name="results", height=TALL)
        book = ui.TextField(settings.openings, tr("setup.no_openings"), max_length=1000, name="openings", height=TALL)
        terms = [
            player_form.pairs(style, room, self._lists()),
            player_form.labelled(style, tr("setup.openings"), book),
            player_form.labelled(style, where, results),
        ]
        rules = player_form.rule_choices(settings)
        terms += [player_form.pairs(style, room, rules)] if rules else []
        player, players = tr("new_game.player"), []
        for index, form in enumerate(settings.forms):
            line = self._player(index, form)
            players.append(ui.Column((line,), accessible_name=player, group=f"{player} {index + 1}"))
        return [
            replace(player_form.one_of("game", player_form.games(), settings.game), accessible_name=tr("spoken.game")),
            ui.Column((ui.Row((title, *add)), *players, *self.warning(self._fault))),
            ui.Column(terms, gap=11),
        ]

    def footer_note(self) -> str:
        """Return the number of games and the expected duration."""
        if not self.is_valid:
            return ""
        config = self._settings.config()
        games = tr("setup.at_most" if config.tournament.may_end_early else "tournament.games", n=max_games(config))
        seconds = self._seconds(config)
        if seconds is None:
            return games
        return f"{games} · {tr('setup.expected', time=labels.rough_time(max(_MIN_SECONDS, seconds)))}"

    def _seconds(self, config: Config) -> float | None:
        """Return the expected duration in seconds, or None if the speed of a player is not known."""
        speeds = {player: self._move_times.seconds(player, config.game) for player in config.players}
        known = {player: seconds for player, seconds in speeds.items() if seconds is not None}
        if len(known) < len(speeds):
            return None
        rules, games = rules_of(config.game), max_games(config)
        moves = rules.moves_left(rules.start()) / 2 * max_games_per_pair(config)
        total = moves * sum(known[first] + known[second] for first, second in pairings(config))
        return _START_SECONDS + total / min(config.tournament.processes or cores(), cores(), games)

    def update(self) -> gui.Command | None:
        """Measure the speed of the chosen computers on this machine."""
        if not self.is_valid:
            return None
        config = self._settings.config()
        return self._move_times.next_trial(config.players, config.game)

    def _player(self, index: int, form: Mapping[str, Any]) -> ui.Widget:
        """Return the line of a player, or two lines if there is little room."""
        name, kind, is_narrow = f"player{index}", form["player_type"], self.content_width < NARROW
        is_level = kind.startswith(LEVEL)
        known = _kinds(kind, has_details=self._has_details)
        place: dict[str, Any] = {"grow": 0.64} if is_narrow else {"width": 236}
        beside: dict[str, Any] = {"grow": 0.36} if is_narrow else {"width": 148}
        kinds = ui.Select(known, kind, name=f"{name}.player_type", **place)
        who = [kinds, player_form.name_field(name, form, **beside)]
        gap = ui.Spacer(width=self.style.length(tr("setup.remove"), 13))
        end = player_form.link(f"{name}.remove", tr("setup.remove")) if len(self._settings.forms) > 2 else gap
        if is_level:
            return ui.Row((*who, *([] if is_narrow else [ui.Spacer(grow=True)]), end))
        main, is_open = player_form.main_options(form)[:1], form.get("more", False)
        sign, tip = ("–", tr("new_game.less")) if is_open else ("…", tr("new_game.more"))
        how = [
            *([player_form.slider(name, option, form) for option in main] or [ui.Spacer(grow=True)]),
            player_form.time_limit(name, form, 92),
            ui.Button(sign, name=f"{name}.more", tip=tip, width=36),
        ]
        lines = [ui.Row((*who, end)), ui.Row((*how, gap))] if is_narrow else [ui.Row((*who, *how, end))]
        if not is_open:
            return ui.Column(lines)
        others = player_form.more_options(form, main)
        more = player_form.option_columns(self.style, self.content_width, name, others, form)
        return ui.Column((*lines, more, ui.Spacer()))

    def _lists(self) -> Iterator[tuple[str, ui.Widget]]:
        """Yield the labels and lists of the fields that have an effect."""
        for name, choices in self._settings.lists.items():
            select = ui.Select(tuple(choices()), getattr(self._settings, name), name=name, height=TALL)
            yield tr(f"setup.labels.{name}", player_form.title(name)), select

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("save", tr("setup.save"))] if self._tab == "new" else []

    @property
    def is_valid(self) -> bool:
        return self._tab == "new" and not self._fault

    # Input

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        self.subtitle = ""
        try:
            return self._change(name, value)
        except OthelloError as error:
            self.subtitle = error.reason.sentence()
            return None

    def _change(self, name: str, value: Any) -> gui.Command | None:
        """Take the value of a control.

        Raises:
            OthelloError: the command of the control cannot be carried out.
        """
        settings = self._settings
        begin, _, key = name.partition(".")
        match name:
            case "start":
                return gui.StartTournament(settings.config(), settings.document)
            case "save":
                return gui.PushDialog(ConfigDialog(settings.parts(), partial(setattr, self, "subtitle")))
            case "tab":
                self._tab = value
            case "add":
                level = min(len(settings.forms) + 2, levels.COUNT)
                settings.forms.append({**settings.forms[-1], "player_type": f"{LEVEL}{level}", "name": ""})
            case _ if begin.startswith("kept:"):
                return gui.StartTournament(resumed(self._resumable[int(name.removeprefix("kept:"))].path))
            case _ if key == "remove":
                del settings.forms[int(begin.removeprefix("player"))]
            case _ if begin.startswith("player"):
                form = settings.forms[int(begin.removeprefix("player"))]
                form[key] = not form.get("more") if key == "more" else value
            case _ if begin == "rules":
                settings.choose_rule(key, value)
            case _:
                setattr(settings, name, value)
        settings.forms = [player_form.fitted(form, settings.spec) for form in settings.forms]
        return None


def _kinds(kind: str, *, has_details: bool) -> tuple[tuple[str, str], ...]:
    """Return the levels, then all kinds of players, with their labels."""
    ranks = range(1, levels.COUNT + 1)
    named = ((f"{LEVEL}{level}", tr("new_game.level", level=level, name=tr(f"levels.{level}"))) for level in ranks)
    return (*named, *player_form.offered(kind, has_details=has_details))
