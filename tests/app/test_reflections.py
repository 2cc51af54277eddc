"""What a table says of a reflection that may hide a die."""

from dataclasses import replace
from pathlib import Path
from random import Random

from controller.app.around.reflections import REST_S, Reflections
from controller.arrays import Picture
from controller.config import Config
from controller.config.sections import BoardSection
from controller.messages.sight_words import reflection_words
from controller.rules.position import START
from controller.vision.board.board import Board
from controller.vision.reading import Reading, ReflectionSeen
from tests.app.test_live import Running, Scene
from tests.referee.staging import Film

CLEAR = Film(Random(1)).read(START)
MIRRORS = replace(CLEAR, reflection=ReflectionSeen(10.0, 20.0, 8))
ELSEWHERE = replace(CLEAR, reflection=ReflectionSeen(90.0, 20.0, 17))


class Mirroring(Scene):
    """A scene in which a lamp mirrors beside one die."""

    def reading(self, picture: Picture, board: Board) -> Reading:
        return replace(super().reading(picture, board), reflection=MIRRORS.reflection)


def told(*readings: Reading, apart_s: float = REST_S) -> list[str]:
    """What is said of readings, so many seconds one after the other, in English."""
    said: list[str] = []
    reflections = Reflections(lambda words: said.append(words("en")), lambda: 0.0)
    for number, reading in enumerate(readings):
        reflections.read(reading, number * apart_s)
        reflections.rest((number + 1) * apart_s)
    return said


def test_a_reflection_is_named_once_as_long_as_it_may_hide_a_die() -> None:
    assert told(MIRRORS, MIRRORS, MIRRORS) == [reflection_words(8)]
    assert told(MIRRORS, ELSEWHERE, ELSEWHERE) == [reflection_words(8), reflection_words(17)]
    assert told(MIRRORS, CLEAR, MIRRORS, MIRRORS) == [reflection_words(8)] * 2


def test_one_die_that_lies_alone_for_a_moment_is_no_reason() -> None:
    assert told(MIRRORS, MIRRORS, CLEAR, MIRRORS, ELSEWHERE, apart_s=REST_S / 3) == []
    assert told(MIRRORS, MIRRORS, MIRRORS, apart_s=REST_S / 3) == [reflection_words(8)]


def test_a_hand_over_the_board_begins_the_wait_anew_and_nothing_is_said_twice() -> None:
    hand = replace(CLEAR, hand=True)
    assert told(MIRRORS, MIRRORS, hand, MIRRORS, MIRRORS, apart_s=REST_S / 3) == []
    assert told(MIRRORS, hand, MIRRORS) == [reflection_words(8)]


def test_the_sentence_says_what_to_do() -> None:
    assert reflection_words(8).endswith("near point 8 may hide it: move the lamp or the dice.")


def test_a_match_whose_rolls_come_from_the_pictures_says_that_a_reflection_may_hide_a_die(
    tmp_path: Path,
) -> None:
    with Running(Config(folder=tmp_path, board=BoardSection(port="none")), Mirroring()) as table:
        table.until_told(reflection_words(8))
