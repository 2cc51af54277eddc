"""The weights fit what the networks are shown, whatever became of the code that prepares it."""

import json

import numpy as np
import pytest

from calibration.training.recipes import RECIPES
from tests.training.inputs import KNOWN, shown

# OpenCV resamples a little differently from version to version; a channel that is made otherwise is further off.
NEAR = 0.02


def test_each_network_is_shown_what_it_learned_to_see() -> None:
    known, now = json.loads(KNOWN.read_text()), shown()
    assert set(known) == set(now) == set(RECIPES)
    for name in known:
        for figure in ("mean", "deviation"):
            assert now[name][figure] == pytest.approx(known[name][figure], abs=NEAR), (
                f"what {name} is shown has changed: train it again, then write it down (tests/training/inputs.py)"
            )


def test_a_channel_that_is_made_otherwise_is_noticed() -> None:
    known = np.array(json.loads(KNOWN.read_text())["points"]["deviation"])
    assert np.abs(known - np.roll(known, 1)).max() > NEAR
