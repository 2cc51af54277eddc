"""What tells the network that it is there (DNS-SD over multicast DNS, RFC 6762 and 6763): hubs, and lights."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange

LOOK_S: Final = 3.0
"""Whatever is there answers within one or two seconds."""
_READ_MS: Final = 1_000


def find_services(
    service: str, interfaces: Sequence[str] = (), look_s: float = LOOK_S
) -> dict[str, "ServiceInfo"]:
    """All that offer a service, by name; none where there is no network, or it lets no multicast through.

    Args:
        service: what is looked for, such as ``_wled._tcp.local.``.
        interfaces: addresses of this machine to ask from; all if empty.
        look_s: for how long.
    """
    from zeroconf import DNSQuestionType, ServiceBrowser, ServiceStateChange, Zeroconf

    names: set[str] = set()

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
        threading.Event().wait(look_s)
        told = {
            name: network.get_service_info(service, name, timeout=_READ_MS) for name in sorted(names.copy())
        }
    return {name: info for name, info in told.items() if info is not None}
