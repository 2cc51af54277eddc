"""A table is shown its dice one number after the other: what is taken, and what is asked for again."""

from dataclasses import replace
from functools import cache

import numpy as np

from calibration.face_lesson import FaceLesson, show_faces
from calibration.faces import FaceFault
from controller.vision.board.board import Board
from tests.calibration.test_faces import PLAIN, dice, plain, small_board, with_cube


@cache
def board() -> Board:
    return small_board(PLAIN)


def fault(lesson: FaceLesson) -> FaceFault | None:
    return None if lesson.trouble is None else lesson.trouble.fault


def test_a_picture_is_taken_once_and_then_every_die_must_be_turned() -> None:
    first = show_faces(FaceLesson(), dice((1, 1), 1, PLAIN), board())
    assert (first.number, first.done, fault(first)) == (2, 1, None)
    again = show_faces(first, dice((1, 1), 1, PLAIN), board())
    assert (again.number, len(again.seen), fault(again)) == (2, 1, None)


def test_other_dice_than_were_asked_for_are_named_unless_somebody_is_sure() -> None:
    one_die = show_faces(FaceLesson(), dice((1,), 3, PLAIN), board())
    assert one_die.trouble is not None
    assert (fault(one_die), one_die.trouble.arguments) == (FaceFault.COUNT, {"seen": 1, "usual": 2})
    picture = dice((1, 5), 4, PLAIN)
    doubted = show_faces(FaceLesson(), picture, board())
    assert doubted.trouble is not None
    assert (fault(doubted), doubted.trouble.arguments) == (FaceFault.OTHER_NUMBER, {"number": 1, "told": 5})
    sure = show_faces(doubted, picture, board(), sure=True)
    assert (sure.number, fault(sure)) == (2, None)


def test_a_board_that_is_not_seen_teaches_nothing() -> None:
    lesson = show_faces(FaceLesson(), np.full_like(dice((1, 1), 1, PLAIN), 90), board())
    assert lesson.seen == ()
    assert fault(lesson) in {FaceFault.NO_BOARD, FaceFault.MOVED}


def test_a_number_that_is_put_away_is_the_next_to_be_shown() -> None:
    whole = FaceLesson(seen=plain(0))
    assert (whole.whole, whole.number) == (True, 1)
    assert (whole.without(4).number, whole.without(4).done) == (4, 5)
    assert FaceLesson(seen=(*plain(0), *plain(0)[:2])).number == 3


def test_another_face_of_the_cube_than_was_asked_for_is_named_unless_somebody_is_sure() -> None:
    picture = dice((1, 1), 1, PLAIN, with_cube(4, 0, 0.1))
    doubted = show_faces(FaceLesson(cube=True), picture, board())
    assert doubted.trouble is not None
    assert (fault(doubted), doubted.trouble.arguments) == (FaceFault.OTHER_FACE, {"face": 2, "told": 4})
    assert show_faces(doubted, picture, board(), sure=True).number == 2


def test_the_cube_shows_a_face_with_each_number() -> None:
    lesson = FaceLesson(cube=True)
    assert lesson.face == 2
    assert replace(lesson, seen=plain(0)[:5]).face == 64


def test_without_a_number_of_dice_as_many_are_wanted_as_at_first() -> None:
    lesson = FaceLesson(None, seen=plain(0)[:1])
    assert lesson.usual == 2
    assert FaceLesson(None).usual is None
