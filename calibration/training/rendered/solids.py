"""Dice, cubes and checkers as meshes with a colour at each vertex."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import FloatArray, IntArray, Picture
from controller.simulation.boards.faces import DieStyle, pip_places

# Vertices along each side of a face, and around a checker.
FINE = 38
AROUND = 64
# How wide the hills of a worn face are, as shares of its side.
HILLS = (0.05, 0.15)
GAMMA = 2.2


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (n, 3), quads of them (m, 4), counted so that they face outwards, and the light of each vertex's own
    colour, (n, 3), red, green, blue, 0 to 1.
    """

    vertices: FloatArray
    quads: IntArray
    colours: FloatArray


def block_mesh(faces: Sequence[Picture], hollows: Sequence[FloatArray], rounding: float) -> Mesh:
    """A cube of side 1 about the origin with rounded edges.

    ``faces`` are pictures, (n, n, 3) BGR, and ``hollows`` depths as shares of the side, (n, n), of what looks to
    +x, -x, +y, -y, +z and -z.
    """
    grid = np.linspace(-0.5, 0.5, FINE)
    across, along = (line.ravel() for line in np.meshgrid(grid, grid))
    pixels = (np.stack([across, -along]) + 0.5) * len(faces[0]) - 0.5
    maps = pixels.astype(np.float32).reshape(2, FINE, FINE)
    vertices, quads, colours = [], [], []
    for number, (face, hollow) in enumerate(zip(faces, hollows, strict=True)):
        normal, right = _axes(number)
        up = np.cross(normal, right)
        flat = across[:, None] * right + along[:, None] * up + 0.5 * normal
        inner = np.clip(flat, rounding - 0.5, 0.5 - rounding)
        out = flat - inner
        far = np.linalg.norm(out, axis=1, keepdims=True)
        round_ = np.where(rounding > 0, inner + rounding * out / np.maximum(far, 1e-9), flat)
        depth = cv2.remap(
            hollow.astype(np.float32), maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        vertices.append(round_ - depth.reshape(-1, 1) * normal)
        colour = cv2.remap(face, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colours.append(linear(np.asarray(colour, float).reshape(-1, 3)))
        quads.append(_grid_quads(FINE, FINE) + number * FINE * FINE)
    return Mesh(np.concatenate(vertices), np.concatenate(quads), np.concatenate(colours))


def pip_hollow(style: DieStyle, value: int, depth: float, size: int) -> FloatArray:
    """How deep the pips of a face lie, (size, size), as shares of the die's side: ``depth`` of a pip's radius."""
    radius = style.one_radius if value == 1 else style.pip_radius
    place = (np.arange(size) + 0.5) / size - 0.5
    hollow = np.zeros((size, size))
    for x, y in pip_places(style, value):
        square = (place[None] - x) ** 2 + (place[:, None] - y) ** 2
        hollow = np.maximum(hollow, depth * radius * (1 - square / radius**2))
    return hollow


def uneven(bulge: float, wear: float, size: int, seed: int) -> FloatArray:
    """How deep a face that is not flat lies, (size, size), as shares of the die's side: nowhere at its edges.

    It bulges by ``bulge`` in the middle, and has hills and valleys with slopes of about ``wear`` (radians).
    """
    place = (np.arange(size) + 0.5) / size - 0.5
    inner = 1 - 4 * place**2
    hills = np.zeros((size, size))
    if wear > 0:
        random = np.random.default_rng(seed)
        noise = random.normal(0, 1, (size, size))
        hills = np.asarray(cv2.GaussianBlur(noise, (0, 0), size * random.uniform(*HILLS)), float)
        steep = float(np.hypot(*np.gradient(hills, 1 / size)).mean())
        hills *= wear / steep
    return np.asarray((hills - bulge) * np.outer(inner, inner), float)


def disc_mesh(radius: float, thickness: float, edge: float, dish: float, colour: Sequence[float]) -> Mesh:
    """A checker standing on z = 0: its edge is rounded by ``edge``, its face hollow by ``dish`` (all in mm)."""
    bend = np.linspace(0, np.pi / 2, 5)
    side = [(radius - edge + edge * np.cos(a), thickness - edge + edge * np.sin(a)) for a in bend]
    foot = [(radius - edge + edge * np.cos(a), edge - edge * np.sin(a)) for a in bend[::-1]]
    rim = 0.8 * radius
    face = [(rim * r, thickness - dish * (1 - r * r)) for r in np.linspace(1, 0, 9)]
    profile = np.array([(0.0, 0.0), *foot, *side, *face])
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = [np.column_stack([r * ring, np.full(AROUND, z)]) for r, z in profile]
    quads = []
    for number in range(len(rings) - 1):
        first = number * AROUND + np.arange(AROUND)
        after = number * AROUND + (np.arange(AROUND) + 1) % AROUND
        quads.append(np.stack([first, after, after + AROUND, first + AROUND], axis=1))
    vertices = np.concatenate(rings)
    colours = np.tile(linear(np.array([colour])), (len(vertices), 1))
    return Mesh(vertices, np.concatenate(quads), colours)


def linear(levels: FloatArray | Picture) -> FloatArray:
    """The light of colours, (n, 3) BGR 0 to 255, as red, green, blue, 0 to 1."""
    return np.asarray((np.asarray(levels, float)[:, ::-1] / 255) ** GAMMA, float)


def _axes(number: int) -> tuple[FloatArray, FloatArray]:
    """The normal of a face, in the order of `block_mesh`, and the direction to its right."""
    normal = np.zeros(3)
    normal[number // 2] = 1.0 - 2.0 * (number % 2)
    right = np.roll(np.abs(normal), 1)
    return normal, right


def _grid_quads(rows: int, columns: int) -> IntArray:
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.stack([first, first + 1, first + columns + 1, first + columns], axis=1)
