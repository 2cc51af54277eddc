"""What is wrong with a journal that can still be read, in sentences; nothing is changed."""

from pathlib import Path

from controller.record.journal.journal import DamagedJournalError, Journal, JournalError
from controller.record.journal.soundness import check_log
from controller.record.table.match_folder import EVENTS, JOURNAL, NAME
from controller.record.table.trace import count_missing


def list_doubts(journal: Path) -> list[str]:
    """What a reader must know before relying on a journal: damage, a missing end, turns that only the lines tell.

    Its log, file, chain and head are checked, and the lines beside it if it is that of a match folder. Empty if all
    is well.

    Raises:
        JournalError: if nothing in it can be read.
    """
    doubts: list[str] = []
    try:
        check_log(journal)
    except DamagedJournalError as damage:
        doubts.append(str(damage))
    with Journal(journal, read_only=True) as opened:
        for check in (opened.check_file, opened.verify, opened.check_head):
            try:
                check()
            except DamagedJournalError as damage:
                doubts.append(str(damage))
        if (lacking := _turns_missing(opened)) is not None:
            doubts.append(lacking)
    return list(dict.fromkeys(doubts))


def _turns_missing(journal: Journal) -> str | None:
    """That the lines of a match folder tell of more than its journal."""
    if journal.path.stem.split(".")[0] != Path(JOURNAL).stem:
        return None
    lines = journal.path.with_name(EVENTS)
    try:
        missing = count_missing(lines, journal.events(NAME))
    except (OSError, JournalError):
        return None
    if not missing:
        return None
    noun = "turn or result" if missing == 1 else "turns or results"
    return f"{lines} tells of {missing} {noun} that {journal.path} lacks; compare the two."
