"""Pictures from a program that takes them."""

import sys
from pathlib import Path

import pytest

from controller.devices import pictures
from controller.devices.pictures import PictureError, SnapshotError, Snapshots
from tests.calibration.pictures import GAME
from tests.rows import each_row


def test_every_call_takes_a_new_picture(tmp_path: Path) -> None:
    file = tmp_path / "a picture.jpg"
    take = Snapshots(f"cat '{file}'")
    for number in (0, 1):
        file.write_bytes((GAME / "frames" / f"0000{number}.jpg").read_bytes())
        assert take().shape == (540, 960, 3)


@each_row(
    ("command", "told"),
    [
        ("", "is no command"),
        ("cat 'x", "is no command"),
        ("no-such-camera-program", "There is no program no-such-camera-program"),
        ("/", "cannot be run"),
        ("cat /nowhere/at/all.jpg", r"cat took no picture \(.*No such file"),
        ("echo hello", "What echo wrote is not a picture"),
    ],
)
def test_a_program_that_takes_no_picture_is_told_with_the_remedy(command: str, told: str) -> None:
    with pytest.raises(PictureError, match=told):
        Snapshots(command)()


def test_a_program_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SNAPSHOT_S", 0.2)
    with pytest.raises(SnapshotError, match="took no picture within"):
        Snapshots(f"{sys.executable} -c 'import time; time.sleep(30)'")()
