"""The decorators of compiled functions, and the cache of compiled code.

numba's own cache checks the file of the function that it compiles, but not the files of the functions called from
there. `cache_files` therefore names the files of compiled code by all code that it depends on. The name of the cache
folder is a hash of the compiler's version and of the processor; without `cache_files`, also of all kernel sources.
"""

import functools
import hashlib
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import llvmlite.binding
import numba
import numba.extending
from numba.core.codegen import get_host_cpu_features
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from othello.kernel.cache import warn_unwritable
from othello.kernel.loading import kernels_folder, mark_of_all, only_compiles_plainly
from othello.kernel.sources import add_implementer, digest_of_sources, read_sources

_config: Any = numba.config
_FOLDERS_KEPT: Final = 4  # of other versions; a folder takes a few megabytes
_LINKING_VERSIONS: Final = {(0, minor) for minor in range(62, 69)}  # tried with the first and the last of them


def _prefer_widest_vectors() -> None:
    """Let LLVM use registers of 512 bits. By default it uses 256 bits on some processors that gain from 512.

    Measured with 16 random games in lock-step: 2.5 million games a second instead of 1.7 million.
    """
    features: str = get_host_cpu_features()  # type: ignore[no-untyped-call]
    if _config.CPU_FEATURES is None and "+avx512dq" in features:
        _config.CPU_FEATURES = features + ",-prefer-256-bit"


def _install_accelerators() -> tuple[str, ...]:
    """Install the modules that change numba, and return their names.

    A module is left out if this version of numba lacks a private part that the module needs. With OTHELLO_KERNELS=plain
    both are left out.
    """
    installed: list[str] = []
    if only_compiles_plainly():
        return ()
    with suppress(AttributeError, ImportError, KeyError):
        from othello.kernel import cache_files

        cache_files.install()
        installed.append("cache_files")
        if numba.version_info.short in _LINKING_VERSIONS:
            from othello.kernel import linking

            linking.install()
            installed.append("linking")
    return tuple(installed)


def _cache_folder() -> Path | None:
    """Return a writable folder for this compiler and processor, or None."""
    has_digests = "cache_files" in ACCELERATORS
    state = hashlib.sha256() if has_digests else digest_of_sources()
    if not has_digests:
        _hash_games_of_packages(state)
    versions = numba.__version__, llvmlite.__version__, sys.version, *ACCELERATORS
    for fact in (*versions, llvmlite.binding.get_host_cpu_name(), str(_config.CPU_FEATURES)):
        state.update(fact.encode())
    parent = kernels_folder()
    folder = parent / state.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError as error:
        if multiprocessing.current_process().name == "MainProcess":  # or each process warns
            warn_unwritable(folder, error.strerror)
        return None
    with suppress(OSError):  # the folder cannot be listed, or another process deletes at the same time
        for stale in sorted(parent.iterdir(), key=lambda entry: -entry.lstat().st_mtime)[_FOLDERS_KEPT:]:
            shutil.rmtree(stale, ignore_errors=True)
    return folder


def _hash_games_of_packages(state: "hashlib._Hash") -> None:
    """Hash the sources of all installed packages with games."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    for package in sorted(
        {entry_point.module.partition(".")[0] for entry_point in entry_points(group="othello.games")}
    ):
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            for source in sorted(Path(folder).rglob("*.py")):
                state.update(source.read_bytes())


def remember_all_is_compiled() -> None:
    """Record that nothing is left to compile for this state of the sources."""
    if CACHE_FOLDER is not None:
        with suppress(OSError):
            (CACHE_FOLDER / mark_of_all()).touch()


_prefer_widest_vectors()
ACCELERATORS: Final = _install_accelerators()
CACHE_FOLDER: Final = _cache_folder()
if CACHE_FOLDER is not None:
    _config.CACHE_DIR = str(CACHE_FOLDER)

_OPTIONS: Final[Any] = {
    "nogil": True,  # the window can draw during a search
    "cache": CACHE_FOLDER is not None,
    # No reference counting, and therefore no new arrays in kernels. Each access to a field of a tuple of arrays would
    # count up and down: this took two thirds of the time of a simulation and of an alpha-beta search.
    "_nrt": False,
    "no_cfunc_wrapper": True,  # unused, and a tenth of the time to compile
    "error_model": "numpy",  # divisors are never zero, so loops need no check
}

Function = TypeVar("Function", bound=Callable[..., Any])

# The state classes with an implementation of their own, by generic function.
_classes_of: dict[Callable[..., Any], set[type]] = {}


def kernel(function: Function) -> Function:
    """Compile a function with numba on its first call. It runs without the interpreter's lock and is cached on disk."""
    read_sources(function.__module__)
    return cast(Function, numba.njit(**_OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a function as `kernel` does, and always inline it. For short functions in hot loops.

    LLVM alone does not inline a function of a hundred instructions, and then does not vectorise the loop around it.
    """
    read_sources(function.__module__)
    return cast(Function, numba.njit(**_OPTIONS, forceinline=True)(function))


def join(function: Callable[..., Any], *arguments: object) -> None:
    """Compile a function to LLVM code for arguments of these types, for the kernels that call it."""
    context: Any = cpu_target.typing_context
    cpu_target.target_context.refresh()
    kinds = tuple(map(numba.typeof, arguments))
    with global_compiler_lock:
        context.resolve_function_type(context.resolve_value_type(function), kinds, {})


def implements(
    function_of_all: Callable[..., Any], *state_classes: type, in_place: bool = False
) -> Callable[[Function], Function]:
    """Register an implementation of a generic function for some state classes.

    Args:
        function_of_all: the generic function, such as those of `rules.compiled`. numba chooses the implementation by
            the type of the first argument when it compiles the caller.
        state_classes: `NamedTuple` classes; the implementation is compiled for each of them.
        in_place: always inline the implementation.

    Returns:
        A decorator for a function with the parameters of `function_of_all`; it returns a kernel.
    """

    options: Any = {**_OPTIONS, "forceinline": in_place}
    _classes_of.setdefault(function_of_all, set()).update(state_classes)

    def register(function: Function) -> Function:
        for state_class in state_classes:
            add_implementer(state_class, function.__module__)
        _overload(function_of_all, function, lambda kind: kind in state_classes, options)
        return inlined(function) if in_place else kernel(function)

    return register


def default_kernel(function: Function) -> Function:
    """Compile a function as the implementation for every `NamedTuple` class without an `implements`.

    A class registers its implementations when its module is imported, before code that uses the class is compiled.
    """

    read_sources(function.__module__)
    _overload(function, function, lambda kind: kind is not None and kind not in _classes_of.get(function, ()), _OPTIONS)
    return function


def _overload(function_of_all: Any, function: Function, fits: Callable[[type | None], bool], options: Any) -> None:
    """Register an overload for the types that `fits` accepts. Its argument is the `NamedTuple` class or None."""

    @functools.wraps(function)  # numba compares the signatures
    def choose(*types: Any) -> Function | None:
        # numba's type of a named tuple stores the class as `instance_class`; other types lack this attribute.
        return function if fits(getattr(types[0], "instance_class", None)) else None

    with global_compiler_lock:  # otherwise code that another thread compiles may see two versions
        numba.extending.overload(function_of_all, jit_options=options)(choose)
