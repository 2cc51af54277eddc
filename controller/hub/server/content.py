"""A table of the hall as plain values, as one role may see it."""

from collections.abc import Mapping
from typing import Any

from controller.hub.hall import HubTrouble, Snapshot, StoredEvent, TableFaultSeen, TableShown
from controller.record.journal.journal import Json
from controller.web.table_service import Role


def table_content(table: TableShown, role: Role) -> dict[str, Json]:
    """What programs and pages get of a table; what needs the director is for the director alone."""
    screen = screen_of(table, role)
    match = _object(screen, "match")
    director = role is Role.DIRECTOR
    needs = None if table.desk is None else table.desk.get("needs")
    return {
        "name": table.name,
        "title": table.title,
        "up": table.up,
        "heard_ms": table.heard_ms,
        "journal": table.journal,
        "events": max(table.told, table.events),
        "stored": table.events,
        "phase": None if screen is None else screen.get("phase"),
        "players": {side: match.get(side) for side in ("light", "dark")} if match else None,
        "score": match.get("score") if match else None,
        "length": match.get("length") if match else None,
        "faults": [fault_content(each) for each in table.faults],
        "matters": needs if director and isinstance(needs, list) else [],
        "version": table.version,
        "pages": table.pages if director else "",
        "since_ms": table.since_ms,
    }


def screen_of(table: TableShown, role: Role) -> Snapshot | None:
    """The state of a table's screen for somebody."""
    return table.desk if role is Role.DIRECTOR and table.desk is not None else table.screen


def fault_content(fault: TableFaultSeen) -> dict[str, Json]:
    """A fault as plain values."""
    return {"fault": str(fault.fault), "since_ms": fault.since_ms, "arguments": dict(fault.arguments)}


def trouble_content(trouble: HubTrouble) -> dict[str, Json]:
    """What is wrong with the hub, as plain values."""
    return {"fault": str(trouble.fault), "since_ms": trouble.since_ms, "reason": trouble.reason}


def event_content(event: StoredEvent) -> dict[str, Json]:
    """A stored entry as plain values; its payload as the text that its chain is made over."""
    number, match, utc, t, kind, payload, chain = event.row
    return {
        "number": event.number,
        "journal": event.journal,
        "id": number,
        "chain": chain,
        "match": match,
        "utc": utc,
        "t": t,
        "kind": kind,
        "payload": payload,
        "stored_ms": event.stored_ms,
    }


def _object(snapshot: Snapshot | None, name: str) -> Mapping[str, Any]:
    value = None if snapshot is None else snapshot.get(name)
    return value if isinstance(value, dict) else {}
