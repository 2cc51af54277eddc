"""A search for the board that goes on beside other work."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from calibration.calibrate import (
    Calibration,
    CalibrationFault,
    CalibrationPicture,
    CalibrationStep,
    calibrate,
)
from calibration.search import STEPS, BoardSearch, SearchEndedError
from tests.calibration.pictures import START, corners, known_corners, picture

GAME = CalibrationPicture("game", picture("game"), START)


@cache
def calibrated() -> tuple[Calibration, list[CalibrationStep]]:
    """What a calibration finds, and the steps that it told of."""
    told: list[CalibrationStep] = []
    return calibrate([GAME], corners=known_corners("game"), follow=told.append), told


def test_a_search_finds_what_a_calibration_finds() -> None:
    search = BoardSearch([GAME], corners=known_corners("game"))
    search.start()
    outcome = search.wait()
    assert outcome.over
    assert outcome.board is not None
    assert outcome.board.board == calibrated()[0].board
    assert outcome.done == 1.0


def test_the_steps_come_in_their_order_and_each_at_least_once() -> None:
    _, told = calibrated()
    assert set(told) == set(STEPS)
    assert all(STEPS.index(one) <= STEPS.index(next_one) for one, next_one in pairwise(told))


@pytest.mark.parametrize("step", STEPS)
def test_a_calibration_can_be_ended_at_every_step(step: CalibrationStep) -> None:
    def end_at(now: CalibrationStep) -> None:
        if now is step:
            raise SearchEndedError

    with pytest.raises(SearchEndedError):
        calibrate([GAME], corners=known_corners("game"), follow=end_at)


def test_a_search_that_was_ended_learns_nothing_and_the_next_one_waits_for_it() -> None:
    first = BoardSearch([GAME])
    first.start()
    first.end()
    second = BoardSearch([GAME], corners=corners("game"), after=first)
    second.start()
    assert second.wait().board is not None
    assert not first.alive
    assert first.progress.over
    assert first.progress.board is None
    assert first.progress.trouble is None


def test_a_table_without_a_board_is_a_fault_with_a_code() -> None:
    bare = CalibrationPicture("bare", np.full((360, 480, 3), 90, np.uint8), START)
    search = BoardSearch([bare])
    search.start()
    trouble = search.wait().trouble
    assert trouble is not None
    assert trouble.fault is CalibrationFault.NO_BOARD


def test_what_the_program_is_to_blame_for_ends_the_search_and_is_told() -> None:
    broken = CalibrationPicture("broken", np.zeros((0, 0, 3), np.uint8), START)
    search = BoardSearch([broken])
    search.start()
    outcome = search.wait()
    assert outcome.over
    assert outcome.why


def test_another_position_is_a_fault_that_names_the_points() -> None:
    other = list(START)
    other[5], other[3] = 4, 1
    search = BoardSearch([CalibrationPicture("game", GAME.picture, tuple(other))], corners=corners("game"))
    search.start()
    trouble = search.wait().trouble
    assert trouble is not None
    assert trouble.fault is CalibrationFault.MISREAD
    assert trouble.arguments == {"points": [4, 6]}
