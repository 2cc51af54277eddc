"""One camera from aiming to playing: `snapshot`, `calibrate board --camera` and `run` have the same picture."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.app.room import Room
from controller.arrays import Picture
from controller.config import load_config
from controller.config.board import read_board_file
from controller.devices.camera.camera import Frame
from controller.devices.camera.status import CameraState
from tests.cli.conftest import Run
from tests.devices.camera.pi.picamera2 import IN_FOCUS, WHOLE
from tests.devices.camera.pi_table import configurations, put_pi
from tests.devices.cameras import until

CONFIG = """
[camera]
source = "{source}"
[board]
port = "none"
[web]
use = false
"""


@pytest.fixture(autouse=True)
def settles_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in has its exposure at once, and its focus after a few pictures."""
    monkeypatch.setattr("controller.devices.camera.still.SETTLED_S", 2.0)


def live_picture() -> Picture:
    """What the room of `pointsman run` sees when its camera has settled."""
    config = load_config(Path("pointsman.toml"))
    board = read_board_file(config.board_file()) if config.board_file().exists() else None
    frames: list[Frame] = []
    room = Room(config, board, lambda _: None)
    room.open()
    try:
        assert room.camera._camera is not None
        until(lambda: room.camera.status is not None and room.camera.status.state is CameraState.OK)
        while len(frames) < 3:
            frame = room.camera._camera.read(1.0)
            frames += [] if frame is None else [frame]
    finally:
        room.close()
    return frames[-1].picture


def difference(one: Picture, other: Picture) -> float:
    """Grey levels, in the mean."""
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


def test_snapshot_calibration_and_match_have_the_same_picture(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_pi(tmp_path, monkeypatch)
    monkeypatch.setattr("controller.devices.camera.choice.cameras", lambda _: ())
    Path("pointsman.toml").write_text(CONFIG.format(source="auto"))
    run("snapshot", "--out", "aim.png")
    run("calibrate", "board", "--camera", "--debug", "found.png")
    board = read_board_file(Path("board.toml"))
    assert board.lens_position == IN_FOCUS
    run("snapshot", "--out", "again.png")
    live = live_picture()
    for name in ("aim.png", "again.png"):
        picture = cv2.imread(name)
        assert picture is not None
        assert difference(np.asarray(picture, np.uint8), live) < 1.5
    given = configurations()
    assert len(given) == 4
    for one in given:
        assert one["crop"] == [0, 0, *WHOLE["imx708"]]
        assert one["sensor"] == {"output_size": [4608, 2592], "bit_depth": 10}
        assert one["main"] == given[0]["main"]
    aiming, calibrating, aiming_again, playing = (one["controls"] for one in given)
    assert aiming == calibrating
    assert aiming_again == playing
    assert playing["LensPosition"] == IN_FOCUS


@pytest.mark.parametrize("sensor", ["imx219", "imx477"])
def test_snapshot_and_match_see_the_same_part_of_every_sensor(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sensor: str
) -> None:
    put_pi(tmp_path, monkeypatch, sensor)
    Path("pointsman.toml").write_text(CONFIG.format(source="picamera2"))
    run("snapshot", "--out", "aim.png")
    live = live_picture()
    picture = cv2.imread("aim.png")
    assert picture is not None
    assert difference(np.asarray(picture, np.uint8), live) < 1.5
    aiming, playing = configurations()
    x, _, width, _ = aiming["crop"]
    assert aiming["crop"] == playing["crop"]
    assert (x, width) == (0, WHOLE[sensor][0])
    assert (aiming["main"], aiming["sensor"]) == (playing["main"], playing["sensor"])
