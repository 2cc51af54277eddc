"""Keyboards and switches without a kernel that has them: pipes with the bytes of Linux's `struct input_event`.

The library evdev reads them as it reads devices; only what it asks a device by ioctl is answered here. A kernel with
`/dev/uinput` could do all of it, but the machines that run the tests seldom have one.
"""

import errno
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from evdev import _input, ecodes

EVENT: Final = struct.Struct("llHHi")
USB: Final = 3
LETTERS: Final = ("KEY_A", "KEY_B", "KEY_LEFTCTRL", "KEY_PAGEDOWN", "KEY_PAGEUP")


@dataclass
class Device:
    """One device, as long as it is plugged in."""

    path: Path
    about: tuple[int, int, int, int, str, str, str]
    keys: list[int]
    line: int = -1
    holders: set[int] = field(default_factory=set)

    def down(self, key: str) -> None:
        self._say((ecodes.EV_MSC, ecodes.MSC_SCAN, 0x70005), (ecodes.EV_KEY, self._code(key), 1))

    def hold(self, key: str, repeats: int = 30) -> None:
        for _ in range(repeats):
            self._say((ecodes.EV_KEY, self._code(key), 2))

    def up(self, key: str) -> None:
        self._say((ecodes.EV_KEY, self._code(key), 0))

    def press(self, key: str) -> None:
        self.down(key)
        self.up(key)

    def _code(self, key: str) -> int:
        return int(ecodes.ecodes[key])

    def _say(self, *events: tuple[int, int, int]) -> None:
        for kind, code, value in (*events, (ecodes.EV_SYN, ecodes.SYN_REPORT, 0)):
            os.write(self.line, EVENT.pack(0, 0, kind, code, value))


class InputFolder:
    """The folder that stands for `/dev/input`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._devices: dict[Path, Device] = {}
        self._nodes: dict[int, Device] = {}
        asked = SimpleNamespace(
            ioctl_devinfo=lambda fd: self._of(fd).about,
            ioctl_EVIOCGVERSION=lambda _: 0x10001,
            ioctl_capabilities=lambda fd: {ecodes.EV_SYN: [0, 1], ecodes.EV_KEY: self._of(fd).keys},
            ioctl_EVIOCGEFFECTS=lambda _: 0,
            ioctl_EVIOCGRAB=self._grab,
            device_read_many=self._read,
        )
        monkeypatch.setattr("controller.devices.keys.inputs.FOLDER", folder)
        monkeypatch.setattr("evdev.device._input", asked)
        monkeypatch.setattr("evdev.eventio._input", asked)

    def plug(
        self,
        name: str = "Foot Switch",
        maker: tuple[int, int] = (0x0C45, 0x7403),
        *,
        number: int = 0,
        port: str = "usb-1",
        keys: tuple[str, ...] = LETTERS,
    ) -> Device:
        path = self.folder / f"event{number}"
        os.mkfifo(path)
        about = (USB, *maker, 1, name, f"{port}/input0", "")
        device = Device(path, about, [int(ecodes.ecodes[key]) for key in keys])
        device.line = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._devices[path] = self._nodes[path.stat().st_ino] = device
        return device

    def pull(self, device: Device) -> None:
        """What is not read yet is lost, and who reads is told that there is no such device."""
        del self._devices[device.path]
        device.path.unlink()

    def close(self) -> None:
        for device in self._nodes.values():
            os.close(device.line)

    def _of(self, fd: int) -> Device:
        return self._nodes[os.fstat(fd).st_ino]

    def _is_there(self, device: Device) -> bool:
        return self._devices.get(device.path) is device

    def _grab(self, fd: int, how: int) -> None:
        if how and self._of(fd).holders:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self._of(fd).holders = {fd} if how else set()

    def _read(self, fd: int) -> tuple[tuple[int, int, int, int, int], ...]:
        if not self._is_there(self._of(fd)):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        events: tuple[tuple[int, int, int, int, int], ...] = _input.device_read_many(fd)
        return events
