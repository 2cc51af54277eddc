"""Hands that reach over a board: forearm, palm, thumb and four fingers, as rods with round ends."""

import numpy as np

from controller.arrays import FloatArray, triple
from controller.simulation.boards.scene import Hand, Limb
from controller.simulation.boards.setting import Bgr, Setting

SKINS: tuple[Bgr, ...] = (
    (150, 180, 225),
    (125, 160, 215),
    (105, 140, 195),
    (85, 115, 165),
    (60, 85, 130),
    (45, 62, 98),
    (170, 195, 235),
)
ARM_MM = 1100.0
RISE_MM = 110.0
# Lengths from wrist to knuckles, and of the two visible parts of each finger.
PALM_MM = 78.0
FINGERS_MM = ((40.0, 34.0), (46.0, 38.0), (44.0, 36.0), (34.0, 28.0))
KNUCKLE_GAP_MM = 20.0


def random_hand(setting: Setting, rng: np.random.Generator) -> Hand:
    """A hand that reaches from one of the edges to somewhere on the board."""
    geometry = setting.geometry
    goal = rng.uniform(-0.5, 0.5, 2) * [geometry.surface_width_mm, geometry.surface_height_mm]
    from_dark = rng.random() < 0.5
    heading = (-np.pi / 2 if from_dark else np.pi / 2) + rng.normal(0, 0.35)
    if rng.random() < 0.15:
        heading = rng.uniform(0, 2 * np.pi)
    sleeve: Bgr | None = None
    if rng.random() < 0.75:
        sleeve = triple(rng.uniform(10, 240, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(15, 235)))
    return hand_at(
        (float(goal[0]), float(goal[1])),
        float(heading),
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=sleeve,
        bare_mm=float(rng.uniform(0, 150)),
        height_mm=float(rng.choice([rng.uniform(4, 20), rng.uniform(15, 90)])),
        pinch=float(rng.uniform(0, 1)),
        spread=float(rng.uniform(0.02, 0.22)),
        right=bool(rng.random() < 0.7),
        scale=float(rng.uniform(0.85, 1.1)),
    )


def hand_at(
    goal: tuple[float, float],
    heading: float,
    *,
    skin: Bgr = SKINS[1],
    sleeve: Bgr | None = (60.0, 50.0, 45.0),
    bare_mm: float = 60.0,
    height_mm: float = 12.0,
    pinch: float = 0.8,
    spread: float = 0.1,
    right: bool = True,
    scale: float = 1.0,
) -> Hand:
    """A hand whose finger tips are about ``goal`` (mm), reaching in the direction ``heading`` (radians).

    ``height_mm`` is that of the finger tips above the surface; ``pinch`` (0..1) closes the fingers, ``spread``
    (radians) fans them out; ``bare_mm`` of the forearm show before the sleeve begins.
    """
    ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
    aside = np.array([np.sin(heading), -np.cos(heading), 0.0]) * (1 if right else -1)
    reach = PALM_MM + (1 - 0.45 * pinch) * sum(FINGERS_MM[1])
    tip = np.array([goal[0], goal[1], height_mm])
    wrist = tip - scale * reach * ahead + np.array([0, 0, 28.0 + 22.0 * pinch])
    elbow = wrist - ARM_MM * ahead + np.array([0, 0, RISE_MM])
    limbs = [_limb(wrist, elbow, 25 * scale, 42 * scale, skin)]
    for number, (near, far) in enumerate(FINGERS_MM):
        offset = number - 1.5
        fan = offset * spread * (1 - pinch)
        way = np.cos(fan) * ahead - np.sin(fan) * aside
        base = wrist + scale * (0.45 * KNUCKLE_GAP_MM * -offset * aside)
        knuckle = wrist + scale * (PALM_MM * ahead - KNUCKLE_GAP_MM * offset * aside)
        knuckle[2] = wrist[2] - 6 + 10 * pinch
        bend = 0.25 + 0.5 * pinch
        joint = knuckle + scale * near * (way * np.cos(0.5 * bend) - np.array([0, 0, np.sin(0.5 * bend)]))
        end = joint + scale * far * (way * np.cos(2 * bend) - np.array([0, 0, np.sin(2 * bend)]))
        end += pinch * 0.45 * ((tip - end) * [1, 1, 0])
        end[2] = max(end[2], height_mm)
        joint[2] = max(joint[2], height_mm + 4)
        limbs.append(_limb(base, knuckle, 15 * scale, 12 * scale, skin))
        limbs.append(_limb(knuckle, joint, 10 * scale, 8.5 * scale, skin))
        limbs.append(_limb(joint, end, 8.5 * scale, 6.5 * scale, skin))
    root = wrist + scale * (22 * ahead + 26 * aside)
    middle = root + scale * (34 * ahead + 14 * aside * (1 - pinch) - np.array([0, 0, 8.0]))
    end = middle + scale * (30 * ahead - 12 * pinch * aside - np.array([0, 0, 8.0]))
    for place in (middle, end):
        place[2] = max(place[2], height_mm)
    limbs += [
        _limb(wrist, root, 16 * scale, 14 * scale, skin),
        _limb(root, middle, 12 * scale, 10 * scale, skin),
        _limb(middle, end, 10 * scale, 7.5 * scale, skin),
    ]
    if sleeve is not None:
        cuff = wrist - bare_mm * ahead + np.array([0, 0, RISE_MM * bare_mm / ARM_MM])
        limbs.append(_limb(cuff, elbow + np.array([0, 0, 6.0]), 35 * scale, 52 * scale, sleeve, cloth=True))
    return Hand(tuple(limbs))


def _limb(a: FloatArray, b: FloatArray, near: float, far: float, colour: Bgr, cloth: bool = False) -> Limb:
    return Limb(triple(a), triple(b), near, far, colour, cloth)
