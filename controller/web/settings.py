"""How the pages of a table are offered."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.errors import UserError
from controller.speech.phrase import SpokenTopic
from controller.web.table_service import Role

if TYPE_CHECKING:
    from controller.web.partner.routes import TableAdmission
    from controller.web.phone.desk import PhoneDesk
    from controller.web.welcome.desk import WelcomeDesk
    from controller.web.wire.certificates import Certificates

LOCAL = "127.0.0.1"


class WebSettingsError(UserError):
    """Settings of the pages that make no sense."""


def _forget(_: str) -> None:
    """Keep nothing."""


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the pages of a table are offered.

    Attributes:
        host: the address that the server listens at; by default only this machine can open the pages.
        port: 0 for any that is free.
        language: of pages whose reader's browser asks for none of the languages.
        names: more names by which this machine is reached.
        reached_at: tells the name or address by which phones reach it; empty where they may not.
        director_hash: argon2id of the director's PIN; empty until it is set at the table's own machine.
        keep_hash: is told the hash when the PIN is set.
        find_hash: tells the hash as it is kept now; empty where nothing is kept.
        at_table: what somebody at the table's own machine may do without a PIN.
        delay_s: by how much spectators see everything later.
        topics: what pages that read aloud may speak of.
        hub_key: the public key of the club's hub, which gets pictures of disputes; empty without one.
        club_table: the table's address in the club, such as ``tartu/table-7``; empty without one.
        partner: where another table comes in that plays against this one; None where none may.
        welcome: who may come in from other machines; None where the address that is listened at decides that.
        phone: which phone may be the camera; None where none may.
        certificates: what TLS is spoken with; None where everything is plain, as on this machine alone.
        secret: what cookies and the players' PINs are made with; the same after a restart lets them hold.

    Raises:
        WebSettingsError: for a port or a delay that there is not.
    """

    host: str = LOCAL
    port: int = 0
    language: str = "en"
    names: tuple[str, ...] = ()
    reached_at: Callable[[], str] = _nothing
    director_hash: str = field(default="", repr=False)
    keep_hash: Callable[[str], None] = _forget
    find_hash: Callable[[], str] = _nothing
    at_table: Role = Role.PLAYER
    delay_s: float = 0.0
    topics: tuple[SpokenTopic, ...] = tuple(SpokenTopic)
    hub_key: str = ""
    club_table: str = ""
    partner: "TableAdmission | None" = field(default=None, repr=False)
    welcome: "WelcomeDesk | None" = field(default=None, repr=False)
    phone: "PhoneDesk | None" = field(default=None, repr=False)
    certificates: "Certificates | None" = field(default=None, repr=False)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def __post_init__(self) -> None:
        """Look at the numbers."""
        if not 0 <= self.port <= 65535:
            raise WebSettingsError(f"The port of the pages is {self.port}; give 0 to 65535.")
        if not 0 <= self.delay_s <= 3600:
            raise WebSettingsError(f"Spectators see everything {self.delay_s:g} s later; give 0 to 3600.")
