"""A short talk with the board, without a match: a command asks, and waits for what the board answers."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Self, TypeVar

from controller.devices.link.happenings import Answered, BoardEvent, Happening, SettingsRefused
from controller.devices.link.link import AUTO, Deliver, Link
from controller.devices.link.messages import BoardSettings
from controller.devices.link.session import Adjust
from controller.devices.link.status import LinkCode, LinkStatus
from controller.devices.link.transport import free_ports

ANSWER_S: Final = 8.0
"""How long the board may take to be found, to start anew where opening its port does that, and to answer."""
HOPELESS: Final = frozenset(
    {LinkCode.ABSENT, LinkCode.DENIED, LinkCode.TAKEN, LinkCode.OPEN_FAILED, LinkCode.VERSION}
)
"""States of the link to a port that was named which waiting does not change."""

Told = TypeVar("Told")


def leave_event(_: BoardEvent) -> None:
    """Leave an event with the board, which keeps it for the journal of the next match. Always raises OSError."""
    raise OSError("no match is on that would write it down")


class Conversation:
    """A link, and the first and the last event of each kind from the board; use it in a `with` block.

    Attributes:
        link: the link itself.
    """

    def __init__(
        self,
        port: str,
        *,
        host_session: int,
        adjust: Adjust,
        deliver: Deliver = leave_event,
        find_ports: Callable[[], Sequence[str]] = free_ports,
    ) -> None:
        """See `Link`; nothing is opened yet."""
        self._first: dict[type, Any] = {}
        self._last: dict[type, Any] = {}
        self._adjust = adjust
        self._named, self._hopeless = port != AUTO, False
        self._news = threading.Condition()
        self.link = Link(
            port,
            host_session=host_session,
            deliver=deliver,
            tell=self._tell,
            notice=self._notice,
            adjust=adjust,
            find_ports=find_ports,
        )

    def __enter__(self) -> Self:
        """Begin to look for the board."""
        self.link.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the board; its lights go out by themselves."""
        self.link.close()

    def first(self, kind: type[Told]) -> Told | None:
        """The first answer or happening of that class; None if there was none."""
        return self._first.get(kind)

    def last(self, kind: type[Told]) -> Told | None:
        """The last answer or happening of that class; None if there was none."""
        return self._last.get(kind)

    def wait_for(self, come: Callable[[], bool], within_s: float) -> bool:
        """Wait until something has come, no longer than that, nor where it is hopeless; whether it has."""
        with self._news:
            self._news.wait_for(lambda: self._hopeless or come(), within_s)
            return come()

    def await_settings(self, within_s: float) -> bool:
        """Wait until the board keeps what it is to keep, or refuses it; whether it keeps it."""
        self.wait_for(lambda: self._is_settled() or self.last(SettingsRefused) is not None, within_s)
        return self._is_settled()

    def settle(self) -> None:
        """Have the board's settings become what they are to be; what it reported of them before is forgotten."""
        with self._news:
            self._hopeless = False
            for kind in (BoardSettings, SettingsRefused):
                self._first.pop(kind, None)
                self._last.pop(kind, None)
        self.link.settle()

    def _is_settled(self) -> bool:
        kept = self.last(BoardSettings)
        return kept is not None and self._adjust(kept) == kept

    def _tell(self, now: LinkStatus) -> None:
        with self._news:
            self._hopeless |= self._named and now.code in HOPELESS
            self._news.notify_all()

    def _notice(self, happening: Happening) -> None:
        what = happening.answer if isinstance(happening, Answered) else happening
        with self._news:
            self._first.setdefault(type(what), what)
            self._last[type(what)] = what
            self._news.notify_all()
