"""The listening table: lets one other table in, by a code that holds once, and knows it again after a cut."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from controller.partner.remote.code import TableCode, fingerprint, new_secret
from controller.partner.remote.conversation import Receive, Send, converse
from controller.partner.remote.greeting import RefusedTableError, TableAgreement
from controller.partner.remote.line import LineError, PartnerLine, read_message, whole

HELLO_S: Final = 10.0
"""How long another table may take to say who it is."""
WRONG_S: Final = 1.0
"""How long a wrong code is thought about, so that nobody tries many."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Where this table is reached.

    Attributes:
        host, port: of its pages.
        authority: the certificate of who vouches for it, DER; empty without TLS.
    """

    host: str
    port: int
    authority: bytes = b""


def _nothing() -> None:
    """Nobody is talking."""


def _forget(_: str, __: str) -> None:
    """Keep nothing."""


@dataclass(slots=True)
class Invitation:
    """A match to which another table is let in.

    Attributes:
        line: what goes between the two.
        agreement: what they have to agree about.
        secret: of the code; empty once it was used.
        guest: the SHA-256 of what the table shows that was let in.
        keep: is told both when they change.
    """

    line: PartnerLine
    agreement: TableAgreement
    secret: str = field(default_factory=new_secret, repr=False)
    guest: str = ""
    keep: Callable[[str, str], None] = _forget

    def admits(self, code: str, key: str) -> bool:
        """Whether this table may come in; the first that has the code is the one."""
        digest = hashlib.sha256(key.encode()).hexdigest()
        if self.guest:
            return secrets.compare_digest(digest, self.guest)
        if not self.secret or not secrets.compare_digest(code.encode(), self.secret.encode()):
            return False
        self.guest, self.secret = digest, ""
        self.keep(self.secret, self.guest)
        return True


class PartnerAdmission:
    """Lets the other table of a match in; for the thread of the web server, but for what is set."""

    def __init__(self) -> None:
        """Nobody is invited, and nobody knows where this table is reached."""
        self.reached: Reached | None = None
        self.invitation: Invitation | None = None
        self._talk: asyncio.Task[None] | None = None
        self._hang_up: Callable[[], object] = _nothing
        self._prepared = ""

    def prepare(self) -> str:
        """The code for the other table of the next match that waits for one; the same until that match begins."""
        self._prepared = self._prepared or new_secret()
        return self._code_with(self._prepared)

    def take_secret(self) -> str:
        """The secret for the match that begins now: the one that people were shown, if they were."""
        secret, self._prepared = self._prepared or new_secret(), ""
        return secret

    def invite(self, invitation: Invitation | None) -> None:
        """From now on the other table of this match may come in, and none of another one; from any thread."""
        self.invitation = invitation
        self._hang_up()

    @property
    def code(self) -> str:
        """The code for the other table; empty where none is waited for, or nobody could come."""
        invitation = self.invitation
        return "" if invitation is None or not invitation.secret else self._code_with(invitation.secret)

    def _code_with(self, secret: str) -> str:
        at = self.reached
        if at is None:
            return ""
        return str(TableCode(at.host, at.port, secret, fingerprint(at.authority) if at.authority else ""))

    async def admit(self, receive: Receive, send: Send) -> None:
        """Somebody has opened a connection: play with them if they are the other table, else say why not."""
        authority = b"" if self.reached is None else self.reached.authority
        await send(json.dumps({"pointsman": "table", "authority": authority.hex()}))
        try:
            async with asyncio.timeout(HELLO_S):
                hello = read_message(await receive())
            after = whole(hello, "have")
            refused = self._refusal(hello)
        except LineError:
            return
        invitation = self.invitation
        if refused is not None or invitation is None:
            if refused is None or refused.kind == "code":
                await asyncio.sleep(WRONG_S)
            kind, ours = ("code", "") if refused is None else (refused.kind, _ours(refused, invitation))
            await send(json.dumps({"refused": kind, "theirs": ours}))
            return
        await send(json.dumps({"welcome": True, "have": invitation.line.received}))
        await self._talk_alone(invitation.line, after, receive, send)

    def _refusal(self, hello: dict[str, Any]) -> RefusedTableError | None:
        invitation = self.invitation
        if invitation is None:
            return RefusedTableError("code")
        refused = invitation.agreement.refusal(hello)
        if refused is not None and refused.kind == "version":
            return refused
        known = secrets.compare_digest(
            hashlib.sha256(str(hello.get("key", "")).encode()).hexdigest(), invitation.guest or "-"
        )
        right = secrets.compare_digest(
            str(hello.get("code", "")).encode(), (invitation.secret or "-").encode()
        )
        if not known and not right:
            return RefusedTableError("code")
        if refused is not None:
            return refused
        admitted = invitation.admits(str(hello.get("code", "")), str(hello.get("key", "")))
        return None if admitted else RefusedTableError("code")

    async def _talk_alone(self, line: PartnerLine, after: int, receive: Receive, send: Send) -> None:
        """Talk in place of an older connection, which the other table has given up."""
        if self._talk is not None:
            self._talk.cancel()
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        self._talk = task
        self._hang_up = lambda: None if loop.is_closed() else loop.call_soon_threadsafe(task.cancel)
        try:
            await converse(line, after, receive, send)
        finally:
            if self._talk is task:
                self._talk, self._hang_up = None, _nothing


def _ours(refused: RefusedTableError, invitation: Invitation | None) -> str:
    """What this table has where the two differ."""
    if invitation is None:
        return ""
    agreement = invitation.agreement
    ours = {"version": agreement.version, "rules": agreement.profile, "length": agreement.length}
    return ours.get(refused.kind, "")
