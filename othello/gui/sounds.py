"""What can be heard: names of sounds, and the process that plays them."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello.gui.preferences import PreferencesFile
from othello.resources import asset

if TYPE_CHECKING:
    import subprocess

_log = logging.getLogger(__name__)

_SPEAKER: Final = Path(__file__).with_name("speaker.py")
_END_SECONDS: Final = 0.2


class Sound(Enum):
    """Something that can be heard; its value is the name of a file in `assets/sounds/`."""

    MOVE = "move"
    FLIP = "flip"
    PASS = "pass"
    END = "end"
    LOW_TIME = "low_time"


class Sounds:
    """Plays sounds as loud as the person wants them, in a process that begins with the first.

    Without a sound card, or with one that fails or hangs, nothing is heard, and nothing else is different. Switching
    sound off and on tries again.

    Args:
        preferences: whether anything is to be heard, and how loud.
    """

    def __init__(self, preferences: PreferencesFile) -> None:
        self._preferences = preferences
        self._speaker: subprocess.Popen[bytes] | None = None
        self._has_failed = False

    def play(self, sounds: Iterable[Sound]) -> None:
        """Begin to play them, and do not wait."""
        wanted = self._preferences.value
        if not (wanted.sound and wanted.volume):
            self.close()
            return
        orders = "".join(f"{sound.value} {wanted.volume}\n" for sound in sounds).encode()
        if not orders or self._has_failed:
            return
        try:
            if self._speaker is None:
                self._speaker = _begin()
            assert self._speaker.stdin is not None
            self._speaker.stdin.write(orders)
        except OSError as error:
            _log.info("no sound: %s", error)
            self.close()
            self._has_failed = True

    def close(self) -> None:
        """End the process, whatever it does."""
        self._has_failed = False
        if self._speaker is None:
            return
        import subprocess

        self._speaker.kill()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._speaker.wait(_END_SECONDS)
        with contextlib.suppress(OSError):
            self._speaker.communicate(timeout=_END_SECONDS)
        self._speaker = None


def _begin() -> subprocess.Popen[bytes]:
    """Start the process, which hears of nothing but what is written to it, and has no window even on Windows."""
    import subprocess  # here, as a window opens sooner without

    how = ["--speaker"] if hasattr(sys, "frozen") else ["-P", str(_SPEAKER)]
    return subprocess.Popen(
        [sys.executable, *how, str(asset("sounds"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
