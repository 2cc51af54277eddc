"""Commands as a hub signs them, made apart from the hub."""

import json
import time
import uuid
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.club.messages import TableCommand

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def signed(command: TableCommand, key: Ed25519PrivateKey = KEY) -> TableCommand:
    """The command with the signature of a key."""
    named = replace(command, key=key.public_key().public_bytes_raw().hex())
    return replace(named, signature=key.sign(named.text().encode()).hex())


def command(
    journal: str = "", *, by: str = "director", table: str = "club/table-1", **body: Any
) -> TableCommand:
    """A command that counts for half a minute."""
    now = time.time_ns() // 1_000_000
    return signed(TableCommand(uuid.uuid4().hex, table, journal, None, by, "Réka", body, now, now + 30_000))


def message(said: TableCommand) -> dict[str, Any]:
    """What goes over the wire."""
    told: dict[str, Any] = json.loads(said.encode())
    return told
