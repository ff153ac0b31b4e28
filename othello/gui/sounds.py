"""The sounds of the window, played by a separate process."""

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

SOUND_PROCESS: Final = Path(__file__).parent / "platform" / "sound_process.py"
_END_SECONDS: Final = 0.2


class Sound(Enum):
    """A sound; its value is the name of a file in `assets/sounds/`."""

    MOVE = "move"
    FLIP = "flip"
    PASS = "pass"
    END = "end"
    LOW_TIME = "low_time"


class Sounds:
    """Plays sounds in a process that starts with the first sound.

    If the sound card is missing, fails or hangs, no sound is played, and nothing else changes. Switching sound off and
    on tries again.

    Args:
        preferences: they switch sound on and set the volume.
    """

    def __init__(self, preferences: PreferencesFile) -> None:
        self._preferences = preferences
        self._speaker: subprocess.Popen[bytes] | None = None
        self._has_failed = False

    def play(self, sounds: Iterable[Sound]) -> None:
        """Start to play sounds, and return at once."""
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
        """Kill the process."""
        self._has_failed = False
        if self._speaker is None:
            return
        import subprocess

        self._speaker.kill()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._speaker.communicate(timeout=_END_SECONDS)
        self._speaker = None


def _begin() -> subprocess.Popen[bytes]:
    """Start the process that reads orders from its standard input, without a console on Windows."""
    import subprocess  # late, to open the window faster

    how = ["--speaker"] if hasattr(sys, "frozen") else ["-P", str(SOUND_PROCESS)]
    return subprocess.Popen(
        [sys.executable, *how, str(asset("sounds"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
