"""What all tests share: no test is a matter of time, for a kernel may be compiled in the middle of one."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")
