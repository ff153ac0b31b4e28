"""Plays sounds, in a process of its own: `speaker.py FOLDER` reads lines such as `move 60` from standard input.

The mixer holds the interpreter while it opens the sound card, and a card that does not answer would hold up whoever
does that: here it is only this process, which then ends itself.
"""

import faulthandler
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_PATIENCE: Final = 5.0
_FORMAT: Final = (22_050, -16, 1)  # as the files have it
_BUFFER: Final = 512  # in samples: what is heard is so much late


def play(folder: Path, orders: Iterable[str]) -> None:
    """Play what is asked for until nothing more can come.

    Args:
        folder: of the files, `NAME.wav`.
        orders: names, each with a volume in per cent.

    Raises:
        pygame.error: there is no sound here.
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
    """See that this process is gone if it is still at it a while later, whatever holds the interpreter."""
    faulthandler.dump_traceback_later(_PATIENCE, exit=True)


if __name__ == "__main__":
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    play(Path(sys.argv[1]), sys.stdin)
