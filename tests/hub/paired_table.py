"""A table that was paired, in a process of its own: ``python -m tests.hub.paired_table CONFIG FOLDER``.

It writes entries until there is a file ``over`` in the folder, and says on a line each what it shows of its club.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

from controller.club.client import TableClient
from controller.club.status import ClubStatus
from controller.config import load_config
from tests.club.writing import WritingTable

PAUSE_S = 0.2


class TellingTable(WritingTable):
    """Tells what is shown at the table, in English."""

    def on_status(self, status: ClubStatus) -> None:
        told = {"at": time.time(), "state": str(status.state), "waiting": status.waiting}
        sys.stdout.write(json.dumps({**told, "words": status.words()("en")}) + "\n")
        sys.stdout.flush()


async def play(config: Path, folder: Path) -> None:
    """Write entries and send them, as a table does that its configuration leads to a club."""
    member = load_config(config).membership()
    assert member is not None
    table = TellingTable(folder)
    table.begin()
    client = TableClient(member, table, folder, version="0")
    table.follow(client)
    running = asyncio.create_task(client.run())
    while not running.done():
        if not (folder / "over").exists():
            table.write(1)
        await asyncio.sleep(PAUSE_S)


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), Path(sys.argv[2])))
