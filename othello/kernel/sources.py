"""The source files of kernels. Compiled code is valid only for the code that it was made of, comments aside.

The code of a kernel follows from its module and the modules that this one imports. It also depends on the types of the
arguments: `implements` chooses functions by the classes of named tuples. Files are read when the first kernel of their
package is declared, so that code in memory is never taken for that of a file which was edited later.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from hashlib import _Hash

_PACKAGE: Final = Path(__file__).parents[1]
_OWN: Final = _PACKAGE.name

_contents: Final[dict[Path, bytes]] = {}
_folders: Final[dict[str, Path]] = {}  # of packages whose files have been read
_implementers: Final[dict[str, set[str]]] = {}  # modules with implementations for the classes of a module


class _Code(NamedTuple):
    """The code of a file."""

    digest: str  # without comments and docstrings
    imports: frozenset[str]  # names of modules, and names that may be modules
    places: dict[int, int]  # by first line of a function: its place among the functions of the same name


def kernel_sources() -> list[Path]:
    """Return all files of this program that kernels are compiled from."""
    folders = (_PACKAGE / folder for folder in ("engine", "kernel", "rules", "search"))
    return [_PACKAGE / "bench.py", *(source for folder in folders for source in sorted(folder.rglob("*.py")))]


def digest_of_sources() -> _Hash:
    """Return a SHA-256 object that has hashed all kernel sources; the caller may hash more."""
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest


def read_sources(module: str) -> None:
    """Read the files of the package of a module with kernels, unless that has been done."""
    package = module.partition(".")[0]
    if package in _folders:
        return
    if package == _OWN:
        folder, files = _PACKAGE, kernel_sources()
    elif hasattr(sys.modules[package], "__path__"):
        folder = Path(next(iter(sys.modules[package].__path__)))
        files = [*folder.rglob("*.py")]
    else:
        file = Path(getattr(sys.modules[package], "__file__", None) or package)
        folder, files = file.with_suffix(""), [file]
    _folders[package] = folder
    _contents.update((file, file.read_bytes()) for file in files if file.is_file())


def add_implementer(state_class: type, module: str) -> None:
    """Note that a module has implementations of generic functions for a class."""
    _implementers.setdefault(state_class.__module__, set()).add(module)


def code_digest(modules: frozenset[str]) -> str:
    """Return a digest of the code in modules and in all that it depends on: imported modules and implementations."""
    return _code_digest(modules, sum(map(len, _implementers.values())))


@cache
def _code_digest(modules: frozenset[str], _implementations: int) -> str:
    found: dict[str, str] = {}
    waiting = [*modules]
    while waiting:
        module = waiting.pop()
        file = None if module in found else _file_of(module)
        if file is not None:
            code = _code_of(file, module)
            found[module] = code.digest
            waiting += (*code.imports, *_implementers.get(module, ()))
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def place_of(module: str, name: str, first_line: int) -> str:
    """Return the place of a function among those of its name in a module, or its line if it is in no file."""
    file = _file_of(module)
    places = {} if file is None else _code_of(file, module).places
    return f"{places.get(first_line, first_line)}"


def _file_of(module: str) -> Path | None:
    """Return the file of a module, None if it is not a source of kernels."""
    package, *names = module.split(".")
    if package not in _folders:
        return None
    path = _folders[package].joinpath(*names)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file in _contents), None)


@cache
def _code_of(file: Path, module: str) -> _Code:
    tree = ast.parse(_contents[file])
    parent = module if file.name == "__init__.py" else module.rpartition(".")[0]
    imports, places, counts = set[str](), dict[int, int](), dict[str, int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first_line = min((node.lineno, *(decorator.lineno for decorator in node.decorator_list)))
            places[first_line] = counts.setdefault(node.name, 0)
            counts[node.name] += 1
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [statement for statement in node.body if not _is_text(statement)]
        imports.update(_imported(node, parent))
    return _Code(hashlib.sha256(ast.dump(tree).encode()).hexdigest(), frozenset(imports), places)


def _is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)


def _imported(node: ast.AST, parent: str) -> Iterator[str]:
    """Yield the names of the modules that a statement may import. `parent`: the package of its module."""
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = resolve_name("." * node.level + (node.module or ""), parent)
        yield base
        yield from (f"{base}.{name.name}" for name in node.names)
