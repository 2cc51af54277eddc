import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from controller.vision import read_board
from controller.vision.fitted.network import NETWORKS, NetworkError, choose_runner, load_network, read_network
from controller.vision.fitted.runner import NetworkRunner
from controller.vision.reading import Reading
from tests.rows import each_row
from tests.vision.boards import learned, picture

MODELS = Path(str(files("controller.vision"))) / "models"
SHAPES = {
    "points": (17, 108, 24),
    "bar": (9, 288, 40),
    "hands": (11, 120, 144),
    "dice": (3, 32, 32),
    "cube": (3, 32, 32),
    "dice_map": (4, 96, 160),
    "cube_map": (3, 64, 80),
}


@pytest.fixture(autouse=True)
def _opencv_afterwards() -> Iterator[None]:
    yield
    choose_runner(NetworkRunner.OPENCV)


def test_a_missing_network_is_named_with_a_remedy() -> None:
    with pytest.raises(NetworkError, match=r"nonsense.*install Pointsman again"):
        load_network("nonsense")


@each_row("data", [b"", b"no network", bytes(1000)])
def test_a_broken_network_file_is_named_with_a_remedy(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("models") / "broken.onnx"
    file.write_bytes(data)
    for runner in NetworkRunner:
        with pytest.raises(NetworkError, match=r"broken.*install Pointsman again"):
            read_network(file, runner)


@each_row("name", NETWORKS)
def test_whatever_computes_a_network_the_answers_are_the_same(name: str) -> None:
    batch = np.random.default_rng(5).normal(size=(3, *SHAPES[name])).astype(np.float32)
    opencv, onnxruntime = (
        read_network(MODELS / f"{name}.onnx", runner).run(batch) for runner in NetworkRunner
    )
    assert opencv.shape == onnxruntime.shape
    assert np.allclose(opencv, onnxruntime, atol=1e-3)


def test_a_board_is_read_the_same_whatever_computes_the_networks() -> None:
    image, board = picture("board1_002"), learned("board1")
    found: list[Reading] = []
    for runner in NetworkRunner:
        choose_runner(runner)
        found.append(read_board(image, board))
    one, other = found
    assert one.points == other.points
    assert (one.bar, one.off, one.unsure, one.hand) == (other.bar, other.off, other.unsure, other.hand)
    assert [die.value for die in one.dice] == [die.value for die in other.dice]
    assert np.allclose(one.point_confidence, other.point_confidence, atol=1e-4)
    assert one.cube is not None
    assert other.cube is not None
    assert (one.cube.value, one.cube.owner) == (other.cube.value, other.cube.owner)


def test_where_onnx_runtime_is_missing_that_is_said_and_opencv_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NetworkError, match=r"pip install 'pointsman\[onnxruntime\]'"):
        choose_runner(NetworkRunner.ONNXRUNTIME)
    assert load_network("dice").run(np.zeros((1, 3, 32, 32), np.float32)).shape == (1, 10)
