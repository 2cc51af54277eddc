"""Tables for the bench of the hub: ``python -m tests.bench.hub_tables PORT FIRST COUNT RATE SECONDS OUT``.

Each has a connection of its own, writes entries at random moments, and shows its state twice a second. What each
wrote, and when it was sent first, is in OUT at the end.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from random import Random

from tests.hub.plain_tables import PlainTable, PlainTables

STATES_A_SECOND = 2.0
LOOK_S = 0.02
BACK_S = 2.0
PATIENCE_S = 300.0
PAYLOAD = {
    "player": "light",
    "dice": [6, 4],
    "move": "24/14",
    "position": "b....E.C...eE...c.e....B..",
    "text": "x" * 120,
}


def state(number: int) -> dict[str, object]:
    """A state of about the size of a real one."""
    play = {"game": 1, "ply": number, "steps": [{"side": "light", "from": 24, "to": 14, "hit": False}] * 4}
    screen = {
        "room": "playing",
        "phase": "to_roll",
        "match": {"light": "Anna", "dark": "Béla", "score": {"light": 1, "dark": 2}, "length": 7},
        "position": PAYLOAD["position"],
        "plays": [{**play, "text": "Light plays 24/14." * 3}] * 6,
        "headline": f"Light rolls {number}.",
    }
    return {
        "screen": screen,
        "desk": {**screen, "needs": [], "course": [{"t_s": number, "text": "t" * 60}] * 8},
    }


async def play(club: PlainTables, table: PlainTable, rate: float, until: float, rng: Random) -> None:
    """One table."""
    living = asyncio.create_task(club.live())
    shown = number = 0
    next_event, next_state = time.monotonic() + rng.random(), time.monotonic() + rng.random()
    while time.monotonic() < until:
        now = time.monotonic()
        if now >= next_event:
            table.write(**PAYLOAD)
            next_event += rng.expovariate(rate)
        if now >= next_state:
            shown += 1
            await club.say_now(table.name, "state", state(shown))
            next_state += 1 / STATES_A_SECOND
        await asyncio.sleep(LOOK_S)
        number += 1
    while not club.are_confirmed() and time.monotonic() < until + PATIENCE_S:
        await asyncio.sleep(LOOK_S)
    club.end()
    await living


async def main(port: int, first: int, count: int, rate: float, seconds: float, out: Path) -> None:
    """Play, and write down what was played."""
    tables = [PlainTable(f"table-{number}").write(**PAYLOAD) for number in range(first, first + count)]
    clubs = [PlainTables(port, [table], look_s=LOOK_S, back_s=BACK_S, own_only=True) for table in tables]
    until = time.monotonic() + seconds
    rng = Random(first)
    await asyncio.gather(
        *(
            play(club, table, rate, until, Random(rng.random()))
            for club, table in zip(clubs, tables, strict=True)
        )
    )
    out.write_text(
        json.dumps(
            {
                table.name: {"rows": table.rows, "published": table.published, "confirmed": table.confirmed}
                for table in tables
            }
        )
    )


if __name__ == "__main__":
    _, port, first, count, rate, seconds, out = sys.argv
    asyncio.run(main(int(port), int(first), int(count), float(rate), float(seconds), Path(out)))
