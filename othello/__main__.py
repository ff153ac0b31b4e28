"""`python -m othello`, and the command `othello`."""

import gc
import os
import sys

# New objects between two garbage collections: with Python's default of 700 they took a twentieth of the start, and
# modules are no garbage. The loop of the window collects more often.
_OBJECTS = 100_000


def start() -> int:
    """Run the command line, and return the exit status: 130 also if Ctrl-C comes before the command line handles it."""
    _leave_current_folder()
    gc.set_threshold(_OBJECTS)
    # numpy would begin threads for large matrices as it is loaded, a fifth of the time that it takes, at every start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from othello.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


def _leave_current_folder() -> None:
    """Remove the folder that `python -m` puts first on the import path, unless this package lies there."""
    is_here = __file__.startswith(f"{sys.path[0]}{os.sep}othello{os.sep}")
    if __name__ == "__main__" and not sys.flags.safe_path and not is_here:
        del sys.path[0]


if __name__ == "__main__":
    raise SystemExit(start())
