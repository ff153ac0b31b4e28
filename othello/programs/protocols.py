"""The protocols that programs speak, by their names in files."""

from collections.abc import Mapping
from typing import Final

from othello.programs.engine_protocol import EngineProtocol
from othello.programs.gtp_protocol import GtpProtocol
from othello.programs.json_lines import JsonLinesProtocol
from othello.programs.nboard_protocol import NBoardProtocol

DIALOGUES: Final[Mapping[str, type[EngineProtocol]]] = {
    "gtp": GtpProtocol,
    "nboard": NBoardProtocol,
    "json": JsonLinesProtocol,
}
