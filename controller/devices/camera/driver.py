"""The process that drives a camera: `python -m controller.devices.camera.driver CHANNEL MEMORY`.

Drivers hang for ever when a cable is pulled, in code that no thread can leave. A process can be killed, and the
system then takes back whatever it held. CHANNEL is the number of an open socket that keeps messages apart, MEMORY
that of an open file in memory where each picture is put.
"""

import os
import select
import signal
import socket
import sys
import threading
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, Open
from controller.devices.camera.feed import FAREWELL_S, collected_from, fault_of, open_first, still_size_of
from controller.devices.camera.message import (
    TAKEN,
    PictureNews,
    decode_still,
    decode_wishes,
    encode_error,
    encode_news,
    receive,
)
from controller.devices.camera.sources import open_source
from controller.devices.camera.stills import StillSource, StillTaken

FAILED: Final = 1


@dataclass(frozen=True)
class Driver:
    """Serves sources to the program at the other end of the channel.

    Attributes:
        channel: keeps messages apart; when the program lets go of it, or dies, this process ends.
        memory: the descriptor of the file that pictures are put into.
        open_it: opens what a wish names.
        ending: set when there is nobody left to serve.
    """

    channel: socket.socket
    memory: int
    open_it: Open
    ending: threading.Event

    def serve(self) -> None:
        """Open what is asked for, give its pictures until that breaks, until nobody asks any more."""
        while message := receive(self.channel):
            # What is still to be said to a source that broke meanwhile.
            if message == TAKEN or decode_still(message) is not None:
                continue
            wishes = decode_wishes(message)
            try:
                source = open_first(wishes, self.open_it)
            except Exception as error:  # noqa: BLE001 - `fault_of` logs it
                self._tell(encode_error(fault_of(error, wishes[0].source)))
            else:
                self._serve_source(source)

    def _serve_source(self, source: FrameSource) -> None:
        try:
            self._give_pictures(source)
        except Exception as error:  # noqa: BLE001 - `fault_of` logs it
            self._tell(encode_error(fault_of(error, source.name)))
        finally:
            source.close()

    def _give_pictures(self, source: FrameSource) -> None:
        free, still = True, None
        while not self.ending.is_set():
            picture = source.grab()
            still = collected_from(source) or still
            free = self._hear(source) or free
            if free:  # else the program is busy, and gets the next one
                self._give(picture, source, still)
                free, still = False, None

    def _give(self, picture: Picture, source: FrameSource, still: StillTaken | None) -> None:
        """Put a picture into the memory, and a still behind it, and tell of them."""
        height, width = picture.shape[:2]
        news = PictureNews(
            width, height, source.name, source.origin, source.lens_position, still_size=still_size_of(source)
        )
        os.pwrite(self.memory, np.ascontiguousarray(picture).data, 0)
        if still is not None:
            news = replace(news, still=still.wish)
            if still.picture is not None:
                os.pwrite(self.memory, np.ascontiguousarray(still.picture).data, picture.nbytes)
                news = replace(news, still_shown=(still.picture.shape[1], still.picture.shape[0]))
        self._tell(encode_news(news))

    def _hear(self, source: FrameSource) -> bool:
        """Hear all that the program has said: whether it has taken the picture. What it wishes is passed on."""
        taken = False
        while message := self._waiting():
            taken = taken or message == TAKEN
            wish = decode_still(message)
            if wish is not None and isinstance(source, StillSource):
                source.ask_still(wish)
        return taken

    def _waiting(self) -> bytes:
        try:
            return receive(self.channel, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return b""

    def _tell(self, message: bytes) -> None:
        try:
            self.channel.sendall(message)
        except ConnectionError:
            self.ending.set()


def watch_over(channel: socket.socket, ending: threading.Event) -> None:
    """End this process soon after the other end of the channel is gone, even if the driver hangs by then."""
    hung_up = select.poll()
    hung_up.register(channel, 0)
    hung_up.poll()
    ending.set()
    threading.Event().wait(FAREWELL_S)
    os._exit(FAILED)


def drive(open_it: Open, arguments: list[str]) -> None:
    """Be the process that drives a camera, opening it in this way."""
    # Ctrl-C and the end of a service reach this process, too; it ends when the program lets go of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    channel, memory = socket.socket(fileno=int(arguments[0])), int(arguments[1])
    ending = threading.Event()
    threading.Thread(target=watch_over, args=(channel, ending), daemon=True).start()
    Driver(channel, memory, open_it, ending).serve()


if __name__ == "__main__":
    drive(open_source, sys.argv[1:])
