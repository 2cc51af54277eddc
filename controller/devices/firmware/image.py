"""The firmware of this version of the program, built beforehand: no compiler is needed where a board is."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.errors import UserError

IMAGES: Final = Path(__file__).parent / "images"
RELEASED: Final = "released.toml"
CHIP: Final = "atmega328p"
"""The chip of an Arduino Nano and an Arduino Uno; one image is for both."""
MEGA: Final = "atmega2560"
"""The chip of an Arduino Mega."""


class ImageError(UserError):
    """The released firmware is not what was released."""


@dataclass(frozen=True, slots=True)
class FirmwareImage:
    """A released firmware.

    Attributes:
        path: the file in Intel's HEX format.
        chip: what avrdude calls the chip that it is for.
        version: what the firmware says of itself in HELLO_OK.
        sha256: of the file, in hexadecimal.
        build: the checksum of its sources, which is built into it.
        compiler: what built it; the same builds it again to the bit.
    """

    path: Path
    chip: str
    version: str
    sha256: str
    build: int
    compiler: str


def released_images(folder: Path = IMAGES) -> dict[str, FirmwareImage]:
    """The firmware that came with this program, by the chips that it is for. Raises ImageError."""
    return {chip: released_image(chip, folder) for chip in (CHIP, MEGA)}


def released_image(chip: str = CHIP, folder: Path = IMAGES) -> FirmwareImage:
    """The firmware for a chip that came with this program, checked against its SHA-256. Raises ImageError."""
    try:
        told = tomllib.loads((folder / RELEASED).read_text(encoding="utf-8"))
        image = FirmwareImage(
            folder / told[chip]["file"],
            chip,
            told["version"],
            told[chip]["sha256"],
            told["build"],
            told["compiler"],
        )
        found = hashlib.sha256(image.path.read_bytes()).hexdigest()
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ImageError(
            f"The firmware in {folder} cannot be read ({error}); install Pointsman anew."
        ) from error
    if found != image.sha256:
        raise ImageError(
            f"{image.path} is not what was released (its SHA-256 differs); install Pointsman anew."
        )
    return image
