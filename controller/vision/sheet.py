"""The board laid flat: pictures resampled on a millimetre grid at a chosen height above the surface."""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry

FloatArray = NDArray[np.float64]
Picture = NDArray[np.uint8]

STEP_MM = 1.5
# The sheet reaches a little past the surface: rows may start under the rail's edge, boards get bumped.
MARGIN_MM = 12.0


@dataclass(frozen=True)
class Sheet:
    """A grid of board points: columns run along x, rows along y (mm), ``step_mm`` apart.

    Pixel (row, column) = (0, 0) lies at ``left_mm``, ``near_mm``; the shape is (``rows``, ``columns``).
    """

    left_mm: float
    near_mm: float
    rows: int
    columns: int
    step_mm: float = STEP_MM

    @cached_property
    def x_mm(self) -> FloatArray:
        """The x of each column, shape (columns,)."""
        return self.left_mm + self.step_mm * np.arange(self.columns)

    @cached_property
    def y_mm(self) -> FloatArray:
        """The y of each row, shape (rows,)."""
        return self.near_mm + self.step_mm * np.arange(self.rows)

    def column(self, x_mm: float) -> float:
        """The (fractional) column of an x."""
        return (x_mm - self.left_mm) / self.step_mm

    def row(self, y_mm: float) -> float:
        """The (fractional) row of a y."""
        return (y_mm - self.near_mm) / self.step_mm

    @cached_property
    def _mesh(self) -> tuple[FloatArray, FloatArray]:
        x, y = np.meshgrid(self.x_mm, self.y_mm)
        return x, y

    def maps(self, camera: Camera, height_mm: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Maps for ``cv2.remap`` from a picture of ``camera`` to this sheet at one height.

        Every fourth node is projected and the rest interpolated: the error stays below 0.01 px.
        """
        coarse_x = self.left_mm + 4 * self.step_mm * np.arange(self.columns // 4 + 2)
        coarse_y = self.near_mm + 4 * self.step_mm * np.arange(self.rows // 4 + 2)
        mesh_x, mesh_y = np.meshgrid(coarse_x, coarse_y)
        x, y = camera.map_plane(mesh_x, mesh_y, height_mm)
        back = np.array([[0.25, 0, 0], [0, 0.25, 0]])
        size = (self.columns, self.rows)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        fine_x = cv2.warpAffine(x, back, size, flags=flags)
        fine_y = cv2.warpAffine(y, back, size, flags=flags)
        return np.asarray(fine_x, np.float32), np.asarray(fine_y, np.float32)

    def flatten(self, image: Picture, camera: Camera, height_mm: float) -> Picture:
        """The picture, shape (h, w, 3), as seen on the plane at ``height_mm``; shape (rows, columns, 3)."""
        x, y = self.maps(camera, height_mm)
        return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def lift(self, flat: Picture, camera: Camera, height_mm: float) -> Picture:
        """What a sheet seen at height 0 looks like when the same picture is laid out at ``height_mm``."""
        coarse_x = self.left_mm + 4 * self.step_mm * np.arange(self.columns // 4 + 2)
        coarse_y = self.near_mm + 4 * self.step_mm * np.arange(self.rows // 4 + 2)
        mesh_x, mesh_y = np.meshgrid(coarse_x, coarse_y)
        grid = np.stack([mesh_x, mesh_y, np.full_like(mesh_x, height_mm)], axis=-1)
        ground = camera.to_board(camera.project(grid))
        x = ((ground[..., 0] - self.left_mm) / self.step_mm).astype(np.float32)
        y = ((ground[..., 1] - self.near_mm) / self.step_mm).astype(np.float32)
        back = np.array([[0.25, 0, 0], [0, 0.25, 0]])
        size = (self.columns, self.rows)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        fine_x = cv2.warpAffine(x, back, size, flags=flags)
        fine_y = cv2.warpAffine(y, back, size, flags=flags)
        return np.asarray(
            cv2.remap(flat, fine_x, fine_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def surface_sheet(geometry: BoardGeometry) -> Sheet:
    """The sheet over the playing surface of a board, bar and trays included."""
    tray = geometry.tray_gap_mm + geometry.tray_width_mm
    left = geometry.surface_width_mm / 2 + MARGIN_MM + (tray if "left" in geometry.trays else 0)
    right = geometry.surface_width_mm / 2 + MARGIN_MM + (tray if "right" in geometry.trays else 0)
    height = geometry.surface_height_mm + 2 * MARGIN_MM
    return Sheet(-left, -height / 2, round(height / STEP_MM) + 1, round((left + right) / STEP_MM) + 1)


def moved(camera: Camera, x_mm: float, y_mm: float, turn: float = 0.0) -> Camera:
    """The camera in the frame of a board that was pushed by (x, y) mm and turned by ``turn`` radians."""
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    rotation = np.asarray(cv2.Rodrigues(camera.rotation_matrix @ spin)[0], float).ravel()
    shift = np.array(camera.translation) + camera.rotation_matrix @ np.array([x_mm, y_mm, 0.0])
    return replace(
        camera,
        rotation=(float(rotation[0]), float(rotation[1]), float(rotation[2])),
        translation=(float(shift[0]), float(shift[1]), float(shift[2])),
    )
