"""For comitup alone: a device of a kind that its library does not know is one that it has no use for.

The python3-networkmanager of Debian 12 knows no kind that is newer than itself. The loopback, which NetworkManager
lists since 1.42, is one; comitup asks for all devices, and ended there with a KeyError.
"""

from typing import Any

import NetworkManager

known = NetworkManager.device_class


def device_class(kind: int) -> Any:
    """What stands for a device of this kind."""
    try:
        return known(kind)
    except KeyError:
        return NetworkManager.Generic


NetworkManager.device_class = device_class
