"""The cable to a simulated board: its chip at work in real time, behind a socket that a real link opens."""

import select
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.simulation.electronics.microcontroller import PRESS_S, Microcontroller

STEP_S: Final = 0.005
"""How often the line is looked at."""
LATE_S: Final = 0.1
"""A chip that falls further behind than this, because the machine is busy, does not catch up."""
SEND_S: Final = 0.3
READ_BYTES: Final = 4096

SocketLine = socket.socket


class Cable:
    """A chip, run by a thread of its own from `start` to `close`; the other methods are for any thread.

    Attributes:
        port: the line, as `board.port` in the configuration names it.
        strip: the picture on the strip a moment ago: green, red, blue for each lamp.
    """

    def __init__(self, chip: Microcontroller, clock: Callable[[], float] = time.monotonic) -> None:
        """``chip`` belongs to the cable from now on; ``clock`` tells monotonic seconds."""
        self._chip, self._clock = chip, clock
        self._folder = tempfile.TemporaryDirectory(prefix="pointsman-")
        self._path = Path(self._folder.name) / "board"
        self.port = f"unix:{self._path}"
        self.strip = b""
        self._ahead = 0.0
        self._plugged = True
        self._presses: deque[int] = deque()
        self._contacts: list[tuple[float, int, bool]] = []
        self._listener: SocketLine | None = None
        self._line: SocketLine | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pointsman-chip", daemon=True)

    def start(self) -> None:
        """Give the chip its power."""
        self._open_listener()
        self._thread.start()

    def close(self) -> None:
        """Take its power away; calling it again does nothing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._shut()
        self._chip.close()
        self._folder.cleanup()

    def press(self, button: int) -> None:
        """A finger presses a button."""
        self._presses.append(button)

    def pull(self) -> None:
        """The cable comes off; the chip goes on."""
        self._plugged = False

    def plug(self) -> None:
        """The cable is put back."""
        self._plugged = True

    def _work(self) -> None:
        self._ahead = self._chip.now - self._clock()
        while not self._stop.is_set():
            self._follow_plug()
            self._listen()
            self._touch()
            self._run()
            self._talk()
            self.strip = self._chip.strip

    def _follow_plug(self) -> None:
        if self._plugged and self._listener is None:
            self._open_listener()
        elif not self._plugged and self._listener is not None:
            self._shut()
            self._chip.unplug()

    def _listen(self) -> None:
        """What the program sends, as long as something comes within a step."""
        end = self._line or self._listener
        if end is None:
            self._stop.wait(STEP_S)
            return
        if not select.select([end], [], [], STEP_S)[0]:
            return
        if self._line is None:
            self._line, _ = end.accept()
            self._line.settimeout(SEND_S)
            return
        try:
            data = self._line.recv(READ_BYTES)
        except OSError:
            data = b""
        if data:
            self._chip.send(data)
        else:
            self._hang_up()

    def _touch(self) -> None:
        now = self._chip.now
        while self._presses:
            button = self._presses.popleft()
            self._contacts += [(now, button, True), (now + PRESS_S, button, False)]

    def _run(self) -> None:
        """Let the chip come to the present, its buttons pressed on the way."""
        due = self._clock() + self._ahead
        if due - self._chip.now > LATE_S:
            self._ahead -= due - self._chip.now - LATE_S
            due = self._chip.now + LATE_S
        self._contacts.sort()
        while self._contacts and self._contacts[0][0] <= due:
            at, button, closed = self._contacts.pop(0)
            self._chip.run_until(max(at, self._chip.now))
            self._chip.contact(button, closed)
        self._chip.run_until(due)

    def _talk(self) -> None:
        data = self._chip.read_output()
        if not data or self._line is None:
            return
        try:
            self._line.sendall(data)
        except OSError:
            self._hang_up()

    def _open_listener(self) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(self._path))
        self._listener.listen(1)

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def _shut(self) -> None:
        self._hang_up()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self._path.unlink(missing_ok=True)
