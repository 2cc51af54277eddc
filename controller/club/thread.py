"""A table's client in a thread of its own: the table never waits for it, and nothing is loaded before it runs."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.club.tasks import end_tasks

if TYPE_CHECKING:
    from controller.club.client import TableClient


class ClientThread:
    """A client with a thread and a loop of its own, beside a table that never waits for it."""

    def __init__(self, make: Callable[[], "TableClient"]) -> None:
        """``make`` makes the client; it is called where the loop runs."""
        self._make = make
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: TableClient | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._work, name="pointsman-club", daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def wake(self) -> None:
        """See `TableClient.wake`; from any thread, and at once."""
        loop, client = self._loop, self._client
        if loop is not None and client is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(client.wake)

    def close(self, wait_s: float = 2.0) -> None:
        """Say goodbye and wait for it, up to a limit; calling it again does nothing."""
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(stop.set)
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def _work(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        client, stop = self._make(), asyncio.Event()
        self._client, self._stop, self._loop = client, stop, asyncio.get_running_loop()
        running = asyncio.create_task(client.run())
        await stop.wait()
        await end_tasks([running])
