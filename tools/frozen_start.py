"""The entry point of the frozen program, also for the processes that it starts from its own executable."""

import multiprocessing
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    # The browser that shows a report must not load the program's libraries.
    if (before := os.environ.pop("LD_LIBRARY_PATH_ORIG", None)) is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)
    multiprocessing.freeze_support()  # in a worker process, this does not return
    if sys.argv[1:2] == ["--speaker"]:
        from othello.gui.platform import sound_process

        sound_process.play(Path(sys.argv[2]), sys.stdin)
        raise SystemExit
    if sys.platform != "win32" and sys.argv[1:2] == ["--launcher"]:
        from othello.programs import launcher

        raise SystemExit(launcher.main(sys.argv[2:]))
    if sys.argv[1:2] == ["--host"]:
        from othello.players import host

        del sys.argv[1]
        host.main()
        raise SystemExit
    from othello.__main__ import start

    raise SystemExit(start())
