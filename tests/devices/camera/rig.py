"""A camera at a folder that stands for `/dev`: pulled, put back under another number, hanging, frozen, black, small.

What drives it runs in the real process of a camera: `tests.devices.camera.rig_driver`.
"""

import gc
import json
import os
from pathlib import Path
from typing import Final

from controller.devices.camera.camera import Wish
from controller.devices.camera.choice import CameraChoice
from controller.devices.camera.live import LiveCamera, Tell
from tests.devices.cameras import SIZE

DRIVER: Final = ("-m", "tests.devices.camera.rig_driver")
SMALL: Final = (160, 120)
WHOLE: Final = (800, 600)
"""The size of its stills, each of which is `noise` of the number of its wish."""
WELL: Final = "well"
FPS: Final = 30.0


class CameraRig:
    """One camera at USB, or none; what it does is written in the file of its device."""

    def __init__(self, folder: Path, name: str = "Rig_C1") -> None:
        """It is not plugged in."""
        self.devices, self.by_id = folder / "dev", folder / "dev" / "by-id"
        self.by_id.mkdir(parents=True, exist_ok=True)
        self.link = self.by_id / f"usb-{name}-video-index0"
        self._node: Path | None = None

    def plug(self, number: int = 0, *, does: str = WELL) -> None:
        """Plug it in; the system gives it this number."""
        self._node = self.devices / f"video{number}"
        self._write(does)
        self.link.symlink_to(f"../video{number}")

    def pull(self) -> None:
        """Pull it out."""
        assert self._node is not None
        self.link.unlink()
        self._node.unlink()
        self._node = None

    def turn(self, does: str) -> None:
        """From now on it does this: `well`, `hangs`, `deaf`, `crashes`, `frozen`, `cut`, `black`, `small`."""
        assert self._node is not None
        self._node.write_text(json.dumps(does))

    def camera(self, source: str = "auto", tell: Tell = lambda _: None) -> LiveCamera:
        """The table's camera, as configured; it is not started."""
        choice = CameraChoice(source, self.by_id, self.devices)
        wish = Wish(source, SIZE, fps=FPS)
        return LiveCamera(wish, tell=tell, choice=choice, driver=(*DRIVER, str(self.devices)))

    def _write(self, does: str) -> None:
        """A new file each time, as the system makes one for each device that is plugged in."""
        assert self._node is not None
        part = self.devices / "new"
        part.write_text(json.dumps(does))
        part.rename(self._node)


def children() -> set[int]:
    """The processes of this one that are still there, also dead ones that nobody has asked about."""
    own = str(os.getpid())
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        if text.rpartition(")")[2].split()[1] == own:
            found.add(int(path.parent.name))
    return found


def handles() -> int:
    """How many files, sockets and pictures in memory this process holds open, but for what nobody refers to."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))
