from random import Random

from controller.referee.seeing.evidence import evidence_of
from controller.referee.seeing.rests import Rests, interrupt, with_reading
from controller.rules.position import START, Position
from tests.referee.staging import Film

AFTER = Position.from_compact("b....EAC...eD...c.e....B..")
ASKEW = Position.from_compact("b....E.C...eE...b.e....B..")


def rests_of(*positions: Position | None) -> Rests:
    """The rests of a film with a picture a second; ``None`` is a picture with a hand."""
    film, rests = Film(Random(3)), Rests(())
    for t, position in enumerate(positions):
        if position is None:
            rests = interrupt(rests, float(t))
        else:
            rests = with_reading(rests, evidence_of(film.read(position)), float(t), t)
    return rests


def test_pictures_of_one_position_are_one_rest() -> None:
    (rest,) = rests_of(START, START, None, START)
    assert rest.readings == 3
    assert rest.last_frame == 3


def test_a_moved_checker_begins_a_new_rest() -> None:
    first, second = rests_of(START, START, AFTER, AFTER)
    assert (first.readings, second.readings) == (2, 2)


def test_a_checker_askew_in_one_picture_is_forgotten_when_it_is_put_back() -> None:
    (rest,) = rests_of(START, START, ASKEW, START)
    assert rest.readings == 3


def test_a_position_seen_twice_is_not_forgotten() -> None:
    assert len(rests_of(START, START, AFTER, AFTER, START)) == 3


def test_a_rest_stands_until_the_first_picture_that_is_something_else() -> None:
    first, second = rests_of(START, AFTER, AFTER, None, None)
    assert first.stood_s == 1
    assert second.stood_s == 2
