"""Precompiled kernels: shared libraries that ship with the program.

`tools.kernels` makes a library for each tier of processors, with an index of the argument types that each kernel was
compiled for. This module loads the best tier for the machine. Libraries that are damaged or were made from other
sources are refused.

Arguments are passed in slots of eight bytes: one for a number; shape and address for an array, and also strides unless
it is contiguous; the slots of its members for a tuple. The result is one number.
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
# The processor features that each tier requires, by kind of machine, the best tier first.
TIERS: Final[Mapping[str, Mapping[str, str]]] = {
    "x86_64": {
        "x86-64-v4-bitalg": f"{_V4} avx512_bitalg avx512_vpopcntdq",
        "x86-64-v4": _V4,
        "x86-64-v3": _V3,
        "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    },
    "aarch64": {"aarch64": "asimd"},
}
_CPUINFO: Final = Path("/proc/cpuinfo")


class KernelError(RuntimeError):
    """A kernel was called with arguments that the library has no code for."""


class RefusedError(Exception):
    """A library is damaged or does not fit."""


def tiers() -> list[str]:
    """Return the tiers that this machine can run, the best first."""
    needs = TIERS.get(platform.machine(), {})
    try:
        features = set(_CPUINFO.read_text(encoding="utf-8").split())
    except OSError:  # no /proc: use what numpy found out about the processor
        simd = cast("dict[str, Any]", np.show_config("dicts"))["SIMD Extensions"]
        found = {name.lower() for kind in ("baseline", "found") for name in simd.get(kind, ())}
        return [tier for tier in needs if tier.replace("x86-64-v", "x86_v").replace("aarch64", "asimd") in found]
    return [tier for tier, needed in needs.items() if features.issuperset(needed.split())]


# Passing arguments and results.

# The `struct` format of the slot of a number.
_NUMBERS: Final[Mapping[str, str]] = {
    "bool": "?7x",
    **{f"int{bits}": "q" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": "Q" for bits in (8, 16, 32, 64)},
    "float32": "f4x",
    "float64": "d",
}
# The `ctypes` type of each result type. A kernel without a result returns the null pointer, which becomes None.
RESULTS: Final[Mapping[str, Any]] = {
    "none": ctypes.c_void_p,
    "bool": ctypes.c_bool,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}

_NAMES: Final[Mapping[type, str]] = {
    int: "int64",
    float: "float64",
    bool: "bool",
    np.bool_: "bool",
    **{np.dtype(name).type: name for name in _NUMBERS},
}


def array_name(dtype: str, dimensions: int, layout: str, is_writable: bool) -> str:
    """Return an array type's name in the index."""
    return f"{dtype}:{dimensions}{layout}{'' if is_writable else '!'}"


def tuple_name(kind: type, members: list[str]) -> str:
    """Return a tuple type's name in the index."""
    return f"{'' if kind is tuple else f'{kind.__module__}.{kind.__qualname__}'}({','.join(members)})"


def _name(value: Any) -> str:
    """Return the name of an argument's type in the index."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return array_name(value.dtype.str, value.ndim, layout, flags.writeable)
    if isinstance(value, tuple):
        return tuple_name(type(value), [_name(member) for member in value])
    return _NAMES.get(type(value)) or type(value).__qualname__


def _slots(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the `struct` format and the value of each of an argument's slots."""
    if isinstance(value, np.ndarray):
        strides = () if value.flags.c_contiguous else value.strides
        forms = "q" * value.ndim + "Q" + "q" * len(strides)
        yield from zip(forms, (*value.shape, value.ctypes.data, *strides), strict=True)
    elif isinstance(value, tuple):
        for member in value:
            yield from _slots(member)
    elif type(value) in _NAMES:
        yield _NUMBERS[_NAMES[type(value)]], value


def _form(value: Any) -> str:
    """Return the `struct` format of an argument."""
    return "".join(form for form, _ in _slots(value))


def _packed(value: tuple[Any, ...]) -> tuple[Struct, bytes, Any]:
    """Pack a tuple of arrays.

    Tuples such as a search tree are passed again and again, so the result is cached by the identities of the members.
    When an array is freed, the entry is dropped: no other object can be mistaken for the array.

    Returns:
        The format, which identifies the type, the packed slots, and references that keep members other than arrays
            alive.
    """
    name = _name(value)
    form = _forms.get(name) or _forms.setdefault(name, Struct("=" + _form(value)))
    key = type(value), *map(id, value)
    forget = functools.partial(_known.pop, key)
    arrays = [weakref.ref(member, forget) for member in value if isinstance(member, np.ndarray)]
    others = [member for member in value if not isinstance(member, np.ndarray)]
    found = _known[key] = form, form.pack(*(slot for _, slot in _slots(value))), (arrays, others)
    return found


_forms: Final[dict[str, Struct]] = {}
_known: Final[dict[tuple[Any, ...], tuple[Struct, bytes, Any]]] = {}
_from_buffer: Final = (ctypes.c_char * 0).from_buffer  # the fastest way to an address
_addressof, _byref, _get_known = ctypes.addressof, ctypes.byref, _known.get
# The result of a caller for arguments of other types.
_OTHERS: Final = object()


class _Caller:
    """Generates a Python function that calls a kernel with arguments of the types of `examples`.

    This halves the cost of a call, which matters because a search of a few hundred simulations makes several calls.
    """

    def __init__(self, kernel: str, code: Any, result: Any, examples: Sequence[Any]) -> None:
        self._names: dict[str, Any] = {"code": code, "Result": result}
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
            f"if code({' + '.join(self._pieces) or 'None'}, _byref(result)):",
            f"    raise KernelError('{kernel} has failed')",
            "return result.value",
        ]
        names = {**globals(), **self._names}
        exec("\n    ".join([f"def call({', '.join(parameters)}):", *body]), names)
        self.call: Final[Callable[..., Any]] = names["call"]

    def _add(self, name: str, example: Any) -> None:
        """Add code that checks the type of an argument, or of a member of one, and packs it."""
        kind = type(example)
        self._check(f"type({name}) is {self._named(kind)}")
        if kind is np.ndarray:
            if example.flags.carray:
                like = f"{name}.dtype == {self._named(example.dtype)} and {name}.ndim == {example.ndim}"
                self._check(f"{like} and {name}.flags.carray")
                self._slots += [f"*{name}.shape", f"_addressof(_from_buffer({name}))"]
            else:
                self._check(f"{self._named(_name)}({name}) == {_name(example)!r}")
                self._slots += [f"*{name}.shape", f"{name}.ctypes.data"]
                self._slots += [] if example.flags.c_contiguous else [f"*{name}.strides"]
            self._form += _form(example)
        elif kind in _NAMES:
            self._slots.append(name)
            self._form += _form(example)
        elif isinstance(example, tuple):
            if any(isinstance(member, np.ndarray) for member in example):
                known = f"{name}_known"
                self._lines.append(f"{known} = _get_known(({self._named(kind)}, *map(id, {name}))) or _packed({name})")
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
        self._lines.append(f"if not ({condition}): return _OTHERS")

    def _named(self, value: Any) -> str:
        """Return a name by which the generated code can use a value."""
        name = f"v{len(self._names)}"
        self._names[name] = value
        return name

    def _end_piece(self) -> None:
        """Start a new `pack` call for the slots that follow."""
        if self._slots:
            self._pieces.append(f"{self._named(Struct('=' + self._form).pack)}({', '.join(self._slots)})")
        self._form, self._slots = "", []


# The library.


class KernelLibrary:
    """The precompiled kernels of one tier."""

    def __init__(self, tier: str, folder: Path) -> None:
        """Load a library.

        Raises:
            RefusedError: the library is damaged, or was made for other processors or from other sources.
        """
        self.tier: Final = tier
        digest, _, content = library_file(folder, tier).with_suffix(".json").read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            raise RefusedError("the index is damaged")
        index = json.loads(content)
        if index["tier"] != tier:
            raise RefusedError("the index is of other processors")
        if index["sources"] != digest_of_sources().hexdigest():
            raise RefusedError("they belong to another version of the program")
        self._entries: Final[dict[str, dict[str, list[str]]]] = index["entries"]
        with library_file(folder, tier).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != index["digest"]:
                raise RefusedError("the library is damaged")
            # By its descriptor: a file that replaced it must not be loaded instead. There may be no /proc.
            opened = Path(f"/proc/self/fd/{file.fileno()}")
            self._code: Final = ctypes.CDLL(str(opened if opened.exists() else library_file(folder, tier)))

    def find(self, kernel: str, arguments: str) -> tuple[Any, str] | None:
        """Return the C function of a kernel for these argument types, and the name of its result type, or None."""
        entry = self._entries.get(kernel, {}).get(arguments)
        if entry is None:
            return None
        symbol, result = entry
        code = self._code[symbol]
        code.argtypes = ctypes.c_char_p, ctypes.c_void_p
        return code, result


def library_file(folder: Path, tier: str) -> Path:
    return folder / f"kernels-{tier}.so"


@functools.cache
def library() -> KernelLibrary | None:
    """Return the precompiled kernels for this machine, or None if kernels have to be compiled.

    Raises:
        OthelloError: there is neither a usable library nor a compiler.
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
    if multiprocessing.current_process().name == "MainProcess":  # or each process warns
        _log.warning("kernels in %s are not used, but compiled: %s", os.fspath(folder), refusal)
    return None


class LinkedKernel:
    """A kernel whose code comes from a library."""

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
        kernel = None if kernels is None else kernels.find(self._name, names)
        if kernel is None:
            raise KernelError(
                f"the kernels of this program have none for {self._name}({names}). "
                "Where numba is installed, OTHELLO_KERNELS=compile compiles what is missing"
            )
        code, result = kernel
        return _Caller(self._name, code, RESULTS[result], arguments).call
