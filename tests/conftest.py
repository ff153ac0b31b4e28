"""What all tests share: no test is a matter of time, for a kernel may be compiled in the middle of one."""

from __future__ import annotations

import signal

from hypothesis import settings

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them the programs that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")
