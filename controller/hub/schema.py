"""What the hub's store looks like in SQL, the same for SQLite and PostgreSQL."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    select,
)

from controller.errors import UserError

VERSION: Final = 1
LONGEST_NAME: Final = 65
"""Of a table: its own name, or that of a club of an uplink, a dot and its name there."""
METADATA: Final = MetaData()

_VERSION: Final = Table("store_version", METADATA, Column("version", Integer, nullable=False))


def _entry_columns() -> list[Column[object]]:
    """An entry as it stands in a table's journal, and when the hub got it."""
    return [
        Column("match", Text, nullable=False),
        Column("utc", Text, nullable=False),
        Column("t", Double),
        Column("kind", Text, nullable=False),
        Column("payload", Text, nullable=False),
        Column("stored_ms", BigInteger, nullable=False),
    ]


ENTRY: Final = Table(
    "entry",
    METADATA,
    Column("table_name", String(LONGEST_NAME), primary_key=True),
    Column("journal", String(64), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("chain", String(64), nullable=False),
    Column("number", BigInteger, nullable=False),
    *_entry_columns(),
    Index("entry_by_number", "table_name", "number", unique=True),
)
"""Every entry of every table's journals; rows are added and never changed. `number` counts those of a table."""

CONTRADICTION: Final = Table(
    "contradiction",
    METADATA,
    Column("table_name", String(LONGEST_NAME), primary_key=True),
    Column("journal", String(64), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("chain", String(64), primary_key=True),
    *_entry_columns(),
)
"""Entries that came under a number that another one has, or that follow on such a one: kept beside."""

KNOWN_TABLE: Final = Table(
    "known_table",
    METADATA,
    Column("name", String(LONGEST_NAME), primary_key=True),
    Column("title", Text, nullable=False),
    Column("pages", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("heard_ms", BigInteger, nullable=False),
)
"""Every table that was ever heard, as it called itself last."""

COMMAND: Final = Table(
    "command",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("table_name", String(LONGEST_NAME), nullable=False),
    Column("journal", String(64), nullable=False),
    Column("seen", BigInteger),
    Column("asked_by", String(16), nullable=False),
    Column("name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("issued_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("hub_key", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
    Column("done", Boolean),
    Column("answer", Text),
    Column("event", BigInteger),
    Column("answered_ms", BigInteger),
    Index("command_by_table", "table_name", "issued_ms"),
)
"""Everything that was asked of a table, by whom, with the signature; the answer once there is one."""


class NewerStoreError(UserError):
    """A store that a newer Pointsman wrote."""


def prepare_schema(connection: Connection, place: str) -> None:
    """Make what is not there yet; the caller holds the transaction. Raises NewerStoreError."""
    METADATA.create_all(connection)
    found = connection.execute(select(_VERSION.c.version)).scalar()
    if found is None:
        connection.execute(insert(_VERSION).values(version=VERSION))
    elif found > VERSION:
        raise NewerStoreError(
            f"The store {place} was written by a newer Pointsman (version {found}, this one knows {VERSION}); update "
            "Pointsman to open it."
        )
