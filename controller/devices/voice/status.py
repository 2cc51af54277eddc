"""How the voice stands: a code with arguments. What it means in words is in the catalogues."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar


class VoiceCode(StrEnum):
    """What is known of the programs that speak; `port` is the program."""

    MISSING = "missing"
    """The program is not installed."""
    FAILED = "failed"
    """The program ended with an error; `why`."""


@dataclass(frozen=True, slots=True)
class VoiceStatus:
    """Why nothing is heard; `port` is the program that was to be run."""

    device: ClassVar = "voice"
    code: VoiceCode
    port: str
    arguments: Mapping[str, str] = field(default_factory=dict)
