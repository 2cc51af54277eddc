"""How the board stands to the camera in a picture, and in what light, against its calibration."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, IndexArray, Picture, triple
from controller.vision.appearance import Appearance, light_gain
from controller.vision.board import Board
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry
from controller.vision.reading import Stance
from controller.vision.registration import Landmarks, Push, find_push, fine_push, landmarks_of
from controller.vision.sheet import Sheet, ground_sheet, moved, surface_sheet

# A push beyond this is measured again on a picture laid flat with it.
AGAIN_MM, AGAIN_TURN = 2.0, 0.008
# Pushes are followed in steps (mm, radians) finer than any reader needs, coarser than the noise of measuring them.
STEP_MM, STEP_TURN = 0.2, 0.0004
# Sharpness is told by the steepest details (this share) on every so many-th row of the sheet.
STEEPEST, EVERY = 0.1, 3
# Details are between these widths, in sheet pixels; they may be off by so many pixels.
FINE, BROAD = 0.8, 2.5
ASTRAY = 3


@dataclass(frozen=True, eq=False)
class Settled:
    """A picture in the light of the calibration, the camera as it stands to the board now, and the stance."""

    lit: Picture
    camera: CameraModel
    stance: Stance


@dataclass(frozen=True, eq=False)
class _Surface:
    """What a bare surface is found again by, and its steepest details: where they are and what they are there."""

    landmarks: Landmarks
    places: IndexArray
    steep: Float32Array


def settle(image: Picture, board: Board, sheet: Sheet, bare: Picture) -> Settled:
    """Follow light and board in a picture, (h, w, 3) BGR; ``bare`` is the bare board on ``sheet``."""
    surface = _surface(board.appearance, board.geometry)
    flat = sheet.flatten(image, board.camera, 0.0)
    few = flat[::2, ::2]
    gain = light_gain(few, bare[::2, ::2], np.ones(few.shape[:2], bool))
    lit = _relight(flat, gain)
    push = find_push(lit, surface.landmarks)
    if np.hypot(push.x_mm, push.y_mm) > AGAIN_MM or abs(push.turn) > AGAIN_TURN:
        there = moved(board.camera, push.x_mm, push.y_mm, push.turn)
        lit = _relight(sheet.flatten(image, there, 0.0), gain)
        push = push.then(fine_push(lit, surface.landmarks))
    camera = _follow(board.camera, push)
    return Settled(_relight(image, gain), camera, _stance(push, gain, _sharpness(lit, surface)))


@lru_cache(maxsize=4)
def _surface(look: Appearance, geometry: BoardGeometry) -> _Surface:
    sheet = surface_sheet(geometry)
    bare = sheet.crop(look.bare, ground_sheet(geometry))
    details = _details(bare)
    details[:, :ASTRAY] = details[:, -ASTRAY:] = 0
    details = details.ravel()
    steep = np.abs(details)
    places = np.flatnonzero(steep >= np.quantile(steep[::7], 1 - STEEPEST))
    places = places[(places >= ASTRAY) & (places < steep.size - ASTRAY)]
    return _Surface(landmarks_of(bare, sheet), places, details[places])


def _follow(camera: CameraModel, push: Push) -> CameraModel:
    """The camera after a push, told in steps: a board that nobody touches has the same one in every picture."""
    x, y, turn = round(push.x_mm / STEP_MM), round(push.y_mm / STEP_MM), round(push.turn / STEP_TURN)
    return moved(camera, x * STEP_MM, y * STEP_MM, turn * STEP_TURN) if x or y or turn else camera


def _sharpness(flat: Picture, surface: _Surface) -> float:
    """How much of the bare board's finest details across is left in a flat picture in its light."""
    details = _details(flat)
    details[:, :ASTRAY] = details[:, -ASTRAY:] = 0
    now, then = details.ravel(), surface.steep
    energy = float(then @ then) + 1e-6
    found = [float(now[surface.places + off] @ then) for off in range(-ASTRAY, ASTRAY + 1)]
    return max(found) / energy


def _details(flat: Picture) -> Float32Array:
    grey = cv2.cvtColor(flat[::EVERY], cv2.COLOR_BGR2GRAY).astype(np.float32)
    narrow = cv2.GaussianBlur(grey, (7, 1), FINE, sigmaY=FINE)
    return np.asarray(narrow - cv2.GaussianBlur(grey, (15, 1), BROAD, sigmaY=BROAD), np.float32)


def _stance(push: Push, gain: FloatArray, sharpness: float) -> Stance:
    turn = float(np.degrees(push.turn))
    return Stance(push.x_mm, push.y_mm, turn, triple(1 / gain), push.likeness, sharpness)


def _relight(picture: Picture, gain: FloatArray) -> Picture:
    """A picture with each channel multiplied by its gain, shape (3,)."""
    return np.asarray(cv2.transform(picture, np.diag(gain)), np.uint8)
