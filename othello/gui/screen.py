"""A screen: a mode or a dialog. A screen declares its panels and carries out the commands that are for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


class Pass(Enum):
    """What a screen answers to a command that is for somebody else."""

    PASS = "pass"


PASS: Final = Pass.PASS
Answer: TypeAlias = "object | Pass | None"
"""What follows from a command: another command, nothing, or PASS where the command is for somebody else."""

_MARK: Final = "_handles"


def handles(*commands: type) -> Callable[[Method], Method]:
    """Mark a method as what carries out commands of these types: it takes the command and the current time."""

    def mark(method: Method) -> Method:
        setattr(method, _MARK, commands)
        return method

    return mark


class Screen:
    """Something that commands find by their types."""

    _handlers: ClassVar[Mapping[type, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {each: name for name, member in vars(cls).items() for each in getattr(member, _MARK, ())}
        cls._handlers = {**cls._handlers, **own}

    def take(self, command: object, now: float) -> Answer:
        """Carry a command out."""
        name = self._handlers.get(type(command))
        return PASS if name is None else getattr(self, name)(command, now)
