"""The camera that a table uses, and the thread that looks through it."""

from collections.abc import Callable

from controller.app.closer.closer import Closer
from controller.app.eyes import Eyes
from controller.app.inbox import Inbox
from controller.app.live import CameraNews, Stopwatch
from controller.app.watcher import LastLook, Watcher
from controller.devices import CameraStatus
from controller.devices.camera.camera import Camera, Wish
from controller.devices.camera.choice import PHONE, is_film
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.phone import PhoneLine
from controller.devices.camera.status import CameraState
from controller.devices.camera.stills import StillCamera
from controller.messages.device_words import LocalText, status_words
from controller.vision import Board
from controller.vision.dice.dice_size import dice_size
from controller.web.table_service import DeviceShown

OpenCamera = Callable[[Wish, Callable[[CameraStatus], None]], Camera]


def live_camera(wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
    """The camera that a wish names, looked for from now on."""
    camera = LiveCamera(wish, tell=tell)
    camera.start()
    return camera


def phone_camera(line: PhoneLine, wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
    """The camera of the phone whose pictures come by this line."""
    camera = LiveCamera(wish, tell=tell, open_it=line.open)
    camera.start()
    return camera


class CameraInUse:
    """A table's camera, one after the other; what is seen goes into the inbox.

    Attributes:
        status: how the camera stands; None before it has said anything.
        phone: where a phone puts its pictures, for when it is the camera.
    """

    def __init__(
        self,
        inbox: Inbox,
        watch: Callable[[], Stopwatch],
        tell: Callable[[LocalText], None],
        count: Callable[[], None],
        *,
        open_camera: OpenCamera = live_camera,
    ) -> None:
        """No camera is opened yet.

        Args:
            inbox: is given what is new in the pictures.
            watch: the stopwatch of the match that is on.
            tell: called with what people are to be told.
            count: is called for each picture.
            open_camera: opens a camera that is no phone.
        """
        self.status: CameraStatus | None = None
        self.phone = PhoneLine()
        self._inbox, self._watch, self._tell, self._count = inbox, watch, tell, count
        self._open_camera = open_camera
        self._camera: Camera | None = None
        self._wished = Wish()
        self._watcher: Watcher | None = None
        self._looking = False

    @property
    def last(self) -> LastLook | None:
        """The newest picture; None before there is one."""
        return None if self._watcher is None else self._watcher.last

    @property
    def ready(self) -> bool:
        """Whether pictures come."""
        status = self.status
        return status is not None and status.state is CameraState.OK

    @property
    def finished(self) -> bool:
        """Whether a film has ended that was the camera."""
        return self._watcher is not None and self._watcher.finished

    def shown(self) -> list[DeviceShown]:
        """The camera with how it stands, once it has said anything."""
        status, ready = self.status, self.ready
        return [] if status is None else [DeviceShown("camera", ready, status_words(status))]

    def open(self, wish: Wish) -> None:
        """Open the camera that is wished for; who looks through it begins with `look`, or has begun."""
        self.close()
        self.status = None
        news = CameraNews(self._inbox, lambda: self._watch().now(), self._tell)

        def changed(status: CameraStatus) -> None:
            self.status = status
            news.changed(status)

        self._wished = wish
        if wish.source == PHONE:
            self._camera = phone_camera(self.phone, wish, changed)
        else:
            self._camera = self._open_camera(wish, changed)
        self._watcher = Watcher(self._camera, self._inbox, self._t, self._tell, self._count)
        if self._looking:
            self._watcher.start()

    def open_if_other(self, wish: Wish) -> None:
        """Open the camera anew if it is to be run otherwise than it is; a film goes on as it began."""
        if self._camera is not None and wish != self._wished and not is_film(self._wished.source):
            self.open(wish)

    def look(self) -> None:
        """Look through the camera from now on, and through each that is opened later."""
        self._looking = True
        if self._watcher is not None:
            self._watcher.start()

    def look_with(self, eyes: Eyes | None) -> None:
        """Read pictures with these eyes from now on; with None only the newest picture is kept."""
        if self._watcher is not None:
            self._watcher.look_with(eyes)

    def closer_at(self, board: Board, clock: Callable[[], float]) -> Closer | None:
        """What has stills taken of the dice on this board; None where the camera does not read them."""
        camera = self._camera
        if not self._wished.still or not isinstance(camera, StillCamera):
            return None
        return Closer(camera, dice_size(board).pixels, clock)

    def close(self) -> None:
        """Let go of the camera; calling it again does nothing."""
        if self._watcher is not None:
            self._watcher.stop()
        if self._camera is not None:
            self._camera.close()

    def _t(self, at_s: float) -> float:
        return self._watch().t(at_s)
