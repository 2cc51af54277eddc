"""Tables with an entry that no hub can keep, and what becomes of their journals at one."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from controller.hub.hub import Hub
from tests.hub.hubs import until
from tests.hub.plain_tables import PlainTable, PlainTables, Row, chained

BEFORE, AFTER = 4, 60
"""Entries of such a journal before the strange one and after it."""


def _with(place: int, value: Any) -> Callable[[str, int], Row]:
    """An entry with another value in one place, its chain made over that."""

    def make(before: str, number: int) -> Row:
        row = chained(before, number)[:-1]
        row[place] = value
        text = json.dumps([before, *row], ensure_ascii=False).encode("utf-8", "surrogatepass")
        return [*row, hashlib.sha256(text).hexdigest()]

    return make


STRANGE: dict[str, tuple[str, Callable[[str, int], Row]]] = {
    "the character NUL in a payload": ("characters", _with(5, "a\0b")),
    "the character NUL in a match": ("characters", _with(1, "\0")),
    "half a character in a kind": ("characters", _with(4, "turn\ud83c")),
    "a time that is endless": ("form", _with(3, float("inf"))),
    "a time that is no number": ("form", _with(3, float("nan"))),
    "a time that is a text": ("form", _with(3, "soon")),
    "a payload that is no text": ("form", _with(5, {"n": 1})),
    "more bytes than any hub takes": ("size", _with(5, "é" * 300_000)),
}
"""Of each kind of strange entry why a hub refuses it, and what makes one."""


def strange_table(name: str, make: Callable[[str, int], Row]) -> PlainTable:
    """A table whose fifth entry is strange, with more entries behind it."""
    table = PlainTable(name).write(BEFORE)
    table.rows.append(make(table.rows[-1][-1], BEFORE + 1))
    return table.write(AFTER)


def check_refusal(hub: Hub, name: str) -> None:
    """One strange entry is named to its table and to the director; all before it, and all of others, is stored."""
    flaw, make = STRANGE[name]
    strange, other = strange_table("strange", make), PlainTable("other").write(90)
    assert hub.broker is not None
    with PlainTables(hub.broker.address.port, [strange, other]) as tables:
        until(lambda: strange.fault and other.confirmed == len(other.rows))
        told = [said for table, what, said in tables.heard if table == "strange" and what == "confirmed"]
        until(lambda: next(each for each in hub.service.tables() if each.name == "strange").faults)
        shown = next(each for each in hub.service.tables() if each.name == "strange")
    refused = {"entry": BEFORE + 1, "why": flaw}
    assert (told[-1]["upto"], told[-1]["fault"], told[-1]["refused"]) == (BEFORE, "entry_refused", refused)
    assert {each["upto"] for each in told} <= set(range(BEFORE + 1))
    assert [(str(each.fault), each.arguments) for each in shown.faults] == [
        ("entry_refused", {"journal": strange.journal, "event": str(BEFORE + 1), "why": flaw})
    ]
    assert [list(event.row) for event in hub.service.events("strange")] == strange.rows[:BEFORE]
    assert [list(event.row) for event in hub.service.events("other")] == other.rows
    assert hub.service.troubles() == ()
