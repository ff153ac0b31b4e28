"""The decorators of kernels, and names of the compiler for modules with kernels.

If a library of precompiled kernels is used, neither numba nor LLVM is imported. The decorators then look kernels up in
the library, and an inert placeholder replaces the names of the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.kernel.precompiled import LinkedKernel, library

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int64]
Moves: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]  # depends on `Rules.move_bytes`
Words: TypeAlias = NDArray[np.uint64]

if TYPE_CHECKING or library() is None:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    from othello.kernel.jit import default_kernel, implements, inlined, kernel
else:

    class _Unused:
        """Placeholder for the compiler. Any attribute or call returns the placeholder."""

        def __getattr__(self, _name: str) -> _Unused:
            return self

        def __call__(self, *_: object, **__: object) -> _Unused:
            return self

    arrayobj = cgutils = intrinsic = ir = types = _Unused()
    inlined = kernel = LinkedKernel

    def default_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    def implements(*_: object, **__: object) -> Callable[[Callable[..., Any]], LinkedKernel]:
        return LinkedKernel


__all__ = ["arrayobj", "cgutils", "default_kernel", "implements", "inlined", "intrinsic", "ir", "kernel", "types"]
