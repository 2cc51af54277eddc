"""Push buttons bounce: a change counts when the contact has been quiet for a while."""

from dataclasses import dataclass
from typing import Final

QUIET_S: Final = 0.008


@dataclass(frozen=True, slots=True)
class ContactChange:
    """The contact closed or opened; `at_s` is when it came to rest."""

    down: bool
    at_s: float


class Debounce:
    """One contact. Pure: edges come in with their times, in order, however late they are handed over."""

    def __init__(self, *, down: bool = False, quiet_s: float = QUIET_S) -> None:
        """`down` is how the contact is now; that is no press."""
        self._stable = self._raw = down
        self._at_s = float("-inf")
        self._quiet_s = quiet_s

    def edge(self, down: bool, at_s: float) -> list[ContactChange]:
        """The contact changed; returns what had come to rest before that."""
        settled = self.settle(at_s)
        if down != self._raw:
            self._raw, self._at_s = down, at_s
        return settled

    def settle(self, now_s: float) -> list[ContactChange]:
        """The change that has come to rest by now, if there is one."""
        if self._raw == self._stable or now_s - self._at_s < self._quiet_s:
            return []
        self._stable = self._raw
        return [ContactChange(self._stable, self._at_s)]
