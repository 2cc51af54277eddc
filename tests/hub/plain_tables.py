"""Tables that speak MQTT and nothing else: written apart from the product, to hold the hub against.

Each keeps its entries in memory, sends from the one after the last confirmed, and goes back when nothing moves.
"""

import asyncio
import contextlib
import hashlib
import json
import socket
import threading
import time
from types import TracebackType
from typing import Any, Self

import aiomqtt

from controller.club.mqtt import PromptClient

Row = list[Any]
TOGETHER = 25
MOST_ON_THE_WAY = 256
BACK_S = 0.7
HEARD = ("confirmed", "commands", "time")


def chained(before: str, number: int, kind: str = "turn", **payload: Any) -> Row:
    """An entry that follows on another one, as the page of the record says that it is chained."""
    text = json.dumps({"n": number, **payload}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    entry = [
        number,
        "1",
        f"2026-11-22T20:{number // 60 % 60:02d}:{number % 60:02d}+00:00",
        number / 8,
        kind,
        text,
    ]
    chain = hashlib.sha256(json.dumps([before, *entry], ensure_ascii=False).encode()).hexdigest()
    return [*entry, chain]


class PlainTable:
    """One table.

    Attributes:
        rows: its journal.
        confirmed: how much of it the hub says it has.
        fault: what the hub says is wrong.
        published: when each entry was sent first, seconds of the machine's monotonic clock.
    """

    def __init__(self, name: str, run: str = "run-1") -> None:
        self.name, self.run = name, run
        self.rows: list[Row] = []
        self.confirmed, self.fault, self.sent = 0, "", 0
        self.moved = 0.0
        self.published: list[float] = []

    def write(self, count: int = 1, **payload: Any) -> Self:
        """More entries."""
        for _ in range(count):
            before = self.rows[-1][-1] if self.rows else ""
            self.rows.append(chained(before, len(self.rows) + 1, table=self.name, **payload))
        return self

    @property
    def journal(self) -> str:
        return str(self.rows[0][-1][:16])

    def part(self, first: int, last: int) -> dict[str, Any]:
        """The message with the entries of these numbers."""
        before = self.rows[first - 2][-1] if first > 1 else ""
        return {"journal": self.journal, "before": before, "rows": self.rows[first - 1 : last]}

    def presence(self, *, up: bool = True) -> dict[str, Any]:
        journals = {self.journal: len(self.rows)} if self.rows else {}
        journal = self.journal if self.rows else ""
        return {
            "up": up,
            "version": "1",
            "journal": journal,
            "journals": journals,
            "name": f"Board {self.name}",
            "run": self.run,
        }


class PlainTables:
    """Several tables on one connection, in a thread; whatever breaks, they come back.

    They hear what is said to any table, also to those that are added later; with `own_only` just what is said to
    them: two hundred connections that all hear everything choke on it.

    Attributes:
        heard: everything that came for a table, by its topic's last word.
    """

    def __init__(
        self,
        port: int,
        tables: list[PlainTable],
        club: str = "club",
        *,
        look_s: float = 0.01,
        back_s: float = BACK_S,
        own_only: bool = False,
    ) -> None:
        self.port, self.tables, self.club = port, tables, club
        self._look_s, self._back_s, self._own_only = look_s, back_s, own_only
        self.heard: list[tuple[str, str, dict[str, Any]]] = []
        self._stop = threading.Event()
        self._client: aiomqtt.Client | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._loop.close()

    def say(self, table: str, what: str, message: object, *, retain: bool = False) -> None:
        """Say anything, once, when there is a connection."""
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()

        async def speak() -> None:
            while self._client is None:
                await asyncio.sleep(0.02)
            await self._client.publish(self._topic(table, what), payload, qos=1, retain=retain)

        asyncio.run_coroutine_threadsafe(speak(), self._loop).result(60)

    async def say_now(self, table: str, what: str, message: object) -> None:
        """Say something once, if there is a connection; for whoever runs `live` in a loop of his own."""
        if self._client is not None:
            with contextlib.suppress(aiomqtt.MqttError):
                await self._client.publish(self._topic(table, what), json.dumps(message), qos=0, retain=True)

    def are_confirmed(self) -> bool:
        return all(table.confirmed == len(table.rows) for table in self.tables)

    def _topic(self, table: str, what: str) -> str:
        return f"pointsman/1/{self.club}/{table}/{what}"

    def end(self) -> None:
        """Leave; for whoever runs `live` in a loop of his own."""
        self._stop.set()

    def _run(self) -> None:
        self._loop.run_until_complete(self.live())

    async def live(self) -> None:
        """Be there, and come back, until it is ended."""
        while not self._stop.is_set():
            try:
                async with PromptClient(
                    "127.0.0.1",
                    self.port,
                    protocol=aiomqtt.ProtocolVersion.V5,
                    timeout=60,
                    clean_start=True,
                    socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
                ) as client:
                    await self._speak(client)
            except aiomqtt.MqttError:
                self._client = None
                await asyncio.sleep(0.05)
        self._client = None

    async def _speak(self, client: aiomqtt.Client) -> None:
        for name in [table.name for table in self.tables] if self._own_only else ["+"]:
            await client.subscribe([(self._topic(name, what), 1) for what in HEARD])
        for table in self.tables:
            table.sent, table.moved = table.confirmed, time.monotonic()
            await client.publish(
                self._topic(table.name, "presence"), json.dumps(table.presence()), qos=1, retain=True
            )
        self._client = client
        works = [asyncio.create_task(work) for work in (self._hear(client), self._send_all(client))]
        try:
            # What is being sent when the connection breaks would wait for its answer.
            await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._client = None
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    async def _send_all(self, client: aiomqtt.Client) -> None:
        while not self._stop.is_set():
            for table in self.tables:
                await self._send(client, table)
            await asyncio.sleep(self._look_s)

    async def _send(self, client: aiomqtt.Client, table: PlainTable) -> None:
        if table.fault:
            return
        if table.sent > table.confirmed and time.monotonic() - table.moved > self._back_s:
            table.sent, table.moved = table.confirmed, time.monotonic()
        last = min(len(table.rows), table.sent + TOGETHER, table.confirmed + MOST_ON_THE_WAY)
        if last > table.sent:
            if table.sent == table.confirmed:
                table.moved = time.monotonic()
            part = table.part(table.sent + 1, last)
            table.sent = last
            table.published += [time.monotonic()] * (last - len(table.published))
            await client.publish(self._topic(table.name, "events"), json.dumps(part), qos=1)

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            *_, name, what = str(message.topic).split("/")
            told = json.loads(message.payload)
            self.heard.append((name, what, told))
            table = next((each for each in self.tables if each.name == name), None)
            if what == "confirmed" and table is not None and table.rows and told["journal"] == table.journal:
                table.fault = told["fault"]
                if not table.fault:
                    if told["upto"] > table.confirmed:  # else what it lacks is still to be sent again
                        table.moved = time.monotonic()
                    table.confirmed = told["upto"]
                    table.sent = max(table.sent, table.confirmed)
