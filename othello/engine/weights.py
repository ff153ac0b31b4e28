"""The file of evaluation weights: compressed, without pickle, and verified by a digest.

A header names the format and has the SHA-256 of the rest: the weights of all stages, one for all mirror images, each
stage as the difference from the one before, low and high bytes separate, compressed with zlib.
"""

import hashlib
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.patterns import SHAPES, STAGES, WEIGHTS, shared_weights
from othello.errors import OutputError, WeightsError, errors_as
from othello.files import read_start, write_bytes
from othello.resources import asset, cache_folder

# Weights are in 1 / UNITS discs.
UNITS: Final = 32

_MAGIC: Final = b"othello weights 1\n"
_LAYOUT: Final = hashlib.sha256(repr((tuple(SHAPES.values()), STAGES, WEIGHTS)).encode()).digest()
_DIGEST_SIZE: Final = 32
_MAX_BYTES: Final = 16_000_000


def pack(weights: NDArray[np.int16]) -> bytes:
    """Return the content of a file for weights of shape (STAGES, shared weights)."""
    differences = np.diff(weights, axis=0, prepend=np.int16(0)).astype("<i2")
    planes = np.frombuffer(differences.tobytes(), np.uint8).reshape(-1, 2).T
    body = _LAYOUT + zlib.compress(planes.tobytes(), 9)
    return _MAGIC + hashlib.sha256(body).digest() + body


def unpack(content: bytes) -> NDArray[np.int16]:
    """Return the weights in the shape (STAGES, WEIGHTS) from the content of a file.

    Raises:
        WeightsError: the content is damaged, of another format, or for other patterns.
    """
    start = len(_MAGIC) + _DIGEST_SIZE
    body = content[start:]
    if not content.startswith(_MAGIC):
        raise WeightsError("weights_foreign")
    if hashlib.sha256(body).digest() != content[len(_MAGIC) : start]:
        raise WeightsError("weights_damaged")
    if body[: len(_LAYOUT)] != _LAYOUT:
        raise WeightsError("weights_patterns")
    shared = shared_weights()
    count = int(shared.max()) + 1
    expected = 2 * STAGES * count
    unpacking = zlib.decompressobj()
    try:
        planes = unpacking.decompress(body[len(_LAYOUT) :], expected + 1)
    except zlib.error as error:
        raise WeightsError("weights_damaged") from error
    if len(planes) != expected or not unpacking.eof or unpacking.unused_data:
        raise WeightsError("weights_damaged")
    low, high = np.frombuffer(planes, np.uint8).reshape(2, STAGES, count)
    weights = np.empty((STAGES, WEIGHTS), np.int16)
    stage = np.zeros(count, np.int16)
    for row, low_bytes, high_bytes in zip(weights, low, high, strict=True):
        stage += low_bytes | high_bytes.astype(np.int16) << 8
        np.take(stage, shared, out=row, mode="clip")  # this mode avoids a temporary array
    return weights


def load(file: Path | None = None) -> NDArray[np.int16]:
    """Read weights of shape (STAGES, WEIGHTS) from a file; None: the shipped ones.

    Raises:
        UnreadableError: the file cannot be read.
        WeightsError: the file is not valid.
    """
    source = file or asset("engine-weights.bin")
    content = read_start(source, _MAX_BYTES)
    with errors_as(WeightsError, "in_file", WeightsError, path=source):
        return _unpacked_before(content) if file is None else unpack(content)


def _unpacked_before(content: bytes) -> NDArray[np.int16]:
    """Return the result of `unpack`, cached in the user's cache folder. Older weights there are deleted."""
    folder = cache_folder()
    file = folder / f"weights-{hashlib.sha256(_LAYOUT + content).hexdigest()}.bin"
    weights = _mapped(file)
    if weights is None:
        weights = unpack(content)
        data = weights.tobytes()
        with suppress(OutputError, OSError):
            write_bytes(file, hashlib.sha256(data).digest() + data)
            for older in set(folder.glob("weights-*.bin")) - {file}:
                older.unlink()
    return weights


def _mapped(file: Path) -> NDArray[np.int16] | None:
    """Return cached weights, or None if the file is missing or damaged.

    The file is mapped: processes share its memory, and weights that no search reads use none.
    """
    with suppress(OSError, ValueError), file.open("rb") as stream:
        digest = stream.read(_DIGEST_SIZE)
        if hashlib.file_digest(stream, "sha256").digest() == digest:
            # Copy-on-write, because kernels are compiled for writable arrays.
            return np.asarray(np.memmap(stream, np.int16, "c", _DIGEST_SIZE, (STAGES, WEIGHTS)))
    return None
