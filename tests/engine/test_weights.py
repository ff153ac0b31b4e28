"""The file of weights: read back as written, and refused in one line when anything is wrong with it."""

import hashlib
import zlib
from pathlib import Path

import numpy as np
import pytest

from othello.engine import weights
from othello.engine.patterns import STAGES, WEIGHTS, shared_weights
from othello.errors import WeightsError
from othello.resources import asset

SHARED = int(shared_weights().max()) + 1


@pytest.fixture(scope="module")
def content() -> bytes:
    drawn = np.zeros((STAGES, SHARED), np.int16)
    drawn[:, ::97] = np.random.default_rng(1).integers(-2000, 2000, drawn[:, ::97].shape)
    return weights.pack(drawn)


def test_weights_round_trip() -> None:
    drawn = np.random.default_rng(2).integers(-32768, 32767, (STAGES, SHARED), np.int16)
    np.testing.assert_array_equal(weights.unpack(weights.pack(drawn)), drawn[:, shared_weights()])


def test_the_shipped_weights_are_whole() -> None:
    loaded = weights.load()
    assert loaded.shape == (STAGES, WEIGHTS)
    assert loaded.dtype == np.int16
    assert loaded.any(axis=1).all()


@pytest.mark.slow
def test_a_damaged_copy_of_unpacked_weights_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = weights.load()
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    (tmp_path / "weights-former.bin").write_bytes(b"of weights that were shipped before")
    weights.load()
    weights.load(asset("engine-weights.bin"))  # a named file is not copied
    (copy,) = tmp_path.iterdir()
    with monkeypatch.context() as later:
        later.setattr(weights, "_LAYOUT", bytes(32))  # a program with other patterns finds the copy
        with pytest.raises(WeightsError):
            weights.load()
    whole = copy.read_bytes()
    for damaged in (whole[:-2], whole[:99] + b"?" + whole[100:], b""):
        copy.write_bytes(damaged)
        np.testing.assert_array_equal(weights.load(), right)
    assert copy.read_bytes() == whole
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(copy))  # no folder, so no copy
    np.testing.assert_array_equal(weights.load(), right)


@pytest.mark.parametrize("part", ["magic", "digest", "layout", "packed"])
def test_damage_in_any_part_is_noticed(part: str, content: bytes) -> None:
    start = content.index(b"\n") + 1
    begin, end = {"magic": (0, start), "digest": (start, start + 32), "layout": (start + 32, start + 64)}.get(
        part, (start + 64, len(content))
    )
    for place in (begin, (begin + end) // 2, end - 1):
        changed = bytes([content[place] ^ 1])
        for after in (changed + content[place + 1 :], b"", b"\0" + content[place:]):
            with pytest.raises(WeightsError):
                weights.unpack(content[:place] + after)


def sealed(content: bytes, body: bytes) -> bytes:
    """Return a file with another body and a matching digest."""
    magic = content[: content.index(b"\n") + 1]
    return magic + hashlib.sha256(body).digest() + body


def test_a_fitting_digest_alone_is_not_enough(content: bytes) -> None:
    start = content.index(b"\n") + 1 + 32
    layout, packed = content[start : start + 32], content[start + 32 :]
    bomb = zlib.compress(bytes(200_000_000), 9)
    bodies = [b"", layout, layout + b"x", layout + bomb, layout + zlib.compress(b"short"), bytes(32) + packed]
    for body in (*bodies, layout + packed[:-2], layout + packed + b"x"):
        with pytest.raises(WeightsError):
            weights.unpack(sealed(content, body))
