"""The addresses under which a table and its hub speak: ``pointsman/1/<club>/<table>/<what>``."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from controller.errors import UserError

ROOT: Final = "pointsman/1"
"""The version of what is said stands in the address: a hub of another version hears nothing, rather than nonsense."""
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


class ClubNameError(UserError):
    """A club or table whose name cannot stand in an address."""


class Topic(StrEnum):
    """What is said under an address."""

    PRESENCE = "presence"
    """By the table, retained, with a will: whether it is there, and which journals it has. QoS 1."""
    STATE = "state"
    """By the table, retained, expires after a day: the snapshot of its screen, at most two a second. QoS 0."""
    EVENTS = "events"
    """By the table: entries of its journals, in order, until the hub has confirmed them. QoS 1."""
    CONFIRMED = "confirmed"
    """By the hub: how far it has a journal on its disk. QoS 1."""
    COMMANDS = "commands"
    """By the hub: what a director or the tournament wants of the table; expires. QoS 1."""
    ANSWERS = "answers"
    """By the table: what became of a command. QoS 1."""
    ASKED_TIME = "asked-time"
    """By the table: what is the time? QoS 0."""
    TIME = "time"
    """By the hub: the answer. QoS 0."""


OF_TABLES: Final = (Topic.PRESENCE, Topic.STATE, Topic.EVENTS, Topic.ANSWERS, Topic.ASKED_TIME)
"""What only a table may say."""
OF_HUB: Final = (Topic.CONFIRMED, Topic.COMMANDS, Topic.TIME)
"""What only the hub may say."""
HEARD_BY_TABLES: Final = (*OF_HUB, Topic.PRESENCE)
"""What a table hears of its own addresses: by its presence it knows another table with its name."""


@dataclass(frozen=True, slots=True)
class TableAddress:
    """One table of a club.

    Attributes:
        club: its name, small letters, digits and hyphens.
        table: likewise; it is also the name that the table logs in with.
    """

    club: str
    table: str

    def __post_init__(self) -> None:
        """Raise ClubNameError if a name cannot stand in an address."""
        for what, name in (("club", self.club), ("table", self.table)):
            if not _NAME.fullmatch(name):
                raise ClubNameError(
                    f"{name!r} is no name for a {what}; use small letters, digits and hyphens (32 at most)."
                )

    def topic(self, what: Topic) -> str:
        """The address of one thing that is said."""
        return f"{ROOT}/{self.club}/{self.table}/{what}"

    @classmethod
    def parse(cls, topic: str) -> tuple[Self, Topic] | None:
        """The table and the matter of an address; None if it is none of ours."""
        parts = topic.split("/")
        if "/".join(parts[:2]) != ROOT or len(parts) != 5:
            return None
        try:
            return cls(parts[2], parts[3]), Topic(parts[4])
        except (ClubNameError, ValueError):
            return None


def every_table(club: str, what: Topic) -> str:
    """The address that the hub subscribes to, to hear one thing of each table. Raises ClubNameError."""
    TableAddress(club, "any")
    return f"{ROOT}/{club}/+/{what}"
