"""A key that is a button of the table, as the configuration keeps it."""

import re
from dataclasses import dataclass, replace
from typing import Final

from controller.errors import UserError

FORM: Final = re.compile(
    r"(?P<key>[A-Z0-9_]+) (?P<maker>[0-9a-f]{4}:[0-9a-f]{4})(?: \[(?P<place>[^\]]+)\])?(?: (?P<name>.+))?"
)
"""The key, who made the device, where it is plugged in where that matters, and what it calls itself."""


class LearnedKeyError(UserError):
    """Keys that cannot be used as buttons; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class LearnedKey:
    """One key of one device.

    Attributes:
        key: its name in the kernel, such as `KEY_PAGEDOWN`, or its number there.
        maker: numbers of vendor and product, `0c45:7403`; a device is known by them wherever it is plugged in.
        place: its port, or the address of one with Bluetooth; empty unless there are two of the same make.
        name: what the device calls itself, for people.
    """

    key: str
    maker: str
    place: str = ""
    name: str = ""

    @staticmethod
    def from_text(text: str) -> "LearnedKey":
        """A key as `text` writes it. Raises LearnedKeyError."""
        found = FORM.fullmatch(text)
        if found is None:
            raise LearnedKeyError(
                f'"{text}" names no key; learn it on the set-up page, or write it like '
                '"KEY_PAGEDOWN 046d:c52d Logitech R400".'
            )
        return LearnedKey(**{name: value or "" for name, value in found.groupdict().items()})

    @property
    def text(self) -> str:
        """The key in one line, for the configuration."""
        place = f"[{self.place}]" if self.place else ""
        return " ".join(part for part in (self.key, self.maker, place, self.name) if part)

    @property
    def bare(self) -> "LearnedKey":
        """What the key is known by: all but what its device calls itself."""
        return replace(self, name="")

    @property
    def device(self) -> str:
        """What people call the device."""
        return self.name or self.maker
