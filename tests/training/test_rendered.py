"""What is rendered to learn from, before Blender draws it, and what is cut from it."""

import sys
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from calibration.training.rendered.die_cuts import KEPT, cut_dice, top_of
from calibration.training.rendered.laying import (
    DieLaid,
    DiscLaid,
    Laying,
    Panel,
    Polish,
    any_laying,
    face_values,
)
from calibration.training.rendered.sensor import any_sensor
from calibration.training.rendered.solids import block_mesh, disc_mesh, pip_hollow, uneven
from calibration.training.rendered.stills import INVENTED, SERIES, TAUGHT, RenderError, Still, still
from controller.arrays import FloatArray, triple
from controller.simulation.boards.faces import die_face, pip_places, random_die_style
from tests.rows import each_row

LAYINGS = [any_laying(np.random.default_rng(seed)) for seed in range(12)]


def _corners(laying: Laying, die: DieLaid) -> FloatArray:
    half = laying.kinds[die.kind].side / 2
    own = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
    return np.asarray(np.array(die.centre) + own @ np.array(die.turn).T, float)


def test_a_laying_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert any_laying(np.random.default_rng(3)) == LAYINGS[3]
    assert LAYINGS[3] != LAYINGS[4]


def test_the_face_with_the_value_looks_up() -> None:
    for laying in LAYINGS:
        for die in laying.dice:
            turn = np.array(die.turn)
            assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-6)
            assert np.linalg.det(turn) > 0
            number = int(np.argmax([sign * turn[2, axis] for axis in range(3) for sign in (1, -1)]))
            assert face_values(laying.kinds[die.kind])[number] == die.value


def test_opposite_faces_of_a_die_make_seven() -> None:
    for laying in LAYINGS:
        for kind in laying.kinds:
            values = face_values(kind)
            assert sorted(values) == [1, 2, 3, 4, 5, 6]
            assert all(values[k] + values[k + 1] == 7 for k in (0, 2, 4))


def test_dice_stand_on_something_and_not_in_one_another() -> None:
    touching = 0
    for laying in LAYINGS:
        heights = {0.0, *(disc.thickness for disc in laying.discs)}
        for number, die in enumerate(laying.dice):
            foot = float(_corners(laying, die)[:, 2].min())
            assert min(abs(foot - height) for height in heights) < 1e-6
            for other in laying.dice[:number]:
                far = np.hypot(*np.subtract(die.centre[:2], other.centre[:2]))
                sides = (laying.kinds[die.kind].side + laying.kinds[other.kind].side) / 2
                assert far > 0.98 * sides
                touching += bool(far < 1.2 * sides)
    assert touching > 5


def test_checkers_do_not_lie_in_one_another() -> None:
    nearest = []
    for laying in LAYINGS:
        for disc, other in combinations(laying.discs, 2):
            nearest.append(np.hypot(*np.subtract(disc.place, other.place)) / (disc.radius + other.radius))
    assert min(nearest) > 0.999
    assert sum(near < 1.1 for near in nearest) > 4


def test_every_value_and_a_few_leaning_dice_come_up() -> None:
    dice = [die for laying in LAYINGS for die in laying.dice]
    assert {die.value for die in dice} == {1, 2, 3, 4, 5, 6}
    assert 0 < sum(die.cocked for die in dice) < len(dice) / 5


def test_a_block_is_closed_rounded_and_looks_outwards() -> None:
    faces = [np.full((8, 8, 3), 40 * k, np.uint8) for k in range(6)]
    mesh = block_mesh(faces, [np.zeros((8, 8))] * 6, 0.1)
    assert np.abs(mesh.vertices).max() == pytest.approx(0.5)
    assert np.linalg.norm(mesh.vertices, axis=1).max() < np.sqrt(3) / 2 - 0.05
    corners = mesh.vertices[mesh.quads]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0])
    assert (np.einsum("ij,ij->i", normals, corners.mean(axis=1)) > 0).all()
    # The volume that the faces enclose, by Gauss: a little less than that of the whole cube.
    volume = np.einsum("ij,ij->i", normals, corners.mean(axis=1)).sum() / 3
    assert 0.93 < volume < 1.0


def test_a_face_lies_where_its_pips_are_hollow() -> None:
    style = random_die_style(np.random.default_rng(5))
    faces = [die_face(style, value, 48) for value in (1, 6, 2, 5, 3, 4)]
    hollows = [pip_hollow(style, value, 0.5, 48) for value in (1, 6, 2, 5, 3, 4)]
    mesh = block_mesh(faces, hollows, 0.0)
    deep = mesh.vertices[np.abs(mesh.vertices).max(axis=1) < 0.49]
    above = deep[deep[:, 2] > 0.4]
    for x, y in pip_places(style, 3):
        wanted = np.array([x, -y])
        assert np.hypot(*(above[:, :2] - wanted).T).min() < style.pip_radius / 2
    assert len(above) > 0


@each_row("bulge", [0.0, 0.05, -0.05])
@each_row("wear", [0.0, 0.06])
def test_an_uneven_face_meets_its_neighbours_and_is_as_steep_as_it_should_be(
    bulge: float, wear: float
) -> None:
    depth = uneven(bulge, wear, 96, 3)
    edges = np.concatenate([depth[0], depth[-1], depth[:, 0], depth[:, -1]])
    assert np.abs(edges).max() < 0.003
    if not wear:
        assert depth[47, 47] == pytest.approx(-bulge, abs=1e-4)
    else:
        hills = depth - uneven(bulge, 0.0, 96, 3)
        assert 0.2 * wear < np.hypot(*np.gradient(hills, 1 / 96)).mean() < 1.5 * wear


def test_checkers_are_as_large_as_they_should_be() -> None:
    mesh = disc_mesh(20.0, 10.0, 2.0, 0.5, (10.0, 20.0, 30.0))
    assert np.hypot(*mesh.vertices[:, :2].T).max() == pytest.approx(20.0)
    assert mesh.vertices[:, 2].min() == pytest.approx(0.0)
    assert mesh.vertices[:, 2].max() == pytest.approx(10.0)


def test_a_sensor_takes_more_light_for_brighter() -> None:
    random = np.random.default_rng(1)
    ramp = np.repeat(np.linspace(0.1, 1.0, 80, dtype=np.float32)[None, :, None], 60, axis=0).repeat(3, axis=2)
    for _ in range(20):
        picture = any_sensor(random).take(ramp, 0.5, random)
        assert picture.shape == (30, 40, 3)
        levels = picture.mean(axis=(0, 2))
        assert all(b > a - 12 for a, b in pairwise(levels))
        assert levels[-4:].mean() > levels[:4].mean()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_is_cut_has_the_middle_of_the_face_in_its_middle(seed: int) -> None:
    laying = LAYINGS[seed]
    light = np.full((laying.camera.height, laying.camera.width, 3), 0.2, np.float32)
    for die in laying.dice:
        x, y = np.rint(laying.camera.project(top_of(laying, die))).astype(int)
        light[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = 5.0
    patches = list(cut_dice(Still(0, laying, light), np.random.default_rng(2)))
    dice = [patch for patch in patches if patch.value]
    assert len(dice) > 3 * len(laying.dice)
    assert len(patches) > len(dice)
    middle = slice(KEPT.size // 2 - 3, KEPT.size // 2 + 3)
    for patch in dice:
        grey = patch.picture.mean(axis=2)
        assert grey[middle, middle].max() > np.median(grey) + 10
    for patch in patches:
        assert patch.picture.shape == (KEPT.size, KEPT.size, 3)


def test_a_die_behind_a_lamp_is_not_learned_from() -> None:
    laying = LAYINGS[0]
    light = np.full((laying.camera.height, laying.camera.width, 3), 0.2, np.float32)
    lamp = Panel(triple(0.5 * laying.camera.centre_mm), (900.0, 900.0), 1, (1.0, 1.0, 1.0), 1.0)
    patches = [
        list(cut_dice(Still(0, replace(laying, panels=panels), light), np.random.default_rng(2)))
        for panels in ((), (lamp,), laying.panels)
    ]
    counts = [sum(patch.value > 0 for patch in some) for some in patches]
    assert counts[0] == counts[2] > 0
    assert counts[1] == 0 < len(patches[1])


def test_the_gap_between_checkers_is_nothing() -> None:
    laying = replace(LAYINGS[0], dice=LAYINGS[0].dice[:8], cubes=())
    four = [(x, y) for x in (-20.0, 20.0) for y in (-20.0, 20.0)]
    discs = tuple(DiscLaid(place, 20.0, 9.0, 0.0, (9.0, 9.0, 9.0), Polish(0.5)) for place in four)
    camera = laying.camera
    light = np.full((camera.height, camera.width, 3), 0.2, np.float32)
    x, y = np.rint(camera.project(np.zeros(3))).astype(int)
    light[y - 2 : y + 3, x - 2 : x + 3] = 5.0
    still = Still(0, replace(laying, discs=discs, dice=laying.dice[-1:]), light)
    middle = slice(KEPT.size // 2 - 6, KEPT.size // 2 + 6)
    cuts = [patch for seed in range(8) for patch in cut_dice(still, np.random.default_rng(seed))]
    greys = [patch.picture.mean(axis=2)[middle, middle] for patch in cuts if not patch.value]
    assert any(grey.max() > np.median(grey) + 20 for grey in greys)


RENDERER = "calibration.training.rendered.cycles"


def test_a_picture_is_rendered_once_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module, asked, told = ModuleType(RENDERER), [], []

    def render(_: Laying, seed: int) -> FloatArray:
        asked.append(seed)
        return np.full((4, 4, 3), 0.5 + seed)

    module.render = render  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, RENDERER, module)
    first = [still(number, told.append, shelf=tmp_path) for number in (3, 4, 3)]
    assert asked == [3, 4]
    assert len(told) == 2
    assert [one.light[0, 0, 0] for one in first] == [3.5, 4.5, 3.5]
    assert first[0].laying == first[2].laying != first[1].laying


def test_pictures_of_another_series_are_kept_beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = ModuleType(RENDERER)
    module.render = lambda laying, _: np.full((4, 4, 3), laying.kinds[0].side)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, RENDERER, module)
    one, other = (still(0, print, series, tmp_path) for series in (INVENTED, TAUGHT))
    assert one.laying != other.laying
    assert one.light[0, 0, 0] != other.light[0, 0, 0]
    assert len(list(tmp_path.rglob("*.npy"))) == 2


@each_row("name", ["taught", "kept_back"])
def test_dice_of_a_series_are_of_its_makes_only(name: str) -> None:
    series = SERIES[name]
    inks = {(make.inks, make.rounding, make.gloss) for make in series.makes}
    for seed in range(6):
        laying = any_laying(np.random.default_rng([series.seed, seed]), series.makes)
        styles = [kind.style for kind in laying.kinds]
        assert {(style.inks, style.rounding, style.gloss) for style in styles} <= inks
        assert all(style.six for style in styles)
        assert len({die.kind for die in laying.dice}) > 1


def test_who_has_no_blender_is_told_what_it_takes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, RENDERER, None)
    with pytest.raises(RenderError, match=r"bpy.*Python 3\.11"):
        still(0, print, shelf=tmp_path)
