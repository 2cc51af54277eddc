"""Learns to draw a map of where dice, or the cube, are seen on a board laid flat."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from calibration.training.accelerator import training_device
from calibration.training.dice.dice_cuts import Map
from calibration.training.dice.face_network import rate
from calibration.training.dice.half import halved
from calibration.training.onnx_file import write_chain
from calibration.training.recipe import Tell
from controller.arrays import Float32Array, FloatArray
from controller.vision.dice.views import BLOCK

SEED = 7
BATCH = 16
# Crops are squares of this many pixels, most of them with a thing in view.
CROP = 112
WITH_THING = 0.7
# The width (cells) of a spot on the map, and how far about a doubtful thing nothing is asked.
SPOT_CELLS = 1.2
DOUBTFUL_CELLS = 7.0


def learn_spots(
    maps: Sequence[Map], worth: Sequence[float], steps: int, tell: Tell
) -> tuple[bytes, Mapping[str, float]]:
    """Learn on crops of maps, each shown as often as it is worth; returns the ONNX file and the last loss.

    The network takes (1, channels, rows, columns), levels -0.5 to 0.5, and gives (1, 4, rows / 4, columns / 4):
    log odds for the quarters of each block.
    """
    device = training_device()
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    shares = np.array(worth) / np.sum(worth)
    channels = maps[0].picture.shape[2]
    layers = _layers(channels)
    net = nn.Sequential(*layers, nn.PixelShuffle(2)).to(device)
    descent = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-3)
    recent: list[float] = []
    for step in range(steps):
        for group in descent.param_groups:
            group["lr"] = rate(step, steps)
        crops = [_crop(maps[k], rng) for k in rng.choice(len(maps), BATCH, p=shares)]
        shown, wanted, asked = (
            torch.from_numpy(np.stack(part)).to(device) for part in zip(*crops, strict=True)
        )
        loss = _loss(net(shown)[:, 0], wanted, asked)
        descent.zero_grad()
        loss.backward()
        descent.step()
        recent = [*recent[-199:], float(loss.detach())]
        if step % 500 == 499:
            tell(f"step {step + 1} of {steps}: loss {np.mean(recent):.3f}")
    net.cpu().eval()
    return halved(write_chain(layers, (channels, CROP, CROP), any_size=True)), {
        "loss": round(float(np.mean(recent)), 4)
    }


def _layers(channels: int) -> list[nn.Module]:
    def block(inputs: int, outputs: int, stride: int = 1) -> list[nn.Module]:
        conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        return [conv, nn.BatchNorm2d(outputs), nn.ReLU()]

    last = nn.Conv2d(32, 4, 1)
    nn.init.constant_(last.bias, -4.0)
    return [*block(channels, 16, 2), *block(16, 32, 2), *block(32, 32), *block(32, 32), *block(32, 32), last]


def _loss(odds: torch.Tensor, wanted: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
    """Cross entropy in which cells that are right already count little."""
    gap = torch.abs(wanted - torch.sigmoid(odds)) ** 1.5
    error = functional.binary_cross_entropy_with_logits(odds, wanted, reduction="none")
    return (error * gap * asked * (1 + 3 * wanted)).sum() / ((wanted > 0.6).sum() + 1)


def _crop(whole: Map, rng: np.random.Generator) -> tuple[Float32Array, Float32Array, Float32Array]:
    """A varied crop: picture (channels, rows, columns), the map that is wanted, and where it is asked for."""
    rows, columns, _ = whole.picture.shape
    missing = ((0, max(0, CROP - rows)), (0, max(0, CROP - columns)), (0, 0))
    picture = np.pad(whole.picture, missing, mode="edge")
    rows, columns, _ = picture.shape
    top, left = int(rng.integers(0, rows - CROP + 1)), int(rng.integers(0, columns - CROP + 1))
    if len(whole.spots) and rng.random() < WITH_THING:
        row, column, _ = whole.spots[int(rng.integers(len(whole.spots)))]
        top = int(np.clip(row - rng.uniform(8, CROP - 8), 0, rows - CROP))
        left = int(np.clip(column - rng.uniform(8, CROP - 8), 0, columns - CROP))
    view = picture[top : top + CROP, left : left + CROP]
    wanted, asked = _target(whole.spots - np.array([top, left, 0.0]))
    quarter, mirrored = int(rng.integers(4)), rng.random() < 0.5
    parts = [np.rot90(part, quarter) for part in (view, wanted, asked)]
    if mirrored:
        parts = [part[:, ::-1] for part in parts]
    levels = _recoloured(parts[0], rng)
    return (
        np.ascontiguousarray(levels.transpose(2, 0, 1) / 255 - 0.5, np.float32),
        np.ascontiguousarray(parts[1], np.float32),
        np.ascontiguousarray(parts[2], np.float32),
    )


def _recoloured(view: NDArray[np.generic], rng: np.random.Generator) -> Float32Array:
    levels = np.array(view, np.float32)
    colour = levels[..., :3][..., rng.permutation(3)]
    colour = colour * (rng.uniform(0.75, 1.25) * rng.uniform(0.85, 1.15, 3)).astype(np.float32)
    if rng.random() < 0.15:
        colour = 255 - colour
    if rng.random() < 0.3:
        colour = colour + np.float32(rng.random()) * (colour.mean(axis=-1, keepdims=True) - colour)
    return np.concatenate([colour, levels[..., 3:] * np.float32(rng.uniform(0.7, 1.3))], axis=-1)


def _target(spots: FloatArray) -> tuple[Float32Array, Float32Array]:
    """The map wanted for spots (n, 3) in pixels of a crop, and 0 where nothing is asked."""
    side = 2 * CROP // BLOCK
    down, across = np.mgrid[0:side, 0:side]
    wanted, asked = np.zeros((side, side)), np.ones((side, side))
    for row, column, sure in spots:
        square = (down - (row - 0.5) / 2) ** 2 + (across - (column - 0.5) / 2) ** 2
        if sure:
            wanted = np.maximum(wanted, np.exp(-0.5 * square / SPOT_CELLS**2))
        else:
            asked[square < DOUBTFUL_CELLS**2] = 0
    return wanted.astype(np.float32), asked.astype(np.float32)
