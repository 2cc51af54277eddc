"""What a table and its hub say to each other, as JSON (UTF-8); keys that are not known are left alone."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from controller.errors import UserError
from controller.json_object import parse_object
from controller.record.journal.journal import Json, Row, holds

LARGEST: Final = 32_768
"""Bytes of a message of events: a further entry goes into the next one. A single larger entry goes alone."""
LARGEST_ENTRY: Final = 500_000
"""Bytes of an entry as it stands in a message. No hub keeps a larger one: web servers and NATS stop it on its way."""
MOST_UNCONFIRMED: Final = 256
"""This many entries are on their way at most; the next go when the hub has confirmed some."""
MOST_NESTED: Final = 32
"""Lists and objects of a state lie in each other so deep at most; five levels are usual."""
JOURNAL_LETTERS: Final = 16
"""A journal's name is this many letters of the chain of its first event."""


ENTRY_REFUSED: Final = "entry_refused"
"""The fault of a confirmation by a hub that cannot keep an entry."""
_LARGEST_NUMBER: Final = 2**63 - 1
"""Databases take no larger one."""


class EntryFlaw(StrEnum):
    """Why a hub cannot keep an entry, on whatever database."""

    CHARACTERS = "characters"
    """A text of it holds the character NUL or half a character: some databases take neither."""
    FORM = "form"
    """It does not have the form of an entry, or a number in it is none."""
    SIZE = "size"
    """It is larger than `LARGEST_ENTRY`."""
    STORE = "store"
    """The database refused it; the hub has said why."""


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """An entry that a hub cannot keep.

    Attributes:
        number: of the entry in its journal.
        flaw: why.
    """

    number: int
    flaw: EntryFlaw


class ClubMessageError(UserError):
    """A message that is not what its address promises."""


def journal_name(first_chain: str) -> str:
    """What a journal is called between tables: no two share the chain of their first event."""
    return first_chain[:JOURNAL_LETTERS]


_OR_EMPTY: Final = {"otherwise": ""}
"""Of a text that a message may leave out."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A message with a key for each field; one with a default may be left out.

    Attributes:
        kind: what it is called in sentences.
    """

    kind: ClassVar[str]

    def content(self) -> dict[str, Json]:
        """All of it as plain values, but for what is not there and need not be.

        A table writes a command down like this: so its signature can be checked as long as the journal is kept.
        """
        told = [(each, getattr(self, each.name)) for each in fields(self)]
        return {
            each.name: _plain(value) for each, value in told if value is not None or each.default is MISSING
        }

    def encode(self) -> bytes:
        """The message."""
        return _encode(self.content())

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """What a message says. Raises ClubMessageError."""
        keys = _Keys(message, cls.kind)
        return cls(**{each.name: keys.value(each) for each in fields(cls)})


@dataclass(frozen=True, slots=True)
class TablePresence(_Message):
    """A table says that it is there, or the broker says for it that it is gone.

    Attributes:
        up: whether it is there.
        version: of its program.
        journal: the one that is being written; empty without a match.
        journals: those that the hub may not have whole, with the number of their newest entry on the disk.
        name: what people call the table.
        pages: the address of its own pages; empty if nobody else can open them.
        run: another word after each start of its program, to tell two tables with one name.
        authority: the certificate of the authority that vouches for its pages, PEM; empty where they are not open.
    """

    kind = "presence"
    up: bool
    version: str = ""
    journal: str = ""
    journals: Mapping[str, int] | None = None
    name: str = ""
    pages: str = ""
    run: str = ""
    authority: str = ""


@dataclass(frozen=True, slots=True)
class ShownState:
    """What a table shows, as the state of its pages.

    Attributes:
        screen: for everybody; None if it shows nothing.
        desk: for the director; None if that is not known.
    """

    screen: Mapping[str, Any] | None = None
    desk: Mapping[str, Any] | None = None

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """What a message says; an empty one shows nothing. What the hub reads of it has the form it counts on.

        Raises:
            ClubMessageError: if that is not so.
        """
        if not message:
            return cls()
        keys = _Keys(message, "state")
        for name in ("screen", "desk"):
            if not _is_state(keys.values.get(name)):
                raise keys.wrong(name)
        return cls(keys.values.get("screen"), keys.values.get("desk"))


@dataclass(frozen=True, slots=True)
class JournalPart(_Message):
    """Entries of one journal that follow each other.

    Attributes:
        journal: its name, see `journal_name`.
        before: the chain of the entry before the first one; empty if that is entry 1.
        rows: the entries as they are stored on the table's disk; each holds its own chain.
        refused: the entry that follows on them and that no hub can keep; None if there is none.
    """

    kind = "events"
    journal: str
    before: str = field(metadata=_OR_EMPTY)
    rows: tuple[Row, ...]
    refused: EntryRefusal | None = None

    @property
    def first(self) -> int:
        """The number of the entry that it begins with; 0 if it holds none."""
        if self.rows:
            return self.rows[0][0]
        return 0 if self.refused is None else self.refused.number

    @property
    def last(self) -> int:
        """The number of the newest entry that it tells of; 0 if it tells of none."""
        if self.refused is not None:
            return self.refused.number
        return self.rows[-1][0] if self.rows else 0

    def is_whole(self) -> bool:
        """Whether each entry follows the one before it, by number and by chain."""
        before, expected = self.before, self.rows[0][0] if self.rows else 0
        for number, row in enumerate(self.rows, start=expected):
            if not holds(before, number, row):
                return False
            before = row[-1]
        return True

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """What a message says, up to the first entry that no hub can keep: that one is named instead of held.

        Raises:
            ClubMessageError: if it does not say which entry that is, or is no message of entries at all.
        """
        keys = _Keys(message, cls.kind)
        told = keys.values.get("rows")
        if not isinstance(told, list):
            raise keys.wrong("rows")
        journal, before = (keys.value(each) for each in fields(cls)[:2])
        rows: list[Row] = []
        for each in told:
            read = _row(each)
            if isinstance(read, EntryFlaw):
                number = rows[-1][0] + 1 if rows else _number(each)
                if number is None:
                    raise keys.wrong("rows")
                return cls(journal, before, tuple(rows), EntryRefusal(number, read))
            rows.append(read)
        return cls(journal, before, tuple(rows), keys.refusal())


@dataclass(frozen=True, slots=True)
class Confirmation(_Message):
    """The hub has a journal on its disk up to an entry; what comes after is to be sent, again if need be.

    Attributes:
        journal: its name.
        upto: the number of the newest entry that the hub has; 0 for none.
        chain: the chain of that entry; empty for none.
        fault: why the hub takes no more of it, empty if it does; ``other_chain`` if it has another journal's entry
            under that number; ``entry_refused`` if it cannot keep the next one.
        refused: the entry that it cannot keep; None with any other fault, and without one.
    """

    kind = "confirmation"
    journal: str
    upto: int
    chain: str = ""
    fault: str = ""
    refused: EntryRefusal | None = None


@dataclass(frozen=True, slots=True)
class TableCommand(_Message):
    """What a director, or the tournament, wants of a table.

    Attributes:
        id: its own name: a command counts once, however often it arrives.
        table: for whom it is, such as ``club/table-7``; another table refuses it.
        journal: the match that it is about; empty if it is about none.
        seen: the newest entry of that journal that whoever asked had seen; None if that does not matter.
        by: ``director``, ``light`` or ``dark``.
        name: who that is, for the record.
        body: ``what`` and its keys, as in ``POST /api/v1/commands``.
        issued, expires: milliseconds since 1970 by the hub's clock.
        key: the public key (Ed25519, 64 hex digits) that it is signed with; empty while it is not signed.
        signature: over `text`, 128 hex digits.
    """

    kind = "command"
    id: str
    table: str
    journal: str = field(metadata=_OR_EMPTY)
    seen: int | None
    by: str
    name: str = field(metadata=_OR_EMPTY)
    body: Mapping[str, Json]
    issued: int
    expires: int
    key: str = ""
    signature: str = ""

    def text(self) -> str:
        """What is signed, as UTF-8: a word and what it stands for on each line; the body as JSON with sorted keys."""
        lines = self.content()
        del lines["body"], lines["signature"]
        lines |= {
            "seen": "" if self.seen is None else self.seen,
            "name": json.dumps(self.name, ensure_ascii=False),
            "body": json.dumps(self.body, ensure_ascii=False, sort_keys=True),
        }
        return "pointsman command 1\n" + "".join(f"{word} {value}\n" for word, value in lines.items())


@dataclass(frozen=True, slots=True)
class TableReply(_Message):
    """What became of a command.

    Attributes:
        id: of the command.
        done: whether the table did it; else nothing has changed.
        text: what is to be said to whoever asked, in the table's first language; empty if nothing is.
        event: the newest entry of the journal after it.
    """

    kind = "answer"
    id: str
    done: bool
    text: str = ""
    event: int = 0


@dataclass(frozen=True, slots=True)
class TimeQuestion(_Message):
    """A table asks what the time is.

    Attributes:
        asked: milliseconds since 1970 by the table's clock, which the answer repeats.
    """

    kind = "asked-time"
    asked: int


@dataclass(frozen=True, slots=True)
class TimeAnswer(_Message):
    """The hub says what the time is.

    Attributes:
        asked: what the question said.
        received, sent: milliseconds since 1970 by the hub's clock, when the question came and the answer went.
    """

    kind = "time"
    asked: int
    received: int
    sent: int


class _Keys:
    """The keys of a message, checked as they are taken."""

    def __init__(self, message: bytes, what: str) -> None:
        self._what = what
        try:
            self.values = parse_object(message)
        except ValueError:
            raise ClubMessageError(
                f"A message of kind {what} is no JSON object; the sender is to be updated."
            ) from None

    def wrong(self, name: str) -> ClubMessageError:
        return ClubMessageError(
            f"A message of kind {self._what} has no {name} that can be read; the sender is to be updated."
        )

    def value(self, told: Field[Any]) -> Any:
        """What the key of a field says, which must be what the field's type holds."""
        usual = None if told.default is MISSING else told.default
        value = self.values.get(told.name, told.metadata.get("otherwise", usual))
        if told.type == EntryRefusal | None:
            return self.refusal()
        if not _FITS[told.type](value):
            raise self.wrong(told.name)
        return value

    def refusal(self) -> EntryRefusal | None:
        """The entry under ``refused``, if there is one; a reason that is not known is one of the database."""
        value = self.values.get("refused")
        if value is None:
            return None
        entry = value.get("entry") if isinstance(value, dict) else None
        if not isinstance(entry, int) or not _is_whole(entry):
            raise self.wrong("refused")
        why = value.get("why")
        return EntryRefusal(entry, EntryFlaw(why) if why in list(EntryFlaw) else EntryFlaw.STORE)


def _plain(value: Any) -> Json:
    match value:
        case EntryRefusal(number, flaw):
            return {"entry": number, "why": str(flaw)}
        case tuple():
            return [list(row) for row in value]
        case Mapping():
            return dict(value)
    plain: Json = value
    return plain


def _are_journals(told: object) -> bool:
    return isinstance(told, dict | None) and all(
        _is_whole(newest) and can_be_kept(name) for name, newest in (told or {}).items()
    )


def _is_state(told: object) -> bool:
    """Whether a state is none, or has the form of what the hub looks at: room, phase, match, clock, needs."""
    if told is None:
        return True
    if not isinstance(told, dict) or not _can_be_shown(told):
        return False
    needs, clock = told.get("needs") or [], told.get("clock")
    return (
        all(isinstance(told.get(name), str | None) for name in ("room", "phase"))
        and isinstance(told.get("match"), dict | None)
        and isinstance(needs, list)
        and all(map(_is_need, needs))
        and (clock is None or (isinstance(clock, dict) and _is_clock(clock)))
    )


def _can_be_shown(told: dict[str, Any]) -> bool:
    """Whether browsers read all of it: no half characters, no endless numbers, nothing nested without end."""
    try:
        json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return False
    level: list[dict[str, Any] | list[Any]] = [told]
    for _ in range(MOST_NESTED):
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for several in inside for each in several if isinstance(each, dict | list)]
        if not level:
            return True
    return False


def _is_need(told: object) -> bool:
    if not isinstance(told, dict):
        return False
    turn = told.get("turn")
    placed = turn is None or (
        isinstance(turn, dict) and all(_is_number(turn.get(key)) for key in ("game", "ply"))
    )
    return placed and isinstance(told.get("kind"), str | None) and _is_number(told.get("since_ms") or 0)


def _is_clock(told: Mapping[str, Any]) -> bool:
    runs = told.get("runs")
    return runs is None or (
        runs in ("light", "dark")
        and all(_is_number(told.get(key)) for key in ("at_ms", f"{runs}_s", "delay_s"))
    )


def _is_number(told: object) -> bool:
    return _is_whole(told) or (isinstance(told, float) and math.isfinite(told))


def _is_whole(told: object) -> bool:
    """Whether something is a whole number that databases take."""
    return isinstance(told, int) and not isinstance(told, bool) and abs(told) <= _LARGEST_NUMBER


def _number(told: object) -> int | None:
    """The number that an entry of whatever form bears; None if it bears none."""
    number = told[0] if isinstance(told, list) and told else None
    return number if isinstance(number, int) and _is_whole(number) and number > 0 else None


def _row(told: object) -> Row | EntryFlaw:
    """An entry as it can be kept, or why it cannot."""
    match told:
        case [
            int() as number,
            str() as match,
            str() as utc,
            (float() | None) as t,
            str() as kind,
            str() as payload,
            str() as chain,
        ] if _is_whole(number) and (t is None or math.isfinite(t)):
            if not all(map(can_be_kept, (match, utc, kind, payload, chain))):
                return EntryFlaw.CHARACTERS
            row = number, match, utc, t, kind, payload, chain
            return EntryFlaw.SIZE if is_too_large(row) else row
    return EntryFlaw.FORM


def is_too_large(row: Row) -> bool:
    """Whether an entry has more than `LARGEST_ENTRY` bytes in a message."""
    # Written as JSON no character takes more than six times its room; most entries need not be written for this.
    if 6 * sum(len(each) for each in row if isinstance(each, str)) + 100 <= LARGEST_ENTRY:
        return False
    return len(_encode_row(row)) > LARGEST_ENTRY


_FITS: Final[Mapping[Any, Callable[[Any], bool]]] = {
    str: lambda told: isinstance(told, str) and can_be_kept(told),
    bool: lambda told: isinstance(told, bool),
    int: _is_whole,
    int | None: lambda told: told is None or _is_whole(told),
    Mapping[str, Json]: lambda told: isinstance(told, dict),
    Mapping[str, int] | None: _are_journals,
}
"""What a key may hold, by the type of its field."""


def can_be_kept(text: str) -> bool:
    """Whether databases take a text: no half characters, and not the one that ends it for some of them."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _encode_row(row: Row) -> bytes:
    return json.dumps(list(row), ensure_ascii=False, separators=(",", ":")).encode()


def _encode(values: Mapping[str, Json]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
