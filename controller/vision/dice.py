"""Dice on the playing surface: where they lie and which number is up.

One network draws a map of where upper faces of dice are seen on the board laid flat, another looks closely at each
such place and tells the number, or that there is no die after all.
"""

from dataclasses import replace

import cv2
import numpy as np

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.patches import Search, Spot, find_spots, look_closely
from controller.vision.reading import DieSeen
from controller.vision.sheet import Picture, Sheet
from controller.vision.views import DIE_VIEW, die_picture

# Each spot is looked at in so many turns (radians), and the answers are averaged.
TURNS = (0.0, 0.4, 0.8, 1.2)
SEARCH = Search(least=0.25, radius=2, most=10)
MOST_DICE = 4
# A number is told only if it is at least this probable.
LEAST_CERTAIN = 0.5
COCKED = 0.5
# Spots that are nothing with at least this probability at a first look get no second one.
LEAST_DOUBT = 0.98
# Bodies that differ by so many grey levels are of two kinds; so much of a face is looked at.
TWO_KINDS = 60.0
BODY_PIXELS = 9
# Two dice cannot lie nearer than this.
APART_MM = 8.0
# Dice may stand against the rail, their faces showing a little outside of the surface.
OUTSIDE_MM = 4.0


def find_dice(
    lit: Picture, camera: Camera, geometry: BoardGeometry, sheet: Sheet, bare: Picture
) -> tuple[DieSeen, ...]:
    """Find the dice in a picture, (h, w, 3) BGR uint8, that is in the light of the bare board.

    ``bare`` is the bare board on ``sheet``. At most four are returned, the most certain first. A die of which a
    good part is hidden is left out rather than guessed.
    """
    found = find_spots("dice_map", die_picture(lit, camera, sheet, bare), sheet, SEARCH)
    spots = [spot for spot in found if _on_surface(spot, geometry)]
    if not spots:
        return ()
    first = look_closely("dice", lit, camera, spots, DIE_VIEW, TURNS[:1])
    likely = first.chances[:, 0] < LEAST_DOUBT
    spots = [(float(x), float(y)) for x, y in first.middles[likely]]
    if not spots:
        return ()
    look = look_closely("dice", lit, camera, spots, DIE_VIEW, TURNS)
    kept: list[Spot] = []
    dice = []
    for k in np.argsort(look.chances[:, 0], kind="stable"):
        value = int(look.chances[k, 1:].argmax()) + 1
        sure = float(look.chances[k, value])
        spot = (float(look.middles[k, 0]), float(look.middles[k, 1]))
        if sure < LEAST_CERTAIN or any(np.hypot(spot[0] - x, spot[1] - y) < APART_MM for x, y in kept):
            continue
        kept.append(spot)
        x, y = camera.project(np.array([*spot, DIE_VIEW.height_mm]))
        dice.append(DieSeen(value, float(x), float(y), sure, bool(look.cocked[k] > COCKED)))
    return _owned(sorted(dice, key=lambda die: -die.confidence)[:MOST_DICE], lit)


def _owned(dice: list[DieSeen], lit: Picture) -> tuple[DieSeen, ...]:
    """The dice with their owners, if some are much paler than others."""
    tones = [_tone(die, lit) for die in dice]
    if not dice or max(tones) - min(tones) < TWO_KINDS:
        return tuple(dice)
    middle = (max(tones) + min(tones)) / 2
    return tuple(
        replace(die, owner="light" if tone > middle else "dark")
        for die, tone in zip(dice, tones, strict=True)
    )


def _tone(die: DieSeen, lit: Picture) -> float:
    """The grey level of a die's body: most of its face is body."""
    size = (BODY_PIXELS, BODY_PIXELS)
    return float(np.median(cv2.getRectSubPix(lit, size, (die.x, die.y)).mean(axis=2)))


def _on_surface(spot: Spot, geometry: BoardGeometry) -> bool:
    across = abs(spot[0]) < geometry.surface_width_mm / 2 + OUTSIDE_MM
    return across and abs(spot[1]) < geometry.surface_height_mm / 2 + OUTSIDE_MM
