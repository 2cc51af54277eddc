"""Learns to tell the number on a patch, for dice and for the cube: a small chain of convolutions."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from calibration.training.accelerator import training_device
from calibration.training.dice.dice_cuts import Patch
from calibration.training.dice.half import halved
from calibration.training.onnx_file import write_chain
from calibration.training.recipe import Tell
from controller.arrays import FloatArray, IntArray
from controller.vision.dice.views import LEAST_CONTRAST, PatchView, leeway

SEED = 7
BATCH = 64
MOST_RATE = 3e-3
# A spot may be found off by so much, as a share of half a kept patch.
OFF_SHARE = 0.17
SMOOTHING = 0.02
# Of the patches shown this many hold nothing.
NOTHING_SHARE = 0.35
# What a patch of nothing that is told rightly is worth beside one that is told wrongly.
EASY_WORTH = 0.15


def learn_faces(
    patches: Sequence[Patch],
    classes: Sequence[int],
    view: PatchView,
    kept: PatchView,
    steps: int,
    tell: Tell,
) -> tuple[bytes, Mapping[str, float]]:
    """Learn on patches, every class shown as often as the others but nothing, which is shown more often.

    ``classes`` are the values told apart, 0 (nothing) first; ``kept`` is how the patches were cut and ``view``
    how the network will see them, as (n, 3, size, size). It gives a score for each class, one for being cocked,
    and how far right and down the middle of the face lies, as shares of half a patch. Returns its ONNX file and
    the last loss.
    """
    device = training_device()
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    pictures = torch.from_numpy(np.stack([patch.picture for patch in patches]))
    kinds = torch.tensor([classes.index(patch.value) for patch in patches])
    cocked = torch.tensor([float(patch.cocked) for patch in patches])
    ways = torch.from_numpy(leeway(np.array([patch.slant for patch in patches]))).float()
    worth = np.array([patch.worth for patch in patches])
    shares = kind_shares(worth, kinds.numpy())
    layers = _layers(view.size, len(classes) + 3)
    net = nn.Sequential(*layers).to(device, memory_format=torch.channels_last)
    descent = torch.optim.AdamW(net.parameters(), MOST_RATE, weight_decay=1e-3)
    recent: list[float] = []
    for step in range(steps):
        for group in descent.param_groups:
            group["lr"] = rate(step, steps)
        if step in {steps * part // 8 for part in (2, 4, 6)}:
            shares = kind_shares(worth * _hardness(net, pictures, kinds, ways, view, kept), kinds.numpy())
        chosen = torch.from_numpy(rng.choice(len(patches), BATCH, p=shares))
        shown, kind, off = varied_patches(pictures[chosen], kinds[chosen], ways[chosen], view, kept)
        answers = net(shown.to(device).contiguous(memory_format=torch.channels_last))
        loss = face_loss(answers, kind.to(device), cocked[chosen].to(device), off.to(device))
        descent.zero_grad()
        loss.backward()
        descent.step()
        recent = [*recent[-499:], float(loss.detach())]
        if step % 1000 == 999:
            tell(f"step {step + 1} of {steps}: loss {np.mean(recent):.3f}")
    net.cpu().eval()
    return halved(write_chain(layers, (3, view.size, view.size))), {"loss": round(float(np.mean(recent)), 4)}


def kind_shares(worth: FloatArray, kinds: IntArray) -> FloatArray:
    """How often each patch is shown, as a share of all."""
    total = np.bincount(kinds, weights=worth)
    share = np.where(np.arange(len(total)) == 0, NOTHING_SHARE, (1 - NOTHING_SHARE) / (len(total) - 1))
    shares = worth / total[kinds] * share[kinds]
    return np.asarray(shares / shares.sum(), float)


def _hardness(
    net: nn.Sequential,
    pictures: torch.Tensor,
    kinds: torch.Tensor,
    ways: torch.Tensor,
    view: PatchView,
    kept: PatchView,
) -> FloatArray:
    """How much more often each patch is worth showing: more where nothing is still taken for something."""
    net.eval()
    wrong = []
    with torch.no_grad():
        for some, kind, way in zip(pictures.split(512), kinds.split(512), ways.split(512), strict=True):
            seen, kind, _ = varied_patches(some, kind, way, view, kept)
            chances = torch.softmax(net(seen.to(training_device()))[:, :-3], dim=1).cpu()
            wrong.append(1 - chances.gather(1, kind[:, None])[:, 0])
    net.train()
    # Faces that are not told rightly are often past telling; nothing never is.
    hard = EASY_WORTH + torch.cat(wrong).numpy().astype(float)
    return np.asarray(np.where(kinds.numpy() == 0, hard, 1.0), float)


def rate(step: int, steps: int) -> float:
    """The learning rate: up in the first twentieth, then down along half a cosine."""
    share = step / steps
    return MOST_RATE * min(1.0, 20 * share) * (0.5 + 0.5 * float(np.cos(np.pi * share))) + 1e-5


def _layers(size: int, answers: int) -> list[nn.Module]:
    def block(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
        conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        return [conv, nn.BatchNorm2d(outputs), nn.ReLU()]

    return [
        *block(3, 24, 5, 2),
        *block(24, 48),
        nn.MaxPool2d(2),
        *block(48, 64),
        *block(64, 64),
        *block(64, 64),
        nn.MaxPool2d(2),
        *block(64, 32, 1),
        nn.Flatten(),
        nn.Dropout(0.15),
        nn.Linear(32 * (size // 8) ** 2, 64),
        nn.ReLU(),
        nn.Linear(64, answers),
    ]


def face_loss(
    answers: torch.Tensor, kind: torch.Tensor, cocked: torch.Tensor, off: torch.Tensor
) -> torch.Tensor:
    """How far answers (n, classes + 3) are off: the number, and of faces the lean and the place of the middle."""
    told = functional.cross_entropy(answers[:, :-3], kind, label_smoothing=SMOOTHING)
    there = (kind > 0).float()
    lean = functional.binary_cross_entropy_with_logits(answers[:, -3], cocked, reduction="none")
    gap = functional.smooth_l1_loss(answers[:, -2:], off, beta=0.05, reduction="none").sum(dim=1)
    return told + ((0.3 * lean + 2.0 * gap) * there).sum() / (there.sum() + 1)


def varied_patches(
    pictures: torch.Tensor, kind: torch.Tensor, ways: torch.Tensor, view: PatchView, kept: PatchView
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Patches turned, shifted, scaled, in other colours, blurred, noisy; a few half covered: these are nothing."""
    size = view.size
    seen, off = _turned(pictures.permute(0, 3, 1, 2).float(), ways, view, kept)
    seen = _recoloured(seen)
    for share in (0.45, 0.6, 0.75):
        some, coarse = torch.rand(len(seen)) < 0.1, round(share * size)
        if bool(some.any()):
            small = functional.interpolate(seen[some], size=(coarse, coarse), mode="area")
            seen[some] = functional.interpolate(small, size=(size, size), mode="bilinear")
    count = len(seen)
    grain = torch.randn(count, 1, 1, 1).abs() * 3 * torch.randn_like(seen)
    seen = seen + grain + torch.randn(count, 1, 1, 1).abs() * 2 * torch.randn(count, 1, size, size)
    seen, kind = _covered(seen, kind, size)
    mean = seen.mean((1, 2, 3), keepdim=True)
    spread = seen.std((1, 2, 3), keepdim=True, unbiased=False)
    return (seen - mean) / (spread + LEAST_CONTRAST), kind, off


def _turned(
    pictures: torch.Tensor, ways: torch.Tensor, view: PatchView, kept: PatchView
) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches turned within their leeways and seen from a little beside their middles, and where these are then."""
    count, size = len(pictures), view.size
    reach = size * view.step_mm / (kept.size * kept.step_mm)
    angle = (torch.rand(count) * 2 - 1) * ways
    scale = torch.exp(torch.randn(count) * 0.09) * reach
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    shift = (torch.rand(count, 2) * 2 - 1) * torch.rand(count, 1) * OFF_SHARE
    across = -(cos * shift[:, 0] + sin * shift[:, 1]) / scale**2
    down = -(cos * shift[:, 1] - sin * shift[:, 0]) / scale**2
    rows = [torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)]
    grid = functional.affine_grid(torch.stack(rows, 1), [count, 3, size, size], align_corners=False)
    seen = functional.grid_sample(pictures, grid, align_corners=False, padding_mode="border")
    return seen, torch.stack([across, down], 1)


def _recoloured(seen: torch.Tensor) -> torch.Tensor:
    count, _, size, _ = seen.shape
    order = torch.rand(count, 3).argsort(dim=1)
    seen = torch.gather(seen, 1, order[:, :, None, None].expand(-1, -1, size, size))
    grey = torch.rand(count, 1, 1, 1) * (torch.rand(count, 1, 1, 1) < 0.4)
    seen = seen * (1 - grey) + grey * seen.mean(1, keepdim=True)
    seen = seen * torch.exp(torch.randn(count, 3, 1, 1) * 0.12)
    negative = (torch.rand(count, 1, 1, 1) < 0.15).float()
    return seen * (1 - negative) + (255 - seen) * negative


def _covered(seen: torch.Tensor, kind: torch.Tensor, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Half of some patches hidden by what looks like a part of another one."""
    count = len(seen)
    chosen = torch.rand(count) < 0.06
    line = torch.linspace(-1, 1, size)
    angle = torch.rand(count, 1, 1) * 2 * torch.pi
    side = torch.cos(angle) * line[None, None] + torch.sin(angle) * line[None, :, None]
    hidden = (side > torch.rand(count, 1, 1) * 0.3 - 0.15) & chosen[:, None, None]
    other = seen.roll(1, 0).flip(3)
    mean = other.mean((2, 3), keepdim=True)
    other = mean + 0.3 * (other - mean)
    return torch.where(hidden[:, None], other, seen), torch.where(chosen, 0, kind)
