"""Hands at a simulated table that do what people at a page do with the checkers."""

from pathlib import Path

import pytest

from controller.demo.floor import Manner
from controller.demo.hands import carried
from controller.demo.preparing import Prepared
from controller.referee import Phase
from controller.rules import START, Position, Roll, Side, is_result, load_profile
from controller.rules.game.game import new_game
from controller.rules.notation import BAR, OFF
from controller.rules.position import PositionError
from tests.demo.seated import SETTLED_S, Seated, moved, sitting_in

BLOT = moved(START, Side.DARK, (6, 4))
"""Dark has a blot on its own 4-point, light's 21-point."""


def test_a_checker_is_carried_as_its_side_counts() -> None:
    assert carried(START, Side.LIGHT, 8, 5) == moved(START, Side.LIGHT, (8, 5))
    assert carried(START, Side.DARK, 8, 5) == moved(START, Side.DARK, (8, 5))


def test_a_blot_that_is_landed_on_goes_to_the_bar_and_comes_back_from_there() -> None:
    hit = carried(BLOT, Side.LIGHT, 24, 21)
    assert (hit.bar(Side.DARK), hit.checkers(Side.LIGHT, 21)) == (1, 1)
    back = carried(carried(hit, Side.LIGHT, 21, 24), Side.DARK, BAR, 4)
    assert back == BLOT


def test_a_checker_leaves_the_board_and_goes_to_the_bar_where_it_is_put() -> None:
    assert carried(START, Side.LIGHT, 6, OFF).off(Side.LIGHT) == 1
    assert carried(START, Side.DARK, 6, BAR).bar(Side.DARK) == 1


def test_a_checker_goes_as_the_game_has_it_go() -> None:
    fevga = load_profile("fevga")
    start, rules = new_game(fevga).position, fevga.movement
    after = carried(start, Side.DARK, 24, 20, rules)
    assert is_result(start, Side.DARK, Roll.from_dice(3, 1), after, rules)
    plakoto = load_profile("plakoto").movement
    blots = Position.from_counts([0] * 11 + [1, -1] + [0] * 11)
    pinned = carried(carried(blots, Side.LIGHT, 12, 14, plakoto), Side.LIGHT, 14, 13, plakoto)
    assert (pinned.pinned, pinned.bar(Side.DARK)) == ((13,), 0)


@pytest.mark.parametrize(("source", "target"), [(13, 12), (5, 4)], ids=["held", "empty"])
def test_no_checker_lands_on_a_point_that_is_held_nor_leaves_one_that_is_empty(
    source: int, target: int
) -> None:
    with pytest.raises(PositionError):
        carried(START, Side.LIGHT, source, target)


def test_who_plays_at_the_page_rolls_plays_and_puts_right_with_simulated_hands(
    prepared: Prepared, tmp_path: Path
) -> None:
    people = dict.fromkeys(Side, Manner.FOLLOWS)
    with Seated(prepared, sitting_in(tmp_path, length=3, manners=people)) as seated:
        seated.until_phase(Phase.OPENING_ROLL)
        assert not seated.room.ask({"what": "hands", "button": "roll"}, "light").result().done
        seated.ask("opening_roll", light=3, dark=1)
        seated.until_phase(Phase.MOVING)
        _carry(seated, (6, 5), (8, 4))
        seated.until_phase(Phase.PUT_RIGHT)
        flagged = seated.known.flagged
        assert flagged is not None
        assert flagged.after == moved(START, Side.LIGHT, (6, 5), (8, 4))
        for source, target in ((5, 6), (4, 8)):
            seated.ask("hands", side="light", **{"from": source, "to": target})
        seated.until_phase(Phase.MOVING)
        _carry(seated, (6, 5), (8, 5))
        seated.until_told("Anna, 3-1: 8/5 6/5 is legal.")
    assert not seated.table.ledger.list_accused()


def _carry(seated: Seated, *moves: tuple[int, int]) -> None:
    """Light's checkers are carried at the page, and the turn is ended there."""
    seated.until(lambda: (demo := seated.room.view().demo) is not None and demo.hands is not None)
    for source, target in moves:
        seated.ask("hands", side="light", **{"from": source, "to": target})
    demo = seated.room.demo
    assert demo is not None
    seated.until(lambda: (hands := demo.shown().hands) is not None and hands.position == _after(moves))
    seated.press(lambda: seated.room.ask({"what": "hands", "button": "done"}, "director").result(SETTLED_S))


def _after(moves: tuple[tuple[int, int], ...]) -> Position:
    return moved(START, Side.LIGHT, *moves)
