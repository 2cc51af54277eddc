"""What is written is what was learned. It needs PyTorch, which only training installs: see `make test-long`."""

from pathlib import Path

import numpy as np
import torch

from calibration.training.onnx_file import write_chain
from controller.vision.fitted.network import read_network


def chain() -> list[object]:
    torch.manual_seed(3)
    nn = torch.nn
    layers = [
        *(nn.Conv2d(2, 4, 3, 2, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(4, 3, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.5), nn.Linear(3 * 4 * 2, 5)),
    ]
    model = nn.Sequential(*layers)
    for _ in range(3):
        model(torch.randn(16, 2, 16, 8) * 3 + 1)
    return layers


def test_opencv_computes_what_the_chain_computes(tmp_path: Path) -> None:
    layers = chain()
    batch = np.random.default_rng(1).normal(size=(7, 2, 16, 8)).astype(np.float32)
    file = tmp_path / "chain.onnx"
    file.write_bytes(write_chain(layers, (2, 16, 8)))
    network = read_network(file)
    with torch.no_grad():
        wanted = torch.nn.Sequential(*layers).eval()(torch.from_numpy(batch)).numpy()
    assert np.allclose(network.run(batch), wanted, atol=1e-4)
    assert np.allclose(network.run(batch[:2]), wanted[:2], atol=1e-4)


def test_equal_weights_give_equal_files() -> None:
    assert write_chain(chain(), (2, 16, 8)) == write_chain(chain(), (2, 16, 8))


def test_a_map_is_computed_at_any_size(tmp_path: Path) -> None:
    torch.manual_seed(3)
    layers = [torch.nn.Conv2d(3, 4, 3, 2, 1), torch.nn.ReLU()]
    file = tmp_path / "map.onnx"
    file.write_bytes(write_chain(layers, (3, 16, 16), any_size=True))
    network = read_network(file)
    for rows, columns in ((16, 16), (24, 40)):
        batch = np.random.default_rng(1).normal(size=(1, 3, rows, columns)).astype(np.float32)
        with torch.no_grad():
            wanted = torch.nn.Sequential(*layers)(torch.from_numpy(batch)).numpy()
        assert np.allclose(network.run(batch), wanted, atol=1e-4)
