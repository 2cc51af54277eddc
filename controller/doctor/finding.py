"""What the self-test tells of one device or condition."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it is."""

    OK = "ok"
    WARN = "warn"
    """It works, or may work; somebody should look."""
    FAIL = "fail"
    """It is needed by the configuration and does not work."""
    ABSENT = "absent"
    """It is not there, and not needed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the self-test.

    Attributes:
        name: the device or condition.
        state: how it is.
        measured: what was found.
        remedy: what to do about it, a sentence; empty where there is nothing to do.
    """

    name: str
    state: State
    measured: str
    remedy: str = ""


def ok(name: str, measured: str) -> Finding:
    """All is well."""
    return Finding(name, State.OK, measured)


def warn(name: str, measured: str, remedy: str) -> Finding:
    """Somebody should look."""
    return Finding(name, State.WARN, measured, remedy)


def fail(name: str, measured: str, remedy: str) -> Finding:
    """A match cannot be held like that."""
    return Finding(name, State.FAIL, measured, remedy)


def absent(name: str, measured: str, remedy: str = "") -> Finding:
    """Not there, and not needed."""
    return Finding(name, State.ABSENT, measured, remedy)


def missing(name: str, measured: str, remedy: str, *, needed: bool) -> Finding:
    """Not there: that fails what is needed, and is worth a look where it is not."""
    return Finding(name, State.FAIL if needed else State.ABSENT, measured, remedy)
