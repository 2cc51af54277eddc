"""Whether a still shows what the usual one shows."""

import cv2
import numpy as np
import pytest

from controller.app.closer.fit import fit_still
from controller.arrays import Picture
from tests.vision.boards import picture

SIZE = (1280, 720)


def filmed(photograph: Picture, share: float = 0.85) -> Picture:
    """What a phone films while it could photograph this: a part of another shape, with noise."""
    height, width = photograph.shape[:2]
    wide = int(width * share)
    high = wide * SIZE[1] // SIZE[0]
    top, left = (height - high) // 2, int(width * 0.06)
    part = cv2.resize(photograph[top : top + high, left : left + wide], SIZE, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 3, part.shape)
    return np.asarray(np.clip(part + noise, 0, 255), np.uint8)


def photograph_of(name: str) -> Picture:
    """A picture of 4:3 with more pixels."""
    seen = picture(name)
    rows = cv2.copyMakeBorder(seen, 120, 120, 0, 0, cv2.BORDER_REFLECT)
    return np.asarray(cv2.resize(rows, (2560, 1920), interpolation=cv2.INTER_CUBIC), np.uint8)


def beside_px(one: Picture, other: Picture) -> float:
    """How far one picture is shifted against another, in pixels of the usual size."""
    grey = [
        cv2.cvtColor(cv2.resize(each, SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY).astype(
            np.float32
        )
        for each in (one, other)
    ]
    return float(np.hypot(*cv2.phaseCorrelate(grey[0], grey[1])[0]))


@pytest.mark.parametrize("turn", [None, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE])
def test_a_photograph_of_another_shape_that_lies_turned_is_laid_over_the_film(turn: int | None) -> None:
    photograph = photograph_of("board1_002")
    usual = filmed(photograph)
    still = photograph if turn is None else np.asarray(cv2.rotate(photograph, turn), np.uint8)
    fitted = fit_still(still, usual)
    assert fitted is not None
    assert fitted.picture.shape[1] > 1.6 * SIZE[0]
    assert beside_px(fitted.picture, usual) < 1.0
    again = fit_still(still, usual, fitted.framing)
    assert again is not None
    assert again.framing is fitted.framing


def test_a_picture_of_the_same_shape_that_shows_all_is_taken_as_it_is() -> None:
    still = np.asarray(
        cv2.resize(picture("board1_002"), (2560, 1440), interpolation=cv2.INTER_CUBIC), np.uint8
    )
    fitted = fit_still(still, picture("board1_002"))
    assert fitted is not None
    assert fitted.picture is still


def test_one_that_shows_another_board_does_not_fit() -> None:
    assert fit_still(photograph_of("board3_002"), filmed(photograph_of("board1_002"))) is None
    assert fit_still(np.zeros((1080, 1920, 3), np.uint8), picture("board1_002")) is None


def test_one_with_a_hand_that_the_film_does_not_show_does_not_fit() -> None:
    usual = picture("board1_002")
    still = np.asarray(cv2.resize(usual, (2560, 1440), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert fit_still(still, usual) is not None
    cv2.ellipse(still, (1200, 500), (190, 110), 30, 0, 360, (130, 160, 205), -1)
    assert fit_still(still, usual) is None


@pytest.mark.parametrize("stops", [-2, 2])
def test_another_exposure_is_brought_to_the_light_of_the_film(stops: int) -> None:
    usual = picture("board1_002")
    light = (usual / 255.0) ** 2.2 * 2.0**stops
    still = np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2), np.uint8)
    fitted = fit_still(still, usual)
    assert fitted is not None
    told = (still > 12) & (still < 243)
    assert np.median(np.abs(fitted.picture[told].astype(float) - usual[told])) <= 4
