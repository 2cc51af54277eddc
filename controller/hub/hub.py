"""The hub as one whole: folder, broker, store, service and pages, begun and ended in order."""

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.club.mqtt import connect_mqtt
from controller.club.pairing import USUAL_PORT
from controller.club.topics import Topic, every_table
from controller.club.transport import BrokerAddress
from controller.even_clock import EvenClock
from controller.hub.broker import EVERYWHERE, LOOPBACK, BrokerOffer, ChildBroker
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evidence.desk import EvidenceDesk
from controller.hub.evidence.keep import FOLDER as EVIDENCE
from controller.hub.figures import HubFigures
from controller.hub.folder import PAGE_KEYS, STORE, TOURNAMENT, HubFolder
from controller.hub.joining.announcement import HubAnnouncement
from controller.hub.joining.port import PairingPort
from controller.hub.pairing import PairingDesk
from controller.hub.reports import FOLDER as REPORTS
from controller.hub.reports import ReportQueue, analyse_aside
from controller.hub.server.application import make_hall_app
from controller.hub.server.pairing import make_pairing_app
from controller.hub.server.site import HallSite
from controller.hub.service import HubService
from controller.hub.store import HubStore
from controller.hub.uplink.desk import UplinkDesk
from controller.hub.uplink.http import HttpHub
from controller.hub.uplink.jetstream import NatsAddress
from controller.hub.uplink.nats_hub import NatsHub
from controller.hub.uplink.other_hub import OtherHub
from controller.hub.uplink.regions import Regions
from controller.hub.uplink.uplink import Uplink
from controller.logs.handlers import DefectHandler
from controller.messages.device_words import program_words
from controller.record.evidence.picture_pass import sign_pass
from controller.record.journal.journal import utc_now
from controller.web.keys import PageKeys
from controller.web.port import listen, own_address
from controller.web.server.connections import ConnectionLimits
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.wire.authority import hub_authority
from controller.web.wire.certificates import Certificates
from controller.web.wire.certificates import utc_now as utc_time

DESCRIPTORS: Final = 4096
"""This many a hub uses where it may have them, as its service does: LimitNOFILE in pointsman-hub.service."""
PAGES: Final = "pages"
"""The folder inside the hub's with the certificate that browsers are shown."""
PAIRING_LIMITS: Final = ConnectionLimits(total=128, per_address=16)
"""Of the way in for tables, which come one after the other."""


@dataclass(frozen=True, slots=True)
class HubSettings:
    """What a hub is to be.

    Attributes:
        folder: what belongs to it: its key, its logins, its store.
        port: of the pages; 0 for any that is free.
        store: a file or a URL; empty for a file in the folder.
        broker: a broker that runs already; None to start one.
        open_to_all: whether others in the network may come: then tables log in, and what they say is encrypted.
        club: its name in addresses.
        language: of pages whose reader's browser asks for none of the languages.
        uplink: the address of a hub that gets all entries, too, or of NATS on the way to one; empty for none.
        uplink_key: what that hub gave this club, or the login at NATS.
        regions: the address of NATS where other hubs' entries come from; empty for none.
        regions_key: the login there.
        reports: whether matches that are over are analysed, where the event allows that.
    """

    folder: Path
    port: int = USUAL_PORT
    store: str = ""
    broker: BrokerAddress | None = None
    open_to_all: bool = False
    club: str = "club"
    language: str = "en"
    reports: bool = False
    uplink: str = ""
    uplink_key: str = ""
    regions: str = ""
    regions_key: str = ""


class Hub(Closeable):
    """A hub that runs until it is closed.

    Attributes:
        service: all tables.
        evening: the tournament that the tables play.
        broker: its own; None with one that ran already.
        addresses: of its pages, for this machine first.
        uplinks: lets hubs of other clubs send here.
        regions: takes what comes from other hubs over NATS; None where nothing does.
        uplink: passes everything on to another hub; None where nothing does.
        key: the public half of what it signs commands with, 64 hex digits.
        broker_address: where tables reach the broker.
    """

    def __init__(self, settings: HubSettings, say: Callable[[str], None]) -> None:
        """Begin.

        Args:
            settings: what it is to be.
            say: called with a sentence when something that it needs fails, and when it works again.

        Raises:
            UserError: if it cannot be as asked for; nothing runs then.
        """
        every_table(settings.club, Topic.PRESENCE)
        other = other_hub(settings.uplink, settings.uplink_key) if settings.uplink else None
        nats = NatsAddress.parse(settings.regions, settings.regions_key) if settings.regions else None
        with ExitStack() as stack:
            host = EVERYWHERE if settings.open_to_all else LOOPBACK
            listening = listen(host, settings.port)
            stack.callback(listening.close)
            folder = stack.enter_context(HubFolder(settings.folder))
            names = own_host_names() if settings.open_to_all else ()
            own = names[-1] if names else LOOPBACK
            address_here = f"{own}:{listening.getsockname()[1]}"
            self.broker: ChildBroker | None = None
            if settings.broker is None:
                self.broker = stack.enter_context(ChildBroker(folder, settings.club, names=names, say=say))
                address, offer = self.broker.address, self.broker.offer
            else:
                address = settings.broker
                elsewhere = "" if address.host in (LOOPBACK, "localhost", "::1") else address.host
                offer = BrokerOffer(address.port, host=elsewhere)
            now_ms = EvenClock()
            self.service = stack.enter_context(
                HubService(
                    settings.club,
                    address,
                    store=lambda told: HubStore(
                        settings.store or str(folder.path / STORE), now_ms=now_ms, told=told, say=say
                    ),
                    key=folder.key,
                    connect=connect_mqtt,
                    now_ms=now_ms,
                    follow=now_ms.follow,
                    say=say,
                    came=tuple if self.broker is None else self.broker.came_as_hub,
                )
            )
            figures = HubFigures(self.service, folder.path)
            stack.enter_context(DefectHandler(figures.defect, every=True))
            self.key = folder.key.public
            tls = None
            if names:
                tls = stack.enter_context(
                    PairingPort(folder.path, settings.club, names, listening.getsockname()[1])
                )
            pairing = PairingDesk(
                settings.club,
                offer,
                self._add,
                hub_key=self.key,
                now=time.monotonic,
                offer=None if tls is None else tls.offer,
                address=address_here,
            )
            self.uplinks = UplinkDesk(self.service, folder)
            keys = PageKeys.load(folder.path / PAGE_KEYS)
            if keys.aside is not None:
                say(program_words("keys_unreadable", file=keys.path, aside=keys.aside)(settings.language))
            reports = None
            if settings.reports:
                reports = stack.enter_context(
                    ReportQueue(self.service, folder.path / REPORTS, keys.secret, analyse_aside)
                )
            self.uplink = None if other is None else stack.enter_context(Uplink(self.service, other, say))
            self.regions = None if nats is None else stack.enter_context(Regions(self.uplinks, nats, say))
            self.evening = stack.enter_context(
                ClubEvening(self.service, folder.path / TOURNAMENT, utc_now, now_ms)
            )
            evidence = stack.enter_context(
                EvidenceDesk(
                    self.service,
                    folder.path / EVIDENCE,
                    lambda table, sha256: sign_pass(folder.key, f"{settings.club}/{table}", sha256),
                    utc_now,
                )
            )
            site = HallSite(
                self.service,
                pairing,
                keys,
                evening=self.evening,
                language=settings.language,
                reports=reports,
                evidence=evidence,
                uplinks=self.uplinks,
                address=f"{'https' if names else 'http'}://{address_here}/",
                health=figures.health,
            )
            certificates = None
            if names:
                authority = hub_authority(folder.path, settings.club, names, utc_time())
                certificates = Certificates(authority, folder.path / PAGES, (*names, "localhost", LOOPBACK))
            web = WebSettings(
                host=host, port=settings.port, language=settings.language, certificates=certificates
            )
            limits = ConnectionLimits.within(DESCRIPTORS)
            hall_app = make_hall_app(site, names, certificates)
            server = stack.enter_context(WebServer(hall_app, web, listening, limits=limits))
            if tls is not None:
                pairing_app = make_pairing_app(site, names)
                stack.enter_context(
                    WebServer(pairing_app, web, tls.listening, tls.certificate, PAIRING_LIMITS)
                )
            here = own_address() if names else None
            if here is not None:
                stack.enter_context(HubAnnouncement(settings.club, here, server.port, say))
            self.addresses = (
                f"http://{LOOPBACK}:{server.port}/",
                *(f"https://{name}:{server.port}/" for name in names),
            )
            reached = names[-1] if names and self.broker is not None else address.host
            self.broker_address = f"{reached}:{address.port}"
            self._stack = stack.pop_all()

    def close(self) -> None:
        """End everything in order; closing twice does nothing."""
        self._stack.close()

    def _add(self, table: str) -> str:
        return "" if self.broker is None else self.broker.add(table)


def other_hub(address: str, key: str) -> OtherHub:
    """The hub behind an address of the web or of NATS. Raises UplinkError if it is none."""
    if address.partition("://")[0] in ("nats", "tls"):
        return NatsHub(NatsAddress.parse(address, key))
    return HttpHub(address, key)


def own_host_names() -> tuple[str, ...]:
    """By what others in the network reach this machine: its names, and its address last."""
    name = socket.gethostname().casefold()
    address = own_address()
    return (name, f"{name}.local", *(() if address is None else (address,)))
