"""The window: the only package that imports pygame."""

import os
import sys

# Read when pygame is imported or its display opened: no greeting on stdout, real pixels on Windows.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
if sys.platform == "linux":
    # The picture goes to the display as it is, not through OpenGL, which takes 0.1 s more to start and, where no
    # graphics card helps, 4 ms more a frame.
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
