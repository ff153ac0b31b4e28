"""A program as a process: lines in, lines out, within bounds; it ends when nobody needs it, with all its children."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Final

from othello.child_process import program_environment
from othello.errors import ProgramError, Reason, reason_of
from othello.programs.registered import Program, which

_log = logging.getLogger("talk with programs")
LONGEST_LINE: Final = 1 << 16
_MOST_WAITING: Final = 1000  # lines that nobody has read yet: then the program waits
_LAST_WORDS: Final = 5
_KILL_SECONDS: Final = 3.0
_END_SECONDS: Final = 0.3  # from the end of what a program says to its own
_NAP: Final = 0.05
_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
_BARE: Final = sys.platform == "win32"  # no launcher: there are neither process groups nor pipes to hand on


class Child:
    """A running program."""

    def __init__(self, program: Program) -> None:
        """Start it; ProgramError where it is not there."""
        self.program = program
        self._lines: Queue[str | Reason] = Queue(_MOST_WAITING)
        self._complaints: deque[str] = deque(maxlen=_LAST_WORDS)
        self.first_words = ""  # the first line that is not empty
        self._is_closed = False
        self._lifeline: int | None = None
        self._process = self._start(program)
        for name, work in (("program-says", self._listen), ("program-complains", self._hear_complaints)):
            threading.Thread(target=work, name=name, daemon=True).start()

    def _start(self, program: Program) -> subprocess.Popen[bytes]:
        environment = {**program_environment(), **dict(program.environment)}
        folder = None if program.folder is None else Path(program.folder).expanduser()
        command, *arguments = program.command
        has_folder = Path(command).name != command
        named = (folder or Path()) / Path(command).expanduser() if has_folder else command
        found = which(named, environment.get("PATH"))
        if found is None:
            raise ProgramError("program_missing", command=command)
        found = str(Path(found).absolute())
        if folder is None and has_folder:  # a program finds its files beside itself
            folder = Path(found).parent
        launched, inherited, pipe = [found, *arguments], list[int](), subprocess.PIPE
        try:
            if not _BARE:
                reader, self._lifeline = os.pipe()
                inherited.append(reader)
                how = ["--launcher"] if hasattr(sys, "frozen") else ["-I", "-S", str(_LAUNCHER)]
                launched = [sys.executable, *how, str(reader), str(program.megabytes or 0), *launched]
            return subprocess.Popen(
                launched,
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=folder,
                env=environment,
                pass_fds=inherited,
                start_new_session=not _BARE,
            )
        except (OSError, ValueError) as error:
            self._let_go()
            raise ProgramError("program_not_started", command=command, reason=reason_of(error)) from None
        finally:
            for descriptor in inherited:
                os.close(descriptor)

    # What the program says.

    def line(self, seconds: float) -> str | None:
        """The next line, waited for at most this long; ProgramError where the program has ended, or floods us."""
        try:
            found = self._lines.get(timeout=seconds) if seconds > 0 else self._lines.get_nowait()
        except Empty:
            return None
        if isinstance(found, Reason):
            self._put(found)  # for whoever asks again
            raise ProgramError(found)
        _log.debug("%s > %s", self.program.name, found)
        return found

    def say(self, lines: list[str]) -> None:
        """Tell the program something; ProgramError where it does not listen."""
        for line in lines:
            _log.debug("%s < %s", self.program.name, line)
        data = "".join(f"{line}\n" for line in lines).encode()
        assert self._process.stdin is not None
        try:
            if not _BARE:
                os.set_blocking(self._process.stdin.fileno(), False)
            written = self._process.stdin.write(data) if data else 0
        except (OSError, ValueError):
            return  # it has ended: what it said before is still worth hearing, and `line` tells the end
        if written != len(data):
            raise ProgramError("program_deaf", heard=self.last_words)

    @property
    def last_words(self) -> Reason | None:
        """What the program wrote last to its standard error, None where it wrote nothing."""
        words = list(self._complaints)[-2:]
        return Reason("program_heard", {"heard": " / ".join(words)}) if words else None

    def _listen(self) -> None:
        """Take lines until there are no more, in a thread of its own."""
        stream = self._process.stdout
        assert stream is not None
        rest = b""
        with stream:
            while data := stream.read(LONGEST_LINE):
                *lines, rest = (rest + data).split(b"\n")
                for line in (*lines, rest):
                    if len(line) > LONGEST_LINE:
                        heard = line[:60].decode("ascii", "replace")
                        self._put(Reason("program_floods", {"most": LONGEST_LINE, "heard": heard}))
                        return
                for line in lines:
                    self._put(line.rstrip(b"\r").decode(errors="replace"))
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(self._end())

    def _put(self, found: str | Reason) -> None:
        """Keep a line until somebody reads it; the program waits meanwhile."""
        if not self.first_words and isinstance(found, str):
            self.first_words = found.strip()
        while not self._is_closed:
            with suppress(Full):
                self._lines.put(found, timeout=_NAP)
                return

    def _end(self) -> Reason:
        """How the program has ended, or that it says nothing more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        status = self._process.poll()
        time.sleep(0 if self._complaints else _NAP)  # the other thread may be a moment later
        parts = {"status": status, "heard": self.last_words}
        return Reason("program_silenced" if status is None else "program_ended", parts)

    def _hear_complaints(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        rest = b""
        with stream:
            while data := stream.read(4096):
                *lines, rest = (rest + data).split(b"\n")
                self._complaints.extend(line.decode(errors="replace").strip() for line in lines if line.strip())
                rest = rest[:4096]

    # What becomes of it.

    def hold(self, is_held: bool) -> None:
        """Have the program and its children stand still, or go on, where the system can."""
        if self._lifeline is not None:
            with suppress(OSError):
                os.write(self._lifeline, b"s" if is_held else b"c")

    @property
    def cpu_seconds(self) -> float:
        """The processor time that the program has taken so far, its children that have ended included."""
        ticks = 0
        for process in _children(self._process.pid):
            with suppress(OSError, ValueError, IndexError):
                words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, words[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0

    def close(self, seconds: float = 0.0) -> None:
        """End the program and all that it has begun; before, it may end by itself. Closing twice is fine."""
        if self._is_closed:
            return
        self._is_closed = True
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._let_go()
        if _BARE:
            with suppress(OSError):
                # By its path: Windows looks for a bare name in the current folder first.
                kill = f"{os.environ.get('SYSTEMROOT', 'C:/Windows')}/System32/taskkill.exe"
                subprocess.run([kill, "/F", "/T", "/PID", str(self._process.pid)], capture_output=True, check=False)
        try:
            self._process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _let_go(self) -> None:
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)


def _children(process: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
