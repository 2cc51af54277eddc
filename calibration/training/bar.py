"""The network that counts the checkers on the bar: what it learns from, its shape, and how it is trained."""

from collections.abc import Mapping
from dataclasses import fields
from functools import partial

import numpy as np
import torch
from torch import nn

from calibration.training.bar_examples import FINENESS, BarExamples, cut_all
from calibration.training.boards import KnownBoard, known_boards
from calibration.training.fitting import Batch, Course, fit
from calibration.training.onnx_file import write_chain
from calibration.training.painted_bars import painted_bars
from calibration.training.recipe import Tell
from calibration.training.retaken import as_taken, retaken
from calibration.training.shelf import kept_as
from controller.vision.counting.bar_strip import CHANNELS, COLUMNS, ROWS, SCALE
from controller.vision.counting.likelihoods import MOST, PAIRS

SEED = 0
VARIATIONS = 4
PAINTED_BOARDS, PICTURES_EACH = range(200, 256), 6
# The last painted boards are kept aside to measure on.
ASIDE = 4
BATCH = 32
# Channels: checker against bare, light against dark, the shifts, where the bar is; lightness, contrast, all seen.
CHECKER, LIGHTER, SHIFT_ALONG, SHIFT_ACROSS, ON_BAR = 3, 4, 6, 7, 8
LIGHTNESSES, CONTRASTS, SEEN = [0, 5], slice(1, 3), 5
COURSE = Course(steps=5000, rate=4e-3, trunk=18, channels=24, kinds=2, cell=8)
# How often a bar is given the colour of one side's checkers, whose faces reach this many pixels.
ALIKE, FACE_REACH = 0.35, SCALE / 2
# How often a strip is joined of two of the same board, where no face lies within this many rows.
JOINED, CLEAR_ROWS = 0.4, 12
# How often a piece of a strip is hidden.
CUT = 0.15


def train(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """Train anew; tells its progress and returns the ONNX file with the figures on boards kept aside."""
    torch.manual_seed(SEED)
    learned, aside = _examples(tell)
    tell(f"{len(learned.strips)} strips to learn from, {len(aside.strips)} to measure on")
    layers = network()
    model = nn.Sequential(*layers)
    random = torch.Generator().manual_seed(SEED)
    fit(model, COURSE, partial(_drawn, learned, random), tell)
    figures = measure(model, aside)
    tell(f"on boards kept aside: {figures}")
    return write_chain(layers, (CHANNELS, ROWS, COLUMNS)), figures


def network() -> list[nn.Module]:
    """The layers, from a strip to a score for each of ``PAIRS``.

    What is found in the cells is added up over the whole bar, every cell with a weight of its own.
    """
    steps = ((CHANNELS, 12, 2), (12, 16, 2), (16, 16, 1), (16, 24, 2), (24, 24, 1), (24, 24, 1))
    layers: list[nn.Module] = []
    for inside, outside, stride in steps:
        layers += [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()]
    cells = (-(-ROWS // COURSE.cell), -(-COLUMNS // COURSE.cell))
    over_all = nn.Conv2d(16, 16, cells, groups=16)
    nn.init.constant_(over_all.weight, 0.25)
    layers += [nn.Conv2d(COURSE.channels, 16, 1), nn.ReLU(), over_all, nn.Flatten()]
    return [*layers, nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, len(PAIRS))]


def measure(model: nn.Module, examples: BarExamples) -> dict[str, float]:
    """Shares of right counts of empty bars and of others, and the mean surprise in nats."""
    model.eval()
    strips = torch.from_numpy(examples.strips)
    with torch.no_grad():
        scores = torch.cat(
            [model(part.float() / FINENESS).log_softmax(1) for part in strips.split(4 * BATCH)]
        )
    truth = _pairs(torch.from_numpy(examples.faces).long())
    right, empty = (scores.argmax(1) == truth).numpy(), (truth == 0).numpy()
    surprise = -scores[torch.arange(len(truth)), truth].mean()
    return {
        "empty": round(float(right[empty].mean()), 4),
        "others": round(float(right[~empty].mean()), 4),
        "surprise": round(float(surprise), 4),
    }


def _examples(tell: Tell) -> tuple[BarExamples, BarExamples]:
    """What is learned from and what is measured on."""
    learned = [
        kept_as(BarExamples, f"bar-{known.name}-{turn}", partial(_varied, known, number, turn), tell)
        for number, known in enumerate(known_boards())
        for turn in range(VARIATIONS)
    ]
    painted = [
        kept_as(BarExamples, f"painted-bar-{seed}", partial(_painted, seed), tell) for seed in PAINTED_BOARDS
    ]
    return _together(learned + painted[:-ASIDE]), _together(painted[-ASIDE:])


def _varied(known: KnownBoard, number: int, turn: int) -> BarExamples:
    random = np.random.default_rng([SEED, number, turn])
    return cut_all(retaken(known, random), random, number * VARIATIONS + turn)


def _painted(seed: int) -> BarExamples:
    board = painted_bars(seed, PICTURES_EACH)
    random = np.random.default_rng([seed, 78])
    return cut_all(as_taken(board, random), random, 1000 + seed)


def _together(parts: list[BarExamples]) -> BarExamples:
    return BarExamples(
        *(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(BarExamples))
    )


def _pairs(faces: torch.Tensor) -> torch.Tensor:
    """The index into ``PAIRS`` for faces (n, ``MOST``, 3)."""
    table = torch.full((MOST + 1, MOST + 1), -1)
    for index, (light, dark) in enumerate(PAIRS):
        table[light, dark] = index
    return table[(faces[..., 0] == 0).sum(1), (faces[..., 0] == 1).sum(1)]


def _drawn(examples: BarExamples, random: torch.Generator) -> Batch:
    """Strips drawn by chance, joined, turned and relit."""
    strips, faces = torch.from_numpy(examples.strips), torch.from_numpy(examples.faces).long()
    boards = torch.from_numpy(examples.boards)
    pick = torch.randint(0, len(strips), (BATCH,), generator=random)
    seen, where = strips[pick], faces[pick]
    for number, first in enumerate(pick.tolist()):
        if torch.rand(1, generator=random) < JOINED:
            alike = (boards == boards[first]).nonzero().ravel()
            second = int(alike[torch.randint(0, len(alike), (1,), generator=random)])
            _join(seen, where, number, strips[second], faces[second], random)
    seen, where = _turned(seen, where, random)
    seen = seen.float() / FINENESS
    for strip, upon in zip(seen, where, strict=True):
        if torch.rand(1, generator=random) < ALIKE:
            _camouflage(strip, upon, random)
    _relit(seen, random)
    return Batch(seen, _pairs(where), where)


def _join(
    seen: torch.Tensor,
    where: torch.Tensor,
    number: int,
    other: torch.Tensor,
    others: torch.Tensor,
    random: torch.Generator,
) -> None:
    """From some row on, the strip becomes another of the same board; not where that would cut a face."""
    row = int(torch.randint(ROWS // 5, ROWS - ROWS // 5, (1,), generator=random))
    both = torch.cat([where[number], others])
    both = both[both[:, 0] >= 0]
    kept = both[: int((where[number, :, 0] >= 0).sum())]
    added = both[len(kept) :]
    together = torch.cat([kept[kept[:, 1] < row], added[added[:, 1] >= row]])
    if len(together) > MOST or bool(((both[:, 1] - row).abs() < CLEAR_ROWS).any()):
        return
    seen[number, :, row:] = other[:, row:]
    where[number] = -1
    where[number, : len(together)] = together


def _camouflage(strip: torch.Tensor, faces: torch.Tensor, random: torch.Generator) -> None:
    """The bar's bare parts become as light or dark as one side's checkers, which stand out less from it."""
    side = int(torch.randint(0, 2, (1,), generator=random))
    down, across = torch.arange(ROWS)[:, None], torch.arange(COLUMNS)[None]
    bare = strip[ON_BAR] > 0
    level, share, faded = torch.rand(3, generator=random).tolist()
    for whose, row, column in faces[faces[:, 0] >= 0].tolist():
        face = (down - row) ** 2 + (across - column) ** 2 <= FACE_REACH**2
        bare &= ~face
        if whose == side:
            strip[CHECKER][face] *= faded
    colour = 1.0 - 2.0 * side
    strip[LIGHTER][bare] = strip[LIGHTER][bare] * (1 - share) + colour * share
    strip[CHECKER][bare] = strip[CHECKER][bare] * 0.3 + (level - 0.6)


def _turned(
    strips: torch.Tensor, faces: torch.Tensor, random: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Strips, whole numbers, mirrored both ways, shifted, and with the sides swapped."""
    many = len(strips)
    mirrored, turned, swapped = (torch.rand(3, many, generator=random) < 0.5).unbind(0)
    strips = torch.where(mirrored[:, None, None, None], strips.flip(3), strips)
    strips = torch.where(turned[:, None, None, None], strips.flip(2), strips)
    strips[mirrored, SHIFT_ACROSS] *= -1
    strips[turned, SHIFT_ALONG] *= -1
    strips[swapped, LIGHTER] *= -1
    side, row, column = faces.unbind(2)
    column = torch.where(mirrored[:, None], COLUMNS - 1 - column, column)
    row = torch.where(turned[:, None], ROWS - 1 - row, row)
    side = torch.where(swapped[:, None] & (side >= 0), 1 - side, side)
    down, across = (int(torch.randint(-reach, reach + 1, (1,), generator=random)) for reach in (4, 2))
    strips = torch.roll(strips, (down, across), (2, 3))
    return strips, torch.stack([side, row + down, column + across], dim=2)


def _relit(strips: torch.Tensor, random: torch.Generator) -> None:
    """Other light and contrast, noise, and now and then a piece cut out."""
    many = len(strips)
    for channel in LIGHTNESSES:
        strips[:, channel] += 0.15 * torch.randn(many, 1, 1, generator=random)
    strips[:, CONTRASTS] *= torch.exp(0.2 * torch.randn(many, 1, 1, 1, generator=random))
    noise = 0.12 * torch.rand(many, 1, 1, 1, generator=random)
    strips[:, CONTRASTS] += noise * torch.randn(2, ROWS, COLUMNS, generator=random)
    for number in (torch.rand(many, generator=random) < CUT).nonzero().ravel().tolist():
        height, width = torch.randint(4, 14, (2,), generator=random).tolist()
        top = int(torch.randint(0, ROWS - height, (1,), generator=random))
        left = int(torch.randint(0, COLUMNS - width, (1,), generator=random))
        level = 0.5 * torch.randn(SEEN, 1, 1, generator=random)
        strips[number, :SEEN, top : top + height, left : left + width] = level
