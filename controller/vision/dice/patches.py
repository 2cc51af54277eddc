"""Close looks: patches of a picture about spots on the board, and what a network tells of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Picture
from controller.vision.board.drift import relight
from controller.vision.dice.views import PatchView, Spot, facing, leeway, normal
from controller.vision.fitted.last_layer import LastLayer
from controller.vision.fitted.network import load_network
from controller.vision.geometry.camera import CameraModel

# The way into the picture is computed for this many places along each side of a patch, and interpolated between.
NODES = 5
# What networks answer besides the scores of classes: how likely a thing leans, and where its middle is.
OTHERS = 3
# A pixel of a patch is the mean of no more pixels than this along each side.
FINEST = 6
# What two looks are compared by: what differs within so many pixels of a patch (a pip is 3 to 5 wide; a slope of
# light over the whole face is no detail), in its middle without so wide a rim; fainter noise is not blown up.
DETAIL_SPREAD, DETAIL_RIM, LEAST_DETAIL = 2.5, 5, 1.5


@dataclass(frozen=True, eq=False)
class Sight:
    """What is looked at: a picture, (h, w, 3) BGR uint8, as the camera sees it.

    ``gain``, (3,), brings its channels to the light of the calibration; ``None`` where they are in that light.
    """

    picture: Picture
    camera: CameraModel
    gain: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class CloseLook:
    """How spots are looked at: by which network, in which patches, and where that leaves a doubt in which turns, too.

    Turns are shares of a patch's leeway. To ``follow`` is to look again where the middle was seen to lie. What is
    doubtful even then is looked at from ``shift_mm`` beside it on four sides, unless that is 0. What is likely
    nothing may be the side of a thing that a slanted camera sees, where the map peaks on large dice: it is looked
    at ``behind_mm`` further from the camera as well. ``mirrored`` are things that a mirror shows as they may be, too:
    what is in doubt is then looked at in one as well, and looks there tell half of the number. ``last`` is the last
    layer of the network as it was learned anew on this table.
    """

    network: str
    view: PatchView
    turns: tuple[float, ...]
    follow: bool
    shift_mm: float = 0.0
    behind_mm: tuple[float, ...] = ()
    mirrored: bool = False
    last: LastLayer | None = None


@dataclass(frozen=True, slots=True)
class SpotLook:
    """What a network tells about spots: the probability of each of its classes, (spots, classes), of being cocked,
    (spots,), and where the middles of faces are (mm), (spots, 2).

    ``details`` are what it was shown there in the first turn, as `detail_of` gives it.
    """

    chances: FloatArray
    cocked: FloatArray
    middles: FloatArray
    details: tuple[Float32Array, ...] = ()

    @property
    def spots(self) -> list[Spot]:
        """The middles one by one."""
        return [(x, y) for x, y in self.middles.tolist()]


def classify_patches(
    how: CloseLook, sight: Sight, spots: Sequence[Spot], turns: Sequence[float], *, mirrored: bool = False
) -> SpotLook:
    """Look at patches at spots (mm) that face the camera, once for each of ``turns`` from there; or in a mirror."""
    view = how.view
    angles = angles_at(spots, turns, sight.camera, view)
    patches = cut_patches(sight, spots, angles, view)
    if mirrored:
        patches = [patch[:, ::-1] for patch in patches]
    answers = _answer(how, normal(patches))
    answers = answers.reshape(len(spots), len(turns), -1)
    powers = np.exp(answers[..., :-OTHERS] - answers[..., :-OTHERS].max(axis=-1, keepdims=True))
    chances = (powers / powers.sum(axis=-1, keepdims=True)).mean(axis=1)
    cocked = 1 / (1 + np.exp(-answers[..., -3].mean(axis=1)))
    half = view.size / 2 * view.step_mm
    right, up = half * answers[..., -2] * (-1 if mirrored else 1), -half * answers[..., -1]
    cos, sin = np.cos(angles), np.sin(angles)
    off = np.stack([cos * right - sin * up, sin * right + cos * up], axis=-1).mean(axis=1)
    details = tuple(detail_of(patch) for patch in patches[:: len(turns)])
    return SpotLook(chances, cocked, np.array(spots) + off, details)


def detail_of(patch: Picture) -> Float32Array:
    """What is seen on the face in a patch whatever the light: the grey levels of its middle, (size, size).

    They are reckoned against those around each pixel, and of spread 1.
    """
    grey = patch.astype(np.float32).mean(axis=2)
    grey -= cv2.GaussianBlur(grey, (0, 0), DETAIL_SPREAD)
    middle = grey[DETAIL_RIM:-DETAIL_RIM, DETAIL_RIM:-DETAIL_RIM]
    return np.asarray(middle / (middle.std() + LEAST_DETAIL), np.float32)


def _answer(how: CloseLook, patches: Float32Array) -> FloatArray:
    """What the network answers to patches, (n, 3, size, size), with the scores of the table's own last layer."""
    network, last = load_network(how.network), how.last
    if last is None or last.network != network.digest:
        return network.run(patches).astype(float)
    answers, features = network.run_with_features(patches)
    return np.concatenate([last.scores(features.astype(float)), answers[:, -OTHERS:]], axis=1)


def angles_at(
    spots: Sequence[Spot], turns: Sequence[float], camera: CameraModel, view: PatchView
) -> FloatArray:
    """How patches at spots (mm) are turned, (spots, turns) in radians; ``turns`` are shares of their leeway."""
    ways = np.array([facing(camera, spot, view) for spot in spots])
    return np.asarray(ways[:, :1] + leeway(ways[:, 1:]) * np.array(turns), float)


def cut_patches(sight: Sight, spots: Sequence[Spot], angles: FloatArray, view: PatchView) -> list[Picture]:
    """`views.cut_patch` at all spots, turned by all their ``angles``, (spots, turns), at once.

    Of a picture with more pixels than a patch, each pixel of the patch is the mean of those that it shows.
    """
    across, along = _nodes(view)
    cos, sin = np.cos(angles)[..., None, None], np.sin(angles)[..., None, None]
    x, y = np.array(spots).T[:, :, None, None, None]
    coarse = sight.camera.map_plane(
        x + cos * across - sin * along, y + sin * across + cos * along, view.height_mm
    )
    finer = _pixels_a_step(coarse[0], coarse[1], view)
    between = _between(view.size, finer)
    way = [
        np.ascontiguousarray((between @ maps @ between.T).reshape(-1, finer * view.size)) for maps in coarse
    ]
    seen = cv2.remap(sight.picture, way[0], way[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        seen = cv2.resize(seen, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
    lit = (
        np.asarray(seen, np.uint8) if sight.gain is None else relight(np.asarray(seen, np.uint8), sight.gain)
    )
    return list(lit.reshape(-1, view.size, view.size, 3))


def _pixels_a_step(x: Float32Array, y: Float32Array, view: PatchView) -> int:
    """How many pixels along each side a patch's pixel shows, by where its nodes, (..., nodes, nodes), are seen."""
    wide = np.hypot(x[..., -1] - x[..., 0], y[..., -1] - y[..., 0]).mean() / (view.size - 1)
    return int(np.clip(np.round(wide), 1, FINEST)) if np.isfinite(wide) else 1


@lru_cache(maxsize=4)
def _nodes(view: PatchView) -> tuple[FloatArray, FloatArray]:
    """How far the nodes of a patch lie to the right of its middle and above it (mm), (nodes, nodes) each."""
    nodes = np.linspace(-0.5, 0.5, NODES) * (view.size - 1) * view.step_mm
    across, along = np.meshgrid(nodes, -nodes)
    return across, along


@lru_cache(maxsize=8)
def _between(size: int, finer: int) -> Float32Array:
    """Interpolates ``size`` pixels, each in ``finer`` parts, from `NODES` nodes, of which the outermost are pixels.

    Shape (size * finer, nodes).
    """
    part = (np.arange(finer) + 0.5) / finer - 0.5
    pixel = (np.arange(size)[:, None] + part).reshape(-1, 1)
    place = pixel * (NODES - 1) / (size - 1) - np.arange(NODES)
    share = np.maximum(1 - np.abs(place), 0)
    return np.asarray(share / share.sum(axis=1, keepdims=True), np.float32)
