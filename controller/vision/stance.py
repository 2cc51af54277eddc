"""How the board stands to the camera in a picture, and in what light, against its calibration."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import light_gain
from controller.vision.board import Board
from controller.vision.camera import Camera
from controller.vision.reading import Stance
from controller.vision.registration import Push, find_push, fine_push
from controller.vision.sheet import Picture, Sheet, moved

FloatArray = NDArray[np.float64]

# A push beyond this is measured again on a picture laid flat with it.
AGAIN_MM, AGAIN_TURN = 2.0, 0.008


@dataclass(frozen=True, eq=False)
class Settled:
    """A picture in the light of the calibration, the camera as it stands to the board now, and the stance."""

    lit: Picture
    camera: Camera
    stance: Stance


def settle(image: Picture, board: Board, sheet: Sheet, bare: Picture) -> Settled:
    """Follow light and board in a picture, (h, w, 3) BGR; ``bare`` is the bare board on ``sheet``."""
    flat = sheet.flatten(image, board.camera, 0.0)
    few = flat[::2, ::2]
    gain = light_gain(few, bare[::2, ::2], np.ones(few.shape[:2], bool))
    curve = _curve(gain)
    push = find_push(np.asarray(cv2.LUT(flat, curve), np.uint8), bare, sheet)
    camera, pushes = moved(board.camera, push.x_mm, push.y_mm, push.turn), [push]
    if np.hypot(push.x_mm, push.y_mm) > AGAIN_MM or abs(push.turn) > AGAIN_TURN:
        flat = sheet.flatten(image, camera, 0.0)
        rest = fine_push(np.asarray(cv2.LUT(flat, curve), np.uint8), bare, sheet)
        camera, pushes = moved(camera, rest.x_mm, rest.y_mm, rest.turn), [push, rest]
    return Settled(np.asarray(cv2.LUT(image, curve), np.uint8), camera, _stance(pushes, gain))


def _stance(pushes: list[Push], gain: FloatArray) -> Stance:
    light = 1 / gain
    return Stance(
        sum(push.x_mm for push in pushes),
        sum(push.y_mm for push in pushes),
        float(np.degrees(sum(push.turn for push in pushes))),
        (float(light[0]), float(light[1]), float(light[2])),
        pushes[-1].likeness,
    )


def _curve(gain: FloatArray) -> Picture:
    """A table for ``cv2.LUT``, shape (1, 256, 3), that multiplies each channel."""
    table = np.clip(np.arange(256)[:, None] * gain, 0, 255)
    return np.asarray(np.rint(table), np.uint8)[None]
