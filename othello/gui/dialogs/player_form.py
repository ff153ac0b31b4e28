"""Forms for games and players: a control for each rule and each option, the players that forms describe, their file."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from othello import texts
from othello.config import PlayerConfig
from othello.config_file import config_of, entry_of
from othello.errors import ConfigError, OthelloError, Reason
from othello.gui import labels, ui
from othello.gui.dialogs.dialog import NARROW, failure
from othello.numbers import parse_whole
from othello.play import commands as play
from othello.play.session import Session
from othello.players import registry
from othello.players.levels import COUNT, opponent
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, first_fault, options_of
from othello.strict_json import read as read_json
from othello.texts import tr
from othello.writing import write_text

_FEW: Final = (*range(21), 30, 50, 70, 100)
_MANY: Final = (*(round(base * 10**power) for power in range(1, 7) for base in (1, 1.5, 2, 3, 5, 7)), 10_000_000)
Form: TypeAlias = Mapping[str, Any]
"""The values of a player's controls, by the names of the options; what is typed is text."""
LEVEL: Final = "level."
"""Before the number of a level, where another player has its type."""
_LIMIT: Final = options_of(PlayerConfig)["time_limit_seconds"]
_OF_FORMS: Final = ("player_color", "name", "time_limit_seconds", "program")  # have a place of their own
_USUAL: Final = ""  # in place of a value: whatever is usual
_CONTROL: Final = 156


def own_options(kind: str) -> list[Option]:
    """What a form has a control for, in the order in which the kind of player has them."""
    return [option for key, option in options_of(registry.type_of(kind).config_type).items() if key not in _OF_FORMS]


def main_options(form: Form) -> list[Option]:
    """Those that say how strong it is, which its card shows too: they have sliders. A level needs no others."""
    sliders = [option for option in own_options(form["player_type"]) if _has_slider(option)]
    return sliders if _level(form) is None else [option for option in sliders if option.name == "level"]


def is_measured(player: PlayerConfig) -> bool:
    """Return whether a player's speed is measured. Programs are not started just for that."""
    return player.kind == player.player_type and not player.is_user


class MoveTimes:
    """Time that registry.computers need for a move on this machine, measured by short trials."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tried: tuple[PlayerConfig, GameSpec] | None = None

    def next_trial(self, players: Iterable[PlayerConfig], spec: GameSpec) -> play.MeasureMoveTime | None:
        """Return the command that measures the first player without a result, or None."""
        analysis = self._session.analysis
        wanted = ((each, spec) for each in players if is_measured(each))
        trial = None if analysis is None else next((each for each in wanted if each not in analysis.trials), None)
        if trial is None or trial == self._tried:
            return None
        self._tried = trial
        return play.MeasureMoveTime(*trial)

    def seconds(self, player: PlayerConfig, spec: GameSpec) -> float | None:
        """Return the time that a player needs for a move, in seconds, or None if the time is not known."""
        report = None if self._session.analysis is None else self._session.analysis.trials.get((player, spec))
        if report is None:
            return None if player.is_user or is_measured(player) else player.time_limit_seconds
        wanted = getattr(player, "simulation_count", None) or report.simulations
        seconds = report.seconds * (wanted / report.simulations if report.simulations else 1)
        return min(seconds, player.time_limit_seconds or seconds)


def more_options(form: Form, shown: Collection[Option]) -> list[Option]:
    """Return the options of a form that are not shown already. A level has no other sliders."""
    main, own = main_options(form), own_options(form["player_type"])
    return [option for option in own if option not in shown and (option in main or not _has_slider(option))]


def _has_slider(option: Option) -> bool:
    return option.is_strength and option.kind is int and option.minimum is not None and option.maximum is not None


def _is_usual(option: Option, form: Form) -> bool:
    entry = form.get(option.name)
    return entry is None or entry == _USUAL or entry == _nothing(option)


def _nothing(option: Option) -> int | None:
    """What stands for no value at the left end of a slider, None where there has to be one."""
    return 0 if option.is_optional and _has_slider(option) and option.minimum else None


def _value(option: Option, entry: Any) -> Any:
    """The value of an option that was chosen or typed.

    Raises:
        OthelloError: there is no such value.
    """
    is_typed = isinstance(entry, str) and option.kind in (int, float)
    value = texts.number_of(entry) if is_typed else entry
    if isinstance(value, float) and option.kind is int and value.is_integer():
        value = int(value)
    if (value is not None or not is_typed) and first_fault(value, option.schema) is None:
        return value
    least = option.schema.get("exclusiveMinimum", option.minimum)
    if least is None or option.maximum is None:
        raise OthelloError(tr("new_game.no_value", option=title(option.name)))
    kind = "count" if option.kind is int else "amount" if option.minimum is not None else "share"
    form = "" if option.kind is int else "g"  # all digits of a large one
    least, most = texts.number(least, form), texts.number(option.maximum, form)
    raise OthelloError(tr(f"new_game.wrong.{kind}", option=title(option.name), least=least, most=most))


def _fault(option: Option, form: Form) -> str:
    """Return why the text typed for an option is not valid, or an empty string."""
    reason = None if _is_usual(option, form) else failure(partial(_value, option, form[option.name]))
    return "" if reason is None else reason.sentence()


def title(key: str) -> str:
    """What an option is called."""
    return tr(f"new_game.options.{key}", key.replace("_", " ").capitalize())


def slider(name: str, option: Option, form: Form) -> ui.Widget:
    """The slider of an option; its value is written to the right."""
    value, values = form.get(option.name), _steps(option)
    value = option.default if value is None else value
    is_unset = value is None or value == _nothing(option)
    shown = _unset(option) if is_unset else f"{value:,}".replace(",", " ")
    control = ui.Slider(values, value or values[0], called=title(option.name), name=f"{name}.{option.name}", grow=1)
    return ui.Row((control, ui.Label(shown, 12, align="right", width=68)), grow=1)


def _steps(option: Option) -> tuple[int, ...]:
    """What a slider offers."""
    nothing, least, most = _nothing(option), int(option.minimum or 0), int(option.maximum or 0)
    values = [value for value in (_FEW if most <= _FEW[-1] else _MANY) if least <= value <= most]
    return (*(() if nothing is None else (nothing,)), *(values or (least, most)))


def option_rows(name: str, options: Iterable[Option], form: Form, muted: ui.RGB) -> ui.Widget:
    """Options below each other, each with its control to the right."""
    labels = ((each, ui.Label(title(each.name), 12, muted, grow=1)) for each in options)
    return ui.Column([ui.Row((label, _control(f"{name}.{each.name}", each, form))) for each, label in labels], grow=1)


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
    most = option.schema.get("maxLength", 60)
    return ui.TextField(text, usual, is_number, bool(fault), most, tip=fault, name=name, width=_CONTROL)


def _unset(option: Option) -> str:
    """What happens where nobody says anything of an option that has no usual value."""
    return tr(f"new_game.unset.{option.name}", "–")


def choice(key: str, value: object) -> str:
    """What one of the values of an option is called."""
    return tr(f"new_game.choices.{key}.{value}", str(value).replace("_", " "))


_LABEL: Final = 96
_PLAYER: Final = 272


def player_card(style: ui.Style, room: float, name: str, form: Form, spec: GameSpec, *, has_details: bool) -> ui.Widget:
    """Return the controls for any computer player."""
    kind, muted, is_narrow = form["player_type"], style.palette.muted, room < NARROW
    known = offered(kind, spec, has_details=has_details)

    def label(words: str) -> ui.Label:
        return ui.Label(words, 12, muted, width=_LABEL)

    details = tuple(
        (tr(f"player_notes.{registry.type_of(each).player_type}", ""), _strength(each, spec)) for each, _ in known
    )
    place: dict[str, Any] = {"grow": 1} if is_narrow else {"width": _PLAYER}
    who = ui.Select(known, kind, details=details, name=f"{name}.type", tip=_about(kind, "player_tips"), **place)
    first: list[ui.Widget] = [label(tr("new_game.player")), who]
    limit: list[ui.Widget] = [label(title(_LIMIT.name)), time_limit(name, form, 112)]
    main = main_options(form)
    options = [ui.Row((label(title(option.name)), slider(name, option, form)), 0, grow=1) for option in main]
    rows: list[ui.Widget] = [ui.Row(first, 0), ui.Row(limit, 0), *options]
    if not is_narrow:
        rows = [ui.Row((*first, ui.Spacer(width=40), *limit), 0), *([ui.Row(options, 40)] if options else [])]
    if form.get("more", False):
        others = more_options(form, main)
        rows.append(ui.Row((label(tr("new_game.name")), name_field(name, form, grow=1)), 0))
        rows.append(option_columns(style, room, name, others, form))
    return ui.Card(ui.Column(rows, 16), (16, 16), style.palette.raised)


def _strength(kind: str, spec: GameSpec) -> str:
    """How strong a kind of player was found to be as it usually plays."""
    player = registry.configure_for(kind, spec)
    if player.player_type == _LEVEL_FORM["player_type"]:
        return tr("new_game.all_levels", last=COUNT)
    place, count = labels.measured_place(player, spec), player.strength if player.kind == player.player_type else {}
    words = (tr(f"player_options.{key}", f"{key} {n}", n=n, count=labels.count(n)) for key, n in count.items())
    return " · ".join((place or tr("new_game.not_measured"), *words))


def option_columns(style: ui.Style, room: float, name: str, options: Sequence[Option], form: Form) -> ui.Widget:
    """Return options with their controls, in two columns if there is room."""
    half = -(-len(options) // 2)
    parts = [options] if room < NARROW else [options[:half], options[half:]]
    return ui.Row([option_rows(name, part, form, style.palette.muted) for part in parts], GAP, "top")


def _about(kind: str, texts: str) -> str:
    """Return the description of a kind of player in a section of the texts."""
    return tr(f"{texts}.{registry.type_of(kind).player_type}", "")


def link(name: str, words: str) -> ui.Button:
    """A button that is only words."""
    return ui.Button(words, kind="link", name=name, height=28)


def name_field(name: str, form: Form, **place: Any) -> ui.TextField:
    """The field for what a player is called."""
    most = options_of(PlayerConfig)["name"].schema["maxLength"]
    called = tr("spoken.player_name")
    return ui.TextField(form["name"], own_name(form), max_length=most, called=called, name=f"{name}.name", **place)


def time_limit(name: str, form: Form, width: float) -> ui.TextField:
    """The field for how many seconds a move may take."""
    text, fault, called = form[_LIMIT.name], _fault(_LIMIT, form), title(_LIMIT.name)
    where = f"{name}.{_LIMIT.name}"
    return ui.TextField(
        text, tr("new_game.no_limit"), True, bool(fault), called=called, tip=fault, name=where, width=width
    )


def save(path: Path, parts: Form) -> None:
    """Write a game as keys of a config file; whatever else is in the file stays, but for the rules of another game.

    Raises:
        OthelloError: what is there cannot be read or does not go with them, or the file cannot be written.
    """
    existing = read_json(path) if path.exists() else {}
    kept = existing if isinstance(existing, dict) else {}
    document = {**{key: value for key, value in kept.items() if key != "rules"}, **parts}
    try:
        config_of(document)
    except ConfigError as error:
        raise ConfigError("in_file", path=path, reason=error.reason) from None
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def parts_of(
    spec: GameSpec, players: Sequence[PlayerConfig], openings: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """A game, its players and its openings as keys of the config file."""
    usual = dict(game_spec(spec.game).options)
    rules = {name: value for name, value in spec.options if usual[name] != value}
    game: dict[str, Any] = {"game": spec.game, "rules": rules} if rules else {"game": spec.game}
    game |= {"openings": dict(openings)} if openings else {}
    return {**game, "players": [entry_of(player, has_files=True) for player in players]}


def offered(kind: str, spec: GameSpec | None = None, *, has_details: bool) -> tuple[tuple[str, str], ...]:
    """All registry.kinds of players, `kind` among them, with their titles; with details also the names that files have.

    spec: the game that registry.computers are offered for; None: all registry.kinds, users too.
    """
    known = registry.kinds() if spec is None else registry.computers(spec)
    if not (kind in known or kind.startswith(LEVEL)):
        known.append(kind)
    titles = ((each, registry.type_title(each)) for each in known)
    return tuple((each, f"{words} ({each})" if has_details and each != "user" else words) for each, words in titles)


_LEVEL_FORM: Final = {"player_type": "engine", "name": "", "time_limit_seconds": ""}
"""A form that says nothing but a level, without the level."""


def level_form(level: int = registry.USUAL_LEVEL) -> dict[str, Any]:
    """Return the form of a level."""
    return form_of(opponent(level, tr(f"levels.{level}")))


def fitted(form: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return a form with a level if its player needs one for the game."""
    if form.get("level") or form["player_type"].startswith(LEVEL):
        return form
    level = registry.configure_for(form["player_type"], spec).strength.get("level")
    return form if level is None else {**form, "level": level}


def fault_of(forms: Sequence[Form], spec: GameSpec) -> Reason | None:
    """Return why forms describe no players of a game, None if they do."""
    return failure(partial(players_of, forms, spec))


def form_of(player: PlayerConfig) -> dict[str, Any]:
    """What a form says of a player to begin with; usual values are left out. The name of a level is nobody's own."""
    limit = player.time_limit_seconds
    own = player.name.rstrip("0123456789").rstrip()  # the second player of a level is "Casual 2"
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
    return form.get("level") or None if "level" in options_of(registry.type_of(kind).config_type) else None


def own_name(form: Form) -> str:
    """What a player is called to whom nobody gives a name."""
    level = _level(form)
    return registry.type_title(form["player_type"]) if level is None else tr(f"levels.{level}")


def player_of(form: Form, timed: Form, taken: Collection[str] = ()) -> PlayerConfig:
    """The player that a form describes.

    Args:
        form: what was chosen.
        timed: a clock that wins over its own.
        taken: names that a level without one of its own may not have.

    Raises:
        OthelloError: there is no such player.
    """
    kind, level = form["player_type"], _level(form)
    own = "" if level is None else own_name(form)
    free = (each for each in (own, *(f"{own} {number}" for number in range(2, len(taken) + 3))) if each not in taken)
    name = form["name"].strip() or (own and next(free))
    if level is not None and kind.startswith(LEVEL):
        return opponent(level, name)
    options = own_options(kind)  # what is left of other types of player stays unread
    chosen = {option.name: _value(option, form[option.name]) for option in options if not _is_usual(option, form)}
    seconds = None if _is_usual(_LIMIT, form) else _value(_LIMIT, form[_LIMIT.name])
    if name:
        chosen |= {"name": name, "number": None}
    return registry.configure(kind, **{**chosen, **timed}, time_limit_seconds=seconds)


def players_of(forms: Sequence[Form], spec: GameSpec, timed: Form | None = None) -> list[PlayerConfig]:
    """The players that forms describe, each as `player_of` says, no two levels with one name.

    Raises:
        OthelloError: a form describes no player of this game, or two players have one name.
    """
    given = [name for form in forms if (name := form["name"].strip())]
    players, taken = list[PlayerConfig](), set(given)
    for form in forms:
        players.append(player_of(fitted(dict(form), spec), timed or {}, taken))
        reason = registry.refusal(players[-1], spec)
        if reason is not None:
            raise ConfigError(reason)
        taken.add(players[-1].name)
    if len(set(given)) < len(given):
        raise ConfigError("same_name")
    return players


GAP: Final = 16
TALL: Final = 40
"""Of a control below its label."""
OTHER: Final = "other"
"""Stands for a number that is typed."""
_STEPS: Final = {"less": -1, "more": 1}
"""The buttons beside a number, and what they add to the number."""
_ANY: Final = 10_000.0  # more room across than any control needs


@dataclass
class ChosenRules:
    """A choice that can be changed; what was chosen for a game is there again when the game is chosen again."""

    game: str  # its name
    options: dict[str, dict[str, Any]]  # the rules that were chosen, by game
    own: dict[str, str] = field(default_factory=dict, kw_only=True)  # numbers that are typed, by what they are for

    def choose_rule(self, option: str, value: Any) -> None:
        """Take one rule of the game, or the text of a number; `OPTION.less` and `OPTION.more` change one by 1."""
        known = {each.name: each for each in GAMES[self.game].options}
        option, _, step = option.partition(".")
        value = self.spec.number(option) + _STEPS[step] if step else value
        if not known[option].choices:
            self.own[option] = str(value)
            if not self.has_number(option):
                return
            value = int(self.own.pop(option))
        self.options[self.game] = _with_rule(self.game, self.options[self.game], option, value)
        self.own = {name: text for name, text in self.own.items() if name not in known or not known[name].is_optional}

    def has_number(self, option: str) -> bool:
        """Whether what is typed for a rule is a number that goes with the other rules."""
        return parse_whole(self.own[option], 0, 999) in numbers_of(self.spec, option)

    @property
    def has_sound_rules(self) -> bool:
        """Whether every number that is typed can be taken."""
        own = {option.name for option in GAMES[self.game].options} & self.own.keys()
        return all(map(self.has_number, own))

    @property
    def spec(self) -> GameSpec:
        """The game, by the rules that were chosen for it."""
        with suppress(OthelloError):  # what was chosen together may not go together
            return game_spec(self.game, self.options[self.game])
        return game_spec(self.game)


def _with_rule(game: str, options: Form, option: str, value: Any) -> dict[str, Any]:
    """Rules of a game after one of them was chosen; those that follow from the others then follow anew."""
    known = {each.name: each for each in GAMES[game].options}
    kept = {name: each for name, each in options.items() if known[option].is_optional or not known[name].is_optional}
    return {**kept, option: value}


def numbers_of(spec: GameSpec, name: str) -> list[int]:
    """What the number of a rule can be beside the other rules."""
    option = next(each for each in GAMES[spec.game].options if each.name == name)
    within = range(int(option.minimum or 0), int(option.maximum or 0) + 1)
    return [number for number in within if _goes(spec.game, option, number, dict(spec.options))]


def rule_choices(wanted: ChosenRules) -> list[tuple[str, ui.Widget]]:
    """What can be chosen of a game's rules, after its label; each control is called `rules.OPTION`."""
    chosen, game = dict(wanted.spec.options), wanted.game
    found: list[tuple[str, ui.Widget]] = []
    for option in GAMES[game].options:
        values = (value for value in option.choices if _goes(game, option, value, chosen))
        words = tuple((value, labels.rule_choice(game, option.name, value)) for value in values)
        control = one_of(f"rules.{option.name}", words, chosen[option.name]) if words else _number(wanted, option.name)
        found.append((labels.rule_name(game, option.name), control))
    return found


def _number(wanted: ChosenRules, option: str) -> ui.Widget:
    """The number of a rule, to be typed, or changed by 1."""
    name, numbers, now = f"rules.{option}", numbers_of(wanted.spec, option), wanted.spec.number(option)
    told = tr("new_game.range", least=numbers[0], most=numbers[-1])
    own = wanted.own.get(option)
    less, more = (
        ui.Button(sign, enabled=now + step in numbers, name=f"{name}.{word}", width=TALL, height=TALL)
        for (word, step), sign in zip(_STEPS.items(), "–+", strict=True)
    )
    text = str(now) if own is None else own
    field = ui.TextField(text, is_number=True, is_wrong=own is not None, tip=told, name=name, width=56, height=TALL)
    return ui.Row((less, field, more, ui.Label(told, 12)), 8)


def _goes(game: str, option: Option, value: Any, chosen: Form) -> bool:
    """Whether a value goes with the other rules."""
    with suppress(OthelloError):
        return bool(game_spec(game, _with_rule(game, chosen, option.name, value)))
    return False


def one_of(name: str, options: tuple[tuple[Any, str], ...], value: Any) -> ui.SegmentedControl:
    """One of a few, side by side on as many rows as the words need."""
    return ui.SegmentedControl(options, value, name=name, rows=0, cell=ui.Size(0, TALL))


def labelled(style: ui.Style, label: str, control: ui.Widget, remark: str = "") -> ui.Widget:
    """Return a control below its label, with a remark at the right end of the label's line if there is room."""
    muted = style.palette.muted
    parts = [ui.Label(label, 12, muted, bold=True)]
    if remark:
        parts.append(ui.Label((remark, ""), 11, muted, align="right", grow=1))
    return ui.Column((ui.Row(parts) if remark else parts[0], control), gap=3, grow=1)


def pairs(style: ui.Style, room: float, controls: Iterable[tuple[str, ui.Widget]]) -> ui.Widget:
    """Return controls below their labels, two in a row if both have room there."""
    half = (room - GAP) / 2 if room >= NARROW else 0.0
    lines: list[list[ui.Widget]] = [[]]
    free = ui.Spacer(grow=1)
    for label, control in controls:
        panel = labelled(style, label, control)
        alone = next((line for line in lines if free in line), None)
        if control.size(style, _ANY).width > half:
            lines.append([panel])
        elif alone is not None:
            alone[1] = panel
        else:
            lines.append([panel, free])
    return ui.Column([ui.Row(line, GAP, "top") for line in lines[1:]], gap=11)


def games() -> tuple[tuple[str, str], ...]:
    """All games, with their titles."""
    return tuple((name, labels.title(rules_of(game_spec(name)))) for name in GAMES)
