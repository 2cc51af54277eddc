"""Short sounds, made and not recorded: one for a legal play, one for an illegal one, one for the clock."""

import io
import math
import wave
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Final

RATE: Final = 22_050
"""Samples a second: what espeak-ng gives, so that a sound card need not change its rate between the two."""
FADE_S: Final = 0.01
"""A tone that begins or ends at once clicks."""
LOUDEST: Final = 0.8
TONES: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "legal": ((880.0, 0.09),),
    "illegal": ((330.0, 0.16), (220.0, 0.24)),
    "clock": ((660.0, 0.08), (0.0, 0.06), (660.0, 0.08)),
}
"""Hertz and seconds of each tone of a sound, one after another; 0 Hz is a rest. High is good news, falling is bad."""


@cache
def tone(sound: str, volume: float) -> bytes:
    """A sound as a WAV file: mono, 16 bits; ``volume`` is 0 to 1. KeyError for one that is not in `TONES`."""
    samples = array("h", (sample for part in TONES[sound] for sample in _samples(*part, volume)))
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return written.getvalue()


def _samples(hertz: float, seconds: float, volume: float) -> Iterator[int]:
    count, fade = round(RATE * seconds), round(RATE * FADE_S)
    for number in range(count):
        edge = min(1.0, number / fade, (count - number) / fade)
        yield round(32_767 * LOUDEST * volume * edge * math.sin(2 * math.pi * hertz * number / RATE))
