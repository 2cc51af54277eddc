"""The hub tells the network where it is, so that tables find it without an address (multicast DNS)."""

from collections.abc import Callable, Sequence

from controller.closing import Closeable
from controller.club.discovery import CLUB, SERVICE
from controller.devices.multicast import Announcement, Service


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
        server = f"pointsman-{host.replace('.', '-')}-{port}.local"
        service = Service(SERVICE, club, server, host, port, {CLUB: club})

        def explain(why: str) -> None:
            say(f"Tables do not find this hub by themselves ({why}); type its address when you pair them.")

        self._announcement = Announcement(service, explain, interfaces)

    def close(self) -> None:
        """Say goodbye, and tell no more."""
        self._announcement.close()
