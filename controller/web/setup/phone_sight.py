"""What the table sees through a phone, for the phone's own page; pure but for the measures that set-up takes."""

from typing import Final

import numpy as np

from calibration.aim import PITCHES
from controller.arrays import FloatArray
from controller.devices.camera.choice import PHONE
from controller.messages.catalogue import Catalogue, catalogue
from controller.record.journal.journal import Json
from controller.vision.dice.dice_size import DIE_SHARE
from controller.web.setup.set_up import SetUp, SetUpView

PAGE: Final = ("page", "camera")


def phone_sight(setup: SetUp, language: str) -> dict[str, Json]:
    """What the page shows: whether the pictures are used, and sentences about board, sharpness and dice."""
    view, texts = setup.view(), catalogue(language)
    if view.camera != PHONE:
        return {"used": False, "lines": [texts.text(*PAGE, "other_camera")]}
    return {"used": view.camera_ready, "lines": [*_lines(view, texts)]}


def _lines(view: SetUpView, texts: Catalogue) -> list[Json]:
    aiming, lines = view.aiming, list[Json]()
    known = view.board_known or aiming.found
    lines.append(texts.text(*PAGE, "board_found" if known else "board_unknown"))
    if aiming.aim is not None:
        word = texts.text("page", "setup", "word", aiming.aim.sharpness.word)
        lines.append(texts.text(*PAGE, "sharp", word=word))
        if aiming.placed and aiming.corners is not None:
            lines.append(texts.text(*PAGE, "dice", pixels=round(_die_px(aiming.corners))))
    return lines


def _die_px(corners: FloatArray) -> float:
    """The width of a usual die in pixels, by the corners of the playing surface, (4, 2)."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(max(sides)) / PITCHES * DIE_SHARE
