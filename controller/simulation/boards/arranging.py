"""Lays out a position the way people do: uneven rows, touching neighbours, piles, checkers across a seam."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from controller.arrays import FloatArray
from controller.rules import Position, Side
from controller.rules.position import CHECKERS
from controller.simulation.boards.scene import Checker, CheckerPlace, CubeBlock, Die, Scene
from controller.simulation.boards.setting import Setting, extent
from controller.vision import Colour, Home, Owner
from controller.vision.geometry.geometry import FLAT_ROW

# Shares of piles: a sixth checker laid flat, an upper one across the seam of two, and rounds of pushing apart.
SIXTH_FLAT = 0.15
ACROSS_SEAM = 0.18
ROUNDS = 12
TRIES = 200
STACK = 5


def arrange(
    setting: Setting,
    position: Position,
    rng: np.random.Generator,
    *,
    dice: Sequence[tuple[Colour, int]] = (),
    cube: tuple[int, Owner] | None = (1, "center"),
    sloppiness: float = 1.0,
    each: int = CHECKERS,
) -> Scene:
    """A scene with this position, these dice (side, value) and the cube (value, owner).

    ``sloppiness`` scales how unevenly checkers lie: 0 is neat, 1 usual, 2 very careless. ``each`` is how many
    checkers a side has.
    """
    checkers: list[Checker] = []
    for point in range(1, 25):
        count = position.points[point - 1]
        if count:
            colour: Colour = "light" if count > 0 else "dark"
            across = position.points[24 - point]
            row = _row(
                setting, colour, point, count=abs(count), across=abs(across), rng=rng, sloppiness=sloppiness
            )
            checkers += _over_pinned(setting, row, rng) if point in position.pinned else row
    for side in Side:
        checkers += borne_off(setting, colour_of(side), position.off(side, each), rng)
        checkers += beside(setting, colour_of(side), position.hand(side), rng)
    block = None if cube is None else laid_cube(setting, cube[0], cube[1], rng)
    checkers += _bar(setting, position, block, rng)
    checkers = _apart(checkers, setting.geometry.checker_diameter_mm)
    thrown = tuple(thrown_die(setting, colour, value, checkers, rng) for colour, value in dice)
    off = (position.off(Side.LIGHT, each), position.off(Side.DARK, each))
    return Scene(tuple(checkers), off, separate(thrown, setting), block)


def colour_of(side: Side) -> Colour:
    """The colour of a side's checkers."""
    return "light" if side is Side.LIGHT else "dark"


def lie_flat(
    colour: Colour, place: CheckerPlace, layer: int, x: float, y: float, z: float, rng: np.random.Generator
) -> Checker:
    """A checker that lies flat, turned any way, either face up."""
    turn, flipped = _turn(rng), bool(rng.random() < 0.5)
    return Checker(
        colour,
        place,
        layer,
        x_mm=float(x),
        y_mm=float(y),
        z_mm=float(z),
        turn=turn,
        on_edge=False,
        flipped=flipped,
    )


def lean_on(die: Die, checker: Checker, setting: Setting, lean: float, towards: float) -> Die:
    """The die leaning by so much on a checker, at the angle ``towards`` from the checker's middle."""
    away = setting.geometry.checker_diameter_mm / 2 + 0.35 * setting.dice[die.side].size_mm
    x, y = checker.x_mm + away * float(np.cos(towards)), checker.y_mm + away * float(np.sin(towards))
    return replace(die, x_mm=x, y_mm=y, lean=lean, lean_to=towards)


def _turn(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * np.pi))


def _row(
    setting: Setting,
    colour: Colour,
    point: int,
    count: int,
    across: int,
    rng: np.random.Generator,
    sloppiness: float,
) -> list[Checker]:
    """The checkers of a point: a row from the edge inwards, then further ones on top."""
    geometry = setting.geometry
    diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
    half = geometry.surface_height_mm / 2
    room = (half - 6 * diameter > -0.4 * diameter) and across <= 4
    flat = FLAT_ROW + 1 if count == FLAT_ROW + 1 and room and rng.random() < SIXTH_FLAT else FLAT_ROW
    loose = max(0.3, geometry.row_pitch_mm - diameter)
    inward = diameter / 2 + abs(rng.normal(0, 0.8 * sloppiness))
    lean = rng.normal(0, 0.8 * sloppiness)
    spots: list[FloatArray] = []
    for _ in range(min(count, flat)):
        sideways = lean + rng.normal(0, 1.2 * sloppiness)
        spots.append(np.array([sideways, inward]))
        inward += diameter + abs(rng.normal(loose, 0.4 * loose + 0.8 * sloppiness))
    layers = [0] * len(spots)
    below = list(range(len(spots)))
    if rng.random() < 0.12:
        rng.shuffle(below)
    for number in range(count - len(spots)):
        under = below[number % flat]
        base = spots[under]
        if rng.random() < ACROSS_SEAM and number % flat < flat - 1:
            seam = (base + spots[(under + 1) % flat]) / 2
            base = seam if abs(seam[1] - base[1]) < 0.6 * diameter else base
        spots.append(base + rng.normal(0, 2.0 * max(sloppiness, 0.2), 2))
        layers.append(1 + number // flat)
    x, side = geometry.column_x(point), geometry.side_of(point)
    most = half - diameter / 2
    return [
        lie_flat(
            colour, point, layer, x=x + spot[0], y=side * min(most, half - spot[1]), z=layer * thick, rng=rng
        )
        for spot, layer in zip(spots, layers, strict=True)
    ]


def _over_pinned(setting: Setting, row: list[Checker], rng: np.random.Generator) -> list[Checker]:
    """The checkers of a point with one of the other side under the one nearest to the edge."""
    base, diameter = row[0], setting.geometry.checker_diameter_mm
    thick = setting.geometry.checker_thickness_mm
    x, y = base.x_mm + float(rng.normal(0, 1.0)), base.y_mm + float(rng.normal(0, 1.0))
    under = lie_flat("dark" if base.side == "light" else "light", base.place, 0, x=x, y=y, z=0.0, rng=rng)
    pile = [np.hypot(one.x_mm - base.x_mm, one.y_mm - base.y_mm) < 0.6 * diameter for one in row]
    raised = [
        replace(one, layer=one.layer + 1, z_mm=one.z_mm + thick) if on_top else one
        for one, on_top in zip(row, pile, strict=True)
    ]
    return [under, *raised]


def _bar(
    setting: Setting, position: Position, cube: CubeBlock | None, rng: np.random.Generator
) -> list[Checker]:
    """Checkers on the bar, anywhere along it."""
    geometry = setting.geometry
    diameter = geometry.checker_diameter_mm
    slots = [k * 1.06 * diameter for k in range(-4, 5)]
    if cube is not None and abs(cube.x_mm) < diameter:
        slots = [y for y in slots if abs(y - cube.y_mm) > 0.5 * (diameter + setting.cube.size_mm) + 1]
    free = list(rng.permutation(np.array(slots)))
    if rng.random() < 0.5:
        free.sort(key=abs, reverse=True)
    wide = max(0.5, min(4.0, abs(geometry.bar_mm - diameter) / 2))
    found: list[Checker] = []
    height = setting.frame.bar_height_mm
    for side in Side:
        for _ in range(position.bar(side)):
            layer = int(len(found) >= len(slots))
            x = rng.uniform(-wide, wide)
            y = float(free[-1 - len(found) % len(slots)]) + float(rng.uniform(-0.02, 0.02)) * diameter
            z = height + layer * geometry.checker_thickness_mm
            found.append(lie_flat(colour_of(side), "bar", layer, x=x, y=y, z=z, rng=rng))
    return found


def borne_off(setting: Setting, colour: Colour, count: int, rng: np.random.Generator) -> list[Checker]:
    """Borne-off checkers: in a tray on edge or lying, else on the table beside the board."""
    if count == 0:
        return []
    geometry = setting.geometry
    sign = -1 if colour == "light" else 1
    thick, diameter = geometry.checker_thickness_mm, geometry.checker_diameter_mm
    start = geometry.surface_height_mm / 2 - 2.0
    if geometry.trays:
        at_home = geometry.home in geometry.trays and rng.random() < 0.85
        side = geometry.home if at_home else geometry.trays[0]
        x = geometry.tray_x(side)
        wide = max(0.5, geometry.tray_width_mm - diameter)
        loose = rng.uniform(0, wide) - wide / 2
        room = geometry.surface_height_mm / 2 - setting.frame.rest_mm / 2
        if rng.random() < 0.7 and diameter < geometry.tray_width_mm and count * (thick + 0.6) < room:
            gap = float(rng.uniform(0.05, 0.6))
            return [
                Checker(
                    colour,
                    "off",
                    0,
                    x_mm=float(x + loose + rng.normal(0, 0.4)),
                    y_mm=float(sign * (start - (k + 0.5) * (thick + gap))),
                    z_mm=0.0,
                    turn=float(np.pi / 2 + rng.normal(0, 0.03)),
                    on_edge=True,
                )
                for k in range(count)
            ]
        first = (float(x + loose), sign * (start - diameter / 2))
        return _stacks(colour, count, first, step=-sign * 1.03, floor=0.0, setting=setting, rng=rng)
    whole = extent(setting)
    right = geometry.home == "right"
    x = (whole.x1 + diameter * 0.8) if right else (whole.x0 - diameter * 0.8)
    y = sign * geometry.surface_height_mm / 2 * float(rng.uniform(0.5, 0.95))
    floor = -setting.frame.body_mm
    return _stacks(colour, count, (x, y), step=-sign * 1.08, floor=floor, setting=setting, rng=rng)


def beside(setting: Setting, colour: Colour, count: int, rng: np.random.Generator) -> list[Checker]:
    """Checkers that have not entered yet: in stacks on the table, at the side of the board that is not the home."""
    if count == 0:
        return []
    geometry, whole = setting.geometry, extent(setting)
    diameter, sign = geometry.checker_diameter_mm, -1 if colour == "light" else 1
    right = geometry.home == "right"
    x = (whole.x0 - diameter * 0.8) if right else (whole.x1 + diameter * 0.8)
    y = sign * geometry.surface_height_mm / 2 * float(rng.uniform(0.7, 0.95))
    stacks = _stacks(
        colour, count, (x, y), step=-sign * 1.08, floor=-setting.frame.body_mm, setting=setting, rng=rng
    )
    return [replace(one, place="beside") for one in stacks]


def _stacks(
    colour: Colour,
    count: int,
    first: tuple[float, float],
    step: float,
    floor: float,
    setting: Setting,
    rng: np.random.Generator,
) -> list[Checker]:
    """Stacks of up to five, one beyond the other; ``step`` is in diameters."""
    geometry = setting.geometry
    diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
    found = []
    for k in range(count):
        stack, layer = divmod(k, STACK)
        x = first[0] + rng.normal(0, 0.6)
        y = first[1] + stack * step * diameter + rng.normal(0, 0.6)
        found.append(lie_flat(colour, "off", layer, x=x, y=y, z=floor + layer * thick, rng=rng))
    return found


def _apart(checkers: list[Checker], diameter: float) -> list[Checker]:
    """Push apart checkers of one layer that would stand in one another."""
    spots = np.array([[one.x_mm, one.y_mm] for one in checkers]).reshape(-1, 2)
    level = np.array([round(one.z_mm) + (1000 if one.on_edge else 0) for one in checkers])
    for _ in range(ROUNDS):
        gap = spots[:, None] - spots[None]
        far = np.sqrt((gap**2).sum(-1)) + np.eye(len(spots)) * 1e6
        lap = np.clip(diameter - far, 0, None) * (level[:, None] == level[None]) * (level < 900)[:, None]
        if lap.max(initial=0.0) < 0.01:
            break
        spots = spots + (gap / far[..., None] * lap[..., None] * 0.5).sum(1)
    return [replace(one, x_mm=float(x), y_mm=float(y)) for one, (x, y) in zip(checkers, spots, strict=True)]


def laid_cube(setting: Setting, value: int, owner: Owner, rng: np.random.Generator) -> CubeBlock:
    """The cube at its usual place: in the middle or by its owner, on the bar or beside the board."""
    geometry, size = setting.geometry, setting.cube.size_mm
    side = {"center": 0.0, "light": -1.0, "dark": 1.0}[owner]
    y = side * (geometry.surface_height_mm / 2 - size * float(rng.uniform(0.6, 1.2)))
    whole = extent(setting)
    home_right = geometry.home == "right"
    if setting.cube.place == "bar":
        x, z = 0.0, setting.frame.bar_height_mm
    elif setting.cube.place == "beside":
        x = (whole.x0 - size) if home_right else (whole.x1 + size)
        z = -setting.frame.body_mm
    else:
        away: Home = "left" if home_right else "right"
        x = geometry.tray_x(away if away in geometry.trays else geometry.trays[0])
        z = setting.frame.rail_height_mm if owner == "center" and setting.frame.rest_mm > size else 0.0
    face = setting.cube.centred_face if value == 1 else value
    quarter = int(rng.integers(4)) if rng.random() < 0.5 else {"center": 0, "light": 0, "dark": 2}[owner]
    turn = quarter * np.pi / 2 + float(rng.normal(0, 0.06))
    if rng.random() < 0.08:
        turn += np.pi / 4
    return CubeBlock(
        face, owner, float(x + rng.normal(0, 1.5)), float(y + rng.normal(0, 2.5)), z, float(turn)
    )


def thrown_die(
    setting: Setting,
    colour: Colour,
    value: int,
    checkers: Sequence[Checker],
    rng: np.random.Generator,
) -> Die:
    """A die somewhere flat on the surface, or now and then leaning on a checker."""
    geometry, size = setting.geometry, setting.dice[colour].size_mm
    clear = geometry.checker_diameter_mm / 2 + 0.75 * size
    spots = np.array([[one.x_mm, one.y_mm] for one in checkers if one.z_mm < 30]).reshape(-1, 2)
    inner = geometry.bar_mm / 2 + size
    side = 1 if rng.random() < 0.5 else -1
    x = y = 0.0
    for _ in range(TRIES):
        x = side * float(rng.uniform(inner, geometry.surface_width_mm / 2 - size))
        y = float(np.clip(rng.normal(0, 0.3), -0.9, 0.9)) * (geometry.surface_height_mm / 2 - size)
        if not len(spots) or np.hypot(*(spots - [x, y]).T).min() > clear:
            break
    low = [one for one in checkers if one.layer == 0 and isinstance(one.place, int)]
    if low and rng.random() < 0.06:
        one = low[int(rng.integers(len(low)))]
        towards, lean = _turn(rng), float(rng.uniform(0.3, 0.7))
        return lean_on(Die(colour, value, x, y, 0.0, _turn(rng)), one, setting, lean, towards)
    return Die(colour, value, x, y, 0.0, _turn(rng))


def separate(dice: tuple[Die, ...], setting: Setting) -> tuple[Die, ...]:
    """Dice that would stand in one another are left out of each other's way sideways."""
    placed: list[Die] = []
    for die in dice:
        x = die.x_mm
        size = setting.dice[die.side].size_mm
        while any(np.hypot(x - other.x_mm, die.y_mm - other.y_mm) < 1.45 * size for other in placed):
            x += 0.5 * size * (1 if x < 0 else -1)
        placed.append(replace(die, x_mm=x))
    return tuple(placed)
