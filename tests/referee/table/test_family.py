"""Games of the family at the table, by the plain rules of the tests: honest plays pass, broken rules are named."""

from collections.abc import Sequence
from math import inf
from random import Random

import pytest

from controller.devices import Button, Signal
from controller.referee.actions import Flagged, GameEnded, Message, Phase, TurnJudged
from controller.referee.table.choices import choices_of
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.game.match import Terms
from controller.rules.moves.plays import results
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.reasons import ReasonCode
from tests.amounts import amount
from tests.referee.family_sitting import Sitting
from tests.referee.table.evening import Evening
from tests.rows import each_row
from tests.rules.family_reference import GAMES

LIGHT, DARK = Side.LIGHT, Side.DARK
TAVLI = ("portes", "plakoto", "fevga")
PLAYED_OUT = frozenset({"hypergammon"})
"""The game that is short: of the others some rolls are played, and all in `make test-long`."""
ROLLS = 14


def sit(
    names: Sequence[str], seed: int, length: int = 1, cheating: float = 0.12, most: float = inf
) -> Sitting:
    """A match as it was played and told."""
    sitting = Sitting(tuple(names), Random(seed), length, cheating=cheating)
    sitting.match(most)
    return sitting


def told_score(sitting: Sitting) -> dict[str, int]:
    """The score at the end, as the referee tells it."""
    over = [line for line in sitting.told if line.get("kind") == "match_over"]
    return {side: over[-1][side] for side in ("light", "dark")}


@each_row("name", GAMES)
def test_a_game_of_the_family_is_refereed_to_its_end(name: str) -> None:
    whole = name in PLAYED_OUT or amount(usual=False, long=True)
    cheating = 0.02 if name == "acey-deucey" else 0.12
    sitting = sit([name], 5, cheating=cheating, most=inf if whole else ROLLS)
    assert not sitting.failures
    assert not sitting.accused
    assert all(cheat.named for cheat in sitting.cheats), sitting.cheats
    judged = [line for line in sitting.told if line.get("legal") is True]
    assert len({line["ply"] for line in judged}) == sitting.plays
    assert not whole or told_score(sitting) == sitting.score


def test_each_game_of_a_series_is_refereed_by_its_own_rules() -> None:
    seed, length = amount((12, 2), (5, 5))
    sitting = sit(TAVLI, seed, length=length, cheating=0.05)
    assert not sitting.failures
    assert not sitting.accused
    begun = [line["game"] for line in sitting.told if line.get("kind") == "game_begun"]
    assert len(begun) > 1
    assert told_score(sitting) == sitting.score


def board(light: dict[int, int], dark: dict[int, int], pinned: tuple[int, ...] = ()) -> Position:
    """Checkers on points from light's side, and points on which one lies under those of the other side."""
    points = [light.get(point, 0) - dark.get(point, 0) for point in range(1, 25)]
    return Position.from_counts(points).with_hidden(pinned)


def sitting_down(name: str) -> Evening:
    """A game whose first roll is due."""
    evening = Evening(Settings(Terms.match(load_profile(name), 3)))
    evening.start()
    return evening


def standing(name: str, position: Position, side: Side) -> Evening:
    """A game that has come to a position, with `side` to roll."""
    evening = sitting_down(name)
    evening.stand(position, side)
    return evening


PINNING = board({6: 1, 8: 2, 13: 12}, {19: 14}, pinned=(6,))
"""Light has pinned a checker of dark on its 6-point."""


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_the_first_turn_from_a_pile_of_fifteen_is_judged_at_once(name: str) -> None:
    evening = sitting_down(name)
    evening.turn(4, 2)
    assert [turn.legal for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)] == [True]


@pytest.mark.parametrize(
    ("after", "pinned"),
    [
        (board({6: 1, 8: 2, 13: 10, 11: 1, 12: 1}, {19: 14}), (6,)),
        (board({4: 1, 8: 1, 7: 1, 13: 12}, {19: 14, 6: 1}), ()),
    ],
)
def test_a_pinned_checker_is_carried_until_the_one_above_it_leaves(
    after: Position, pinned: tuple[int, ...]
) -> None:
    evening = standing("plakoto", PINNING, LIGHT)
    evening.roll(2, 1)
    evening.move(after, 3)
    evening.done()
    (turn,) = evening.of(TurnJudged)
    assert isinstance(turn, TurnJudged)
    assert turn.legal
    assert turn.after.pinned == evening.table.position.pinned == pinned
    assert Message.CHECKER_MISSING not in evening.messages()


def test_a_pinned_checker_that_was_moved_is_told_and_shown() -> None:
    evening = standing("plakoto", board({13: 14}, {5: 1, 19: 14}, pinned=(5,)), LIGHT)
    evening.roll(2, 1)
    evening.move(board({13: 13, 12: 1, 3: 1}, {5: 1, 19: 14}), 3)
    evening.done()
    (told,) = evening.of(Flagged)
    assert isinstance(told, Flagged)
    assert [reason.code for reason in told.turn.reasons] == [ReasonCode.PINNED_MOVED]
    assert evening.table.lit.points[3 - 1] is Signal.WRONG
    evening.press(Button.TAKE, DARK)
    assert evening.table.position == board({13: 13, 12: 1, 3: 1}, {5: 1, 19: 14})


def test_who_says_that_a_pinned_checker_was_drawn_out_is_believed_that_its_pin_is_gone() -> None:
    evening = standing("plakoto", board({13: 14}, {5: 1, 19: 14}, pinned=(5,)), LIGHT)
    evening.roll(2, 1)
    drawn = board({13: 13, 12: 1, 3: 1}, {5: 1, 19: 14})
    evening.move(drawn, 3)
    evening.say(ruled.Played(LIGHT, drawn, None))
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.press(Button.TAKE, DARK)
    (turn,) = evening.of(TurnJudged)
    assert isinstance(turn, TurnJudged)
    assert ReasonCode.PINNED_MOVED in [reason.code for reason in turn.reasons]
    assert turn.after == evening.table.position == drawn
    evening.look(drawn)
    evening.turn(6, 4)
    assert [turn.legal for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)] == [False, True]


def test_who_says_how_the_board_lies_after_a_legal_play_need_not_say_what_is_pinned() -> None:
    evening = standing("plakoto", PINNING, LIGHT)
    evening.roll(2, 1)
    after = board({6: 1, 8: 2, 13: 10, 11: 1, 12: 1}, {19: 14})
    evening.say(ruled.Played(LIGHT, after, None))
    assert evening.table.position == after.with_hidden((6,))


def test_a_game_in_which_both_mothers_are_lost_is_drawn() -> None:
    evening = standing("plakoto", board({1: 1, 24: 1, 6: 13}, {22: 1, 20: 13}, pinned=(1,)), DARK)
    evening.roll(2, 1)
    evening.move(board({1: 1, 6: 13}, {24: 1, 20: 12, 21: 1}), 3)
    evening.done()
    (ended,) = evening.of(GameEnded)
    assert isinstance(ended, GameEnded)
    assert ended.result.points == 0
    assert Message.GAME_DRAWN in evening.messages()
    assert Message.GAME_WON not in evening.messages()


def test_a_named_double_is_among_what_may_be_said_and_is_played_without_a_roll() -> None:
    evening = sitting_down("acey-deucey")
    evening.turn(2, 1)
    assert evening.messages()[-1] is Message.NAME_DOUBLE
    side = evening.table.on_turn
    assert side is not None
    said = [choice for choice in choices_of(evening.table, str(side)) if choice.what == "name_double"]
    assert [choice.arguments["number"] for choice in said] == [1, 2, 3, 4, 5, 6]
    evening.say(ruled.DoubleNamed(side, 3))
    assert evening.table.phase is Phase.MOVING
    evening.move(evening.legal(), 3)
    evening.done()
    assert evening.messages()[-1] is Message.ROLLS_AGAIN
    assert evening.table.on_turn is side


def test_a_roll_is_refused_while_a_double_is_due_that_nobody_has_played() -> None:
    evening = sitting_down("acey-deucey")
    evening.turn(2, 1)
    evening.roll(6, 5)
    assert evening.messages()[-1] is Message.REFUSED
    assert evening.table.phase is Phase.TO_ROLL


def test_a_double_that_nobody_named_is_read_from_the_board() -> None:
    evening = sitting_down("acey-deucey")
    evening.turn(2, 1)
    side = evening.table.on_turn
    assert side is not None
    after = min(results(evening.table.position, side, Roll.from_dice(5, 5), evening.table.caution.rules)[0])
    evening.move(Position(after), 3)
    evening.press(Button.DONE)
    last = evening.of(TurnJudged)[-1]
    assert isinstance(last, TurnJudged)
    assert (last.roll, last.after, last.legal) == (Roll.from_dice(5, 5), Position(after), True)
    assert Message.ROLLS_AGAIN in evening.messages()
    evening.roll(4, 3)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, side)


def test_a_double_that_was_tried_and_put_back_is_due_again() -> None:
    evening = sitting_down("acey-deucey")
    evening.turn(2, 1)
    side, before = evening.table.on_turn, evening.table.position
    assert side is not None
    tried, played = (
        Position(min(results(before, side, Roll.from_dice(die, die), evening.table.caution.rules)[0]))
        for die in (5, 3)
    )
    evening.move(tried, 3)
    evening.move(before, 4)
    assert evening.messages()[-1] is Message.NAME_DOUBLE
    evening.say(ruled.DoubleNamed(side, 3))
    evening.move(played, 3)
    evening.done()
    turns = [turn for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)]
    assert (turns[-1].roll, turns[-1].after, turns[-1].legal) == (Roll.from_dice(3, 3), played, True)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, side)


def test_a_play_after_which_some_double_cannot_be_played_is_certain_all_the_same() -> None:
    evening = standing("acey-deucey", Position.from_compact("AAaCAcBaa..Aa.C.aac.AAA..c"), DARK)
    evening.roll(2, 1)
    evening.move(Position.from_compact("aaaCAcBaa..Aa.C.aac.AAA.Ba"), 3)
    evening.done()
    (turn,) = evening.of(TurnJudged)
    assert isinstance(turn, TurnJudged)
    assert turn.legal is True
    assert evening.messages()[-1] is Message.NAME_DOUBLE
    evening.say(ruled.DoubleNamed(DARK, 4))
    evening.done()
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, LIGHT)


@each_row("name", ("acey-deucey", "gul-bara", "plakoto"))
def test_a_resignation_in_the_middle_of_a_turn_can_be_accepted(name: str) -> None:
    evening = sitting_down(name)
    if evening.table.phase is Phase.MOVING:
        evening.move(evening.legal())
        evening.done()
    evening.turn(4, 3)
    evening.roll(5, 2)
    evening.look()
    side = evening.table.on_turn
    assert side is not None
    evening.say(ruled.Resigned(side, 1))
    evening.say(ruled.ResignationAccepted(side.opponent))
    assert [ended.result.winner for ended in evening.of(GameEnded) if isinstance(ended, GameEnded)] == [
        side.opponent
    ]
