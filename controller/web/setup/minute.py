"""What happened at a table in the last minute, for whoever asks why it said something."""

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from controller.referee import TurnJudged
from controller.vision import Reading
from controller.web.table_service import News

KEPT_S: Final = 60.0
GAP_S: Final = 1.5
"""What comes again within that time is the same happening."""
MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was seen or concluded.

    Attributes:
        kind: ``hand``, ``dice``, ``unsure``, ``play`` or ``lost``.
        since_s, until_s: from when to when, seconds of the match.
        dice: for ``dice``; those that lay there.
        points: for ``unsure``, 1..24 from light's side.
        text: for ``play``, in notation; empty where there is none.
        legal: for ``play``; None where nobody confirmed it.
        moved: for ``play``, whether the checkers lie otherwise than before.
    """

    kind: str
    since_s: float
    until_s: float
    dice: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    text: str = ""
    legal: bool | None = True
    moved: bool = True

    def goes_on(self, other: "Happening") -> bool:
        """Whether another one is this one again, a little later."""
        mine, others = ((one.kind, one.dice, one.text, one.legal) for one in (self, other))
        return mine == others and other.since_s - self.until_s <= GAP_S


class Minute:
    """Keeps the last minute. All methods may be called from any thread; none of them raises or waits."""

    def __init__(self) -> None:
        self._kept: deque[Happening] = deque(maxlen=MOST)
        self._dice: tuple[int, ...] = ()
        self._last: Reading | None = None
        self._lock = threading.Lock()

    def see(self, t_s: float, reading: Reading | None) -> None:
        """A picture, taken at ``t_s`` (seconds of the match), and its reading; None while something moves.

        The same reading may be told many times: of a board at rest it is told with each picture.
        """
        with self._lock:
            again = reading is not None and reading is self._last
            self._last = reading
            for happening in self._seen_in(t_s, reading, again=again):
                self._add(happening)

    def on_news(self, news: News) -> None:
        """What the table told its pages: the plays in it."""
        with self._lock:
            for action in news.actions:
                if isinstance(action, TurnJudged):
                    moved = action.after != action.before
                    self._add(
                        Happening(
                            "play", action.t, action.t, text=action.text, legal=action.legal, moved=moved
                        )
                    )

    def last(self, now_s: float) -> tuple[Happening, ...]:
        """The happenings of the last minute, the oldest first."""
        with self._lock:
            return tuple(one for one in self._kept if now_s - KEPT_S <= one.until_s <= now_s + GAP_S)

    def _seen_in(self, t_s: float, reading: Reading | None, *, again: bool) -> Iterable[Happening]:
        if reading is None or (reading.recognised and reading.hand):
            yield Happening("hand", t_s, t_s)
        elif not reading.recognised:
            yield Happening("lost", t_s, t_s)
        else:
            dice = tuple(sorted((die.value for die in reading.dice), reverse=True))
            if dice and dice != self._dice and not again:
                yield Happening("dice", t_s, t_s, dice=dice)
            self._dice = dice
            unsure = tuple(sorted(reading.unsure - reading.covered))
            if unsure:
                yield Happening("unsure", t_s, t_s, points=unsure)

    def _add(self, happening: Happening) -> None:
        kept = self._kept
        for place in range(len(kept) - 1, max(-1, len(kept) - 5), -1):
            if kept[place].goes_on(happening):
                kept[place] = replace(
                    kept[place], until_s=max(kept[place].until_s, happening.until_s), points=happening.points
                )
                return
        kept.append(happening)
