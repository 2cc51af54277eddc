"""What is wrong with a journal that can still be read, in sentences; nothing is changed."""

from pathlib import Path

from controller.record.evidence.named import named_pictures, naming_fault
from controller.record.journal.head import head_name, read_head
from controller.record.journal.journal import DamagedJournalError, Journal, JournalError
from controller.record.journal.soundness import check_log
from controller.record.match.history import INPUT, TURN
from controller.record.table.match_folder import EVENTS, NAME, is_of_folder
from controller.record.table.trace import count_missing, ends_alike


def list_doubts(journal: Path) -> list[str]:
    """What a reader must know before relying on a journal: damage, a missing end, turns that only the lines tell.

    Its log, file, chain and head are checked, how it names its pictures, and the lines beside it if it is that of a
    match folder. Empty if all is well.

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
        doubts += filter(None, (_turns_missing(opened), _pictures_named_wrongly(opened)))
    return list(dict.fromkeys(doubts))


def list_gaps(journal: Path) -> list[str]:
    """Traces that are not there, so that what they would show does not show; sentences, none of which is a doubt."""
    gaps: list[str] = []
    if read_head(journal) is None:
        state = "cannot be read" if head_name(journal).exists() else "is missing"
        gaps.append(f"{head_name(journal)} {state}: if events were missing at the end, it would not show.")
    if is_of_folder(journal) and (gap := _gap_of_lines(journal)):
        gaps.append(gap)
    return gaps


def _gap_of_lines(journal: Path) -> str | None:
    """That the lines of a match folder are missing, or tell of less than its journal."""
    lines = journal.with_name(EVENTS)
    with Journal(journal, read_only=True) as opened:
        try:
            if ends_alike(lines, opened.events(NAME, without=INPUT)):
                return None
        except FileNotFoundError:
            turns = any(event.kind == TURN for event in opened.events(NAME, without=INPUT))
            missing = f"{lines} is missing: if it told of turns that the journal lacks, it would not show."
            return missing if turns else None
        except (OSError, JournalError):
            return f"{lines} cannot be read: if it told of turns that the journal lacks, it would not show."
    return f"{lines} does not tell of the last turn in the journal: it was cut, or belongs to another match."


def _pictures_named_wrongly(journal: Journal) -> str | None:
    """That the journal names pictures as no table does."""
    try:
        return naming_fault(named_pictures(journal.events(without=INPUT)), journal.path)
    except JournalError:
        return None


def _turns_missing(journal: Journal) -> str | None:
    """That the lines of a match folder tell of more than its journal."""
    if not is_of_folder(journal.path):
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
