"""A table's journal from the hub's store, the same to the last chain: for analysis, export and disputes."""

import json
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.hub.hall import Hall
from controller.record.journal.journal import Draft, Journal

AT_ONCE: Final = 1000


class JournalCopyError(UserError):
    """A journal that the hub does not have whole."""


def copy_journal(hall: Hall, table: str, journal: str, path: Path) -> int:
    """Write a journal of a table as a file that every command reads; the number of its entries.

    Args:
        hall: the hub's tables.
        table: its name.
        journal: the name of the match.
        path: the new file; its folder is there.

    Raises:
        JournalCopyError: if nothing of it is stored, or a copy would not be the same.
        UserError: if the store cannot be read or the file not be written.
    """
    copied, number = 0, 0
    with Journal(path) as copy:
        while stored := hall.events(table, after=number, journal=journal, most=AT_ONCE):
            drafts = [
                Draft(match, kind, json.loads(payload), utc, t)
                for _, match, utc, t, kind, payload, _ in (each.row for each in stored)
            ]
            written = copy.append_all(drafts)
            if [each.chain for each in written] != [each.row[-1] for each in stored]:
                raise JournalCopyError(
                    f"The journal {journal} of {table} is not in the store as it was sent; use the table's own."
                )
            copied, number = copied + len(stored), stored[-1].number
    if not copied:
        raise JournalCopyError(
            f"Nothing of the journal {journal} of {table} is stored here; name another one."
        )
    return copied
