"""What the board's chip keeps in its memory, read and changed by itself, without a match."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.devices.link.happenings import Answered, BoardEvent, Happening, SettingsRefused
from controller.devices.link.link import AUTO, Link
from controller.devices.link.messages import BoardSettings, RequestFault
from controller.devices.link.session import Adjust
from controller.devices.link.status import LinkCode, LinkStatus
from controller.errors import UserError

ANSWER_S: Final = 8.0
"""How long the board may take to be found, to start anew where opening its port does that, and to answer."""
HOPELESS: Final = frozenset(
    {LinkCode.ABSENT, LinkCode.DENIED, LinkCode.TAKEN, LinkCode.OPEN_FAILED, LinkCode.VERSION}
)
"""States of the link to a port that was named which waiting does not change."""


class KeepingError(UserError):
    """The board's settings cannot be read, or it does not accept others."""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """What the board at ``port`` kept before, and what it keeps now."""

    port: str
    before: BoardSettings
    now: BoardSettings


class _Conversation:
    """Listens to one link; takes no events from the board, which keeps them for the journal of the next match."""

    def __init__(self, named: bool) -> None:
        self.before: BoardSettings | None = None
        self.now: BoardSettings | None = None
        self.refused: SettingsRefused | None = None
        self.hopeless = False
        self.news = threading.Condition()
        self._named = named

    def deliver(self, _: BoardEvent) -> None:
        raise OSError("no match is on that would write it down")

    def tell(self, now: LinkStatus) -> None:
        with self.news:
            self.hopeless |= self._named and now.code in HOPELESS
            self.news.notify_all()

    def notice(self, happening: Happening) -> None:
        with self.news:
            if isinstance(happening, SettingsRefused):
                self.refused = happening
            elif isinstance(happening, Answered) and isinstance(happening.answer, BoardSettings):
                self.before = self.before or happening.answer
                self.now = happening.answer
            self.news.notify_all()


def keep_settings(
    port: str,
    adjust: Adjust,
    *,
    host_session: int,
    words: Callable[[LinkStatus], str],
    answer_s: float = ANSWER_S,
) -> KeptSettings:
    """Read what the board keeps and have it keep what ``adjust`` makes of that; what it keeps is read back.

    Args:
        port: see `Link`.
        adjust: what it is to keep, from what it keeps; the same for what it made itself.
        host_session: see `Link`.
        words: says how the link stands, for people.
        answer_s: how long to wait.

    Raises:
        KeepingError: no board answers, or it refuses; then it keeps what it kept.
    """
    heard = _Conversation(named=port != AUTO)

    def done() -> bool:
        settled = heard.now is not None and adjust(heard.now) == heard.now
        return settled or heard.refused is not None or heard.hopeless

    link = Link(
        port,
        host_session=host_session,
        deliver=heard.deliver,
        tell=heard.tell,
        notice=heard.notice,
        adjust=adjust,
    )
    with link, heard.news:
        heard.news.wait_for(done, answer_s)
        stood = link.status
    if heard.refused is not None:
        raise KeepingError(_refusal(heard.refused, stood.port))
    if heard.before is None or heard.now is None or not done():
        raise KeepingError(words(stood))
    return KeptSettings(stood.port, heard.before, heard.now)


def _refusal(refused: SettingsRefused, port: str) -> str:
    known = refused.fault in RequestFault._value2member_map_
    why = _FAULTS.get(RequestFault(refused.fault), "") if known else ""
    why = why or f"error {refused.fault}"
    if refused.wanted is None or refused.kept is None:
        return f"The board on {port} does not tell its settings ({why}); flash its firmware: make flash PORT={port}."
    asked = ", ".join(list_changes(refused.kept, refused.wanted))
    return (
        f"The board on {port} refused {asked} ({why}) and keeps what it had; give another value, or flash its "
        f"firmware: make flash PORT={port}."
    )


_FAULTS: Final = {
    RequestFault.TYPE: "its firmware knows no settings",
    RequestFault.LENGTH: "its firmware has other settings",
    RequestFault.VALUE: "a value out of its range",
}


def list_changes(before: BoardSettings, after: BoardSettings) -> list[str]:
    """The settings that differ, each as `name = value`, as they are after."""
    old, new = name_settings(before), name_settings(after)
    return [f"{name} = {value}" for name, value in new.items() if old[name] != value]


def name_settings(settings: BoardSettings) -> dict[str, str]:
    """The settings by their names in the protocol, for people."""
    lamp = settings.status_lamp
    return {
        "lamps": str(settings.lamps),
        "status_lamp": "none" if lamp is None else str(lamp),
        "limit_ma": str(settings.limit_ma),
        "max_brightness": str(settings.max_brightness),
        "debounce_ms": str(settings.debounce_ms),
    }
