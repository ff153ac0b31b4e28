"""Forms for players and rules: controls from options, players from forms, and their config file."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, TypeAlias

from othello import texts
from othello.config import PlayerConfig
from othello.config_file import config_of, entry_of
from othello.errors import ConfigError, OthelloError
from othello.files import write_text
from othello.gui import labels, ui
from othello.gui.dialogs.dialog import NARROW, failure
from othello.numbers import parse_whole
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players import player_registry
from othello.players.levels import COUNT, opponent
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, first_fault, options_of
from othello.strict_json import format_document, read as read_json
from othello.texts import tr

_FEW: Final = (*range(21), 30, 50, 70, 100)
_MANY: Final = (*(round(base * 10**power) for power in range(1, 7) for base in (1, 1.5, 2, 3, 5, 7)), 10_000_000)
Form: TypeAlias = Mapping[str, Any]
"""Values of a player's controls, by the names of the options. Numbers that are typed are text."""
LEVEL: Final = "level."
"""Prefix of a level's number, in place of a player type."""
_LIMIT: Final = options_of(PlayerConfig)["time_limit_seconds"]
_OF_FORMS: Final = ("player_color", "name", "time_limit_seconds", "program")  # options that the form does not list
_USUAL: Final = ""  # stands for the default value
_CONTROL: Final = 156


def own_options(kind: str) -> list[Option]:
    """Return the options of a kind of player that a form has controls for."""
    return [
        option for key, option in options_of(player_registry.type_of(kind).config_type).items() if key not in _OF_FORMS
    ]


def main_options(form: Form) -> list[Option]:
    """Return the options with sliders, which set the strength. A level has no other sliders."""
    sliders = [option for option in own_options(form["player_type"]) if _has_slider(option)]
    return sliders if _level(form) is None else [option for option in sliders if option.name == "level"]


def is_measured(player: PlayerConfig) -> bool:
    """Return whether a player's speed is measured. Programs are not started just for that."""
    return player.kind == player.player_type and not player.is_user


class MoveTimes:
    """Time that computers need for a move on this machine, measured by short trials."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tried: tuple[PlayerConfig, GameSpec] | None = None

    def next_trial(self, players: Iterable[PlayerConfig], spec: GameSpec) -> cmd.MeasureMoveTime | None:
        """Return the command that measures the first player without a result, or None."""
        analysis = self._session.analysis
        wanted = ((player, spec) for player in players if is_measured(player))
        trial = (
            None
            if analysis is None
            else next((trial_key for trial_key in wanted if trial_key not in analysis.trials), None)
        )
        if trial is None or trial == self._tried:
            return None
        self._tried = trial
        return cmd.MeasureMoveTime(*trial)

    def seconds(self, player: PlayerConfig, spec: GameSpec) -> float | None:
        """Return the time that a player needs for a move, in seconds, or None if the time is not known."""
        report = None if self._session.analysis is None else self._session.analysis.trials.get((player, spec))
        if report is None:
            return None if player.is_user or is_measured(player) else player.time_limit_seconds
        wanted = getattr(player, "simulation_count", None) or report.simulations
        seconds = report.seconds * (wanted / report.simulations if report.simulations else 1)
        return min(seconds, player.time_limit_seconds or seconds)


def more_options(form: Form, shown: Collection[Option]) -> list[Option]:
    """Return the options of a form that are not shown yet."""
    main, own = main_options(form), own_options(form["player_type"])
    return [option for option in own if option not in shown and (option in main or not _has_slider(option))]


def _has_slider(option: Option) -> bool:
    return option.is_strength and option.kind is int and option.minimum is not None and option.maximum is not None


def _is_usual(option: Option, form: Form) -> bool:
    entry = form.get(option.name)
    return entry is None or entry == _USUAL or entry == _nothing(option)


def _nothing(option: Option) -> int | None:
    """Return the number that means "no value" at the left end of a slider, or None if there is none."""
    return 0 if option.is_optional and _has_slider(option) and option.minimum else None


def _value(option: Option, entry: Any) -> Any:
    """Return the value of an option from its control.

    Raises:
        OthelloError: the typed text is not a valid value.
    """
    is_typed = isinstance(entry, str) and option.kind in (int, float)
    value = typed_number(option, entry) if is_typed else entry
    if (value is not None or not is_typed) and first_fault(value, option.schema) is None:
        return value
    least = option.schema.get("exclusiveMinimum", option.minimum)
    if least is None or option.maximum is None:
        raise OthelloError(tr("new_game.no_value", option=title(option.name)))
    kind = "count" if option.kind is int else "amount" if option.minimum is not None else "share"
    form = "" if option.kind is int else "g"  # "g" also shortens large numbers
    least, most = texts.number(least, form), texts.number(option.maximum, form)
    raise OthelloError(tr(f"new_game.wrong.{kind}", option=title(option.name), minimum=least, maximum=most))


def typed_number(option: Option, text: str) -> float | None:
    """Return the number that a text means for an option, or None if the text is not valid."""
    value = texts.number_of(text)
    if value is not None and option.kind is int and value.is_integer():
        value = int(value)
    return None if value is None or first_fault(value, option.schema) is not None else value


def _fault(option: Option, form: Form) -> str:
    """Return why the text typed for an option is not valid, or an empty string."""
    return "" if _is_usual(option, form) else failure(partial(_value, option, form[option.name]))


def title(key: str) -> str:
    """Return the label of an option."""
    return tr(f"new_game.options.{key}", key.replace("_", " ").capitalize())


def slider(name: str, option: Option, form: Form) -> ui.Widget:
    """Return the slider of an option, with its value at the right."""
    value, values = form.get(option.name), _steps(option)
    value = option.default if value is None else value
    is_unset = value is None or value == _nothing(option)
    shown = _unset(option) if is_unset else f"{value:,}".replace(",", " ")
    control = ui.Slider(
        values, value or values[0], accessible_name=title(option.name), name=f"{name}.{option.name}", grow=1
    )
    return ui.Row((control, ui.Label(shown, 12, align="right", width=68)), grow=True)


def _steps(option: Option) -> tuple[int, ...]:
    """Return the values of a slider."""
    nothing, minimum, maximum = _nothing(option), int(option.minimum or 0), int(option.maximum or 0)
    values = [value for value in (_FEW if maximum <= _FEW[-1] else _MANY) if minimum <= value <= maximum]
    return (*(() if nothing is None else (nothing,)), *(values or (minimum, maximum)))


def _control(name: str, option: Option, form: Form) -> ui.Widget:
    entry = form.get(option.name)
    either = ((True, tr("new_game.yes")), (False, tr("new_game.no")))
    if option.choices or (option.kind is bool and option.is_optional):
        choices = tuple((value, choice(option.name, value)) for value in option.choices) or either
        choices = (((_USUAL, _unset(option)),) if option.is_optional else ()) + choices
        usual = _USUAL if option.is_optional else option.default
        return ui.Select(choices, usual if entry is None else entry, name=name, width=_CONTROL)
    if option.kind is bool:
        value = option.default if entry is None else entry
        return ui.Checkbox(value=value, name=name, width=_CONTROL, height=ui.BUTTON_HEIGHT)
    text = _USUAL if entry is None else str(entry)
    usual = texts.number(option.default) if isinstance(option.default, int | float) else _unset(option)
    is_number, fault = option.kind in (int, float), _fault(option, form)
    max_length = option.schema.get("maxLength", 60)
    return ui.TextField(text, usual, is_number, bool(fault), max_length, tip=fault, name=name, width=_CONTROL)


def _unset(option: Option) -> str:
    """Return the text for an option without a value."""
    return tr(f"new_game.unset.{option.name}", "–")


def choice(key: str, value: object) -> str:
    """Return the label of one of the values of an option."""
    return tr(f"new_game.choices.{key}.{value}", str(value).replace("_", " "))


_LABEL: Final = 96
_PLAYER: Final = 272


def player_card(style: ui.Style, room: float, name: str, form: Form, spec: GameSpec, *, has_details: bool) -> ui.Widget:
    """Return the controls for any computer player."""
    kind, muted, is_narrow = form["player_type"], style.palette.muted, room < NARROW
    known = offered(kind, spec, has_details=has_details)

    def label(words: str) -> ui.Label:
        return ui.Label(words, 12, muted, width=_LABEL)

    details = tuple((_about(kind, "player_notes"), _strength(kind, spec)) for kind, _ in known)
    place: dict[str, Any] = {"grow": 1} if is_narrow else {"width": _PLAYER}
    who = ui.Select(known, kind, details=details, name=f"{name}.type", tip=_about(kind, "player_tips"), **place)
    first: list[ui.Widget] = [label(tr("new_game.player")), who]
    limit: list[ui.Widget] = [label(title(_LIMIT.name)), time_limit(name, form, 112)]
    main = main_options(form)
    options = [ui.Row((label(title(option.name)), slider(name, option, form)), 0, grow=True) for option in main]
    rows: list[ui.Widget] = [ui.Row(first, 0), ui.Row(limit, 0), *options]
    if not is_narrow:
        rows = [ui.Row((*first, ui.Spacer(width=40), *limit), 0), *([ui.Row(options, 40)] if options else [])]
    if form.get("more", False):
        others = more_options(form, main)
        rows.append(ui.Row((label(tr("new_game.name")), name_field(name, form, grow=True)), 0))
        rows.append(option_columns(style, room, name, others, form))
    return ui.Card(ui.Column(rows, 16), (16, 16), style.palette.raised)


def _strength(kind: str, spec: GameSpec) -> str:
    """Return the measured strength of a kind of player with default options, in words."""
    player = player_registry.configure_for(kind, spec)
    if player.player_type == _LEVEL_FORM["player_type"]:
        return tr("new_game.all_levels", last=COUNT)
    place, count = labels.measured_place(player, spec), player.strength if player.kind == player.player_type else {}
    words = (tr(f"player_options.{key}", f"{key} {n}", n=n, count=labels.count(n)) for key, n in count.items())
    return " · ".join((place or tr("new_game.not_measured"), *words))


def option_columns(style: ui.Style, room: float, name: str, options: Iterable[Option], form: Form) -> ui.Widget:
    """Return options with their controls at the right, in two columns if there is room."""
    rows = []
    for option in options:
        label = ui.Label(title(option.name), 12, style.palette.muted, grow=True)
        rows.append(ui.Row((label, _control(f"{name}.{option.name}", option, form))))
    half = -(-len(rows) // 2)
    parts = [rows] if room < NARROW else [rows[:half], rows[half:]]
    return ui.Row([ui.Column(part, grow=True) for part in parts], GAP, "top")


def _about(kind: str, section: str) -> str:
    """Return the description of a kind of player in a section of the texts: "player_notes" or "player_tips"."""
    player_type = player_registry.type_of(kind).player_type
    return tr(f"player_notes.{player_type}" if section == "player_notes" else f"player_tips.{player_type}", "")


def link(name: str, words: str) -> ui.Button:
    """Return a button that looks like a link."""
    return ui.Button(words, kind="link", name=name, height=28)


def name_field(name: str, form: Form, **place: Any) -> ui.TextField:
    """Return the field for the name of a player."""
    max_length = options_of(PlayerConfig)["name"].schema["maxLength"]
    hint, called = own_name(form), tr("spoken.player_name")
    return ui.TextField(form["name"], hint, max_length=max_length, accessible_name=called, name=f"{name}.name", **place)


def time_limit(name: str, form: Form, width: float) -> ui.TextField:
    """Return the field for the time limit of a move."""
    where, fault, hint = f"{name}.{_LIMIT.name}", _fault(_LIMIT, form), tr("new_game.no_limit")
    field = ui.TextField(
        form[_LIMIT.name], hint, True, bool(fault), accessible_name=title(_LIMIT.name), tip=fault, name=where
    )
    return replace(field, width=width)


def save(path: Path, parts: Form) -> None:
    """Write keys to a config file. Other keys of an existing file are kept, except the rules.

    Raises:
        OthelloError: the existing file is damaged or conflicts with the keys, or the file cannot be written.
    """
    existing = read_json(path) if path.exists() else {}
    kept = existing if isinstance(existing, dict) else {}
    document = {**{key: value for key, value in kept.items() if key != "rules"}, **parts}
    try:
        config_of(document)
    except ConfigError as error:
        raise ConfigError("in_file", path=path, reason=error.reason) from None
    write_text(path, format_document(document))


def parts_of(
    spec: GameSpec, players: Sequence[PlayerConfig], openings: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return a game, its players and its openings as keys of a config file."""
    usual = dict(game_spec(spec.game).options)
    rules = {name: value for name, value in spec.options if usual[name] != value}
    game: dict[str, Any] = {"game": spec.game, "rules": rules} if rules else {"game": spec.game}
    game |= {"openings": dict(openings)} if openings else {}
    return {**game, "players": [entry_of(player, has_files=True) for player in players]}


def offered(kind: str, spec: GameSpec | None = None, *, has_details: bool) -> tuple[tuple[str, str], ...]:
    """Return all kinds of players with their titles.

    Args:
        kind: a kind that is included in any case.
        spec: include only computers that can play this game; None: all kinds, with users.
        has_details: add the names that config files use.
    """
    known = player_registry.kinds() if spec is None else player_registry.computers(spec)
    if not (kind in known or kind.startswith(LEVEL)):
        known.append(kind)
    titles = ((kind, player_registry.type_title(kind)) for kind in known)
    return tuple((kind, f"{words} ({kind})" if has_details and kind != "user" else words) for kind, words in titles)


_LEVEL_FORM: Final = {"player_type": "engine", "name": "", "time_limit_seconds": ""}
"""The form of a level, without the level itself."""


def level_form(level: int = player_registry.USUAL_LEVEL) -> dict[str, Any]:
    return form_of(opponent(level, tr(f"levels.{level}")))


def fitted(form: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return a form, with a level added if its player needs one for the game."""
    if form.get("level") or form["player_type"].startswith(LEVEL):
        return form
    level = player_registry.configure_for(form["player_type"], spec).strength.get("level")
    return form if level is None else {**form, "level": level}


def fault_of(forms: Sequence[Form], spec: GameSpec) -> str:
    """Return why forms are not valid players of a game, or an empty string."""
    return failure(partial(players_of, forms, spec))


def form_of(player: PlayerConfig) -> dict[str, Any]:
    """Return the form of a player, without default values and without the name that a level has by default."""
    limit = player.time_limit_seconds
    own = player.name.rstrip("0123456789").rstrip()  # without the number in "Casual 2"
    is_given = player.is_named and not labels.is_level_name(own, player.strength.get("level"))
    form: dict[str, Any] = {
        "player_type": player.kind,
        "name": player.name if is_given else "",
        "time_limit_seconds": "" if limit is None else texts.number(limit),
    }
    for option in own_options(player.kind):
        value = getattr(player, option.name)
        if value != option.default:
            is_typed = option.kind in (int, float) and not _has_slider(option)
            form[option.name] = texts.number(value, "") if is_typed else value
    form["by_level"] = "level" in form and form == {**_LEVEL_FORM, "level": form["level"]}
    return form


def _level(form: Form) -> int | None:
    kind = form["player_type"]
    if kind.startswith(LEVEL):
        return int(kind.removeprefix(LEVEL))
    return form.get("level") or None if "level" in options_of(player_registry.type_of(kind).config_type) else None


def own_name(form: Form) -> str:
    """Return the default name of a player."""
    level = _level(form)
    return player_registry.type_title(form["player_type"]) if level is None else tr(f"levels.{level}")


def free_name(name: str, is_taken: Callable[[str], object]) -> str:
    """Return a name, with a number if the name is taken."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(candidate for candidate in chain((name,), numbered) if not is_taken(candidate))


def player_of(form: Form, timed: Form, taken: Collection[str] = ()) -> PlayerConfig:
    """Return the player of a form.

    Args:
        form: the chosen values.
        timed: the clock, which replaces that of the form.
        taken: names that a level without a given name must not get.

    Raises:
        OthelloError: a value is not valid.
    """
    kind, level = form["player_type"], _level(form)
    own = "" if level is None else own_name(form)
    name = form["name"].strip() or (own and free_name(own, taken.__contains__))
    if level is not None and kind.startswith(LEVEL):
        return opponent(level, name)
    options = own_options(kind)  # the form may have options of other types, too
    chosen = {option.name: _value(option, form[option.name]) for option in options if not _is_usual(option, form)}
    seconds = None if _is_usual(_LIMIT, form) else _value(_LIMIT, form[_LIMIT.name])
    if name:
        chosen |= {"name": name, "number": None}
    return player_registry.configure(kind, **{**chosen, **timed}, time_limit_seconds=seconds)


def players_of(forms: Sequence[Form], spec: GameSpec, timed: Form | None = None) -> list[PlayerConfig]:
    """Return the players of forms. Levels get different names.

    Raises:
        OthelloError: a form is not a valid player of this game, or two players have the same name.
    """
    given = [name for form in forms if (name := form["name"].strip())]
    players, taken = list[PlayerConfig](), set(given)
    for form in forms:
        players.append(player_of(fitted(dict(form), spec), timed or {}, taken))
        reason = player_registry.unsupported_reason(players[-1], spec)
        if reason is not None:
            raise ConfigError(reason)
        taken.add(players[-1].name)
    if len(set(given)) < len(given):
        raise ConfigError("same_name")
    return players


GAP: Final = 16
TALL: Final = 40
"""Height of a control below its label, in design pixels."""
OTHER: Final = "other"
"""The choice that lets a number be typed."""
_STEPS: Final = {"less": -1, "more": 1}
"""Labels of the buttons beside a number, and the amounts that they add."""
ANY_WIDTH: Final = 10_000.0
"""A width that is enough for every control."""


@dataclass
class ChosenRules:
    """The chosen game with its rules. The rules chosen for other games are remembered."""

    game: str
    options: dict[str, dict[str, Any]]  # the chosen rules, by game
    typed: dict[str, str] = field(default_factory=dict, kw_only=True)  # texts of typed numbers, by control

    def choose_rule(self, option: str, value: Any) -> None:
        """Set a rule to a value or to the text of a number. `OPTION.less` and `OPTION.more` change a number by 1."""
        known = {candidate.name: candidate for candidate in GAMES[self.game].options}
        option, _, step = option.partition(".")
        value = self.spec.number(option) + _STEPS[step] if step else value
        if not known[option].choices:
            self.typed[option] = str(value)
            if not self.has_number(option):
                return
            value = int(self.typed.pop(option))
        self.options[self.game] = _with_rule(self.game, self.options[self.game], option, value)
        optional = {name for name in known if known[name].is_optional}
        self.typed = {name: text for name, text in self.typed.items() if name not in optional}

    def has_number(self, option: str) -> bool:
        """Return whether the number typed for a rule is possible together with the other rules."""
        return parse_whole(self.typed[option], 0, 999) in numbers_of(self.spec, option)

    @property
    def has_valid_rules(self) -> bool:
        """True if all typed numbers are valid."""
        own = {option.name for option in GAMES[self.game].options} & self.typed.keys()
        return all(map(self.has_number, own))

    @property
    def spec(self) -> GameSpec:
        """The game with the chosen rules, or with its usual rules if they contradict each other."""
        with suppress(OthelloError):
            return game_spec(self.game, self.options[self.game])
        return game_spec(self.game)


def rules_by_game(spec: GameSpec) -> dict[str, dict[str, Any]]:
    """Return the chosen rules of each game: those of `spec` for its game, none for the others."""
    return {name: dict(spec.options) if name == spec.game else {} for name in GAMES}


def _with_rule(game: str, options: Form, option: str, value: Any) -> dict[str, Any]:
    """Return the rules of a game after one was changed. Rules that are derived from others are derived again."""
    known = {candidate.name: candidate for candidate in GAMES[game].options}
    kept = {
        name: choice for name, choice in options.items() if known[option].is_optional or not known[name].is_optional
    }
    return {**kept, option: value}


def numbers_of(spec: GameSpec, name: str) -> list[int]:
    """Return the numbers that a rule can have together with the other rules."""
    option = next(candidate for candidate in GAMES[spec.game].options if candidate.name == name)
    within = range(int(option.minimum or 0), int(option.maximum or 0) + 1)
    return [number for number in within if _is_possible(spec.game, option, number, dict(spec.options))]


def rule_choices(wanted: ChosenRules) -> list[tuple[str, ui.Widget]]:
    """Return labels and controls for the rules of a game. The controls are named `rules.OPTION`."""
    chosen, game = dict(wanted.spec.options), wanted.game
    found: list[tuple[str, ui.Widget]] = []
    for option in GAMES[game].options:
        values = (value for value in option.choices if _is_possible(game, option, value, chosen))
        words = tuple((value, labels.rule_choice(game, option.name, value)) for value in values)
        control = one_of(f"rules.{option.name}", words, chosen[option.name]) if words else _number(wanted, option.name)
        found.append((labels.rule_name(game, option.name), control))
    return found


def _number(wanted: ChosenRules, option: str) -> ui.Widget:
    """Return the field for the number of a rule, between buttons that change it by 1."""
    name, numbers, now = f"rules.{option}", numbers_of(wanted.spec, option), wanted.spec.number(option)
    hint = tr("new_game.range", minimum=numbers[0], maximum=numbers[-1])
    typed = wanted.typed.get(option)
    less, more = (
        ui.Button(sign, enabled=now + step in numbers, name=f"{name}.{word}", width=TALL, height=TALL)
        for (word, step), sign in zip(_STEPS.items(), "–+", strict=True)
    )
    text = str(now) if typed is None else typed
    field = ui.TextField(text, is_number=True, is_wrong=typed is not None, tip=hint, name=name, width=56, height=TALL)
    return ui.Row((less, field, more, ui.Label(hint, 12)), 8)


def _is_possible(game: str, option: Option, value: Any, chosen: Form) -> bool:
    """Return whether a value is possible together with the other rules."""
    with suppress(OthelloError):
        return bool(game_spec(game, _with_rule(game, chosen, option.name, value)))
    return False


def one_of(name: str, options: tuple[tuple[Any, str], ...], value: Any) -> ui.SegmentedControl:
    """Return a choice in as many rows as the labels need."""
    return ui.SegmentedControl(options, value, name=name, rows=0, cell=ui.Size(0, TALL))


def labelled(style: ui.Style, label: str, control: ui.Widget, remark: str = "") -> ui.Widget:
    """Return a control below its label, with a remark at the right end of the label's line if there is room."""
    muted = style.palette.muted
    parts = [ui.Label(label, 12, muted, bold=True)]
    if remark:
        parts.append(ui.Label((remark, ""), 11, muted, align="right", grow=True))
    return ui.Column((ui.Row(parts) if remark else parts[0], control), gap=3, grow=True)


def pairs(style: ui.Style, room: float, controls: Iterable[tuple[str, ui.Widget]]) -> ui.Widget:
    """Return controls below their labels, two in a row if both have room there."""
    half = (room - GAP) / 2 if room >= NARROW else 0.0
    lines: list[list[ui.Widget]] = [[]]
    free = ui.Spacer(grow=True)
    for label, control in controls:
        panel = labelled(style, label, control)
        alone = next((line for line in lines if free in line), None)
        if control.size(style, ANY_WIDTH).width > half:
            lines.append([panel])
        elif alone is not None:
            alone[1] = panel
        else:
            lines.append([panel, free])
    return ui.Column([ui.Row(line, GAP, "top") for line in lines[1:]], gap=11)


def games() -> tuple[tuple[str, str], ...]:
    """Return the names and titles of all games."""
    return tuple((name, labels.title(rules_of(game_spec(name)))) for name in GAMES)
