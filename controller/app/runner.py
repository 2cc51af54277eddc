"""What runs a table, real or simulated: events go to its desk, and what the referee wants done is carried out."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from controller.app.desk import Desk
from controller.devices import EventMark
from controller.record import TurnPicture
from controller.referee import Action, Event


class Runner(ABC):
    """Stands between a desk and the devices around it. For one thread.

    Attributes:
        desk: the referee and the record.
    """

    def __init__(self, desk: Desk) -> None:
        """Nothing has happened yet."""
        self.desk = desk

    def put(self, event: Event, *, mark: EventMark | None = None, shot: TurnPicture | None = None) -> None:
        """Take an event, as `Desk.put`; carry out what comes of it, and then take what follows from that."""
        follows: list[Event] = []
        for action in self.desk.put(event, mark=mark, shot=shot):
            follows += self.carry_out(action)
        for each in follows:
            self.put(each)

    @abstractmethod
    def carry_out(self, action: Action) -> Iterable[Event]:
        """Do what the referee wants done; returns what happened by that, such as a flag that fell."""
