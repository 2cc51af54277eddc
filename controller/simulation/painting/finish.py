"""What lens and sensor do to a picture: vignetting, blur, noise, sharpening, colour balance, compression."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, Picture
from controller.simulation.boards.setting import Bgr, Finish

# The noise is made once, larger than the picture, and cut at another place each time.
NOISE_MARGIN = 64
# How wide the halo of a sharpened edge is.
HALO_PX = 1.3
# A kernel reaches so many standard deviations.
REACH = 2.3
GREYS = np.arange(256, dtype=np.float32)


@dataclass(frozen=True)
class Developer:
    """Turns what falls on the sensor, (height, width) pixels, into the picture a camera delivers."""

    finish: Finish
    height: int
    width: int
    seed: int

    @cached_property
    def _noise(self) -> tuple[Picture, Picture]:
        """What noise adds to grey levels and what it takes away: two sums of bytes are quicker than a mixed one."""
        rng = np.random.default_rng(self.seed)
        shape = (self.height + NOISE_MARGIN, self.width + NOISE_MARGIN)
        grey = rng.standard_normal(shape).astype(np.float32)
        colour = rng.standard_normal((*shape, 3)).astype(np.float32)
        mixed = grey[..., None] * (1 - self.finish.chroma) + colour * self.finish.chroma
        if self.finish.grain_px > 0.3:
            mixed = np.asarray(cv2.GaussianBlur(mixed, (0, 0), self.finish.grain_px), np.float32)
        mixed *= self.finish.noise / float(mixed.std())
        levels = np.clip(np.rint(mixed), -127, 127)
        return np.asarray(np.maximum(levels, 0), np.uint8), np.asarray(np.maximum(-levels, 0), np.uint8)

    @cached_property
    def _vignette(self) -> Picture | None:
        if self.finish.vignette < 0.01:
            return None
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        far2 = ((x / self.width - 0.5) ** 2 + (y / self.height - 0.5) ** 2) / 0.5
        keep = 255 * (1 - self.finish.vignette * far2)
        return np.asarray(cv2.merge([keep, keep, keep]), np.uint8)

    def develop(self, picture: Picture, brightness: float, tint: Bgr, rng: np.random.Generator) -> Picture:
        """The delivered picture; ``brightness`` and ``tint`` are factors on the (linear) light."""
        finish = self.finish
        # From the first copy on all is done in place: fresh memory for a picture costs as much as a step.
        made = picture.copy()
        if self._vignette is not None:
            cv2.multiply(made, self._vignette, made, 1 / 255)
        if finish.blur_px > 0.25:
            made = _blur(made, finish.blur_px)
        if finish.motion_px > 0.7:
            made = np.asarray(cv2.filter2D(made, -1, _streak(finish.motion_px, finish.motion_deg)), np.uint8)
        gains = [gain * brightness * one for gain, one in zip(finish.gains, tint, strict=True)]
        curves = [255 * (GREYS / 255 * np.sqrt(gain)) ** finish.gamma for gain in gains]
        table = np.clip(np.rint(np.stack(curves, axis=-1)), 0, 255).astype(np.uint8)
        cv2.LUT(made, table[None], made)
        if finish.noise > 0.2:
            top, left = rng.integers(0, NOISE_MARGIN, 2)
            more, less = (part[top : top + self.height, left : left + self.width] for part in self._noise)
            cv2.add(made, more, made)
            cv2.subtract(made, less, made)
        if finish.sharpen > 0.05:
            cv2.addWeighted(made, 1 + finish.sharpen, _blur(made, HALO_PX), -finish.sharpen, 0, made)
        return _compress(made, finish.jpeg) if finish.jpeg else made


def _blur(picture: Picture, sigma: float) -> Picture:
    """Blurred as by a Gaussian, in the whole 256ths that OpenCV is quickest with; brightness stays exactly."""
    half = int(np.ceil(REACH * sigma))
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    parts = np.rint(256 * bell / bell.sum())
    parts[half] += 256 - parts.sum()
    kernel = (parts / 256).astype(np.float32)
    return np.asarray(cv2.sepFilter2D(picture, -1, kernel, kernel), np.uint8)


def _streak(length: float, degrees: float) -> AnyFloatArray:
    """A kernel that smears along a line of some length in pixels."""
    half = int(np.ceil(length / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    dx, dy = np.cos(np.radians(degrees)) * length / 2, np.sin(np.radians(degrees)) * length / 2
    ends = [(round((half + s * dx) * 16), round((half + s * dy) * 16)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _compress(picture: Picture, quality: int) -> Picture:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
