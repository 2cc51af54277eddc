"""How fast boards are painted, on one core, and how many painted boards calibrate without help."""

import statistics
import time
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import START, random_scene, start_scene
from controller.simulation.painting.painter import Painter

SETTINGS = 6
PICTURES = 8
CALIBRATED = 6
# A corner of the surface may be off by this share of the pitch of the points.
OFF_PITCHES = 0.25


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    return [*_speed(), _calibrations()]


def _speed() -> list[dict[str, Any]]:
    each: list[float] = []
    bare: list[float] = []
    settings: list[float] = []
    for seed in range(SETTINGS):
        rng = np.random.default_rng(seed)
        setting = random_setting(rng, (1280, 720))
        painter = Painter(setting)
        scenes = [random_scene(setting, rng, hands=0.0) for _ in range(PICTURES)]
        began = time.process_time()
        painter.paint(scenes[0], rng)
        bare.append(time.process_time() - began)
        spent = []
        for scene in scenes[1:]:
            began = time.process_time()
            painter.paint(scene, rng)
            spent.append(time.process_time() - began)
        each += spent
        settings.append(statistics.median(spent))
    return [
        {
            "name": "painted pictures, 1280x720, median",
            "value": 1 / statistics.median(each),
            "unit": "1/s",
            "target": 20,
        },
        {
            "name": "the slowest setting, times the median one",
            "value": max(settings) / statistics.median(settings),
            "unit": "",
            "target": 2,
        },
        {"name": "first picture of a setting, median", "value": statistics.median(bare), "unit": "s"},
    ]


def _calibrations() -> dict[str, Any]:
    right = 0
    for seed in range(CALIBRATED):
        rng = np.random.default_rng(500 + seed)
        setting = random_setting(rng, (1280, 720))
        painter = Painter(setting)
        views = [
            CalibrationPicture(
                f"{seed}-{k}", painter.paint(start_scene(setting, rng), rng).picture, START.points
            )
            for k in range(2)
        ]
        corners = setting.camera.project(setting.geometry.corners())
        try:
            board = calibrate(views).board
        except CalibrationError:
            continue
        off = np.linalg.norm(board.camera.project(board.geometry.corners()) - corners, axis=1).max()
        right += bool(off < OFF_PITCHES * np.linalg.norm(corners[0] - corners[1]) / 13)
    return {
        "name": "painted boards calibrated rightly",
        "value": right / CALIBRATED,
        "unit": "share",
        "target": 1,
    }
