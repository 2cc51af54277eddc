"""Settled views: stretches of time in which the board lay still without a hand and showed one position."""

from dataclasses import dataclass, replace
from typing import Final

from controller.referee.seeing.evidence import Evidence, differ, weighed_without
from controller.vision.geometry.seen import Hands

KEPT: Final = 40
"""This many settled views are kept: a limit of work, no threshold."""
GLITCHES: Final = 2
"""At most this many pictures, each unlike the others, are dropped when what lay there before is seen again."""
TOUCHED: Final = 0.4
"""Share of the usual difference that tells two positions apart when something, such as a hand, came between them.
Where it is known that no hand did, light or noise made the pictures differ."""


@dataclass(frozen=True, eq=False, slots=True)
class SettledView:
    """Pictures that show the same position.

    ``covered`` are the points (1..24) hidden in the latest of them; what was seen there before may not hold any
    more. ``resumed_t`` is when the board was last seen so after something else: since then nothing came between.
    ``until`` is the time of the first picture after them that was no part of it (a hand, a change);
    ``None`` while nothing else came. ``hands`` are those that were over the board between the settled view before and
    the latest picture; ``None`` where that is not known.
    """

    evidence: Evidence
    first_t: float
    last_t: float
    last_frame: int
    covered: frozenset[int] = frozenset()
    until: float | None = None
    resumed_t: float = 0.0
    hands: Hands | None = None

    @classmethod
    def of_picture(
        cls,
        evidence: Evidence,
        t: float,
        frame: int,
        covered: frozenset[int] = frozenset(),
        hands: Hands | None = None,
    ) -> "SettledView":
        """A single picture."""
        return cls(evidence, t, t, frame, covered, resumed_t=t, hands=hands)

    @property
    def readings(self) -> int:
        """How many pictures were pooled."""
        return self.evidence.readings

    @property
    def visible(self) -> Evidence:
        """What is known to lie there at the end of the settled view, weighed: hidden points left out."""
        return weighed_without(self.evidence, self.covered)

    @property
    def stood_s(self) -> float:
        """Seconds from the first picture to the first one that was something else."""
        return (self.last_t if self.until is None else self.until) - self.first_t


SettledViews = tuple[SettledView, ...]


def with_picture(views: SettledViews, picture: SettledView) -> SettledViews:
    """The settled views after one more picture at rest; its hands were over the board since the picture before.

    Single pictures that differ from what lay before and after them (a checker knocked askew and put back, a
    glitch) are dropped.
    """
    for back in range(1, min(len(views), GLITCHES + 1) + 1):
        again = back > 1 or views[-1].until is not None
        touched = back == 1 and again and picture.hands != ()
        if not differ(views[-back].evidence, picture.evidence, TOUCHED if touched else 1.0):
            return (*views[:-back], _join((*views[-back:], picture), again=again))
        if views[-back].readings > 1:
            break
    closed = interrupt(views, picture.first_t)
    if len(closed) >= KEPT:
        closed = (closed[0], *_forget(closed[1:]))
    return (*closed, picture)


def _join(views: SettledViews, *, again: bool) -> SettledView:
    """The first of some settled views, which goes on with the last one; what lies between is dropped."""
    view, *_, picture = views
    return replace(
        picture,
        evidence=view.evidence.pooled(picture.evidence),
        first_t=view.first_t,
        resumed_t=picture.resumed_t if again else view.resumed_t,
        hands=_hands_of(views),
    )


def _forget(views: SettledViews) -> SettledViews:
    """The latest of some settled views; the first of these has the hands of those that are left out, too."""
    first = replace(views[-KEPT // 2], hands=_hands_of(views[: -KEPT // 2 + 1]))
    return (first, *views[-KEPT // 2 + 1 :])


def _hands_of(views: SettledViews) -> Hands | None:
    """All hands of some settled views."""
    hands: Hands | None = ()
    for view in views:
        hands = with_hands(hands, view.hands)
    return hands


def with_hands(known: Hands | None, seen: Hands | None) -> Hands | None:
    """The hands over the board since the last picture at rest, with those in one more picture."""
    return None if known is None or seen is None else known + seen


def interrupt(views: SettledViews, t: float) -> SettledViews:
    """The settled views when a picture at ``t`` was no part of the last one."""
    if views and views[-1].until is None:
        return (*views[:-1], replace(views[-1], until=t))
    return views
