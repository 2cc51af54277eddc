"""Paints scenes of one setting: what stays the same is made once, what lies on the board for each picture."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import Picture
from controller.simulation.boards.frame import extent, parts
from controller.simulation.boards.scene import BoardPush, Checker, Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.bare import SURFACE, TABLE, WOOD, Bare, paint_bare
from controller.simulation.painting.checkers import Disc, Shade, paint_edgewise, trace_discs
from controller.simulation.painting.clutter import paint_cup, paint_hand, paint_thing
from controller.simulation.painting.finish import Developer
from controller.simulation.painting.shadow import Casters, Plane, Rod, Solids, grid_over, plane_of, shade
from controller.simulation.painting.solids import boxes_of, corners_of, paint_solids
from controller.simulation.painting.stage import Canvas, Layer
from controller.vision.camera import CameraModel
from controller.vision.sheet import moved

GRID_STEP_MM = 2.0
GRID_MARGIN_MM = 30.0
FAR_MARGIN_MM = 260.0
FAR_STEP_MM = 5.0
KEPT_PLACES = 4


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


@dataclass
class Painter:
    """Paints any number of scenes of one setting; the bare board is kept between them."""

    setting: Setting
    _bare: dict[BoardPush, Bare] = field(default_factory=dict)
    _planes: dict[tuple[BoardPush, int], Plane] = field(default_factory=dict)
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
        bare = self._bare_at(scene.push, camera)
        casters = self._casters(scene)
        picture = self._shade(bare, scene.push, camera, casters)
        stage = Canvas(picture, np.zeros(bare.kind.shape, np.int32), bare.rail)
        faces = self._checkers(stage, camera, scene, casters)
        faces += paint_solids(stage, camera, self.setting, scene, len(scene.checkers) + 1)
        for cup in scene.cups:
            paint_cup(stage, camera, self.setting.light, cup)
        for hand in scene.hands:
            paint_hand(stage, camera, self.setting.light, hand)
        return stage, tuple(faces), camera

    def _bare_at(self, push: BoardPush, camera: CameraModel) -> Bare:
        if push not in self._bare:
            if len(self._bare) >= KEPT_PLACES:
                self._bare.pop(next(iter(self._bare)))
            self._bare[push] = paint_bare(self.setting, camera)
        return self._bare[push]

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

    def _shade(self, bare: Bare, push: BoardPush, camera: CameraModel, casters: Casters) -> Picture:
        """The bare board with all shadows on its floor (and those of hands on rails and table)."""
        picture, frame = bare.picture.copy(), self.setting.frame
        whole = extent(self.setting)
        near, far = (
            grid_over(whole, GRID_MARGIN_MM, GRID_STEP_MM),
            grid_over(whole, FAR_MARGIN_MM, FAR_STEP_MM),
        )
        cast = [(SURFACE, near, 0.0, casters)]
        if len(casters.high):
            above = Casters(high=casters.high)
            cast += [(WOOD, far, frame.rail_height_mm, above), (TABLE, far, -frame.body_mm, above)]
        for kind, grid, height, things in cast:
            key = (push, kind)
            if key not in self._planes:
                if len(self._planes) >= 3 * KEPT_PLACES:
                    self._planes.pop(next(iter(self._planes)))
                self._planes[key] = plane_of(
                    grid, camera, height, np.asarray(cv2.inRange(bare.kind, kind, kind))
                )
            self._planes[key].darken(picture, shade(grid, self.setting.light, things, height))
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
                geometry.checker_diameter_mm / 2,
                thick,
                setting.checkers[one.side],
                one.turn,
                one.flipped,
                shades[round(one.z_mm + thick, 1)],
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
