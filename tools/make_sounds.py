"""Make the window's sounds: `python -m tools.make_sounds` writes assets/sounds/*.wav.

Each sound is a struck wooden bar: a few modes, of which the higher ones decay faster, and a short noise of the contact.
"""

import wave
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.resources import asset

Samples: TypeAlias = NDArray[np.float64]

RATE: Final = 22_050
_PEAK: Final = 0.7
_BLOCK: Final = (1.0, 2.76, 5.40)  # modes of a bar with free ends
_MARIMBA: Final = (1.0, 3.93, 9.24)  # modes of a tuned bar, which is hollowed out below
_FADE_SECONDS: Final = 0.005


def struck(pitch: float, seconds: float, modes: tuple[float, ...] = _BLOCK, contact: float = 0.3) -> Samples:
    """Return the sound of a struck bar.

    Args:
        pitch: of its lowest mode, in Hz.
        seconds: until the sound has decayed.
        modes: frequencies as multiples of the lowest one.
        contact: loudness of the noise.
    """
    time = np.arange(round(RATE * seconds)) / RATE
    sound = np.zeros_like(time)
    for mode in modes:
        if mode * pitch < RATE / 2:
            sound += np.sin(2 * np.pi * mode * pitch * time) * np.exp(-6.0 * mode * time / seconds) / mode
    noise = np.random.default_rng(7).standard_normal(len(time))
    smooth = np.convolve(noise, np.hanning(7) / np.hanning(7).sum(), mode="same")
    sound += contact * smooth * np.exp(-time / 0.004)
    return sound * np.minimum(1.0, time / 0.001)  # fades in, to avoid a click


def together(*parts: tuple[float, float, Samples]) -> Samples:
    """Mix sounds, each given with its start in seconds and its loudness."""
    ends = [round(RATE * begin) + len(sound) for begin, _, sound in parts]
    whole = np.zeros(max(ends))
    for end, (_, loudness, sound) in zip(ends, parts, strict=True):
        whole[end - len(sound) : end] += loudness * sound
    fade = round(RATE * _FADE_SECONDS)
    whole[-fade:] *= np.linspace(1.0, 0.0, fade)
    return whole


def sounds() -> dict[str, Samples]:
    """Return all sounds by name, as in `othello.gui.sounds.Sound`."""
    move = struck(540, 0.16)
    turned = struck(1150, 0.07, contact=0.5)
    low, lower = struck(330, 0.22), struck(247, 0.26)
    tick, tock = struck(1400, 0.05, contact=0.5), struck(1050, 0.06, contact=0.5)
    notes = [struck(pitch, 0.7, _MARIMBA, 0.1) for pitch in (392.0, 493.9, 587.3)]
    return {
        "move": together((0.0, 1.0, move)),
        "flip": together((0.06, 0.30, turned), (0.12, 0.36, turned), (0.19, 0.28, turned)),
        "pass": together((0.0, 0.8, low), (0.16, 0.9, lower)),
        "end": together((0.0, 0.7, notes[0]), (0.14, 0.75, notes[1]), (0.28, 0.9, notes[2])),
        "low_time": together(*((0.22 * n, 0.7, tock if n % 2 else tick) for n in range(4))),
    }


def as_numbers(sound: Samples, loudest: float) -> NDArray[np.int16]:
    """Return samples as integers; `loudest`: the largest value of all sounds."""
    return np.round(sound * (_PEAK * 32767 / loudest)).astype(np.int16)


def write(folder: Path) -> None:
    """Write all sounds to a folder."""
    made = sounds()
    loudest = max(float(np.abs(sound).max()) for sound in made.values())
    for name, sound in made.items():
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(as_numbers(sound, loudest).astype("<i2").tobytes())


if __name__ == "__main__":
    asset("sounds").mkdir(exist_ok=True)
    write(asset("sounds"))
