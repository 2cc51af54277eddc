"""A table's journal from the hub's store, the same to the last chain: for analysis, export and disputes."""

from pathlib import Path

from controller.errors import UserError
from controller.hub.hall import Hall
from controller.hub.stored_match import journal_events, payload_of
from controller.record.journal.journal import Draft, Journal


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
    stored = journal_events(hall, table, journal)
    with Journal(path) as copy:
        written = copy.append_all(
            Draft(match, kind, payload_of(each), utc, t)
            for each in stored
            for _, match, utc, t, kind, _, _ in (each.row,)
        )
    if [each.chain for each in written] != [each.row[-1] for each in stored]:
        raise JournalCopyError(
            f"The journal {journal} of {table} is not in the store as it was sent; use the table's own."
        )
    if not stored:
        raise JournalCopyError(
            f"Nothing of the journal {journal} of {table} is stored here; name another one."
        )
    return len(stored)
