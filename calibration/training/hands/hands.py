"""The network that sees hands, sleeves and cups over a board: learned from painted ones over many boards."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from calibration.training.accelerator import training_device
from calibration.training.hands.hidden import Example, example
from calibration.training.hands.overlooked import Glanced, painted_boards, rendered_boards
from calibration.training.onnx_file import write_chain
from calibration.training.recipe import Tell
from controller.vision.hands.overview import COLUMNS, LAYERS, ROWS

SEED, PAINTED_SEED = 20260, 11
STEPS, BATCH, RATE = 2200, 16, 4e-3
# Of each batch this many are new, the others are some of the last that were.
NEW, KEPT = 6, 1200
WIDE, WIDER = 24, 32
# The rendered boards are few but nearest to real ones: each is taken this many times as often as a painted one.
RENDERED_WORTH = 3
# At last the normalisations are folded in, and what is left learns on, from rendered boards above all.
LAST_STEPS, LAST_RATE, LAST_WORTH = 1000, 1e-3, 5
# A point whose hidden share is known is worth so much beside cells that are known.
POINT_WORTH = 0.5
# Every this many-th painted board is kept aside to say how well it went.
ASIDE = 12
CHECKED = 400


def chain() -> nn.Sequential:
    """Layers to the hidden share of each cell, as log odds."""
    return nn.Sequential(
        *_block(LAYERS, WIDE, stride=2),
        *_block(WIDE, WIDER, stride=2),
        *_block(WIDER, WIDER),
        *_block(WIDER, WIDER, apart=2),
        *_block(WIDER, WIDER, apart=4),
        *_block(WIDER, WIDER, apart=2),
        *_block(WIDER, WIDER),
        nn.Conv2d(WIDER, 1, 1),
    )


def _block(inward: int, outward: int, stride: int = 1, apart: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(inward, outward, 3, stride, apart, dilation=apart, bias=False)
    return [conv, nn.BatchNorm2d(outward), nn.ReLU()]


def train(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """The network as an ONNX file, and how well it does on painted boards kept aside."""
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    tell("looking at the rendered boards and painting others")
    painted = list(painted_boards(np.random.default_rng(PAINTED_SEED)))
    aside = painted[::ASIDE]
    rendered, others = list(rendered_boards()), [board for k, board in enumerate(painted) if k % ASIDE]
    net = learn(chain(), [*rendered * RENDERED_WORTH, *others], (STEPS, RATE), rng, tell)
    rng = np.random.default_rng(SEED + 2)
    net = learn(plain(net), [*rendered * LAST_WORTH, *others], (LAST_STEPS, LAST_RATE), rng, tell)
    figures = check(net, aside, np.random.default_rng(SEED + 1))
    tell(", ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    return write_chain(list(net), (LAYERS, ROWS, COLUMNS)), figures


def plain(net: nn.Sequential) -> nn.Sequential:
    """The same network without normalisations: each is folded into the layer before it."""
    layers: list[nn.Module] = []
    for layer in net:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    return nn.Sequential(*layers).requires_grad_()


def learn(
    net: nn.Sequential,
    boards: Sequence[Glanced],
    pace: tuple[int, float],
    rng: np.random.Generator,
    tell: Tell,
) -> nn.Sequential:
    """Train on boards, each as often as any other; ``pace`` is how many steps and how large ones at most."""
    steps, rate = pace
    device = training_device()
    net = net.to(device, memory_format=torch.channels_last).train()
    worker = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    slower = torch.optim.lr_scheduler.OneCycleLR(worker, rate, total_steps=steps)
    total, kept = 0.0, list[Example]()
    for step in range(1, steps + 1):
        made = [
            example(rng, boards[int(rng.integers(len(boards)))]) for _ in range(BATCH if step == 1 else NEW)
        ]
        kept = [*made, *kept][:KEPT]
        again = [kept[int(k)] for k in rng.integers(len(kept), size=BATCH - len(made))]
        loss = _loss(net, made + again)
        worker.zero_grad()
        loss.backward()
        worker.step()
        slower.step()
        total += loss.item()
        if step % 100 == 0:
            tell(f"step {step}: {total / 100:.4f}")
            total = 0.0
    return net.cpu().eval()


def check(net: nn.Sequential, boards: Sequence[Glanced], rng: np.random.Generator) -> dict[str, float]:
    """Shares of cells that are told rightly where something hides them, and where nothing does."""
    hits, hidden, clear, open_ = 0.0, 0, 0.0, 0
    for _ in range(CHECKED // BATCH):
        for one in (example(rng, boards[int(rng.integers(len(boards)))]) for _ in range(BATCH)):
            with torch.no_grad():
                told = net(torch.from_numpy(one.layers)[None])[0, 0].numpy() > 0
            there, counted = one.target > 0.5, one.weight == 1
            hits, hidden = hits + (told & there & counted).sum(), hidden + int((there & counted).sum())
            away = (one.target < 0.05) & counted
            clear, open_ = clear + (~told & away).sum(), open_ + int(away.sum())
    return {
        "hidden cells seen": float(hits / max(hidden, 1)),
        "open cells clear": float(clear / max(open_, 1)),
    }


def _loss(net: nn.Sequential, examples: Sequence[Example]) -> torch.Tensor:
    shown, target, weight, shares, hidden = (
        torch.from_numpy(np.stack([getattr(one, name) for one in examples])).to(training_device())
        for name in ("layers", "target", "weight", "shares", "hidden")
    )
    odds: torch.Tensor = net(shown)[:, 0]
    cells = functional.binary_cross_entropy_with_logits(odds, target, reduction="none")
    loss: torch.Tensor = (cells * weight).sum() / weight.sum().clamp(min=1)
    known = hidden >= 0
    if known.any():
        told = (torch.sigmoid(odds)[:, None] * shares).sum((2, 3)).clamp(1e-4, 1 - 1e-4)
        loss = loss + POINT_WORTH * functional.binary_cross_entropy(told[known], hidden[known])
    return loss
