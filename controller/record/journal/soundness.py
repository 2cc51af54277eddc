"""Whether a journal on the disk is whole: its file, its chain, its log and its head."""

from pathlib import Path

from controller.record.journal.copies import rescued_name
from controller.record.journal.head import head_name
from controller.record.journal.journal import (
    DamagedJournalError,
    Journal,
    JournalError,
    Row,
    ShortJournalError,
)
from controller.record.journal.log import count_unreadable, log_name


def newest_copy(journal: Path) -> Path:
    """The file that a journal goes on in: itself, or the last one that it was rescued to."""
    while rescued_name(journal).exists():
        journal = rescued_name(journal)
    return journal


def check_log(journal: Path) -> bool:
    """Look at the write-ahead log before SQLite does; whether the last entry in it was not written whole.

    That is what a power cut leaves of an entry that nobody had been told of.

    Raises:
        DamagedJournalError: if more than that is damaged.
        JournalError: if the log cannot be read.
    """
    try:
        lost = count_unreadable(journal)
    except OSError as error:
        raise JournalError(
            f"{log_name(journal)} cannot be read ({error.strerror}); check the disk, then try again."
        ) from error
    if lost > 1:
        raise DamagedJournalError(
            f"The log of the journal {journal} is damaged: its last {lost} entries cannot be read."
        )
    return lost == 1


def check_journal(journal: Path) -> list[Row]:
    """Read a whole journal and check all that can be checked; its entries. Nothing is changed.

    Raises:
        DamagedJournalError: if the file, the chain or the end of the journal is not as it was written.
        JournalError: if the file cannot be read.
    """
    if not journal.exists() or journal.stat().st_size == 0:
        if head_name(journal).exists() or log_name(journal).exists():
            raise ShortJournalError(f"{journal} is gone, although a match was written there.", None)
        return []
    with Journal(journal, read_only=True) as opened:
        rows = list(opened.rows())
        opened.check_file()
        opened.check_head()
    return rows
