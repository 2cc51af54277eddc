"""At the start of a game the referee says if the checkers or the board lie the other way round."""

import pytest

from controller.referee.actions import Message, Phase
from controller.referee.seeing.orientation import other_ways_round
from controller.referee.table.settings import Settings
from controller.rules import START, Position
from controller.rules.profile.profile import STANDARD
from tests.referee.table.evening import Evening, match_terms

WAYS = dict(other_ways_round(START))


def laid_out(position: Position) -> Evening:
    evening = Evening(Settings(match_terms(STANDARD)))
    evening.look(position)
    evening.look()
    return evening


@pytest.mark.parametrize("way", WAYS)
def test_a_board_or_checkers_the_other_way_round_are_told_once_and_no_game_begins(way: Message) -> None:
    evening = laid_out(WAYS[way])
    assert evening.messages().count(way) == 1
    assert evening.table.phase is Phase.SET_UP


def test_checkers_that_are_set_up_begin_a_game_and_others_are_guided() -> None:
    assert laid_out(START).table.phase is not Phase.SET_UP
    counts = list(START.points)
    counts[5], counts[6] = 4, 1
    told = laid_out(Position.from_counts(counts)).messages()
    assert Message.SET_UP in told
    assert not set(WAYS) & set(told)


def test_turned_twice_or_exchanged_twice_the_checkers_lie_as_before() -> None:
    for way, position in WAYS.items():
        assert dict(other_ways_round(position))[way] == START


def test_the_start_position_has_three_other_ways_round_and_a_symmetric_one_fewer() -> None:
    assert set(WAYS) == {Message.BOARD_TURNED, Message.HOMES_MIRRORED, Message.COLOURS_EXCHANGED}
    assert len({position.points for position in WAYS.values()}) == 3
    even = Position.from_counts([1, *[0] * 10, 1, 1, *[0] * 10, 1])
    assert [way for way, _ in other_ways_round(even)] == [Message.COLOURS_EXCHANGED]
