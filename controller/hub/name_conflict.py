"""Whether somebody else logs in to the broker under the hub's name, which throws the hub out each time."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from controller.hub.hall import HubFault, HubTrouble

ALONE_S: Final = 10.0
"""When the hub has kept its connection for this time, whoever used its name at the broker has left."""
REMEMBERED: Final = 1024
"""From this many connections the addresses are remembered, to tell the hub's own from those of others."""


class NameConflict:
    """Tells once that another program uses the hub's name, and once that it has left.

    Attributes:
        trouble: what is told of it; None while the hub is alone.
    """

    def __init__(
        self,
        name: str,
        came: Callable[[], Sequence[str]],
        now_ms: Callable[[], int],
        say: Callable[[str], None],
    ) -> None:
        """Nobody else has come yet. ``came`` tells from where somebody came under the name, the latest last."""
        self._name, self._came, self._now_ms, self._say = name, came, now_ms, say
        self.trouble: HubTrouble | None = None
        self._since_s = -math.inf
        self._seen, self._other = deque[str](maxlen=REMEMBERED), ""

    def know_own(self, here: str) -> None:
        """Know an address from which the hub itself has connected."""
        self._seen.append(here)

    def look_who_came(self) -> bool:
        """Whether the broker says of somebody else, for the first time, that they came under the hub's name."""
        found = [each for each in self._came() if each not in self._seen]
        self._seen += found
        self._other = found[-1] if found else self._other
        return bool(found)

    def tell(self, now_s: float) -> None:
        """Say once that somebody else uses the name, and from where, if the broker tells."""
        self._since_s = now_s
        before = self.trouble
        reason = f"{self._name}, {self._other}" if self._other else self._name
        if before is None or before.reason == self._name:
            since = self._now_ms() if before is None else before.since_ms
            self.trouble = HubTrouble(HubFault.TAKEN_OVER, since, reason)
        if before is None:
            self._say(
                f"Another program logs in to the broker under this hub's name ({reason}); end it. It may be a second "
                "hub of this club, or a table that takes the name."
            )

    def look_whether_alone(self, now_s: float) -> None:
        """While the hub is connected: whoever took its name has left it when nothing has happened for a while."""
        if self.trouble is not None and now_s - self._since_s > ALONE_S:
            self.trouble = None
            self._say("Nobody else uses this hub's name at the broker any more.")
