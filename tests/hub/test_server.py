"""The hub as programs and pages see it: tables, entries, states, commands, codes, and the live channel."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from websockets.sync.client import ClientConnection, connect

from controller.club.messages import TableCommand
from controller.hub.hub import Hub
from controller.messages.catalogue import catalogue
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables

PIN = "246810"


@dataclass
class Scene:
    """A hub with a director who has logged in, somebody who has not, and tables."""

    hub: Hub
    said: list[str]
    director: httpx.Client
    anybody: httpx.Client
    tables: PlainTables

    def table(self, name: str) -> dict[str, Any]:
        listed = self.director.get("/api/v1/tables").json()["tables"]
        return next((each for each in listed if each["name"] == name), {})

    def faults(self, name: str) -> list[str]:
        return [each["fault"] for each in self.table(name).get("faults", ())]

    def add(self, name: str, rows: int, run: str = "run-1") -> PlainTable:
        """One more table on the connection."""
        table = PlainTable(name, run).write(rows)
        self.tables.tables.append(table)
        # Kept by the broker, as tables have it: the hub may not listen yet.
        self.tables.say(name, "presence", table.presence(), retain=True)
        return table

    def live(self, who: httpx.Client, query: str = "") -> ClientConnection:
        cookie = "; ".join(f"{name}={value}" for name, value in who.cookies.items())
        address = f"ws{str(self.hub.addresses[0])[4:]}api/v1/hall{query}"
        return connect(address, additional_headers={"Cookie": cookie} if cookie else None, compression=None)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    said: list[str] = []
    with running_hub(tmp_path_factory.mktemp("hub"), said) as hub:
        page = hub.addresses[0]
        with httpx.Client(base_url=page) as director, httpx.Client(base_url=page) as anybody:
            assert director.post("/login", data={"pin": PIN}).status_code == 303
            with PlainTables(hub.service._address.port, []) as tables:
                yield Scene(hub, said, director, anybody, tables)
                assert said == []


def test_entries_are_listed_page_by_page_as_the_table_wrote_them(scene: Scene) -> None:
    table = scene.add("page-1", 250)
    until(lambda: table.confirmed == 250)
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        answer = scene.anybody.get(
            "/api/v1/tables/page-1/events", params={"after": after, "limit": 70}
        ).json()
        if not answer["events"]:
            break
        found += answer["events"]
        after = answer["next"]
    keys = ("id", "match", "utc", "t", "kind", "payload", "chain")
    assert [[event[key] for key in keys] for event in found] == table.rows
    assert [event["number"] for event in found] == list(range(1, 251))
    assert {event["journal"] for event in found} == {table.journal}
    # What a table says of itself comes beside its entries, and may come after the last of them.
    until(lambda: scene.table("page-1")["up"] and scene.table("page-1")["stored"] == 250)
    shown = scene.table("page-1")
    assert (shown["events"], shown["title"]) == (250, "Board page-1")


def test_the_state_is_the_viewers_or_for_the_director_his_own(scene: Scene) -> None:
    scene.add("state-1", 1)
    match = {"light": "Anna", "dark": "Béla", "score": {"light": 2, "dark": 0}, "length": 7}
    told = {
        "screen": {"phase": "to_roll", "match": match, "needs": None},
        "desk": {"phase": "to_roll", "match": match, "needs": [{"id": "m1", "kind": "dispute"}]},
    }
    scene.tables.say("state-1", "state", told)
    until(lambda: scene.table("state-1").get("phase"))
    shown = scene.table("state-1")
    assert shown["players"] == {"light": "Anna", "dark": "Béla"}
    assert shown["matters"] == [{"id": "m1", "kind": "dispute"}]
    for who, params, seen in (
        (scene.director, {}, told["desk"]),
        (scene.director, {"as": "viewer"}, told["screen"]),
        (scene.anybody, {}, told["screen"]),
    ):
        assert who.get("/api/v1/tables/state-1/state", params=params).json()["state"] == seen
    public = scene.anybody.get("/api/v1/tables").json()["tables"]
    assert all(each["matters"] == [] for each in public)


def test_only_the_director_gives_commands_and_codes(scene: Scene) -> None:
    scene.add("closed-1", 1)
    until(lambda: scene.table("closed-1"))
    command = {"id": "abcdefgh", "what": "pause"}
    assert scene.anybody.post("/api/v1/tables/closed-1/commands", json=command).status_code == 401
    assert scene.anybody.post("/api/v1/pairings-code").status_code == 401
    assert scene.director.get("/api/v1/tables/nowhere/events").status_code == 404
    assert scene.director.post("/api/v1/tables/nowhere/commands", json=command).status_code == 404
    nonsense = {"id": "abcdefgh", "what": "nonsense"}
    assert scene.director.post("/api/v1/tables/closed-1/commands", json=nonsense).status_code == 422


def answer_commands(scene: Scene, table: str, answers: list[dict[str, Any]], over: threading.Event) -> None:
    """A table that does whatever it is told, as long as it lives."""
    seen = 0
    while not over.wait(0.01):
        heard = [told for name, what, told in scene.tables.heard if name == table and what == "commands"]
        for told in heard[seen:]:
            answers.append(told)
            scene.tables.say(
                table, "answers", {"id": told["id"], "done": True, "text": "So be it.", "event": 3}
            )
        seen = len(heard)


def test_a_command_goes_out_signed_once_and_is_kept_with_its_answer(scene: Scene) -> None:
    table = scene.add("told-1", 3)
    until(lambda: scene.table("told-1").get("up"))
    got: list[dict[str, Any]] = []
    over = threading.Event()
    answering = threading.Thread(target=answer_commands, args=(scene, "told-1", got, over))
    answering.start()
    command = {"id": "ruling-0001", "what": "ruling", "text": "play on", "seen": 3, "name": "Director D."}
    try:
        answers = [scene.director.post("/api/v1/tables/told-1/commands", json=command) for _ in range(2)]
    finally:
        over.set()
        answering.join()
    assert [each.json() for each in answers] == [{"answer": "done", "event": 3, "text": "So be it."}] * 2
    (told,) = got
    assert told["table"] == "club/told-1"
    assert told["journal"] == table.journal
    assert (told["by"], told["name"], told["seen"]) == ("director", "Director D.", 3)
    assert told["body"] == {"what": "ruling", "text": "play on"}
    assert told["expires"] - told["issued"] == 30_000
    signed = TableCommand.decode(json.dumps(told).encode())
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["key"]))
    key.verify(bytes.fromhex(told["signature"]), signed.text().encode())
    until(lambda: scene.hub.service.store.commands("told-1")[0]["done"])
    (kept,) = scene.hub.service.store.commands("told-1")
    assert (kept["asked_by"], kept["name"], kept["answer"]) == ("director", "Director D.", "So be it.")
    assert kept["signature"] == told["signature"]


def test_a_table_that_is_gone_is_told_nothing_and_that_is_said_and_kept(scene: Scene) -> None:
    table = scene.add("gone-1", 1)
    until(lambda: scene.table("gone-1").get("up"))
    scene.tables.say("gone-1", "presence", table.presence(up=False))
    until(lambda: not scene.table("gone-1")["up"])
    command = {"id": "pause-0001", "what": "pause"}
    answer = scene.director.post("/api/v1/tables/gone-1/commands", json=command)
    assert answer.status_code == 503
    assert answer.json()["detail"] == "Board gone-1 is not connected; nothing was sent."
    again = scene.director.post(
        "/api/v1/tables/gone-1/commands", json=command, headers={"Accept-Language": "hu"}
    )
    assert again.json()["detail"] == catalogue("hu").text("hall", "ask", "away", table="Board gone-1")
    until(lambda: scene.hub.service.store.commands("gone-1")[0]["done"] is False)


def test_the_time_is_told_to_a_table_that_asks(scene: Scene) -> None:
    scene.add("clock-1", 1)
    asked = time.time_ns() // 1_000_000 - 3_600_000
    for _ in range(3):
        scene.tables.say("clock-1", "asked-time", {"asked": asked})
    until(lambda: [told for name, what, told in scene.tables.heard if (name, what) == ("clock-1", "time")])
    told = next(told for name, what, told in scene.tables.heard if (name, what) == ("clock-1", "time"))
    assert told["asked"] == asked
    assert abs(told["received"] - asked - 3_600_000) < 60_000
    assert told["received"] <= told["sent"]
    until(lambda: scene.faults("clock-1") == ["clock"])


def test_a_gap_is_not_stored_and_answered_with_what_is_there(scene: Scene) -> None:
    table = scene.add("gap-1", 3)
    until(lambda: table.confirmed == 3)
    later = PlainTable("gap-1")
    later.rows = [*table.rows]
    later.write(4)
    count = len(scene.tables.heard)
    scene.tables.say("gap-1", "events", later.part(6, 7))
    until(lambda: any(name == "gap-1" for name, _, _ in scene.tables.heard[count:]))
    assert scene.tables.heard[-1][2]["upto"] == 3
    assert len(scene.hub.service.events("gap-1")) == 3


def test_a_fork_is_told_by_its_name_and_stored_beside(scene: Scene) -> None:
    table = scene.add("fork-1", 5)
    until(lambda: table.confirmed == 5)
    other = PlainTable("fork-1")
    other.rows = [*table.rows[:3]]
    other.write(4, other=True)
    scene.tables.say("fork-1", "events", other.part(4, 7))
    until(lambda: scene.faults("fork-1") == ["other_chain"])
    (fault,) = scene.table("fork-1")["faults"]
    assert fault["arguments"] == {"journal": table.journal, "event": "4"}
    assert [list(event.row) for event in scene.hub.service.events("fork-1")] == table.rows
    assert len(scene.hub.service.store.contradictions("fork-1")) == 4
    # The table hears of it a moment later than the pages.
    heard = scene.tables.heard
    until(lambda: [told["fault"] for name, _, told in heard if name == "fork-1"][-1] == "other_chain")


def test_two_tables_with_one_name_are_told_by_it(scene: Scene) -> None:
    one = scene.add("twice-1", 2, run="one")
    two = PlainTable("twice-1", run="two").write(2, other=True)
    until(lambda: one.confirmed == 2)
    scene.tables.say("twice-1", "presence", two.presence())
    scene.tables.say("twice-1", "presence", one.presence())
    until(lambda: scene.faults("twice-1") == ["two_tables"])


UNREADABLE: dict[str, tuple[str, object]] = {
    "no JSON": ("events", b"\xff\xfe"),
    "a list": ("presence", [1]),
    "half a character": ("presence", b'{"up": true, "name": "\\ud800"}'),
    "a sign that ends texts": ("presence", b'{"up": true, "name": "\\u0000"}'),
    "no rows": ("events", {"journal": "0" * 16, "before": ""}),
    "an entry without a number": (
        "events",
        b'{"journal": "0123456789abcdef", "before": "", "rows": [["1", "1", "u", NaN, "k", "{}", "c"]]}',
    ),
    "a journal as none is called": ("presence", {"up": True, "journals": {"x": 1}}),
    "a state that is none": ("state", [1, 2]),
    "a state whose screen is none": ("state", {"screen": "dark", "desk": None}),
    "needs that are none": ("state", {"desk": {"needs": ["m"]}}),
    "a need at a turn that is none": (
        "state",
        {"desk": {"needs": [{"kind": "dispute", "turn": {"game": "1"}}]}},
    ),
    "a clock that does not say how late it is": ("state", {"screen": {"clock": {"runs": "light"}}}),
    "a clock of more seconds than any number has": (
        "state",
        {"screen": {"clock": {"runs": "light", "at_ms": 10**400, "light_s": 1, "delay_s": 0}}},
    ),
    "lists in lists that nobody can read": ("state", b"[" * 30_000),
    "lists in lists that nobody can write": (
        "state",
        b'{"screen": {"room": "playing", "more": ' + b"[" * 970 + b"]" * 970 + b"}}",
    ),
    "a number that no page reads": ("state", b'{"screen": {"more": [NaN]}}'),
    "an endless number": ("state", b'{"desk": {"more": {"x": 1e999}}}'),
    "half a character in a state": ("state", b'{"screen": {"more": [["\\ud83c"]]}}'),
    "half a character in a word of a state": ("state", b'{"screen": {"\\ud83c": 1}}'),
    "a room that is none": ("state", {"desk": {"room": ["ready"]}}),
    "an answer without its command": ("answers", {"done": True}),
    "a question without a time": ("asked-time", {}),
    "entries before the first": (
        "events",
        {"journal": "0" * 16, "before": "", "rows": [[0, "1", "u", 0.5, "k", "{}", "c"]]},
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_is_told_and_disturbs_nobody(scene: Scene, what: str) -> None:
    name = f"odd-{list(UNREADABLE).index(what)}"
    topic, message = UNREADABLE[what]
    scene.tables.say(name, topic, message)
    until(lambda: "unreadable" in scene.faults(name))
    table = scene.add(name, 2)
    until(lambda: table.confirmed == 2)


def test_a_forged_entry_is_not_stored(scene: Scene) -> None:
    table = scene.add("forged-1", 2)
    until(lambda: table.confirmed == 2)
    forged = PlainTable("forged-1")
    forged.rows = [*table.rows]
    forged.write(2)
    forged.rows[2][5] = '{"n":3,"forged":true}'
    scene.tables.say("forged-1", "events", forged.part(3, 4))
    until(lambda: "unreadable" in scene.faults("forged-1"))
    assert len(scene.hub.service.events("forged-1")) == 2
    named = PlainTable("forged-1").write(1, other=True).part(1, 1)
    scene.tables.say("forged-1", "events", {**named, "journal": "f" * 16})
    table.write()
    until(lambda: table.confirmed == 3)
    assert len(scene.hub.service.events("forged-1")) == 3


def test_the_live_channel_tells_everything_and_then_each_change(scene: Scene) -> None:
    table = scene.add("live-1", 1)
    until(lambda: scene.table("live-1").get("stored") == 1)
    # The channel tells all pages the same, which is made anew a moment after something changes.
    until(lambda: "live-1" in tables_told(scene))
    with scene.live(scene.director) as director, scene.live(scene.anybody) as anybody:
        first = [json.loads(each.recv(30)) for each in (director, anybody)]
        assert [each["kind"] for each in first] == ["hall", "hall"]
        assert [each["name"] for each in first[0]["tables"]] == [
            each["name"] for each in scene.director.get("/api/v1/tables").json()["tables"]
        ]
        table.write(1)
        while (stored := await_change(director, "live-1")["set"]["stored"]) == 1:
            pass  # what was stored when the channel opened may be told once more
        assert stored == 2
        state = {
            "screen": {"phase": "to_roll", "needs": None},
            "desk": {"phase": "to_roll", "needs": [{"id": "m"}]},
        }
        scene.tables.say("live-1", "state", state)
        assert await_change(director, "live-1", "phase")["screen"] == state["desk"]
        seen = await_change(anybody, "live-1", "phase")
        assert seen["screen"] == {"phase": "to_roll"}
        assert "matters" not in seen["set"]


def tables_told(scene: Scene) -> list[str]:
    """The names of the tables that the live channel tells who comes now."""
    with scene.live(scene.director) as channel:
        return [each["name"] for each in json.loads(channel.recv(30))["tables"]]


def await_change(channel: ClientConnection, table: str, key: str = "stored") -> dict[str, Any]:
    """The next message about a key of a table. Beats go on for ever, so that the time has to be looked at."""
    until_s = time.monotonic() + 120
    while time.monotonic() < until_s:
        message: dict[str, Any] = json.loads(channel.recv(30))
        for each in message.get("tables", ()):
            if message["kind"] == "tables" and each["name"] == table and key in each["set"]:
                found: dict[str, Any] = each
                return found
    raise AssertionError(f"nothing was told of {key} of {table}")


def test_a_code_lets_one_table_in_once(scene: Scene) -> None:
    shown = scene.director.post("/api/v1/pairings-code").json()
    assert shown["left_s"] == 300
    asked = {"code": shown["code"], "table": "table-9"}
    answer = scene.anybody.post("/api/v1/pair", json=asked)
    assert answer.json() == {
        "club": "club",
        "table": "table-9",
        "host": "127.0.0.1",
        "port": scene.hub.service._address.port,
        "user": "",
        "password": "",
        "authority": "",
        "hub_key": scene.hub.service._commands._key.public,
    }
    again = scene.anybody.post("/api/v1/pair", json=asked)
    assert (again.status_code, again.json()["detail"]) == (
        403,
        "No code is shown at the hub now; have the director show one.",
    )


@pytest.mark.parametrize(("name", "status"), [("Table 9", 422), ("hub", 403), ("", 422)])
def test_a_table_that_cannot_be_called_so_is_not_let_in_and_the_code_still_holds(
    scene: Scene, name: str, status: int
) -> None:
    code = scene.director.post("/api/v1/pairings-code").json()["code"]
    assert scene.anybody.post("/api/v1/pair", json={"code": code, "table": name}).status_code == status
    assert scene.anybody.post("/api/v1/pair", json={"code": code, "table": "fine"}).status_code == 200


def test_the_page_of_the_store_is_there_after_a_restart(tmp_path: Path) -> None:
    table = PlainTable("again-1").write(4)
    with running_hub(tmp_path) as hub, PlainTables(hub.service._address.port, [table]) as tables:
        until(tables.are_confirmed)
    with running_hub(tmp_path) as hub:
        listed = httpx.get(f"{hub.addresses[0]}api/v1/tables").json()["tables"]
        assert [(each["name"], each["title"], each["up"]) for each in listed] == [
            ("again-1", "Board again-1", False)
        ]
        assert len(hub.service.events("again-1")) == 4
