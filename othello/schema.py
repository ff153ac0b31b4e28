"""A document against config-schema.json: the first fault, in words that help."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any, Final

from othello.errors import legible
from othello.resources import schema_path
from othello.strict_json import join

_TYPES: Final = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_LONGEST_SHOWN: Final = 45
_MOST_FAULTS: Final = 1000  # that are looked through for the one that helps most


@cache
def load_schema() -> Any:
    """The schema as a document."""
    return json.loads(schema_path().read_text(encoding="utf-8"))


def first_fault(document: Any) -> str | None:
    """Place, fault and what is allowed instead, in one line; None where the document is valid."""
    from jsonschema import Draft202012Validator  # here, for a program that is only asked for --help

    faults = list(islice(Draft202012Validator(load_schema()).iter_errors(document), _MOST_FAULTS))
    if not faults:
        return None
    # A misspelt key is missing under its right name too: the misspelling is what helps.
    worst = min(faults, key=lambda fault: (fault.validator != "additionalProperties", fault.validator == "required"))
    place = ""
    for key in worst.absolute_path:
        place = join(place, key)
    return _explain(place, worst.validator, worst.validator_value, worst.instance, worst.schema)


def nearest(word: object, words: Iterable[str]) -> str:
    """`; did you mean ...?` where one of `words` is close, nothing otherwise."""
    if not isinstance(word, str) or len(word) > _LONGEST_SHOWN:
        return ""
    close = difflib.get_close_matches(word.lower(), list(words), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def shown(value: Any) -> str:
    """A value as the file has it, short enough for one line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return legible(json.dumps(value, ensure_ascii=False), _LONGEST_SHOWN)


def _explain(place: str, rule: str, limit: Any, value: Any, schema: dict[str, Any]) -> str:
    """One broken rule of the schema in words."""
    prefix = f"{place}: " if place else ""
    match rule:
        case "additionalProperties":
            known = schema["properties"]
            key = next(key for key in value if key not in known)
            hint = nearest(key, known) or f"; allowed: {', '.join(known)}"
            return f"{join(place, key)}: unknown key{hint}"
        case "required":
            missing = next(key for key in limit if key not in value)
            return f"{join(place, missing)}: is missing; needed: {_allowed(schema['properties'][missing])}"
        case "minItems" | "maxItems":
            return f"{prefix}{len(value)} given; allowed: {schema['minItems']} to {schema['maxItems']}"
        case _:
            subject = prefix or "the document "
            return f"{subject}is {shown(value)}; allowed: {_allowed(schema)}{nearest(value, _words(schema))}"


def _allowed(schema: dict[str, Any]) -> str:
    """What a value may be."""
    if "enum" in schema:
        return ", ".join(_words(schema))
    types = schema["type"]
    text = " or ".join(_TYPES[name] for name in ([types] if isinstance(types, str) else types))
    if "pattern" in schema:
        text = schema["title"]  # a pattern is no explanation
    if "exclusiveMinimum" in schema:
        return f"{text} above {schema['exclusiveMinimum']}, at most {schema['maximum']}"
    if "minimum" in schema:
        return f"{text} from {schema['minimum']} to {schema['maximum']}"
    if "minLength" in schema:
        return f"{text}, {schema['minLength']} to {schema['maxLength']} characters"
    if "minItems" in schema:
        return f"{text} of {schema['minItems']} to {schema['maxItems']} entries"
    return text


def _words(schema: dict[str, Any]) -> list[str]:
    """The words of which a value must be one; null, which stands for no value, is none of them."""
    return [word for word in schema.get("enum", []) if word is not None]
