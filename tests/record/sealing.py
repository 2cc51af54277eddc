"""Keys and sealed journals for the tests."""

import hashlib

from controller.record.journal.journal import EventLog, JournalEvent
from controller.record.journal.seal import Signer, SigningKey, seal_draft, state

UTC = "2026-11-21T20:00:00.000+00:00"


def key_of(word: str) -> SigningKey:
    return SigningKey.from_secret(hashlib.sha256(word.encode()).digest())


TABLE_KEY = key_of("table")


def put_seal(
    journal: EventLog,
    match: str = "1",
    key: SigningKey = TABLE_KEY,
    by: Signer = Signer.TABLE,
    name: str = "",
) -> JournalEvent:
    """Seal a journal up to its last event."""
    *_, last = journal.events()
    seal = key.sign(state(by, name, last, key.public, UTC))
    return journal.append_all((seal_draft(match, seal, UTC),))[0]
