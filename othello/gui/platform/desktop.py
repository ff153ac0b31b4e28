"""The desktop's setting for animations, which is read in a thread because some desktops answer slowly."""

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
    """Return whether the desktop allows animations; True until it has answered."""
    return _answer["animates"]


def ask() -> threading.Thread:
    """Read the setting in a new thread."""
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
    """Return the output of a command; empty if it fails or times out."""
    import subprocess  # late, to open the window faster

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
