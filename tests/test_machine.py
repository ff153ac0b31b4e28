"""Cores and memory of the machine."""

import os

import psutil

from othello.machine import cores, memory_megabytes


def test_limits_of_a_process_are_within_the_machine() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
    assert 64 <= memory_megabytes() <= psutil.virtual_memory().total >> 20
