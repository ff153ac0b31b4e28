"""Collect the licences of all bundled works: as files in the program's folder, and as a list for the window."""

import json
import platform
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final, NamedTuple

_LICENCE_FILE: Final = re.compile(r"(^|/)(licen[cs]e|copying|notice|authors|lgpl)[^/]*$", re.IGNORECASE)
_CLASSIFIER: Final = "License :: OSI Approved :: "


class Part(NamedTuple):
    """A bundled work."""

    name: str  # with the version, if there is one
    licence: str


class Library(NamedTuple):
    """A C library that a wheel or Python contains.

    Attributes:
        name: of the library.
        files: pattern of its file names after "lib".
        licence: name of its licence.
        told: its copyright notice, or the file beside this one that contains it.
    """

    name: str
    files: str
    licence: str
    told: str


_XIPH: Final = "BSD-3-Clause"
LIBRARIES: Final = (
    Library("brotli", "brotli", "MIT", "pillow.txt"),
    Library("FLAC", "FLAC", _XIPH, "2000-2009 Josh Coalson, 2011-2025 Xiph.Org Foundation"),
    Library("FluidSynth", "fluidsynth", "LGPL-2.1-or-later", "pygame-ce.txt; source: https://www.fluidsynth.org"),
    Library("FreeType", "freetype", "FTL", "pillow.txt"),
    Library("GCC runtime", "(gfortran|quadmath)", "GPL-3.0-or-later WITH GCC-exception-3.1", "numpy.txt"),
    Library("HarfBuzz", "harfbuzz", "MIT-Modern-Variant", "pillow.txt"),
    Library("libffi", "ffi", "MIT", "1996-2024 Anthony Green, Red Hat, Inc and others"),
    Library("libjpeg-turbo", "jpeg", "IJG AND BSD-3-Clause AND Zlib", "pillow.txt"),
    Library("libogg", "ogg", _XIPH, "2002 Xiph.org Foundation"),
    Library("libpng", "png", "libpng-2.0", "pillow.txt"),
    Library(
        "libsndfile", "sndfile", "LGPL-2.1-or-later", "pygame-ce.txt; source: https://libsndfile.github.io/libsndfile"
    ),
    Library("libtiff", "tiff", "libtiff", "pillow.txt"),
    Library("libvorbis", "vorbis", _XIPH, "2002-2020 Xiph.org Foundation"),
    Library("libwebp", "(webp|sharpyuv)", _XIPH, "pillow.txt"),
    Library("libXau, libxcb", "(Xau|xcb)", "MIT", "pillow.txt"),
    Library("libxmp", "xmp", "MIT", "1996-2025 Claudio Matsuoka and Hipolito Carraro Jr"),
    Library("mpg123", "mpg123", "LGPL-2.1-only", "pygame-ce.txt; source: https://mpg123.org"),
    Library("OpenBLAS", "scipy_openblas", _XIPH, "numpy.txt"),
    Library("OpenJPEG", "openjp2", "BSD-2-Clause", "pillow.txt"),
    Library("OpenSSL", "crypto", "Apache-2.0", "1998-2025 The OpenSSL Project Authors; text: accesskit.txt"),
    Library("Opus", "opus-", _XIPH, "2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin and others"),
    Library("opusfile", "opusfile", _XIPH, "1994-2013 Xiph.Org Foundation and contributors"),
    Library("SDL", "SDL2", "Zlib", "1997-2025 Sam Lantinga; with SDL_image, SDL_mixer and SDL_ttf"),
    Library("SQLite", "sqlite3", "blessing", "in the public domain: https://sqlite.org/copyright.html"),
    Library("WavPack", "wavpack", _XIPH, "1998-2025 David Bryant"),
    Library("XZ", "lzma", "0BSD", "pillow.txt"),
    Library("zlib", "z[.-]", "Zlib", "pillow.txt"),
    Library("Zstandard", "zstd", _XIPH, "pillow.txt"),
)
_LIBRARY: Final = re.compile(r"lib(?!python)(.*)" if sys.platform != "win32" else r"(?:lib)?(.*)")

_BSD: Final = """\
BSD-3-Clause

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

- Redistributions of source code must retain the above copyright notice, this list of conditions and the following
  disclaimer.
- Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
  disclaimer in the documentation and/or other materials provided with the distribution.
- Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
  derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""


def collect(folder: Path, source: Path, data: Path, names: tuple[str, ...]) -> None:
    """Write the licences of a frozen program.

    Args:
        folder: of the program; it gets a folder `licences`.
        source: folder of this program's own `LICENSE`.
        data: folder in which the window looks for `licences.json`.
        names: distributions whose code is in the folder.

    Raises:
        ValueError: a library is unknown, or a distribution has no licence.
    """
    texts = folder / "licences"
    texts.mkdir()
    shutil.copyfile(source / "LICENSE", texts / "othello.txt")
    shutil.copyfile(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", texts / "python.txt")
    shutil.copyfile(source / "assets" / "fonts" / "OFL.txt", texts / "noto-sans.txt")
    parts = [Part(f"Python {platform.python_version()}", "PSF-2.0"), Part("Noto Sans", "OFL-1.1")]
    for one in map(distribution, names):
        name = one.metadata["Name"].lower()
        parts.append(Part(f"{name} {one.version}", _licence(one)))
        (texts / f"{name}.txt").write_text("\n\n".join(_texts(one)), encoding="utf-8")
    found = sorted({library for path in folder.rglob("*") for library in _libraries(path.name)})
    parts += [Part(library.name, library.licence) for library in found]
    lines = [f"{library.name}: {library.licence}\n    {library.told}" for library in found]
    lines += ["\nThe licence of a library whose holders are named here is the one below, or of one line there.\n", _BSD]
    mit = (texts / "othello.txt").read_text(encoding="utf-8").partition("\n\n")[2].partition("\n\n")[2]
    (texts / "libraries.txt").write_text("\n".join([*lines, "MIT\n", mit]), encoding="utf-8")
    table = "".join(f"{part.name}: {part.licence}\n" for part in parts)
    (texts / "README.txt").write_text(f"What this folder bundles, and by which licences.\n\n{table}", encoding="utf-8")
    (data / "licences.json").write_text(json.dumps([part._asdict() for part in parts], indent=0), encoding="utf-8")


def _libraries(file: str) -> Iterator[Library]:
    """Return the libraries that a file belongs to."""
    if not re.search(r"\.(so(\.[\d.]+)?|dylib|dll)$", file) or not (named := _LIBRARY.match(file)):
        return
    known = [library for library in LIBRARIES if re.match(library.files, named[1])]
    if not known and sys.platform == "linux":
        raise ValueError(f"nobody knows whose {file} is: name it in {__file__}")
    yield from known


def _licence(one: Distribution) -> str:
    """Return the licence from a distribution's metadata, in any of three formats."""
    said = one.metadata
    if said["Name"] == "pyinstaller":
        return "GPL-2.0-or-later WITH Bootloader-exception"
    classified = [text.removeprefix(_CLASSIFIER) for text in said.get_all("Classifier", []) if _CLASSIFIER in text]
    for told in (*said.get_all("License-Expression", []), *said.get_all("License", []), *classified):
        if told and "\n" not in told:
            return str(told)
    if names := {path.name.removeprefix("LICENSE-") for path in one.files or () if "/LICENSE-" in path.as_posix()}:
        return " OR ".join(sorted(names))
    raise ValueError(f"{said['Name']} has no licence")


def _texts(one: Distribution) -> Iterator[str]:
    files = [path for path in one.files or () if _LICENCE_FILE.search(path.as_posix())]
    if not files:  # such as jsonschema-rs 0.60
        if _licence(one) != "MIT":
            raise ValueError(f"{one.metadata['Name']} brings no licence along")
        author = one.metadata["Author"] or one.metadata["Author-email"]
        mit = (
            (Path(__file__).parents[1] / "LICENSE")
            .read_text(encoding="utf-8")
            .partition("\n\n")[2]
            .partition("\n\n")[2]
        )
        yield f"MIT License\n\nCopyright (c) {author}\n\n{mit}"
    for path in sorted(files):
        yield f"== {path.name}\n\n{path.read_text(encoding='utf-8')}"
