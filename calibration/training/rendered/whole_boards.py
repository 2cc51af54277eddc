"""Whole boards of the simulation, rendered: a set to test the reader on, from which nothing is learned.

``python -m calibration.training.rendered.whole_boards FOLDER BOARDS PICTURES`` writes for each board a folder with
the pictures ``start.jpg`` and ``start2.jpg``, ``frames``, ``setup.json`` and the truth of each picture. With
``kept_back`` behind that the dice are of the makes that no lesson shows.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

from calibration.training.rendered.cycles import (
    FACE_PIXELS,
    SCALE,
    add_camera,
    add_flat,
    add_panel,
    add_sky,
    add_thing,
    cloth_material,
    placed,
    render_scene,
    set_up,
    solid_mesh,
)
from calibration.training.rendered.laying import LAMP_MM, Cloth, Panel, Polish, Weave
from calibration.training.rendered.sensor import any_sensor
from calibration.training.rendered.solids import block_mesh, disc_mesh
from calibration.training.rendered.stills import SERIES
from controller.arrays import Float32Array
from controller.simulation import Painter, random_setting
from controller.simulation.boards.faces import random_die_style
from controller.simulation.boards.makes import DieMake, die_of
from controller.simulation.boards.scene import Scene
from controller.simulation.boards.scenes import random_scene, start_scene
from controller.simulation.boards.setting import Bgr, DieLook, Material, Setting, extent, parts
from controller.simulation.painting.solids import boxes_of
from controller.simulation.painting.truth import truth_of
from controller.vision.geometry.geometry import COLOURS

Random = np.random.Generator

SEED = 23
SIZE = (960, 540)
WEAVES: dict[str, Weave] = {
    "felt": "felt",
    "cloth": "felt",
    "leather": "leather",
    "wood": "wood",
    "cork": "cork",
    "marble": "marble",
}
POINT_MM = 0.05
# Most lamps of the simulation are round, these are square: about as large.
LAMP_SHARE = 1.8


def write_board(folder: Path, number: int, pictures: int, makes: Sequence[DieMake] = ()) -> None:
    """Render one board, the start position twice and this many moments of games with two or four dice.

    The dice are of these ``makes``, or invented.
    """
    random = np.random.default_rng([SEED, number])
    setting = _setting(random, makes)
    sensor = any_sensor(np.random.default_rng([SEED, number, 1]))
    sensor = replace(sensor, exposure=float(random.uniform(0.08, 0.3)))
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    painter = Painter(setting)

    def shoot(scene: Scene, file: str, seed: int) -> dict[str, Any]:
        scene = replace(scene, hands=(), cups=(), things=(), push=type(scene.push)())
        truth = truth_of(setting, scene, painter.paint(scene, random), file)
        picture = sensor.take(render_board(setting, scene, seed), 1.0, random)
        cv2.imwrite(str(folder / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
        return truth

    for number, file in enumerate(("start.jpg", "start2.jpg")):
        shoot(start_scene(setting, random), file, number)
    (folder / "setup.json").write_text(json.dumps({"light_home_in_image": _home(setting)}) + "\n")
    truths: list[dict[str, Any]] = []
    while len(truths) < pictures:
        scene = random_scene(setting, random, hands=0.0)
        if scene.dice:
            truths.append(shoot(scene, f"frames/{len(truths):03}.jpg", 10 + len(truths)))
    (folder / "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in truths))


def render_board(setting: Setting, scene: Scene, seed: int) -> Float32Array:
    """A board with what lies on it as light, (h, w, 3); as `cycles.render` does it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    stage = bpy.context.scene
    set_up(stage, setting.camera, seed, 1)
    add_camera(stage, setting.camera)
    light = setting.light
    add_sky(stage, _rgb(light.ambient_colour, light.ambient))
    for lamp in light.lamps:
        side = max(LAMP_SHARE * lamp.radius_mm, LAMP_MM[0])
        place = (lamp.x_mm, lamp.y_mm, lamp.z_mm)
        add_panel(stage, Panel(place, (side, side), 2 if lamp.window else 1, _rgb(lamp.colour), lamp.power))
    _add_floor(stage, setting)
    _add_parts(stage, setting)
    _add_checkers(stage, setting, scene)
    for box in boxes_of(setting, scene):
        flat = [np.zeros((FACE_PIXELS, FACE_PIXELS))] * 6
        mesh = solid_mesh(block_mesh(box.faces, flat, box.rounding), _polish(box.gloss, box.clear), 1.0)
        add_thing(stage, mesh, placed(box.turn, box.centre, box.side * SCALE))
    return render_scene(stage, setting.camera)


def _setting(random: Random, makes: Sequence[DieMake]) -> Setting:
    """Any board, with dice that are as often glossy as not, through a lens that does not bend."""
    setting = random_setting(random, SIZE)
    dice = {side: _die(random, makes) for side in COLOURS}
    return replace(setting, camera=replace(setting.camera, k1=0.0, k2=0.0), dice=dice, logos=(), markers=None)


def _die(random: Random, makes: Sequence[DieMake]) -> DieLook:
    if not makes:
        return DieLook(float(random.uniform(11, 18)), random_die_style(random))
    make = makes[int(random.integers(len(makes)))]
    return DieLook(make.side_mm, die_of(make, random))


def _home(setting: Setting) -> str:
    """The quarter of the picture in which light's home lies."""
    geometry, camera = setting.geometry, setting.camera
    x = np.mean([geometry.column_x(point) for point in range(1, 7)])
    seen = camera.project(np.array([[x, -geometry.surface_height_mm / 4, 0.0], [0.0, 0.0, 0.0]]))
    across, down = seen[0] - seen[1]
    return f"{'bottom' if down > 0 else 'top'}-{'right' if across > 0 else 'left'}"


def _add_floor(stage: Any, setting: Setting) -> None:
    """The table, the board's surface and its points."""
    geometry, look = setting.geometry, setting.points
    table = extent(setting)
    wide = 4 * (table.x1 - table.x0)
    below = [(-wide, -wide), (wide, -wide), (wide, wide), (-wide, wide)]
    add_flat(stage, below, -setting.frame.body_mm, _material(setting.table, setting.table.colour))
    board = [(table.x0, table.y0), (table.x1, table.y0), (table.x1, table.y1), (table.x0, table.y1)]
    add_flat(stage, board, 0.0, _material(setting.surface, setting.surface.colour))
    paints = [_material(setting.surface, colour) for colour in look.colours]
    half, high = geometry.pitch_mm * look.width_share / 2, geometry.surface_height_mm / 2
    for point in range(1, 25):
        x, side = geometry.column_x(point), geometry.side_of(point)
        corners = [(x - half, side * high), (x + half, side * high), (x, side * (high - look.length_mm))]
        add_flat(stage, corners[::-side], POINT_MM, paints[point % 2])


def _add_parts(stage: Any, setting: Setting) -> None:
    """Rails, bar and dividers."""
    sides = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
    for part in parts(setting):
        mesh = bpy.data.meshes.new("part")
        corners = part.corners()
        corners[4:, 2] = max(part.top_mm, 2 * POINT_MM)
        corners[:4, 2] = -setting.frame.body_mm
        mesh.from_pydata((corners * SCALE).tolist(), [], sides)
        mesh.materials.append(_material(part.material, part.material.colour))
        add_thing(stage, mesh)


def _add_checkers(stage: Any, setting: Setting, scene: Scene) -> None:
    geometry = setting.geometry
    thick = geometry.checker_thickness_mm
    meshes = {}
    for side, look in setting.checkers.items():
        dish = {"dished": look.relief_mm, "domed": -look.relief_mm}.get(look.relief, 0.0)
        shape = disc_mesh(
            geometry.checker_diameter_mm / 2,
            thick,
            min(max(look.bevel_mm, 0.3), 0.4 * thick),
            dish,
            look.colour,
        )
        meshes[side] = solid_mesh(shape, _polish(look.gloss, 0.0), SCALE)
    for checker in scene.checkers:
        turn, height = np.eye(3), checker.z_mm
        if checker.on_edge:
            # Its axis lies level, along its turn.
            cos, sin = np.cos(checker.turn), np.sin(checker.turn)
            turn = np.array([[-sin, 0.0, cos], [cos, 0.0, sin], [0.0, 1.0, 0.0]])
            height += geometry.checker_diameter_mm / 2
        place = np.array([checker.x_mm, checker.y_mm, height])
        if checker.on_edge:
            place -= turn[:, 2] * thick / 2
        add_thing(stage, meshes[checker.side], placed(turn, (place[0], place[1], place[2])))


def _material(material: Material, colour: Bgr) -> Any:
    second = tuple(
        np.array(colour) + material.grain * (np.array(material.second) - np.array(material.colour))
    )
    b, g, r = (float(np.clip(one, 2, 253)) for one in second)
    weave = WEAVES.get(material.stuff, "plain")
    cloth = Cloth(weave, colour, (b, g, r), max(material.scale_mm, 0.5), _polish(material.gloss, 0.0))
    return cloth_material(cloth, colour, (b, g, r))


def _polish(gloss: float, clear: float) -> Polish:
    return Polish(float(0.85 - 0.78 * np.clip(gloss, 0, 1)), clear)


def _rgb(colour: Bgr, share: float = 1.0) -> tuple[float, float, float]:
    """A lamp's colour, around 1 or up to 255, as red, green and blue whose mean is a share."""
    levels = np.array(colour[::-1], float)
    r, g, b = (float(one) for one in share * levels / levels.mean())
    return r, g, b


def main(folder: Path, boards: int, pictures: int, series: str = "invented") -> None:
    """Render this many boards with this many pictures each into a folder, with the dice of a series of `stills`."""
    for number in range(boards):
        write_board(folder / f"board{number + 1}", number, pictures, SERIES[series].makes)
        print(f"rendered board {number + 1}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
