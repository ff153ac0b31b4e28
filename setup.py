"""Everything is in pyproject.toml but this: files that lie at the top of the repository travel inside the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TOP_LEVEL = ("config.json", "config-schema.json", "assets")


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


setup(cmdclass={"build_py": BuildWithData})
