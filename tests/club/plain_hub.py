"""A hub written apart from the product: keeps entries in a dict, and confirms what it has."""

import asyncio
import contextlib
import hashlib
import json
import time
from typing import Any

import aiomqtt

Key = tuple[str, str]
"""Table and journal."""


class PlainHub:
    """Stores what tables send. `rows` outlives `run`, as a disk would."""

    def __init__(
        self, port: int, club: str = "club", user: str = "", password: str = "", clock_ms: int = 0
    ) -> None:
        self.rows: dict[Key, list[list[Any]]] = {}
        self.faults: set[Key] = set()
        self.strange: list[str] = []
        self.presence: dict[str, dict[str, Any]] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.deaf = False
        self.connected = asyncio.Event()
        self._port, self._root, self._clock_ms = port, f"pointsman/1/{club}", clock_ms
        self._user, self._password = user or None, password or None
        self._client: aiomqtt.Client | None = None

    async def run(self) -> None:
        while True:
            with contextlib.suppress(aiomqtt.MqttError):
                async with aiomqtt.Client(
                    "127.0.0.1",
                    self._port,
                    identifier="plain-hub",
                    protocol=aiomqtt.ProtocolVersion.V5,
                    max_queued_incoming_messages=10_000,
                    username=self._user,
                    password=self._password,
                ) as client:
                    self._client = client
                    await client.subscribe(f"{self._root}/#", qos=1)
                    self.connected.set()
                    async for message in client.messages:
                        _, _, _, table, what = str(message.topic).split("/")
                        assert isinstance(message.payload, bytes)
                        await self._take(table, what, message.payload)
            self.connected.clear()
            await asyncio.sleep(0.05)

    async def command(self, table: str, message: dict[str, Any]) -> None:
        assert self._client is not None
        topic = f"{self._root}/{table}/commands"
        await self._client.publish(topic, json.dumps(message, ensure_ascii=False).encode(), qos=1)

    async def say(self, table: str, what: str, message: dict[str, Any]) -> None:
        assert self._client is not None
        await self._client.publish(f"{self._root}/{table}/{what}", json.dumps(message).encode(), qos=1)

    async def _take(self, table: str, what: str, payload: bytes) -> None:
        if self.deaf or not payload:
            return
        message = json.loads(payload)
        if what == "presence":
            self.presence[table] = message
            for journal in message["journals"]:
                await self._confirm(table, journal)
        elif what == "state":
            self.states[table] = message
        elif what == "answers":
            self.answers[message["id"]] = message
        elif what == "asked-time":
            now = time.time_ns() // 1_000_000 + self._clock_ms
            await self.say(table, "time", {"asked": message["asked"], "received": now, "sent": now})
        elif what == "events":
            self._store(table, message)
            await self._confirm(table, message["journal"])

    def _store(self, table: str, part: dict[str, Any]) -> None:
        key, before = (table, part["journal"]), part["before"]
        kept = self.rows.setdefault(key, [])
        for row in part["rows"]:
            number, chain = row[0], row[-1]
            text = json.dumps([before, *row[:-1]], ensure_ascii=False)
            if hashlib.sha256(text.encode()).hexdigest() != chain:
                self.strange.append(f"{key}: entry {number} does not fit its chain")
                return
            if number <= len(kept):
                if kept[number - 1][-1] != chain:
                    self.faults.add(key)
            elif number == len(kept) + 1 and before == (kept[-1][-1] if kept else ""):
                kept.append(row)
            elif number == len(kept) + 1:
                self.faults.add(key)
            before = chain

    async def _confirm(self, table: str, journal: str) -> None:
        kept = self.rows.get((table, journal), [])
        fault = "other_chain" if (table, journal) in self.faults else ""
        said = {"journal": journal, "upto": len(kept), "chain": kept[-1][-1] if kept else "", "fault": fault}
        await self.say(table, "confirmed", said)
