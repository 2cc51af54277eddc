"""Writes firmware onto the board's chip with avrdude, through the boot loader that the chip has."""

import errno
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import dropwhile
from pathlib import Path
from typing import Final

from controller.devices.firmware.image import CHIP, MEGA, FirmwareImage
from controller.devices.link.holders import holders
from controller.devices.link.transport import open_transport

AVRDUDE: Final = "avrdude"
PATIENCE_S: Final = 120.0
"""Writing and checking takes 5 s with Optiboot and 12 s with the old boot loader; this is for a port that hangs."""
LOADER_S: Final = 1.6
"""A boot loader is asked for this time: the old one waits for a second or two after a reset, Optiboot for one."""
ASK_S: Final = 0.1
GET_SYNC: Final = b"\x30\x20"
"""What a boot loader is asked, in STK500 version 1 (Atmel's note AVR061)."""
IN_SYNC: Final = b"\x14\x10"
"""What it answers."""
SIGN_ON: Final = b"\x1b\x01\x00\x01\x0e\x01\x14"
"""What that of a Mega is asked, in STK500 version 2 (AVR068): start, number, length, token, command, sum."""
SIGNED_ON: Final = b"\x0e\x01\x00"
"""What it answers holds this: token, command, status."""
TAIL: Final = 400
"""So much of what avrdude said last is told where nothing better is known."""


class Loader(StrEnum):
    """Which boot loader the board has."""

    AUTO = "auto"
    """Whichever answers."""
    OPTIBOOT = "optiboot"
    """That of newer Nanos and of every Uno."""
    OLD = "old"
    """ATmegaBOOT, on Nanos made before 2018 and on most clones."""
    MEGA = "mega"
    """That of the Arduino Mega, stk500v2."""


@dataclass(frozen=True, slots=True)
class LoaderKind:
    """How one boot loader is spoken with: its rate, what it is asked and answers, avrdude's name, and its chip."""

    baud: int
    asked: bytes
    answered: bytes
    programmer: str
    chip: str


LOADERS: Final = {
    Loader.OPTIBOOT: LoaderKind(115_200, GET_SYNC, IN_SYNC, "arduino", CHIP),
    Loader.OLD: LoaderKind(57_600, GET_SYNC, IN_SYNC, "arduino", CHIP),
    Loader.MEGA: LoaderKind(115_200, SIGN_ON, SIGNED_ON, "wiring", MEGA),
}
"""In the order in which they are looked for. The rates are those that boot loaders of 16 MHz boards are built for."""


@dataclass(frozen=True, slots=True)
class Flashed:
    """What was written, and the boot loader that took it."""

    loader: Loader
    image: FirmwareImage


class FlashStep(StrEnum):
    """What is being done."""

    SEEKING = "seeking"
    WRITING = "writing"
    CHECKING = "checking"


class FlashFault(StrEnum):
    """Why the firmware could not be written."""

    NO_AVRDUDE = "no_avrdude"
    ABSENT = "absent"
    IN_USE = "in_use"
    DENIED = "denied"
    SILENT = "silent"
    """No boot loader answered."""
    OTHER_CHIP = "other_chip"
    BROKEN = "broken"
    """It began, and was not finished; the boot loader is still there."""


class FlashError(Exception):
    """The firmware was not written.

    Attributes:
        fault: why.
        about: what the sentence needs: who has the port, which signature was read, or what avrdude said.
    """

    def __init__(self, fault: FlashFault, about: str = "") -> None:
        super().__init__(fault.value)
        self.fault, self.about = fault, about


@dataclass(frozen=True, slots=True)
class FlashProgress:
    """How far it is: the step, and how much of that is done, 0 to 1."""

    step: FlashStep
    done: float = 0.0


TellProgress = Callable[[FlashProgress], None]

_STEPS: Final = {"Writing": FlashStep.WRITING, "Reading": FlashStep.CHECKING}
_BAR: Final = re.compile(r"(Writing|Reading) \| (#*)")
_BAR_LENGTH: Final = 50
_SIGNATURE: Final = re.compile(r"[Dd]evice signature = (?:0x)?([0-9a-fA-F ]+)")


def flash(
    port: str,
    images: Mapping[str, FirmwareImage],
    tell: TellProgress,
    *,
    loader: Loader = Loader.AUTO,
    program: str = AVRDUDE,
) -> Flashed:
    """Write the image for the chip at a serial port and read it back; the boot loader tells which chip it is.

    The settings in the chip's EEPROM stay. Raises FlashError.
    """
    _require_usable(port, program)
    tell(FlashProgress(FlashStep.SEEKING))
    found = find_loader(port) if loader is Loader.AUTO else loader
    if found is None:
        raise FlashError(FlashFault.SILENT)
    image = images[LOADERS[found].chip]
    _run(_command(program, port, image, found), tell)
    tell(FlashProgress(FlashStep.CHECKING, 1.0))
    return Flashed(found, image)


def find_loader(port: str) -> Loader | None:
    """Which boot loader answers at a serial port, whose opening resets the board; None if none does.

    avrdude would find that out, too, but takes a minute to give up at the wrong rate. Raises FlashError.
    """
    return next((loader for loader, kind in LOADERS.items() if _answers(port, kind)), None)


def _answers(port: str, kind: LoaderKind) -> bool:
    try:
        line = open_transport(port, kind.baud)
    except OSError as error:
        raise FlashError(FlashFault.DENIED if error.errno == errno.EACCES else FlashFault.ABSENT) from error
    try:
        heard, asked, end = b"", 0, time.monotonic() + LOADER_S
        # Every answer is waited for: none is left on the line for avrdude to take for one of its own.
        while not asked or (heard.count(kind.answered) < asked and time.monotonic() < end):
            if kind.answered not in heard:
                line.write(kind.asked)
                asked += 1
            heard += line.read(ASK_S)
    except OSError as error:
        raise FlashError(FlashFault.ABSENT) from error
    finally:
        line.close()
    return kind.answered in heard


def _require_usable(port: str, program: str) -> None:
    if shutil.which(program) is None:
        raise FlashError(FlashFault.NO_AVRDUDE)
    if not Path(port).exists():
        raise FlashError(FlashFault.ABSENT)
    if busy := holders(Path(port)):
        raise FlashError(FlashFault.IN_USE, str(busy[0]))


def _command(program: str, port: str, image: FirmwareImage, loader: Loader) -> Sequence[str]:
    """`-D`: boot loaders erase page by page, and old ones cannot erase a chip."""
    kind = LOADERS[loader]
    return (
        *(program, "-p", image.chip, "-c", kind.programmer, "-P", port, "-b", str(kind.baud), "-D"),
        *("-U", f"flash:w:{image.path}:i"),
    )


def _run(command: Sequence[str], tell: TellProgress) -> None:
    """Let avrdude do it. Raises FlashError."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as run:
        assert run.stderr is not None
        limit = threading.Timer(PATIENCE_S, run.kill)
        limit.start()
        said, known = "", 0
        for said in _growing(run.stderr.fileno()):
            progress = _progress(said)
            # Where much comes at once, a bar that was begun may have ended, and the next one begun.
            for each in progress[max(0, known - 1) :]:
                tell(each)
            known = len(progress)
        limit.cancel()
    if run.returncode:
        raise _fault(said)


def _growing(descriptor: int) -> Iterator[str]:
    """All that was said so far, whenever there is more."""
    said = b""
    while more := os.read(descriptor, 4096):
        said += more
        yield said.decode(errors="replace")


def _progress(said: str) -> list[FlashProgress]:
    """How far each bar has come that was drawn so far."""
    # The signature is read before anything is written, and shown by a bar as well.
    bars = dropwhile(lambda each: each[0] != "Writing", _BAR.findall(said))
    return [FlashProgress(_STEPS[name], min(1.0, len(bar) / _BAR_LENGTH)) for name, bar in bars]


def _fault(said: str) -> FlashError:
    """What went wrong, by what avrdude 6, 7 and 8 say."""
    text = said.lower()
    if "permission denied" in text:
        return FlashError(FlashFault.DENIED)
    if "writing |" in text:
        return FlashError(FlashFault.BROKEN, said.strip()[-TAIL:])
    if "expected signature" in text or "invalid device signature" in text:
        found = _SIGNATURE.search(said)
        return FlashError(FlashFault.OTHER_CHIP, found[1].strip() if found else "?")
    if "sync" in text or "not responding" in text or "protocol error" in text or "programmer is not" in text:
        return FlashError(FlashFault.SILENT)
    return FlashError(FlashFault.BROKEN, said.strip()[-TAIL:])
