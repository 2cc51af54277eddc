"""A network that learns on. It needs PyTorch and ONNX, which only training installs: see `make test-long`."""

from pathlib import Path

import numpy as np
import torch
from torch import nn

from calibration.training.dice.dice_cuts import VIEWS, Patch
from calibration.training.onnx_file import write_chain
from calibration.training.recipe import MODELS
from calibration.training.rendered.relearning import Retraining, deepened, read_chain, relearn
from controller.arrays import Float32Array
from controller.vision.dice.views import DIE_VIEW
from controller.vision.fitted.network import read_network
from tests.rows import each_row

SHAPE = (3, DIE_VIEW.size, DIE_VIEW.size)
MODEL = MODELS / "dice.onnx"


def _answers(model: bytes, batch: Float32Array, file: Path) -> Float32Array:
    file.write_bytes(model)
    return read_network(file).run(batch)


def _patches(seed: int, count: int) -> list[Patch]:
    random, size = np.random.default_rng(seed), VIEWS["die"].size
    pictures = random.integers(0, 256, (count, size, size, 3)).astype(np.uint8)
    return [Patch(picture, number % 7, False, 0.2) for number, picture in enumerate(pictures)]


def test_a_network_that_was_written_is_read_as_it_was(tmp_path: Path) -> None:
    layers = read_chain(MODEL.read_bytes())
    batch = np.random.default_rng(1).normal(size=(4, *SHAPE)).astype(np.float32)
    with torch.no_grad():
        own = nn.Sequential(*layers).eval()(torch.from_numpy(batch)).numpy()
    assert np.allclose(own, read_network(MODEL).run(batch), atol=1e-3)
    assert np.allclose(own, _answers(write_chain(layers, SHAPE), batch, tmp_path / "again.onnx"), atol=1e-4)


@each_row("deeper", [True, False])
def test_what_learned_on_is_near_to_what_it_was_and_the_same_each_time(tmp_path: Path, deeper: bool) -> None:
    model, parts = MODEL.read_bytes(), (_patches(1, 70), _patches(2, 70))
    course = Retraining(8, 1.2e-3, (0.7, 0.3), share=0.6, nothing=0.6, deeper=deeper)
    made = [relearn(model, parts, DIE_VIEW, course, print)[0] for _ in range(2)]
    assert made[0] == made[1] != model
    batch = np.random.default_rng(1).normal(size=(4, *SHAPE)).astype(np.float32)
    before, after = read_network(MODEL).run(batch), _answers(made[0], batch, tmp_path / "after.onnx")
    assert not np.array_equal(before, after)
    assert np.abs(before - after).max() < 4


def test_a_deeper_network_answers_as_before() -> None:
    layers = read_chain(MODEL.read_bytes())
    deeper = deepened(layers)
    assert len(deeper) == len(layers) + 2
    batch = torch.from_numpy(np.random.default_rng(1).normal(size=(4, *SHAPE)).astype(np.float32))
    with torch.no_grad():
        before, after = (nn.Sequential(*some).eval()(batch).numpy() for some in (layers, deeper))
    assert np.allclose(before, after, atol=1e-5)


def test_a_course_that_goes_no_way_leaves_the_network_as_it_was(tmp_path: Path) -> None:
    model = MODEL.read_bytes()
    course = Retraining(4, 1e-3, (1.0,), share=0.0, nothing=0.0, deeper=False)
    made, _ = relearn(model, (_patches(3, 70),), DIE_VIEW, course, print)
    batch = np.random.default_rng(1).normal(size=(4, *SHAPE)).astype(np.float32)
    assert np.allclose(
        read_network(MODEL).run(batch), _answers(made, batch, tmp_path / "same.onnx"), atol=1e-3
    )
