"""Seals: signatures (Ed25519) by which a table, a player or a director vouches for a journal up to one of its events.

The chain of an event is made over everything before it, so a signature under one chain is one under the whole
journal so far. A seal is an event itself (`SEAL`): copies and rescues carry it along, and the next seal covers it.
What is signed is a text of eight lines that a person can read, see `Statement.text`.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from controller import __version__
from controller.errors import UserError
from controller.record.journal.journal import Draft, EventLog, JournalEvent, Json, JsonObject

if TYPE_CHECKING:  # loading it takes a while, and few commands sign
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEAL: Final = "seal"
"""The kind of event that holds a seal."""
KEY_FILE: Final = "table.key"
"""Where a table's own key lies: in the folder that holds its matches."""
SHORTEST_PIN: Final = 6
LONGEST_NAME: Final = 80

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are mistaken for others."""
_GROUPS, _GROUP, _BITS = 5, 5, 5
_SCRYPT: Final = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}
_HEX_32, _HEX_64 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{128}")
_NOT_ON_A_LINE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What would end a line of the text that is signed, or can stand in no text; the packet's page says the same."""


class SealError(UserError):
    """A key that cannot be used, or a seal that cannot be put into a journal."""


class Signer(StrEnum):
    """Who vouches."""

    TABLE = "table"
    LIGHT = "light"
    DARK = "dark"
    DIRECTOR = "director"


class SealFault(StrEnum):
    """What can be wrong with a seal."""

    UNREADABLE = "unreadable"
    OTHER_CHAIN = "other_chain"
    FORGED = "forged"
    OTHER_KEY = "other_key"


@dataclass(frozen=True, slots=True)
class Statement:
    """What is signed: that the journal's event of this number has this chain.

    Attributes:
        by: who says so.
        name: the signer's name, empty for a table.
        utc: when, as the signer's clock said.
        event: the number of the event.
        chain: its chain, SHA-256 in hex.
        program: the version of Pointsman.
        key: the signer's public key, 32 bytes in hex.
    """

    by: Signer
    name: str
    utc: str
    event: int
    chain: str
    program: str
    key: str

    def text(self) -> str:
        """The text that is signed, as UTF-8: eight lines, each a word and what it stands for."""
        return (
            f"pointsman seal 1\nby {self.by}\nname {self.name}\nutc {self.utc}\nevent {self.event}\n"
            f"chain {self.chain}\nprogram {self.program}\nkey {self.key}\n"
        )

    @property
    def code(self) -> str:
        """The fingerprint of the text, for people to write down and compare: five groups of five signs."""
        return fingerprint(self.text().encode())


def is_signed(text: str, signature: str, key: str) -> bool:
    """Whether a signature was made over a text with the key to which this public one belongs; both in hex."""
    # Loaded when a signature is looked at: most tables never do.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Seal:
    """A statement and its signature, 64 bytes in hex."""

    statement: Statement
    signature: str

    def holds(self) -> bool:
        """Whether the signature was made over this statement with the key that it names."""
        return is_signed(self.statement.text(), self.signature, self.statement.key)

    def text(self) -> str:
        """The statement and the signature as one text, for a QR code or a message."""
        return f"{self.statement.text()}signature {self.signature}\n"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key; nothing that it prints or compares by tells it.

    Attributes:
        public: the public key, 32 bytes in hex.
    """

    public: str
    _private: "Ed25519PrivateKey"

    @classmethod
    def from_secret(cls, secret: bytes) -> Self:
        """The key that grows from 32 secret bytes."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls._around(Ed25519PrivateKey.from_private_bytes(secret))

    @classmethod
    def from_pin(cls, pin: str, by: Signer, first_chain: str) -> Self:
        """The key that a person's PIN or phrase gives for one journal, named by the chain of its first event.

        The same PIN gives the same key again. A short PIN can be found by trying them all.

        Raises:
            SealError: if it has fewer than `SHORTEST_PIN` signs.
        """
        if len(pin) < SHORTEST_PIN:
            raise SealError(
                f"The PIN has {len(pin)} signs, and needs {SHORTEST_PIN} or more; better take four words."
            )
        salt = f"pointsman {by} {first_chain}".encode()
        return cls.from_secret(hashlib.scrypt(pin.encode(), salt=salt, dklen=32, **_SCRYPT))

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in a file (PEM).

        Raises:
            SealError: if there is none, or it cannot be read.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            private = load_pem_private_key(path.read_bytes(), None)
        except FileNotFoundError:
            raise SealError(
                f"There is no key {path}; a table makes its own when its first match begins, and "
                "pointsman journal key --make makes one now."
            ) from None
        except OSError as error:
            raise SealError(f"The key {path} cannot be read ({error.strerror}); check its rights.") from error
        except (ValueError, TypeError) as error:
            raise SealError(_no_key(path)) from error
        if not isinstance(private, Ed25519PrivateKey):
            raise SealError(_no_key(path))
        return cls._around(private)

    @classmethod
    def make(cls, path: Path) -> Self:
        """The key in a file; a new one that only its owner can read if there is no file.

        Raises:
            SealError: if it can neither be read nor made.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        with suppress(PermissionError):  # reading tells of it
            if not path.exists():
                cls._around(Ed25519PrivateKey.generate()).keep(path)
        return cls.read(path)

    def keep(self, path: Path) -> None:
        """Put the key into a file that only its owner can read, unless there is a file already.

        Raises:
            SealError: if it cannot be written.
        """
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        part = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, stat.S_IRUSR | stat.S_IWUSR)
            with os.fdopen(descriptor, "wb") as file:
                file.write(pem)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):  # another program was faster: its key counts
                os.link(part, path)
            part.unlink()
        except OSError as error:
            raise SealError(
                f"The key {path} cannot be made ({error.strerror}); check the folder. Nothing is sealed without it."
            ) from error

    def sign(self, statement: Statement) -> Seal:
        """Put the signature under a statement.

        Raises:
            SealError: if the statement names another key.
        """
        if statement.key != self.public:
            raise SealError("A statement can only be signed with the key that it names.")
        return Seal(statement, self._private.sign(statement.text().encode()).hex())

    def sign_text(self, text: str) -> str:
        """The signature under any text, 64 bytes in hex."""
        return self._private.sign(text.encode()).hex()

    @classmethod
    def _around(cls, private: "Ed25519PrivateKey") -> Self:
        return cls(private.public_key().public_bytes_raw().hex(), private)

    def __repr__(self) -> str:
        """The public half only."""
        return f"SigningKey({self.public})"


def _no_key(path: Path) -> str:
    return (
        f"{path} holds no Ed25519 key; move it away, and a new one is made. Note its code anew: seals then bear "
        "another key."
    )


def fingerprint(content: bytes) -> str:
    """The first 125 bits of a SHA-256 as `7K2QF-9XW3M-...`, without signs that are mistaken for others."""
    number = int.from_bytes(hashlib.sha256(content).digest()) >> 256 - _GROUPS * _GROUP * _BITS
    signs = [_LETTERS[number >> _BITS * place & 31] for place in reversed(range(_GROUPS * _GROUP))]
    return "-".join("".join(signs[start : start + _GROUP]) for start in range(0, len(signs), _GROUP))


def plain_code(text: str) -> str:
    """A code as people type it, as `fingerprint` writes it: small letters, blanks, and O, I, L for 0, 1, 1 count."""
    signs = re.sub(r"[\s-]", "", text).upper().translate(str.maketrans("OIL", "011"))
    return "-".join(signs[start : start + _GROUP] for start in range(0, len(signs), _GROUP))


def state(by: Signer, name: str, event: JournalEvent, key: str, utc: str) -> Statement:
    """What somebody is to sign about an event of a journal and all before it; a phone asks for its `text`.

    Raises:
        SealError: for a name that is too long or not on one line, or a key that is none.
    """
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise SealError(f"The name {name!r} cannot be signed; give one line of {LONGEST_NAME} signs at most.")
    if not _HEX_32.fullmatch(key):
        raise SealError(f"The key {key[:80]!r} cannot be used; a public key is 64 of the signs 0-9 and a-f.")
    return Statement(by, name, utc, event=event.id, chain=event.chain, program=__version__, key=key)


def seal_draft(match: str, seal: Seal, utc: str) -> Draft:
    """The event that a seal becomes, written at `utc`."""
    said = seal.statement
    payload: dict[str, Json] = {
        "by": str(said.by),
        "name": said.name,
        "utc": said.utc,
        "event": said.event,
        "chain": said.chain,
        "program": said.program,
        "key": said.key,
        "signature": seal.signature,
    }
    return Draft(match, SEAL, payload, utc)


def table_seal(event: JournalEvent, match: str, key: SigningKey, utc: str) -> Draft:
    """The seal of a table over an event of a journal and all before it, to be written at `utc`."""
    return seal_draft(match, key.sign(state(Signer.TABLE, "", event, key.public, utc)), utc)


def seal_from(payload: JsonObject) -> Seal:
    """The seal in the payload of an event.

    Raises:
        KeyError, TypeError, ValueError: for anything else.
    """
    texts = {name: payload[name] for name in ("name", "utc", "chain", "program", "key", "signature")}
    if not all(isinstance(text, str) for text in texts.values()) or type(payload["event"]) is not int:
        raise TypeError("a seal is made of texts and a number")
    signature = texts.pop("signature")
    if not (_HEX_32.fullmatch(texts["key"]) and _HEX_64.fullmatch(signature)):
        raise ValueError("a key has 64 signs and a signature 128")
    if any(_NOT_ON_A_LINE.search(text) for text in texts.values()):
        raise ValueError("each part of a statement stands on one line")
    return Seal(Statement(Signer(payload["by"]), event=payload["event"], **texts), signature)


@dataclass(frozen=True, slots=True)
class SealCheck:
    """One seal of a journal, looked at.

    Attributes:
        event: the number of the event that it stands in.
        match: the match that this belongs to.
        seal: the seal, `None` if it cannot be read.
        fault: what is wrong with it, `None` if nothing is.
    """

    event: int
    match: str
    seal: Seal | None
    fault: SealFault | None


@dataclass(frozen=True, slots=True)
class SealReport:
    """All seals of a journal in their order.

    Attributes:
        checks: each of them.
        sealed: the number of the last event that a good seal of the table covers, 0 if none does.
        last: the number of the last event.
        key: the public key that the table's good seals bear, `None` if there are none.
    """

    checks: tuple[SealCheck, ...]
    sealed: int
    last: int
    key: str | None

    @property
    def faults(self) -> tuple[SealCheck, ...]:
        """Those that something is wrong with."""
        return tuple(each for each in self.checks if each.fault is not None)

    @property
    def open(self) -> int:
        """How many events come after the last good seal of the table and its own event; other seals do not count."""
        later = {each.event for each in self.checks if each.event > self.sealed}
        return self.last - self.sealed - len(later)


def check_seals(events: Iterable[JournalEvent], table_key: str | None = None) -> SealReport:
    """Check the seals among the events of a whole journal, whose chain was verified before.

    Seals of the table must bear `table_key`; if none is named, the key that the first of them bears.
    """
    chains: list[str] = []
    checks: list[SealCheck] = []
    sealed, key = 0, None
    for event in events:
        if event.kind == SEAL:
            seal, fault = _look_at(event, chains, table_key if key is None else key)
            checks.append(SealCheck(event.id, event.match, seal, fault))
            if seal is not None and fault is None and seal.statement.by is Signer.TABLE:
                key, sealed = seal.statement.key, max(sealed, seal.statement.event)
        chains.append(event.chain)
    return SealReport(tuple(checks), sealed, len(chains), key)


def _look_at(event: JournalEvent, chains: list[str], key: str | None) -> tuple[Seal | None, SealFault | None]:
    """The seal in an event and what is wrong with it, given the chains of all events before."""
    try:
        seal = seal_from(event.payload)
    except (KeyError, TypeError, ValueError):
        return None, SealFault.UNREADABLE
    said = seal.statement
    if not 1 <= said.event <= len(chains) or chains[said.event - 1] != said.chain:
        return seal, SealFault.OTHER_CHAIN
    if not seal.holds():
        return seal, SealFault.FORGED
    if said.by is Signer.TABLE and key is not None and said.key != key:
        return seal, SealFault.OTHER_KEY
    return seal, None


def read_seals(events: Iterable[JournalEvent]) -> Iterator[tuple[JournalEvent, Seal]]:
    """The seals among events that can be read, unchecked, each with its event."""
    for event in events:
        if event.kind == SEAL:
            try:
                yield event, seal_from(event.payload)
            except (KeyError, TypeError, ValueError):
                continue


def table_seals(events: Iterable[JournalEvent], match: str) -> list[Seal]:
    """The good seals of the table that belong to a match, in their order, among the events of a whole journal."""
    return [
        each.seal
        for each in check_seals(events).checks
        if each.seal is not None and each.match == match and each.fault is None
        if each.seal.statement.by is Signer.TABLE
    ]


def sealed_event(journal: EventLog, match: str) -> JournalEvent:
    """The event under the table's last seal of a match, which players and director countersign.

    Raises:
        SealError: if the table has sealed nothing of the match yet, or the journal does not fit its seal.
    """
    events = tuple(journal.events())
    numbers = [seal.statement.event for seal in table_seals(events, match)]
    found = next((event for event in events if numbers and event.id == numbers[-1]), None)
    if found is None:
        raise SealError(
            f"The table has sealed nothing of match {match} in {journal.path} yet; it does at the end of each game."
        )
    return found


def countersign(journal: EventLog, match: str, seal: Seal, utc: str) -> JournalEvent:
    """Put a seal of a player or the director into the journal, as a phone or a key made it.

    Raises:
        SealError: if its signature does not hold, it is not about this journal, or it claims to be the table's.
        JournalError: if the journal cannot be written.
    """
    said = seal.statement
    if said.by is Signer.TABLE:
        raise SealError("Only the table itself seals as the table; countersign as light, dark or director.")
    if not seal.holds():
        raise SealError("The signature does not belong to this statement; sign again what the table shows.")
    known: Any = next((event for event in journal.events(after=said.event - 1)), None)
    if known is None or (known.id, known.chain) != (said.event, said.chain):
        raise SealError(
            f"The statement is about another journal than {journal.path}; sign again what the table shows."
        )
    return journal.append_all((seal_draft(match, seal, utc),))[0]
