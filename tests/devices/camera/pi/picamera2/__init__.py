"""A stand-in for the package picamera2, without a Raspberry Pi: three sensors with their modes, a scene, and a lens.

The environment says which sensor it is (SENSOR), which picture lies before it (SCENE), and where each configuration
is written that the camera is given (CONFIGURATIONS, a JSON object a line). What the camera sees depends on the sensor
mode, and how sharp it is on where the lens is. MEMORY_MB, where it is set, is what there is for the buffers.

A second stream ("lores") is YUV420 and no larger than the first; both show the same part of the sensor. Arrays of
YUV420 have the padding of their rows in them. A new exposure time shows in the fourth picture, whose metadata tell it
(raspberrypi/picamera2: `check_camera_config`, `Helpers.make_array`, and its manual on controls).

The modes, with their crops and rates, are those that `rpicam-hello --list-cameras` lists for IMX219 and IMX477
(Raspberry Pi's documentation of the camera software) and IMX708 (raspberrypi/picamera2, issue 1184). With no mode
named a camera takes the one nearest to the size of the pictures, also if that looks at a part of the sensor only
(raspberrypi/rpicam-apps, issue 570).
"""

import json
import os
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.arrays import Picture

Mode = dict[str, Any]


def _mode(width: int, height: int, bits: int, fps: float, crop: tuple[int, int, int, int]) -> Mode:
    return {"size": (width, height), "bit_depth": bits, "fps": fps, "crop_limits": crop}


WHOLE = {"imx219": (3280, 2464), "imx477": (4056, 3040), "imx708": (4608, 2592)}
MODES: dict[str, list[Mode]] = {
    "imx219": [
        _mode(width, height, bits, fps, crop)
        for bits in (10, 8)
        for width, height, fps, crop in (
            (640, 480, 206.65, (1000, 752, 1280, 960)),
            (1640, 1232, 41.85, (0, 0, 3280, 2464)),
            (1920, 1080, 47.57, (680, 692, 1920, 1080)),
            (3280, 2464, 21.19, (0, 0, 3280, 2464)),
        )
    ],
    "imx477": [
        _mode(1332, 990, 10, 120.05, (696, 528, 2664, 1980)),
        _mode(2028, 1080, 12, 50.03, (0, 440, 4056, 2160)),
        _mode(2028, 1520, 12, 40.01, (0, 0, 4056, 3040)),
        _mode(4056, 3040, 12, 10.0, (0, 0, 4056, 3040)),
    ],
    "imx708": [
        _mode(1536, 864, 10, 120.13, (768, 432, 3072, 1728)),
        _mode(2304, 1296, 10, 56.03, (0, 0, 4608, 2592)),
        _mode(4608, 2592, 10, 14.35, (0, 0, 4608, 2592)),
    ],
}
FOCUSING = {"imx708"}
IN_FOCUS = 1.25
"""The board's distance, in dioptres."""
RESTING = 0.0
"""Where the lens is when nobody has asked for anything: at infinity."""
SCAN = 6
"""So many pictures the autofocus takes."""
EXPOSURE_US = 9000
"""The exposure time that the camera finds by itself."""
LATE = 3
"""So many pictures after it was told to, a sensor exposes otherwise."""
# What makes Y, U and V of blue, green and red in ITU-R BT.709, with 16 for black and 235 for white.
_SHARES = np.array([0.0722, 0.7152, 0.2126])
BT709 = np.array(
    [
        [*(219 / 255 * _SHARES), 16],
        [*(224 / 255 * (np.array([1, 0, 0]) - _SHARES) / 1.8556), 128],
        [*(224 / 255 * (np.array([0, 0, 1]) - _SHARES) / 1.5748), 128],
    ]
)
PADDED = 64
"""Rows take a multiple of so many bytes."""


class Picamera2:
    """One camera. Wrong use raises RuntimeError, as that of the package does."""

    def __init__(self, number: int = 0) -> None:
        if number > 0:
            raise IndexError(number)
        self.sensor = os.environ["SENSOR"]
        scene = cv2.imread(os.environ["SCENE"])
        assert scene is not None
        self.scene = np.asarray(scene, np.uint8)
        self.configuration: dict[str, Any] | None = None
        self.running = False
        self.lent = 0
        self.lens, self.scanned = RESTING, 0
        self.controls: dict[str, Any] = {}
        self.count = 0
        self.exposures: list[int] = [EXPOSURE_US] * LATE
        self.seen: dict[tuple[float, int, int], Picture] = {}
        self.noise = np.random.default_rng(1).integers(0, 3, (800, 1400, 3), np.uint8)

    @property
    def sensor_modes(self) -> list[Mode]:
        if self.running:
            raise RuntimeError("the modes cannot be listed while the camera runs")
        self.configuration = None  # the package tries each mode
        return MODES[self.sensor]

    @property
    def camera_controls(self) -> dict[str, Any]:
        always = {"AeEnable": (False, True, True), "ExposureTime": (1, 66666, 20000)}
        return always | ({"AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0)} if self._focuses() else {})

    def create_video_configuration(
        self,
        main: dict[str, Any],
        controls: dict[str, Any],
        buffer_count: int,
        queue: bool,
        sensor: dict[str, Any] | None = None,
        lores: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {
            "main": main,
            "lores": lores,
            "controls": controls,
            "buffer_count": buffer_count,
            "queue": queue,
            "sensor": sensor,
        }

    def configure(self, configuration: dict[str, Any]) -> None:
        if self.running:
            raise RuntimeError("Camera must be stopped before configuring")
        _check(configuration)
        self.configuration = configuration
        self.mode = self._chosen(configuration["main"]["size"], configuration["sensor"])
        self.seen = {}
        with Path(os.environ["CONFIGURATIONS"]).open("a") as file:
            file.write(json.dumps(configuration | {"crop": self._crop()}) + "\n")

    def start(self) -> None:
        if self.configuration is None:
            raise RuntimeError("Camera has not been configured")
        self.running = True
        self.set_controls(self.configuration["controls"])

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = {"AfMode", "LensPosition", "AfTrigger"} & set(controls) if not self._focuses() else set()
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.controls |= controls
        if "AfTrigger" in controls and self.controls["AfMode"] == 1:
            self.scanned = 1
        if "LensPosition" in controls and self.controls["AfMode"] == 0:
            self.lens, self.scanned = controls["LensPosition"], 0

    def capture_request(self) -> "CompletedRequest":
        assert self.running
        assert self.configuration is not None
        if self.lent >= self.configuration["buffer_count"]:
            raise RuntimeError("every buffer is lent")
        time.sleep(1 / self.configuration["controls"]["FrameRate"])
        self.lent += 1
        self.count += 1
        if self.controls.get("AfMode") == 2:
            self.lens = IN_FOCUS
        if self.scanned:
            self.lens, self.scanned = self.scanned * IN_FOCUS / SCAN, self.scanned + 1
            if self.scanned > SCAN:
                self.lens, self.scanned = IN_FOCUS, 0
        usual = self.controls.get("ExposureTime", EXPOSURE_US)
        self.exposures = [*self.exposures[1:], usual]
        return CompletedRequest(self, self._metadata())

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.running = False

    def _focuses(self) -> bool:
        return self.sensor in FOCUSING

    def _chosen(self, size: tuple[int, int], sensor: dict[str, Any] | None) -> Mode:
        modes = MODES[self.sensor]
        if sensor is None:
            return min(modes, key=lambda mode: abs(mode["size"][0] - size[0]))
        return next(
            mode
            for mode in modes
            if mode["size"] == tuple(sensor["output_size"]) and mode["bit_depth"] == sensor["bit_depth"]
        )

    def _crop(self) -> tuple[int, int, int, int]:
        """That of the mode, cut to the shape of the pictures by the image processor."""
        assert self.configuration is not None
        x, y, width, height = self.mode["crop_limits"]
        across, down = self.configuration["main"]["size"]
        wide, high = min(width, height * across // down), min(height, width * down // across)
        return x + (width - wide) // 2, y + (height - high) // 2, wide, high

    def picture(self, size: tuple[int, int], count: int, exposure_us: int) -> Picture:
        """The scene through the lens in so many pixels, with the noise of a sensor."""
        key = (self.lens, *size)
        if key not in self.seen:
            self.seen[key] = self._seen(size)
        seen, x, y = self.seen[key], count * 7 % 50, count * 11 % 50
        if exposure_us != EXPOSURE_US:
            light = (np.arange(256) / 255) ** 2.2 * exposure_us / EXPOSURE_US
            seen = np.asarray(
                cv2.LUT(seen, (255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)), np.uint8
            )
        down, across = (
            -(-(side + 50) // have) for side, have in zip(seen.shape[:2], self.noise.shape[:2], strict=True)
        )
        noise = self.noise if down == across == 1 else np.tile(self.noise, (down, across, 1))
        return cv2.add(seen, np.ascontiguousarray(noise[y : y + seen.shape[0], x : x + seen.shape[1]]))

    def _seen(self, size: tuple[int, int]) -> Picture:
        assert self.configuration is not None
        x, y, width, _ = self._crop()
        scale = WHOLE[self.sensor][0] / self.scene.shape[1]
        top = (self.scene.shape[0] - WHOLE[self.sensor][1] / scale) / 2
        into = size[0] / width
        turn = np.array([[scale * into, 0, -x * into], [0, scale * into, (-y - top * scale) * into]])
        seen = cv2.warpAffine(self.scene, turn, size, flags=cv2.INTER_LINEAR)
        blur = 6 * abs(self.lens - IN_FOCUS) if self._focuses() else 0.0
        return np.asarray(seen if blur < 0.1 else cv2.GaussianBlur(seen, (0, 0), blur), np.uint8)

    def _metadata(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "ExposureTime": self.exposures[0],
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.9),
            "ScalerCrop": self._crop(),
        }
        if self._focuses():
            state = 1 if self.scanned else 2 if self.controls.get("AfMode") in (1, 2) else 0
            told |= {"LensPosition": self.lens, "AfState": state}
        return told


def _check(configuration: dict[str, Any]) -> None:
    main, lores = configuration["main"], configuration["lores"]
    streams = [main] if lores is None else [main, lores]
    if any(side % 2 for stream in streams for side in stream["size"]):
        raise RuntimeError("width and height should be even")
    if lores is not None and (lores["size"][0] > main["size"][0] or lores["size"][1] > main["size"][1]):
        raise RuntimeError("lores stream dimensions may not exceed main stream")
    if lores is not None and lores["format"] != "YUV420":
        raise RuntimeError("lores stream must be YUV")
    bytes_each = {"RGB888": 3.0, "YUV420": 1.5}
    needed = sum(bytes_each[one["format"]] * one["size"][0] * one["size"][1] for one in streams)
    if needed * configuration["buffer_count"] > float(os.environ.get("MEMORY_MB", "1000")) * 1e6:
        raise RuntimeError("Failed to allocate buffers.")


def planes_of(picture: Picture) -> Picture:
    """A picture as YUV420 of ITU-R BT.709, with padded rows."""
    y, u, v = cv2.split(cv2.transform(picture, BT709))
    height, width = picture.shape[:2]
    stride = -(-width // PADDED) * PADDED
    planes = np.zeros((height * 3 // 2, stride), np.uint8)
    planes[:height, :width] = y
    tones = planes[height:].reshape(2, height // 2, stride // 2)
    for rows, tone in zip(tones, (u, v), strict=True):
        half = cv2.resize(tone, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        rows[:, : width // 2] = half
    return planes


class CompletedRequest:
    """A picture and what is known about it, in a buffer that the camera wants back."""

    def __init__(self, camera: Picamera2, metadata: dict[str, Any]) -> None:
        self._camera, self._count, self._metadata = camera, camera.count, metadata

    def make_array(self, name: str) -> Picture:
        stream = (self._camera.configuration or {})[name]
        shown = self._camera.picture(tuple(stream["size"]), self._count, self._metadata["ExposureTime"])
        return shown if stream["format"] == "RGB888" else planes_of(shown)

    def get_metadata(self) -> dict[str, Any]:
        return self._metadata

    def release(self) -> None:
        self._camera.lent -= 1
