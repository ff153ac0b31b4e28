"""A cache for numba that several processes can write at the same time.

This needs private parts of numba; `othello.kernel.jit` leaves it out if they are missing.
"""

import hashlib
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from numba.core import caching

from othello.kernel.cache import DIGEST_BYTES, files_in_use, is_intact, warn_unwritable, with_digest
from othello.kernel.loading import NotCompiledError, only_loads

_PACKAGE: Final = Path(__file__).parents[1]
_caching: Any = caching


class _CacheFiles(caching.IndexDataCacheFile):
    """Files with the compiled code of a function, one for each signature, without numba's index.

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
        digest = hashlib.sha256(repr((self._source_stamp, key)).encode())
        return Path(self._cache_path, f"{self._index_name.removesuffix('.nbi')}.{digest.hexdigest()[:16]}.nbc")


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

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            super().ensure_cache_path()  # type: ignore[no-untyped-call]


def install() -> None:
    """Make numba use these files."""
    _caching.CacheImpl._locator_classes = [_Locator]
    _caching.IndexDataCacheFile = _CacheFiles
