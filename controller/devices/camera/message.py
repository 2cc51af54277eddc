"""What a program and the process that drives its camera write to each other: one JSON object in each message."""

import json
import socket
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import Size, StillWish

LARGEST: Final = 1 << 16
"""Bytes of a message. Names of sources and what drivers say about errors are much shorter."""
TAKEN: Final = b"taken"
"""The program has taken the picture out of the memory that both share; the next one may be put there."""


@dataclass(frozen=True, slots=True)
class PictureNews:
    """A picture lies in the shared memory: its size in pixels, and what it is from.

    Attributes:
        width, height: its size.
        name, origin, lens_position: what it is from.
        still_size: the size of that source's stills; None where it has none.
        still: the wish that a still answers; None where there is none.
        still_shown: the size of that picture, which lies behind the other one; None where none could be taken.
    """

    width: int
    height: int
    name: str
    origin: PictureOrigin
    lens_position: float | None
    still_size: Size | None = None
    still: StillWish | None = None
    still_shown: Size | None = None


def encode_wishes(wishes: Sequence[Wish]) -> bytes:
    """That the first of these is to be opened that can be."""
    return json.dumps([asdict(wish) for wish in wishes]).encode()


def decode_wishes(message: bytes) -> list[Wish]:
    """The wishes of a message."""
    return [_wish(entry) for entry in json.loads(message)]


def encode_still(wish: StillWish) -> bytes:
    """That a still is wanted."""
    return json.dumps({"still": asdict(wish)}).encode()


def decode_still(message: bytes) -> StillWish | None:
    """The still that a message asks for; None where it says something else."""
    if message == TAKEN:
        return None
    told = json.loads(message)
    return StillWish(**told["still"]) if isinstance(told, dict) else None


def encode_news(news: PictureNews) -> bytes:
    """That a picture has come."""
    return json.dumps(asdict(news)).encode()


def encode_error(error: SourceError) -> bytes:
    """That nothing could be opened, or that the source broke."""
    status = error.status
    arguments = {name: value[:1000] for name, value in status.arguments.items()}
    return json.dumps({"code": status.code, "source": status.source, "arguments": arguments}).encode()


def decode_news(message: bytes) -> PictureNews:
    """The picture that a message tells of. Raises the SourceError that it tells of instead."""
    told: dict[str, Any] = json.loads(message)
    if "code" in told:
        raise SourceError(CameraCode(told["code"]), told["source"], **told["arguments"])
    asked = told["still"]
    return PictureNews(
        **{
            **told,
            "origin": PictureOrigin(told["origin"]),
            "still": None if asked is None else StillWish(**asked),
            "still_size": _size(told["still_size"]),
            "still_shown": _size(told["still_shown"]),
        }
    )


def receive(channel: socket.socket, flags: int = 0) -> bytes:
    """The next message; empty when the other side is gone. Raises BlockingIOError where none is there yet."""
    try:
        return channel.recv(LARGEST, flags)
    except ConnectionError:
        return b""


def _wish(entry: dict[str, Any]) -> Wish:
    return Wish(**{**entry, "size": _size(entry["size"])})


def _size(told: list[int] | None) -> Size | None:
    return None if told is None else (told[0], told[1])
