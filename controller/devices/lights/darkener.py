"""A process of its own that makes lights at the Pi dark once the program that drives them is gone, however it went.

A strip or shift register keeps its last picture for ever, so a verdict would stay lit after a program that was
killed. This process holds one end of a pipe. Each tick of the lights sends it a sign of life. When the other end is
closed without a goodbye it makes the lights dark, and so it does to a strip whose program has been silent for as
long as the board's own lease lasts: the next picture of the program is then shown as usual. Signals that end a
whole group of processes do not end this one: they are blocked, and it ends with the pipe.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import controller
from controller.devices.link.messages import LEASE_MS
from controller.devices.pins import board_model, library_for, pin_factory
from controller.signals import ENDING

if TYPE_CHECKING:
    from gpiozero import Factory

BEAT_S: Final = 0.5
"""How often the process gets a sign that the program is alive."""
ALIVE: Final = b"+"
GOODBYE: Final = b"-"
IGNORED: Final = ENDING


class Darkener:
    """The process, seen from the program; it begins at once.

    Raises:
        OSError: if the process cannot be begun.
    """

    def __init__(self, *what: object, share: tuple[int, ...] = ()) -> None:
        """``what`` are the words of `main`; ``share`` are open files that the process has, too."""
        root = str(Path(controller.__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        before = signal.pthread_sigmask(
            signal.SIG_BLOCK, IGNORED
        )  # the process inherits that from its first moment
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __spec__.name, *map(str, what)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=share,
                env=os.environ | {"PYTHONPATH": path},
                start_new_session=True,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.stdin is not None
        self._pipe = self._process.stdin.fileno()
        os.set_blocking(self._pipe, False)
        self._told_at = float("-inf")

    def tick(self, now_s: float) -> None:
        """A sign of life, if the last one is `BEAT_S` ago; monotonic seconds."""
        if now_s - self._told_at >= BEAT_S:
            self._told_at = now_s
            self._send(ALIVE)

    def close(self) -> None:
        """End the process; the lights stay as they are."""
        self._send(GOODBYE)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _send(self, word: bytes) -> None:
        with contextlib.suppress(OSError):  # it has enough signs of life already, or somebody ended it
            os.write(self._pipe, word)


def watch(pipe: int, darken: Callable[[], None], lease_s: float | None) -> None:
    """Make the lights dark when the other end of a pipe is closed without a goodbye, or is silent for too long.

    Args:
        pipe: where signs of life come.
        darken: makes the lights dark.
        lease_s: how long the program may be silent; None for as long as it likes.
    """
    while True:
        ready, _, _ = select.select([pipe], [], [], lease_s)
        if not ready:
            darken()
            select.select([pipe], [], [])
            continue
        words = os.read(pipe, 4096)
        if GOODBYE in words:
            return
        if not words:
            darken()
            return


def darken_strip(descriptor: int, dark: bytes) -> None:
    """Send a dark picture to a strip; a device that is gone is dark already."""
    with contextlib.suppress(OSError):
        os.write(descriptor, dark)


def darken_registers(factory: "Factory", data: int, clock: int, latch: int, registers: int) -> None:
    """Shift zeros into registers at these pins; only once the program that held them is gone."""
    from gpiozero import OutputDevice

    with (
        OutputDevice(data, pin_factory=factory),
        OutputDevice(clock, pin_factory=factory) as clock_line,
        OutputDevice(latch, pin_factory=factory) as latch_line,
    ):
        for line in (*[clock_line] * 8 * registers, latch_line):
            line.on()
            line.off()


def main(words: list[str]) -> None:
    """Wait by standard input for signs of life, as `Darkener` sends them.

    ``words`` are ``strip DESCRIPTOR PICTURE``, the dark picture as hexadecimal bytes, or ``registers DATA CLOCK LATCH
    REGISTERS``.
    """
    kind, *rest = words
    if kind == "strip":
        descriptor, dark = int(rest[0]), bytes.fromhex(rest[1])
        watch(sys.stdin.fileno(), lambda: darken_strip(descriptor, dark), LEASE_MS / 1000)
    else:
        library = library_for(board_model(), has_lgpio=find_spec("lgpio") is not None)
        data, clock, latch, registers = map(int, rest)
        darken = partial(darken_registers, data=data, clock=clock, latch=latch, registers=registers)
        watch(sys.stdin.fileno(), lambda: darken(pin_factory(library)), None)


if __name__ == "__main__":
    main(sys.argv[1:])
