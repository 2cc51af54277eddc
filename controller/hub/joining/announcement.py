"""The hub tells the network where it is, so that tables find it without an address (multicast DNS)."""

import socket
import threading
from collections.abc import Callable, Sequence

from controller.club.discovery import CLUB, SERVICE
from controller.record.journal.journal import Closeable

STOP_S = 5.0


class HubAnnouncement(Closeable):
    """Tells until it is closed, from a thread of its own; a network that lets no multicast through is no fault."""

    def __init__(
        self, club: str, host: str, port: int, say: Callable[[str], None], interfaces: Sequence[str] = ()
    ) -> None:
        """Begin.

        Args:
            club: its name in addresses.
            host: the address (IPv4) at which others reach its pages.
            port: of the pages.
            say: called with one sentence if the network cannot be told.
            interfaces: addresses of this machine to tell from; all if empty.
        """
        self._club, self._host, self._port, self._say = club, host, port, say
        self._interfaces = list(interfaces)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pointsman-announcement", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Say goodbye, and tell no more."""
        self._stop.set()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        # It takes a while to load, and the hub waits for nothing of this.
        from zeroconf import Error, ServiceInfo, Zeroconf

        info = ServiceInfo(
            SERVICE,
            f"{self._club}.{SERVICE}",
            port=self._port,
            addresses=[socket.inet_aton(self._host)],
            properties={CLUB: self._club},
            server=f"pointsman-{self._host.replace('.', '-')}-{self._port}.local.",
        )
        try:
            network = Zeroconf(interfaces=self._interfaces) if self._interfaces else Zeroconf()
            with network:
                network.register_service(info, allow_name_change=True)
                self._stop.wait()
                network.unregister_service(info)
        except (OSError, Error) as error:
            if not self._stop.is_set():
                self._say(
                    f"Tables do not find this hub by themselves ({error}); type its address when you pair them."
                )
