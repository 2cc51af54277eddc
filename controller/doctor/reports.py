"""What the electronics reported in the newest match, as its journal tells."""

from collections import Counter

from controller.config.config import Config
from controller.doctor.finding import Finding, absent, ok, warn
from controller.messages.table_words import trouble_words
from controller.record.journal.journal import Journal, JournalError
from controller.record.match.history import INPUT
from controller.record.table.match_folder import NAME
from controller.record.table.sequence import match_journals
from controller.referee import Message


def reports(config: Config) -> Finding:
    """Whether the electronics restarted, lost something or refused something; the remedy is that of the last time."""
    name, found = "board's reports", match_journals(config.record_folder())
    if not found:
        return absent(name, "no match was played yet")
    try:
        with Journal(found[-1], read_only=True) as journal:
            events = journal.events(NAME, without=INPUT)
            told = [event.payload for event in events if event.kind == Message.BOARD_TROUBLE]
    except JournalError as error:
        return warn(name, "the newest journal cannot be read", str(error))
    if not told:
        return ok(name, "nothing was lost or refused in the newest match")
    kinds = Counter(" ".join(filter(None, (str(each["trouble"]), str(each["why"])))) for each in told)
    counted = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
    last = told[-1]
    words = trouble_words(str(last["trouble"]), int(str(last["count"])), str(last["why"]))
    return warn(name, f"in the newest match {counted}", words("en"))
