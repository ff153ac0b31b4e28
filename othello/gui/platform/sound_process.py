"""A process that plays sounds: `sound_process.py FOLDER` reads lines such as `move 60` from standard input.

The mixer holds the interpreter lock while it opens the sound card. A card that does not answer blocks only this
process, which then exits.
"""

import faulthandler
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_TIMEOUT_SECONDS: Final = 5.0
_FORMAT: Final = (22_050, -16, 1)  # of the sound files: samples per second, signed bits, channels
_BUFFER: Final = 512  # in samples; the latency of a sound


def play(folder: Path, orders: Iterable[str]) -> None:
    """Play sounds until the input ends.

    Args:
        folder: the folder of the files, `NAME.wav`.
        orders: lines with a name and a volume in per cent.

    Raises:
        pygame.error: the sound card cannot be opened.
    """
    _end_unless_done()
    import pygame

    pygame.mixer.init(*_FORMAT, _BUFFER)
    sounds = {path.stem: pygame.mixer.Sound(path) for path in folder.glob("*.wav")}
    for order in orders:
        name, volume = order.split()
        _end_unless_done()
        sounds[name].set_volume(int(volume) / 100)
        sounds[name].play()
        faulthandler.cancel_dump_traceback_later()


def _end_unless_done() -> None:
    """Exit the process unless it finishes within _TIMEOUT_SECONDS seconds, even if the interpreter is blocked."""
    faulthandler.dump_traceback_later(_TIMEOUT_SECONDS, exit=True)


if __name__ == "__main__":
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    play(Path(sys.argv[1]), sys.stdin)
