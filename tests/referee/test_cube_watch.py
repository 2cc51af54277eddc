from random import Random

import pytest

from controller.referee.actions import Acted, Action, CubeUnclear, TurnJudged
from controller.referee.caution import Caution
from controller.referee.seeing.cube_watch import CubeWatch, Shown, Turned
from controller.rules.game import events as ruled
from controller.rules.position import START, Position, Side
from controller.vision.reading import CubeSeen
from tests.referee.staging import Film, judged

CAUTION = Caution()
STEADY = CAUTION.steady_cube
CENTRED = Shown()
MIDDLE = CubeSeen(1, "center")
TAKEN = CubeSeen(2, "dark")
AFTER_31 = Position.from_compact("b...BD.B...eE...c.e....B..")
AFTER_31_AND_41 = Position.from_compact("b...BD.B...dE..ac.da...B..")


def watched(
    *pictures: CubeSeen | None, start: Shown | None = CENTRED, due: Shown = CENTRED
) -> tuple[CubeWatch, list[Turned]]:
    watch, found = CubeWatch(start), []
    for frame, cube in enumerate(pictures):
        watch, turned = watch.with_cube(cube, float(frame), frame, due, None, CAUTION)
        if turned is not None:
            found.append(turned)
    return watch, found


@pytest.mark.parametrize("face", [1, 2, 4, 64])
def test_a_cube_that_came_to_a_side_from_the_middle_is_a_two_whatever_its_face_is_read_as(face: int) -> None:
    _, (turned,) = watched(MIDDLE, *[CubeSeen(face, "dark")] * STEADY)
    assert (turned.shown, turned.t, turned.after_t) == (Shown("dark", 2), 1.0, 0.0)


def test_a_cube_that_changed_sides_counts_twice_as_much() -> None:
    lay = Shown("dark", 2)
    _, (turned,) = watched(*[CubeSeen(64, "light")] * STEADY, start=lay, due=lay)
    assert turned.shown == Shown("light", 4)


def test_a_cube_turned_in_the_middle_is_offered() -> None:
    _, (turned,) = watched(MIDDLE, *[CubeSeen(2, "center")] * STEADY)
    assert turned.shown == Shown("center", 2)


@pytest.mark.parametrize("face", [1, 4, 8, 64])
def test_a_face_misread_where_the_cube_lay_before_is_no_change(face: int) -> None:
    lay = Shown("dark", 2)
    watch, found = watched(*[CubeSeen(face, "dark")] * 10, start=lay, due=lay)
    assert (watch.shown, found) == (lay, [])


@pytest.mark.parametrize(
    "pictures",
    [
        [TAKEN] * (STEADY - 1) + [MIDDLE],
        [TAKEN, MIDDLE] * STEADY,
        [None] * 10,
        [CubeSeen(2, "dark", 0.5)] * 10,
    ],
)
def test_glimpses_and_doubtful_pictures_change_nothing(pictures: list[CubeSeen | None]) -> None:
    watch, found = watched(*pictures)
    assert (watch.shown, found) == (CENTRED, [])


def test_pictures_without_the_cube_do_not_interrupt_it() -> None:
    _, found = watched(TAKEN, None, *[TAKEN] * (STEADY - 1))
    assert len(found) == 1


def test_a_film_that_begins_in_mid_game_learns_how_the_cube_lies_without_a_word() -> None:
    watch, found = watched(*[CubeSeen(4, "dark")] * STEADY, start=None)
    assert (watch.shown, found) == (Shown("dark", 4), [])


def doubled_game(cube: CubeSeen) -> list[Action]:
    """Light plays, dark plays, the cube is moved, light plays once more."""
    film = Film(Random(3), cube=MIDDLE)
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(AFTER_31)
    film.roll((4, 1))
    film.rest(AFTER_31)
    film.rest(AFTER_31_AND_41)
    film.lift()
    film.cube = cube
    film.rest(AFTER_31_AND_41)
    film.roll((2, 1))
    film.rest(AFTER_31_AND_41, 3)
    film.rest(Position.from_compact("b..ACB.B...dE..ac.da...B.."), 3)
    film.roll((6, 5))
    film.rest(Position.from_compact("b..ACB.B...dE..ac.da...B.."), 3)
    return judged(film, START)


def test_a_double_is_told_before_the_turn_it_was_made_in() -> None:
    told = [one for one in doubled_game(TAKEN) if isinstance(one, TurnJudged | Acted)]
    acts = [one.event for one in told if isinstance(one, Acted)]
    assert acts[-2:] == [ruled.Doubled(Side.LIGHT), ruled.Taken(Side.DARK)]
    assert [one.ply if isinstance(one, TurnJudged) else "cube" for one in told[-5:]] == [
        0,
        1,
        "cube",
        "cube",
        2,
    ]


def test_a_cube_that_lies_with_the_side_that_would_have_doubled_is_asked_about() -> None:
    actions = doubled_game(CubeSeen(2, "light"))
    (unclear,) = [one for one in actions if isinstance(one, CubeUnclear)]
    assert (unclear.owner, unclear.value) == ("light", 2)
    assert not [one for one in actions if isinstance(one, Acted) and isinstance(one.event, ruled.Doubled)]
