"""Networks at half precision. It needs ONNX, which only training installs: see `make test-long`."""

from pathlib import Path

import numpy as np
import torch

from calibration.training.dice.half import halved
from calibration.training.onnx_file import write_chain
from controller.arrays import Float32Array
from controller.vision.fitted.network import read_network


def model() -> bytes:
    torch.manual_seed(3)
    nn = torch.nn
    layers = [nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, 40)]
    return write_chain(layers, (3, 8, 8))


def answers(data: bytes, batch: Float32Array, file: Path) -> Float32Array:
    file.write_bytes(data)
    return read_network(file).run(batch)


def test_half_the_size_gives_nearly_the_same_answers(tmp_path: Path) -> None:
    whole = model()
    half = halved(whole)
    assert len(half) < 0.6 * len(whole)
    batch = np.random.default_rng(1).normal(size=(5, 3, 8, 8)).astype(np.float32)
    wanted, told = (
        answers(data, batch, tmp_path / name) for name, data in (("whole", whole), ("half", half))
    )
    assert not np.array_equal(wanted, told)
    assert np.allclose(wanted, told, atol=5e-3)


def test_equal_networks_give_equal_files() -> None:
    assert halved(model()) == halved(model())
