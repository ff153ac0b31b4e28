"""Kernels that travel with the program: libraries that were linked where the program was built.

`tools.kernels` makes one library for each tier of processors, and an index beside it, which names for each kernel the
types of arguments that the library has code for. Here the best tier for this machine is found. What is damaged, or
belongs to other sources, is never loaded.

Arguments travel in slots of eight bytes: a number takes one; an array takes its shape, the address of its data, and its
strides where it is not contiguous; the members of a tuple follow each other. What comes back is one number.
"""

import ctypes
import functools
import hashlib
import json
import logging
import multiprocessing
import os
import platform
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from struct import Struct
from typing import Any, Final, cast

import numpy as np

from othello.errors import OthelloError
from othello.kernel.sources import digest_of_sources
from othello.resources import shipped_kernels

_log = logging.getLogger(__name__)

_V3: Final = "avx2 bmi1 bmi2 f16c fma abm movbe"
_V4: Final = f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl"
TIERS: Final[Mapping[str, Mapping[str, str]]] = {
    "x86_64": {
        "x86-64-v4-bitalg": f"{_V4} avx512_bitalg avx512_vpopcntdq",
        "x86-64-v4": _V4,
        "x86-64-v3": _V3,
        "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    },
    "aarch64": {"aarch64": "asimd"},
}
"""The tiers of each kind of machine, the best first, and what each asks of the processor."""
_CPUINFO: Final = Path("/proc/cpuinfo")


class KernelError(RuntimeError):
    """There is no code for a call of a kernel."""


class RefusedError(Exception):
    """A library is not to be loaded."""


def tiers() -> list[str]:
    """The tiers of which this machine runs the code, the best first."""
    needs = TIERS.get(platform.machine(), {})
    try:
        features = set(_CPUINFO.read_text(encoding="utf-8").split())
    except OSError:  # a bare root folder, or another system: numpy has asked the processor itself
        simd = cast("dict[str, Any]", np.show_config("dicts"))["SIMD Extensions"]
        found = {name.lower() for kind in ("baseline", "found") for name in simd.get(kind, ())}
        return [tier for tier in needs if tier.replace("x86-64-v", "x86_v").replace("aarch64", "asimd") in found]
    return [tier for tier, needed in needs.items() if features.issuperset(needed.split())]


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


def _slots(value: Any) -> Iterator[Any]:
    """Yield what fills the slots of an argument."""
    if isinstance(value, np.ndarray):
        yield from value.shape
        yield value.ctypes.data
        if not value.flags.c_contiguous:
            yield from value.strides
    elif isinstance(value, tuple):
        for member in value:
            yield from _slots(member)
    elif type(value) in _NAMES:
        yield value


def _packed(value: tuple[Any, ...]) -> tuple[Struct, bytes, Any]:
    """The form of a tuple of arrays, which no other type has, its slots, and what must stay alive meanwhile.

    A tuple of arrays, such as a search tree, is kept: it is handed over again and again. It is known by its members:
    when an array goes, the tuple is forgotten, and so no other object can be taken for a member.
    """
    name = _name(value)
    form = _forms.get(name) or _forms.setdefault(name, Struct("=" + _form(value)))
    key = type(value), *map(id, value)
    forget = functools.partial(_known.pop, key)
    arrays = [weakref.ref(member, forget) for member in value if isinstance(member, np.ndarray)]
    others = [member for member in value if not isinstance(member, np.ndarray)]
    found = _known[key] = form, form.pack(*_slots(value)), (arrays, others)
    return found


_forms: Final[dict[str, Struct]] = {}
_known: Final[dict[tuple[Any, ...], tuple[Struct, bytes, Any]]] = {}
_Data: Final = ctypes.c_char * 0  # the quickest way to an address
_OTHERS: Final = object()
"""What the caller of a kernel returns where the arguments have other types."""


class _Caller:
    """Writes a Python function that calls a kernel with arguments of the types of some examples.

    It takes half the time of going through the arguments: a search of some hundred simulations makes several calls.
    """

    def __init__(self, kernel: str, code: Any, result: Any, examples: Sequence[Any]) -> None:
        self._names: dict[str, Any] = {
            "addressof": ctypes.addressof,
            "byref": ctypes.byref,
            "code": code,
            "from_buffer": _Data.from_buffer,
            "get_known": _known.get,
            "KernelError": KernelError,
            "OTHERS": _OTHERS,
            "packed": _packed,
            "Result": result,
        }
        self._lines: list[str] = []
        self._pieces: list[str] = []
        self._form = ""
        self._slots: list[str] = []
        parameters = [f"a{number}" for number in range(len(examples))]
        for parameter, example in zip(parameters, examples, strict=True):
            self._add(parameter, example)
        self._end_piece()
        body = [
            *self._lines,
            "result = Result()",
            f"if code({' + '.join(self._pieces) or 'None'}, byref(result)):",
            f"    raise KernelError('{kernel} has failed')",
            "return result.value",
        ]
        self._source: Final = "\n    ".join([f"def call({', '.join(parameters)}):", *body])

    def function(self) -> Callable[..., Any]:
        exec(self._source, self._names)
        call: Callable[..., Any] = self._names["call"]
        return call

    def _add(self, name: str, example: Any) -> None:
        """Write how an argument, or a member of one, is looked at and handed over."""
        kind = type(example)
        self._check(f"type({name}) is {self._named(kind)}")
        if kind is np.ndarray:
            if example.flags.carray:
                like = f"{name}.dtype == {self._named(example.dtype)} and {name}.ndim == {example.ndim}"
                self._check(f"{like} and {name}.flags.carray")
                slots = [f"*{name}.shape", f"addressof(from_buffer({name}))"]
            else:
                self._check(f"{self._named(_name)}({name}) == {_name(example)!r}")
                slots = [f"*{name}.shape", f"{name}.ctypes.data"]
                slots += [] if example.flags.c_contiguous else [f"*{name}.strides"]
            self._slots += slots
            self._form += _form(example)
        elif kind in _NAMES:
            self._slots.append(name)
            self._form += _form(example)
        elif isinstance(example, tuple):
            if any(isinstance(member, np.ndarray) for member in example):
                known = f"{name}_known"
                self._lines.append(f"{known} = get_known(({self._named(kind)}, *map(id, {name}))) or packed({name})")
                self._check(f"{known}[0] is {self._named(_packed(example)[0])}")
                self._end_piece()
                self._pieces.append(f"{known}[1]")
            elif example:
                members = [f"{name}_{number}" for number in range(len(example))]
                self._check(f"len({name}) == {len(example)}")
                self._lines.append(f"{', '.join(members)}, = {name}")
                for member, value in zip(members, example, strict=True):
                    self._add(member, value)
            else:
                self._check(f"not {name}")

    def _check(self, condition: str) -> None:
        self._lines.append(f"if not ({condition}): return OTHERS")

    def _named(self, value: Any) -> str:
        """A name for a value that the function needs."""
        name = f"v{len(self._names)}"
        self._names[name] = value
        return name

    def _end_piece(self) -> None:
        """Let what comes next not be packed together with what came before."""
        if self._slots:
            self._pieces.append(f"{self._named(Struct('=' + self._form).pack)}({', '.join(self._slots)})")
        self._form, self._slots = "", []


# The library.


class KernelLibrary:
    """The kernels of one tier."""

    def __init__(self, tier: str, folder: Path) -> None:
        """Load a library; RefusedError where it does not fit, or is damaged."""
        self.tier: Final = tier
        index = read_index(folder, tier)
        if index["sources"] != digest_of_sources().hexdigest():
            raise RefusedError("they belong to another version of the program")
        self._entries: Final[dict[str, dict[str, list[str]]]] = index["entries"]
        with library_file(folder, tier).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != index["digest"]:
                raise RefusedError("the library is damaged")
            # The very file that was looked at, whatever has taken its name meanwhile; a bare root folder has no /proc.
            opened = Path(f"/proc/self/fd/{file.fileno()}")
            self._code: Final = ctypes.CDLL(str(opened if opened.exists() else library_file(folder, tier)))

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


def read_index(folder: Path, tier: str) -> dict[str, Any]:
    """Return the index that `tools.kernels` wrote. RefusedError: the index is damaged or of another tier."""
    digest, _, content = index_file(folder, tier).read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise RefusedError("the index is damaged")
    index: dict[str, Any] = json.loads(content)
    if index["tier"] != tier:
        raise RefusedError("the index is of other processors")
    return index


def index_file(folder: Path, tier: str) -> Path:
    return folder / f"kernels-{tier}.json"


@functools.cache
def library() -> KernelLibrary | None:
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
            return KernelLibrary(tier, folder)
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
        self._calls: list[Callable[..., Any]] = []

    def __call__(self, *arguments: Any) -> Any:
        for call in self._calls:
            result = call(*arguments)
            if result is not _OTHERS:
                return result
        call = self._find(arguments)
        self._calls.append(call)
        return call(*arguments)

    def _find(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        names = ", ".join(map(_name, arguments))
        kernels = library()
        found = None if kernels is None else kernels.find(self._name, names)
        if found is None:
            raise KernelError(
                f"the kernels of this program have none for {self._name}({names}). "
                "Where numba is installed, OTHELLO_KERNELS=compile compiles what is missing"
            )
        code, result = found
        return _Caller(self._name, code, RESULTS[result], arguments).function()
