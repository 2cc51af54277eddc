"""The pages of a room: their keys are kept, their server is started, their address is told."""

import json
import os
import secrets
import socket
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from controller.app.room import Room
from controller.config.sections import WebSection
from controller.errors import UserError
from controller.messages.device_words import program_words
from controller.messages.table_words import side_words
from controller.rules import Side
from controller.web.house import News
from controller.web.port import listen
from controller.web.settings import LOCAL, WebSettings

if TYPE_CHECKING:
    from controller.web.server.thread import WebServer

KEYS: Final = ".pointsman-keys.json"
"""The file beside the configuration that holds what logins are made with."""
EVERYWHERE: Final = "0.0.0.0"
QUIET_ZONE: Final = 1
_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of nobody (RFC 5737): to ask which of the machine's own addresses would be used; nothing is sent."""


class KeysError(UserError):
    """The keys of the pages cannot be kept."""


@dataclass(frozen=True, slots=True)
class PageKeys:
    """What logins are made with, so that they hold over a restart.

    Attributes:
        path: the file that holds it, readable by its owner alone.
        secret: signs cookies, and makes the players' PINs.
        director_hash: argon2id of the director's PIN; empty before one was set.
    """

    path: Path
    secret: bytes
    director_hash: str = ""

    @classmethod
    def load(cls, path: Path) -> Self:
        """The keys in a file; new ones where there is none, or none that can be read.

        Raises:
            KeysError: if new ones cannot be kept.
        """
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, bytes.fromhex(told["secret"]), str(told["director"]))
        except (OSError, ValueError, KeyError, TypeError):
            keys = cls(path, secrets.token_bytes(32))
            keys.save()
            return keys

    def save(self) -> None:
        """Write the file whole, for its owner alone. Raises KeysError."""
        part = self.path.with_name(f"{self.path.name}.part")
        text = json.dumps({"secret": self.secret.hex(), "director": self.director_hash})
        try:
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            part.replace(self.path)
        except OSError as error:
            raise KeysError(
                f"{self.path} cannot be written ({error.strerror}); the pages need it for logins. Make its folder "
                "writable, or set web.use = false."
            ) from None

    def keep_director(self, hash_: str) -> None:
        """The director has chosen a PIN."""
        replace(self, director_hash=hash_).save()


class RoomPages:
    """The pages of a room: their port is taken at once, they are loaded and served when they are opened.

    Whoever comes before is answered then. Where phones may open them, the players' PINs are written for each match.

    Attributes:
        port: at which they are.
    """

    def __init__(self, room: Room, section: WebSection) -> None:
        """Take the port.

        Raises:
            UserError: if the port is taken, or the keys cannot be kept.
        """
        self._room, self._section = room, section
        self._keys = PageKeys.load(room.config.folder / KEYS)
        self._host = EVERYWHERE if section.open else LOCAL
        self._listening = listen(self._host, section.port)
        self.port: int = self._listening.getsockname()[1]
        self._turn = threading.Lock()
        self._closed = False
        self._server: WebServer | None = None
        if section.open:
            room.hear(PinLines(room, self._keys.secret).hear)

    def open(self) -> None:
        """Load and serve them, once, from any thread; nothing where they were closed before.

        Raises:
            UserError: if they cannot be served.
        """
        # Whoever asks for no pages, or not yet, does not wait for the web server's modules.
        from controller.app.set_up import RoomSetUp
        from controller.web.server.thread import serve

        section, keys = self._section, self._keys
        settings = WebSettings(
            host=self._host,
            port=section.port,
            language=self._room.config.table.languages[0],
            names=section.names,
            reached_at=_reached_at(section),
            director_hash=keys.director_hash,
            keep_hash=keys.keep_director,
            delay_s=section.delay_s,
            secret=keys.secret,
        )
        with self._turn:
            if not self._closed:
                self._server = serve(self._room, settings, RoomSetUp(self._room), self._listening)

    def close(self) -> None:
        """Send everybody away and stop listening."""
        with self._turn:
            self._closed = True
            if self._server is None:
                self._listening.close()
            else:
                self._server.close()

    def __enter__(self) -> Self:
        """The pages."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them."""
        self.close()


def open_pages(room: Room, section: WebSection) -> RoomPages:
    """Offer the pages of a room at once. Raises ``UserError`` as `RoomPages` does."""
    pages = RoomPages(room, section)
    try:
        pages.open()
    except BaseException:
        pages.close()
        raise
    return pages


class PinLines:
    """Writes the players' PINs into the terminal when a match begins, and nowhere else."""

    def __init__(self, room: Room, secret: bytes) -> None:
        """``secret`` is what the PINs are made with."""
        self._room, self._secret, self._match = room, secret, ""

    def hear(self, news: News) -> None:
        """Something happened at the table."""
        match = news.view.match
        if match is None or match.id == self._match:
            return
        from controller.web.server.access import player_pin

        self._match, names = match.id, match.names
        pins = {f"{side}_pin": player_pin(self._secret, match.id, side) for side in Side}
        for language in self._room.config.table.languages:
            called = {str(side): side_words(side, language, names) for side in Side}
            self._room.screen.say(program_words("pins", **pins, **called)(language))


def page_addresses(port: int, section: WebSection) -> tuple[str, ...]:
    """The addresses of the pages: this machine's own first, then the one for others if they may open them."""
    addresses = [f"http://127.0.0.1:{port}/"]
    if section.open:
        addresses += [f"http://{name}:{port}/" for name in _own_names(section)]
        host = _own_address()
        if host is not None:
            addresses.append(f"http://{host}:{port}/")
    return tuple(addresses)


def _own_names(section: WebSection) -> tuple[str, ...]:
    return section.names or (f"{socket.gethostname()}.local",)


def _reached_at(section: WebSection) -> str:
    """By what phones reach this machine: an address, because not every phone finds names; empty if they may not."""
    return (_own_address() or _own_names(section)[0]) if section.open else ""


def square_code(address: str) -> str:
    """An address as a QR code for a terminal, two modules to a letter."""
    import segno

    lines = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=QUIET_ZONE)]
    if len(lines) % 2:
        lines.append([0] * len(lines[0]))
    return "\n".join(
        "".join(_BLOCKS[upper > 0, lower > 0] for upper, lower in zip(above, below, strict=True))
        for above, below in zip(lines[::2], lines[1::2], strict=True)
    )


_BLOCKS: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def _own_address() -> str | None:
    """The address by which others in the network reach this machine, None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
            host = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if host.startswith("127.") else host
