"""A position in letters."""

import pytest
from hypothesis import given

from controller.messages.catalogue import LANGUAGES
from controller.rules import START, Position, Side
from controller.telling.board_text import board_text
from tests.record.inputs import positions


def test_the_start_position_as_light_sees_it() -> None:
    assert board_text(START).split("\n") == [
        "  13  14  15  16  17  18      19  20  21  22  23  24",
        "  5○   .   .   .  3●   .   |  5●   .   .   .   .  2○",
        "",
        "  5●   .   .   .  3○   .   |  5○   .   .   .   .  2●",
        "  12  11  10   9   8   7       6   5   4   3   2   1",
        "off: Light ○ 0, Dark ● 0",
    ]


def test_checkers_on_the_bar_stand_in_the_middle() -> None:
    text = board_text(Position.from_compact("b....D.C...eE...c.d....BAa"))
    assert "|1●" in text
    assert "|1○" in text


@given(position=positions())
def test_dark_sees_its_own_checkers_where_light_sees_its_own(position: Position) -> None:
    theirs = board_text(position.mirrored(), Side.DARK).split("\n")[:-1]
    swapped = [line.translate(str.maketrans("○●", "●○")) for line in board_text(position).split("\n")[:-1]]
    assert theirs == swapped


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_trays_are_named_in_each_language(language: str) -> None:
    assert "○ 0" in board_text(START, Side.LIGHT, language)
