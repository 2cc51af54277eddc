"""The port at which a hub lets tables in over TLS, with a certificate by the club's own authority."""

import datetime
import socket
from pathlib import Path

from controller.closing import Closeable
from controller.club.pairing import PairingOffer
from controller.errors import UserError
from controller.hub.broker import EVERYWHERE, LOOPBACK
from controller.web.port import listen
from controller.web.wire.authority import hub_authority

FOLDER = "pairing"


class PairingPort(Closeable):
    """A socket that listens, and what its server needs.

    Attributes:
        listening: the socket.
        certificate: the files of the certificate and of its key.
        offer: what tables are offered.
    """

    def __init__(self, folder: Path, club: str, names: tuple[str, ...], pages: int) -> None:
        """Listen beside the pages: one port further, or where there is room.

        Args:
            folder: the hub's.
            club: its name in addresses.
            names: by which tables reach this machine.
            pages: the port of the pages; 0 if they, too, are anywhere.

        Raises:
            UserError: if the authority or the certificate cannot be read or made.
        """
        now = datetime.datetime.now(datetime.UTC)
        authority = hub_authority(folder, club, names, now)
        (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
        self.certificate = authority.vouch(folder / FOLDER, (*names, "localhost", LOOPBACK), now)
        self.listening = _listen_near(pages)
        self.offer = PairingOffer(self.listening.getsockname()[1], authority.pem)

    def close(self) -> None:
        """Let go of the socket."""
        self.listening.close()


def _listen_near(pages: int) -> socket.socket:
    try:
        return listen(EVERYWHERE, pages + 1 if 0 < pages < 65_535 else 0)
    except UserError:
        return listen(EVERYWHERE, 0)
