"""A table in a process of its own, to be killed: ``python -m tests.club.table_process PORT FOLDER``."""

import asyncio
import sys
from pathlib import Path

from tests.club.writing import Joined, WritingTable


async def play(port: int, folder: Path) -> None:
    """Write entries and send them, for ever."""
    table = WritingTable(folder)
    table.path = max(folder.glob("*/journal.db"))
    async with Joined(table, port):
        while True:
            table.write(3)
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(play(int(sys.argv[1]), Path(sys.argv[2])))
