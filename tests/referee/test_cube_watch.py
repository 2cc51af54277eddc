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
SURE, STEADY = CAUTION.sure_cube, CAUTION.steady_cube
CENTRED = Shown()
MIDDLE = CubeSeen(1, "center")
TAKEN = CubeSeen(2, "dark")
AFTER_31 = Position.from_compact("b...BD.B...eE...c.e....B..")
AFTER_31_AND_41 = Position.from_compact("b...BD.B...dE..ac.da...B..")


def watched(*pictures: CubeSeen | None, start: Shown | None = CENTRED) -> tuple[CubeWatch, list[Turned]]:
    watch, found = CubeWatch(start), []
    for frame, cube in enumerate(pictures):
        watch, turned = watch.with_cube(cube, float(frame), frame, CAUTION)
        if turned is not None:
            found.append(turned)
    return watch, found


def test_a_cube_on_one_side_with_twice_the_value_was_offered_by_the_other_side() -> None:
    _, (turned,) = watched(MIDDLE, *[TAKEN] * STEADY)
    assert (turned.doubler, turned.shown.value, turned.t) == (Side.LIGHT, 2, 1.0)


def test_a_redouble_comes_from_the_owner() -> None:
    _, (_, turned) = watched(*[TAKEN] * STEADY, *[CubeSeen(4, "light")] * STEADY)
    assert (turned.doubler, turned.shown.value) == (Side.DARK, 4)


@pytest.mark.parametrize("cube", [CubeSeen(4, "dark"), CubeSeen(1, "light"), CubeSeen(2, "center")])
def test_what_fits_no_double_that_was_taken_has_no_doubler(cube: CubeSeen) -> None:
    _, (turned,) = watched(MIDDLE, *[cube] * STEADY)
    assert turned.doubler is None


def test_the_owner_cannot_have_been_doubled_by_the_other_side() -> None:
    _, (turned,) = watched(*[CubeSeen(4, "dark")] * STEADY, start=Shown("dark", 2))
    assert turned.doubler is None


@pytest.mark.parametrize(
    "pictures",
    [
        [TAKEN] * (STEADY - 1) + [MIDDLE],
        [TAKEN, MIDDLE] * STEADY,
        [None] * 10,
        [CubeSeen(2, "dark", SURE - 0.1)] * 10,
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


def test_a_cube_moved_without_an_offer_is_asked_about() -> None:
    actions = doubled_game(CubeSeen(8, "dark"))
    (unclear,) = [one for one in actions if isinstance(one, CubeUnclear)]
    assert (unclear.owner, unclear.value) == ("dark", 8)
    assert not [one for one in actions if isinstance(one, Acted) and isinstance(one.event, ruled.Doubled)]
