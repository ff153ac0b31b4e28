"""The decorator of every compiled function, and where the compiled code is kept.

numba's own cache looks at the file of the function that it compiles and not at the files of the functions called
from there, so an edit in one of those would go unseen. Here the cache folder is named by a hash of all kernel
sources, of the compiler's version and of the processor: a change of any of them is a new folder.
"""

import functools
import hashlib
import logging
import multiprocessing
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import llvmlite.binding
import numba
import numba.extending
from numba.core import caching
from numba.core.codegen import get_host_cpu_features
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from othello.errors import OutputError
from othello.kernel import joining
from othello.kernel.loading import NotCompiledError, kernels_folder, mark_of_all, only_loads
from othello.kernel.sources import digest_of_sources
from othello.writing import write_bytes

_log = logging.getLogger(__name__)

_config: Any = numba.config
_PACKAGE = Path(__file__).parents[1]
_DIGEST_BYTES = hashlib.sha256().digest_size
_FOLDERS_KEPT = 4  # of former sources; they are a few megabytes each


def _prefer_widest_vectors() -> None:
    """Let processors with 512-bit registers use them: LLVM holds itself to 256 bits on some that gain from 512.

    Measured with 16 random games in lock-step: 2.5 against 1.7 million games a second.
    """
    features: str = get_host_cpu_features()  # type: ignore[no-untyped-call]
    if _config.CPU_FEATURES is None and "+avx512dq" in features:
        _config.CPU_FEATURES = features + ",-prefer-256-bit"


def _fingerprint() -> str:
    digest = digest_of_sources()
    versions = numba.__version__, llvmlite.__version__, sys.version
    for fact in (*versions, llvmlite.binding.get_host_cpu_name(), str(_config.CPU_FEATURES)):
        digest.update(fact.encode())
    return digest.hexdigest()[:16]


@functools.cache
def _warn(folder: Path, reason: str) -> None:
    _log.warning("kernels are compiled anew at every start: cannot write to %s (%s)", folder, reason)


def _cache_folder() -> Path | None:
    """A writable folder for this very state of the sources, None where there is none."""
    parent = kernels_folder()
    folder = parent / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError as error:
        if multiprocessing.current_process().name == "MainProcess":  # others would say it again
            _warn(folder, error.strerror)
        return None
    with suppress(OSError):  # a folder that cannot be listed, or that another process sweeps at the same time
        for stale in sorted(parent.iterdir(), key=lambda entry: -entry.lstat().st_mtime)[_FOLDERS_KEPT:]:
            shutil.rmtree(stale, ignore_errors=True)
    return folder


def remember_all_is_compiled() -> None:
    """Note that nothing is left to compile for this state of the sources."""
    if CACHE_FOLDER is not None:
        with suppress(OSError):
            (CACHE_FOLDER / mark_of_all()).touch()


_in_use: set[Path] = set()
"""The files of all that has been loaded or compiled here, below the cache folder."""


def carried() -> dict[str, bytes]:
    """The files of all that has been loaded or compiled here, for another machine of this kind."""
    if CACHE_FOLDER is None:
        return {}
    with suppress(OSError):  # somebody has emptied the cache
        here = [file for file in _in_use if file.is_relative_to(CACHE_FOLDER)]
        return {file.relative_to(CACHE_FOLDER).as_posix(): file.read_bytes() for file in here}
    return {}


def take_over(files: Mapping[str, bytes]) -> None:
    """Put files of a machine of this kind into the cache. One that is damaged is compiled anew where it is needed."""
    for name, content in files.items():
        file = None if CACHE_FOLDER is None or ".." in Path(name).parts else CACHE_FOLDER / name
        if file is not None and not file.exists() and file.parent.parent == CACHE_FOLDER and _is_sound(content):
            with suppress(OSError, OutputError):
                file.parent.mkdir(exist_ok=True)
                write_bytes(file, content)


def _is_sound(entry: bytes) -> bool:
    return hashlib.sha256(entry[_DIGEST_BYTES:]).digest() == entry[:_DIGEST_BYTES]


class _CacheFiles(caching.IndexDataCacheFile):
    """Keeps what is compiled of a function in one file for each signature, and no index of them.

    numba's own index goes wrong where several processes compile at once. Two of them can give one file's name to two
    signatures. And reading the index imports the modules of all states that the function was ever compiled for:
    these register functions while others are being compiled, and the compiler takes one function for two.

    A file begins with a digest of the rest, so that a damaged file is never taken for code.
    """

    def save(self, key: Any, data: Any) -> None:
        content = self._dump(data)  # type: ignore[no-untyped-call]
        path = self._path_for(key)
        try:
            with self._open_for_write(path) as file:
                file.write(hashlib.sha256(content).digest() + content)
            _in_use.add(path)
        except OSError as error:
            _warn(path.parents[1], error.strerror)

    def load(self, key: Any) -> Any:
        path = self._path_for(key)
        with suppress(OSError):  # not compiled yet, or cannot be read
            entry = path.read_bytes()
            if _is_sound(entry):
                _in_use.add(path)
                return pickle.loads(entry[_DIGEST_BYTES:])
            path.unlink()
        if only_loads():
            raise NotCompiledError
        return None

    def _path_for(self, key: Any) -> Path:
        digest = hashlib.sha256(repr((self._source_stamp, key)).encode())
        return Path(self._cache_path, f"{self._index_name.removesuffix('.nbi')}.{digest.hexdigest()[:16]}.nbc")


class _Locator(caching.UserProvidedCacheLocator):
    """Names the folder of a function's files, whether or not the folder can be written to: `_CacheFiles` finds out.

    The name is that of the package's folder with the source, wherever the package lies.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        folder = Path(py_file).parent
        if folder.is_relative_to(_PACKAGE):
            return ".".join(folder.relative_to(_PACKAGE.parent).parts)
        return cast(str, super().get_suitable_cache_subpath(py_file))  # type: ignore[no-untyped-call]

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            super().ensure_cache_path()  # type: ignore[no-untyped-call]


_prefer_widest_vectors()
joining.install()
_caching: Any = caching
_caching.IndexDataCacheFile = _CacheFiles
_caching.CacheImpl._locator_classes = [_Locator]
CACHE_FOLDER: Final = _cache_folder()
if CACHE_FOLDER is not None:
    _config.CACHE_DIR = str(CACHE_FOLDER)

_OPTIONS: Final[Any] = {
    "nogil": True,  # the window draws while a search runs
    "cache": CACHE_FOLDER is not None,
    # No reference counts, and so no new arrays inside kernels. Every use of a field of a tuple of arrays counted one up
    # and down: measured, two thirds of the time of a simulation and of an alpha-beta search.
    "_nrt": False,
    "no_cfunc_wrapper": True,  # nobody calls kernels by their addresses; it took a tenth of all compiling
    "error_model": "numpy",  # no check for division by zero in every loop; callers never divide by it
}

Function = TypeVar("Function", bound=Callable[..., Any])

_classes_of: dict[Callable[..., Any], set[type]] = {}
"""The classes that have a version of their own, by the function of all."""


def kernel(function: Function) -> Function:
    """Compile a function with numba on its first call, without the interpreter's lock, cached on disk."""
    return cast(Function, numba.njit(**_OPTIONS)(function))


def inlined(function: Function) -> Function:
    """A `kernel` whose code is always put in place of its call: for short ones in hot loops.

    The optimiser alone decides against it for a function of a hundred instructions, and then the loop around the call
    is not vectorised either.
    """
    return cast(Function, numba.njit(**_OPTIONS, forceinline=True)(function))


def join(function: Callable[..., Any], *arguments: object) -> None:
    """Make the LLVM code of a function for such arguments, which is then there for kernels that call the function."""
    context: Any = cpu_target.typing_context
    cpu_target.target_context.refresh()
    kinds = tuple(map(numba.typeof, arguments))
    with global_compiler_lock:
        context.resolve_function_type(context.resolve_value_type(function), kinds, {})


def implements(
    function_of_all: Callable[..., Any], *state_classes: type, in_place: bool = False
) -> Callable[[Function], Function]:
    """Register the compiled version of a function for one game, or for some of its variants.

    Args:
        function_of_all: such as those of `rules.compiled`; which version a call means is decided, when the caller is
            compiled, by the type of the first argument.
        state_classes: `NamedTuple` classes of the game's states; the function is compiled for each of them.
        in_place: whether the code is always put in place of the call, as that of an `inlined` function is.

    Returns:
        A decorator for a plain function with the arguments of `function_of_all`; it gives back a kernel.
    """

    options: Any = {**_OPTIONS, "forceinline": in_place}
    _classes_of.setdefault(function_of_all, set()).update(state_classes)

    def register(function: Function) -> Function:
        _overload(function_of_all, function, lambda kind: kind in state_classes, options)
        return inlined(function) if in_place else kernel(function)

    return register


def by_default(function: Function) -> Function:
    """Compile the body of a function for every `NamedTuple` class for which `implements` registers nothing else.

    A class registers its versions when its module is imported, before any code that uses the class is compiled.
    """

    _overload(function, function, lambda kind: kind is not None and kind not in _classes_of.get(function, ()), _OPTIONS)
    return function


def _overload(function_of_all: Any, function: Function, fits: Callable[[type | None], bool], options: Any) -> None:
    """Let calls of one function mean another where the class of the first argument fits; None is no `NamedTuple`."""

    @functools.wraps(function)  # numba compares the signatures
    def choose(*types: Any) -> Function | None:
        # numba's type of a named tuple remembers the class as `instance_class`; other types have no such thing.
        return function if fits(getattr(types[0], "instance_class", None)) else None

    with global_compiler_lock:  # else what another thread is compiling could find one function to be two
        numba.extending.overload(function_of_all, jit_options=options)(choose)
