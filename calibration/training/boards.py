"""The pictures to learn from, each board with its camera and measures as its known checkers tell them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fit import Sighting, fit_board
from controller.arrays import Picture
from controller.vision import BoardGeometry, CameraModel, Home

PICTURES = Path(__file__).resolve().parent / "pictures"


@dataclass(frozen=True)
class Shot:
    """A picture, (h, w, 3) BGR uint8, and the truth about it (see the README of the pictures)."""

    image: Picture
    truth: Mapping[str, Any]

    @property
    def points(self) -> tuple[int, ...]:
        """The 24 signed counts."""
        return tuple(int(count) for count in self.truth["points"])


@dataclass(frozen=True)
class KnownBoard:
    """One board under one camera: pictures of the start position and of others."""

    name: str
    camera: CameraModel
    geometry: BoardGeometry
    starts: tuple[Shot, ...]
    shots: tuple[Shot, ...]


def known_boards() -> tuple[KnownBoard, ...]:
    """All boards whose pictures ship with the project."""
    return tuple(_board(folder) for folder in sorted(PICTURES.iterdir()) if folder.is_dir())


def _board(folder: Path) -> KnownBoard:
    shots = []
    for line in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        shots.append((truth["file"], Shot(_picture(folder / truth["file"]), truth)))
    starts = tuple(shot for file, shot in shots if file.startswith("start"))
    size = (starts[0].image.shape[1], starts[0].image.shape[0])
    fit = fit_board(_sightings(starts), _home(starts[0]), size, slack_px=0.7)
    geometry = replace(fit.geometry, checker_diameter_mm=_diameter(fit.camera, fit.geometry, starts[0]))
    others = tuple(shot for file, shot in shots if not file.startswith("start"))
    return KnownBoard(folder.name, fit.camera, geometry, starts, others)


def _picture(file: Path) -> Picture:
    image = cv2.imread(str(file))
    if image is None:
        raise ValueError(f"{file} is not a picture")
    return np.asarray(image, np.uint8)


def _home(start: Shot) -> Home:
    """On which side light's home lies, from the turn in which the corners run in the picture."""
    (ax, ay), (bx, by), (cx, cy), _ = start.truth["corners"]
    return "right" if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0 else "left"


def _sightings(starts: Sequence[Shot]) -> list[Sighting]:
    """The checkers of start pictures, numbered on their points from the edge inwards."""
    found = []
    for start in starts:
        corners = np.array(start.truth["corners"], float)
        for point in range(24):
            a, b = (corners[0], corners[1]) if point < 12 else (corners[3], corners[2])
            inward = np.array([-(b - a)[1], (b - a)[0]])
            here = [c for c in start.truth["checkers"] if c["point"] == point]
            here.sort(key=lambda c: abs((np.array([c["x"], c["y"]]) - a) @ inward))
            if len(here) == abs(start.points[point]):
                found += [Sighting(point + 1, k, c["x"], c["y"]) for k, c in enumerate(here)]
    return found


def _diameter(camera: CameraModel, geometry: BoardGeometry, start: Shot) -> float:
    """The checkers' diameter (mm) from their radii in pixels."""
    sizes = []
    for checker in start.truth["checkers"]:
        centre = np.array([checker["x"], checker["y"]])
        # An oblique circle keeps its longer half axis; the picture's scale is largest along it.
        ring = checker["r"] * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]) + centre
        x = camera.to_board(ring, geometry.checker_thickness_mm)
        sizes.append(min(np.hypot(*(x[0] - x[2])), np.hypot(*(x[1] - x[3]))))
    return float(np.median(sizes))
