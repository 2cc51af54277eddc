"""The table that calls the other one: connects by its code, again after each cut, until the match is closed."""

import asyncio
import contextlib
import json
import ssl
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from controller.partner.remote.code import TableCode, fingerprint
from controller.partner.remote.conversation import converse
from controller.partner.remote.greeting import RefusedTableError, TableAgreement
from controller.partner.remote.line import LONGEST, LineError, PartnerLine, read_message, whole

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

HELLO_S: Final = 10.0
"""How long the other table may take to answer."""
AGAIN_S: Final = 0.5
"""After a cut, and after each try that failed, it is called again after so long."""


class StrangerError(LineError):
    """Somebody else answers, perhaps only for a while: whoever is in the same network can do that."""


class Caller:
    """Keeps the line to the listening table, in a thread of its own."""

    def __init__(
        self,
        line: PartnerLine,
        code: TableCode,
        key: str,
        agreement: TableAgreement,
        refused: Callable[[RefusedTableError], None],
    ) -> None:
        """``key`` is what this table is known by after a cut; ``refused`` is told why it may not come in."""
        self._line, self._code, self._key, self._agreement = line, code, key, agreement
        self._refused, self._stranger = refused, False
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._work, name="pointsman-other-table", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            self._loop.call_soon_threadsafe(self._cancel)
        self._thread.join()

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _work(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._task = self._loop.create_task(self._call())
            self._loop.run_until_complete(self._task)
        self._loop.close()

    async def _call(self) -> None:
        # Only a table that plays with another one needs it.
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        while True:
            try:
                async with connect(
                    self._code.address,
                    ssl=_context() if self._code.authority else None,
                    max_size=LONGEST,
                    open_timeout=HELLO_S,
                    ping_interval=None,
                    close_timeout=1,
                    proxy=None,
                ) as socket:
                    await self._talk(socket)
            except StrangerError:
                if not self._stranger:
                    self._refused(RefusedTableError("code"))
                self._stranger = True
            except RefusedTableError as error:
                self._refused(error)
                return
            except (OSError, TimeoutError, WebSocketException, LineError):
                pass
            await asyncio.sleep(AGAIN_S)

    async def _talk(self, socket: "ClientConnection") -> None:
        async def receive() -> str:
            return str(await socket.recv())

        async def send(text: str) -> None:
            await socket.send(text)

        async with asyncio.timeout(HELLO_S):
            first = read_message(await receive())
        self._check_authority(first, socket)
        self._stranger = False
        mine = self._agreement.record()
        known = {"code": self._code.secret, "key": self._key, "have": self._line.received}
        await send(json.dumps({**mine, **known}))
        async with asyncio.timeout(HELLO_S):
            answer = read_message(await receive())
        if "refused" in answer:
            raise RefusedTableError(str(answer["refused"]), str(answer.get("theirs", "")))
        await converse(self._line, whole(answer, "have"), receive, send)

    def _check_authority(self, first: dict[str, Any], socket: "ClientConnection") -> None:
        """Whether the certificate of this line was made by the authority that the code names.

        Raises:
            StrangerError: if it was not: somebody else answers there, and is not told the secret.
        """
        if not self._code.authority:
            return
        from cryptography import x509
        from cryptography.exceptions import InvalidSignature

        tls = socket.transport.get_extra_info("ssl_object")
        try:
            authority = bytes.fromhex(str(first.get("authority", "")))
            known = fingerprint(authority) == self._code.authority
            if known:
                shown = x509.load_der_x509_certificate(tls.getpeercert(binary_form=True))
                shown.verify_directly_issued_by(x509.load_der_x509_certificate(authority))
        except (ValueError, TypeError, AttributeError, InvalidSignature):
            known = False
        if not known:
            raise StrangerError("Somebody else answers in the place of the other table.")


def _context() -> ssl.SSLContext:
    """TLS with whoever answers; `Caller` looks at the certificate itself, which no public authority has made."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
