"""The last layer of a network, fitted to what was shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.face_layer import fit_layer
from tests.amounts import amount
from tests.rows import each_row


@settings(max_examples=amount(20, 100))
@given(st.integers(0, 1000))
def test_a_layer_learns_what_it_is_shown_and_keeps_the_rest(seed: int) -> None:
    random = np.random.default_rng(seed)
    features = np.concatenate([random.normal(size=(40, 6)), np.ones((40, 1))], axis=1)
    start = random.normal(size=(3, 7))
    kinds = (features @ random.normal(size=(3, 7)).T).argmax(axis=1)
    fitted = fit_layer(features, kinds, start)
    assert (np.argmax(features @ fitted.T, axis=1) == kinds).mean() >= (
        np.argmax(features @ start.T, axis=1) == kinds
    ).mean()
    # What no example has stays as it was.
    unseen = features.copy()
    unseen[:, 2] = 0
    assert fit_layer(unseen, kinds, start)[:, 2] == pytest.approx(start[:, 2])


@each_row("often", [1, 7])
def test_how_often_an_example_is_shown_does_not_matter(often: int) -> None:
    random = np.random.default_rng(3)
    features, kinds, start = random.normal(size=(30, 5)), np.arange(30) % 3, np.zeros((3, 5))
    again = fit_layer(np.repeat(features, often, axis=0), np.repeat(kinds, often), start)
    assert np.allclose(again, fit_layer(features, kinds, start), atol=1e-6)
