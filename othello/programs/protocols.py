"""The protocols that programs speak, by their names in files."""

from collections.abc import Mapping
from typing import Final

from othello.programs.dialogue import Dialogue
from othello.programs.gtp import Gtp
from othello.programs.json_lines import JsonLines
from othello.programs.nboard import NBoard

DIALOGUES: Final[Mapping[str, type[Dialogue]]] = {"gtp": Gtp, "nboard": NBoard, "json": JsonLines}
