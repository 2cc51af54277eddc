"""Small learned networks: shipped as ONNX files in the package, run by OpenCV."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.errors import UserError

Batch = NDArray[np.float32]


class NetworkError(UserError):
    """A network that cannot be used; the sentence names it and the remedy."""


@dataclass(frozen=True, eq=False)
class Network:
    """A network that takes and gives float32 batches. Not to be shared by threads."""

    name: str
    net: cv2.dnn.Net

    def run(self, batch: Batch) -> Batch:
        """The answers, float32 (n, ...), to a batch of inputs, float32 (n, channels, rows, columns)."""
        self.net.setInput(np.ascontiguousarray(batch, np.float32))
        return np.array(self.net.forward(), np.float32)


@cache
def load_network(name: str) -> Network:
    """The network ``controller/vision/models/NAME.onnx``, loaded once. Raises ``NetworkError`` without it."""
    file = resources.files("controller.vision").joinpath("models", f"{name}.onnx")
    try:
        data = file.read_bytes()
    except OSError:
        raise NetworkError(
            f"the network {name} is missing from the installed package: install Pointsman again."
        ) from None
    return parse_network(name, data)


def parse_network(name: str, data: bytes) -> Network:
    """A network from the bytes of an ONNX file. Raises ``NetworkError`` if they are none."""
    try:
        net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    except cv2.error:
        raise NetworkError(
            f"the network {name} is not an ONNX file OpenCV can read: install Pointsman again."
        ) from None
    return Network(name, net)
