"""Painted pictures: repeatable, true to geometry, and readable."""

from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
import pytest

from calibration.calibrate import CalibrationPicture, calibrate
from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.hands import hand_at
from controller.simulation.boards.scene import BoardPush, Checker, Limb, Scene, TableItem
from controller.simulation.boards.scenes import START, random_position, random_scene, start_scene
from controller.simulation.boards.setting import Setting, extent
from controller.simulation.painting.clutter import part_before
from controller.simulation.painting.painter import Painted, Painter
from controller.simulation.painting.truth import truth_of, upper_face
from controller.vision.geometry.camera import CameraModel
from tests.amounts import amount
from tests.rows import each_row

SEEDS = range(amount(3, 6))
SIZE = (640, 480)

ABOVE = CameraModel(640, 480, 480.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 700.0))
"""A camera 700 mm above the middle of the board, which looks straight down."""


@cache
def painter(seed: int) -> Painter:
    return Painter(random_setting(np.random.default_rng(seed), SIZE))


@cache
def scene(seed: int) -> Scene:
    return random_scene(painter(seed).setting, np.random.default_rng(seed), hands=0.0)


@cache
def painted(seed: int) -> Painted:
    return painter(seed).paint(scene(seed), np.random.default_rng(seed))


def bare_scene(setting: Setting) -> Scene:
    """One light checker in the middle of a half, nothing else."""
    one = Checker("light", 6, 0, setting.geometry.column_x(6), 0.0, 0.0)
    return Scene((one,), (14, 15))


def test_the_same_seed_paints_the_same_picture() -> None:
    setting = random_setting(np.random.default_rng(4), (320, 240))
    scenes = [random_scene(setting, np.random.default_rng(5)) for _ in range(2)]
    pictures = [Painter(setting).paint(one, np.random.default_rng(6)).picture for one in scenes]
    assert scenes[0] == scenes[1]
    assert np.array_equal(pictures[0], pictures[1])


@each_row("seed", SEEDS)
def test_the_whole_board_is_in_the_picture(seed: int) -> None:
    setting = painter(seed).setting
    corners = setting.camera.project(setting.geometry.corners())
    assert (corners >= 0).all()
    assert (corners < SIZE).all()


@each_row("seed", SEEDS)
def test_the_centre_of_a_visible_upper_face_is_where_the_geometry_puts_it(seed: int) -> None:
    setting, made = painter(seed).setting, painted(seed)
    for number, one in enumerate(scene(seed).checkers, start=1):
        seen = np.argwhere(made.owner == number)
        whole = made.faces[number - 1]
        if one.on_edge or whole < 20 or len(seen) < 0.97 * whole:
            continue
        middle = seen.mean(0)[::-1]
        assert np.linalg.norm(middle - made.camera.project(upper_face(setting, one))) < 1.0


@each_row("seed", SEEDS)
def test_what_lies_on_top_hides_what_is_under_it(seed: int) -> None:
    made, checkers = painted(seed), scene(seed).checkers
    for low_number, low in enumerate(checkers, start=1):
        for high in checkers:
            if low.on_edge or high.on_edge or high.layer != low.layer + 1 or low.place != high.place:
                continue
            away = np.hypot(high.x_mm - low.x_mm, high.y_mm - low.y_mm)
            if away < 6:
                seen = np.count_nonzero(made.owner == low_number)
                assert seen < 0.5 * made.faces[low_number - 1]


@each_row("seed", range(30))
def test_truth_counts_thirty_checkers(seed: int) -> None:
    position = random_position(np.random.default_rng(seed))
    laid = arrange(painter(0).setting, position, np.random.default_rng(seed))
    assert laid.counts() == position.points
    for colour, side in (("light", Side.LIGHT), ("dark", Side.DARK)):
        mine = [one for one in laid.checkers if one.side == colour]
        assert len(mine) == 15
        assert sum(one.place == "bar" for one in mine) == position.bar(side)
        assert sum(one.place == "off" for one in mine) == position.off(side)


@each_row("seed", range(12))
def test_checkers_of_one_layer_do_not_stand_in_one_another(seed: int) -> None:
    setting = painter(seed % 6).setting
    laid = arrange(setting, random_position(np.random.default_rng(seed)), np.random.default_rng(seed))
    flat = [one for one in laid.checkers if one.layer == 0 and isinstance(one.place, int)]
    spots = np.array([[one.x_mm, one.y_mm] for one in flat])
    far = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + 1e6 * np.eye(len(spots))
    assert far.min() > 0.93 * setting.geometry.checker_diameter_mm


def test_no_checker_lies_outside_the_surface() -> None:
    setting = painter(1).setting
    for seed in range(12):
        laid = arrange(setting, random_position(np.random.default_rng(seed)), np.random.default_rng(seed))
        for one in laid.checkers:
            if isinstance(one.place, int):
                assert abs(one.y_mm) <= setting.geometry.surface_height_mm / 2


def test_piles_of_six_and_more_are_common() -> None:
    tops = [max(abs(count) for count in random_position(np.random.default_rng(k)).points) for k in range(80)]
    assert sum(top >= 6 for top in tops) > 15


def test_a_hand_covers_the_points_under_it() -> None:
    setting = painter(2).setting
    target = setting.geometry.column_x(6)
    hand = hand_at((target, 40.0), np.pi / 2, height_mm=8.0)
    laid = replace(arrange(setting, START, np.random.default_rng(1)), hands=(hand,))
    made = painter(2).paint(laid, np.random.default_rng(1))
    truth = truth_of(setting, laid, made, "x.jpg")
    assert truth["hand"]
    assert 5 in truth["occluded_points"]
    plain = painter(2).paint(replace(laid, hands=()), np.random.default_rng(1))
    assert truth_of(setting, replace(laid, hands=()), plain, "x.jpg")["occluded_points"] == []
    assert len(truth["checkers"]) < 30


def test_a_pushed_board_takes_its_checkers_along() -> None:
    one = painter(3)
    still = bare_scene(one.setting)
    pushed = replace(still, push=BoardPush(12.0, -8.0, 0.02))
    spots = []
    for moment in (still, pushed):
        made = one.paint(moment, np.random.default_rng(1))
        spots.append(np.argwhere(made.owner == 1).mean(0)[::-1])
        expected = made.camera.project(upper_face(one.setting, moment.checkers[0]))
        assert np.linalg.norm(spots[-1] - expected) < 1.0
    assert np.linalg.norm(spots[1] - spots[0]) > 4


def test_more_light_makes_a_brighter_picture() -> None:
    one = painter(4)
    still = bare_scene(one.setting)
    means = [
        one.paint(replace(still, brightness=light), np.random.default_rng(1)).picture.mean()
        for light in (0.6, 1.0, 1.4)
    ]
    assert means[0] < means[1] < means[2]


def test_a_shadow_falls_away_from_the_lamp() -> None:
    setting = painter(5).setting
    lamp = replace(setting.light.lamps[0], x_mm=-900.0, y_mm=0.0, z_mm=900.0, radius_mm=20.0, power=0.7)
    plain = replace(setting.finish, noise=0.0, blur_px=0.0, jpeg=0, sharpen=0.0, motion_px=0.0)
    light = replace(setting.light, lamps=(lamp,), ambient=0.3)
    pale = replace(setting.surface, colour=(200.0, 200.0, 200.0))
    lit = Painter(replace(setting, light=light, camera=ABOVE, surface=pale, finish=plain, logos=()))
    x = setting.geometry.column_x(3)
    checker = Checker("light", 3, 0, x, 0.0, 0.0)
    with_it = lit.paint(Scene((checker,), (14, 15)), np.random.default_rng(1)).picture.astype(int)
    without = lit.paint(Scene((), (15, 15)), np.random.default_rng(1)).picture.astype(int)
    reach = setting.geometry.checker_diameter_mm / 2 + 4.0
    sides = []
    for sign in (-1, 1):
        column, row = np.round(ABOVE.project(np.array([x + sign * reach, 0.0, 0.0]))).astype(int)
        sides.append(float((without[row, column] - with_it[row, column]).mean()))
    assert sides[1] > sides[0] + 5


def test_painted_start_positions_calibrate_and_read() -> None:
    for seed in amount((21,), (21, 25)):
        rng = np.random.default_rng(seed)
        setting = random_setting(rng, (1280, 720))
        one = Painter(setting)
        views = [
            CalibrationPicture(f"start {k}", one.paint(start_scene(setting, rng), rng).picture, START.points)
            for k in range(2)
        ]
        corners = setting.camera.project(setting.geometry.corners())
        found = calibrate(views, corners=corners)
        off = found.board.camera.project(found.board.geometry.corners()) - corners
        assert np.linalg.norm(off, axis=1).max() < 6


def test_positions_of_games_are_legal_positions() -> None:
    for seed in range(40):
        position = random_position(np.random.default_rng(seed))
        assert (
            Position.from_counts(position.points, position.bar(Side.LIGHT), position.bar(Side.DARK))
            == position
        )


def beside(setting: Setting) -> tuple[float, float]:
    """A place on the table, beside the board, that the camera sees."""
    whole = extent(setting)
    around = ((whole.x0 - 60, 0.0), (whole.x1 + 60, 0.0), (0.0, whole.y0 - 60), (0.0, whole.y1 + 60))
    seen = [setting.camera.project(np.array([x, y, -setting.frame.body_mm])) for x, y in around]
    inside = [20 < x < SIZE[0] - 20 and 20 < y < SIZE[1] - 20 for x, y in seen]
    return around[inside.index(True)]


@pytest.mark.parametrize("kind", ["card", "phone", "clock", "book"])
def test_what_lies_beside_the_board_is_seen_there(kind: Literal["card", "phone", "clock", "book"]) -> None:
    setting = painter(1).setting
    (x, y), floor = beside(setting), -setting.frame.body_mm
    thing = TableItem(kind, x, y, floor, 80.0, 100.0, 9.0, 0.0, (240.0, 240.0, 240.0), (20.0, 20.0, 20.0))
    bare = replace(scene(1), things=(), cups=())
    without, laid = (
        painter(1).paint(one, np.random.default_rng(1)) for one in (bare, replace(bare, things=(thing,)))
    )
    column, row = np.rint(laid.camera.project(np.array([x, y, floor + 9.0]))).astype(int)
    change = np.abs(laid.picture.astype(int) - without.picture).max(axis=2)
    assert (change[row - 6 : row + 7, column - 6 : column + 7] > 20).mean() > 0.5


@each_row("end_z", [-50.0, 100.0, 600.0])
def test_of_an_arm_all_that_lies_before_the_camera_is_painted(end_z: float) -> None:
    arm = Limb((0.0, 0.0, 10.0), (50.0, 0.0, end_z), 12.0, 40.0, (1, 2, 3))
    assert part_before(ABOVE, arm) is arm


def test_of_an_arm_that_reaches_past_the_camera_the_part_before_it_is_painted() -> None:
    arm = Limb((0.0, 0.0, 0.0), (0.0, 100.0, 1000.0), 10.0, 30.0, (1, 2, 3))
    shown = part_before(ABOVE, arm)
    assert shown is not None
    assert shown.start == arm.start
    assert 600 < shown.end[2] < 660
    assert shown.end_radius_mm == pytest.approx(10 + 20 * shown.end[2] / 1000)
    assert np.isfinite(ABOVE.project(np.array(shown.end))).all()


@each_row("reach_mm", [-80.0, 150.0, 420.0])
@each_row("k1", [-0.25, -0.2, -0.12])
def test_an_arm_leaves_the_picture_over_its_own_edge_alone_however_the_lens_bends(
    k1: float, reach_mm: float
) -> None:
    setting = painter(1).setting
    high = setting.geometry.surface_height_mm / 2
    above = CameraModel(*SIZE, 480.0, k1, -0.01, (np.pi, 0.0, 0.0), (0.0, 0.0, 750.0))
    bent = Painter(replace(setting, camera=above))
    hand = hand_at((0.0, high + reach_mm), -np.pi / 2, height_mm=60.0)
    bare = bare_scene(setting)
    without, reached = (
        bent.paint(one, np.random.default_rng(1)).picture.astype(int)
        for one in (bare, replace(bare, hands=(hand,)))
    )
    tips = round(float(above.project(np.array([0.0, high + min(reach_mm, 0.0), 0.0]))[1]))
    change = np.abs(reached - without).max(axis=2)
    assert (change[tips + 60 :] > 60).mean() < 0.001


@each_row("arm", [((0, 0, 800), (0, 0, 900)), ((900, 0, 650), (2000, 0, 655))])
def test_an_arm_beside_or_behind_the_camera_is_not_painted(
    arm: tuple[tuple[float, float, float], tuple[float, float, float]],
) -> None:
    assert part_before(ABOVE, Limb(*arm, 20.0, 30.0, (1, 2, 3))) is None
