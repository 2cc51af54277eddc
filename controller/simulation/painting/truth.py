"""What is true of a painted picture, in the form the truth files of recorded boards have."""

from typing import Any

import numpy as np

from controller.arrays import FloatArray, IndexArray, Mask
from controller.simulation.boards.scene import Checker, Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.painter import Painted
from controller.simulation.painting.solids import die_top
from controller.simulation.painting.stage import HIDDEN, px_per_mm
from controller.vision import CameraModel
from controller.vision.geometry.geometry import FLAT_ROW

# A checker counts as seen from this share of its upper face on; a point as covered from that share of its row on.
LEAST_SEEN = 0.1
COVERED = 0.15
SOME_COVER = 0.05
ROW_SAMPLES = 40
ACROSS_SAMPLES = 7


def truth_of(setting: Setting, scene: Scene, painted: Painted, file: str) -> dict[str, Any]:
    """One line of a truth file; points are counted 0..23 from light's side there.

    ``corners`` are of the surface, x and y pixels, by light's 1-, 12-, 13- and 24-point. Borne-off counts are
    ``None`` (``off`` as a whole) where the board has no tray.
    """
    seen = np.bincount(np.maximum(painted.owner, 0).ravel(), minlength=len(painted.faces) + 1)
    camera = painted.camera
    hidden = _hidden_fractions(setting, camera, painted.owner == HIDDEN)
    on_table = [die for die in scene.dice if not die.on_board]
    first = len(scene.checkers) + 1
    dice = [
        {
            "value": die.value,
            **_pixel(camera, die_top(setting, die)),
            "owner": die.side,
            "visible": _share(int(seen[first + k]), painted.faces[first + k - 1]),
        }
        for k, die in enumerate(scene.dice)
        if die.on_board
    ]
    return {
        "file": file,
        "points": list(scene.counts()),
        "bar": {"light": scene.on_bar("light"), "dark": scene.on_bar("dark")},
        "off": {"light": scene.off[0], "dark": scene.off[1]} if setting.geometry.trays else None,
        "off_actual": {"light": scene.off[0], "dark": scene.off[1]},
        "dice": dice,
        "other_dice_off_board": [die.value for die in on_table],
        "cube": _cube(setting, scene, painted, int(seen[-1])),
        "hand": bool(scene.hands),
        "occluded_points": [point for point, share in enumerate(hidden[:24]) if share >= COVERED],
        "occluded_fraction": {str(p): round(s, 2) for p, s in enumerate(hidden[:24]) if s > SOME_COVER},
        "bar_occluded": hidden[24] >= COVERED,
        "corners": np.round(camera.project(setting.geometry.corners()), 1).tolist(),
        "checkers": _checkers(setting, scene, painted, seen),
        "board_shift_mm": [scene.push.x_mm, scene.push.y_mm],
    }


def _pixel(camera: CameraModel, place: FloatArray) -> dict[str, float]:
    """Where a place (mm, shape (3,)) is seen."""
    x, y = camera.project(place)
    return {"x": round(float(x), 1), "y": round(float(y), 1)}


def _share(seen: int, whole: int) -> float:
    return round(min(1.0, seen / whole), 2) if whole else 0.0


def _cube(setting: Setting, scene: Scene, painted: Painted, seen: int) -> dict[str, Any] | None:
    if scene.cube is None:
        return None
    cube = scene.cube
    top = np.array([cube.x_mm, cube.y_mm, cube.z_mm + setting.cube.size_mm])
    value = 1 if cube.owner == "center" and cube.face == setting.cube.centred_face else cube.face
    return {
        "value": value,
        "owner": cube.owner,
        "face": cube.face,
        **_pixel(painted.camera, top),
        "visible": _share(seen, painted.faces[-1]),
    }


def _checkers(setting: Setting, scene: Scene, painted: Painted, seen: IndexArray) -> list[dict[str, Any]]:
    """Every checker of which enough of the upper face is seen."""
    found, radius_mm = [], setting.geometry.checker_diameter_mm / 2
    for k, one in enumerate(scene.checkers):
        share = _share(int(seen[k + 1]), painted.faces[k])
        if share < LEAST_SEEN:
            continue
        centre = upper_face(setting, one)
        found.append(
            {
                **_pixel(painted.camera, centre),
                "color": one.side,
                "point": one.place - 1 if isinstance(one.place, int) else one.place,
                "layer": "edge" if one.on_edge else one.layer,
                "r": round(radius_mm * px_per_mm(painted.camera, centre), 1),
                "visible": share,
            }
        )
    return found


def upper_face(setting: Setting, checker: Checker) -> FloatArray:
    """The centre (mm, shape (3,)) of a checker's upper face; of one on edge, of its top."""
    up = setting.geometry.checker_diameter_mm if checker.on_edge else setting.geometry.checker_thickness_mm
    return np.array([checker.x_mm, checker.y_mm, checker.z_mm + up])


def _hidden_fractions(setting: Setting, camera: CameraModel, hidden: Mask) -> list[float]:
    """Which share of each point's row of five, and last of the bar, a hand or cup covers."""
    geometry = setting.geometry
    height, radius = geometry.checker_thickness_mm, geometry.checker_diameter_mm / 2
    across = np.linspace(-0.85, 0.85, ACROSS_SAMPLES) * radius
    fractions = []
    for point in (*range(1, 25), None):
        if point is None:
            x = np.linspace(-0.45, 0.45, ACROSS_SAMPLES) * geometry.bar_mm
            y = np.linspace(-0.48, 0.48, ROW_SAMPLES) * geometry.surface_height_mm
        else:
            inward = np.linspace(0.02, 0.98, ROW_SAMPLES) * FLAT_ROW * geometry.row_pitch_mm
            x = geometry.column_x(point) + across
            y = geometry.side_of(point) * (geometry.surface_height_mm / 2 - inward)
        mesh_x, mesh_y = np.meshgrid(x, y)
        spots = camera.project(np.stack([mesh_x, mesh_y, np.full_like(mesh_x, height)], -1)).reshape(-1, 2)
        column = np.clip(np.round(spots[:, 0]), 0, hidden.shape[1] - 1).astype(int)
        row = np.clip(np.round(spots[:, 1]), 0, hidden.shape[0] - 1).astype(int)
        fractions.append(float(hidden[row, column].mean()))
    return fractions
