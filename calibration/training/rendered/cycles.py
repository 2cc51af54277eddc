"""Renders layings with Cycles, Blender's path tracer, through its Python module ``bpy`` (the extra ``render``)."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from calibration.training.rendered.laying import Cloth, Colour, DieKind, Laying, Panel, Polish, face_values
from calibration.training.rendered.solids import Mesh, block_mesh, disc_mesh, linear, pip_hollow, uneven
from controller.arrays import Float32Array, FloatArray, IntArray
from controller.simulation.boards.faces import CUBE_VALUES, cube_face, die_face
from controller.vision import CameraModel

# Rays a pixel; what is left of their noise the denoiser takes away.
SAMPLES = 5
BOUNCES = 6
# Blender works in larger units than millimetres.
SCALE = 0.01
FACE_PIXELS = 96
WEDGE_HEIGHT_MM = 0.05
GROUND_MM = 4000.0
SENSOR_MM = 36.0


def render(laying: Laying, seed: int, threads: int = 1) -> Float32Array:
    """What the camera sees, as light, (h, w, 3) blue, green, red from 0 on, not limited above."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    set_up(scene, laying.camera, seed, threads)
    add_camera(scene, laying.camera)
    add_sky(scene, laying.sky)
    for panel in laying.panels:
        add_panel(scene, panel)
    _add_ground(scene, laying)
    _add_dice(scene, laying)
    _add_others(scene, laying)
    return render_scene(scene, laying.camera)


def set_up(scene: Any, camera: CameraModel, seed: int, threads: int) -> None:
    """Set the scene up for pictures of that camera's size, the same for the same seed."""
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.seed, cycles.samples = "CPU", seed, SAMPLES
    cycles.use_adaptive_sampling = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = cycles.denoising_quality = "FAST"
    cycles.max_bounces = cycles.transmission_bounces = BOUNCES
    cycles.diffuse_bounces, cycles.glossy_bounces = 2, 3
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    scene.render.resolution_x, scene.render.resolution_y = camera.width, camera.height
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.view_settings.view_transform = "Raw"


def render_scene(scene: Any, camera: CameraModel) -> Float32Array:
    """What the camera of a scene sees, as `render` gives it."""
    with tempfile.TemporaryDirectory() as folder, _silence():
        file = Path(folder) / "picture.exr"
        scene.render.image_settings.file_format = "OPEN_EXR"
        scene.render.image_settings.color_depth = "32"
        scene.render.filepath = str(file)
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(file))
        values = np.empty(4 * camera.width * camera.height, np.float32)
        image.pixels.foreach_get(values)
    picture = values.reshape(camera.height, camera.width, 4)[::-1, :, 2::-1]
    return np.ascontiguousarray(picture, np.float32)


@contextmanager
def _silence() -> Iterator[None]:
    """Blender tells of each picture on the standard output."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def add_thing(scene: Any, data: Any, matrix: FloatArray | None = None) -> Any:
    """An object of some data, placed by a (4, 4) matrix of millimetres."""
    thing = bpy.data.objects.new(data.name, data)
    if matrix is not None:
        scaled = matrix.copy()
        scaled[:3, 3] *= SCALE
        thing.matrix_world = Matrix(scaled.tolist())
    scene.collection.objects.link(thing)
    return thing


def placed(turn: FloatArray, place: Sequence[float] | FloatArray, size: float = 1.0) -> FloatArray:
    """The (4, 4) matrix of a turn (3, 3), a size, and a place in mm."""
    matrix = np.eye(4)
    matrix[:3, :3] = turn * size
    matrix[:3, 3] = place
    return matrix


def add_camera(scene: Any, camera: CameraModel) -> None:
    """The camera, whose lens does not bend."""
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", SENSOR_MM
    lens.lens = camera.focal * SENSOR_MM / camera.width
    lens.clip_end = 1000.0
    turn = camera.rotation_matrix.T @ np.diag([1.0, -1.0, -1.0])
    scene.camera = add_thing(scene, lens, placed(turn, camera.centre_mm))


def add_sky(scene: Any, light: tuple[float, float, float]) -> None:
    """Light from all around: what lies level gets so much red, green and blue."""
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (
        *(one / np.pi for one in light),
        1.0,
    )


def add_panel(scene: Any, panel: Panel) -> None:
    """A lamp as a shining mesh, so that it is mirrored in its shape."""
    wide, high = panel.size
    far = float(np.linalg.norm(panel.place))
    ahead = -np.array(panel.place) / far
    right = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(ahead, right), ahead], axis=1)
    material = bpy.data.materials.new("panel")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    emission = nodes.new("ShaderNodeEmission")
    emission.inputs["Color"].default_value = (*panel.colour, 1.0)
    # So that what lies level under it gets `strength`, whatever its size.
    emission.inputs["Strength"].default_value = panel.strength * far * far / (wide * high)
    links.new(emission.outputs[0], nodes.new("ShaderNodeOutputMaterial").inputs["Surface"])
    vertices: list[tuple[float, float, float]] = []
    quads = []
    for pane in range(panel.panes):
        left = (pane / panel.panes - 0.5) * wide
        right_edge = left + wide / panel.panes * (0.85 if panel.panes > 1 else 1.0)
        first = len(vertices)
        vertices += [
            (x * SCALE, y * SCALE, 0.0)
            for x, y in ((left, -high / 2), (right_edge, -high / 2), (right_edge, high / 2), (left, high / 2))
        ]
        quads.append((first, first + 1, first + 2, first + 3))
    mesh = bpy.data.meshes.new("panel")
    mesh.from_pydata(vertices, [], quads)
    mesh.materials.append(material)
    add_thing(scene, mesh, placed(turn, panel.place))


def _add_ground(scene: Any, laying: Laying) -> None:
    half = GROUND_MM / 2
    ground = laying.ground
    material = cloth_material(ground, ground.colour, ground.second)
    add_flat(scene, [(-half, -half), (half, -half), (half, half), (-half, half)], 0.0, material)
    materials: dict[Colour, Any] = {}
    for wedge in laying.wedges:
        colour = wedge.colour
        if colour not in materials:
            b, g, r = (0.85 * one for one in colour)
            materials[colour] = cloth_material(ground, colour, (b, g, r))
        add_flat(scene, wedge.corners, WEDGE_HEIGHT_MM, materials[colour])


def add_flat(scene: Any, corners: Sequence[tuple[float, float]], height_mm: float, material: Any) -> None:
    """A level polygon, its corners (mm) counter-clockwise seen from above."""
    mesh = bpy.data.meshes.new("flat")
    vertices = [(x * SCALE, y * SCALE, height_mm * SCALE) for x, y in corners]
    mesh.from_pydata(vertices, [], [tuple(range(len(vertices)))])
    mesh.materials.append(material)
    add_thing(scene, mesh)


def _add_dice(scene: Any, laying: Laying) -> None:
    meshes = [_die_mesh(kind) for kind in laying.kinds]
    for die in laying.dice:
        turn = np.array(die.turn)
        add_thing(scene, meshes[die.kind], placed(turn, die.centre, laying.kinds[die.kind].side * SCALE))


def _die_mesh(kind: DieKind) -> Any:
    values = face_values(kind)
    faces = [die_face(kind.style, value, FACE_PIXELS) for value in values]
    hollows = [
        pip_hollow(kind.style, value, kind.depth, FACE_PIXELS)
        + uneven(kind.bulge, kind.wear, FACE_PIXELS, kind.style.seed + value)
        for value in values
    ]
    return solid_mesh(block_mesh(faces, hollows, kind.style.rounding), kind.polish, 1.0)


def _add_others(scene: Any, laying: Laying) -> None:
    for cube in laying.cubes:
        faces = [cube_face(cube.style, value, FACE_PIXELS) for value in CUBE_VALUES]
        flat = [np.zeros((FACE_PIXELS, FACE_PIXELS))] * 6
        mesh = solid_mesh(block_mesh(faces, flat, cube.style.rounding), cube.polish, 1.0)
        cos, sin = np.cos(cube.angle), np.sin(cube.angle)
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        add_thing(scene, mesh, placed(turn, (*cube.place, cube.side / 2), cube.side * SCALE))
    for disc in laying.discs:
        edge = min(2.0, 0.3 * disc.thickness)
        mesh = solid_mesh(
            disc_mesh(disc.radius, disc.thickness, edge, disc.dish, disc.colour), disc.polish, SCALE
        )
        add_thing(scene, mesh, placed(np.eye(3), (*disc.place, 0.0)))


def solid_mesh(shape: Mesh, polish: Polish, scale: float) -> Any:
    """A mesh in Blender, with a surface of its own colours."""
    mesh = bpy.data.meshes.new("solid")
    _fill(mesh, shape.vertices * scale, shape.quads)
    colours = np.concatenate([shape.colours, np.ones((len(shape.colours), 1))], axis=1).astype(np.float32)
    mesh.attributes.new("colour", "FLOAT_COLOR", "POINT").data.foreach_set("color", colours.ravel())
    material, shader = _surface(polish)
    source = material.node_tree.nodes.new("ShaderNodeAttribute")
    source.attribute_name = "colour"
    material.node_tree.links.new(source.outputs["Color"], shader.inputs["Base Color"])
    mesh.materials.append(material)
    return mesh


def _fill(mesh: Any, vertices: FloatArray, quads: IntArray) -> None:
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", vertices.astype(np.float32).ravel())
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.astype(np.int32).ravel())
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(quads), bool))
    mesh.update(calc_edges=True)


def _surface(polish: Polish) -> tuple[Any, Any]:
    material = bpy.data.materials.new("surface")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = polish.rough
    shader.inputs["Transmission Weight"].default_value = polish.clear
    shader.inputs["Coat Weight"].default_value = polish.coat
    return material, shader


def cloth_material(cloth: Cloth, colour: Colour, second: Colour) -> Any:
    """What the ground is made of: a pattern between two colours, and the same pattern as a relief."""
    material, shader = _surface(cloth.polish)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place = nodes.new("ShaderNodeNewGeometry").outputs["Position"]
    mapping = nodes.new("ShaderNodeMapping")
    stretch = (1.0, 12.0, 1.0) if cloth.weave == "wood" else (1.0, 1.0, 1.0)
    mapping.inputs["Scale"].default_value = stretch
    links.new(place, mapping.inputs["Vector"])
    if cloth.weave in ("leather", "cork"):
        pattern = nodes.new("ShaderNodeTexVoronoi")
        level = pattern.outputs["Distance"]
    else:
        pattern = nodes.new("ShaderNodeTexNoise")
        pattern.inputs["Detail"].default_value = 6.0
        pattern.inputs["Distortion"].default_value = 2.0 if cloth.weave in ("wood", "marble") else 0.0
        level = pattern.outputs["Fac"]
    coarse = max(cloth.coarse, 0.4) * (8.0 if cloth.weave in ("wood", "marble") else 1.0)
    pattern.inputs["Scale"].default_value = 1.0 / (coarse * SCALE)
    links.new(mapping.outputs["Vector"], pattern.inputs["Vector"])
    ramp = nodes.new("ShaderNodeValToRGB")
    low, high = ramp.color_ramp.elements
    span = {"felt": 1.0, "leather": 0.9, "wood": 0.6, "marble": 0.25, "cork": 0.3, "plain": 3.0}[cloth.weave]
    low.position, high.position = max(0.0, 0.5 - span / 2), min(1.0, 0.5 + span / 2)
    low.color = (*linear(np.array([second]))[0], 1.0)
    high.color = (*linear(np.array([colour]))[0], 1.0)
    links.new(level, ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if cloth.weave in ("felt", "leather"):
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = 0.4
        bump.inputs["Distance"].default_value = 0.3 * SCALE
        links.new(level, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material
