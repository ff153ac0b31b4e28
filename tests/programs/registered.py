"""Programs for tests, registered as users do it."""

import sys
from pathlib import Path
from typing import Any

from othello.config import PlayerConfig
from othello.players.player_registry import configure
from othello.programs.program_registry import Program, program_of, register

SCRIPT = Path(__file__).with_name("opponent.py")


def opponent(protocol: str, fault: str = "", **more: Any) -> Program:
    """Return a program that speaks a protocol, and makes a mistake. Its command is a path in its folder."""
    python = Path(sys.executable)
    command = (f"./{python.name}", "-I", "-S", str(SCRIPT), protocol, *filter(None, [fault]))
    return Program(f"{protocol} {fault}".strip(), command, protocol=protocol, folder=str(python.parent), **more)


def registered(protocol: str, fault: str = "", **more: Any) -> str:
    """Return the name of such a program, which is registered from now on."""
    program = opponent(protocol, fault, **more)
    register(program)
    return program.name


def external_player(protocol: str, fault: str = "", **more: Any) -> PlayerConfig:
    """Return the configuration of such a program as a player."""
    return configure("external", program=registered(protocol, fault, **more))


def registered_class(name: str) -> str:
    """Return the name of a class of `tests.programs.classes`, which is registered from now on."""
    register(program_of(name, {"class": f"classes:{name}", "folder": str(SCRIPT.parent)}))
    return name
