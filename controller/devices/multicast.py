"""What tells the network that it is there (DNS-SD over multicast DNS, RFC 6762 and 6763): hubs, and lights."""

import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange

LOOK_S: Final = 3.0
"""Whatever is there answers within one or two seconds."""
TAKEN_LOOK_S: Final = 1.5
"""For so long a name is looked for before it is taken."""
STOP_S: Final = 5.0
_READ_MS: Final = 1_000


def find_services(
    service: str,
    interfaces: Sequence[str] = (),
    look_s: float = LOOK_S,
    stop: threading.Event | None = None,
) -> dict[str, "ServiceInfo"]:
    """All that offer a service, by name; none where there is no network, or it lets no multicast through.

    Args:
        service: what is looked for, such as ``_wled._tcp.local.``.
        interfaces: addresses of this machine to ask from; all if empty.
        look_s: for how long.
        stop: ends the look early, with nothing found, once it is set.
    """
    from zeroconf import DNSQuestionType, ServiceBrowser, ServiceStateChange, Zeroconf

    names: set[str] = set()
    stop = stop or threading.Event()

    def hear(name: str, state_change: "ServiceStateChange", **_: Any) -> None:
        if state_change is not ServiceStateChange.Removed:
            names.add(name)

    try:
        network = Zeroconf(interfaces=list(interfaces)) if interfaces else Zeroconf()
    except OSError:
        return {}
    with network:
        # Answered to everybody: an answer to one port may reach another program of this machine.
        ServiceBrowser(network, service, handlers=[hear], question_type=DNSQuestionType.QM)
        if stop.wait(look_s):
            return {}
        told = {
            name: network.get_service_info(service, name, timeout=_READ_MS) for name in sorted(names.copy())
        }
    return {name: info for name, info in told.items() if info is not None}


@dataclass(frozen=True, slots=True)
class Service:
    """Something that this machine offers.

    Attributes:
        kind: of service, such as ``_pointsman._tcp.local.``.
        name: what tells it from others of its kind.
        server: a name of this machine, ``something.local``.
        host: the address (IPv4) at which others reach it.
        port: at that address.
        properties: what else is told.
        otherwise: the name of this machine where another one answers to ``server`` already; empty to share it.
    """

    kind: str
    name: str
    server: str
    host: str
    port: int
    properties: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""


class Announcement:
    """Tells the network of a service until it is closed, from a thread of its own."""

    def __init__(self, service: Service, say: Callable[[str], None], interfaces: Sequence[str] = ()) -> None:
        """Begin.

        Args:
            service: what is told.
            say: called with what is the matter if the network cannot be told, which is no fault.
            interfaces: addresses of this machine to tell from; all if empty.
        """
        self._service, self._say, self._interfaces = service, say, list(interfaces)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pointsman-announcement", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Say goodbye, and tell no more."""
        self._stop.set()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        # It takes a while to load, and nobody waits for it.
        from zeroconf import Error, Zeroconf

        try:
            network = Zeroconf(interfaces=self._interfaces) if self._interfaces else Zeroconf()
            with network:
                info = _info(self._service, taken=self._is_taken())
                if self._stop.is_set():
                    return
                network.register_service(info, allow_name_change=True)
                self._stop.wait()
                network.unregister_service(info)
        except (OSError, Error) as error:
            if not self._stop.is_set():
                self._say(str(error))

    def _is_taken(self) -> bool:
        """Whether another machine offers the same kind of service under the name."""
        told = self._service
        if not told.otherwise:
            return False
        others = find_services(told.kind, self._interfaces, TAKEN_LOOK_S, self._stop).values()
        return any(
            other.server == f"{told.server}." and told.host not in other.parsed_addresses()
            for other in others
        )


def _info(told: Service, *, taken: bool) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    return ServiceInfo(
        told.kind,
        f"{told.name}.{told.kind}",
        port=told.port,
        addresses=[socket.inet_aton(told.host)],
        properties=dict(told.properties),
        server=f"{told.otherwise if taken else told.server}.",
    )
