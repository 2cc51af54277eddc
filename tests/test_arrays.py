"""What all rooms share about arrays and chance."""

import numpy as np

from controller.arrays import another_chance


def test_another_chance_is_that_of_numpy_and_draws_nothing_from_the_first() -> None:
    first, other = np.random.default_rng(7), np.random.default_rng(7)
    for _ in range(3):
        assert another_chance(first).random() == other.spawn(1)[0].random()
    assert first.random() == other.random()
