"""Hubs that tell the network where they are (DNS-SD over multicast DNS, RFC 6762 and 6763), found by a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from controller.devices.multicast import LOOK_S, find_services
from controller.errors import UserError

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

SERVICE: Final = "_pointsman._tcp.local."
"""What a hub is called in the network."""
CLUB: Final = "club"
"""The property that names its club."""


class HubNotFoundError(UserError):
    """No hub was found in the network, or more than one."""


@dataclass(frozen=True, slots=True)
class FoundHub:
    """A hub in the network.

    Attributes:
        club: its name in addresses.
        address: of its pages, ``host:port``.
    """

    club: str
    address: str


def find_hub() -> str:
    """The address of the one hub in this network. Raises HubNotFoundError."""
    found = find_hubs()
    if len(found) == 1:
        return found[0].address
    if not found:
        raise HubNotFoundError(
            "No hub was found in this network; type its address before the code, as the hub shows it."
        )
    known = ", ".join(f"{each.club} at {each.address}" for each in found)
    raise HubNotFoundError(
        f"Several hubs are in this network ({known}); type the address of yours before the code."
    )


def find_hubs(interfaces: Sequence[str] = (), look_s: float = LOOK_S) -> tuple[FoundHub, ...]:
    """The hubs that answer, by club; none where there is no network, or it lets no multicast through.

    Args:
        interfaces: addresses of this machine to ask from; all if empty.
        look_s: for how long.
    """
    found = [_read(info) for info in find_services(SERVICE, interfaces, look_s).values()]
    return tuple(
        sorted((each for each in found if each is not None), key=lambda each: (each.club, each.address))
    )


def _read(told: "ServiceInfo") -> FoundHub | None:
    addresses = told.parsed_addresses()
    if not addresses:
        return None
    club = (told.properties.get(CLUB.encode()) or b"").decode("utf-8", "replace")
    host = next((each for each in addresses if ":" not in each), f"[{addresses[0]}]")
    return FoundHub(club, f"{host}:{told.port}")
