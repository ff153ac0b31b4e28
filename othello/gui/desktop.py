"""Whether the desktop wants things to move. Its settings are asked on the side: some take a while to answer."""

import ctypes
import os
import re
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_SECONDS: Final = 2.0
_SPI_GETCLIENTAREAANIMATION: Final = 0x1042
_GNOME: Final = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")
_MAC: Final = ("defaults", "read", "com.apple.universalaccess", "reduceMotion")
_answer: Final = {"animates": True}


def animates() -> bool:
    """Whether things may move, as far as the desktop has said so; they may until it says something else."""
    return _answer["animates"]


def ask() -> threading.Thread:
    """Ask the desktop, in a thread of its own."""
    thread = threading.Thread(target=lambda: _answer.update(animates=_asked()), daemon=True)
    thread.start()
    return thread


def _asked() -> bool:
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _said(_MAC) != "1"
    if "KDE" in os.environ.get("XDG_CURRENT_DESKTOP", ""):
        return _kde()
    return _said(_GNOME) != "false"


def _said(command: tuple[str, ...]) -> str:
    """What a command prints, empty where there is no such command, or no answer."""
    import subprocess  # here, as a window opens sooner without

    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        return done.stdout.strip()
    return ""


def _kde() -> bool:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    with suppress(OSError, RuntimeError, ValueError):
        settings = (folder / "kdeglobals").read_text(encoding="utf-8")
        return re.search(r"^AnimationDurationFactor=0*\.?0*$", settings, re.MULTILINE) is None
    return True


def _windows() -> bool:
    is_on = ctypes.c_int(1)
    library: Any = ctypes
    with suppress(AttributeError, OSError):
        library.windll.user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(is_on), 0)
    return bool(is_on.value)
