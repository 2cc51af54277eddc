"""A web server with a certificate in front of a hub, as a federation has one: it passes on everything as it is."""

import asyncio
import contextlib
import datetime
import ssl
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.web.wire.authority import OwnAuthority


class TlsFront:
    """Speaks TLS for ``localhost`` in front of a port of this machine, while the block is not left.

    Attributes:
        port: where it is.
        authority: the file of who vouches for it.
    """

    def __init__(self, folder: Path, behind: int) -> None:
        now = datetime.datetime.now(datetime.UTC)
        folder.mkdir()
        made = OwnAuthority.make(folder, "front", now)
        certificate, key = made.vouch(folder, ("localhost",), now)
        self.authority, self._behind = made.path, behind
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._loop = asyncio.new_event_loop()
        self._ready, self._stop = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()))

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, ssl=self._context)
        self.port = int(server.sockets[0].getsockname()[1])
        self._ready.set()
        await self._stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", self._behind)
        try:
            await asyncio.gather(_pump(reader, outer), _pump(inner, writer))
        finally:
            outer.close()
            writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()
