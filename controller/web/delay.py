"""What spectators see later: news wait until they are old enough; what was put right meanwhile is left out."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Self

from controller.referee import Told, TurnJudged
from controller.referee.actions import TurnUndone, Unsure
from controller.web.course import RecentCourse, RecentTurn, corrects, told_in
from controller.web.table_service import News, RoomState, RoomView

TOGETHER_MS: Final = 250
"""Changes that nothing is told about wait together if they come no further apart."""
Place = tuple[int, int]
"""A game and a ply."""


@dataclass(frozen=True, slots=True)
class RoomShown:
    """The table as some of its pages see it just now.

    Attributes:
        view: the table.
        course: what was told lately.
        at_ms: the time of day at which the clock of ``view`` is right, milliseconds since 1970.
    """

    view: RoomView
    course: RecentCourse
    at_ms: int

    def without_match(self) -> Self:
        """What those see for whom nothing that is known is old enough: that there is a table."""
        view = RoomView(RoomState.READY, light_home=self.view.light_home)
        return replace(self, view=view, course=RecentCourse())

    def after(self, news: Iterable[News], at_ms: int) -> Self:
        """The table once all these news were told."""
        scene = self
        for each in news:
            scene = replace(scene, view=each.view, course=scene.course_before(each).after(each), at_ms=at_ms)
        return scene

    def course_before(self, news: News) -> RecentCourse:
        """What was told lately in the match that news belong to."""
        return self.course if match_of(news.view) == match_of(self.view) else RecentCourse()


def match_of(view: RoomView) -> str | None:
    """The name of the match that a view shows."""
    return None if view.match is None else view.match.id


@dataclass(frozen=True, slots=True)
class HeldNews:
    """News that come out together.

    Attributes:
        news: in their order; the last one has the table as it was after them.
        first_ms, last_ms: when the first and the last of them came.
        turns: the plays that are told in them.
    """

    news: tuple[News, ...]
    first_ms: int
    last_ms: int
    turns: frozenset[Place] = field(default=frozenset())

    @property
    def bare(self) -> bool:
        """Whether nothing is told in it."""
        return not any(each.actions or each.words or each.left for each in self.news)


class Backlog:
    """News that wait until they are old enough.

    What is put right while it waits is never seen: from the wrong play up to what puts it right, all news come out
    together as soon as the last of them is old enough, and the wrong play is not among them.
    """

    def __init__(self, delay_s: float) -> None:
        """Nothing waits."""
        self._delay_ms = round(delay_s * 1000)
        self._waiting: deque[HeldNews] = deque()

    @property
    def due_ms(self) -> int | None:
        """When the next news are old enough; None if none wait."""
        return self._waiting[0].last_ms + self._delay_ms if self._waiting else None

    def move_times(self, by_ms: int) -> None:
        """The clock was set by so much: what waits came as long ago as before."""
        self._waiting = deque(
            replace(each, first_ms=each.first_ms + by_ms, last_ms=each.last_ms + by_ms)
            for each in self._waiting
        )

    def take_due(self, now_ms: int) -> HeldNews | None:
        """The next news, if they are old enough."""
        due = self.due_ms
        return self._waiting.popleft() if due is not None and due <= now_ms else None

    def add(self, news: News, course: RecentCourse, at_ms: int) -> None:
        """News came; ``course`` is what was told before them."""
        added = HeldNews((news,), at_ms, at_ms, _turns(news, course))
        if corrects(news):
            self._add_correction(added, 0)
        elif any(isinstance(each, TurnUndone) for each in news.actions):
            self._add_correction(added, len(self._waiting))
        elif wrong := _revised(news, course):
            self._add_revision(added, wrong)
        elif added.bare and self._waiting and self._goes_with_last(added):
            self._waiting[-1] = replace(added, first_ms=self._waiting[-1].first_ms)
        else:
            self._waiting.append(added)

    def _goes_with_last(self, added: HeldNews) -> bool:
        last = self._waiting[-1]
        alike = match_of(last.news[-1].view) == match_of(added.news[-1].view)
        return last.bare and alike and added.last_ms - last.first_ms <= TOGETHER_MS

    def _add_revision(self, added: HeldNews, wrong: frozenset[Place]) -> None:
        """A play was something else than was told: it is told as it was at the first time already."""
        number = next((n for n, each in enumerate(self._waiting) if each.turns & wrong), len(self._waiting))
        together = self._take_from(number)
        news = tuple(_without(each, wrong) for waiting in together for each in waiting.news)
        turns = added.turns.union(*(waiting.turns for waiting in together))
        self._waiting.append(replace(added, news=news + added.news, turns=turns))

    def _add_correction(self, added: HeldNews, otherwise: int) -> None:
        """The record was put right, or a turn taken back: nothing is told of all that was wrong, or came to nothing.

        Where no turn that waits is among it, what waits from number ``otherwise`` on is not told.
        """
        here = _place_of(added.news[-1].view)
        undone = (n for n, each in enumerate(self._waiting) if any(place >= here for place in each.turns))
        self._take_from(next(undone, otherwise))
        self._waiting.append(added)

    def _take_from(self, number: int) -> tuple[HeldNews, ...]:
        taken = tuple(self._waiting)[number:]
        while len(self._waiting) > number:
            self._waiting.pop()
        return taken


def _turns(news: News, course: RecentCourse) -> frozenset[Place]:
    return frozenset(each.place for each in told_in(course, news) if isinstance(each, RecentTurn))


def _revised(news: News, course: RecentCourse) -> frozenset[Place]:
    told = (each for each in told_in(course, news) if isinstance(each, RecentTurn))
    return frozenset(each.place for each in told if each.turn.revises)


def _without(news: News, wrong: frozenset[Place]) -> News:
    """News without the plays that were something else, and what was said about them."""
    if news.view.referee is None or not _turns(news, RecentCourse()) & wrong:
        return news
    plies = {ply for _, ply in wrong}
    kept = tuple(
        each
        for each in news.actions
        if not isinstance(each, Told) and not (isinstance(each, TurnJudged | Unsure) and each.ply in plies)
    )
    return replace(news, actions=kept)


def _place_of(view: RoomView) -> Place:
    """The game and the ply that come next."""
    return (0, 0) if view.referee is None else (view.referee.match.number, view.referee.ply)
