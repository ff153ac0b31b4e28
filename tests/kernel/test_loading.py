"""Processes that may load compiled code but not compile."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

_PROGRAM: Final = """
from kernels_of_a_test import double
from othello.kernel.loading import NotCompiledError, only_loading

try:
    with only_loading():
        print(double(21))
except NotCompiledError:
    print("none")
print(double(21))
"""


def test_code_that_no_cache_has_is_not_compiled_where_it_may_only_be_loaded(tmp_path: Path) -> None:
    kernel = (
        "from othello.kernel.jit import kernel\n\n@kernel\ndef double(number: int) -> int:\n    return 2 * number\n"
    )
    (tmp_path / "kernels_of_a_test.py").write_text(kernel)
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    environment = {**os.environ, "OTHELLO_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": paths}
    for expected in (["none", "42"], ["42", "42"]):
        found = subprocess.check_output([sys.executable, "-c", _PROGRAM], env=environment, text=True)
        assert found.split() == expected
