"""Single pictures from a program that takes them, such as `rpicam-still` or `fswebcam`."""

import shlex
import subprocess
from typing import Final

from controller.arrays import Picture
from controller.devices.pictures import PictureError, picture_in

PATIENCE_S: Final = 20.0


class SnapshotError(PictureError):
    """The program took no picture."""


class Snapshots:
    """Each call runs the program anew and reads the one picture (JPEG or PNG) that it writes to standard output."""

    def __init__(self, command: str) -> None:
        """`command` is split as a shell would, but no shell runs it. Raises SnapshotError if that cannot be."""
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words:
            raise SnapshotError(
                f"{command!r} is no command that takes a picture; give one such as 'rpicam-still -n -o -'."
            )

    def __call__(self) -> Picture:
        """A picture, shape (height, width, 3), BGR.

        Raises:
            SnapshotError: if the program cannot be run, fails, or takes too long.
            PictureError: if what it writes is not a picture that can be used.
        """
        name = self._words[0]
        try:
            ran = subprocess.run(self._words, capture_output=True, timeout=PATIENCE_S, check=False)
        except FileNotFoundError:
            raise SnapshotError(f"There is no program {name} to take pictures with; install it.") from None
        except OSError as error:
            raise SnapshotError(f"{name} cannot be run ({error.strerror}); name another program.") from None
        except subprocess.TimeoutExpired:
            raise SnapshotError(
                f"{name} took no picture within {PATIENCE_S:.0f} s; see that no other program uses the camera."
            ) from None
        if ran.returncode != 0:
            told = ran.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise SnapshotError(
                f"{name} took no picture ({''.join(told) or f'status {ran.returncode}'}); try the command by itself."
            )
        return picture_in(ran.stdout, f"What {name} wrote")
