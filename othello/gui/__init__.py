"""The window: the only part that knows pygame."""

import os

# Both are read when pygame is imported or its display opened: no greeting on stdout, real pixels on Windows.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
