"""Whose dice were rolled: by rules of a pair a side it matters, by rules of one pair it does not."""

from dataclasses import replace

import pytest

from controller.referee.actions import DiceVoid, Message, Phase, Told
from controller.referee.events import RollReported
from controller.referee.table.settings import Settings
from controller.rules.position import START, Side
from controller.rules.profile.conduct import Conduct, Pairs
from controller.rules.profile.profile import STANDARD
from tests.referee.table.evening import Evening, match_terms


def evening_with(pairs: Pairs) -> Evening:
    """A table whose dice are such, at the opening roll."""
    evening = Evening(Settings(match_terms(replace(STANDARD, conduct=Conduct(pairs=pairs)))))
    evening.look(evening.table.position)
    return evening


def roll(evening: Evening, dice: tuple[int, int], owner: Side | None, *, cocked: bool = False) -> None:
    evening.t += 0.5
    evening.tell(RollReported(evening.t, dice, cocked, owner))
    evening.look(pictures=1)


def told_in(evening: Evening, message: Message) -> list[Told]:
    return [each for each in evening.actions if isinstance(each, Told) and each.message is message]


def at_darks_roll(pairs: Pairs) -> Evening:
    """Light has opened and played; Dark is to roll."""
    evening = evening_with(pairs)
    roll(evening, (3, 1), None)
    evening.move(evening.legal())
    evening.done()
    assert evening.table.phase is Phase.TO_ROLL
    return evening


def test_a_roll_with_the_dice_of_the_other_side_is_named_and_does_not_count() -> None:
    evening = at_darks_roll(Pairs.OWN)
    roll(evening, (6, 5), Side.LIGHT)
    (told,) = told_in(evening, Message.OTHER_DICE)
    assert dict(told.arguments) == {"side": "dark", "owner": "light", "dice": [6, 5]}
    assert evening.table.phase is Phase.TO_ROLL
    roll(evening, (4, 2), Side.DARK)
    assert evening.table.thrown is not None
    assert (evening.table.thrown.side, evening.table.thrown.dice) == (Side.DARK, (4, 2))


@pytest.mark.parametrize(("pairs", "owner"), [(Pairs.SHARED, Side.LIGHT), (Pairs.OWN, None)])
def test_any_dice_count_where_both_sides_use_them_or_nobody_knows_whose_they_are(
    pairs: Pairs, owner: Side | None
) -> None:
    evening = at_darks_roll(pairs)
    roll(evening, (6, 5), owner)
    assert evening.table.phase is Phase.MOVING
    assert told_in(evening, Message.OTHER_DICE) == []


def test_a_leaning_die_of_the_other_side_is_named_as_that_sides() -> None:
    evening = at_darks_roll(Pairs.OWN)
    roll(evening, (6, 5), Side.LIGHT, cocked=True)
    assert len(told_in(evening, Message.OTHER_DICE)) == 1
    assert not [action for action in evening.actions if isinstance(action, DiceVoid)]


def test_at_the_opening_both_dice_of_a_side_are_no_roll_by_rules_of_a_pair_a_side() -> None:
    evening = evening_with(Pairs.OWN)
    roll(evening, (6, 5), Side.LIGHT)
    (told,) = told_in(evening, Message.OPENING_DICE)
    assert dict(told.arguments) == {"owner": "light", "dice": [6, 5]}
    assert evening.table.phase is Phase.OPENING_ROLL
    shared = evening_with(Pairs.SHARED)
    roll(shared, (6, 5), Side.LIGHT)
    assert shared.table.phase is Phase.MOVING


def test_the_own_dice_after_the_own_play_are_no_roll_of_the_opponent() -> None:
    evening = evening_with(Pairs.OWN)
    roll(evening, (3, 1), None)
    evening.move(evening.legal())
    roll(evening, (6, 5), Side.LIGHT)
    assert len(told_in(evening, Message.OTHER_DICE)) == 1
    roll(evening, (4, 2), Side.DARK)
    assert evening.table.thrown is not None
    assert evening.table.thrown.side is Side.DARK


def test_who_rolls_again_before_moving_is_asked_about_that() -> None:
    evening = evening_with(Pairs.OWN)
    roll(evening, (3, 1), None)
    assert evening.table.position == START
    roll(evening, (6, 5), Side.LIGHT)
    assert told_in(evening, Message.OTHER_DICE) == []
    assert len(told_in(evening, Message.ROLLED_AGAIN)) == 1
