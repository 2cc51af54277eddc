"""Keeps a feed ready that can open a camera, and lets go of those that are used up or hang."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from controller.devices.camera.feed import Feed

MOST_HUNG: Final = 3
"""This many feeds may hang beyond any help before no further one is made."""


class FeedHolder:
    """Holds one feed at a time; for one thread."""

    def __init__(self, make: Callable[[], Feed]) -> None:
        """No feed is made yet; `make` may raise OSError."""
        self._make = make
        self._feed: Feed | None = None
        self._hung: list[Feed] = []

    @property
    def stuck(self) -> bool:
        """Whether too many feeds hang for another one to help."""
        self._hung = [feed for feed in self._hung if feed.is_alive()]
        return len(self._hung) >= MOST_HUNG

    def idle_feed(self) -> Feed:
        """A feed that can be asked to open something. Raises OSError where none can be made."""
        used = self._feed
        if used is not None and used.idle:
            return used
        self._feed = None
        try:
            self._feed = self._make()  # it gets ready while the used one is let go of
        finally:
            self._let_go(used)
        return self._feed

    def renew(self) -> None:
        """Have a feed ready for the next attempt, in place of one that is used up."""
        with suppress(OSError):  # the next attempt tells
            self.idle_feed()

    def end(self) -> None:
        """Let go of the feed."""
        used, self._feed = self._feed, None
        self._let_go(used)

    def _let_go(self, feed: Feed | None) -> None:
        if feed is not None and not feed.end():
            self._hung.append(feed)
