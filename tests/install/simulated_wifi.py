"""A NetworkManager of python-dbusmock with one Wi-Fi device, in reach of the Wi-Fi ``Home``: a template.

    python3 -m dbusmock --system --template simulated_wifi.py

Whoever joins ``Home`` with the right password is connected; a wrong one and a Wi-Fi that is not there fail, with the
line in the journal that NetworkManager writes. An access point of one's own always starts.
"""

import itertools
import sys

import dbus
from dbusmock.templates import networkmanager
from dbusmock.templates.networkmanager import *  # noqa: F403  a template is a module with all names of the other one
from gi.repository import GLib

HOME, PASSWORD = "Home", "right-password"
DEVICE = "/org/freedesktop/NetworkManager/Devices/wlan0"
NEED_AUTH, FAILED = 60, 120
NO_SECRETS, SSID_NOT_FOUND = 7, 53
NAMES = {NO_SECRETS: "no-secrets", SSID_NOT_FOUND: "ssid-not-found"}
HARDWARE_S = 1
numbers = (f"failed_{number}" for number in itertools.count())


def load(mock: object, parameters: dict[str, object]) -> None:
    """Load what python-dbusmock has, and change how a connection is activated."""
    networkmanager.load(mock, parameters)
    manager = dbusmock.get_object(networkmanager.MANAGER_OBJ)  # noqa: F405
    manager.activate_connection = activate
    manager.AddMethod(networkmanager.SETTINGS_IFACE, "ReloadConnections", "", "b", "ret = True")
    settings = dbusmock.get_object(networkmanager.SETTINGS_OBJ)  # noqa: F405
    settings.AddMethod(networkmanager.SETTINGS_IFACE, "ReloadConnections", "", "b", "ret = True")
    mock.AddWiFiDevice("wlan0", "wlan0", 30)  # type: ignore[attr-defined]
    device = dbusmock.get_object(DEVICE)  # noqa: F405
    device.AddMethod(networkmanager.DEVICE_IFACE, "Disconnect", "", "", "")
    device.AddProperties(networkmanager.DEVICE_IFACE, {"Ip4Address": dbus.UInt32(0)})


def text(value: object) -> str:
    """The name of a network, as text or as bytes."""
    return value if isinstance(value, str) else bytes(value).decode()  # type: ignore[call-overload]


def activate(manager: object, connection: str, device: str, access_point: str) -> str:
    """Answer at once, and let the device become connected or fail some time later."""
    wanted = dbusmock.get_object(connection).settings  # noqa: F405
    wireless = wanted["802-11-wireless"]
    reason = why_not(text(wireless["ssid"]), wireless["mode"] == "ap", wanted)
    if not reason:
        return networkmanager.activate_connection(manager, connection, device, access_point)
    GLib.timeout_add_seconds(HARDWARE_S, fail, reason)
    return networkmanager.AddActiveConnection(
        manager, [], connection, access_point, next(numbers), dbus.UInt32(1)
    )


def why_not(name: str, own: bool, wanted: dict[str, dict[str, object]]) -> int:
    """Why a network is not joined; 0 where it is."""
    if own:
        return 0
    if name != HOME:
        return SSID_NOT_FOUND
    return 0 if wanted.get("802-11-wireless-security", {}).get("psk") == PASSWORD else NO_SECRETS


def fail(reason: int) -> bool:
    """Tell that the device did not get its connection."""
    device = dbusmock.get_object(DEVICE)  # noqa: F405
    device.Set(networkmanager.DEVICE_IFACE, "ActiveConnection", dbus.ObjectPath("/"))
    device.Set(networkmanager.DEVICE_IFACE, "State", dbus.UInt32(FAILED))
    sys.stdout.write(f"device (wlan0): state change: need-auth -> failed (reason '{NAMES[reason]}')\n")
    sys.stdout.flush()
    values = [dbus.UInt32(FAILED), dbus.UInt32(NEED_AUTH), dbus.UInt32(reason)]
    device.EmitSignal(networkmanager.DEVICE_IFACE, "StateChanged", "uuu", values)
    return False
