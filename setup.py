"""Everything is in pyproject.toml but this: files that lie at the top of the repository travel inside the package."""

import os
import re
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

TOP_LEVEL = ("config.json", "config-schema.json", "assets")
KERNELS = Path(os.environ.get("OTHELLO_BUILD_KERNELS") or "build/kernels")
"""Compiled kernels, made by `tools.kernels`. A wheel that includes them is for one kind of machine."""
HOMEPAGE = os.environ.get("OTHELLO_HOMEPAGE")


class BuildWithData(build_py):
    """Copies the top-level data to `othello/data`, where `othello.resources` finds it once installed."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # a checkout has them where they are
        data = Path(self.build_lib) / "othello" / "data"
        data.mkdir(parents=True, exist_ok=True)
        for name in TOP_LEVEL:
            source = Path(name)
            if source.is_dir():
                shutil.copytree(source, data / name, dirs_exist_ok=True)
            else:
                shutil.copy2(source, data / name)
        if KERNELS.is_dir():
            shutil.copytree(KERNELS, data / "kernels", dirs_exist_ok=True)


class WithKernels(Distribution):
    """Says whether code for one kind of machine is among the files."""

    def has_ext_modules(self) -> bool:
        return KERNELS.is_dir() or super().has_ext_modules()


class AnyPython(bdist_wheel):
    """A wheel for all versions of Python, with the platform tag of PEP 600 if it includes kernels."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        if platform.startswith("linux_"):
            code = b"".join(path.read_bytes() for path in KERNELS.rglob("*.so"))
            glibc = max(map(int, re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", code)), default=17)
            platform = platform.replace("linux", f"manylinux_2_{max(17, glibc)}")
        return "py3", "none", platform


setup(
    cmdclass={"build_py": BuildWithData, "bdist_wheel": AnyPython},
    distclass=WithKernels,
    project_urls={"Homepage": HOMEPAGE} if HOMEPAGE else {},
)
