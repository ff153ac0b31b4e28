"""What players can be told beyond type, name and time limit: a control for every option, and the values it stands for.

All of it follows from what a player's configuration says of itself, so a further player's options need nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import OthelloError
from othello.gui.toolkit.button import HEIGHT
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.layout import Column, Row
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import RGB
from othello.gui.toolkit.switches import Check, Select, Slider
from othello.gui.toolkit.words import Label
from othello.players.registry import PLAYERS
from othello.schema import Option, first_fault, options_of
from othello.texts import say

_FEW: Final = (*range(21), 30, 50, 70, 100)
_MANY: Final = (*(round(base * 10**power) for power in range(1, 7) for base in (1, 1.5, 2, 3, 5, 7)), 10_000_000)
_OF_FORMS: Final = ("player_color", "name", "time_limit_seconds")  # have a place of their own
_USUAL: Final = ""  # in place of a value: whatever is usual
_CONTROL: Final = 156


def own_options(player_type: str) -> list[Option]:
    """What a form has a control for, in the order in which the type has them."""
    return [option for key, option in options_of(PLAYERS[player_type].config_type).items() if key not in _OF_FORMS]


def main_options(player_type: str) -> list[Option]:
    """Those that say how strong it is, which its card shows too: they have sliders."""
    return [option for option in own_options(player_type) if _has_slider(option)]


def further_options(player_type: str, shown: Iterable[Option]) -> list[Option]:
    """The others than those that are shown already."""
    keys = {option.name for option in shown}
    return [option for option in own_options(player_type) if option.name not in keys]


def _has_slider(option: Option) -> bool:
    return option.is_strength and option.kind is int and option.minimum is not None and option.maximum is not None


def entries_of(player: PlayerConfig) -> dict[str, Any]:
    """What a form says of a player's options; usual values are left out."""
    values = ((option, getattr(player, option.name)) for option in own_options(player.player_type))
    return {option.name: _entry(option, value) for option, value in values if value != option.default}


def _entry(option: Option, value: Any) -> Any:
    return str(value) if option.kind in (int, float) and not _has_slider(option) else value


def values_in(form: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the options that a form says something of; what is left of other types of player stays unread.

    Raises:
        OthelloError: one of them is not allowed.
    """
    options = own_options(form["player_type"])
    return {option.name: _value(option, form[option.name]) for option in options if not _is_usual(option, form)}


def _is_usual(option: Option, form: Mapping[str, Any]) -> bool:
    entry = form.get(option.name)
    return entry is None or entry == _USUAL or entry == _nothing(option)


def _nothing(option: Option) -> int | None:
    """What stands for no value at the left end of a slider, None where there has to be one."""
    return 0 if option.is_optional and _has_slider(option) and option.minimum else None


def _value(option: Option, entry: Any) -> Any:
    try:
        value = option.kind(entry) if option.kind in (int, float) else entry
    except ValueError:
        raise OthelloError(_fault(option)) from None
    if first_fault(value, option.schema) is not None:
        raise OthelloError(_fault(option))
    return value


def _fault(option: Option) -> str:
    if option.minimum is None or option.maximum is None:
        return say("new_game.no_value", option=title(option.name))
    return say("new_game.no_amount", option=title(option.name), least=f"{option.minimum:g}", most=f"{option.maximum:g}")


def _is_wrong(option: Option, form: Mapping[str, Any]) -> bool:
    try:
        return not _is_usual(option, form) and _value(option, form[option.name]) is None
    except OthelloError:
        return True


def title(key: str) -> str:
    """What an option is called."""
    return say(f"new_game.options.{key}", key.replace("_", " ").capitalize())


def slider(name: str, option: Option, form: Mapping[str, Any]) -> Panel:
    """The slider of an option; its value is written to the right."""
    value = form.get(option.name)
    value = option.default if value is None else value
    is_unset = value is None or value == _nothing(option)
    shown = _unset(option) if is_unset else f"{value:,}".replace(",", " ")
    values = _steps(option)
    control = Slider(values, value or values[0], name=f"{name}.{option.name}", grow=1)
    return Row((control, Label(shown, 12, align="right", width=68)), grow=1)


def _steps(option: Option) -> tuple[int, ...]:
    """What a slider offers."""
    assert option.minimum is not None
    assert option.maximum is not None
    offered = _FEW if option.maximum <= _FEW[-1] else _MANY
    values = tuple(value for value in offered if option.minimum <= value <= option.maximum)
    nothing = _nothing(option)
    return (*(() if nothing is None else (nothing,)), *(values or (int(option.minimum), int(option.maximum))))


def option_rows(name: str, options: Iterable[Option], form: Mapping[str, Any], muted: RGB) -> Panel:
    """Options below each other, each with its control to the right."""
    rows = [
        Row((Label(title(each.name), 12, muted, grow=1), _control(f"{name}.{each.name}", each, form)))
        for each in options
    ]
    return Column(rows, grow=1)


def _control(name: str, option: Option, form: Mapping[str, Any]) -> Panel:
    entry = form.get(option.name)
    either = ((True, say("new_game.yes")), (False, say("new_game.no")))
    if option.choices or (option.kind is bool and option.is_optional):
        choices = tuple((value, choice(option.name, value)) for value in option.choices) or either
        choices = (((_USUAL, _unset(option)),) if option.is_optional else ()) + choices
        usual = _USUAL if option.is_optional else option.default
        return Select(choices, usual if entry is None else entry, name=name, width=_CONTROL)
    if option.kind is bool:
        value = option.default if entry is None else entry
        return Check(value=value, name=name, width=_CONTROL, height=HEIGHT)
    text = _USUAL if entry is None else str(entry)
    usual = f"{option.default:g}" if isinstance(option.default, int | float) else _unset(option)
    is_number = (option.minimum or 0) >= 0 and option.kind in (int, float)
    return Field(text, usual, is_number, _is_wrong(option, form), name=name, width=_CONTROL)


def _unset(option: Option) -> str:
    """What happens where nobody says anything of an option that has no usual value."""
    return say(f"new_game.unset.{option.name}", "–")


def choice(key: str, value: object) -> str:
    """What one of the values of an option is called."""
    return say(f"new_game.choices.{key}.{value}", str(value).replace("_", " "))
