"""The other table of a live match: opened as the configuration says, and known again after a restart."""

import json
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from controller import __version__
from controller.json_object import parse_object
from controller.messages.device_words import LocalText, other_table_words
from controller.partner.remote.admission import Invitation, PartnerAdmission
from controller.partner.remote.caller import Caller
from controller.partner.remote.code import TableCode
from controller.partner.remote.greeting import RefusedTableError, agreement_of
from controller.partner.remote.line import PartnerLine
from controller.partner.remote.seat import HeardEvent, RemoteSeat
from controller.referee import Action, Event, Table
from controller.rules import Side, Terms

_LOGGER: Final = logging.getLogger(__name__)

KEPT: Final = ".other-table"
"""The file in the folder of a match by which the two tables know each other again; for its owner alone."""
LAST_S, LOOK_S = 2.0, 0.05
"""How long the last facts of a match may take to be confirmed, four beats of the line; how often that is asked."""
Tell = Callable[[LocalText], None]


class RemoteTable:
    """The table at which ``side`` plays. For the thread that steps; the line has threads of its own.

    Attributes:
        side: who plays there.
    """

    def __init__(
        self,
        side: Side,
        terms: Terms,
        code: TableCode | None,
        folder: Path,
        tell: Tell,
        admission: PartnerAdmission | None = None,
    ) -> None:
        """Call the other table, or wait for it.

        Args:
            side: who plays there.
            terms: what is played.
            code: of the table that is called; None where this one waits.
            folder: of the match.
            tell: called with what people are to be told.
            admission: lets the other table in; None where there are no pages.
        """
        self.side, self._tell, self._path = side, tell, folder / KEPT
        self._line = PartnerLine()
        self._known = self._kept()
        if code is None and "code" in self._known:
            code = TableCode.read(str(self._known["code"]))
        self._seat = RemoteSeat(side, self._line, decides=code is None)
        self._show: Tell = tell
        self._code_due = False
        self._left: Callable[[Side], float | None] = lambda _: None
        self._agreement = agreement_of(terms, str(side), __version__)
        self._code, self._admission = code, admission
        self._caller: Caller | None = None
        self._was_up: bool | None = None
        self._came = False

    def restore(self, payloads: Iterable[Mapping[str, Any]]) -> None:
        """Go on where the inputs in the journal of the match leave it, and be there for the other table."""
        self._seat.restore(payloads)
        if self._code is not None:
            key = str(self._known.get("key") or secrets.token_urlsafe(24))
            self._keep({"key": key, "code": str(self._code)})
            self._caller = Caller(self._line, self._code, key, self._agreement, self._refused)
        else:
            self._wait(self._known)

    def tell_left(self, left: Callable[[Side], float | None]) -> None:
        """``left`` says what the clock of a side has left, in seconds; None without a clock."""
        self._left = left

    def show_code_by(self, show: Tell) -> None:
        """``show`` is called with the code for the other table; spectators must not hear of it."""
        self._show = show

    def close(self) -> None:
        """No more comes from there; what was told last is to be heard first, if the other table is there."""
        last = time.monotonic() + LAST_S
        while self._line.up and self._line.unheard and time.monotonic() < last:
            time.sleep(LOOK_S)
        if self._caller is not None:
            self._caller.close()
        admission = self._admission
        if (
            admission is not None
            and admission.invitation is not None
            and admission.invitation.line is self._line
        ):
            admission.invite(None)

    @property
    def up(self) -> bool:
        """Whether the other table is there."""
        return self._line.up

    @property
    def lost_at(self) -> float:
        """When it was last there, in monotonic seconds."""
        return self._line.lost_at

    def words(self) -> LocalText:
        """How it stands with the other table."""
        return other_table_words("there" if self.up else "lost" if self._came else "waits")

    def look(self) -> bool:
        """Whether the other table came or went since the last look; people are told."""
        self._show_code()
        up = self._line.up
        changed, first = up != self._was_up, self._was_up is None
        self._was_up, self._came = up, self._came or up
        if changed and not (first and not up):
            self._tell(other_table_words("there" if up else "lost"))
        return changed

    def next(self, table: Table, t: float) -> HeardEvent | None:
        """What is to happen here next, if this board is ready for it."""
        return self._seat.next(table, t)

    def facts(
        self, before: Table, event: Event, after: Table, actions: tuple[Action, ...], by: str
    ) -> list[Any]:
        """What the other table is to know of a step."""
        left = self._left(self.side.opponent)
        more = {} if left is None else {"left": round(left, 2)}
        return [{**fact, **more} for fact in self._seat.facts(before, event, after, actions, by)]

    def tell(self, facts: list[Any]) -> None:
        """Tell it this, which is on the disk."""
        self._seat.tell(facts)

    def _wait(self, kept: Mapping[str, Any]) -> None:
        if self._admission is None:
            self._tell(other_table_words("no_pages"))
            return
        invitation = Invitation(self._line, self._agreement, keep=self._keep_guest)
        if "guest" in kept:
            invitation.secret, invitation.guest = str(kept.get("secret", "")), str(kept["guest"])
        else:
            invitation.secret = self._admission.take_secret()
            self._keep_guest(invitation.secret, "")
        self._admission.invite(invitation)
        self._code_due = True

    def _show_code(self) -> None:
        """Show the code once, as soon as it is known where this table is reached."""
        code = self._admission.code if self._code_due and self._admission is not None else ""
        if code:
            self._code_due = False
            self._show(other_table_words("code", code=code))

    def _refused(self, error: RefusedTableError) -> None:
        ours = {"rules": self._agreement.profile, "length": self._agreement.length, "version": __version__}
        self._tell(
            other_table_words("refused", error.kind, theirs=error.theirs, ours=ours.get(error.kind, ""))
        )

    def _keep_guest(self, secret: str, guest: str) -> None:
        self._keep({"secret": secret, "guest": guest})

    def _kept(self) -> Mapping[str, Any]:
        try:
            return parse_object(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def _keep(self, what: Mapping[str, str]) -> None:
        """Remember it over a restart; that this works is no condition for play."""
        from controller.web.wire.private_file import PrivateFileError, write_private

        try:
            write_private(self._path, json.dumps(what).encode())
        except PrivateFileError as error:
            _LOGGER.warning("The two tables do not know each other after a restart: %s", error)
