"""Lights on a WLED, a controller for pixels: found in the network, told colours by DDP, asked over HTTP."""

import contextlib
import http.client
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.devices.lights.backends import Lights
from controller.devices.lights.ddp import DDP_PORT, ddp_packets
from controller.devices.lights.palette import Dimming
from controller.devices.lights.pixels import MOST_PIXELS, PixelMap
from controller.devices.lights.render import Rgb, render
from controller.devices.lights.wled_status import WledCode, WledStatus
from controller.devices.multicast import LOOK_S, find_services

AUTO: Final = "auto"
SERVICE: Final = "_wled._tcp.local."
"""What a WLED is called in the network (DNS-SD over multicast DNS)."""
ASK_S: Final = 0.5
"""A WLED at work answers within 50 ms; on a busy wireless network it may take a few times that."""
BETWEEN_S: Final = 0.4
"""Two questions without an answer, and this before each, are less than the two seconds in which a loss is told."""
MISSES: Final = 2
"""So many questions in a row without an answer: one is lost now and then, and nobody is to be told of that."""
REFRESH_S: Final = 0.5
"""A picture is sent again after this time: packets get lost, and a WLED goes back to its own effects after 2.5 s."""
NUMBERS: Final = 15
"""Pictures are numbered from 1 to this, again and again."""
MOST_ANSWER: Final = 65_536
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""It is in this network: a proxy, whatever the environment says, would not find it."""
_WHITE: Final = (90, 90, 90)
"""Of a pixel that is looked for: bright enough for a camera, and not so bright that it dazzles."""

TellStatus = Callable[[WledStatus], None]


@dataclass(frozen=True, slots=True)
class FoundWled:
    """A WLED in the network: what it is called, and its address, ``host`` or ``host:port``."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class WledInfo:
    """What a WLED tells of itself."""

    title: str
    version: str
    pixels: int


class NoWledError(ValueError):
    """What answers is no WLED, or nothing can have such an address."""


def bare_address(address: str) -> str:
    """``host`` or ``host:port`` of an address that somebody may have copied out of a browser."""
    return address.strip().removeprefix("http://").split("/", 1)[0]


def ask_wled(address: str, timeout_s: float = ASK_S) -> WledInfo:
    """What the WLED at ``host`` or ``host:port`` tells of itself. Raises OSError, NoWledError."""
    try:
        with _DIRECT.open(f"http://{address}/json/info", timeout=timeout_s) as answer:
            told = answer.read(MOST_ANSWER)
    except (http.client.HTTPException, ValueError) as error:
        # RemoteDisconnected is an OSError as well: something may have been switched off within its answer.
        if isinstance(error, OSError):
            raise
        raise NoWledError(address) from error
    try:
        info: Mapping[str, Any] = json.loads(told)
        pixels = min(int(info["leds"]["count"]), MOST_PIXELS)
        return WledInfo(str(info["name"]), str(info["ver"]), pixels)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise NoWledError(address) from error


def find_wleds(interfaces: Sequence[str] = (), look_s: float = LOOK_S) -> tuple[FoundWled, ...]:
    """Every WLED that tells the network that it is there; none where there is no network or no multicast.

    Args:
        interfaces: addresses of this machine to ask from; all if empty.
        look_s: for how long.
    """
    found = []
    for name, info in find_services(SERVICE, interfaces, look_s).items():
        hosts = [each for each in info.parsed_addresses() if ":" not in each]
        if hosts:
            port = "" if info.port == 80 else f":{info.port}"
            found.append(FoundWled(name.removesuffix(f".{SERVICE}"), f"{hosts[0]}{port}"))
    return tuple(found)


def stand_of(address: str, info: WledInfo, needed: int) -> WledStatus:
    """How a WLED that has answered stands, of which so many pixels are used."""
    if info.pixels < needed:
        return WledStatus(WledCode.SHORT, address, {"pixels": str(info.pixels), "needed": str(needed)})
    told = {"title": info.title, "version": info.version, "pixels": str(info.pixels)}
    return WledStatus(WledCode.READY, address, told)


def look_for(address: str, needed: int, find: Callable[[], Sequence[FoundWled]] = find_wleds) -> WledStatus:
    """How the WLED at an address, or the only one in the network, stands at this moment."""
    found = find() if address == AUTO else (FoundWled("", bare_address(address)),)
    if len(found) != 1:
        return _which(address, found)
    try:
        return stand_of(found[0].address, ask_wled(found[0].address), needed)
    except NoWledError:
        return WledStatus(WledCode.STRANGE, found[0].address)
    except OSError as error:
        return WledStatus(WledCode.AWAY, found[0].address, {"why": _why(error)})


def _which(address: str, found: Sequence[FoundWled]) -> WledStatus:
    """That none was found, or too many."""
    if not found:
        return WledStatus(WledCode.NONE, address)
    named = ", ".join(f"{each.title} ({each.address})" for each in found)
    return WledStatus(WledCode.MANY, address, {"found": named})


def _why(error: OSError) -> str:
    """What the system says; what asks over HTTP wraps it up."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return getattr(reason, "strerror", None) or str(reason)


class WledWatch:
    """Finds a WLED and asks it again and again whether it is there, in a thread of its own.

    Attributes:
        at: where pictures go, host (as a number) and port; None while it is not known.
    """

    def __init__(
        self,
        address: str,
        needed: int,
        tell: TellStatus,
        find: Callable[[], Sequence[FoundWled]] = find_wleds,
    ) -> None:
        """Begin.

        Args:
            address: ``auto``, a name or number, or that with the port of its pages.
            needed: how many pixels are used.
            tell: called from the thread, whenever something has changed.
            find: looks for it where the address is ``auto``.
        """
        self.at: tuple[str, int] | None = None
        self.pixels = 0
        self._wanted, self._needed, self._tell, self._find = address, needed, tell, find
        self._known = "" if address == AUTO else bare_address(address)
        self._told: WledStatus | None = None
        self._misses = 0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pointsman-wled", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ask no more."""
        self._ending.set()

    def _work(self) -> None:
        self._say(WledStatus(WledCode.SEEKING, self._wanted))
        while not self._ending.is_set():
            if self._known or self._seek():
                self._ask()
            self._ending.wait(BETWEEN_S)

    def _seek(self) -> bool:
        found = self._find()
        if len(found) == 1:
            self._known = found[0].address
            return True
        self._say(_which(self._wanted, found))
        return False

    def _ask(self) -> None:
        try:
            info = ask_wled(self._known)
            host = socket.gethostbyname(self._known.partition(":")[0])
        except NoWledError:
            self._miss(WledStatus(WledCode.STRANGE, self._known))
        except OSError as error:
            self._miss(WledStatus(WledCode.AWAY, self._known, {"why": _why(error)}))
        else:
            self._misses, self.at, self.pixels = 0, (host, DDP_PORT), info.pixels
            self._say(stand_of(self._known, info, self._needed))

    def _miss(self, status: WledStatus) -> None:
        self._misses += 1
        if self._misses >= MISSES:
            if self._wanted == AUTO:
                self._known = ""  # it may have come back with another address
            self._say(status)

    def _say(self, status: WledStatus) -> None:
        if status != self._told and not self._ending.is_set():
            self._told = status
            self._tell(status)


class WledLights(Lights):
    """Lights on a WLED, effects included: this program sends whole pictures.

    A WLED that is away gets the picture when it is back. After the last picture it goes back to what it does by
    itself after 2.5 seconds.
    """

    def __init__(
        self,
        address: str,
        pixels: PixelMap,
        dimming: Dimming,
        tell: TellStatus,
        find: Callable[[], Sequence[FoundWled]] = find_wleds,
    ) -> None:
        """See `WledWatch`; ``pixels`` says what lies where."""
        self._pixels, self._dimming = pixels, dimming
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._watch = WledWatch(address, pixels.count, tell, find)
        self._number = 0
        self._alone: int | None = None
        self._last: tuple[Rgb, ...] = ()
        self._sent_at = float("-inf")

    @property
    def lamps(self) -> int:
        """How many pixels there are; 0 as long as that is not known."""
        return self._watch.pixels

    def shine(self, lamp: int | None) -> None:
        """See `Lights`."""
        self._alone = lamp

    def tick(self, now_s: float) -> None:
        """See `Lights`: sends the picture if it has changed, and after `REFRESH_S` in any case."""
        colours = self._colours(now_s)
        if colours != self._last or now_s - self._sent_at >= REFRESH_S:
            self._last, self._sent_at = colours, now_s
            self._send(colours)

    def close(self) -> None:
        """See `Lights`."""
        self._watch.close()
        self._send(((0, 0, 0),) * max(self._pixels.count, self._watch.pixels))
        self._socket.close()

    def _colours(self, now_s: float) -> tuple[Rgb, ...]:
        """A pixel for each that is used, or for each that there is: those beyond are dark."""
        count = max(self._pixels.count, self._watch.pixels)
        if self._alone is not None:
            return tuple(_WHITE if pixel == self._alone else (0, 0, 0) for pixel in range(count))
        picture = self._pixels.picture(self.frame, self._dimming.level(at_night=self.at_night))
        return render(picture, round(now_s * 1000), limit_ma=self._dimming.limit_ma, lamps=count)

    def _send(self, colours: Sequence[Rgb]) -> None:
        if self._watch.at is None:
            return
        self._number = self._number % NUMBERS + 1
        with contextlib.suppress(OSError):  # the network is away; the watch tells that
            for packet in ddp_packets(colours, self._number):
                self._socket.sendto(packet, self._watch.at)
