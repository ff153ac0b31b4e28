"""An external program as a child process that reads and writes lines.

The size of lines and the number of unread lines are limited. The process ends with its parent, and its own children end
with it.
"""

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
from othello.programs.program_registry import Program, which

_log = logging.getLogger("talk with programs")
LONGEST_LINE: Final = 1 << 16  # bytes
_MAX_UNREAD_LINES: Final = 1000  # limit of unread lines; above it, the program's output is not read
_KEPT_ERROR_LINES: Final = 5
_KILL_SECONDS: Final = 3.0
_END_SECONDS: Final = 0.3  # from the end of the output to the end of the process
_NAP: Final = 0.05
_LAUNCHER: Final = Path(__file__).with_name("launcher.py")


class ChildProcess:
    """A running program."""

    def __init__(self, program: Program) -> None:
        """Start the program.

        Raises:
            ProgramError: the program is missing, or cannot be started.
        """
        self.program = program
        self._lines: Queue[str | Reason] = Queue(_MAX_UNREAD_LINES)
        self._error_lines: deque[str] = deque(maxlen=_KEPT_ERROR_LINES)
        self.first_words = ""  # the first output line that is not empty
        self._is_closed = False
        self._lifeline: int | None = None
        self._process = self._start(program)
        for name, work in (("program-says", self._read_output), ("program-complains", self._read_errors)):
            threading.Thread(target=work, name=name, daemon=True).start()

    def _start(self, program: Program) -> subprocess.Popen[bytes]:
        environment = {**program_environment(), **dict(program.environment)}
        folder = None if program.folder is None else Path(program.folder).expanduser()
        command, *arguments = program.command
        has_folder = Path(command).name != command
        named = (folder or Path()) / Path(command).expanduser() if has_folder else command
        path = which(named, environment.get("PATH"))
        if path is None:
            raise ProgramError("program_missing", command=command)
        path = str(Path(path).absolute())
        if folder is None and has_folder:  # a program looks for its files in its own folder
            folder = Path(path).parent
        launched, inherited, pipe = [path, *arguments], list[int](), subprocess.PIPE
        try:
            if sys.platform != "win32":  # it has no process groups, and pipes are not inherited
                reader, self._lifeline = os.pipe()
                inherited.append(reader)
                how = ["--launcher"] if hasattr(sys, "frozen") else ["-I", "-S", str(_LAUNCHER)]
                launched = [sys.executable, *how, str(reader), str(program.memory_mb or 0), *launched]
            return subprocess.Popen(
                launched,
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=folder,
                env=environment,
                pass_fds=inherited,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._close_lifeline()
            raise ProgramError("program_not_started", command=command, reason=reason_of(error)) from None
        finally:
            for descriptor in inherited:
                os.close(descriptor)

    def line(self, seconds: float) -> str | None:
        """Return the next line of output, or None if there is none within `seconds`.

        Raises:
            ProgramError: the program has ended, or a line is too long.
        """
        try:
            item = self._lines.get(timeout=max(0.0, seconds))
        except Empty:
            return None
        if isinstance(item, Reason):
            self._put(item)  # the next call raises the same error
            raise ProgramError(item)
        _log.debug("%s > %s", self.program.name, item)
        return item

    def send(self, lines: list[str]) -> None:
        """Write lines to the program's input.

        Raises:
            ProgramError: the program does not read its input.
        """
        for line in lines:
            _log.debug("%s < %s", self.program.name, line)
        data = "".join(f"{line}\n" for line in lines).encode()
        assert self._process.stdin is not None
        try:
            if sys.platform != "win32":
                os.set_blocking(self._process.stdin.fileno(), False)
            written = self._process.stdin.write(data) if data else 0
        except (OSError, ValueError):
            return  # the program has ended: `line` still returns what it wrote before, then raises
        if written != len(data):
            raise ProgramError("program_deaf", heard=self.stderr_tail)

    @property
    def stderr_tail(self) -> Reason | None:
        """The last lines that the program wrote to its standard error; None: no lines."""
        words = list(self._error_lines)[-2:]
        return Reason("program_heard", {"heard": " / ".join(words)}) if words else None

    def _read_output(self) -> None:
        """Queue lines of output until the end of the stream; runs in its own thread."""
        stream = self._process.stdout
        assert stream is not None
        rest = b""
        with stream:
            while data := stream.read(LONGEST_LINE):
                *lines, rest = (rest + data).split(b"\n")
                for line in (*lines, rest):
                    if len(line) > LONGEST_LINE:
                        start = line[:60].decode("ascii", "replace")
                        self._put(Reason("program_floods", {"maximum": LONGEST_LINE, "heard": start}))
                        return
                for line in lines:
                    self._put(line.rstrip(b"\r").decode(errors="replace"))
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(self._end())

    def _put(self, item: str | Reason) -> None:
        """Queue a line, and block while the queue is full."""
        if not self.first_words and isinstance(item, str):
            self.first_words = item.strip()
        while not self._is_closed:
            with suppress(Full):
                self._lines.put(item, timeout=_NAP)
                return

    def _end(self) -> Reason:
        """Return the reason why there are no more lines: the program ended, or it closed its output."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        status = self._process.poll()
        time.sleep(0 if self._error_lines else _NAP)  # the thread that reads standard error may need a moment
        parts = {"status": status, "heard": self.stderr_tail}
        return Reason("program_silenced" if status is None else "program_ended", parts)

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        rest = b""
        with stream:
            while data := stream.read(LONGEST_LINE):
                *lines, rest = (rest + data).split(b"\n")
                self._error_lines.extend(line.decode(errors="replace").strip() for line in lines if line.strip())
                rest = rest[:LONGEST_LINE]

    def set_paused(self, is_paused: bool) -> None:
        """Pause the program and its children, or let them continue, if the system supports that."""
        if self._lifeline is not None:
            with suppress(OSError):
                os.write(self._lifeline, b"s" if is_paused else b"c")

    @property
    def cpu_seconds(self) -> float:
        """Processor time used by the program and by its children that have ended."""
        if sys.platform == "win32":
            return 0.0
        ticks, processes, pid = 0, list[str](), self._process.pid
        with suppress(OSError):
            processes = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for process in processes:
            with suppress(OSError, ValueError, IndexError):
                words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, words[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def close(self, seconds: float = 0.0) -> None:
        """Wait `seconds` for the program to end by itself, then kill it and its children. Can be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._close_lifeline()
        if sys.platform == "win32":
            with suppress(OSError):
                # The full path, because Windows looks for a bare name in the current folder first.
                kill = f"{os.environ.get('SYSTEMROOT', 'C:/Windows')}/System32/taskkill.exe"
                subprocess.run([kill, "/F", "/T", "/PID", str(self._process.pid)], capture_output=True, check=False)
        try:
            self._process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _close_lifeline(self) -> None:
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)
