"""A faster way from kernels to machine code, by means of numba's private parts.

Plain numba makes machine code of every function, with a wrapper for calls from Python, and optimises a function again
in every caller: the kernels of the engine then take twice as long. Here a kernel that another kernel calls remains LLVM
code and is linked into its callers. A kernel that Python calls gets an entry: a wrapper, linked with all code that it
reaches, which LLVM optimises as one module. Type inference is faster, too, because its results are cached.

`othello.kernel.jit` leaves this module out if numba has another version than those that it was tested with.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import llvmlite.binding
from numba.core import event, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import dispatcher_registry, target_registry
from numba.core.targetconfig import ConfigStack

# The event of numba that machine code of a kernel is made; `benchmarks.compile_costs` measures its time.
ENTRY_EVENT: Final = "othello:entry"
_CPU: Final = target_registry["cpu"]
_llvm: Any = llvmlite.binding
_Flags: Any = Flags
_Stack: Any = ConfigStack
_Dispatcher: Any = CPUDispatcher


class _Library(JITCodeLibrary):
    """The code of a function. It is linked with the code of its callees only when machine code is needed."""

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._link(self._final_module)
        for function in self._final_module.functions:
            if function.linkage == _llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
        self._optimize_final_module()  # type: ignore[no-untyped-call]
        self._final_module.verify()
        self._finalize_final_module()  # type: ignore[no-untyped-call]

    def whole(self) -> bytes:
        """Return the bitcode of this function and all its callees."""
        return bytes(self._link(self._final_module.clone()).as_bitcode())

    def _link(self, module: Any) -> Any:
        """Link all callees into a module, callers first, because LLVM takes only functions that are called already."""
        libraries: dict[_Library, None] = {}
        self._append_to(libraries)
        _, *callees = reversed(libraries)
        for library in callees:
            module.link_in(library._for_callers(), preserve=True)
        return module

    def _append_to(self, libraries: dict[_Library, None]) -> None:
        """Append this library after its callees, each once."""
        for library in self._linking_libraries:
            if library not in libraries:
                library._append_to(libraries)
        libraries[self] = None

    def _for_callers(self) -> Any:
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage == _llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared_module

    def serialize_using_object_code(self) -> Any:
        """Return the machine code without LLVM code, because entries are never linked."""
        symbols = [function.name for function in self._final_module.functions if not function.is_declaration]
        return self.name, self._get_compiled_object(), symbols  # type: ignore[no-untyped-call]

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, machine_code, symbols = state
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return library


class _JoinedFiles(CompileResultCacheImpl):
    def check_cachable(self, _joined: Any) -> bool:
        return True

    def reduce(self, joined: Any) -> Any:
        joined.fndesc.typemap = joined.fndesc.calltypes = None  # cannot be pickled, and are not needed after linking
        return zlib.compress(joined.library.whole(), 1), joined.fndesc, joined.environment, joined.signature

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        code, fndesc, environment, signature = payload
        library = target_context.codegen().create_library(fndesc.qualname)
        library._final_module = _llvm.parse_bitcode(zlib.decompress(code))
        facts: dict[str, Any] = dict.fromkeys(CompileResult._fields)
        known = {"library": library, "fndesc": fndesc, "environment": environment, "signature": signature}
        return CompileResult(**{**facts, **known, "target_context": target_context, "entry_point": object()})


class _JoinedCache(FunctionCache):
    _impl_class = _JoinedFiles

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return "joined", super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]


class _Kernel(_Dispatcher):  # type: ignore[misc]
    """A function that kernels call as LLVM code and Python calls by an entry.

    `overloads` holds the code for kernels.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._entries: dict[Any, Any] = {}
        self._can_compile = True
        self._joined_cache: Any = None
        self._compiler._customize_flags = _without_machine_code

    def enable_caching(self) -> None:
        super().enable_caching()
        self._joined_cache = _JoinedCache(self.py_func)  # type: ignore[no-untyped-call]

    def get_call_template(self, args: Any, kws: Any) -> Any:
        with global_compiler_lock:
            self._joined(tuple(self._compiler.fold_argument_types(args, kws)[1]))
            compiles, self._can_compile = self._can_compile, False  # the code for kernels exists already
            try:
                return super().get_call_template(args, kws)
            finally:
                self._can_compile = compiles

    def compile(self, sig: Any) -> Any:
        """Return the entry for arguments of these types."""
        with global_compiler_lock:
            if sig not in self._entries:
                entry = self._cache.load_overload(sig, self.targetctx)
                if entry is None:
                    self._cache_misses[sig] += 1
                    joined = self._joined(sig)
                    with event.trigger_event(ENTRY_EVENT, {"dispatcher": self}):
                        entry = self._new_entry(joined)
                    self._cache.save_overload(sig, entry)
                else:
                    self._cache_hits[sig] += 1
                self._insert([kind._code for kind in sig], entry.entry_point, False)
                self._entries[sig] = entry
            return self._entries[sig].entry_point

    def _joined(self, kinds: Any) -> Any:
        """Return the LLVM code for arguments of these types."""
        if kinds not in self.overloads:
            cache = self._joined_cache
            joined = None if cache is None else cache.load_overload(kinds, self.targetctx)
            if joined is None:
                facts = {"dispatcher": self, "args": kinds, "return_type": None}
                with self._compiling_counter, event.trigger_event("numba:compile", facts):
                    joined = self._compiler.compile(kinds, None)._replace(entry_point=object())
                    if cache is not None:
                        cache.save_overload(kinds, joined)
            self.targetctx.insert_user_function(joined.entry_point, joined.fndesc, [joined.library])
            self.overloads[kinds] = joined
        return self.overloads[kinds]

    def _new_entry(self, joined: Any) -> Any:
        context = self.targetctx
        library = context.codegen().create_library(joined.library.name)
        library.enable_object_caching()
        library.add_linking_library(joined.library)
        flags = _Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        with context.push_code_library(library), _Stack().enter(flags):
            context.create_cpython_wrapper(library, joined.fndesc, joined.environment, None, flags.release_gil)
        function = context.get_executable(library, joined.fndesc, joined.environment)
        return joined._replace(library=library, entry_point=function, type_annotation="", lifted=(), reload_init=())


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = flags.no_cpython_wrapper = True
    return flags


_signatures: Final[dict[Any, Any]] = {}


def _cached(find: Callable[..., Any]) -> Callable[..., Any]:
    """Cache the result types of calls of numba's own functions in kernels, which count no references."""

    def find_once(function: Any, context: Any, args: Any, kws: Any) -> Any:
        flags = _Stack.top_or_none()
        if flags is None or flags.nrt:
            return find(function, context, args, kws)
        key = function, args, tuple(kws.items())
        if key not in _signatures:
            _signatures[key] = find(function, context, args, kws)
        return _signatures[key]

    return find_once


def install() -> None:
    """Make numba compile in this way."""
    functions: Any = types.Function
    find_signature = _cached(functions.get_call_type)
    dispatcher_registry.pop(_CPU)
    dispatcher_registry[_CPU] = _Kernel
    JITCPUCodegen._library_class = _Library
    functions.get_call_type = find_signature
    with suppress(AttributeError):  # numba measures the time of every LLVM call, which is not used
        for callbacks in list(_llvm.ffi.lib._lock._cblist):
            _llvm.ffi.unregister_lock_callback(*callbacks)
