"""The pages of a room: keeps their keys, starts their server, shows their address."""

import logging
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.app.fitting.keeping import Keeping
from controller.app.fitting.welcoming import welcome_desk
from controller.app.room import Room
from controller.closing import Closeable
from controller.config.sections import WebSection
from controller.devices.multicast import Announcement, Service
from controller.errors import UserError
from controller.messages.device_words import program_words
from controller.messages.table_words import side_words
from controller.partner.remote.admission import PartnerAdmission, Reached
from controller.rules import Side
from controller.web.keys import PageKeys
from controller.web.phone.desk import PhoneDesk
from controller.web.port import listen, own_address
from controller.web.settings import LOCAL, WebSettings
from controller.web.table_service import News
from controller.web.welcome.desk import Admission

if TYPE_CHECKING:
    from controller.web.server.thread import WebServer
    from controller.web.wire.certificates import Certificates

_LOGGER: Final = logging.getLogger(__name__)

KEYS: Final = ".pointsman-keys.json"
"""The file beside the configuration that holds what logins are made with."""
TLS: Final = ".pointsman-tls"
"""The folder beside it with the table's own authority and its certificate."""
PHONE_KEY: Final = ".pointsman-phone"
"""The file beside it that tells the phone which is the camera."""
USUAL_NAME: Final = "pointsman.local"
"""By this name a table is found, whatever its machine is called."""
TABLES: Final = "_pointsman-table._tcp.local."
"""What a table is called in the network."""
EVERYWHERE: Final = "0.0.0.0"
QUIET_ZONE: Final = 1


class RoomPages(Closeable):
    """The pages of a room: their port is taken at once, they are loaded and served when they are opened.

    Whoever comes before is answered then. Where phones may open them, the players' PINs are written for each match.

    Attributes:
        port: at which they are.
        phone: which phone may be the camera.
        welcome: who may come from the network; None for a table that is never set up by phone.
    """

    def __init__(self, room: Room, section: WebSection, file: Path | None = None) -> None:
        """Take the port.

        Args:
            room: the table.
            section: how the pages are offered.
            file: the configuration, where what is chosen on the pages is kept; it need not be there. None for a table
                that is never set up by phone, such as a simulated one.

        Raises:
            UserError: if the port is taken, or the keys cannot be kept.
        """
        self._room, self._section = room, section
        self._keys = PageKeys.load(room.config.folder / KEYS)
        if self._keys.aside is not None:
            room.tell(program_words("keys_unreadable", file=self._keys.path, aside=self._keys.aside))
        self._keeping = Keeping(room, file, self.let_in)
        self.welcome = None if file is None else welcome_desk(room, self._keeping)
        self._host = EVERYWHERE if self._admission() is not Admission.CLOSED else LOCAL
        self._listening = listen(self._host, section.port)
        self.port: int = self._listening.getsockname()[1]
        self.phone = _phone_desk(room)
        room.admission = PartnerAdmission()
        self._turn = threading.Lock()
        self._closed = False
        self._server: WebServer | None = None
        self._shown: Certificates | None = None
        self._announcement: Announcement | None = None
        room.subscribe(PinLines(room, self._keys.secret, self._is_open).on_news)

    def open(self) -> None:
        """Load and serve them, once, from any thread; nothing where they were closed before.

        Raises:
            UserError: if they cannot be served.
        """
        # Whoever asks for no pages, or not yet, does not wait for the web server's modules.
        from controller.app.set_up import RoomSetUp
        from controller.web.server.application import serve

        section, keys = self._section, self._keys
        hub_key, club_table = self._club()
        if section.open or self.welcome:
            self._shown = self._certificates()
        self._tell_where()
        settings = WebSettings(
            host=self._host,
            port=section.port,
            language=self._room.config.table.languages[0],
            names=(*section.names, USUAL_NAME, *self._names_afar()),
            reached_at=self._reached_at,
            director_hash=keys.director_hash,
            keep_hash=keys.keep_director,
            find_hash=keys.kept_hash,
            delay_s=section.delay_s,
            topics=self._room.config.speech.topics,
            hub_key=hub_key,
            club_table=club_table,
            partner=self._room.admission,
            welcome=self.welcome,
            phone=self.phone,
            certificates=self._shown,
            secret=keys.secret,
        )
        with self._turn:
            if not self._closed:
                setup = RoomSetUp(self._room, self._keeping)
                self._server = serve(self._room, settings, setup, self._listening)
                self._announce()

    def let_in(self, everybody: bool) -> None:
        """Others may come in from now on, or no longer; whoever is here stays until they ask for something."""
        if self.welcome is None:
            return
        self.welcome.opened = everybody
        host = EVERYWHERE if everybody else LOCAL
        with self._turn:
            if self._server is not None and host != self._host:
                self._server.listen_at(host)
                self._host = host
                self._announce()
                self._tell_where()

    def new_code(self) -> str:
        """Where a phone may set up a new table, with the code for it; empty where no phone may, or none can."""
        if self.welcome is None:
            return ""
        if self._admission() is not Admission.NEW:
            self.welcome.code.end()
            return ""
        host = own_address()
        return "" if host is None else welcome_address(host, self.port, self.welcome.code.renew())

    def _admission(self) -> Admission:
        if self.welcome is None:
            return Admission.OPEN if self._section.open else Admission.CLOSED
        return self.welcome.admission(has_director=bool(self._keys.kept_hash()))

    def _is_open(self) -> bool:
        """Whether everybody may come; asked at every change of the table, so without looking into a file."""
        return bool(self._section.open if self.welcome is None else self.welcome.opened)

    def _reached_at(self) -> str:
        """By what phones reach this machine: an address, as not every phone finds names; empty if they may not."""
        if self._admission() is Admission.CLOSED:
            return ""
        return own_address() or _own_names(self._section)[0]

    def _announce(self) -> None:
        """Tell the network where the table is, or no longer; the simulated one tells nobody."""
        if self._announcement is not None:
            self._announcement.close()
            self._announcement = None
        host = own_address()
        if self.welcome is not None and self._host == EVERYWHERE and host is not None:
            self._announcement = Announcement(table_service(host, self.port), _LOGGER.info)

    def authority(self) -> str:
        """The certificate of who vouches for the pages to others, PEM; empty where nobody else may open them.

        Raises:
            UserError: if it cannot be kept.
        """
        return self._certificates().authority.pem if self._is_open() else ""

    def _certificates(self) -> "Certificates":
        """What the pages show to browsers elsewhere: by an authority of the table's own, which phones may install."""
        from controller.web.wire.authority import OwnAuthority
        from controller.web.wire.certificates import Certificates, utc_now

        folder, names = self._room.config.folder / TLS, _all_names(self._section)
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise UserError(
                f"{folder} cannot be made ({error.strerror}); phones need it for https. Make its folder writable, or "
                "set web.open = false."
            ) from None
        authority = OwnAuthority.make(folder, f"Pointsman table {socket.gethostname()}", utc_now(), names)
        return Certificates(authority, folder, (*names, *_addresses()))

    def _tell_where(self) -> None:
        """Say how another table reaches this one."""
        config, admission = self._room.config, self._room.admission
        host, port = config.seats.reached_at() or (self._reached_at() or LOCAL, self.port)
        if admission is not None:
            admission.reached = Reached(host, port, b"" if self._shown is None else self._shown.authority.der)

    def _names_afar(self) -> tuple[str, ...]:
        """The name by which other tables reach this one from another network."""
        afar = self._room.config.seats.reached_at()
        return () if afar is None else (afar[0],)

    def _club(self) -> tuple[str, str]:
        """The key of the club's hub and the table's address in the club; empty where it belongs to none."""
        try:
            member = self._room.config.membership()
        except UserError:  # whoever joins the club tells it
            member = None
        return (
            ("", "") if member is None else (member.hub_key, f"{member.address.club}/{member.address.table}")
        )

    def close(self) -> None:
        """Send everybody away and stop listening."""
        with self._turn:
            self._closed = True
            if self._announcement is not None:
                self._announcement.close()
            if self._server is None:
                self._listening.close()
            else:
                self._server.close()


def open_pages(room: Room, section: WebSection, file: Path | None = None) -> RoomPages:
    """Offer the pages of a room at once. Raises ``UserError`` as `RoomPages` does."""
    pages = RoomPages(room, section, file)
    try:
        pages.open()
    except BaseException:
        pages.close()
        raise
    return pages


class PinLines:
    """Writes the players' PINs into the terminal when a match begins, and nowhere else."""

    def __init__(self, room: Room, secret: bytes, is_open: Callable[[], bool]) -> None:
        """``secret`` is what the PINs are made with; they are of use where phones may open the pages."""
        self._room, self._secret, self._is_open, self._match = room, secret, is_open, ""

    def on_news(self, news: News) -> None:
        """Something happened at the table."""
        match = news.view.match
        if match is None or match.id == self._match or not self._is_open():
            return
        from controller.web.server.access import player_pin

        self._match, names = match.id, match.names
        pins = {f"{side}_pin": player_pin(self._secret, match.id, side) for side in Side}
        for language in self._room.config.table.languages:
            called = {str(side): side_words(side, language, names) for side in Side}
            self._room.screen.print_line(program_words("pins", **pins, **called)(language))


def page_addresses(port: int, section: WebSection) -> tuple[str, ...]:
    """The addresses of the pages: this machine's own first, then the one for others if they may open them."""
    addresses = [f"http://127.0.0.1:{port}/"]
    if section.open:
        addresses += [f"https://{name}:{port}/" for name in _own_names(section)]
        host = own_address()
        if host is not None:
            addresses.append(f"https://{host}:{port}/")
    return tuple(addresses)


def _own_names(section: WebSection) -> tuple[str, ...]:
    return section.names or (f"{socket.gethostname()}.local",)


def _phone_desk(room: Room) -> PhoneDesk:
    """Which phone may be the camera, kept over a restart; that it is kept is no condition for play."""
    path = room.config.folder / PHONE_KEY

    def keep(known: str) -> None:
        from controller.web.wire.private_file import PrivateFileError, write_private

        try:
            write_private(path, known.encode())
        except PrivateFileError as error:
            _LOGGER.warning("The phone has to show a code again after a restart: %s", error)

    def warn(percent: int) -> None:
        room.tell(program_words("phone_battery", percent=percent))

    try:
        known = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        known = ""
    return PhoneDesk(room.camera.phone, time.monotonic, known, keep, warn)


def _all_names(section: WebSection) -> tuple[str, ...]:
    """Every name that this machine is reached by."""
    host = socket.gethostname().casefold()
    return (*section.names, host, f"{host}.local", USUAL_NAME, "localhost")


def _addresses() -> tuple[str, ...]:
    """Its addresses; those of other networks are added when somebody comes by them."""
    host = own_address()
    return (LOCAL,) if host is None else (host, LOCAL)


def welcome_address(host: str, port: int, code: str) -> str:
    """Where a phone sets up a new table; what follows the # stays in the phone.

    By plain HTTP, where the table explains the warning that browsers give, and leads on.
    """
    return f"http://{host}:{port}/welcome#{code}"


def table_service(host: str, port: int) -> Service:
    """What a table tells the network, so that it is found as `pointsman.local`, where no other table is."""
    own = f"pointsman-{host.replace('.', '-')}.local"
    return Service(TABLES, f"{socket.gethostname()}-{port}", USUAL_NAME, host, port, otherwise=own)


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
