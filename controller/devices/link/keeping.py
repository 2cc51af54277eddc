"""What the board's chip keeps in its memory, read and changed by itself, without a match."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.devices.link.conversation import ANSWER_S, Conversation
from controller.devices.link.happenings import SettingsRefused
from controller.devices.link.messages import BoardSettings, RequestFault
from controller.devices.link.session import Adjust
from controller.devices.link.status import LinkStatus
from controller.errors import UserError


class KeepingError(UserError):
    """The board's settings cannot be read, or it does not accept others."""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """What the board at ``port`` kept before, and what it keeps now."""

    port: str
    before: BoardSettings
    now: BoardSettings


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
    with Conversation(port, host_session=host_session, adjust=adjust) as board:
        settled = board.await_settings(answer_s)
        stood = board.link.status
    if (refused := board.last(SettingsRefused)) is not None:
        raise KeepingError(_refusal(refused, stood.port))
    before, now = board.first(BoardSettings), board.last(BoardSettings)
    if before is None or now is None or not settled:
        raise KeepingError(words(stood))
    return KeptSettings(stood.port, before, now)


def _refusal(refused: SettingsRefused, port: str) -> str:
    known = refused.fault in RequestFault._value2member_map_
    why = _FAULTS.get(RequestFault(refused.fault), "") if known else ""
    why = why or f"error {refused.fault}"
    if refused.wanted is None or refused.kept is None:
        return (
            f"The board on {port} does not tell its settings ({why}); flash its firmware: "
            f"pointsman board flash --port {port}."
        )
    asked = ", ".join(list_changes(refused.kept, refused.wanted))
    return (
        f"The board on {port} refused {asked} ({why}) and keeps what it had; give another value, or flash its "
        f"firmware: pointsman board flash --port {port}."
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
        "white": "yes" if settings.white else "no",
    }
