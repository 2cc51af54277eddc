"""A camera over a table that is painted: pictures in real time, of whatever lies there at that moment."""

import threading
import time
from collections.abc import Callable
from typing import Final

from controller.arrays import Picture
from controller.devices import CameraStatus
from controller.devices.camera.camera import Frame
from controller.devices.camera.status import CameraCode
from controller.simulation.boards.scene import Scene

KEPT: Final = 4
"""This many pictures of a scene at rest are painted, each with its own noise; then they come again in turn."""

PaintScene = Callable[[Scene], Picture]


class PaintedCamera:
    """A `Camera`. `read` paints, so it takes as long as that; the other methods are for any thread."""

    def __init__(
        self,
        look: Callable[[], Scene],
        paint: PaintScene,
        fps: float,
        tell: Callable[[CameraStatus], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """It is plugged in.

        Args:
            look: the table at this moment; called by whoever reads.
            paint: makes a picture of it.
            fps: pictures a second, or fewer where the machine does not paint as many.
            tell: called with how the camera stands whenever that changes.
            clock: monotonic seconds.
        """
        self._look, self._paint, self._tell, self._clock = look, paint, tell, clock
        self._spacing_s = 1.0 / fps
        self._number, self._due_s = 0, 0.0
        self._rested: Scene | None = None
        self._kept: list[Picture] = []
        self._closed = threading.Event()
        self._status = CameraStatus(CameraCode.STARTING, "demo")

    @property
    def status(self) -> CameraStatus:
        """See `Camera`."""
        return self._status

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera`."""
        if self._status.code in (CameraCode.LOST, CameraCode.CLOSED):
            self._closed.wait(timeout_s)
            return None
        wait_s = self._due_s - self._clock()
        if self._closed.wait(min(timeout_s, max(0.0, wait_s))) or wait_s > timeout_s:
            return None
        t_s, scene = self._clock(), self._look()
        self._due_s = t_s + self._spacing_s
        picture = self._picture(scene)
        self._number += 1
        if self._status.code is CameraCode.STARTING:
            height, width = picture.shape[:2]
            self._change(CameraStatus(CameraCode.OK, "demo", {"size": f"{width}x{height}"}))
        return Frame(self._number, t_s, picture)

    def pull(self) -> None:
        """It is pulled out."""
        self._change(CameraStatus(CameraCode.LOST, "demo"))

    def plug(self) -> None:
        """It is put back."""
        self._change(CameraStatus(CameraCode.STARTING, "demo"))

    def close(self) -> None:
        """See `Camera`."""
        if not self._closed.is_set():
            self._closed.set()
            self._change(CameraStatus(CameraCode.CLOSED, "demo"))

    def _picture(self, scene: Scene) -> Picture:
        if scene != self._rested:
            self._rested, self._kept = scene, []
        if len(self._kept) < KEPT:
            self._kept.append(self._paint(scene))
            return self._kept[-1].copy()
        return self._kept[self._number % KEPT].copy()

    def _change(self, status: CameraStatus) -> None:
        if not (self._closed.is_set() and status.code is not CameraCode.CLOSED):
            self._status = status
            self._tell(status)
