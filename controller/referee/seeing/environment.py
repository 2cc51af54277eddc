"""Board and light as they stand: what of them has changed since it was last told, each change once."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.referee.actions import BoardBack, BoardLost, Bumped, Covered, EnvironmentChange, LightChanged
from controller.referee.caution import USUAL, Caution
from controller.referee.events import FrameSeen
from controller.vision.reading import BoardDrift

SAME_MM: Final = 1.0
"""A board that shifted by less (millimetres) from one picture to the next may have come to rest: following it is
exact to about half a millimetre."""
SAME_DEG: Final = 0.2
"""The same for a turn of the board, in degrees: it moves the ends of a board of 45 cm by less than a millimetre."""
SAME_LIGHT: Final = 1.06
"""The same for the factor by which a colour of the light changed: pictures of the same light agree better."""

_CALIBRATED = BoardDrift(0.0, 0.0, 0.0, (1.0, 1.0, 1.0), 1.0)


@dataclass(frozen=True, slots=True)
class Environment:
    """What was told last, the drift in the picture before, and since when nothing is seen of the board.

    ``lost`` tells that the board is told to be lost, and ``covered`` the points (1..24) that are told to be hidden.
    """

    told: BoardDrift = _CALIBRATED
    before: BoardDrift | None = None
    blind_since: float | None = None
    lost: bool = False
    covered: frozenset[int] = frozenset()


def survey(
    known: Environment, event: FrameSeen, caution: Caution = USUAL
) -> tuple[Environment, tuple[EnvironmentChange, ...]]:
    """What one more picture without a hand changes, and what is to be told of it."""
    drift = event.reading.drift
    if not event.reading.recognised:
        since = event.t if known.blind_since is None else known.blind_since
        lost = event.t - since >= caution.lost_after_s
        news = (_lost(event),) if lost and not known.lost else ()
        return Environment(known.told, None, since, lost, known.covered), news
    covered, actions = _survey_covered(known.covered, event)
    if drift is None:
        return replace(known, covered=covered), tuple(actions)
    told = known.told
    if known.lost:
        actions.append(BoardBack(event.t, event.frame))
    if known.before is not None and _rests(known.before, drift):
        if _moved(told, drift, caution):
            actions.append(_bump(told, drift, event))
            told = replace(drift, light=told.light)
        if _factor(told, drift) > caution.tell_light:
            actions.append(_light(drift, event))
            told = replace(told, light=drift.light)
    return Environment(told, drift, covered=covered), tuple(actions)


def _survey_covered(told: frozenset[int], event: FrameSeen) -> tuple[frozenset[int], list[EnvironmentChange]]:
    """The points that are told to be hidden after one more picture, and what is told of them."""
    covered = event.reading.covered
    if covered <= told:
        return (told if covered else covered), []
    return told | covered, [Covered(event.t, event.frame, tuple(sorted(covered)))]


def _rests(one: BoardDrift, other: BoardDrift) -> bool:
    """Whether neither board nor light changed between two pictures."""
    return (
        _distance(one, other) < SAME_MM
        and abs(one.turn_deg - other.turn_deg) < SAME_DEG
        and _factor(one, other) < SAME_LIGHT
    )


def _moved(told: BoardDrift, now: BoardDrift, caution: Caution) -> bool:
    turn_deg = abs(told.turn_deg - now.turn_deg)
    return _distance(told, now) > caution.tell_mm or turn_deg > caution.tell_deg


def _distance(one: BoardDrift, other: BoardDrift) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _factor(one: BoardDrift, other: BoardDrift) -> float:
    """The largest factor, 1 or more, between the lights of two stances in any channel."""
    ratios = np.abs(np.log(np.array(one.light) / np.array(other.light)))
    return float(np.exp(ratios.max()))


def _lost(event: FrameSeen) -> BoardLost:
    apart = event.reading.displacement
    fault = event.reading.fault or "no_board"
    return BoardLost(event.t, event.frame, fault, 0.0 if apart is None else apart.shift_mm)


def _bump(told: BoardDrift, now: BoardDrift, event: FrameSeen) -> Bumped:
    return Bumped(
        event.t,
        event.frame,
        shift_mm=_distance(told, now),
        turn_deg=now.turn_deg - told.turn_deg,
        x_mm=now.x_mm,
        y_mm=now.y_mm,
    )


def _light(now: BoardDrift, event: FrameSeen) -> LightChanged:
    blue, green, red = now.light
    return LightChanged(event.t, event.frame, red=red, green=green, blue=blue)
