"""A cache for numba that several processes can write at the same time.

This needs private parts of numba; `othello.kernel.jit` leaves it out if they are missing.
"""

import hashlib
import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from numba.core import caching

from othello.kernel.cache import DIGEST_BYTES, files_in_use, is_intact, warn_unwritable, with_digest
from othello.kernel.loading import NotCompiledError, only_loads
from othello.kernel.sources import code_digest, place_of

_STATES_KEPT: Final = 4  # of the code of a function for one signature
_PACKAGE: Final = Path(__file__).parents[1]
_caching: Any = caching


class _CacheFiles(caching.IndexDataCacheFile):
    """Files with the compiled code of a function, without numba's index: one for each signature and state of the code.

    With the index, two processes that compile at the same time can give one file name to two signatures. Also, reading
    the index imports the modules of all states that the function was ever compiled for. These modules register
    functions while others are being compiled, and the compiler then takes one function for two.
    """

    def save(self, key: Any, data: Any) -> None:
        content = self._dump(data)  # type: ignore[no-untyped-call]
        path = self._path_for(key)
        try:
            with self._open_for_write(path) as file:
                file.write(with_digest(content))
            files_in_use.add(path)
            self._sweep(path)
        except OSError as error:
            warn_unwritable(path.parents[1], error.strerror)

    def load(self, key: Any) -> Any:
        path = self._path_for(key)
        with suppress(OSError):  # not compiled yet, or cannot be read
            entry = path.read_bytes()
            if is_intact(entry):
                files_in_use.add(path)
                return pickle.loads(entry[DIGEST_BYTES:])
            path.unlink()
        if only_loads():
            raise NotCompiledError
        return None

    def _path_for(self, key: Any) -> Path:
        module = self._source_stamp
        signature = hashlib.sha256(repr((module, key)).encode()).hexdigest()
        code = code_digest(frozenset((module, *_modules_in(key))))
        name = self._index_name.removesuffix(".nbi")
        return Path(self._cache_path, f"{name}.{signature[:16]}.{code[:16]}.nbc")

    def _sweep(self, path: Path) -> None:
        """Delete the oldest code of the same function and signature."""
        same = path.parent.glob(f"{path.name.rsplit('.', 2)[0]}.*.nbc")
        for stale in sorted(same, key=lambda file: -file.lstat().st_mtime)[_STATES_KEPT:]:
            stale.unlink(missing_ok=True)


def _modules_in(key: Any) -> Iterator[str]:
    """Yield the modules of the classes of named tuples in the types of a key."""
    if hasattr(key, "instance_class"):
        yield key.instance_class.__module__
    for member in key if isinstance(key, tuple) else getattr(key, "types", ()):
        yield from _modules_in(member)


class _Locator(caching.UserProvidedCacheLocator):
    """Names the folder of a function's files after the package of its source, wherever that is installed.

    The folder may be read-only: `_CacheFiles` then logs a warning.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        folder = Path(py_file).parent
        if folder.is_relative_to(_PACKAGE):
            return ".".join(folder.relative_to(_PACKAGE.parent).parts)
        return cast(str, super().get_suitable_cache_subpath(py_file))  # type: ignore[no-untyped-call]

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[no-untyped-call]
        self._function = py_func

    def get_source_stamp(self) -> str:
        return str(self._function.__module__)

    def get_disambiguator(self) -> str:
        function = self._function
        return place_of(function.__module__, function.__name__, function.__code__.co_firstlineno)

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            super().ensure_cache_path()  # type: ignore[no-untyped-call]


def install() -> None:
    """Make numba use these files."""
    _caching.CacheImpl._locator_classes = [_Locator]
    _caching.IndexDataCacheFile = _CacheFiles
