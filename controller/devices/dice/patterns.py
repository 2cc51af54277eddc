"""Patterns by name for the lines of dice units, so that nobody needs to write a regular expression."""

from dataclasses import dataclass
from typing import Final

from controller.devices.dice.textline import USUAL_PATTERN


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A pattern, and lines that it fits; each line tells one or both dice of a roll of 4 and 1."""

    pattern: str
    examples: tuple[str, ...]


PATTERNS: Final = {
    "usual": NamedPattern(USUAL_PATTERN, ("ROLL 4 1",)),
    # Small sketches print the two digits and nothing else.
    "digits": NamedPattern(r"^\s*(?P<first>[1-6])(?P<second>[1-6])\s*$", ("41",)),
    # One face in a line, the dice without names: as soon as a second one comes, it is a roll.
    "one-by-one": NamedPattern(r"^\s*(?P<die>[1-6])\s*$", ("4", "1")),
    "named": NamedPattern(
        r"^\s*(?P<name>[A-Za-z]\w*)\s*[:=,;\s]\s*(?P<die>[1-6])\s*$", ("red: 4", "white: 1")
    ),
    # Programs that pass on what single dice tell, such as a bridge to MQTT: one object for each die.
    "json-die": NamedPattern(
        r'^\s*\{(?=[^}]*"(?:die|name|id|device)"\s*:\s*"(?P<name>[^"]+)")'
        r'[^}]*"(?:face|value|result|roll)"\s*:\s*(?P<die>[1-6])\s*[,}]',
        ('{"die": "A", "face": 4}', '{"value": 1, "name": "B"}'),
    ),
    "json-roll": NamedPattern(
        r'^\s*\{[^}]*"(?:dice|roll|faces|values)"\s*:\s*\[\s*(?P<first>[1-6])\s*,\s*(?P<second>[1-6])\s*\]',
        ('{"dice": [4, 1]}',),
    ),
}
"""By their names, which are no regular expressions of use: they name no groups."""


def find_pattern(told: str) -> str:
    """The regular expression that a name stands for, or else what was told itself."""
    named = PATTERNS.get(told)
    return told if named is None else named.pattern
