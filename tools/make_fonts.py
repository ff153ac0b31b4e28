"""Reduce the Japanese fonts to the characters that the program uses: `python -m tools.make_fonts FOLDER`.

FOLDER has the complete `NotoSansJP-Regular.otf` and `NotoSansJP-Bold.otf` (version 2.002), for example from the package
`pygame_gui`. The reduced fonts contain JIS X 0208 and half-width katakana, with unchanged glyphs. Needs `fonttools`.
The other fonts in `assets/fonts` are complete copies of Noto Sans 2.013.
"""

import argparse
from pathlib import Path
from typing import Final

from fontTools import subset

_OUT: Final = Path(__file__).parents[1] / "assets" / "fonts"
_HALF_WIDTH: Final = range(0xFF61, 0xFFA0)
_VARIANTS: Final = "\u301c\uff0d\u2225\uff5e\u00a2\u00a3\u00ac"  # alternative code points of characters of JIS X 0208


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.make_fonts", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="holds the complete fonts")
    folder: Path = parser.parse_args().folder
    text = "".join(map(chr, (*range(0x20, 0x7F), *_HALF_WIDTH))) + _VARIANTS + jis_x_0208()
    for weight in ("Regular", "Bold"):
        name = f"NotoSansJP-{weight}.otf"
        options = subset.Options(layout_features=["kern", "ccmp", "locl"], notdef_outline=True)
        font = subset.load_font(str(folder / name), options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=text)
        subsetter.subset(font)
        subset.save_font(font, str(_OUT / name), options)


def jis_x_0208() -> str:
    """Return the characters of JIS X 0208, from the two-byte codes of EUC-JP."""
    pairs = (bytes((row, cell)) for row in range(0xA1, 0xF5) for cell in range(0xA1, 0xFF))
    return "".join(pair.decode("euc_jp", errors="ignore") for pair in pairs)


if __name__ == "__main__":
    main()
