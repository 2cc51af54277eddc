"""Plays the demo up to an illegal play, and keeps what is to be seen and read around it."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from controller.demo.preparing import Prepared, prepare
from controller.demo.screen import Transcript
from controller.demo.show import NAMES, Evening, Plan, Show
from controller.devices.lights.frame import SIDES, Place
from controller.devices.lights.palette import Dimming
from controller.referee import Action, Flagged, Message, Told
from controller.referee.actions import Phase, PhaseBegun
from controller.rules import load_profile
from controller.simulation import Painter
from controller.simulation.boards.setting import Setting, extent

LANGUAGE: Final = "en"
FPS: Final = 10.0
PLAN: Final = Plan(1, 5, load_profile("standard-match"), seed=5, cheats=30.0, fps=FPS, firmware=False)
"""The evening in which Anna forgets her checker on the bar while she hits."""
FROM_S, UNTIL_S = 75.0, 87.0
"""Its twelve seconds: she rolls, plays, is told, and puts it back."""
CAMERA: Final = (1920, 1080)
WIDTH: Final = 800
"""Of the board in the moving picture, in pixels."""
NOISE: Final = 1
"""All pictures have the same noise: what rests then costs no bytes."""
FULL: Final = 255


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp that is lit: where it lies in the picture, and its colour (red, green, blue)."""

    x: float
    y: float
    colour: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is to be seen at one time: the board from above, the lamps, the roll, and the newest words."""

    picture: Picture
    lamps: tuple[Lamp, ...]
    dice: tuple[int, int] | None
    said: str
    wrong: bool


class _OverError(Exception):
    """The last moment was kept."""


class Upright:
    """Turns the camera's picture so that the board stands upright and fills it."""

    def __init__(self, setting: Setting, width: int = WIDTH) -> None:
        """``width``: of the picture that is made, in pixels."""
        self._setting = setting
        whole = extent(setting)
        self.size = width, round(width * (whole.y1 - whole.y0) / (whole.x1 - whole.x0))
        seen = setting.camera.project(whole.corners(setting.frame.rail_height_mm))
        right, low = self.size
        wanted = np.array([[0, low], [right, low], [right, 0], [0, 0]], np.float32)
        self._matrix = cv2.getPerspectiveTransform(seen.astype(np.float32), wanted)

    def picture(self, seen: Picture) -> Picture:
        """The board alone."""
        return np.asarray(cv2.warpPerspective(seen, self._matrix, self.size, flags=cv2.INTER_AREA), np.uint8)

    def spot(self, place: Place) -> tuple[float, float] | None:
        """Where the lamp of a place lies, on the rail; None for the lamps beside the points and the bar."""
        geometry, frame = self._setting.geometry, self._setting.frame
        edge = geometry.surface_height_mm / 2 + frame.rail_mm / 2
        if isinstance(place, int):
            where = geometry.column_x(place), geometry.side_of(place) * edge
        elif place.startswith("bar-"):
            where = 0.0, edge * (2 * SIDES.index(place.removeprefix("bar-")) - 1)
        else:
            return None
        at: FloatArray = np.array([[*where, frame.rail_height_mm]])
        seen = self._setting.camera.project(at).reshape(1, 1, 2)
        ((x, y),) = cv2.perspectiveTransform(seen, self._matrix)[0]
        return float(x), float(y)


class Recorder:
    """Keeps the moments of a show between two times."""

    def __init__(self, prepared: Prepared) -> None:
        """``prepared``: the table that is played on."""
        camera = prepared.setting.camera.resized(*CAMERA)
        setting = replace(prepared.setting, camera=camera)
        self._painter, self._upright = Painter(setting), Upright(setting)
        self._transcript = Transcript(LANGUAGE, NAMES, at_once=True)
        self._said, self._wrong = "", False
        self.moments: list[Moment] = []

    def tell(self, action: Action) -> None:
        """The referee said something: keep it if players read it."""
        words = " ".join(line.strip() for line in self._transcript.lines(action))
        match action:
            case Flagged() | Told(message=Message.PLAY_AGAIN):
                self._said, self._wrong = words, isinstance(action, Flagged)
            case PhaseBegun(phase=Phase.TO_ROLL):
                self._said, self._wrong = "", False

    def attend(self, show: Show) -> None:
        """Keep this moment if its time has come."""
        if show.t >= UNTIL_S:
            raise _OverError
        if show.t < FROM_S:
            return
        table = show.desk.table
        seen = self._painter.paint(show.table.scene(), np.random.default_rng(NOISE)).picture
        rolled = show.dice if table.phase is not Phase.TO_ROLL else None
        self.moments.append(
            Moment(
                self._upright.picture(seen),
                tuple(self._lit(show.order.lamps, show.wire.chip.strip)),
                rolled,
                self._said,
                self._wrong,
            )
        )

    def _lit(self, lamps: Mapping[Place, int], strip: bytes) -> Iterator[Lamp]:
        """The lamps as the strip shows them at this moment, as bright as full power would make them."""
        bright = FULL / Dimming().level(at_night=False)
        for place, lamp in lamps.items():
            green, red, blue = (min(FULL, round(bright * each)) for each in strip[3 * lamp : 3 * lamp + 3])
            spot = self._upright.spot(place)
            if spot is not None and red + green + blue:
                yield Lamp(*spot, (red, green, blue))


def record() -> list[Moment]:
    """Play the evening and keep its twelve seconds."""
    prepared = prepare(PLAN.seed)
    recorder = Recorder(prepared)
    evening = Evening(PLAN, prepared)
    with (
        tempfile.TemporaryDirectory() as scratch,
        evening.folder(Path(scratch) / "match") as folder,
        suppress(_OverError),
    ):
        evening.match(0, folder, recorder.tell, recorder.attend)
    return recorder.moments
