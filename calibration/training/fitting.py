"""How a network that counts on a strip is fitted: it also learns where upper faces lie on the strip.

A count alone says little about what to look at, so after the first layers the network tells in which cells of the
strip it sees faces of each kind. What tells that is not shipped.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

from calibration.training.accelerator import training_device
from calibration.training.recipe import Tell

SMOOTHING = 0.005  # some labels are wrong for what can be seen of a strip
FACES_WEIGHT, FACE_TO_NONE = 3.0, 8.0
STEEPEST = 2.0
TOLD = 100


@dataclass(frozen=True, slots=True)
class Course:
    """How a network is trained, and its size.

    Steps and highest learning rate; layers and channels before the faces are told, of how many kinds, in cells of how
    many pixels of the strip.
    """

    steps: int
    rate: float
    trunk: int
    channels: int
    kinds: int
    cell: int


@dataclass(frozen=True, eq=False)
class Batch:
    """Strips (n, channels, rows, columns) with the number of the right answer of each, (n,), and the faces on it,
    (n, most, 3): kind, row and column in pixels of the strip, the kind -1 where there is none.
    """

    strips: torch.Tensor
    answers: torch.Tensor
    faces: torch.Tensor


def fit(model: nn.Sequential, course: Course, draw: Callable[[], Batch], tell: Tell) -> None:
    """Fit the model to batches drawn one after the other; every hundred steps it tells how far off it is.

    It learns on the accelerator, where there is one, and lies in the processor's memory afterwards.
    """
    device = training_device()
    trunk, head = model[: course.trunk], model[course.trunk :]
    places = nn.Conv2d(course.channels, course.kinds, 1).to(device, memory_format=torch.channels_last)
    model.to(device, memory_format=torch.channels_last).train()
    parameters = [*model.parameters(), *places.parameters()]
    optimiser = torch.optim.AdamW(parameters, course.rate, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, course.rate, course.steps + 1)
    total = 0.0
    for step in range(1, course.steps + 1):
        batch = draw()
        found = trunk(batch.strips.to(device).contiguous(memory_format=torch.channels_last))
        loss = nn.functional.cross_entropy(head(found), batch.answers.to(device), label_smoothing=SMOOTHING)
        loss = loss + FACES_WEIGHT * misplaced(places(found), batch.faces.to(device), course.cell)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, STEEPEST)
        optimiser.step()
        pace.step()
        total += loss.item()
        if step % TOLD == 0:
            tell(f"step {step} of {course.steps}: loss {total / TOLD:.4f}")
            total = 0.0
    model.cpu()


def misplaced(found: torch.Tensor, faces: torch.Tensor, cell: int) -> torch.Tensor:
    """How badly faces are placed: ``found`` (n, kinds, rows, columns) against ``faces``, see ``Batch``."""
    wanted = torch.zeros_like(found)
    strip, number = (faces[..., 0] >= 0).nonzero(as_tuple=True)
    kind, row, column = faces[strip, number].T
    row = (row + cell // 2).div(cell, rounding_mode="floor").clamp(0, found.shape[2] - 1)
    column = (column + cell // 2).div(cell, rounding_mode="floor").clamp(0, found.shape[3] - 1)
    wanted[strip, kind, row, column] = 1.0
    weight = torch.tensor(FACE_TO_NONE, device=found.device)
    return nn.functional.binary_cross_entropy_with_logits(found, wanted, pos_weight=weight)
