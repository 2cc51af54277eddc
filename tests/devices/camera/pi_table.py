"""A table with a Raspberry Pi whose ribbon camera is the stand-in of `pi/picamera2`."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.calibration.pictures import GAME

PI = Path(__file__).parent / "pi"
START = GAME / "frames" / "00000.jpg"
CONFIGURATIONS = "configurations.jsonl"


def put_pi(folder: Path, monkeypatch: pytest.MonkeyPatch, sensor: str = "imx708") -> None:
    """Have picamera2 be found, with a camera above a board in the start position; go to the folder."""
    monkeypatch.syspath_prepend(str(PI))
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SENSOR", sensor)
    monkeypatch.setenv("SCENE", str(START))
    monkeypatch.setenv("CONFIGURATIONS", str(folder / CONFIGURATIONS))


def configurations() -> list[dict[str, Any]]:
    """What the camera was given, each time it was opened, with the crop that came of it."""
    return [json.loads(line) for line in Path(CONFIGURATIONS).read_text().splitlines()]
