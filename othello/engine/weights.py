"""The file of the evaluation's weights: packed small, without pickle, and checked when it is read.

A header names the format and holds the SHA-256 of the rest: the weights of all stages, those that mirror each other
once, each stage as the difference from the one before, low and high bytes apart, compressed with zlib.
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
from othello.resources import asset, cache_folder
from othello.writing import write_bytes

UNITS: Final = 32
"""A weight of so much is worth a disc."""

_MAGIC: Final = b"othello weights 1\n"
_LAYOUT: Final = hashlib.sha256(repr((tuple(SHAPES.values()), STAGES, WEIGHTS)).encode()).digest()
_DIGEST_SIZE: Final = 32
_MOST_BYTES: Final = 16_000_000


def pack(weights: NDArray[np.int16]) -> bytes:
    """The file's content for weights of shape (STAGES, shared weights)."""
    differences = np.diff(weights, axis=0, prepend=np.int16(0)).astype("<i2")
    planes = np.frombuffer(differences.tobytes(), np.uint8).reshape(-1, 2).T
    body = _LAYOUT + zlib.compress(planes.tobytes(), 9)
    return _MAGIC + hashlib.sha256(body).digest() + body


def unpack(content: bytes) -> NDArray[np.int16]:
    """The weights as the evaluation takes them, shape (STAGES, WEIGHTS), out of a file's content that `pack` made.

    WeightsError: the content was not made by `pack`, was damaged since, or is for other patterns.
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
        np.take(stage, shared, out=row, mode="clip")  # a mode that checks nothing needs no second array
    return weights


def load(file: Path | None = None) -> NDArray[np.int16]:
    """The weights as the evaluation takes them, shape (STAGES, WEIGHTS); without a file those that are shipped.

    WeightsError: the file cannot be read or is not what it should be.
    """
    source = file or asset("engine-weights.bin")
    with errors_as(WeightsError, "unreadable", OSError, path=source), source.open("rb") as stream:
        content = stream.read(_MOST_BYTES)
    with errors_as(WeightsError, "in_file", WeightsError, path=source):
        return _unpacked_before(content) if file is None else unpack(content)


def _unpacked_before(content: bytes) -> NDArray[np.int16]:
    """What `unpack` gives, kept in the user's cache from the first time on, in place of any former weights."""
    folder = cache_folder()
    file = folder / f"weights-{hashlib.sha256(_LAYOUT + content).hexdigest()[:16]}.bin"
    weights = _mapped(file)
    if weights is None:
        weights = unpack(content)
        data = weights.tobytes()
        with suppress(OutputError, OSError):
            write_bytes(file, hashlib.sha256(data).digest() + data)
            for former in set(folder.glob("weights-*.bin")) - {file}:
                former.unlink(missing_ok=True)
    return weights


def _mapped(file: Path) -> NDArray[np.int16] | None:
    """Weights that were unpacked before, None where the file is missing or damaged.

    All processes share the memory, and what no search asks for takes none.
    """
    with suppress(OSError, ValueError), file.open("rb") as stream:
        digest = stream.read(_DIGEST_SIZE)
        if hashlib.file_digest(stream, "sha256").digest() == digest:
            # Searches that write to no weight are compiled for an array that can be written to.
            return np.asarray(np.memmap(stream, np.int16, "c", _DIGEST_SIZE, (STAGES, WEIGHTS)))
    return None
