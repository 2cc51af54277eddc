"""One connection between two tables, from when they know each other until it breaks off."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from controller.partner.remote.line import PartnerLine

BEAT_S: Final = 0.5
"""At least so often each table says that it is there."""
SILENT_S: Final = 3.0
"""After this long without a word the other table counts as lost: six beats, so that one that is late is none."""
Receive = Callable[[], Awaitable[str]]
Send = Callable[[str], Awaitable[None]]


async def converse(line: PartnerLine, after: int, receive: Receive, send: Send) -> None:
    """Tell and hear until the connection breaks; ``after`` is the number of the last fact that they have."""
    news = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wake() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(news.set)

    line.begin(wake)
    silent = False
    telling = asyncio.create_task(_tell(line, after, send, news))
    hearing = asyncio.create_task(_hear(line, receive))
    try:
        done, _ = await asyncio.wait((telling, hearing), return_when=asyncio.FIRST_COMPLETED)
        silent = any(isinstance(task.exception(), TimeoutError) for task in done)
    finally:
        line.end(silent=silent)
        for task in (telling, hearing):
            task.cancel()
        await asyncio.gather(telling, hearing, return_exceptions=True)


async def _tell(line: PartnerLine, after: int, send: Send, news: asyncio.Event) -> None:
    while True:
        news.clear()
        told = line.told
        for message in line.messages(after):
            async with asyncio.timeout(SILENT_S):
                await send(message)
        after = max(after, told)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BEAT_S):
                await news.wait()


async def _hear(line: PartnerLine, receive: Receive) -> None:
    while True:
        async with asyncio.timeout(SILENT_S):
            text = await receive()
        line.hear(text)
