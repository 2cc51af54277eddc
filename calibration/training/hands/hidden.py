"""Examples for the network that sees hands: coarse looks at boards, with arms drawn over most of them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.training.hands.arms import add_lamp, draw_arm, draw_cup, light_change, shadow
from calibration.training.hands.overlooked import Glanced
from controller.arrays import AnyFloatArray, FloatArray, Picture
from controller.vision.counting.appearance import to_lab
from controller.vision.hands.occlusion import CELL, point_shares
from controller.vision.hands.overview import COLUMNS, ROWS, layers, plan, suits

Rng = np.random.Generator

# Shares of pictures that stay without an arm, of arms among what is drawn, and of a second thing over the first.
LEFT_BARE, ARMS, SECOND = 0.4, 0.88, 0.12
# Share of arms of which the picture shows the shadow alone.
ONLY_SHADOW = 0.1
BESIDE_WEIGHT = 0.5


@dataclass(frozen=True, eq=False)
class Example:
    """One example.

    ``layers`` is what the network is shown. ``target`` is the share hidden of each cell of its answer and
    ``weight`` what that is worth; ``shares`` (24, rows, columns) sums cells to points and ``hidden`` (24,) are the
    shares hidden of the points, negative where nothing is known.
    """

    layers: AnyFloatArray
    target: AnyFloatArray
    weight: AnyFloatArray
    shares: AnyFloatArray
    hidden: AnyFloatArray


def example(rng: Rng, known: Glanced) -> Example:
    """One of a board's coarse looks in other colours and light, with or without something over it."""
    glance = known.glances[int(rng.integers(len(known.glances)))]
    board = known.board
    paint = _any_paint(rng)
    now: AnyFloatArray = glance.now.astype(np.float32) @ paint.T
    bare: AnyFloatArray = glance.bare.picture.astype(np.float32) @ paint.T
    cover: AnyFloatArray = np.zeros((ROWS, COLUMNS), np.float32)
    if glance.cover is not None:
        cover = glance.cover.astype(np.float32) / 255
        if not glance.cover.any():
            now, cover = _covered(rng, known, now)
    now = now * light_change(rng)
    if rng.random() < 0.3:
        now = add_lamp(rng, now)
    now = _levelled(now, bare, glance.bare.known)
    real = np.clip(now @ np.linalg.inv(paint).T, 0, 255).astype(np.uint8)
    tone = _Tone(float(np.exp(rng.normal(0, 0.15))), float(rng.uniform(0.7, 1.35)))
    seen = _taken(rng, tone.over(now))
    shown = layers(
        seen, replace(glance.bare, picture=_bytes(tone.over(bare))), board.appearance, board.geometry
    )
    lab = to_lab(real)
    shown[-2], shown[-1] = suits(lab, board.appearance)
    size = COLUMNS // CELL, ROWS // CELL
    target = np.asarray(cv2.resize(cover.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
    near = cv2.resize((plan(board.geometry) > 0).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    weight = np.where(cv2.dilate(near, np.ones((3, 3))) > 0, 1.0, BESIDE_WEIGHT)
    hidden = np.full(24, -1, np.float32)
    if glance.hidden is not None:
        weight, hidden = np.zeros_like(weight), glance.hidden
    made: list[AnyFloatArray] = [shown, target, weight, point_shares(board.geometry)]
    if rng.random() < 0.5:
        made = [array[..., ::-1] for array in made]
    if rng.random() < 0.5:
        made = [array[..., ::-1, :] for array in made]
    plain = [np.ascontiguousarray(array, np.float32) for array in made]
    return Example(plain[0], plain[1], plain[2], plain[3], hidden)


def _covered(rng: Rng, known: Glanced, now: AnyFloatArray) -> tuple[AnyFloatArray, AnyFloatArray]:
    """The picture with something over it, mostly, and where that is."""
    cover: AnyFloatArray = np.zeros((ROWS, COLUMNS), np.float32)
    if rng.random() < LEFT_BARE:
        return now, cover
    for _ in range(1 + int(rng.random() < SECOND)):
        draw = draw_arm if rng.random() < ARMS else draw_cup
        thing = draw(rng, known.board.geometry)
        now = now * shadow(rng, thing.cover)[..., None]
        if rng.random() < ONLY_SHADOW:
            continue
        over = thing.cover[..., None]
        now = now * (1 - over) + thing.colour * over
        cover = np.maximum(cover, thing.cover)
    return now, cover


def _any_paint(rng: Rng) -> FloatArray:
    """A change of all colours, (3, 3), that can be undone: channels swapped, hues turned, paler or stronger."""
    if rng.random() < 0.35:
        return np.eye(3)
    turn, strength = rng.uniform(-0.5, 0.5), rng.uniform(0.5, 1.3)
    axis = np.ones(3) / np.sqrt(3)
    spin = np.asarray(cv2.Rodrigues(turn * axis)[0], float)
    paler = strength * np.eye(3) + (1 - strength) / 3
    return np.asarray(paler @ spin @ np.eye(3)[rng.permutation(3)], float)


def _levelled(now: AnyFloatArray, bare: AnyFloatArray, known: tuple[slice, slice]) -> AnyFloatArray:
    """As the reader does it: brought back to the light of the bare board."""
    then, seen = (np.maximum(picture[known].reshape(-1, 3)[::7], 0) for picture in (bare, now))
    ratio = np.log((then + 2) / (seen + 2))
    return np.asarray(now * np.exp(np.median(ratio, axis=0)), np.float32)


@dataclass(frozen=True, slots=True)
class _Tone:
    gain: float
    gamma: float

    def over(self, picture: AnyFloatArray) -> AnyFloatArray:
        level = np.clip(picture * self.gain, 0, 255) / 255
        return np.asarray(255 * level**self.gamma, np.float32)


def _taken(rng: Rng, picture: AnyFloatArray) -> Picture:
    """With noise, softness and a push that was not quite followed."""
    noisy: AnyFloatArray = picture + rng.normal(0, rng.uniform(0, 4), picture.shape)
    if rng.random() < 0.3:
        noisy = np.asarray(cv2.GaussianBlur(noisy, (0, 0), rng.uniform(0.4, 1.0)), float)
    if rng.random() < 0.5:
        x, y = rng.normal(0, 0.5, 2)
        off = np.array([[1, 0, x], [0, 1, y]])
        noisy = np.asarray(
            cv2.warpAffine(noisy, off, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE), float
        )
    return _bytes(noisy)


def _bytes(picture: AnyFloatArray) -> Picture:
    return np.asarray(np.clip(np.rint(picture), 0, 255), np.uint8)
