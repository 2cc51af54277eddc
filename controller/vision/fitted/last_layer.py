"""The last layer of a network as it was learned anew for the dice, or the cube, of one table."""

import base64
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from controller.arrays import FloatArray

# Weights are kept with 16 bits each, as in the networks.
KEPT = np.dtype("<f2")
LOOSELY: Final = 0.01
"""So the weights were held in layers that do not say how."""


@dataclass(frozen=True)
class LastLayer:
    """Scores of each class from what the network sees, learned on one table.

    ``network`` is the digest of the network it belongs to: with another one it means nothing. ``classes`` is how many
    there are, nothing first, and ``data`` has the weights, (classes, features + 1) with 16 bits each, the last of
    each row alone. ``held`` is how strongly they were held near those of the network while they were learned.
    """

    network: str
    classes: int
    data: bytes
    held: float = LOOSELY

    @classmethod
    def from_weights(cls, network: str, weights: FloatArray, held: float = LOOSELY) -> "LastLayer":
        """The layer with these weights, (classes, features + 1)."""
        return cls(network, len(weights), weights.astype(KEPT).tobytes(), held)

    @classmethod
    def from_text(cls, network: str, classes: int, text: str, held: float = LOOSELY) -> "LastLayer":
        """As a board file has it. Raises ``ValueError`` for what is none."""
        data = base64.b64decode(text, validate=True)
        columns, rest = divmod(len(data), classes * KEPT.itemsize)
        if rest or columns < 2 or not np.isfinite(np.frombuffer(data, KEPT)).all():
            raise ValueError("is not a layer of weights")
        return cls(network, classes, data, held)

    @property
    def text(self) -> str:
        """The weights as a board file has them."""
        return base64.b64encode(self.data).decode("ascii")

    @cached_property
    def weights(self) -> FloatArray:
        """Shape (classes, features + 1)."""
        return np.frombuffer(self.data, KEPT).astype(float).reshape(self.classes, -1)

    def scores(self, features: FloatArray) -> FloatArray:
        """The scores, (..., classes), of what a network sees, (..., features)."""
        return np.asarray(features @ self.weights[:, :-1].T + self.weights[:, -1], float)
