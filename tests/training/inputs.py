"""What each network is shown of a few pictures, in figures: `python -m tests.training.inputs` writes them down anew.

That is right only where a network was trained again, or where its input is better seen to be the same otherwise.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from controller.arrays import Float32Array
from controller.vision import read_board
from controller.vision.dice.views import CUBE_VIEW, DIE_VIEW, cut_patch, normal
from controller.vision.fitted.network import Network
from tests.vision.boards import learned, picture

KNOWN = Path(__file__).with_name("inputs.json")
# Where the close looks are taken, in mm: which places deserve one is no matter of the networks' input.
SPOTS = tuple((x, y) for x in (-180.0, -90.0, 90.0, 180.0) for y in (-150.0, 0.0, 150.0))
CLOSE = {"dice": DIE_VIEW, "cube": CUBE_VIEW}
PICTURES = ("board1_002", "board3_002", "board6_000")


def shown() -> Mapping[str, Mapping[str, list[float]]]:
    """Of each network's input, by channel, the mean and the standard deviation over all that it is shown."""
    given: dict[str, list[Float32Array]] = defaultdict(list)
    for name in PICTURES:
        image, board = picture(name), learned(name.split("_")[0])
        with _noted(given):
            read_board(image, board)
        for network, view in CLOSE.items():
            patches = [cut_patch(image, board.camera, spot, view) for spot in SPOTS]
            given[network].append(_by_channel(normal(patches)))
    return {name: _figures(batches) for name, batches in sorted(given.items())}


@contextmanager
def _noted(given: dict[str, list[Float32Array]]) -> Iterator[None]:
    """Whatever networks are run on meanwhile is noted by channel, (channels, values), but close looks."""
    run = Network.run

    def noted(network: Network, batch: Float32Array) -> Any:
        if network.name not in CLOSE:
            given[network.name].append(_by_channel(batch))
        return run(network, batch)

    with mock.patch.object(Network, "run", noted):
        yield


def _by_channel(batch: Float32Array) -> Float32Array:
    return np.moveaxis(batch, 1, 0).reshape(batch.shape[1], -1)


def _figures(batches: list[Float32Array]) -> Mapping[str, list[float]]:
    values = np.concatenate(batches, axis=1, dtype=np.float64)
    return {
        "mean": [round(float(one), 4) for one in values.mean(axis=1)],
        "deviation": [round(float(one), 4) for one in values.std(axis=1)],
    }


if __name__ == "__main__":
    KNOWN.write_text(json.dumps(shown(), indent=1) + "\n")
