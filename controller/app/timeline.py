"""What happens in a film, in the order of its times: rolls, what its pictures tell, and time that goes by."""

from collections.abc import Iterable, Iterator
from typing import Final

from controller.app.desk import TICK_S
from controller.app.eyes import Eyes
from controller.devices import FilmFrame
from controller.devices.film import ReportedRoll
from controller.errors import UserError
from controller.record import TurnPicture
from controller.referee import Event, FrameLost, FrameSeen, RollReported, Ticked

QUIET_S: Final = 60.0
"""After this time without a picture or a roll, nothing follows from more time: gaps of hours cost nothing."""

UNSEEN: Final = "the board does not lie still and sharp in any of them; calibrate it under this camera."

TimelineEvent = tuple[Event, TurnPicture | None]
"""An event, and the picture that it is about."""


def timeline(
    film: Iterable[FilmFrame], eyes: Eyes, rolls: tuple[ReportedRoll, ...] = ()
) -> Iterator[TimelineEvent]:
    """Every event that a table would have had while the film was taken.

    A roll comes before a picture of the same time. Between them time goes by as at a live table, in steps of
    `TICK_S` seconds.

    Args:
        film: its pictures in their order.
        eyes: look at them.
        rolls: those that an electronic dice set reported, in their order, in seconds of the film.

    Raises:
        UserError: at the end, if none of the pictures could be used.
    """
    ticked: float | None = None
    for t, happenings in _moments(film, eyes, rolls):
        ticked = t if ticked is None else ticked
        end = min(t, ticked + QUIET_S)
        while ticked + TICK_S < end:
            ticked += TICK_S
            yield Ticked(ticked), None
        if end < t:
            ticked = t
        yield from happenings


def _moments(
    film: Iterable[FilmFrame], eyes: Eyes, rolls: tuple[ReportedRoll, ...]
) -> Iterator[tuple[float, list[TimelineEvent]]]:
    """What happens at each time at which there is a picture or a roll."""
    waiting = list(rolls)
    usable, fault = False, "the film holds no pictures; give one that does."
    for frame in film:
        while waiting and waiting[0].t <= frame.t:
            yield _roll_moment(waiting.pop(0))
        told: list[TimelineEvent] = [*eyes.read_frame(frame)]
        for news, _ in told:
            if isinstance(news, FrameLost):
                fault = news.why
            else:
                usable = usable or (isinstance(news, FrameSeen) and news.reading.recognised)
                fault = UNSEEN
        yield frame.t, told
    if not usable:
        raise UserError(f"None of the pictures can be used: {fault}")
    for roll in waiting:
        yield _roll_moment(roll)


def _roll_moment(roll: ReportedRoll) -> tuple[float, list[TimelineEvent]]:
    return roll.t, [(RollReported(roll.t, roll.dice), None)]
