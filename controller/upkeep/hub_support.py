"""What somebody needs who is to help a hub from afar: its log, its defects, and what they came of."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from controller import __version__
from controller.hub.folder import STORE, TOURNAMENT
from controller.hub.hall import StoredEvent
from controller.hub.store import HubStore
from controller.hub.stored_match import payload_of
from controller.logs.log import DEFECT_FILE
from controller.record.journal.copies import CopyError, copy_database
from controller.record.journal.journal import JournalError
from controller.record.match.history import MATCH
from controller.record.table.destination import refuse_loss
from controller.upkeep.archive import archive_at
from controller.upkeep.hub_backup import require_hub
from controller.upkeep.names import stand_ins, without_names
from controller.upkeep.repeated_hub import entry_line
from controller.upkeep.repeated_table import read_defects
from controller.upkeep.support import ENTRIES, FACTS, log_texts, versions_text, without_secrets

MOST: Final = 20_000
"""This many entries of one match are packed."""


def write_hub_support(
    folder: Path,
    out: Path,
    *,
    now_s: float,
    made: str,
    ask: Callable[[Sequence[str]], str | None],
    names: bool = False,
) -> list[str]:
    """Pack what helps to find a fault of a hub; it may run meanwhile. Which files are in it.

    Entries are packed only of the matches in which a defect came.

    Args:
        folder: the hub's.
        out: the archive to write.
        now_s: now, in seconds since 1970.
        made: the time of day for people, ISO 8601 in UTC.
        ask: runs a program that tells the log; None if there is none.
        names: leave the names of people in; otherwise something stands for each.

    Raises:
        ArchiveError: if it cannot be written, or there is no hub.
        UserError: if something would be lost with what is there.
    """
    refuse_loss(out)
    require_hub(folder)
    texts = dict(log_texts(folder, ask))
    tournament = folder / TOURNAMENT
    if tournament.is_file():
        texts[TOURNAMENT] = tournament.read_text("utf-8", "replace")
    entries, people = _entries(folder, texts.get(DEFECT_FILE, ""))
    if entries:
        texts[ENTRIES] = entries
    people |= set(_names_in(texts.get(TOURNAMENT, "")))
    # A message at which the hub failed is stored nowhere.
    people |= {
        name
        for each in read_defects(texts.get(DEFECT_FILE, ""))
        for name in _players_in(str(each.task.get("payload", "")))
    }
    told = {} if names else stand_ins(people, ("Light", "Dark"))
    with archive_at(out, now_s) as archive:
        archive.add("versions.json", versions_text().encode())
        for name, text in texts.items():
            archive.add(name, without_secrets(without_names(text, told)).encode())
        inside = [each.name for each in archive.packed]
        archive.close({"made": made, "names": names, "version": __version__})
    return inside


def _entries(folder: Path, defects: str) -> tuple[str, set[str]]:
    """All tables, with the entries of matches in which a defect came; and the players of all matches."""
    if not (folder / STORE).is_file():
        return "", set()
    wanted = {tuple(each.task["record"]) for each in read_defects(defects) if "record" in each.task}
    lines, people = list[str](), set[str]()
    with TemporaryDirectory(prefix="pointsman-") as aside, suppress(CopyError):
        copy = Path(aside) / STORE
        copy_database(folder / STORE, copy)
        with HubStore(str(copy), now_ms=lambda: 0, told=lambda _: None, say=lambda _: None) as store:
            for table in store.tables():
                lines.append(json.dumps({"table": table.name}))
                for journal in store.journals(table.name, most=MOST):
                    people |= set(_players(store.events(table.name, journal=journal, most=20)))
                    if (table.name, journal) in wanted:
                        found = store.events(table.name, journal=journal, most=MOST)
                        lines += [entry_line(table.name, each) for each in found]
    return "".join(f"{line}\n" for line in lines), people


def _players(stored: Sequence[StoredEvent]) -> Iterator[str]:
    for each in stored:
        if each.row[4] == MATCH:
            with suppress(JournalError):
                told = payload_of(each)
                yield from (str(told[fact]) for fact in FACTS if told.get(fact))


def _players_in(value: Any) -> Iterator[str]:
    """The players that a message of a table tells, in its state or in its entries, which are JSON in JSON."""
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            inner = json.loads(value)
            yield from () if isinstance(inner, str) else _players_in(inner)
    elif isinstance(value, dict):
        yield from (value[fact] for fact in FACTS if isinstance(value.get(fact), str))
        for each in value.values():
            yield from _players_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _players_in(each)


def _names_in(text: str) -> Iterator[str]:
    """Whatever a tournament's file calls a name."""
    for line in text.splitlines():
        with suppress(ValueError):
            yield from _named(json.loads(line))


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("name"), str):
            yield value["name"]
        for each in value.values():
            yield from _named(each)
    elif isinstance(value, list):
        for each in value:
            yield from _named(each)
