"""Rims of checkers: how much an edge in the picture speaks for a rim there, and rims along whole circles."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Picture, Sheet

FloatArray = NDArray[np.float64]
Map = NDArray[np.float32]

# Looks around a circle; opposite ones share a direction.
LOOKS_AROUND = 24
# Edge strengths (quarters of a grey level a step) are told apart in these classes.
CLASSES = (3, 6, 10, 15, 21, 28, 37, 48, 62, 80, 105, 140, 190)
# One look speaks for or against a rim by no more than this (nats).
LIMIT = 2.0


@dataclass(frozen=True)
class RimLook:
    """Log-likelihood ratios, rim against plain face, for each class of edge strength."""

    ratios: tuple[float, ...]

    @cached_property
    def table(self) -> NDArray[np.float32]:
        """The ratio for each edge strength 0..255."""
        return np.asarray(np.array(self.ratios)[np.digitize(np.arange(256), CLASSES)], np.float32)


@dataclass(frozen=True)
class Edges:
    """Edge strength across each of ``LOOKS_AROUND / 2`` directions, uint8, on the sheet one layer up."""

    strengths: tuple[NDArray[np.uint8], ...]
    sheet: Sheet

    def mean_around(self, table: NDArray[np.float32], radius_mm: float) -> Map:
        """For a circle about each sheet pixel the mean of ``table[strength]``: shape (rows, columns)."""
        reach = int(np.ceil(radius_mm / self.sheet.step_mm)) + 1
        total = np.zeros((self.sheet.rows, self.sheet.columns), np.float32)
        rows, columns = total.shape
        for k in range(LOOKS_AROUND // 2):
            looks = cv2.copyMakeBorder(
                cv2.LUT(self.strengths[k], table), reach, reach, reach, reach, cv2.BORDER_REPLICATE
            )
            angle = 2 * np.pi * k / LOOKS_AROUND
            across = round(radius_mm * np.cos(angle) / self.sheet.step_mm)
            along = round(radius_mm * np.sin(angle) / self.sheet.step_mm)
            for sign in (1, -1):
                top, left = reach + sign * along, reach + sign * across
                total += looks[top : top + rows, left : left + columns]
        return np.asarray(total / LOOKS_AROUND, np.float32)

    def around(self, x_mm: FloatArray, y_mm: FloatArray, radius_mm: float) -> NDArray[np.uint8]:
        """Strengths on circles about centres of shape (...): shape (..., LOOKS_AROUND)."""
        angles = 2 * np.pi * np.arange(LOOKS_AROUND) / LOOKS_AROUND
        out = np.empty((*np.shape(x_mm), LOOKS_AROUND), np.uint8)
        for k, angle in enumerate(angles):
            column = np.rint(self.sheet.column(x_mm + radius_mm * np.cos(angle))).astype(int)
            row = np.rint(self.sheet.row(y_mm + radius_mm * np.sin(angle))).astype(int)
            column = np.clip(column, 0, self.sheet.columns - 1)
            row = np.clip(row, 0, self.sheet.rows - 1)
            out[..., k] = self.strengths[k % (LOOKS_AROUND // 2)][row, column]
        return out


def find_edges(top: Picture, sheet: Sheet) -> Edges:
    """Edges in a flat picture, (rows, columns, 3) BGR, laid out at the height of one layer."""
    grey = cv2.GaussianBlur(cv2.cvtColor(top, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.7)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.5)
    along = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.5)
    strengths = []
    for k in range(LOOKS_AROUND // 2):
        angle = 2 * np.pi * k / LOOKS_AROUND
        strength = cv2.convertScaleAbs(across * np.float32(np.cos(angle)) + along * np.float32(np.sin(angle)))
        strengths.append(np.asarray(cv2.dilate(strength, np.ones((3, 3), np.uint8)), np.uint8))
    return Edges(tuple(strengths), sheet)


def learn_rims(edges: Sequence[Edges], geometry: BoardGeometry, points: Sequence[int], sign: int) -> RimLook:
    """Learn how edges differ on the rims and on the faces of one side's checkers of a known position."""
    rims, faces = [], []
    radius = geometry.checker_diameter_mm / 2
    for seen in edges:
        for point, count in enumerate(points, start=1):
            if np.sign(count) != sign or abs(count) > 5:
                continue
            for place in range(abs(count)):
                x, y, _ = geometry.slot(point, place)
                x, y = _settled(seen, float(x), float(y), radius)
                rims.append(seen.around(np.array(x), np.array(y), radius))
                faces += [seen.around(np.array(x), np.array(y), share * radius) for share in (0.35, 0.65)]
    bins = np.arange(len(CLASSES) + 2) - 0.5
    counts = [
        np.histogram(np.digitize(np.concatenate(part), CLASSES), bins)[0] + 4.0 for part in (rims, faces)
    ]
    ratio = np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())
    rising = np.maximum.accumulate(np.clip(ratio[1:], -LIMIT, LIMIT))
    return RimLook(tuple(round(float(v), 3) for v in (rising[0], *rising)))


def _settled(edges: Edges, x: float, y: float, radius: float) -> tuple[float, float]:
    """The centre near a slot whose circle carries most edge."""
    offsets = np.arange(-6, 6.1, 1.5)
    dx, dy = np.meshgrid(offsets, offsets)
    strength = np.minimum(edges.around(x + dx, y + dy, radius), 60).mean(axis=-1) - 0.1 * np.hypot(dx, dy)
    row, column = np.unravel_index(int(strength.argmax()), strength.shape)
    return x + float(dx[row, column]), y + float(dy[row, column])
