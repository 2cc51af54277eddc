"""Which entries are to go on to the other hub: what it has, what is on its way, what was lost on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.club.messages import Confirmation
from controller.hub.uplink.other_hub import Heads, Place

BACK_S: Final = 10.0
"""After this time without progress, the other hub is asked how far it has come."""
LOST_S: Final = 120.0
"""What has not arrived after this time is sent again, even if nobody reports it as lost."""


@dataclass(slots=True)
class _Way:
    """One journal on its way.

    Attributes:
        newest: the number of its newest entry here.
        confirmed: up to where the other hub has it; None while that is to be asked.
        sent: up to where it was sent.
        mark: of what was sent last.
        moved_s: when anything was learned of it last, or the moment before which nobody is asked for it.
        quiet_s: since when nothing new has come there.
        round: how often it was gone back.
        stopped: whether the other hub takes no more of it.
    """

    newest: int
    confirmed: int | None
    sent: int = 0
    mark: int = 0
    moved_s: float = 0.0
    quiet_s: float = 0.0
    round: int = 0
    stopped: bool = False


class OutgoingEntries:
    """All journals on their way. Times are seconds of one clock that never runs backwards."""

    def __init__(self, back_s: float = BACK_S) -> None:
        """Nothing is known yet; without progress for ``back_s``, the other hub is asked."""
        self._back_s = back_s
        self._ways: dict[Place, _Way] = {}
        self._looked = False

    @property
    def left(self) -> int:
        """How many entries the other hub is not known to have."""
        return sum(max(0, way.newest - (way.confirmed or 0)) for way in self._ways.values())

    def update_newest(self, newest: Mapping[Place, int]) -> None:
        """Know what there is here. What begins while this runs is new to the other hub, too: nobody asks for it."""
        for place, number in newest.items():
            way = self._ways.get(place)
            if way is None:
                self._ways[place] = _Way(number, 0 if self._looked else None)
            else:
                way.newest = number
        self._looked = True

    def forget(self) -> None:
        """Whatever the other hub said is to be asked again."""
        for way in self._ways.values():
            way.confirmed, way.moved_s = None, 0.0

    def unknown(self, now_s: float) -> Sequence[Place]:
        """The journals of which the other hub is to be asked how far they are."""
        return [
            place
            for place, way in self._ways.items()
            if not way.stopped
            and (
                (way.confirmed is None and now_s >= way.moved_s)
                or (
                    way.confirmed is not None
                    and way.sent > way.confirmed
                    and now_s - way.moved_s > self._back_s
                )
            )
        ]

    def wait(self, asked: Sequence[Place], now_s: float) -> None:
        """The other hub did not answer: it is asked after the same journals later, and nothing is gone back for."""
        for place in asked:
            way = self._ways[place]
            way.moved_s = way.quiet_s = now_s + (self._back_s if way.confirmed is None else 0.0)

    def learn(self, asked: Sequence[Place], heads: Heads, now_s: float) -> None:
        """The other hub has said how far journals are; what was lost on its way is to be sent again."""
        for place in asked:
            way = self._ways[place]
            there = heads.numbers.get(place, 0)
            if way.confirmed is None or there != way.confirmed:
                way.quiet_s = now_s
            way.confirmed, way.moved_s = there, now_s
            lost = heads.taken >= way.mark or now_s - way.quiet_s > LOST_S
            if there >= way.sent:
                way.sent = there
            elif lost:
                self._go_back(way)

    def waiting(self, most: int) -> Sequence[tuple[Place, int, int]]:
        """Some journals with entries to be sent: after which number, and in which round."""
        found: list[tuple[Place, int, int]] = []
        for place, way in self._ways.items():
            if way.confirmed is not None and not way.stopped and way.sent < way.newest:
                found.append((place, way.sent, way.round))
                if len(found) == most:
                    break
        return found

    def note(self, place: Place, upto: int, mark: int, now_s: float) -> None:
        """Entries are on their way."""
        way = self._ways[place]
        if way.confirmed is not None and way.sent == way.confirmed:
            way.moved_s = way.quiet_s = now_s
        way.sent, way.mark = max(way.sent, upto), mark

    def confirm(self, table: str, told: Confirmation, now_s: float) -> None:
        """The other hub says how far a journal is there, forwards and backwards."""
        way = self._ways.get((table, told.journal))
        if way is None:
            return
        if told.fault:
            way.stopped = True
        if way.confirmed is not None and told.upto < way.confirmed:
            way.sent = told.upto
            way.round += 1
        if told.upto != way.confirmed:
            way.moved_s = way.quiet_s = now_s
        way.confirmed = told.upto
        way.sent = max(way.sent, told.upto)

    @staticmethod
    def _go_back(way: _Way) -> None:
        way.sent = way.confirmed or 0
        way.round += 1
