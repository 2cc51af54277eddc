"""The simulated board as a process of its own, in real time, behind a pseudo terminal."""

import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from controller.simulation.electronics.chip import build


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table bears with a board whose time a busy machine holds up, and takes it for lost later."""
    for limit in ("GREETING_S", "SILENCE_S", "STUCK_S"):
        monkeypatch.setattr(f"controller.devices.link.link.{limit}", 60.0)


class Board:
    """A running board; `port` is what a serial port under /dev/serial/by-id would be."""

    def __init__(self, folder: Path, loader: str | None = None) -> None:
        """With a boot loader, `old` or `optiboot`, it is reset whenever its port is opened."""
        if loader is not None:
            build(f"loader_{loader}.bin")
        self._loader = [loader] if loader else []
        self.port = str(folder / "usb-board")
        self._folder = folder
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        control = str(self._folder / "control")
        self._process = subprocess.Popen(
            [
                str(build("boardsim")),
                str(build("pointsman.elf")),
                self.port,
                control,
                str(self._folder / "eeprom"),
                *self._loader,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self._control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._control.connect(control)

    def stop(self) -> None:
        """Ask it to end, keeping its EEPROM."""
        if self._process is not None and self._process.poll() is None:
            self.do("quit")
        self._forget()

    def kill(self) -> None:
        """As if the whole machine at the other end died; the port's name goes with it, as udev has it.

        One that stayed would lead to the next pseudo terminal that any test opens: the system gives its number again.
        """
        assert self._process is not None
        Path(self.port).unlink()
        self._process.kill()
        self._forget()

    def _forget(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def do(self, command: str) -> str:
        """Give a command; returns the answer."""
        assert self._control is not None
        self._control.sendall(command.encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            got = self._control.recv(4096)
            assert got, "the board has died"
            answer += got
        text = answer.decode().strip()
        assert not text.startswith("error"), text
        return text

    @property
    def now(self) -> float:
        """Seconds of the chip's own time; a busy machine may hold it up."""
        return float(self.do("state").split()[0])

    def wait(self, seconds: float) -> None:
        """Until so much of the chip's time has gone by."""
        end = self.now + seconds
        while self.now < end:
            time.sleep(0.002)

    def press(self, button: int) -> None:
        """Press a button and let go of it, each for long enough to be seen."""
        self.do(f"press {button}")
        self.wait(0.03)
        self.do(f"release {button}")
        self.wait(0.03)
