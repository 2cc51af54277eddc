"""How coarsely a picture was packed, and what that leaves of dice that seem clear."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.vision.dice.coarse import block_jump, misread_share, share_of_misread
from controller.vision.dice.dice import judge_dice
from controller.vision.dice.patches import Sight
from controller.vision.dice.spots import SpotTold
from controller.vision.geometry.camera import CameraModel
from controller.vision.looks import pool_spots
from tests.bench.alterations import packed
from tests.rows import each_row
from tests.vision.boards import picture
from tests.vision.dice.test_throw import ABOVE, GEOMETRY

QUALITIES = (90, 60, 40, 25, 15)
FIVE = SpotTold(np.array([0.001, 0.001, 0.001, 0.001, 0.001, 0.994, 0.001]), 0.0, (0.0, 0.0), 0.9)


def board() -> Picture:
    return picture("board1_start")


def low(camera: CameraModel) -> CameraModel:
    """The same camera with pictures of half the width."""
    return camera.resized(camera.width // 2, camera.height // 2)


def test_the_coarser_a_picture_is_packed_the_further_brightness_jumps_at_its_blocks() -> None:
    jumps = [block_jump(packed(board(), quality)) for quality in QUALITIES]
    assert jumps == sorted(jumps)
    assert jumps[-1] > jumps[0] + 1


@each_row(("down", "along"), [(0, 0), (3, 5), (4, 0), (0, 1)])
def test_blocks_are_found_wherever_a_picture_was_cut(down: int, along: int) -> None:
    coarse = packed(board(), 25)
    assert block_jump(coarse[down:, along:]) == pytest.approx(block_jump(coarse), rel=0.05)


def test_noise_and_lines_of_a_picture_that_was_never_packed_are_no_blocks() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    stripes = np.zeros((480, 640, 3), np.uint8)
    stripes[:, ::5] = 200
    for whole in (noise, stripes):
        assert block_jump(whole) < 1.0
        assert share_of_misread(block_jump(whole), 12.0) < 0.001


def test_a_picture_narrower_than_a_block_has_none() -> None:
    assert block_jump(np.zeros((4, 4, 3), np.uint8)) == 0


def test_the_smaller_the_dice_the_more_a_coarse_picture_misreads() -> None:
    coarse = packed(board(), 25)
    half = np.asarray(cv2.resize(board(), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    large = misread_share(Sight(coarse, ABOVE))
    small = misread_share(Sight(packed(half, 25), low(ABOVE)))
    assert 0 < large < small / 4


def test_what_a_sharp_picture_shows_clearly_is_told_as_before() -> None:
    (die,) = judge_dice([replace(FIVE, misread=share_of_misread(0.3, 12.0))], ABOVE, GEOMETRY, [0] * 24)
    (before,) = judge_dice([FIVE], ABOVE, GEOMETRY, [0] * 24)
    assert die.confidence == pytest.approx(before.confidence, abs=0.0005)


def test_a_number_is_told_no_surer_than_such_pictures_are_read() -> None:
    for misread in (0.01, 0.05, 0.2):
        (die,) = judge_dice([replace(FIVE, misread=misread)], ABOVE, GEOMETRY, [0] * 24)
        assert die.value == 5
        assert die.confidence <= 1 - misread


def test_another_look_at_the_same_blocks_makes_nothing_surer() -> None:
    coarse = replace(FIVE, misread=0.05)
    one, three = (
        judge_dice(pool_spots([{coarse.middle: coarse}] * looks), ABOVE, GEOMETRY, [0] * 24)[0]
        for looks in (1, 3)
    )
    assert three.confidence <= one.confidence + 1e-9
    assert three.confidence <= 0.95
