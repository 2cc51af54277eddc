"""What a picture of the board is as a position to be asked about: read as it lies, or told with what is wrong."""

from dataclasses import replace
from random import Random

from controller.analysis.question.doubt_words import doubt_words
from controller.analysis.question.seen import BoardFault, seen_board
from controller.messages.catalogue import LANGUAGES
from controller.rules import START, Position, Roll, Side
from controller.vision import Reading
from controller.vision.geometry.seen import CubeSeen
from controller.vision.reading import Count, DieSeen
from tests.referee.staging import Film
from tests.rows import each_row

SIXTEEN = Position.seen((*START.points[:3], 1, *START.points[4:]))


def reading(position: Position = START) -> Reading:
    return Film(Random(1)).read(position)


def faults(read: Reading) -> list[BoardFault]:
    return [doubt.fault for doubt in seen_board(read).doubts]


def test_a_board_that_is_read_for_certain_is_the_position_that_lies_there() -> None:
    seen = seen_board(reading())
    assert seen.position == START
    assert not seen.doubts


def test_dice_and_cube_come_from_the_board_only_where_they_are_certain() -> None:
    dice = (DieSeen(3, 1.0, 1.0, 0.99, owner="dark"), DieSeen(1, 9.0, 1.0, 0.99, owner="dark"))
    cube = CubeSeen(4, "light", 0.99)
    seen = seen_board(replace(reading(), dice=dice, cube=cube))
    assert (seen.roll, seen.side, seen.cube, seen.owner) == (Roll.from_dice(3, 1), Side.DARK, 4, Side.LIGHT)
    doubted = (replace(dice[0], confidence=0.9), replace(dice[1], owner="light"))
    seen = seen_board(replace(reading(), dice=doubted, cube=replace(cube, confidence=0.5)))
    assert (seen.roll, seen.side, seen.cube, seen.owner) == (None, None, 1, None)
    assert seen.guess == Roll.from_dice(3, 1)
    assert seen_board(replace(reading(), dice=(dice[0], replace(dice[1], cocked=True)))).guess is None


def test_sixteen_checkers_are_told_with_all_their_points_and_are_no_position() -> None:
    seen = seen_board(reading(SIXTEEN))
    assert seen.position is None
    doubt = seen.doubts[0]
    assert (doubt.fault, doubt.side, doubt.count) == (BoardFault.TOO_MANY, Side.LIGHT, 16)
    assert doubt.places == ((4, 1), (6, 5), (8, 3), (13, 5), (24, 2))


def test_a_checker_that_the_reader_left_out_to_come_to_fifteen_is_counted_all_the_same() -> None:
    """The reader knows that a side has fifteen: what points show by themselves is asked instead."""
    read = reading(SIXTEEN)
    points = (*read.points[:3], 0, *read.points[4:])
    assert faults(replace(read, points=points, unsure=frozenset({4, 6, 8}))) == [BoardFault.TOO_MANY]


def test_a_point_that_shows_something_else_than_was_read_is_looked_at() -> None:
    read = reading()
    seen = seen_board(replace(read, points=(*read.points[:5], 4, *read.points[6:])))
    assert [(doubt.fault, doubt.places) for doubt in seen.doubts] == [(BoardFault.UNSURE, ((6, 5),))]


@each_row(
    ("change", "fault"),
    [
        ({"unsure": frozenset({6})}, BoardFault.UNSURE),
        ({"hand": True}, BoardFault.COVERED),
        ({"bar_confidence": 0.9}, BoardFault.UNSURE_BAR),
        ({"bar": Count(None, None)}, BoardFault.UNSURE_BAR),
        ({"off_confidence": (0.5, 1.0)}, BoardFault.UNSURE_OFF),
        ({"fault": "blurred"}, BoardFault.UNREAD),
    ],
)
def test_whatever_is_not_certain_stands_against_the_position(
    change: dict[str, object], fault: BoardFault
) -> None:
    read = replace(reading(), **change)
    assert seen_board(read).position is None
    assert faults(read) == [fault]


def test_under_a_hand_nothing_else_is_told_as_it_may_be_what_the_hand_hides() -> None:
    read = replace(reading(SIXTEEN), hand=True, unsure=frozenset({6}), bar_confidence=0.5)
    assert faults(read) == [BoardFault.COVERED]


def test_where_there_is_no_tray_to_see_what_is_missing_counts_as_borne_off() -> None:
    few = Position.from_compact("BBB" + "." * 18 + "bbb..")
    read = replace(reading(few), assumed_off=True, off_confidence=(0.5, 0.5))
    assert seen_board(read).position == few


def test_a_board_without_checkers_of_a_side_is_no_position() -> None:
    assert faults(reading(Position.from_compact("BBB" + "." * 23))) == [BoardFault.OVER]


@each_row("language", LANGUAGES)
def test_every_doubt_has_its_sentence_in_every_language(language: str) -> None:
    six = reading(SIXTEEN)
    for read in (
        six,
        replace(reading(), fault="blurred"),
        replace(reading(), hand=True),
        replace(reading(), unsure=frozenset({6, 7}), bar_confidence=0.5, off_confidence=(0.5, 1.0)),
        reading(Position.from_compact("BBB" + "." * 23)),
    ):
        seen = seen_board(read)
        said = list(doubt_words(seen, read, language))
        assert len(said) == len(seen.doubts)
        assert all(said)
    assert "4 (1), 6 (5)" in " ".join(doubt_words(seen_board(six), six, language))
