"""A position in letters."""

import pytest
from hypothesis import given

from controller.messages.catalogue import LANGUAGES
from controller.rules import START, Position, Side, load_profile, start_position
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


def start_text(name: str, viewer: Side = Side.LIGHT) -> list[str]:
    profile = load_profile(name)
    start = start_position(profile.opening.layout, profile.movement.direction)
    return board_text(start, viewer, "en", profile.movement).split("\n")


def test_three_checkers_of_hypergammon_are_on_the_board_and_none_is_off() -> None:
    assert start_text("hypergammon")[-1] == "off: Light ○ 0, Dark ● 0"


def test_where_both_go_the_same_way_each_sees_its_checkers_on_its_own_24_point() -> None:
    assert start_text("fevga")[1].endswith("15○")
    assert start_text("fevga", Side.DARK)[1].endswith("15●")
    assert start_text("fevga", Side.DARK)[3].split()[0] == "15○"


def test_what_has_not_entered_is_told() -> None:
    assert start_text("acey-deucey")[-2:] == [
        "off: Light ○ 0, Dark ● 0",
        "not entered yet: Light ○ 15, Dark ● 15",
    ]
