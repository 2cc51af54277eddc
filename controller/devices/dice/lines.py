"""Lines of dice units that come by other ways than a port: through a broker of MQTT, or on standard input."""

import errno
import os
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import unquote

from controller.devices.dice.textdice import ByteLine
from controller.devices.link.transport import OpeningAside
from controller.errors import UserError

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

STANDARD_INPUT: Final = "-"
ENDED: Final = "standard input has ended"
MQTT: Final = "mqtt://"
MQTT_PORT: Final = 1883
KEEP_ALIVE_S: Final = 5
"""A broker that says nothing for half as long again counts as gone."""
READ_BYTES: Final = 4096
MOST_HEARD: Final = 256
"""So many messages wait to be read at most; dice send a few for each roll."""
FLOOD: Final = "more comes under its topic than dice send"


class DiceAddressError(UserError):
    """An address of a dice unit that is none; the sentence says how one is written."""


def way_to(address: str) -> Callable[[], ByteLine] | None:
    """What opens the line of an address, None if it is that of a port. Raises DiceAddressError."""
    if address == STANDARD_INPUT:
        return InputLine().reopened
    if not address.startswith(MQTT):
        return None
    place = DiceTopic(address)
    return OpeningAside(lambda: TopicLine(place))


def without_login(address: str) -> str:
    """An address as anybody may read it."""
    if not address.startswith(MQTT):
        return address
    place, slash, topic = address.removeprefix(MQTT).partition("/")
    return f"{MQTT}{place.rpartition('@')[2]}{slash}{topic}"


class InputLine:
    """Standard input, as another program writes into it; see `ByteLine`."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._ended = False

    def reopened(self) -> Self:
        """The same once more. Raises OSError after its end: nothing can come any more."""
        if self._ended:
            raise OSError(errno.EPIPE, ENDED)
        return self

    def read(self, timeout_s: float) -> bytes:
        """See `ByteLine`."""
        try:
            descriptor = sys.stdin.fileno()
            ready, _, _ = select.select([descriptor], [], [], timeout_s)
            data = os.read(descriptor, READ_BYTES) if ready else None
        except (ValueError, AttributeError) as error:  # it is closed, or there is none
            raise OSError(errno.EBADF, str(error)) from error
        if data == b"":
            self._ended = True
            raise OSError(errno.EPIPE, ENDED)
        return data or b""

    def close(self) -> None:
        """It belongs to the program, and stays open."""


class DiceTopic:
    """A topic at a broker, written `mqtt://host:port/topic` or `mqtt://user:password@host/topic`.

    Attributes:
        host, port: where the broker is.
        user, password: what it is asked with; empty without.
        topic: what is subscribed to; it may have the wildcards of MQTT.
    """

    def __init__(self, address: str) -> None:
        """Raises DiceAddressError."""
        place, _, self.topic = address.removeprefix(MQTT).partition("/")
        login, _, where = place.rpartition("@")
        self.user, _, self.password = (unquote(part) for part in login.partition(":"))
        self.host, _, port = where.partition(":")
        wrong_port = port and not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65_536)
        if not self.host or not self.topic or wrong_port:
            raise DiceAddressError(
                f'The address of the dice, "{address}", is none; write it as mqtt://host:1883/topic.'
            )
        self.port = int(port or MQTT_PORT)


class TopicLine:
    """What is published under a topic, each message a line; see `ByteLine`.

    A message that the broker has kept from earlier is no roll of now and is left out, and so is one that is longer
    than any line of dice. Where more comes than can be read in time nothing of it is read: it would be told as rolls
    of now.
    """

    def __init__(self, place: DiceTopic) -> None:
        """Connects, which may take a while. Raises OSError."""
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._heard: SimpleQueue[bytes | OSError] = SimpleQueue()
        self._flooded = False
        # Whoever reads opens anew; a second one who does would take the line from the first.
        self._client: Client = Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        if place.user:
            self._client.username_pw_set(place.user, place.password)
        self._client.on_connect = lambda client, _, __, reason, ___: self._begin(
            client, place.topic, str(reason) if reason.is_failure else ""
        )
        self._client.on_disconnect = lambda *_: self._heard.put(
            OSError(errno.ECONNRESET, "the broker ended the connection")
        )
        self._client.on_message = lambda _, __, message: self._hear(message)
        self._client.connect(place.host, place.port, KEEP_ALIVE_S)
        self._client.loop_start()

    def read(self, timeout_s: float) -> bytes:
        """See `ByteLine`."""
        try:
            heard = self._heard.get(timeout=timeout_s) if timeout_s > 0 else self._heard.get_nowait()
        except Empty:
            return b""
        if isinstance(heard, OSError):
            raise heard
        return heard

    def close(self) -> None:
        """See `ByteLine`."""
        self._client.on_disconnect = None
        self._client.disconnect()
        # It waits for the client's thread, and whoever closes must not.
        threading.Thread(target=self._client.loop_stop, name="pointsman-mqtt-end", daemon=True).start()

    def _begin(self, client: "Client", topic: str, refused: str) -> None:
        if refused:
            self._heard.put(OSError(errno.EACCES, refused))
        else:
            client.subscribe(topic, qos=1)

    def _hear(self, message: "MQTTMessage") -> None:
        if message.retain or self._flooded or len(message.payload) > READ_BYTES:
            return
        if self._heard.qsize() < MOST_HEARD:
            self._heard.put(bytes(message.payload) + b"\n")
            return
        self._flooded = True
        with suppress(Empty):
            while True:
                self._heard.get_nowait()
        self._heard.put(OSError(errno.ENOBUFS, FLOOD))
