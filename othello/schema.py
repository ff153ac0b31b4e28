"""Options of files as JSON Schema, and the first error of a document as a helpful message."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, MISSING, field, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from itertools import accumulate
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from othello.errors import OthelloError, Reason, printable
from othello.frozen_dataclass import FrozenDataclass
from othello.strict_json import join

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

Value: TypeAlias = bool | int | float | str | None
T = TypeVar("T")

_TYPE_NAMES: Final[Mapping[type, str]] = {bool: "boolean", int: "integer", float: "number"}
_MAX_SHOWN: Final = 45
_MAX_LIST: Final = 190  # characters, fewer than a part of a message may have
_ORDER: Final = {"additionalProperties": 0, "required": 2}  # priority of errors by rule, 1 for all others
_INDEX: Final = re.compile(r"\[\d+\]")
_SYNONYMS: Final[Mapping[str, str]] = {  # words of other programs and our word, without blanks
    **dict.fromkeys(("human", "person", "player", "me"), "user"),
    **dict.fromkeys(("minimax", "alphabeta", "negamax", "negascout", "pvs"), "heuristic"),
    **dict.fromkeys(("uct", "mcts", "montecarlo"), "mcts_uct"),
    **dict.fromkeys(("ucb1", "ucb1tuned"), "mcts_ucb1"),
    **dict.fromkeys(("computer", "ai", "cpu", "bot"), "engine"),
    **dict.fromkeys(("edax", "program", "gtp", "nboard"), "external"),
    **dict.fromkeys(("greedy",), "simple_heuristic"),
    **dict.fromkeys(("ttt", "noughtsandcrosses"), "tictactoe"),
    "reversi": "othello",
}


class Option(FrozenDataclass):
    """One value that can be set in a file, on the command line or in a dialog."""

    name: str
    description: str  # one or more sentences for the user
    # all allowed values, if they are few, with their meanings; may be empty if a value needs no explanation
    choices: Mapping[Value, str] = field(default_factory=dict)
    _: KW_ONLY
    default: Any = None  # the first choice if none is given
    kind: Any = str  # type of the value; a dataclass has options itself
    is_optional: bool = False
    is_required: bool = False  # has no default
    is_mapping: bool = False  # holds any number of values of `kind` by name
    minimum: float | None = None
    maximum: float | None = None
    words: Mapping[str, Any] = field(default_factory=dict)  # further keywords of JSON Schema
    is_personal: bool = False  # cannot be set for all players at once
    top_key: str = ""  # its key for all players at once, if different
    is_bound: bool = False  # its default is `maximum` for players with a time limit
    is_memory: bool = False  # names a file with what a player learned
    is_strength: bool = False  # shown beside the player's name

    def __post_init__(self) -> None:
        if self.default is None and self.choices and not self.is_optional:
            object.__setattr__(self, "default", next(iter(self.choices)))

    @property
    def shared_key(self) -> str:
        """The top-level key that sets this option for all players."""
        return self.top_key or self.name

    @property
    def schema(self) -> dict[str, Any]:
        meanings = (f"{value}: {meaning}." for value, meaning in self.choices.items() if meaning)
        limits = {"minimum": self.minimum, "maximum": self.maximum}
        bounds = {name: bound for name, bound in limits.items() if bound is not None}
        described = {"description": " ".join([self.description, *meanings]), **self.words}
        described |= {} if self.is_mapping else bounds
        if not self.is_required and self.default != "":
            described["default"] = {} if is_dataclass(self.default) else self.default
        if self.choices:
            return described | {"enum": [*self.choices, *([None] if self.is_optional else [])]}
        shape = object_schema(options_of(self.kind).values()) if is_dataclass(self.kind) else {}
        if self.is_mapping:
            part = shape or {"description": self.description, "type": _TYPE_NAMES[self.kind], **bounds}
            shape = {"type": "object", "additionalProperties": part}
        name = shape.get("type", _TYPE_NAMES.get(self.kind, "string"))
        return shape | described | {"type": [name, "null"] if self.is_optional else name}

    def read(self, value: Any) -> Any:
        """Convert a valid value to the declared type: JSON may have 1 for 1.0."""
        if self.is_mapping:
            return {name: read(self.kind, item) if isinstance(item, dict) else item for name, item in value.items()}
        if isinstance(value, dict):
            return read(self.kind, value)
        return self.kind[value.upper()] if issubclass(self.kind, Enum) else self.kind(value)


ABOVE_0: Final = {"exclusiveMinimum": 0}  # a value for `Option.words`


def up_to(longest: int, **more: str) -> dict[str, Any]:
    """Return `Option.words` for a text that is not empty and not too long."""
    return {"minLength": 1, "maxLength": longest, **more}


def option(
    default: Any, description: str, minimum: float | None = None, maximum: float | None = None, **more: Any
) -> Any:
    """Return a dataclass field that is an `Option`. The default ... means required; `more` are other attributes."""
    words = {"description": description, "minimum": minimum, "maximum": maximum, "is_required": default is ..., **more}
    return field(default=MISSING if default is ... else default, metadata=words)


def options_of(cls: Any) -> Mapping[str, Option]:
    """Return the fields of a dataclass that are options, by name."""
    return _options_of(cls)


@cache
def _options_of(cls: type) -> Mapping[str, Option]:
    hints = get_type_hints(cls)
    options = {}
    for part in fields(cls):
        if part.metadata:
            hint = hints[part.name]
            kinds = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
            options[part.name] = Option(
                name=part.name,
                default=None if part.default is MISSING else part.default,
                is_mapping=get_origin(kinds[0]) is Mapping,
                kind=get_args(kinds[0])[1] if get_origin(kinds[0]) is Mapping else kinds[0],
                is_optional=NoneType in kinds,
                **part.metadata,
            )
    return options


def read(cls: type[T], document: Mapping[str, Any], **more: Any) -> T:
    """Return the dataclass of a valid document, in which null means missing. `more` are fields that are not options."""
    options = options_of(cls)
    return cls(**{key: options[key].read(document[key]) for key in options if document.get(key) is not None}, **more)


def object_schema(options: Iterable[Option]) -> dict[str, Any]:
    options = list(options)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [option.name for option in options if option.is_required],
        "properties": {option.name: option.schema for option in options},
    }


def first_fault(document: Any, schema: Mapping[str, Any]) -> Reason | None:
    """Return the worst error of a document, with its place and what is allowed; None for a valid document."""
    # The library refuses lone surrogates, and reads numbers that are not finite as null.
    text = json.dumps(document, ensure_ascii=False).encode(errors="replace")
    faults = [*_validator(json.dumps(schema)).iter_errors(json.loads(text, parse_constant=str))]
    if not faults:
        return None
    # A misspelt key is also missing under its right name. The misspelling is the more helpful error.
    worst = min(faults, key=lambda fault: _ORDER.get(str(fault.schema_path[-1]), 1))
    place, value, part = "", document, dict[Any, Any](schema)
    for key in worst.instance_path:
        place, value = join(place, key), value[key]
    *path, rule = worst.schema_path
    for key in path:
        part = part[key]
    if rule != "additionalProperties":
        return _explain(place, str(rule), part[rule], value, part)
    key = next(key for key in value if key not in part["properties"])
    hint = Reason("belongs", {"place": home}) if (home := _home(key, schema, place)) else None
    known = sorted(part["properties"], key=lambda each: each not in part.get("required", ()))
    return _unknown(place, key, known, hint)


@lru_cache
def _validator(schema: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(schema)


def check(document: Any, schema: Mapping[str, Any], error: type[OthelloError]) -> None:
    """Raise an error of this type if a document is invalid."""
    fault = first_fault(document, schema)
    if fault is not None:
        raise error(fault)


def nearest(word: object, words: Iterable[str]) -> Reason | None:
    """Return `; did you mean ...?` if one of `words` is similar."""
    if not isinstance(word, str) or len(word) > _MAX_SHOWN:
        return None
    words = list(words)
    meant = _SYNONYMS.get(re.sub(r"[\s_-]", "", word.lower()))
    close = [meant] if meant in words else difflib.get_close_matches(word.lower(), words)
    return Reason("did_you_mean", {"word": close[0]}) if close else None


def shown(value: Any) -> str:
    """Return a value as JSON, shortened for one line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return printable(json.dumps(value, ensure_ascii=False), _MAX_SHOWN)


def wrong_number(place: str | Reason, given: int, schema: dict[str, Any]) -> Reason:
    """Return the error of a list that is shorter or longer than its schema allows."""
    counts = {"place": place, "given": given, "minimum": schema["minItems"], "maximum": schema["maxItems"]}
    return Reason("schema_number", counts)


def _unknown(place: str, key: str, known: Iterable[str], hint: Reason | None) -> Reason:
    hint = hint or nearest(key, known) or Reason("allowed", {"words": listing(known) or Reason("none")})
    return Reason("schema_unknown", {"place": join(place, key), "hint": hint})


def _home(key: str, schema: Mapping[str, Any], place: str) -> str | Reason | None:
    """Return the first other place of a document where a key is allowed, or None."""
    waiting = [("", schema)]
    for at, part in waiting:
        properties = part.get("properties", {})
        if key in properties and at != _INDEX.sub("[]", place):
            return at.replace("[]", "[…]") or Reason("top")
        waiting += [(join(at, name), inner) for name, inner in properties.items()]
        waiting += [(f"{at}[]", part["items"])] if "items" in part else []
        waiting += [(at, other["then"]) for other in part.get("allOf", ()) if "then" in other]
    return None


def listing(words: Iterable[str]) -> str:
    """Return words with commas. A long list ends with an ellipsis after a whole word."""
    words = list(words)
    lengths = accumulate(len(word) + 2 for word in words)
    shown = [word for word, length in zip(words, lengths, strict=True) if length < _MAX_LIST]
    return ", ".join([*shown, *(["…"] if len(shown) < len(words) else [])])


def _explain(place: str, rule: str, limit: Any, value: Any, schema: dict[str, Any]) -> Reason:
    at = place or Reason("document")
    match rule:
        case "required":
            missing = next(key for key in limit if key not in value)
            parts = {"place": join(place, missing), "needed": _allowed(schema["properties"][missing])}
            return Reason("schema_missing", parts)
        case "minItems" | "maxItems":
            return wrong_number(at, len(value), schema)
        case _:
            parts = {"place": at, "value": shown(value), "allowed": _allowed(schema)}
            return Reason("schema_value", {**parts, "hint": nearest(value, _words(schema))})


def _allowed(schema: dict[str, Any]) -> str | Reason:
    if "enum" in schema:
        return listing(_words(schema))
    types = schema["type"]
    if "pattern" in schema:
        text = Reason(schema["title"])  # a pattern is no explanation
    elif isinstance(types, str):
        text = Reason(f"type_{types}")
    else:
        one, other = (Reason(f"type_{name}") for name in types)
        text = Reason("either_type", {"one": one, "other": other})
    parts = {"reason": text, "maximum": schema.get("maximum")}
    if "exclusiveMinimum" in schema:
        return Reason("allowed_above", {**parts, "minimum": schema["exclusiveMinimum"]})
    if "minimum" in schema:
        return Reason("allowed_range", {**parts, "minimum": schema["minimum"]})
    for word in ("length", "items"):
        if f"min{word.title()}" in schema:
            minimum, maximum = schema[f"min{word.title()}"], schema[f"max{word.title()}"]
            return Reason(f"allowed_{word}", {"reason": text, "minimum": minimum, "maximum": maximum})
    return text


def _words(schema: dict[str, Any]) -> list[str]:
    """Return the allowed values as texts, without null."""
    return [str(word) for word in schema.get("enum", []) if word is not None]
