"""Small learned networks: shipped as ONNX files in the package, run by OpenCV."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array
from controller.errors import UserError

NETWORKS: Final = ("points", "bar", "hands", "dice_map", "dice", "cube_map", "cube")
"""All that ship, by name."""


class NetworkError(UserError):
    """A network that cannot be used; the sentence names it and the remedy."""


@dataclass(frozen=True, eq=False)
class Network:
    """A network that takes and gives float32 batches. Not to be shared by threads."""

    name: str
    net: cv2.dnn.Net

    def run(self, batch: Float32Array) -> Float32Array:
        """The answers, float32 (n, ...), to a batch of inputs, float32 (n, channels, rows, columns)."""
        self.net.setInput(np.ascontiguousarray(batch, np.float32))
        return np.array(self.net.forward(), np.float32)


@cache
def load_network(name: str) -> Network:
    """The network ``controller/vision/models/NAME.onnx``, loaded once. Raises ``NetworkError`` without it."""
    with resources.as_file(resources.files("controller.vision") / "models" / f"{name}.onnx") as file:
        if not file.exists():
            raise NetworkError(
                f"the network {name} is missing from the installed package: install Pointsman again."
            )
        return read_network(file)


def read_network(file: Path) -> Network:
    """The network of an ONNX file, named after it. Raises ``NetworkError`` if the file is none."""
    # OpenCV 5 has two engines and takes the slower one unless asked; it heeds the wish for files only, not for bytes.
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    try:
        net = cv2.dnn.readNetFromONNX(str(file), *([] if engine is None else [engine]))
    except cv2.error:
        raise NetworkError(
            f"the network {file.stem} is not an ONNX file OpenCV can read: install Pointsman again."
        ) from None
    return Network(file.stem, net)
