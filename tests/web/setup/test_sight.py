"""What was read in a picture, as data for a page."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.aim import AimWord
from calibration.calibrate import CalibrationFault, CalibrationPicture, CalibrationStep, calibrate
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.sight_words import reflection_words
from controller.rules import START, Position
from controller.vision import Board, Reading, read_board
from controller.vision.reading import CubeSeen, DieSeen, ReflectionSeen
from controller.web.setup.minute import Happening
from controller.web.setup.set_up import TrialState
from controller.web.setup.sight import shares_of, sight_of
from controller.web.table_service import Glimpse
from tests.calibration.pictures import corners, picture

GLIMPSE = Glimpse(picture("game"), 7, 3.0, None, 0.24)


@pytest.fixture(scope="module")
def board() -> Board:
    view = CalibrationPicture("game", picture("game"), START.points)
    return calibrate([view], corners=corners("game")).board


@pytest.fixture(scope="module")
def reading(board: Board) -> Reading:
    return read_board(picture("game"), board)


def points(shown: dict[str, object]) -> dict[int, dict[str, object]]:
    told = shown["points"]
    assert isinstance(told, list)
    return {one["point"]: one for one in told}


def test_the_words_beside_a_picture_say_from_which_moment_they_are(board: Board, reading: Reading) -> None:
    earlier = replace(GLIMPSE, reading=reading, behind_s=3.2, moving=True)
    told: Any = sight_of(earlier, board, reading, "en")["picture"]
    assert told["text"] == "picture 0.2 s old; read 3.4 s ago, with no hand over the board"
    now: Any = sight_of(replace(earlier, behind_s=0.0), board, reading, "en")["picture"]
    assert now["text"] == "picture 0.2 s old; read 0.2 s ago, with no hand over the board"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_play_of_the_last_minute_is_named_also_where_it_has_no_notation(
    board: Board, reading: Reading, language: str
) -> None:
    plays = [
        Happening("play", 1.0, 1.0, text=text, legal=legal, moved=moved)
        for text, legal, moved in (("8/5 6/5", True, True), ("Cannot Move", True, False), ("", False, True))
    ]
    shown: Any = sight_of(GLIMPSE, board, reading, language, minute=plays)["minute"]
    words = catalogue(language)
    named = ["8/5 6/5", words.text("play", "dance"), words.text("play", "unwritten")]
    assert [one["text"] for one in shown] == [
        words.text("page", "see", "minute", "play", play=it) for it in named
    ]


def doubtful(reading: Reading, point: int, other: int, share: float) -> Reading:
    """The reading with doubt between what was read on a point and another count."""
    sure, likely = list(reading.point_confidence), list(reading.likelihoods)
    sure[point - 1] = 1 - share
    likely[point - 1] = {reading.points[point - 1]: 0.0, other: -0.5, 0: -20.0}
    unsure = reading.unsure | {point}
    return replace(reading, point_confidence=tuple(sure), likelihoods=tuple(likely), unsure=unsure)


def test_every_checker_has_its_ring_and_every_point_its_figure_outside_of_the_board(
    board: Board, reading: Reading
) -> None:
    shown = sight_of(GLIMPSE, board, reading, "en")
    outline = np.array(corners("game"))
    middle = outline.mean(axis=0)
    for point in points(shown).values():
        assert len(point["rings"]) == point["count"]
        label, area = np.array(point["label"]), np.array(point["area"])
        assert np.linalg.norm(label - middle) > np.linalg.norm(area.mean(axis=0) - middle)
    spots = np.array([ring[:2] for point in points(shown).values() for ring in point["rings"]])
    assert len(spots) == 30
    assert ((spots > outline.min(axis=0)) & (spots < outline.max(axis=0))).all()


def test_likelihoods_are_told_in_words_the_likeliest_first(board: Board, reading: Reading) -> None:
    shown = sight_of(GLIMPSE, board, doubtful(reading, 12, -4, 0.36), "en")
    point = points(shown)[12]
    assert point["unsure"]
    assert point["text"] == "Not sure: 5 dark checkers or 4 dark checkers."
    assert [one["text"] for one in point["likely"]] == ["5 dark checkers", "4 dark checkers"]
    assert [one["share"] for one in point["likely"]] == [0.64, 0.36]


def test_the_shares_of_a_point_add_up_to_one(reading: Reading) -> None:
    for point in range(1, 25):
        assert sum(share for _, share in shares_of(reading, point)) == pytest.approx(1)


def test_a_die_near_a_pile_and_the_record_are_reasons(board: Board, reading: Reading) -> None:
    camera, geometry = board.camera, board.geometry
    spot = camera.project(geometry.slot(8, 3))
    near = replace(reading, dice=(DieSeen(5, float(spot[0]), float(spot[1]), owner="light"),))
    shown = sight_of(GLIMPSE, board, near, "en", START)
    assert points(shown)[8]["why"] == [
        "A die lies close to where the next checker would lie.",
        "The record expects: 3 light checkers.",
        "All other points agree with the record.",
    ]
    other = Position.from_compact("b....D.D...eE...c.e....B..")
    assert (
        "Other points that differ from the record: 6."
        in points(sight_of(GLIMPSE, board, near, "en", other))[8]["why"]
    )


def test_dice_cube_bar_and_trays_are_named(board: Board, reading: Reading) -> None:
    dice = (DieSeen(5, 1, 1, owner="light"), DieSeen(1, 9, 9, owner="light"), DieSeen(6, 5, 5, owner="dark"))
    full = replace(reading, dice=dice, cube=CubeSeen(2, "dark"))
    lines = {one["name"]: one["text"] for one in sight_of(GLIMPSE, board, full, "en")["lines"]}
    assert lines == {
        "Dice": "Light 5-1, Dark 6",
        "Cube": "2, with Dark",
        "Bar": "Light 0, Dark 0",
        "Off": "Light 0, Dark 0",
    }


def test_a_reflection_that_may_hide_a_die_is_named_beside_the_dice(board: Board, reading: Reading) -> None:
    hidden = replace(reading, dice=(DieSeen(5, 1, 1),), reflection=ReflectionSeen(9.0, 9.0, 8))
    dice, *others = sight_of(GLIMPSE, board, hidden, "en")["lines"]
    assert dice == {"name": "Dice", "text": "5", "note": reflection_words(8)}
    assert not any(line["note"] for line in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_that_cannot_be_read_says_so_and_shows_nothing(
    board: Board, reading: Reading, language: str
) -> None:
    shown = sight_of(GLIMPSE, board, replace(reading, fault="blurred"), language)
    assert shown["fault"]
    assert shown["points"] == []
    assert shown["board"] is None


def test_every_code_of_set_up_has_its_words() -> None:
    english = catalogue("en")
    assert english.names("page", "setup", "word") == {*AimWord, "unknown"}
    assert {*AimWord} - {"sharp", "large", "even"} | {"good"} == english.names("page", "setup", "advice")
    assert english.names("page", "setup", "fault") == set(CalibrationFault)
    assert set(CalibrationStep) <= english.names("page", "setup", "search")
    for kind in ("lights", "dice"):
        assert {f"{kind}_{state}" for state in TrialState} <= english.names("page", "setup")
