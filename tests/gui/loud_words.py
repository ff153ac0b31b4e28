"""A catalogue of texts in capital letters: sentences in other letters come from elsewhere."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Formatter

import pytest

from othello import texts
from othello.gui.toolbar import button_in
from othello.texts import Text

_SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]+ [a-z]{2,}\b")
_QUOTED = re.compile(r"\b\w+Error: .*")  # what Python says of a fault in the program stays in its words


@contextmanager
def loud_polish() -> Iterator[None]:
    """Write Polish in capital letters."""
    loud = {name: _loud(text) for name, text in texts.catalogue("pl").items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "catalogue", lambda _: loud)
        button_in.cache_clear()
        yield
    button_in.cache_clear()


def foreign_words(drawn: Iterable[str], folder: Path) -> list[str]:
    """Return the drawn texts that did not come from the catalogue; paths in a folder do not count."""
    return [text for text in drawn if _SENTENCE.search(_QUOTED.sub("", text.replace(str(folder), "")))]


def _loud(text: Text) -> Text:
    if isinstance(text, dict):
        return {form: str(_loud(each)) for form, each in text.items()}
    parts = Formatter().parse(text)
    return "".join(
        words.upper() + ("" if name is None else f"{{{name}{':' + spec if spec else ''}}}")
        for words, name, spec, _ in parts
    )
