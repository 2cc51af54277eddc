"""The thread that looks, at a film as a camera."""

from random import Random

from controller.app.eyes import Eyes
from controller.app.inbox import Inbox, Item
from controller.app.watcher import Watcher
from controller.arrays import Picture
from controller.devices.camera.camera import Frame
from controller.devices.camera.status import CameraCode, CameraStatus
from controller.messages.device_words import LocalText
from controller.referee.events import Event, FilmEnded, FrameSeen
from controller.rules.position import START
from controller.vision.board.board import Board
from controller.vision.reading import Reading
from tests.referee.staging import Film
from tests.striped import BOARD, picture_of


class Reel:
    """A camera that gives a few pictures, and then no more."""

    def __init__(self, *times: float, shown: tuple[int, ...] = ()) -> None:
        self.status = CameraStatus(CameraCode.OK, "reel", {"size": "160x128"})
        numbers = shown or tuple(range(1, len(times) + 1))
        self._left = [
            Frame(place, t, picture_of(number))
            for place, (t, number) in enumerate(zip(times, numbers, strict=True), start=1)
        ]

    def read(self, _: float) -> Frame | None:
        if self._left:
            return self._left.pop(0)
        self.status = CameraStatus(CameraCode.ENDED, "reel")
        return None

    def close(self) -> None:
        pass


def events_of(inbox: Inbox) -> list[Event]:
    """All that a film tells, its end included."""
    events: list[Event] = []
    while not events or not isinstance(events[-1], FilmEnded):
        item = inbox.get(60.0)
        assert isinstance(item, Item)
        events.append(item.event)
    return events


def test_the_last_look_says_up_to_which_picture_its_reading_holds_and_whether_something_moves() -> None:
    class Noting(Reel):
        """Notes what is known whenever the next picture is asked for."""

        def read(self, patience_s: float) -> Frame | None:
            if watcher.last is not None:
                last = watcher.last
                seen.append((last.frame.number, last.read_t_s, last.moving, last.reading is not None))
            return super().read(patience_s)

    seen: list[tuple[int, float, bool, bool]] = []
    # A board at rest, a hand over it in two pictures, and the board at rest again.
    reel = Noting(1.0, 1.1, 1.2, 1.3, 1.4, shown=(1, 1, 2, 4, 4))
    inbox, said = Inbox(), list[LocalText]()
    watcher = Watcher(reel, inbox, lambda at: at, said.append)
    watcher.look_with(Eyes(BOARD, lambda _, __: Film(Random(1)).read(START)))
    watcher.start()
    events_of(inbox)
    watcher.stop()
    assert seen == [
        (1, 1.0, False, True),
        (2, 1.1, False, True),
        (3, 1.1, True, True),
        (4, 1.1, True, True),
        (5, 1.4, False, True),
    ]


def test_the_end_of_a_film_is_told_after_its_last_picture() -> None:
    def read(_: Picture, __: Board) -> Reading:
        return Film(Random(1)).read(START)

    inbox, said = Inbox(), list[LocalText]()
    watcher = Watcher(Reel(1.0, 2.0, 3.0), inbox, lambda at: at + 10.0, said.append)
    watcher.look_with(Eyes(BOARD, read))
    watcher.start()
    events = events_of(inbox)
    watcher.stop()
    assert watcher.finished
    assert [(type(event), event.t) for event in events] == [
        (FrameSeen, 11.0),
        (FrameSeen, 12.0),
        (FrameSeen, 13.0),
        (FilmEnded, 13.0),
    ]
    assert said == []


def test_a_picture_that_is_read_while_other_eyes_come_is_not_told() -> None:
    """It has the seconds of the match before, and was read for it."""

    def read(_: Picture, __: Board) -> Reading:
        if not changed:
            changed.append(True)
            watcher.look_with(Eyes(BOARD, lambda _, __: Film(Random(1)).read(START)))
        return Film(Random(1)).read(START)

    changed: list[bool] = []
    inbox, said = Inbox(), list[LocalText]()
    watcher = Watcher(Reel(1.0, 2.0), inbox, lambda at: at, said.append)
    watcher.look_with(Eyes(BOARD, read))
    watcher.start()
    events = events_of(inbox)
    watcher.stop()
    assert [(type(event), event.t) for event in events] == [(FrameSeen, 2.0), (FilmEnded, 2.0)]
    assert said == []


def test_no_picture_is_read_while_the_table_is_busy_with_one_thing() -> None:
    class Busy(Inbox):
        """The table is busy whenever it is asked, but for the first time and after the fifth."""

        @property
        def behind_s(self) -> float:
            happened.append("asked")
            return 60.0 if 1 < happened.count("asked") < 5 else 0.0

    def read(_: Picture, __: Board) -> Reading:
        happened.append("read")
        return Film(Random(1)).read(START)

    happened: list[str] = []
    inbox = Busy()
    watcher = Watcher(Reel(1.0, 2.0), inbox, lambda at: at, lambda _: None)
    watcher.look_with(Eyes(BOARD, read))
    watcher.start()
    events_of(inbox)
    watcher.stop()
    assert happened[:7] == ["asked", "read", "asked", "asked", "asked", "asked", "read"]
