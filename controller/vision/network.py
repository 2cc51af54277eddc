"""Small learned networks: shipped as ONNX files in the package, run by OpenCV."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array
from controller.errors import UserError

# This many are kept: all of them, and those for maps in the shapes of a few boards.
LOADED = 16
# So many digits tell networks apart.
DIGEST = 16
OF_ONE_SHAPE: Final = ("points", "bar", "hands", "dice", "cube")
"""Those whose pictures have the same shape for every board."""
NETWORKS: Final = (*OF_ONE_SHAPE, "dice_map", "cube_map")
"""All that ship, by name."""


class NetworkError(UserError):
    """A network that cannot be used; the sentence names it and the remedy."""


@dataclass(frozen=True, eq=False)
class Network:
    """A network that takes and gives float32 batches. Not to be shared by threads.

    ``digest`` tells networks of one name from each other.
    """

    name: str
    net: cv2.dnn.Net
    digest: str = ""

    def run(self, batch: Float32Array) -> Float32Array:
        """The answers, float32 (n, ...), to a batch of inputs, float32 (n, channels, rows, columns).

        They are asked for one by one: OpenCV is no quicker with many at a time, and sets a network up anew for every
        other number of them, which takes as long as one or two answers.
        """
        return np.concatenate([self._answer(batch[k : k + 1]) for k in range(len(batch))])

    def run_with_features(self, batch: Float32Array) -> tuple[Float32Array, Float32Array]:
        """The answers to a batch as `run` gives them, and what the last layer makes them from, (n, features)."""
        self._answer(batch[:1])
        both = [self._answer_with_features(batch[k : k + 1]) for k in range(len(batch))]
        answers, features = zip(*both, strict=True)
        return np.concatenate(answers), np.concatenate(features)

    def _answer_with_features(self, one: Float32Array) -> tuple[Float32Array, Float32Array]:
        self.net.setInput(np.ascontiguousarray(one, np.float32))
        features, answer = self.net.forward([self._before_last, self.net.getUnconnectedOutLayersNames()[0]])
        return np.array(answer, np.float32), np.array(features, np.float32)

    @cached_property
    def _before_last(self) -> str:
        """The layer whose answers the last one makes its own from.

        Versions of OpenCV name layers otherwise, and some add one that passes on what comes to it: what gives another
        number of answers is what came before. The network must have run.
        """
        names = list(reversed(self.net.getLayerNames()))
        shapes = [np.shape(self.net.forward(name)) for name in names[:3]]
        return next(name for name, shape in zip(names, shapes, strict=False) if shape != shapes[0])

    def _answer(self, one: Float32Array) -> Float32Array:
        self.net.setInput(np.ascontiguousarray(one, np.float32))
        return np.array(self.net.forward(), np.float32)


def load_network(name: str, shape: tuple[int, ...] = ()) -> Network:
    """The network ``controller/vision/models/NAME.onnx``, loaded once. Raises ``NetworkError`` without it.

    One that is often shown pictures of one ``shape`` among others is loaded once more for these: see `Network.run`.
    """
    return _load((name, shape))


@lru_cache(maxsize=LOADED)
def _load(kind: tuple[str, tuple[int, ...]]) -> Network:
    name, _ = kind
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
    return Network(file.stem, net, sha256(file.read_bytes()).hexdigest()[:DIGEST])
