"""Ending what runs in an asyncio loop, for certain."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

AGAIN_S: Final = 0.2


async def end_tasks(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    """Cancel tasks until all have ended; the first error among them is raised then.

    One cancellation may be lost: up to Python 3.11 `asyncio.wait_for`, which libraries use, takes it for the end of
    what was waited for if both come at once.
    """
    every = tuple(tasks)
    left = {task for task in every if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_S)
    # Each is asked: asyncio writes an error that nobody asked for into the terminal.
    errors = [task.exception() for task in every if not task.cancelled()]
    for error in errors:
        if error is not None:
            raise error
