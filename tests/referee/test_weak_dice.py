"""Games told from pictures in which dice are missed, misread, or moved by hand."""

from dataclasses import replace
from random import Random

import pytest

from controller.referee.actions import Action, DiceVoid, Unsure
from controller.rules.position import START, Position, Roll, Side
from tests.amounts import amount
from tests.referee.staging import Dim, Film, chosen, judged, random_game, turns

AFTER_31 = Position.from_compact("b...BD.B...eE...c.e....B..")
"""After light's 8/5 6/5."""
OPENED = Position.from_compact("b....E.C...eF...c.e....A..")
"""After light's 24/13."""
WRONG = Position.from_compact("b....EAB...eF...b.ea...A..")
"""Then dark's 8/5, and for the other number one of light's checkers was moved."""
WEAK = Dim(missed=0.2, glitch=0.05, lost=0.04, misread=0.06)


@pytest.fixture
def film() -> Film:
    return Film(Random(7))


def played(film: Film, dice: tuple[int, int], before: Position, after: Position) -> None:
    """A roll, a play and the dice taken up."""
    film.roll(dice)
    film.rest(before, 3)
    film.hand(before)
    film.rest(after, 3)
    film.lift()
    film.rest(after, 2)


def following(film: Film, position: Position, side: Side, turns_left: int = 2) -> list[Position]:
    """A few well seen turns more, so that all before them is told."""
    ends = []
    for _ in range(turns_left):
        dice = film.rng.sample(range(1, 7), 2)
        after = chosen(position, side, Roll.from_dice(*dice), film.rng).after
        played(film, (dice[0], dice[1]), position, after)
        position, side = after, side.opponent
        ends.append(after)
    return ends


def told(film: Film, start: Position = START, side: Side | None = None) -> list[Action]:
    return judged(film, start, side, read_dice=True)


def unsure(actions: list[Action]) -> set[int]:
    return {action.ply for action in actions if isinstance(action, Unsure)}


def test_a_turn_whose_roll_nobody_saw_is_told_from_the_board_and_later_plies_keep_their_numbers(
    film: Film,
) -> None:
    reply = chosen(AFTER_31, Side.DARK, Roll.from_dice(6, 4), film.rng).after
    film.rest(START)
    played(film, (3, 1), START, AFTER_31)
    film.dim = Dim(lost=1.0)
    played(film, (6, 4), AFTER_31, reply)
    film.dim = None
    ends = following(film, reply, Side.LIGHT)
    actions = told(film)
    found = turns(actions)
    assert [(turn.ply, turn.side, turn.after) for turn in found] == [
        (0, Side.LIGHT, AFTER_31),
        (1, Side.DARK, reply),
        (2, Side.LIGHT, ends[0]),
        (3, Side.DARK, ends[1]),
    ]
    assert all(turn.legal for turn in found)
    assert unsure(actions) == {1}


def test_the_first_roll_of_a_film_may_be_missed(film: Film) -> None:
    film.rest(START)
    film.dim = Dim(lost=1.0)
    played(film, (3, 1), START, AFTER_31)
    film.dim = None
    ends = following(film, AFTER_31, Side.DARK)
    found = turns(told(film))
    assert [(turn.side, turn.after) for turn in found] == [
        (Side.LIGHT, AFTER_31),
        (Side.DARK, ends[0]),
        (Side.LIGHT, ends[1]),
    ]
    assert found[0].roll == Roll.from_dice(3, 1)


def test_a_turn_in_which_nothing_could_move_is_counted_although_its_dice_were_not_seen(film: Film) -> None:
    shut_out = Position.from_compact("BBBBBB.A.A.A......dddb...a")
    later = Position.from_compact("BBBBBC..A..A......dddb...a")
    film.rest(shut_out)
    film.dim = Dim(lost=1.0)
    played(film, (6, 1), shut_out, shut_out)
    film.dim = None
    played(film, (2, 1), shut_out, later)
    played(film, (5, 2), later, later)
    actions = told(film, shut_out, Side.DARK)
    latest = {turn.ply: turn for turn in turns(actions)}
    first, second = latest[0], latest[1]
    assert (first.ply, first.side, first.text) == (0, Side.DARK, "Cannot Move")
    assert (second.ply, second.side, second.roll) == (1, Side.LIGHT, Roll.from_dice(2, 1))
    assert 0 in unsure(actions)


def test_where_only_one_die_was_found_the_play_tells_the_other(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.dice = film.dice[:1]
    film.rest(START, 4)
    film.rest(AFTER_31, 3)
    film.lift()
    film.rest(AFTER_31, 2)
    following(film, AFTER_31, Side.DARK)
    first = turns(told(film))[0]
    assert (first.side, first.roll, first.text) == (Side.LIGHT, Roll.from_dice(3, 1), "8/5 6/5")


def test_a_die_misread_in_every_picture_is_put_right_by_the_play(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.dice = (replace(film.dice[0], value=2, confidence=0.7), film.dice[1])
    film.rest(START, 3)
    film.rest(AFTER_31, 3)
    following(film, AFTER_31, Side.DARK)
    first = turns(told(film))[0]
    assert (first.side, first.roll, first.legal) == (Side.LIGHT, Roll.from_dice(3, 1), True)


def test_dice_moved_by_hand_in_the_middle_of_a_play_are_no_new_roll(film: Film) -> None:
    half = Position.from_compact("b...AE.B...eE...c.e....B..")
    film.rest(START)
    film.roll((3, 1))
    film.rest(START, 3)
    film.hand(START)
    film.dice = tuple(replace(die, x=die.x + 90, y=die.y + 40) for die in film.dice)
    film.rest(half, 3)
    film.hand(half)
    film.rest(AFTER_31, 3)
    ends = following(film, AFTER_31, Side.DARK)
    actions = told(film)
    assert [(turn.ply, turn.after, turn.legal) for turn in turns(actions)][:2] == [
        (0, AFTER_31, True),
        (1, ends[0], True),
    ]
    assert not any(isinstance(action, DiceVoid) for action in actions)


def test_nobody_is_accused_of_a_play_that_another_number_of_a_badly_seen_die_allows(film: Film) -> None:
    film.rest(START)
    played(film, (6, 5), START, OPENED)
    film.roll((3, 1))
    film.dice = (replace(film.dice[0], confidence=0.9), replace(film.dice[1], confidence=0.4))
    by_other = chosen(OPENED, Side.DARK, Roll.from_dice(3, 2), film.rng).after
    film.rest(OPENED, 3)
    film.rest(by_other, 4)
    following(film, by_other, Side.LIGHT)
    assert [turn for turn in turns(told(film)) if turn.legal is False] == []


@pytest.mark.parametrize("seed", range(40, amount(41, 43)))
def test_a_game_with_weak_dice_keeps_its_numbers_and_nobody_is_accused(seed: int) -> None:
    film = Film(Random(seed), dim=WEAK, noise=0.002, linger=3, tray_seen=False)
    truth = random_game(film, 30)
    found = turns(told(film))
    assert [turn for turn in found if turn.legal is False] == []
    by_ply = {turn.ply: turn for turn in found}
    right = [
        ply
        for ply in truth[:-1]
        if ply.number in by_ply
        and (by_ply[ply.number].side, by_ply[ply.number].after) == (ply.side, ply.after)
    ]
    assert len(right) >= len(truth) - 2
