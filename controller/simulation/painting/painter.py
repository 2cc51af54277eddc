"""Paints scenes of one setting: what stays the same is made once, what lies on the board for each picture."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, Picture
from controller.simulation.boards.scene import BoardPush, Checker, Scene
from controller.simulation.boards.setting import Bgr, Finish, Setting, extent, parts
from controller.simulation.painting.bare import SURFACE, TABLE, WOOD, Bare, paint_bare
from controller.simulation.painting.checkers import Disc, Shade, paint_edgewise, trace_discs
from controller.simulation.painting.clutter import paint_cup, paint_hand, paint_thing
from controller.simulation.painting.shadow import Casters, Plane, Rod, Solids, grid_over, plane_of, shade
from controller.simulation.painting.solids import boxes_of, corners_of, paint_solids
from controller.simulation.painting.stage import Canvas, Layer
from controller.vision import CameraModel
from controller.vision.geometry.board_grid import moved

GRID_STEP_MM = 2.0
GRID_MARGIN_MM = 30.0
FAR_MARGIN_MM = 260.0
FAR_STEP_MM = 5.0
KEPT_PLACES = 4
# The noise is made once, larger than the picture, and cut at another place each time.
NOISE_MARGIN = 64
# How wide the halo of a sharpened edge is.
HALO_PX = 1.3
# A kernel reaches this many standard deviations.
REACH = 2.3
GREYS = np.arange(256, dtype=np.float32)


@dataclass(frozen=True)
class Painted:
    """A picture (h, w, 3) BGR uint8 of a scene and what can be seen of it.

    ``owner`` (h, w) int32 holds the number of the checker or (after them) die whose upper face is seen at each
    pixel, counted from 1, 0 for none, -1 where a hand or cup covers the board. ``faces`` is how many pixels
    each of these upper faces would have if nothing hid it. ``camera`` is in the frame of the pushed board.
    """

    picture: Picture
    owner: NDArray[np.int32]
    faces: tuple[int, ...]
    camera: CameraModel


@dataclass(frozen=True)
class Developer:
    """Turns what falls on the sensor, (height, width) pixels, into the picture a camera delivers."""

    finish: Finish
    height: int
    width: int
    seed: int

    @cached_property
    def _noise(self) -> tuple[Picture, Picture]:
        """What noise adds to grey levels and what it takes away: two sums of bytes are quicker than a mixed one."""
        rng = np.random.default_rng(self.seed)
        shape = (self.height + NOISE_MARGIN, self.width + NOISE_MARGIN)
        grey = rng.standard_normal(shape).astype(np.float32)
        colour = rng.standard_normal((*shape, 3)).astype(np.float32)
        mixed = grey[..., None] * (1 - self.finish.chroma) + colour * self.finish.chroma
        if self.finish.grain_px > 0.3:
            mixed = np.asarray(cv2.GaussianBlur(mixed, (0, 0), self.finish.grain_px), np.float32)
        mixed *= self.finish.noise / float(mixed.std())
        levels = np.clip(np.rint(mixed), -127, 127)
        return np.asarray(np.maximum(levels, 0), np.uint8), np.asarray(np.maximum(-levels, 0), np.uint8)

    @cached_property
    def _vignette(self) -> Picture | None:
        if self.finish.vignette < 0.01:
            return None
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        far2 = ((x / self.width - 0.5) ** 2 + (y / self.height - 0.5) ** 2) / 0.5
        keep = 255 * (1 - self.finish.vignette * far2)
        return np.asarray(cv2.merge([keep, keep, keep]), np.uint8)

    def develop(self, picture: Picture, brightness: float, tint: Bgr, rng: np.random.Generator) -> Picture:
        """The delivered picture; ``brightness`` and ``tint`` are factors on the (linear) light."""
        finish = self.finish
        # From the first copy on all is done in place: fresh memory for a picture costs as much as a step.
        made = picture.copy()
        if self._vignette is not None:
            cv2.multiply(made, self._vignette, made, 1 / 255)
        if finish.blur_px > 0.25:
            made = _blur(made, finish.blur_px)
        if finish.motion_px > 0.7:
            made = np.asarray(cv2.filter2D(made, -1, _streak(finish.motion_px, finish.motion_deg)), np.uint8)
        gains = [gain * brightness * one for gain, one in zip(finish.gains, tint, strict=True)]
        curves = [255 * (GREYS / 255 * np.sqrt(gain)) ** finish.gamma for gain in gains]
        table = np.clip(np.rint(np.stack(curves, axis=-1)), 0, 255).astype(np.uint8)
        cv2.LUT(made, table[None], made)
        if finish.noise > 0.2:
            top, left = rng.integers(0, NOISE_MARGIN, 2)
            more, less = (part[top : top + self.height, left : left + self.width] for part in self._noise)
            cv2.add(made, more, made)
            cv2.subtract(made, less, made)
        if finish.sharpen > 0.05:
            cv2.addWeighted(made, 1 + finish.sharpen, _blur(made, HALO_PX), -finish.sharpen, 0, made)
        return _compress(made, finish.jpeg) if finish.jpeg else made


def _blur(picture: Picture, sigma: float) -> Picture:
    """Blurred as by a Gaussian, in the whole 256ths that OpenCV is quickest with; brightness stays exactly."""
    half = int(np.ceil(REACH * sigma))
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    parts = np.rint(256 * bell / bell.sum())
    parts[half] += 256 - parts.sum()
    kernel = (parts / 256).astype(np.float32)
    return np.asarray(cv2.sepFilter2D(picture, -1, kernel, kernel), np.uint8)


def _streak(length: float, degrees: float) -> AnyFloatArray:
    """A kernel that smears along a line of some length in pixels."""
    half = int(np.ceil(length / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    dx, dy = np.cos(np.radians(degrees)) * length / 2, np.sin(np.radians(degrees)) * length / 2
    ends = [(round((half + s * dx) * 16), round((half + s * dy) * 16)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _compress(picture: Picture, quality: int) -> Picture:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


@dataclass
class Painter:
    """Paints any number of scenes of one setting; the bare board is kept between them."""

    setting: Setting
    # The bare board where it was pushed to, and what of it is seen: each is worked out once for a place.
    _places: dict[BoardPush, tuple[Bare, dict[int, Plane]]] = field(default_factory=dict)
    _last: tuple[Scene, Canvas, tuple[int, ...], CameraModel] | None = None

    @cached_property
    def _developer(self) -> Developer:
        camera = self.setting.camera
        return Developer(self.setting.finish, camera.height, camera.width, self.setting.table.seed)

    def paint(self, scene: Scene, rng: np.random.Generator) -> Painted:
        """The picture of a scene; ``rng`` makes the noise. The same scene again, if in other light, costs little."""
        lit = replace(scene, brightness=1.0, tint=(1.0, 1.0, 1.0))
        if self._last is None or self._last[0] != lit:
            self._last = (lit, *self._stage(scene))
        _, stage, faces, camera = self._last
        picture = self._developer.develop(stage.picture, scene.brightness, scene.tint, rng)
        return Painted(picture, stage.owner, faces, camera)

    def _stage(self, scene: Scene) -> tuple[Canvas, tuple[int, ...], CameraModel]:
        """Everything painted, before the camera had its part in it."""
        camera = moved(self.setting.camera, scene.push.x_mm, scene.push.y_mm, scene.push.turn)
        bare, planes = self._place(scene.push, camera)
        casters = self._casters(scene)
        picture = self._shade(bare, planes, camera, casters)
        stage = Canvas(picture, np.zeros(bare.kind.shape, np.int32), bare.rail)
        faces = self._checkers(stage, camera, scene, casters)
        faces += paint_solids(stage, camera, self.setting, scene, len(scene.checkers) + 1)
        for cup in scene.cups:
            paint_cup(stage, camera, self.setting.light, cup)
        for hand in scene.hands:
            paint_hand(stage, camera, self.setting.light, hand)
        return stage, tuple(faces), camera

    def _place(self, push: BoardPush, camera: CameraModel) -> tuple[Bare, dict[int, Plane]]:
        if push not in self._places:
            if len(self._places) >= KEPT_PLACES:
                self._places.pop(next(iter(self._places)))
            self._places[push] = paint_bare(self.setting, camera), {}
        return self._places[push]

    def _casters(self, scene: Scene) -> Casters:
        """Everything that throws shadows on the board."""
        setting = self.setting
        blocks = [part.corners() for part in parts(setting) if part.top_mm > 0.5]
        blocks += [corners_of(box) for box in boxes_of(setting, scene)]
        high = [
            Rod(limb.start, limb.end, (limb.start_radius_mm + limb.end_radius_mm) / 2)
            for hand in scene.hands
            for limb in hand.limbs
        ]
        high += [
            Rod((cup.x_mm, cup.y_mm, cup.z_mm), (cup.x_mm, cup.y_mm, cup.z_mm + cup.height_mm), cup.radius_mm)
            for cup in scene.cups
        ]
        return Casters(Solids([self._rod(one) for one in scene.checkers], blocks), Solids(high))

    def _rod(self, one: Checker) -> Rod:
        """What throws a checker's shadow."""
        geometry = self.setting.geometry
        radius, thick = geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm
        if not one.on_edge:
            return Rod((one.x_mm, one.y_mm, one.z_mm), (one.x_mm, one.y_mm, one.z_mm + thick), radius)
        x, y, z = thick / 2 * np.cos(one.turn), thick / 2 * np.sin(one.turn), one.z_mm + radius
        return Rod((one.x_mm - x, one.y_mm - y, z), (one.x_mm + x, one.y_mm + y, z), radius * 0.8)

    def _shade(self, bare: Bare, planes: dict[int, Plane], camera: CameraModel, casters: Casters) -> Picture:
        """The bare board with all shadows on its floor (and those of hands on rails and table)."""
        picture, frame = bare.picture.copy(), self.setting.frame
        whole = extent(self.setting)
        near = grid_over(whole, GRID_MARGIN_MM, GRID_STEP_MM)
        far = grid_over(whole, FAR_MARGIN_MM, FAR_STEP_MM)
        cast = [(SURFACE, near, 0.0, casters)]
        if len(casters.high):
            above = Casters(high=casters.high)
            cast += [(WOOD, far, frame.rail_height_mm, above), (TABLE, far, -frame.body_mm, above)]
        for kind, grid, height, things in cast:
            if kind not in planes:
                shown = np.asarray(cv2.inRange(bare.kind, kind, kind), np.uint8)
                planes[kind] = plane_of(grid, camera, height, shown)
            planes[kind].darken(picture, shade(grid, self.setting.light, things, height))
        return picture

    def _checkers(self, stage: Canvas, camera: CameraModel, scene: Scene, casters: Casters) -> list[int]:
        """Paint the checkers from the lowest to the highest, far ones first; pixels of each upper face."""
        setting = self.setting
        eye = camera.centre_mm
        order = sorted(
            range(len(scene.checkers)),
            key=lambda k: (
                round(scene.checkers[k].z_mm),
                -np.hypot(scene.checkers[k].x_mm - eye[0], scene.checkers[k].y_mm - eye[1]),
            ),
        )
        faces = [0] * len(scene.checkers)
        for thing in scene.things:
            paint_thing(stage, camera, setting.light, thing)
        flat = self._flat(camera, scene, casters)
        for k in order:
            one = scene.checkers[k]
            if k in flat:
                _drop_shadow(stage, camera, one, setting)
                faces[k] = stage.put(flat[k], k + 1)
            else:
                faces[k] = paint_edgewise(stage, camera, setting, one, k + 1)
        return faces

    def _flat(self, camera: CameraModel, scene: Scene, casters: Casters) -> dict[int, Layer]:
        """The checkers that lie flat, by their place in the scene."""
        setting, geometry = self.setting, self.setting.geometry
        thick = geometry.checker_thickness_mm
        grid = grid_over(extent(setting), GRID_MARGIN_MM, GRID_STEP_MM)
        lying = {k: one for k, one in enumerate(scene.checkers) if not one.on_edge}
        tops: dict[float, list[tuple[float, float]]] = {}
        for one in lying.values():
            tops.setdefault(round(one.z_mm + thick, 1), []).append((one.x_mm, one.y_mm))
        shades = {}
        for top, spots in tops.items():
            # Beside the checkers up there nobody looks; a little more is shaded, for soft edges.
            part = grid.around(np.array(spots), geometry.checker_diameter_mm)
            shades[top] = Shade(part, shade(part, setting.light, casters, top))
        discs = [
            Disc(
                one.x_mm,
                one.y_mm,
                one.z_mm + thick,
                radius_mm=geometry.checker_diameter_mm / 2,
                thickness_mm=thick,
                look=setting.checkers[one.side],
                turn=one.turn,
                flipped=one.flipped,
                shade=shades[round(one.z_mm + thick, 1)],
            )
            for one in lying.values()
        ]
        return dict(zip(lying, trace_discs(camera, setting.light, discs), strict=True))


def _drop_shadow(stage: Canvas, camera: CameraModel, one: Checker, setting: Setting) -> None:
    """A checker beside the board throws its shadow on the table, which no grid covers."""
    if one.z_mm >= 0 or one.on_edge:
        return
    radius = setting.geometry.checker_diameter_mm / 2 * 1.15
    lamp = setting.light.lamps[0]
    away = 5.0 * np.array([one.x_mm - lamp.x_mm, one.y_mm - lamp.y_mm]) / lamp.z_mm
    centre = np.array([one.x_mm + away[0], one.y_mm + away[1], one.z_mm])
    spots = camera.project_circle(centre, radius, 32)
    patch = stage.patch(spots, 4.0)
    if patch.empty:
        return
    rows, columns = patch.slices()
    mask = np.zeros(patch.shape, np.uint8)
    cv2.fillPoly(
        mask, [np.round((spots - [patch.left, patch.top]) * 16).astype(np.int32)], 110, cv2.LINE_AA, 4
    )
    dark = 255 - cv2.GaussianBlur(mask, (0, 0), 2.0)
    stage.picture[rows, columns] = cv2.multiply(
        stage.picture[rows, columns], cv2.cvtColor(dark, cv2.COLOR_GRAY2BGR), scale=1 / 255
    )
