"""Takes rendered light as a picture, as cameras over tables do: exposure, softness, noise, sharpening, JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Picture

Random = np.random.Generator

# The share of full white that the middle of all levels is exposed to.
EXPOSURES = (0.04, 0.4)
GAMMA = 2.2


@dataclass(frozen=True, eq=False)
class Sensor:
    """A camera's ways: what it makes of the middle of all levels (share of white), its gains for blue, green and red,
    how much above white still blooms, how soft it is (px), the noise of light and of its own (shares of white), its
    tone, how soft (px) and strong colours are, how much it sharpens, and how it packs pictures.
    """

    exposure: float
    cast: FloatArray
    bloom: float
    soft: float
    shot: float
    floor: float
    tone: float
    colour_soft: float
    colour_gain: float
    crisp: float
    quality: int
    coarse: bool

    def expose(self, light: Float32Array, share: float, random: Random) -> Picture:
        """A picture of ``share`` times the pixels along each side, (h, w, 3) BGR uint8, of light (h, w, 3)."""
        size = (round(light.shape[1] * share), round(light.shape[0] * share))
        gain = self.exposure / max(float(np.median(light)), 1e-6)
        seen = np.minimum(light * (gain * self.cast).astype(np.float32), np.float32(self.bloom))
        seen = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.float32)
        if self.soft > 0.15:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), self.soft), np.float32)
        noise = np.sqrt(self.shot**2 * seen + self.floor**2)
        seen = seen + random.normal(0, 1, seen.shape).astype(np.float32) * noise
        levels = np.asarray(255 * np.clip(seen, 0, 1) ** (self.tone / GAMMA), np.float32)
        return self._packed(self._developed(levels))

    def _developed(self, levels: Float32Array) -> Float32Array:
        """Colours made coarser than brightness, and edges sharper."""
        if self.colour_soft:
            grey = levels.mean(axis=2, keepdims=True)
            levels = grey + np.float32(self.colour_gain) * cv2.GaussianBlur(
                levels - grey, (0, 0), self.colour_soft
            )
        if self.crisp:
            levels = levels + np.float32(self.crisp) * (levels - cv2.GaussianBlur(levels, (0, 0), 0.9))
        return np.asarray(levels, np.float32)

    def _packed(self, levels: Float32Array) -> Picture:
        sampling = 0x221111 if self.coarse else 0x111111
        options = [cv2.IMWRITE_JPEG_QUALITY, self.quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
        coded = cv2.imencode(".jpg", np.clip(np.rint(levels), 0, 255).astype(np.uint8), options)[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def any_sensor(random: Random) -> Sensor:
    """A camera of any quality, from a phone's to a cheap one for video calls."""
    return Sensor(
        exposure=float(np.exp(random.uniform(*np.log(EXPOSURES)))),
        cast=np.exp(random.normal(0, 0.06, 3)),
        bloom=float(random.uniform(1.5, 8.0)),
        soft=max(0.0, float(random.normal(0.45, 0.25))),
        shot=abs(float(random.normal(0, 0.012))),
        floor=abs(float(random.normal(0, 0.006))),
        tone=float(random.uniform(0.85, 1.2)),
        colour_soft=float(random.uniform(0.5, 1.2)) if random.random() < 0.5 else 0.0,
        colour_gain=float(random.uniform(0.6, 1.2)),
        crisp=float(random.uniform(0.2, 1.2)) if random.random() < 0.35 else 0.0,
        quality=int(random.integers(60, 97)),
        coarse=bool(random.random() < 0.6),
    )
