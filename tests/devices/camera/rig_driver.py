"""What drives the camera of a rig, in the process that drives any camera."""

import ctypes
import json
import os
import sys
import time
from pathlib import Path

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, PictureOrigin, Wish
from controller.devices.camera.driver import drive
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import PendingStill, StillTaken, StillWish
from tests.devices.camera.rig import FPS, SMALL, WHOLE
from tests.devices.cameras import noise


class RigSource:
    """Pictures as the file of the device says; a driver that hangs never comes back."""

    def __init__(self, name: str, node: Path) -> None:
        self.name, self.origin, self.lens_position = name, PictureOrigin.DEVICE, None
        self._node, self._count = node, os.getpid()
        self.still_size = WHOLE
        self._asked = PendingStill()
        self._does()

    def grab(self) -> Picture:
        time.sleep(1 / FPS)
        does = self._does()
        if does == "hangs":
            while True:
                time.sleep(1.0)
        if does == "deaf":  # in the driver, and without letting any other thread run
            ctypes.PyDLL(None).pause()
        if does == "crashes":
            os.abort()
        if does == "frozen":
            return noise(1)
        self._count += 1
        if does == "black":
            return noise(self._count, level=8)
        if does == "cut":
            half = noise(self._count)
            half[len(half) // 2 :] = 128
            return half
        if does == "small":
            return noise(self._count, SMALL)
        return noise(self._count)

    def ask_still(self, wish: StillWish) -> None:
        self._asked.ask(wish)

    def collect_still(self) -> StillTaken | None:
        wish = self._asked.next()
        if wish is not None:
            self._asked.answer(wish, None if wish.stops else noise(wish.number, WHOLE))
        return self._asked.collect()

    def close(self) -> None:
        pass

    def _does(self) -> str:
        while True:
            try:
                text = self._node.read_text()
            except FileNotFoundError:
                raise SourceError(CameraCode.ABSENT, self.name) from None
            if text:
                return str(json.loads(text))


def open_rig(wish: Wish) -> FrameSource:
    """The camera of the rig, under its name or its number."""
    devices = Path(sys.argv[1])
    node = devices / f"video{wish.source}" if wish.source.isdigit() else Path(wish.source).resolve()
    return RigSource(wish.source, node)


if __name__ == "__main__":
    drive(open_rig, sys.argv[2:])
