"""What a table is told of a film, and when."""

from itertools import pairwise
from random import Random

import pytest

from controller.app.desk import TICK_S
from controller.app.eyes import Eyes
from controller.app.timeline import QUIET_S, timeline
from controller.arrays import Picture
from controller.devices.film import FilmFrame, ReportedRoll
from controller.errors import UserError
from controller.referee.events import Event, FrameLost, FrameSeen, RollReported, Ticked
from controller.rules.position import START
from controller.vision.board.board import Board
from controller.vision.reading import Reading
from tests.referee.staging import Film
from tests.striped import BOARD, picture_of


def read(_: Picture, __: Board) -> Reading:
    return Film(Random(1)).read(START)


def frame(number: int, t: float, *, lost: bool = False) -> FilmFrame:
    return FilmFrame(
        number, f"{number}.jpg", t, None if lost else picture_of(number), "cut short" if lost else ""
    )


def told(frames: list[FilmFrame], *rolls: ReportedRoll) -> list[Event]:
    return [event for event, _ in timeline(frames, Eyes(BOARD, read), rolls)]


def test_rolls_come_at_their_times_and_before_a_picture_of_the_same_time() -> None:
    rolls = [ReportedRoll(t, (3, 1)) for t in (-1.0, 1.0, 1.5, 9.0)]
    events = told([frame(1, 0.0), frame(2, 1.0), frame(3, 2.0)], *rolls)
    kinds = [(type(each), each.t) for each in events if not isinstance(each, Ticked)]
    assert kinds == [
        (RollReported, -1.0),
        (FrameSeen, 0.0),
        (RollReported, 1.0),
        (FrameSeen, 1.0),
        (RollReported, 1.5),
        (FrameSeen, 2.0),
        (RollReported, 9.0),
    ]


def test_between_pictures_time_goes_by_as_at_a_live_table() -> None:
    events = told([frame(number, 0.1 * number) for number in range(50)] + [frame(60, 12.0)])
    ticks = [each.t for each in events if isinstance(each, Ticked)]
    assert [later - earlier for earlier, later in pairwise(ticks)] == pytest.approx(
        [TICK_S] * (len(ticks) - 1)
    )
    assert ticks[0] == TICK_S
    assert 12.0 - TICK_S <= ticks[-1] <= 12.0
    assert [each.t for each in events] == sorted(each.t for each in events)


def test_a_gap_of_hours_costs_no_more_than_a_minute() -> None:
    events = told([frame(1, 0.0), frame(2, 86_400.0), frame(3, 86_401.0)])
    ticks = [each.t for each in events if isinstance(each, Ticked)]
    assert len(ticks) <= (QUIET_S + 2.0) / TICK_S
    assert 86_400.0 < ticks[-1] < 86_401.0


def test_a_film_without_a_usable_picture_is_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match="None of the pictures can be used: cut short"):
        told([frame(1, 0.0, lost=True), frame(2, 0.5, lost=True)])
    with pytest.raises(UserError, match="the film holds no pictures"):
        told([], ReportedRoll(1.0, (3, 1)))


def test_a_picture_that_is_lost_is_told_and_the_film_goes_on() -> None:
    events = told([frame(1, 0.0), frame(2, 0.5, lost=True), frame(3, 1.0)])
    assert [type(each) for each in events if not isinstance(each, Ticked)] == [
        FrameSeen,
        FrameLost,
        FrameSeen,
    ]
