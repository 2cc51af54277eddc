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
Detail = NDArray[np.float32]

# A push beyond this is measured again on a picture laid flat with it.
AGAIN_MM, AGAIN_TURN = 2.0, 0.008
# Sharpness is told by the steepest details (this share) on every so many-th row of the sheet.
STEEPEST, EVERY = 0.1, 3
# Details are between these widths, in sheet pixels; they may be off by so many pixels.
FINE, BROAD = 0.8, 2.5
ASTRAY = 3


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
    lit = _relit(flat, gain)
    push = find_push(lit, bare, sheet)
    camera, pushes = moved(board.camera, push.x_mm, push.y_mm, push.turn), [push]
    if np.hypot(push.x_mm, push.y_mm) > AGAIN_MM or abs(push.turn) > AGAIN_TURN:
        lit = _relit(sheet.flatten(image, camera, 0.0), gain)
        rest = fine_push(lit, bare, sheet)
        camera, pushes = moved(camera, rest.x_mm, rest.y_mm, rest.turn), [push, rest]
    return Settled(_relit(image, gain), camera, _stance(pushes, gain, _sharpness(lit, bare)))


def _sharpness(flat: Picture, bare: Picture) -> float:
    """How much of the bare board's finest details across is left, both pictures on one sheet and in one light."""
    now, then = _details(flat), _details(bare)
    now[:, :ASTRAY] = now[:, -ASTRAY:] = then[:, :ASTRAY] = then[:, -ASTRAY:] = 0
    steep = np.abs(then).ravel()
    places = np.flatnonzero(steep >= np.quantile(steep[::7], 1 - STEEPEST))
    places = places[(places >= ASTRAY) & (places < steep.size - ASTRAY)]
    was, all_now = then.ravel()[places], now.ravel()
    energy = float(was @ was) + 1e-6
    return max(float(all_now[places + off] @ was) for off in range(-ASTRAY, ASTRAY + 1)) / energy


def _details(flat: Picture) -> Detail:
    grey = cv2.cvtColor(flat[::EVERY], cv2.COLOR_BGR2GRAY).astype(np.float32)
    narrow = cv2.GaussianBlur(grey, (7, 1), FINE, sigmaY=FINE)
    return np.asarray(narrow - cv2.GaussianBlur(grey, (15, 1), BROAD, sigmaY=BROAD), np.float32)


def _stance(pushes: list[Push], gain: FloatArray, sharpness: float) -> Stance:
    light = 1 / gain
    return Stance(
        sum(push.x_mm for push in pushes),
        sum(push.y_mm for push in pushes),
        float(np.degrees(sum(push.turn for push in pushes))),
        (float(light[0]), float(light[1]), float(light[2])),
        pushes[-1].likeness,
        sharpness,
    )


def _relit(picture: Picture, gain: FloatArray) -> Picture:
    """A picture with each channel multiplied by its gain, shape (3,)."""
    return np.asarray(cv2.transform(picture, np.diag(gain)), np.uint8)
