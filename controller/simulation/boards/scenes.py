"""Whole scenes at random: positions as they come up in games, dice, cube, hands, and what lies beside the board."""

from dataclasses import replace

import numpy as np

from controller.arrays import triple
from controller.rules import Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.hands import random_hand
from controller.simulation.boards.scene import Checker, Cup, Hand, Scene, TableItem
from controller.simulation.boards.setting import Bgr, Setting, extent
from controller.vision import Owner
from controller.vision.geometry.geometry import COLOURS

START = Position.from_compact("b....E.C...eE...c.e....B..")
CUBE_VALUES = (2, 4, 8, 16, 32)

LONGEST_GAME = 110
# How strongly checkers are drawn to points that already hold some: makes points and piles.
COMPANY = 0.7


def start_scene(setting: Setting, rng: np.random.Generator) -> Scene:
    """The start position without dice, the cube centred, in a slightly different light each time."""
    scene = arrange(setting, START, rng, sloppiness=float(rng.uniform(0.2, 1.2)))
    return replace(scene, things=_things(setting, rng), brightness=float(np.exp(rng.normal(0, 0.05))))


def random_scene(setting: Setting, rng: np.random.Generator, hands: float = 0.3) -> Scene:
    """Any moment of a game; a share ``hands`` of the scenes has a hand in it."""
    position = random_position(rng)
    kind = rng.random()
    count = 0 if kind < 0.12 else 2 if kind < 0.9 else 4
    mixed = rng.random() < 0.1
    thrower = COLOURS[int(rng.integers(2))]
    dice = [
        (thrower if count == 2 and not mixed else COLOURS[k % 2], int(rng.integers(1, 7)))
        for k in range(count)
    ]
    value, owner = _cube(rng)
    scene = arrange(
        setting,
        position,
        rng,
        dice=dice,
        cube=(value, owner) if rng.random() < 0.95 else None,
        sloppiness=float(rng.uniform(0.2, 1.8)),
    )
    reaching: tuple[Hand, ...] = ()
    if rng.random() < hands:
        reaching = tuple(random_hand(setting, rng) for _ in range(1 if rng.random() < 0.9 else 2))
        if rng.random() < 0.3:
            scene = _lift_checker(scene, reaching[0], setting, rng)
    return replace(
        scene,
        hands=reaching,
        cups=_cups(setting, rng),
        things=_things(setting, rng),
        brightness=float(np.exp(rng.normal(0, 0.06))),
        tint=triple(np.exp(rng.normal(0, 0.015, 3))),
    )


def _cube(rng: np.random.Generator) -> tuple[int, Owner]:
    if rng.random() < 0.45:
        return 1, "center"
    value = CUBE_VALUES[min(int(rng.geometric(0.5)) - 1, 4)]
    return value, "light" if rng.random() < 0.5 else "dark"


def _lift_checker(scene: Scene, hand: Hand, setting: Setting, rng: np.random.Generator) -> Scene:
    """The scene with one checker taken from the top of its point into the hand."""
    on_points = [k for k, one in enumerate(scene.checkers) if isinstance(one.place, int)]
    if not on_points:
        return scene
    chosen = scene.checkers[on_points[int(rng.integers(len(on_points)))]]
    last = max(k for k in on_points if scene.checkers[k].place == chosen.place)
    tips = np.array([limb.end for limb in hand.limbs if not limb.cloth and limb.end_radius_mm < 8])
    x, y, z = tips.mean(0)
    low = max(float(z) - setting.geometry.checker_thickness_mm, 2 * setting.geometry.checker_thickness_mm)
    held = Checker(chosen.side, "hand", 0, x_mm=float(x), y_mm=float(y), z_mm=low, turn=chosen.turn)
    return replace(scene, checkers=(*scene.checkers[:last], held, *scene.checkers[last + 1 :]))


def _beside(setting: Setting, rng: np.random.Generator, room: float) -> tuple[float, float]:
    """A place on the table off the board, ``room`` mm away from it."""
    whole = extent(setting)
    side = int(rng.integers(4))
    x, y = rng.uniform(whole.x0, whole.x1), rng.uniform(whole.y0, whole.y1)
    away = rng.uniform(5, 120 if side < 2 else 90)
    if side < 2:
        x = (whole.x0 - room - away, whole.x1 + room + away)[side]
    else:
        y = (whole.y0 - room - away, whole.y1 + room + away)[side - 2]
    return float(x), float(y)


def _cups(setting: Setting, rng: np.random.Generator) -> tuple[Cup, ...]:
    """Dice cups, mostly on the table, seldom on the board."""
    if rng.random() > 0.35:
        return ()
    radius = float(rng.uniform(32, 44))
    x, y = _beside(setting, rng, radius)
    floor = -setting.frame.body_mm
    if rng.random() < 0.2:
        geometry = setting.geometry
        x = float(rng.uniform(-0.45, 0.45)) * geometry.surface_width_mm
        y = float(rng.uniform(-0.15, 0.15)) * geometry.surface_height_mm
        floor = 0.0
    outside, inside = triple(rng.uniform(10, 220, 3)), triple(rng.uniform(10, 120, 3))
    return (
        Cup(
            x,
            y,
            floor,
            radius_mm=radius,
            height_mm=float(rng.uniform(75, 110)),
            colour=outside,
            inside=inside,
        ),
    )


def _things(setting: Setting, rng: np.random.Generator) -> tuple[TableItem, ...]:
    found = []
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        kind, width, depth, height = (
            ("card", 100.0, 140.0, 1.0),
            ("phone", 75.0, 155.0, 9.0),
            ("clock", 150.0, 95.0, 45.0),
            ("book", 120.0, 90.0, 12.0),
        )[int(rng.integers(4))]
        x, y = _beside(setting, rng, 0.5 * float(np.hypot(width, depth)))
        pale = float(rng.uniform(190, 245))
        dark = float(rng.uniform(10, 60))
        colour: Bgr = (pale, pale, pale) if kind in ("card", "book") else (dark + 20, dark, dark)
        ink: Bgr = (dark, dark, dark) if kind in ("card", "book") else (dark / 2, dark / 2, dark / 2)
        turn = float(rng.normal(0, 0.3))
        found.append(
            TableItem(
                kind,  # type: ignore[arg-type]
                x,
                y,
                z_mm=-setting.frame.body_mm,
                width_mm=width,
                depth_mm=depth,
                height_mm=height,
                turn=turn,
                colour=colour,
                ink=ink,
            )
        )
    return tuple(found)


def random_position(rng: np.random.Generator, piles: float = 0.3) -> Position:
    """A position out of a game of random length; in a share ``piles`` of them players love to stack."""
    board = [[0] * 26, [0] * 26]
    # Each side's own view: 24 down to 1, 25 is its bar, 0 is off.
    for side in board:
        for point, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
            side[point] = count
    company = 2.5 if rng.random() < piles else COMPANY
    mover = int(rng.integers(2))
    for _ in range(int(rng.integers(0, LONGEST_GAME)) if rng.random() < 0.85 else int(rng.integers(0, 12))):
        roll = rng.integers(1, 7, 2)
        dice = [int(roll[0])] * 4 if roll[0] == roll[1] else [int(one) for one in roll]
        for die in dice:
            _move(rng, board[mover], board[1 - mover], die, company)
        if board[mover][0] >= 14:
            break
        mover = 1 - mover
    points = tuple(board[0][k] - board[1][25 - k] for k in range(1, 25))
    return Position.from_counts(points, board[0][25], board[1][25])


def _move(rng: np.random.Generator, own: list[int], other: list[int], die: int, company: float) -> None:
    """Move one checker by one die if any can, in place."""
    sources = [25] if own[25] else [point for point in range(24, 0, -1) if own[point]]
    home = not any(own[7:26])
    options: list[tuple[int, int, float]] = []
    for source in sources:
        target = source - die
        if target <= 0:
            if not home or (target < 0 and any(own[source + 1 : 7])):
                continue
            options.append((source, 0, 4.0))
            continue
        if other[25 - target] >= 2:
            continue
        weight = 0.3 + company * min(own[target], 6) + (1.0 if other[25 - target] == 1 else 0.0)
        weight += 0.6 if source > 18 else 0.0
        options.append((source, target, weight))
    if not options:
        return
    weights = np.array([weight for _, _, weight in options])
    source, target, _ = options[int(rng.choice(len(options), p=weights / weights.sum()))]
    own[source] -= 1
    own[target] += 1
    if target > 0 and other[25 - target] == 1:
        other[25 - target] -= 1
        other[25] += 1
