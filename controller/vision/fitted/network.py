"""Small learned networks: shipped as ONNX files in the package, run by OpenCV, or by ONNX Runtime if chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array
from controller.errors import UserError
from controller.vision.fitted.runner import NetworkRunner

# This many are kept: all of them, and those for maps in the shapes of a few boards.
LOADED = 16
# So many digits tell networks apart.
DIGEST = 16
OF_ONE_SHAPE: Final = ("points", "bar", "hands", "dice", "cube")
"""Those whose pictures have the same shape for every board."""
NETWORKS: Final = (*OF_ONE_SHAPE, "dice_map", "cube_map")
"""All that ship, by name."""

UNREADABLE: Final = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NotImplemented")
"""What ONNX Runtime raises for a file that is no network."""


class NetworkError(UserError):
    """A network that cannot be used; the sentence names it and the remedy."""


class _OpenCvNetwork:
    """A network as OpenCV computes it."""

    def __init__(self, file: Path) -> None:
        """Raises ``cv2.error`` if the file is none."""
        # OpenCV 5 has two engines and takes the slower one unless asked; it heeds the wish for files only, not for
        # bytes.
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        self._net = cv2.dnn.readNetFromONNX(str(file), *([] if engine is None else [engine]))
        self._before_last: str | None = None

    def run(self, batch: Float32Array) -> Float32Array:
        """The answers, asked for one by one.

        OpenCV is no quicker with many at a time, and sets a network up anew for every other number of them, which
        takes as long as one or two answers.
        """
        return np.concatenate([self._answer(batch[k : k + 1]) for k in range(len(batch))])

    def run_with_features(self, batch: Float32Array) -> tuple[Float32Array, Float32Array]:
        """See `Network`."""
        before_last = self._before_last = self._before_last or self._find_before_last(batch[:1])
        both = [self._answer_with_features(batch[k : k + 1], before_last) for k in range(len(batch))]
        answers, features = zip(*both, strict=True)
        return np.concatenate(answers), np.concatenate(features)

    def _answer(self, one: Float32Array) -> Float32Array:
        self._net.setInput(one)
        return np.array(self._net.forward(), np.float32)

    def _answer_with_features(self, one: Float32Array, before_last: str) -> tuple[Float32Array, Float32Array]:
        self._net.setInput(one)
        features, answer = self._net.forward([before_last, self._net.getUnconnectedOutLayersNames()[0]])
        return np.array(answer, np.float32), np.array(features, np.float32)

    def _find_before_last(self, one: Float32Array) -> str:
        """The layer whose answers the last one makes its own from.

        Versions of OpenCV name layers otherwise, and some add one that passes on what comes to it: what gives another
        number of answers is what came before. Layers have answers only when the network has run.
        """
        self._answer(one)
        names = list(reversed(self._net.getLayerNames()))
        shapes = [np.shape(self._net.forward(name)) for name in names[:3]]
        return next(name for name, shape in zip(names, shapes, strict=False) if shape != shapes[0])


@dataclass(frozen=True, eq=False)
class Network:
    """A network that takes and gives float32 batches. Not to be shared by threads.

    ``digest`` tells networks of one name from each other.
    """

    name: str
    digest: str
    compute: Callable[[Float32Array], Float32Array]
    inner: _OpenCvNetwork

    def run(self, batch: Float32Array) -> Float32Array:
        """The answers, float32 (n, ...), to a batch of inputs, float32 (n, channels, rows, columns)."""
        return self.compute(np.ascontiguousarray(batch, np.float32))

    def run_with_features(self, batch: Float32Array) -> tuple[Float32Array, Float32Array]:
        """The answers to a batch, and what the last layer makes them from, (n, features); always by OpenCV."""
        return self.inner.run_with_features(np.ascontiguousarray(batch, np.float32))


_chosen = NetworkRunner.OPENCV


def choose_runner(runner: NetworkRunner) -> None:
    """Have networks computed so from now on. Raises ``NetworkError``, and changes nothing, if it is not installed."""
    global _chosen
    if runner is NetworkRunner.ONNXRUNTIME and find_spec("onnxruntime") is None:
        raise NetworkError(
            "ONNX Runtime is not installed: run pip install 'pointsman[onnxruntime]', or choose opencv."
        )
    _chosen = runner


def load_network(name: str, shape: tuple[int, ...] = ()) -> Network:
    """The network ``controller/vision/models/NAME.onnx``, loaded once. Raises ``NetworkError`` without it.

    One that is often shown pictures of one ``shape`` among others is loaded once more for these: OpenCV sets it up
    anew for every other shape.
    """
    return _load(name, shape if _chosen is NetworkRunner.OPENCV else (), _chosen)


@lru_cache(maxsize=LOADED)
def _load(name: str, _: tuple[int, ...], runner: NetworkRunner) -> Network:
    with resources.as_file(resources.files("controller.vision") / "models" / f"{name}.onnx") as file:
        if not file.exists():
            raise NetworkError(
                f"the network {name} is missing from the installed package: install Pointsman again."
            )
        return read_network(file, runner)


def read_network(file: Path, runner: NetworkRunner = NetworkRunner.OPENCV) -> Network:
    """The network of an ONNX file, named after it. Raises ``NetworkError`` if the file is none."""
    try:
        inner = _OpenCvNetwork(file)
    except cv2.error:
        raise _unreadable(file) from None
    compute = inner.run if runner is NetworkRunner.OPENCV else _with_onnxruntime(file)
    return Network(file.stem, sha256(file.read_bytes()).hexdigest()[:DIGEST], compute, inner)


def _unreadable(file: Path) -> NetworkError:
    return NetworkError(f"the network {file.stem} is no ONNX file that can be read: install Pointsman again.")


def _with_onnxruntime(file: Path) -> Callable[[Float32Array], Float32Array]:
    import onnxruntime as runtime

    options = runtime.SessionOptions()
    options.intra_op_num_threads = cv2.getNumThreads()
    # Threads that wait for the next picture in a loop would heat a small computer.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except tuple(getattr(runtime.capi.onnxruntime_pybind11_state, name) for name in UNREADABLE):
        raise _unreadable(file) from None
    return lambda batch: np.asarray(session.run(None, {"input": batch})[0], np.float32)
