"""Import contracts: pyproject.toml has the layers, this file the modules that are imported inside functions only.

Forbidden imports are added to a copy of the package, to show that every contract fails when it should.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[1]

ONLY_LAZILY: Final[Mapping[str, tuple[str, ...]]] = {
    # Modules that match the left side do not load those on the right at import, not even indirectly.
    "othello*": ("fcntl", "fsrs", "jsonschema_rs"),
    "othello.__main__": ("othello.cli*",),  # handles an interrupt before it imports the rest
    "othello.cli": ("othello.*",),
    "othello.cli.*": ("othello.bench", "othello.gui*", "othello.tournament.cluster", "pygame*"),
    "othello.cli.[!b]*": ("othello.cli.book*", "othello.engine.*"),  # book commands need the engine
    "othello.cli.arguments": ("numba*", "numpy*", "othello.tournament*", "rich*"),
    "othello.config_file": ("numba*", "numpy*"),
    "othello.gui.*": ("concurrent.futures", "numba*", "subprocess"),
    "othello.gui.game_files": ("PIL",),
    "othello.gui.platform.screen_reader": ("accesskit",),
    "othello.gui.app.app": (
        "othello.gui.app.loop",
        "othello.gui.screens.tournament*",
        "othello.play.worker",
        "othello.tournament*",
    ),
    "othello.play.*": ("numba*",),
    "othello.players.*_player": ("numba*", "numpy*", "othello.engine.*", "othello.search.tree_file"),
    "othello.players.levels": ("numba*", "numpy*", "othello.engine.*"),
    "othello.players.player": ("numba*", "numpy*"),
    "othello.players.player_registry": ("numba*", "numpy*", "othello.engine.*", "othello.rules.*_kernels"),
    "othello.records.*": ("numba*",),
    "othello.store*": ("numba*",),
    "othello.rules.protocol": ("numba*", "numpy*"),
    "othello.rules.registry": ("numba*", "numpy*", "othello.kernel*"),  # so every game
    "othello.tournament.*": ("numba*",),
    "othello.tournament.executor": ("othello.engine.endgame",),
    "othello.tournament.tournament_report": ("matplotlib*",),
    "othello.tournament.tuning": ("matplotlib*",),
}
MAY_WAIT: Final[Mapping[str, tuple[str, ...]]] = {
    # Other modules that may be imported inside functions: those with kernels, and those that are seldom needed.
    "othello.cli.*": ("othello.cli.*", "othello.search.alphabeta", "othello.tournament.*"),
    "othello.cli.trace": ("othello.study.trace_pages",),
    "othello.config_file": ("othello.players.slicing_player",),
    "othello.gui.*": ("othello.gui.*", "pygame"),
    "othello.gui.app.loop": ("othello.store.database",),
    "othello.gui.modes.mode_host": ("othello.study.explorer",),
    "othello.kernel.interrupt": ("concurrent.futures",),
    "othello.kernel.jit": ("importlib.metadata", "othello.kernel.cache_files", "othello.kernel.linking"),
    "othello.kernel.loading": ("othello.kernel.precompiled",),
    "othello.study.store_writer": ("othello.store.database",),
    "othello.study.library": ("othello.store.own_games",),
    "othello.players.*": ("othello.search.*",),
    "othello.players.compilation": ("concurrent.futures", "othello.kernel.*"),
    "othello.players.program_player": ("othello.programs.engine_connection",),
    "othello.programs.program_registry": ("importlib.metadata",),
    "othello.rules.*": ("othello.rules.*",),
    "othello.rules.installed_games": ("importlib.metadata",),
    "othello.search.steps": ("numpy",),
    "othello.search.stop": ("concurrent.futures", "numpy"),
    "othello.tournament.cluster": ("othello.kernel.cache", "othello.kernel.jit"),
    "othello.tournament.tournament_report": ("othello.tournament.plots",),
    "othello.tournament.tuning": ("othello.tournament.plots",),
}
BY_NAME: Final = (
    *("__import__", "import_module", "exec_module", "load_module", "module_from_spec", "resolve_name"),
    *("run_module", "run_path", "exec", "eval"),
)
LOOKS_FOR_FILES: Final = {
    ("othello.kernel.precompiled", "exec"),  # a function for each type of call, which imports nothing
    ("othello.cli.arguments", "resolve_name"),  # the module of a command
    ("othello.gui.dialogs.dialog_registry", "resolve_name"),  # classes of the window, when they are needed
    ("othello.gui.screens.game_screen", "resolve_name"),  # modes, when they are needed
    ("othello.kernel.sources", "resolve_name"),  # the one of importlib, which finds a name and imports nothing
    ("othello.gui.boards.renderer", "import_module"),  # a game's own renderer, if there is one
    ("othello.players.python_class_player", "import_module"),  # a class that a user wrote
    ("othello.programs.program_registry", "othello.players"),  # a group of entry points
    ("othello.rules.othello", "othello.rules.othello.batch_replay"),  # whether it is loaded
}

FORBIDDEN = {
    "game": "othello.players.player",  # a higher layer
    "kernel/bits": "othello.rules.protocol",
    "rules/protocol": "othello.search.report",
    "search/stop": "othello.engine.endgame",
    "gui/preferences": "othello.gui.screen",
    "gui/dialogs/notices": "othello.gui.screens.game_screen",
    "gui/modes/mode": "othello.gui.modes.review.review",
    "texts": "othello.errors",
    "tournament/statistics": "othello.tournament.standings",
    "tournament/executor": "othello.tournament.processes",
    "errors": "pygame",  # a library
    "bench": "distributed",
    "tournament/processes": "dask",
    "records/record": "numba",
    "schema": "othello.rules.othello",
    "search/alphabeta": "othello.rules.othello.playouts",
    "search/mcts": "othello.rules.registry",
    "tournament/tournament_report": "matplotlib",
    "players/mcts_player": "othello.rules.registry",
    "play/session": "rich",
    "gui/screen": "othello.tournament.processes",  # a contract other than the layers
    "gui/platform/log": "othello.play.worker",
    "gui/boards/renderer": "othello.play.session",
    "gui/toolkit/shapes": "othello.play.session",
    "gui/app/loop": "othello.engine.midgame",
    "gui/sounds": "othello.kernel.bits",
    "gui/screens/tournament/standings_text": "othello.tournament.cluster",
    "cli/arguments": "othello.gui.platform.window",
    "play/assessment": "othello.engine.engine",
    "study/game_file_conversion": "othello.players.mcts_player",
    "store/database": "othello.play.session",
    "study/training": "fsrs",
    "tournament/schedule": "othello.play.session",
    "tournament/background": "othello.players.slicing_player",
    "config_file": "othello.kernel.jit",
    "search/newcomer": "othello.rules.othello",
    "players/newcomer": "othello.rules.othello.playouts",
    "rules/newcomer": "othello.search.stop",
    "engine/newcomer": "pygame",
    "tournament/newcomer": "othello.play.worker",
    "cli/newcomer": "othello.gui.app.app",
    "play/newcomer": "othello.engine.engine_levels",
    "gui/boards/newcomer": "othello.play.session",
    "gui/toolkit/newcomer": "othello.rules.protocol",
    "gui/modes/train/train_widgets": "othello.play.session",
    "gui/modes/train/newcomer": "othello.play.worker",
    "gui/modes/review/review_widgets": "othello.tournament.processes",
    "gui/modes/review/newcomer": "othello.engine.win_probability",
}
EAGER = {  # by file: an import that is too early or hidden, and its fault
    "players/engine_player": ("from othello.engine.engine import Engine", "engine_player loads othello.engine.engine"),
    "rules/othello/__init__": ("from othello.rules.othello import othello_kernels", "play.clock loads numba"),
    "cli/__init__": ("import othello.errors", "cli loads othello.errors"),
    "cli/arguments": ("import rich", "cli.arguments loads rich"),
    "gui/app/app": ("try:\n    import othello.gui.app.loop\nfinally:\n    pass", "app loads othello.gui.app.loop"),
    "gui/platform/window": ("class Late:\n    import jsonschema_rs", "window loads jsonschema_rs"),
    "schema": ("import jsonschema_rs", "othello.schema loads jsonschema_rs"),
    "players/heuristic_player": ("def late():\n    import othello.config_file", "lets othello.config_file wait"),
    "play/history": ("def late():\n    from othello.play import referee", "lets othello.play.referee wait"),
    "tournament/executor": ("late = lambda: __import__('othello.gui.app.app')", "executor imports by __import__"),
    "play/session": ("import importlib\nimportlib.import_module('re')", "play.session imports by import_module"),
    "play/players": ("from importlib import import_module as found", "play.players imports by import_module"),
    "play/clock": ("exec('import othello.gui')", "play.clock imports by exec"),
    "gui/preferences": ("import sys\nsys.modules['othello.play.session']", "imports by othello.play.session"),
}


def module_name(file: str) -> str:
    """`othello.gui.app.app` for `gui/app`."""
    return f"othello/{file}".removesuffix("/__init__").replace("/", ".")


def lint(folder: Path) -> str:
    """Return the report of import-linter for a folder; empty if all contracts are kept."""
    lint_imports = Path(sys.executable).with_name("lint-imports")
    wide = {**os.environ, "COLUMNS": "400"}  # otherwise long lines are wrapped
    ran = subprocess.run([str(lint_imports)], capture_output=True, text=True, check=False, cwd=folder, env=wide)
    return ran.stdout if ran.returncode else ""


def test_every_contract_is_kept() -> None:
    assert lint(ROOT) == ""


def test_forbidden_imports_and_files_without_a_layer_are_reported(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "othello", tmp_path / "othello", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, module in FORBIDDEN.items():
        path = tmp_path / "othello" / f"{file}.py"
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        with path.open("a", encoding="utf-8") as source:
            source.write(f"import {module}\n")
    without_layer = ["newcomer", "gui/newcomer", "search/newcomer", "tournament/newcomer"]
    for file in without_layer:
        (tmp_path / "othello" / f"{file}.py").touch()
    report = lint(tmp_path)
    assert [file for file, module in FORBIDDEN.items() if f"{module_name(file)} -> {module} (l." not in report] == []
    assert [file for file in without_layer if f"- {module_name(file)}\n" not in report] == []


@cache
def sources() -> Mapping[str, str]:
    """Return the text of every module."""
    package = ROOT / "othello"
    files = {path.relative_to(package).with_suffix("").as_posix(): path for path in package.rglob("*.py")}
    return {module_name(file): path.read_text(encoding="utf-8") for file, path in sorted(files.items())}


def imports_of(node: ast.AST, is_lazy: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield every imported module, and whether it is imported inside a function. Skip imports for type checkers."""
    for part in ast.iter_child_nodes(node):
        match part:
            case ast.expr():
                pass  # has no import statements
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                for other in part.orelse:
                    yield from imports_of(other, is_lazy)
            case ast.Import():
                yield from ((alias.name, is_lazy) for alias in part.names)
            case ast.ImportFrom(module=str(module)):
                names = [f"{module}.{alias.name}" for alias in part.names]
                yield from ((name if name in sources() else module, is_lazy) for name in names)
            case _:
                yield from imports_of(part, is_lazy or isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))


def imports_by_name(tree: ast.AST) -> Iterator[str]:
    """Yield what can import modules without an import statement: functions such as `exec`, and module names as text."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name in BY_NAME:
                yield name
            case ast.Constant(value=str(text)) if "." in text and text in sources():
                yield text
            case ast.ImportFrom(level=level) if level:
                yield "." * level


@cache
def read(text: str) -> tuple[frozenset[tuple[str, bool]], frozenset[str]]:
    """Return the imports of a module with this text, and the results of `imports_by_name`."""
    tree = ast.parse(text)
    return frozenset(imports_of(tree)), frozenset(imports_by_name(tree))


def faults_of(texts: Mapping[str, str]) -> list[str]:
    """Return imports that are too early, imports inside functions without need, and imports by name."""
    at_top = {name: {found for found, is_lazy in read(text)[0] if not is_lazy} for name, text in texts.items()}
    faults = []
    for name, text in texts.items():
        early = matching(name, ONLY_LAZILY)
        late = (*early, *matching(name, MAY_WAIT))
        imports, means = read(text)
        faults += [f"{name} loads {found}" for found in loaded(name, at_top) if name != found and fits(found, early)]
        faults += [f"{name} lets {found} wait" for found, is_lazy in imports if is_lazy and not fits(found, late)]
        faults += [f"{name} imports by {found}" for found in means if (name, found) not in LOOKS_FOR_FILES]
    return faults


def loaded(name: str, at_top: Mapping[str, set[str]]) -> set[str]:
    """Return all modules that are loaded with a module, by imports at module level."""
    found: set[str] = set()
    waiting = {name}
    while waiting:
        found.add(one := waiting.pop())
        package = {one.rpartition(".")[0]} - {""}
        waiting |= (at_top.get(one, set()) | package) - found
    return found


def matching(name: str, table: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(module for pattern, row in table.items() if fnmatchcase(name, pattern) for module in row)


@cache
def fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@pytest.mark.slow
def test_only_listed_modules_are_imported_late() -> None:
    assert faults_of(sources()) == []


def test_every_line_of_the_tables_is_needed() -> None:
    """The tables name no module that does not exist."""
    imported = {name: {found for found, is_lazy in read(text)[0] if is_lazy} for name, text in sources().items()}
    for pattern, row in MAY_WAIT.items():
        used = {found for name, several in imported.items() if fnmatchcase(name, pattern) for found in several}
        for module in row:
            assert any(fnmatchcase(found, module) for found in used), (pattern, module)
    for pattern in ONLY_LAZILY:
        assert any(fnmatchcase(name, pattern) for name in sources()), pattern


def test_imports_that_are_too_early_or_hidden_are_found() -> None:
    code = {module_name(file): source for file, (source, _) in EAGER.items()}
    faults = faults_of({name: f"{text}\n{code.get(name, '')}\n" for name, text in sources().items()})
    assert [fault for _, fault in EAGER.values() if not any(found.endswith(fault) for found in faults)] == []
