"""Kernels that travel with the program: libraries that were linked where the program was built.

`tools.kernels` makes one library for each tier of processors, and an index beside it, which names for each kernel the
types of arguments that the library has code for. Here the best tier for this machine is found. What is damaged, or
belongs to other sources, is never loaded.

Arguments travel in slots of eight bytes: a number takes one; an array takes its shape, the address of its data, and its
strides where it is not contiguous; the members of a tuple follow each other. What comes back is one number.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import logging
import multiprocessing
import os
import platform
import weakref
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from io import BufferedReader
from pathlib import Path
from struct import Struct
from typing import Any, Final

import numpy as np

from othello.errors import OthelloError
from othello.kernel.sources import digest_of_sources
from othello.resources import shipped_kernels

_log = logging.getLogger(__name__)

_V3: Final = "avx2 bmi1 bmi2 f16c fma abm movbe"
_V4: Final = f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl"
_NEEDS: Final[Mapping[str, Mapping[str, str]]] = {
    "x86_64": {
        "x86-64-v4-bitalg": f"{_V4} avx512_bitalg avx512_vpopcntdq",
        "x86-64-v4": _V4,
        "x86-64-v3": _V3,
        "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    },
    "aarch64": {"aarch64": "asimd"},
}
"""The tiers of each kind of machine, the best first, and what each asks of the processor."""


class KernelError(RuntimeError):
    """There is no code for a call of a kernel."""


class RefusedError(Exception):
    """A library is not to be loaded."""


def tiers() -> list[str]:
    """The tiers of which this machine runs the code, the best first."""
    try:
        features = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:  # another system than Linux, where nobody has made libraries yet
        return []
    needs = _NEEDS.get(platform.machine(), {})
    return [tier for tier, needed in needs.items() if features.issuperset(needed.split())]


def all_tiers() -> list[str]:
    """All tiers of this kind of machine."""
    return list(_NEEDS.get(platform.machine(), {}))


# The form of arguments and results.

_NUMBERS: Final[Mapping[str, str]] = {
    "bool": "?7x",
    **{f"int{bits}": "q" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": "Q" for bits in (8, 16, 32, 64)},
    "float32": "f4x",
    "float64": "d",
}
"""What `struct` calls the slot of a number."""
RESULTS: Final[Mapping[str, Any]] = {
    "none": ctypes.c_void_p,
    "bool": ctypes.c_bool,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
"""What `ctypes` calls what kernels return to Python. Nothing is the address 0, whose value is None."""

_NAMES: Final[Mapping[type, str]] = {
    int: "int64",
    float: "float64",
    bool: "bool",
    np.bool_: "bool",
    **{np.dtype(name).type: name for name in _NUMBERS},
}


def array_name(dtype: str, dimensions: int, layout: str, is_writable: bool) -> str:
    """What an index calls the type of an array."""
    return f"{dtype}:{dimensions}{layout}{'' if is_writable else '!'}"


def tuple_name(kind: type, members: list[str]) -> str:
    """What an index calls the type of a tuple."""
    return f"{'' if kind is tuple else f'{kind.__module__}.{kind.__qualname__}'}({','.join(members)})"


def _name(value: Any) -> str:
    """What an index calls the type of an argument."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return array_name(value.dtype.str, value.ndim, layout, flags.writeable)
    if isinstance(value, tuple):
        return tuple_name(type(value), [_name(member) for member in value])
    return _NAMES.get(type(value)) or type(value).__qualname__


def _form(value: Any) -> str:
    """What `struct` calls the slots of an argument."""
    if isinstance(value, np.ndarray):
        return "q" * value.ndim + "Q" + ("" if value.flags.c_contiguous else "q" * value.ndim)
    if isinstance(value, tuple):
        return "".join(map(_form, value))
    return _NUMBERS[_NAMES[type(value)]]


def _fill(value: Any, kinds: list[Any], slots: list[Any]) -> None:
    """Append an argument to the slots, and what tells its type from all others to `kinds`."""
    kind = type(value)
    if kind is np.ndarray:
        flags = value.flags
        slots += value.shape
        if flags.c_contiguous and flags.writeable:
            kinds += value.dtype, value.ndim
            slots.append(ctypes.addressof(_Data.from_buffer(value)))
        else:
            kinds.append(_name(value))
            slots.append(value.ctypes.data)
            if not flags.c_contiguous:
                slots += value.strides
    elif kind in _NAMES:
        kinds.append(kind)
        slots.append(value)
    elif isinstance(value, tuple):
        key = kind, *map(id, value)
        own_kinds, own_slots, _ = _known.get(key) or _flattened(value, key)
        kinds += own_kinds
        slots += own_slots
    else:
        kinds.append(kind)


def _flattened(value: tuple[Any, ...], key: tuple[Any, ...]) -> tuple[list[Any], list[Any], Any]:
    """What `_fill` appends of a tuple, and what must stay alive meanwhile.

    A tuple of arrays, such as a search tree, is kept: it is handed over again and again. It is known by its members:
    when an array goes, the tuple is forgotten, and so no other object can be taken for a member.
    """
    kinds: list[Any] = [key[0], len(value)]
    slots: list[Any] = []
    for member in value:
        _fill(member, kinds, slots)
    arrays = [member for member in value if isinstance(member, np.ndarray)]
    others = [member for member in value if not isinstance(member, np.ndarray)]
    found = kinds, slots, ([weakref.ref(array, lambda _: _known.pop(key, None)) for array in arrays], others)
    if arrays:
        _known[key] = found
    return found


_known: Final[dict[tuple[Any, ...], tuple[list[Any], list[Any], Any]]] = {}
_Data: Final = ctypes.c_char * 0  # the quickest way to an address


# The library.


class Library:
    """The kernels of one tier."""

    def __init__(self, tier: str, folder: Path) -> None:
        """Load a library; RefusedError where it does not fit, or is damaged."""
        self.tier: Final = tier
        index = read_index(folder, tier)
        if index["sources"] != digest_of_sources().hexdigest():
            raise RefusedError("they belong to another version of the program")
        self._entries: Final[dict[str, dict[str, list[str]]]] = index["entries"]
        with library_file(folder, tier).open("rb") as file:
            if _digest(file) != index["digest"]:
                raise RefusedError("the library is damaged")
            # The very file that was looked at, whatever has taken its name meanwhile.
            self._code: Final = ctypes.CDLL(f"/proc/self/fd/{file.fileno()}")

    def find(self, kernel: str, arguments: str) -> tuple[Any, str] | None:
        """The code of a kernel for arguments of these types, and the type of the result."""
        entry = self._entries.get(kernel, {}).get(arguments)
        if entry is None:
            return None
        symbol, result = entry
        code = self._code[symbol]
        code.argtypes = ctypes.c_char_p, ctypes.c_void_p
        return code, result


def library_file(folder: Path, tier: str) -> Path:
    return folder / f"kernels-{tier}.so"


def write_index(folder: Path, tier: str, sources: str, entries: Mapping[str, Mapping[str, list[str]]]) -> None:
    """Write the index of a library that lies in a folder, and was made of these sources."""
    with library_file(folder, tier).open("rb") as file:
        facts = {"tier": tier, "sources": sources, "digest": _digest(file), "entries": entries}
    content = json.dumps(facts, indent=0, sort_keys=True).encode()
    _index_file(folder, tier).write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)


def read_index(folder: Path, tier: str) -> dict[str, Any]:
    """What `write_index` wrote; RefusedError where something else is there."""
    digest, _, content = _index_file(folder, tier).read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise RefusedError("the index is damaged")
    index: dict[str, Any] = json.loads(content)
    if index["tier"] != tier:
        raise RefusedError("the index is of other processors")
    return index


def _index_file(folder: Path, tier: str) -> Path:
    return folder / f"kernels-{tier}.json"


def _digest(file: BufferedReader) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def library() -> Library | None:
    """The kernels that travel with the program, for this machine; None where kernels are to be compiled.

    Raises:
        OthelloError: there are none that can be used, and no compiler.
    """
    folder = shipped_kernels()
    if folder is None:
        return None
    refusal = "there are none for this processor"
    for tier in tiers():
        try:
            return Library(tier, folder)
        except FileNotFoundError:
            continue
        except (OSError, RefusedError) as error:
            refusal = str(error)
    if find_spec("numba") is None:
        raise OthelloError("no_kernels", folder=folder, text=refusal)
    if multiprocessing.current_process().name == "MainProcess":  # others would say it again
        _log.warning("kernels in %s are not used, but compiled: %s", os.fspath(folder), refusal)
    return None


class LinkedKernel:
    """What a kernel is where its code comes from a library."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._calls: dict[tuple[Any, ...], tuple[Any, Struct, Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        kinds: list[Any] = []
        slots: list[Any] = []
        for argument in arguments:
            _fill(argument, kinds, slots)
        key = tuple(kinds)
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = self._find(arguments)
        code, form, result_type = call
        result = result_type()
        if code(form.pack(*slots), ctypes.byref(result)):
            raise KernelError(f"{self._name} has failed")
        return result.value

    def _find(self, arguments: tuple[Any, ...]) -> tuple[Any, Struct, Any]:
        names = ", ".join(map(_name, arguments))
        kernels = library()
        found = None if kernels is None else kernels.find(self._name, names)
        if found is None:
            raise KernelError(
                f"the kernels of this program have none for {self._name}({names}). "
                "Where numba is installed, OTHELLO_KERNELS=compile compiles what is missing"
            )
        code, result = found
        return code, Struct("=" + "".join(map(_form, arguments))), RESULTS[result]
