"""Make the kernels that the program ships with: `python -m tools.kernels --out build/kernels`.

One process plays all players, games and rules to find the kernels that Python calls and the types of their arguments.
It writes the LLVM code of each such entry with everything that the entry calls. Other processes compile the entries for
a tier of processors, and the linker makes a library for each tier. The same sources give the same bytes.
"""

import argparse
import hashlib
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from othello.child_process import program_environment, spawn_context
from othello.kernel.precompiled import RESULTS, TIERS, array_name, library_file, tuple_name
from othello.kernel.sources import digest_of_sources
from othello.rules.registry import all_variants

_ALL_TIERS: Final = list(TIERS.get(platform.machine(), {}))
_TARGETS: Final = {
    "x86-64-v4-bitalg": ("x86-64-v4", "-prefer-256-bit,+avx512vpopcntdq,+avx512bitalg"),
    "x86-64-v4": ("x86-64-v4", "-prefer-256-bit"),  # as in `othello.kernel.jit`
    "aarch64": ("generic", ""),
}
"""LLVM's name for the processors of a tier, and additional features."""


# Entries, as LLVM code. Only the process that makes them imports numba.


def _record(folder: Path, players: Sequence[str], games: Sequence[str]) -> None:
    """Write the code of all entries that these players need, and print a line of JSON for each."""
    from othello.kernel import linking
    from tools.every_kernel import play_all

    library: Any = linking._Library
    dispatcher: Any = linking._Kernel
    library._optimize_final_module = lambda _library: None  # faster: this process needs no optimised code
    dispatcher.enable_caching = lambda _kernel: None  # and no cache
    written: set[tuple[str, str]] = set()
    for spec in all_variants():
        if not games or spec.game in games:
            play_all(players, spec)
        for kernel in _kernels():
            function = kernel.py_func
            name = f"{function.__module__}.{function.__qualname__}"
            for kinds in sorted(kernel._entries, key=str):
                types = ", ".join(map(_name, kinds))
                if (name, types) not in written:
                    symbol = f"kernel_{len(written)}"
                    code, result = _entry(kernel, kinds, symbol)
                    (folder / f"{symbol}.bc").write_bytes(code)
                    print(json.dumps([name, types, symbol, result]), flush=True)
                    written.add((name, types))


def _kernels() -> list[Any]:
    """Return all kernels that Python has called, in a fixed order."""
    from othello.kernel import linking

    found = {
        (value.py_func.__module__, value.py_func.__qualname__, value.py_func.__code__.co_firstlineno): value
        for name, module in list(sys.modules.items())
        if name.startswith("othello.")
        for value in vars(module).values()
        if isinstance(value, linking._Kernel) and value._entries
    }
    return [found[key] for key in sorted(found)]


def _name(kind: Any) -> str:
    """Return the name of a numba type in an index."""
    from numba import types
    from numba.np import numpy_support

    if isinstance(kind, types.Array):
        dtype: Any = numpy_support.as_dtype(kind.dtype)
        return array_name(dtype.str, kind.ndim, kind.layout, kind.mutable)
    tuples: Any = types.BaseTuple
    if isinstance(kind, tuples):
        return tuple_name(getattr(kind, "instance_class", tuple), [_name(member) for member in kind])
    return "none" if isinstance(kind, types.NoneType) else str(kind)


def _entry(kernel: Any, kinds: Any, symbol: str) -> tuple[bytes, str]:
    """Return the code of an entry with everything it calls, and the type of its result."""
    from llvmlite import ir
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        joined = kernel._joined(kinds)
        context = kernel.targetctx
        fndesc = joined.fndesc
        result = _name(fndesc.restype)
        if result not in RESULTS:
            raise ValueError(f"{fndesc.qualname} returns {result} to Python")
        library = context.codegen().create_library(symbol)
        library.add_linking_library(joined.library)
        module = library.create_ir_module(symbol)
        slot = ir.IntType(64)
        function = ir.Function(module, ir.FunctionType(ir.IntType(32), [slot.as_pointer()] * 2), symbol)
        builder = ir.IRBuilder(function.append_basic_block())
        slots, out = function.args

        def words() -> Iterator[Any]:
            at = 0
            while True:
                yield builder.load(builder.gep(slots, [ir.Constant(slot, at)]))
                at += 1

        filled = words()
        values = [_value(context, builder, kind, filled) for kind in fndesc.argtypes]
        callee = context.declare_function(module, fndesc)
        status, returned = context.call_conv.call_function(builder, callee, fndesc.restype, fndesc.argtypes, values)
        if result != "none":
            data = context.get_value_as_data(builder, fndesc.restype, returned)
            builder.store(data, builder.bitcast(out, data.type.as_pointer()))
        builder.ret(builder.zext(status.is_error, ir.IntType(32)))
        library.add_ir_module(module)
        return library.whole(), result


def _value(context: Any, builder: Any, kind: Any, slots: Iterator[Any]) -> Any:
    """Return an argument, built from its slots."""
    from llvmlite import ir
    from numba import types
    from numba.np import arrayobj

    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        shape = [next(slots) for _ in range(kind.ndim)]
        data = builder.inttoptr(next(slots), array.data.type)
        width = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        size = ir.Constant(ir.IntType(64), width)
        if kind.layout == "C":
            strides = [size]
            for length in shape[:0:-1]:
                strides.insert(0, builder.mul(strides[0], length))
        else:
            strides = [next(slots) for _ in range(kind.ndim)]
        populate: Any = arrayobj.populate_array
        populate(array, data, shape=shape, strides=strides, itemsize=size, meminfo=None)
        return array._getvalue()
    tuples: Any = types.BaseTuple
    if isinstance(kind, tuples):
        return context.make_tuple(builder, kind, [_value(context, builder, member, slots) for member in kind])
    word = next(slots)
    if isinstance(kind, types.Boolean):
        return builder.trunc(word, ir.IntType(1))
    if kind == types.float64:
        return builder.bitcast(word, ir.DoubleType())
    if kind == types.float32:
        return builder.bitcast(builder.trunc(word, ir.IntType(32)), ir.FloatType())
    width = kind.bitwidth
    return word if width == 64 else builder.trunc(word, ir.IntType(width))


# Machine code of a tier.


def _machine_code(code: Path, tier: str) -> None:
    """Write the machine code of an entry beside its LLVM code."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(code.read_bytes())
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != code.stem:
            value.linkage = "internal"
    target = llvm.Target.from_triple(llvm.get_process_triple())
    cpu, features = _TARGETS.get(tier, (tier, ""))
    machine = target.create_target_machine(cpu=cpu, features=features, opt=3, reloc="pic", codemodel="default")
    for level, vectorises in ((0, False), (3, True)):  # as numba does
        options = llvm.create_pipeline_tuning_options(level)
        options.loop_vectorization = vectorises
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if level == 0:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.run(module, builder)
    _object_file(code, tier).write_bytes(machine.emit_object(module))


def _object_file(code: Path, tier: str) -> Path:
    return code.with_suffix(f".{tier}.o")


def _link(folder: Path, codes: Sequence[Path], tier: str, out: Path) -> None:
    response = folder / "objects"
    response.write_text("\n".join(str(_object_file(code, tier)) for code in codes), encoding="utf-8")
    flags = ["-shared", "-nostdlib", "-Wl,-s", "-Wl,--build-id=none", "-Wl,--no-undefined", "-Wl,-z,noexecstack"]
    subprocess.run(["cc", *flags, "-o", str(library_file(out, tier)), f"@{response}", "-lm", "-lc"], check=True)


def write_index(folder: Path, tier: str, sources: str, entries: Mapping[str, Mapping[str, list[str]]]) -> None:
    """Write the index of a library in a folder, which was made of these sources."""
    with library_file(folder, tier).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    facts = {"tier": tier, "sources": sources, "digest": digest, "entries": entries}
    content = json.dumps(facts, indent=0, sort_keys=True).encode()
    library_file(folder, tier).with_suffix(".json").write_bytes(
        hashlib.sha256(content).hexdigest().encode() + b"\n" + content
    )


def make(out: Path, chosen_tiers: Sequence[str], players: Sequence[str] = (), games: Sequence[str] = ()) -> None:
    """Write libraries and their indices to a folder.

    Args:
        out: the folder.
        chosen_tiers: tiers of this machine's architecture.
        players: only these player types.
        games: only these games.
    """
    out.mkdir(parents=True, exist_ok=True)
    sources = digest_of_sources().hexdigest()  # before anybody edits a source
    entries: dict[str, dict[str, list[str]]] = {}
    codes, compiled = [], []
    with (
        tempfile.TemporaryDirectory() as scratch,
        ProcessPoolExecutor(mp_context=spawn_context()) as processes,
    ):
        for line in _recorded(Path(scratch), players, games):
            kernel, kinds, symbol, result = json.loads(line)
            entries.setdefault(kernel, {})[kinds] = [symbol, result]
            codes.append(Path(scratch, f"{symbol}.bc"))
            compiled += [processes.submit(_machine_code, codes[-1], tier) for tier in chosen_tiers]
        for made in compiled:
            made.result()
        for tier in chosen_tiers:
            _link(Path(scratch), codes, tier, out)
            write_index(out, tier, sources, entries)
            print(f"{library_file(out, tier)}: {len(codes)} kernels, {library_file(out, tier).stat().st_size:,} bytes")


def _recorded(folder: Path, players: Sequence[str], games: Sequence[str]) -> Iterator[str]:
    """Run `_record` in another process with its own cache, for any processor, and return its output."""
    environment = {
        **program_environment(),  # `-m tools.kernels` needs the current folder on the import path
        "OTHELLO_CACHE_DIR": str(folder),
        "OTHELLO_KERNELS": "compile",
        "NUMBA_CPU_NAME": "x86-64-v2" if "x86-64-v2" in _ALL_TIERS else "generic",
        "NUMBA_CPU_FEATURES": "",
        "PYTHONHASHSEED": "0",
    }
    command = [sys.executable, "-m", "tools.kernels", "--record", "--out", str(folder)]
    command += [*(f"--player={name}" for name in players), *(f"--game={name}" for name in games)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield from process.stdout
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.kernels", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/kernels"), help="the folder of the libraries")
    parser.add_argument("--tier", action="append", choices=_ALL_TIERS, help="all tiers where none is named")
    parser.add_argument("--player", action="append", default=[], help="all players where none is named")
    parser.add_argument("--game", action="append", default=[], help="all games where none is named")
    parser.add_argument("--record", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.record:
        _record(arguments.out, arguments.player, arguments.game)
    else:
        make(arguments.out, arguments.tier or _ALL_TIERS, arguments.player, arguments.game)


if __name__ == "__main__":
    _main()
