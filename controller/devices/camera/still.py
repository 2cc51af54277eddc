"""Single pictures from a camera as a table runs it: same source, size, focus and exposure, once it has settled."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from controller.devices.camera.camera import Frame, Wish
from controller.devices.camera.choice import is_film
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.ribbon import SETTLE_S
from controller.devices.camera.sources import JUDGED_S
from controller.devices.camera.status import CameraCode, CameraState, CameraStatus

SETTLED_S: Final = SETTLE_S + JUDGED_S + 0.5
"""How long after its first picture a camera has fixed its exposure, and taken that back where it spoiled pictures."""
SPACING_S: Final = 0.5
"""Between two pictures of the same scene; each has its own noise."""
LOOK_S: Final = 0.1

OpenLive = Callable[[Wish], LiveCamera]


@dataclass(frozen=True, eq=False)
class Stills:
    """What a camera gave: the pictures, as many as were asked for, or none and the status that tells why."""

    frames: tuple[Frame, ...]
    status: CameraStatus


def take_stills(
    wish: Wish, count: int = 1, *, any_size: bool = False, open_live: OpenLive = LiveCamera
) -> Stills:
    """Pictures as a table that runs its camera by this wish gets them; films give their first ones.

    Args:
        wish: which camera, and how it is to be run.
        count: how many pictures.
        any_size: if the camera does not give the size that is wished for, take what it gives.
        open_live: makes the camera, which is not started yet.
    """
    stills = _frames(wish, count, open_live)
    if stills.status.code is CameraCode.WRONG_SIZE and any_size:
        width, height = (int(number) for number in stills.status.arguments["size"].split("x"))
        return _frames(replace(wish, size=(width, height)), count, open_live)
    return stills


def _frames(wish: Wish, count: int, open_live: OpenLive) -> Stills:
    settled_s = 0.0 if is_film(wish.source) else SETTLED_S
    frames: list[Frame] = []
    due: float | None = None
    with open_live(wish) as camera:
        while len(frames) < count:
            status = camera.status
            if status.state not in (CameraState.STARTING, CameraState.OK):
                return Stills((), status)
            frame = camera.read(LOOK_S)
            if frame is None:
                continue
            due = frame.t_s + settled_s if due is None else due
            if frame.t_s >= due:
                frames.append(frame)
                due = frame.t_s + (0.0 if is_film(wish.source) else SPACING_S)
        return Stills(tuple(frames), camera.status)
