"""A camera in its own process: pulled, hanging, frozen, black, of another size, back under another number."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.camera.live import LiveCamera
from controller.devices.camera.status import CameraState, CameraStatus
from controller.messages.device_words import remedy_of
from tests.devices.camera.rig import WELL, CameraRig, children, handles
from tests.devices.cameras import SIZE, until
from tests.threads import no_thread_left


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process, no handle, no thread of a camera is left when it is closed."""
    before = children(), handles()
    with no_thread_left("pointsman-camera"):
        yield
    assert (children(), handles()) == before


@pytest.fixture
def rig(tmp_path: Path) -> CameraRig:
    rig = CameraRig(tmp_path)
    rig.plug()
    return rig


def works(camera: LiveCamera) -> None:
    """Wait until it gives pictures again."""
    camera.read(0.0)
    until(lambda: camera.read(0.1) is not None)
    until(lambda: camera.status.state is CameraState.OK)


@pytest.mark.parametrize(
    ("does", "codes"),
    [
        ("hangs", ["lost"]),
        ("deaf", ["lost"]),
        ("crashes", ["driver"]),
        ("frozen", ["frozen"]),
        ("cut", ["incomplete"]),
        ("black", ["dark"]),
        ("small", ["wrong_size"]),
    ],
)
def test_what_goes_wrong_is_told_with_its_remedy_and_pictures_come_back(
    rig: CameraRig, does: str, codes: list[str]
) -> None:
    told: list[CameraStatus] = []
    with rig.camera(tell=told.append) as camera:
        frame = camera.read(60.0)
        assert frame is not None
        assert frame.picture.shape == (SIZE[1], SIZE[0], 3)
        rig.turn(does)
        until(lambda: camera.status.state is not CameraState.OK)
        assert [status.code for status in told[1:]] == codes
        assert remedy_of(told[1])
        rig.turn(WELL)
        works(camera)


@pytest.mark.parametrize("source", ["auto", "0", "by name"])
def test_a_camera_that_comes_back_under_another_number_is_found(rig: CameraRig, source: str) -> None:
    told: list[CameraStatus] = []
    with rig.camera(str(rig.link) if source == "by name" else source, told.append) as camera:
        works(camera)
        rig.pull()
        until(lambda: camera.status.state is CameraState.ABSENT)
        assert remedy_of(camera.status)
        assert camera.read(0.0) is None
        rig.plug(3)
        works(camera)


def test_pulled_while_its_driver_hangs_it_is_noticed_by_its_device(rig: CameraRig) -> None:
    with rig.camera() as camera:
        works(camera)
        rig.turn("hangs")
        rig.pull()
        until(lambda: camera.status.state is CameraState.ABSENT)
        rig.plug(1)
        works(camera)


def test_another_camera_that_was_there_before_never_takes_the_place_of_the_one_that_is_gone(
    rig: CameraRig, tmp_path: Path
) -> None:
    other = CameraRig(tmp_path, "Watching_Laptop")
    other.plug(7)
    with rig.camera() as camera:
        works(camera)
        rig.pull()
        until(lambda: camera.status.code == "no_camera")
        replacement = CameraRig(tmp_path, "Spare_D2")
        replacement.plug(8)
        works(camera)
        assert camera.status.source == str(replacement.link)


def test_the_process_of_a_camera_ends_with_a_program_that_is_killed(rig: CameraRig) -> None:
    """Also when its driver hangs."""
    read, write = os.pipe()
    program = os.fork()
    if program == 0:
        os.close(read)
        camera = rig.camera()
        camera.start()
        works(camera)
        rig.turn("hangs")
        os.write(write, " ".join(map(str, children())).encode())
        signal.pause()
    os.close(write)
    drivers = [int(number) for number in os.read(read, 1000).split()]
    os.close(read)
    os.kill(program, signal.SIGKILL)
    os.waitpid(program, 0)
    assert len(drivers) == 1
    until(lambda: not Path(f"/proc/{drivers[0]}").exists() or _is_zombie(drivers[0]))


def _is_zombie(number: int) -> bool:
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_closing_does_not_wait_for_a_driver_that_hangs(rig: CameraRig) -> None:
    with rig.camera() as camera:
        works(camera)
        rig.turn("deaf")
