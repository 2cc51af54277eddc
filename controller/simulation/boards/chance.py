"""Boards, cameras and lights drawn at random, as widely as real ones differ and a little beyond.

Every camera stands where it sees the whole board.
"""

from dataclasses import replace
from functools import partial
from typing import Literal

import cv2
import numpy as np

from controller.arrays import FloatArray, triple
from controller.simulation.boards.faces import random_cube_style, random_die_style
from controller.simulation.boards.setting import (
    Bgr,
    BoardFrame,
    CheckerLook,
    CubeLook,
    DieLook,
    Finish,
    Lamp,
    Light,
    Logo,
    Markers,
    Material,
    PointLook,
    PointShape,
    Relief,
    Setting,
    Stuff,
)
from controller.vision import BoardGeometry, CameraModel, Colour, Home
from controller.vision.geometry.geometry import NOMINAL_PITCH_MM

STEEPEST_DEG = 50.0
NEAREST_MM, FARTHEST_MM = 300.0, 6000.0
SIZES = ((1280, 720), (1280, 720), (1280, 720), (640, 480), (1296, 972), (1920, 1080))
# Least distances in Lab: between the two colours of checkers, and between checkers and what they lie on.
APART = 26.0
# The light side is lighter by at least this (Lab).
LIGHTER = 8.0
TELLABLE = 9.0
# A maker's initials and numbers.
LETTERS = "BDHLMPRVWZ0123456789"
RELIEFS: tuple[Relief, ...] = ("flat", "dished", "rimmed", "ringed", "stepped", "domed")
WOODS: tuple[Bgr, ...] = (
    (30, 48, 78),
    (45, 85, 140),
    (90, 140, 185),
    (25, 30, 48),
    (110, 160, 205),
    (35, 60, 120),
)
CLOTHS: tuple[Bgr, ...] = (
    (60, 110, 40),
    (40, 60, 25),
    (95, 60, 35),
    (40, 35, 110),
    (170, 200, 215),
    (60, 60, 62),
)


def random_setting(rng: np.random.Generator, size: tuple[int, int] | None = None) -> Setting:
    """A board with its camera and light; ``size`` is the picture's width and height, any usual one if ``None``."""
    width, height = size or SIZES[int(rng.integers(len(SIZES)))]
    geometry = random_geometry(rng)
    surface = _surface(rng)
    points = _points(rng, geometry, surface.colour)
    light_look, dark_look = _checkers(rng, surface.colour, points)
    wood = _wood(rng)
    markers = None
    if rng.random() < 0.25:
        quarters = rng.integers(0, 4, 4) if rng.random() < 0.5 else np.zeros(4, int)
        turns = (int(quarters[0]), int(quarters[1]), int(quarters[2]), int(quarters[3]))
        markers = Markers(float(rng.uniform(20, 28)), turns)
    frame = _frame(rng, wood, surface, markers)
    camera = place_camera(rng, geometry, frame, width, height)
    return Setting(
        geometry,
        camera,
        surface,
        points=points,
        frame=frame,
        table=_table(rng),
        checkers={"light": light_look, "dark": dark_look},
        dice=_dice(rng),
        cube=CubeLook(
            float(rng.uniform(22, 34)),
            random_cube_style(rng),
            64 if rng.random() < 0.8 else 2,
            _cube_place(rng, geometry),
        ),
        light=random_light(rng),
        finish=random_finish(rng),
        markers=markers,
        logos=_logos(rng, geometry, surface.colour),
    )


def random_geometry(rng: np.random.Generator) -> BoardGeometry:
    """Measures of a board; the pitch is nominal, all else in proportion."""
    pitch = NOMINAL_PITCH_MM
    diameter = pitch * float(rng.uniform(0.86, 0.97))
    home: Home = "right" if rng.random() < 0.5 else "left"
    kind = rng.random()
    away: Home = "left" if home == "right" else "right"
    trays: tuple[Home, ...] = (
        (home,) if kind < 0.4 else ("right", "left") if kind < 0.65 else (away,) if kind < 0.7 else ()
    )
    row = diameter * float(rng.uniform(1.0, 1.04))
    return BoardGeometry(
        home,
        pitch,
        pitch * float(rng.uniform(0.7, 1.5)),
        surface_height_mm=max(pitch * float(rng.uniform(9.8, 11.6)), 10.35 * row),
        row_pitch_mm=row,
        checker_diameter_mm=diameter,
        checker_thickness_mm=pitch * float(rng.uniform(0.19, 0.34)),
        trays=trays,
        tray_width_mm=float(max(diameter * 1.06, rng.uniform(42, 58))),
        tray_gap_mm=float(rng.uniform(10, 30)),
    )


def random_colour(rng: np.random.Generator) -> Bgr:
    """Any colour: dull ones more often than bright ones."""
    hue, saturation = rng.uniform(0, 180), 255 * rng.beta(1.5, 1.8)
    value = rng.uniform(25, 250)
    pixel = np.array([[[hue, saturation, value]]], np.float64).astype(np.uint8)
    return triple(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])


def lab(colour: Bgr) -> FloatArray:
    """A colour in CIE Lab, shape (3,)."""
    pixel = np.array([[colour]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0], float)


def shifted(rng: np.random.Generator, colour: Bgr, spread: float) -> Bgr:
    """A colour near another one."""
    near = np.array(colour) * (1 + rng.normal(0, spread, 3)) + rng.normal(0, 60 * spread)
    return triple(np.clip(near, 4, 252))


def _pick(rng: np.random.Generator, colours: tuple[Bgr, ...], spread: float = 0.12) -> Bgr:
    return shifted(rng, colours[int(rng.integers(len(colours)))], spread)


def _material(rng: np.random.Generator, stuff: Stuff, colour: Bgr, gloss: float) -> Material:
    deep = {"wood": 0.55, "cork": 0.6, "marble": 0.9, "checks": 1.0}.get(stuff, 0.3)
    second = shifted(rng, triple(0.6 * c for c in colour), 0.12)
    if stuff in ("checks", "marble"):
        second = random_colour(rng)
    rough = float(rng.uniform(0.03, 0.3)) if gloss > 0.2 else float(rng.uniform(0.25, 0.6))
    scale = {"wood": rng.uniform(4, 25), "cork": rng.uniform(3, 8)}.get(stuff, rng.uniform(5, 40))
    return Material(
        stuff,
        colour,
        second,
        grain=deep * float(rng.uniform(0.4, 1.0)),
        scale_mm=float(scale),
        gloss=gloss,
        roughness=rough,
        seed=_seed(rng),
    )


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _surface(rng: np.random.Generator) -> Material:
    kind = rng.random()
    if kind < 0.32:
        return _material(rng, "felt", _pick(rng, CLOTHS) if rng.random() < 0.6 else random_colour(rng), 0.0)
    if kind < 0.55:
        gloss = float(rng.uniform(0.1, 0.7))
        return _material(rng, "leather", random_colour(rng), gloss)
    if kind < 0.75:
        return _material(rng, "wood", _pick(rng, WOODS), float(rng.uniform(0.1, 0.9)))
    if kind < 0.85:
        return _material(rng, "cork", shifted(rng, (90, 145, 190), 0.12), 0.05)
    return _material(rng, "plain", random_colour(rng), float(rng.uniform(0.1, 0.8)))


def _wood(rng: np.random.Generator) -> Material:
    if rng.random() < 0.7:
        return _material(rng, "wood", _pick(rng, WOODS), float(rng.uniform(0.05, 0.9)))
    return _material(rng, "leather", random_colour(rng), float(rng.uniform(0.1, 0.6)))


def _table(rng: np.random.Generator) -> Material:
    kind = rng.random()
    if kind < 0.35:
        return _material(rng, "wood", _pick(rng, WOODS, 0.2), float(rng.uniform(0.05, 0.8)))
    stuffs: tuple[Stuff, ...] = ("cloth", "plain", "marble", "checks", "felt")
    return _material(
        rng, stuffs[int(rng.integers(5))], random_colour(rng), float(rng.choice([0.0, rng.uniform(0, 0.6)]))
    )


def _points(rng: np.random.Generator, geometry: BoardGeometry, ground: Bgr) -> PointLook:
    colours: list[Bgr] = []
    for _ in range(2):
        colour = random_colour(rng)
        for _ in range(30):
            if np.linalg.norm(lab(colour) - lab(ground)) > 14 and all(
                np.linalg.norm(lab(colour) - lab(one)) > 14 for one in colours
            ):
                break
            colour = random_colour(rng)
        colours.append(colour)
    shapes: tuple[PointShape, ...] = ("triangle", "triangle", "spear", "rounded", "bullet")
    length = min(geometry.surface_height_mm * float(rng.uniform(0.36, 0.46)), 5.2 * geometry.row_pitch_mm)
    inlaid = None
    if rng.random() < 0.4:
        stuff: Stuff = "wood" if rng.random() < 0.5 else "leather"
        inlaid = _material(rng, stuff, (128, 128, 128), 0.3)
    outline = random_colour(rng) if rng.random() < 0.2 else None
    share = float(rng.uniform(0.72, 0.98))
    return PointLook((colours[0], colours[1]), shapes[int(rng.integers(5))], length, share, outline, inlaid)


def _checkers(rng: np.random.Generator, ground: Bgr, points: PointLook) -> tuple[CheckerLook, CheckerLook]:
    """Two looks that can be told from each other and, if barely, from what they lie on."""
    under = [lab(ground), lab(points.colours[0]), lab(points.colours[1])]
    for _ in range(400):
        pair = [_checker_colour(rng), _checker_colour(rng)]
        a, b = sorted(pair, key=lambda colour: -lab(colour)[0])
        if np.linalg.norm(lab(a) - lab(b)) < APART or lab(a)[0] - lab(b)[0] < LIGHTER:
            continue
        if min(np.linalg.norm(lab(one) - spot) for one in (a, b) for spot in under) > TELLABLE:
            break
    relief = RELIEFS[int(rng.integers(len(RELIEFS)))]
    gloss = float(rng.choice([rng.uniform(0, 0.2), rng.uniform(0.3, 1.0)]))
    rough = float(rng.uniform(0.04, 0.35))
    depth, bevel = float(rng.uniform(0.3, 1.6)), float(rng.uniform(0.4, 2.2))
    shape = (relief, depth, bevel, gloss, rough, bool(rng.random() < 0.08))
    return _checker(rng, a, shape), _checker(rng, b, shape)


def _checker_colour(rng: np.random.Generator) -> Bgr:
    kind = rng.random()
    if kind < 0.22:
        return shifted(rng, (215, 232, 240), 0.05)
    if kind < 0.42:
        return shifted(rng, (28, 26, 28), 0.25)
    if kind < 0.55:
        return _pick(rng, WOODS)
    return random_colour(rng)


def _checker(
    rng: np.random.Generator, colour: Bgr, shape: tuple[Relief, float, float, float, float, bool]
) -> CheckerLook:
    second = shifted(rng, triple(0.75 * c + 40 for c in colour), 0.2)
    back = colour if rng.random() < 0.9 else shifted(rng, colour, 0.15)
    marbling = float(rng.uniform(0.2, 1.0)) if rng.random() < 0.35 else 0.0
    spread = float(rng.uniform(0, 0.08))
    relief, relief_mm, bevel_mm, gloss, roughness, metal = shape
    return CheckerLook(
        colour,
        second,
        back,
        marbling=marbling,
        relief=relief,
        relief_mm=relief_mm,
        bevel_mm=bevel_mm,
        gloss=gloss,
        roughness=roughness,
        metal=metal,
        shade_spread=spread,
        seed=_seed(rng),
    )


def _dice(rng: np.random.Generator) -> dict[Colour, DieLook]:
    size = float(rng.uniform(11.5, 18))
    one, two = random_die_style(rng), random_die_style(rng)
    return {"light": DieLook(size, one), "dark": DieLook(size, two if rng.random() < 0.8 else one)}


def _cube_place(rng: np.random.Generator, geometry: BoardGeometry) -> Literal["bar", "beside", "tray"]:
    kind = rng.random()
    if geometry.trays and kind < 0.2:
        return "tray"
    return "bar" if kind < 0.65 else "beside"


def _frame(
    rng: np.random.Generator, wood: Material, surface: Material, markers: Markers | None
) -> BoardFrame:
    rail = float(rng.uniform(14, 40))
    if markers is not None:
        rail = max(rail, markers.size_mm * 4 / 3 + 1)
    height = float(rng.uniform(8, 24))
    raised = rng.random()
    bar_height = 0.0 if raised < 0.4 else height if raised < 0.7 else float(rng.uniform(0, height))
    bar = surface if raised < 0.15 else wood
    hinges = int(rng.integers(2, 4)) if rng.random() < 0.3 else 0
    hinge = shifted(rng, (95, 190, 215), 0.1) if rng.random() < 0.6 else shifted(rng, (190, 195, 200), 0.08)
    rest = float(rng.uniform(30, 80)) if rng.random() < 0.6 else 0.0
    return BoardFrame(
        wood,
        rail,
        height,
        bar_height_mm=bar_height,
        bar_material=bar,
        body_mm=float(rng.uniform(8, 40)),
        hinges=hinges,
        hinge=hinge,
        rest_mm=rest,
    )


def random_light(rng: np.random.Generator) -> Light:
    """One or two lamps or windows and what comes from everywhere; together 1 at the board's centre."""
    count = 1 if rng.random() < 0.55 else 2
    ambient = float(rng.uniform(0.3, 0.75))
    shares = rng.dirichlet(np.full(count, 2.0)) * (1 - ambient)
    lamps = []
    for share in shares:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0, 1.3)
        height = float(rng.uniform(700, 2200))
        window = bool(rng.random() < 0.25)
        radius = float(rng.uniform(250, 600)) if window else float(rng.uniform(30, 350))
        warm = float(rng.uniform(-0.12, 0.3))
        colour = (255 * (1 - max(0.0, warm)), 255 * (1 - abs(warm) / 4), 255 * (1 + min(0.0, warm)))
        x, y = height * far * np.cos(angle), height * far * np.sin(angle)
        lamps.append(
            Lamp(
                float(x), float(y), height, radius_mm=radius, power=float(share), colour=colour, window=window
            )
        )
    cool = float(rng.uniform(-0.08, 0.15))
    ambient_colour = (255 * (1 - max(0.0, cool)), 255.0, 255 * (1 + min(0.0, cool)))
    return Light(tuple(lamps), ambient, ambient_colour)


def random_finish(rng: np.random.Generator) -> Finish:
    """A camera's exposure, white balance, blur, noise and compression."""
    exposure = float(np.exp(rng.normal(0.05, 0.22)))
    balance = np.exp(rng.normal(0, 0.07, 3))
    return Finish(
        triple(exposure * balance),
        float(rng.uniform(0.85, 1.2)),
        float(rng.choice([0.0, rng.uniform(0.3, 0.9), rng.uniform(0.7, 1.5)])),
        motion_px=float(rng.uniform(1, 3)) if rng.random() < 0.06 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(abs(rng.normal(0, 3.5)) + 0.5),
        grain_px=float(rng.choice([0.0, rng.uniform(0.4, 0.9)])),
        chroma=float(rng.uniform(0.1, 0.6)),
        vignette=float(rng.choice([0.0, rng.uniform(0, 0.35)])),
        sharpen=float(rng.choice([0.0, rng.uniform(0.2, 1.2)])),
        jpeg=int(rng.integers(62, 97)) if rng.random() < 0.9 else 0,
    )


def _logos(rng: np.random.Generator, geometry: BoardGeometry, ground: Bgr) -> tuple[Logo, ...]:
    if rng.random() > 0.22:
        return ()
    letters = "".join(LETTERS[int(k)] for k in rng.integers(0, len(LETTERS), int(rng.integers(1, 5))))
    size, turn = float(rng.uniform(35, 90)), float(rng.choice([0.0, np.pi / 2, np.pi, rng.normal(0, 0.2)]))
    ink = random_colour(rng)
    badge = shifted(rng, ground, 0.4) if rng.random() < 0.5 else None
    x = geometry.bar_mm / 2 + 3 * geometry.pitch_mm
    return tuple(
        Logo(sign * x, 0.0, size, turn=turn, text=letters, ink=ink, ground=badge) for sign in (-1, 1)
    )


def place_camera(
    rng: np.random.Generator, geometry: BoardGeometry, frame: BoardFrame, width: int, height: int
) -> CameraModel:
    """A camera from overhead to 50 degrees, turned any way, that has the whole board in its picture."""
    overhead = rng.random() < 0.45
    slant = np.radians(abs(rng.normal(0, 5)) if overhead else rng.uniform(8, STEEPEST_DEG))
    quarter = np.pi / 2 * float(rng.choice([3, 3, 3, 1, 1, 0, 2]))
    seat = quarter + rng.normal(0, 0.2) if rng.random() < 0.75 else rng.uniform(0, 2 * np.pi)
    roll = rng.normal(0, 0.08)
    focal = width * float(rng.uniform(0.7, 1.5))
    bent = rng.random() < 0.55
    k1 = float(rng.uniform(-0.22, 0.06)) if bent else 0.0
    k2 = float(rng.uniform(-0.02, 0.05)) if bent else 0.0
    outline = _outline(geometry, frame)
    fill = float(rng.uniform(0.62, 0.97))
    low, high = NEAREST_MM, FARTHEST_MM
    slack = np.clip(rng.normal(0, 0.45, 2), -1, 1)
    aim = partial(_aim, width, height, (focal, k1, k2), (slant, seat, roll))
    for _ in range(24):
        distance = (low + high) / 2
        camera = aim(distance, _centring(aim(distance, np.zeros(2)), outline))
        spots = camera.project(outline)
        share = (
            np.inf if not np.isfinite(spots).all() else float((np.ptp(spots, axis=0) / [width, height]).max())
        )
        low, high = (distance, high) if share > fill else (low, distance)
    return _shift(camera, outline, slack)


def _outline(geometry: BoardGeometry, frame: BoardFrame) -> FloatArray:
    """The corners of the board's outside, upper and lower, with points between them (n, 3)."""
    far = geometry.surface_height_mm / 2 + frame.rail_mm
    x, y = np.meshgrid(np.linspace(*geometry.x_range(frame.rail_mm), 5), np.linspace(-far, far, 5))
    flat = np.stack([x.ravel(), y.ravel()], 1)
    heights = (frame.rail_height_mm, -frame.body_mm)
    return np.concatenate([np.concatenate([flat, np.full((len(flat), 1), z)], 1) for z in heights])


def _aim(
    width: int,
    height: int,
    lens: tuple[float, float, float],
    angles: tuple[float, float, float],
    distance: float,
    target: FloatArray,
) -> CameraModel:
    """A camera ``distance`` mm from a place of the board, slanted, standing towards ``seat``, rolled."""
    slant, seat, roll = angles
    forward = np.array(
        [-np.sin(slant) * np.cos(seat), -np.sin(slant) * np.sin(seat), -np.cos(slant)],
    )
    right = np.array([-np.sin(seat), np.cos(seat), 0.0])
    down = np.cross(forward, right)
    cos, sin = np.cos(roll), np.sin(roll)
    turn = np.stack([cos * right + sin * down, cos * down - sin * right, forward])
    centre = np.array([target[0], target[1], 0.0]) - distance * forward
    rotation = cv2.Rodrigues(turn)[0].ravel()
    return CameraModel(width, height, *lens, triple(rotation), triple(-turn @ centre))


def _centring(camera: CameraModel, outline: FloatArray) -> FloatArray:
    """The place of the board to aim at so that its outline is in the middle of the picture."""
    spots = camera.project(outline)
    if not np.isfinite(spots).all():
        return np.zeros(2)
    middle = (spots.min(0) + spots.max(0)) / 2
    return np.asarray(camera.to_board(middle), float)


def _shift(camera: CameraModel, outline: FloatArray, slack: FloatArray) -> CameraModel:
    """The camera moved sideways by a share of the free margin, -1..1 each way."""
    spots = camera.project(outline)
    size = np.array([camera.width, camera.height])
    free = np.maximum(0, np.minimum(spots.min(0), size - spots.max(0)) - 4) * slack
    depth = float(np.linalg.norm(camera.centre_mm))
    step = np.append(free * depth / camera.focal, 0.0)
    made = replace(camera, translation=triple(np.array(camera.translation) + step))
    new = made.project(outline)
    inside = bool((new.min(0) >= 0).all() and (new.max(0) <= size - 1).all())
    return made if inside else camera
