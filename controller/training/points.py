"""The network that counts checkers on a strip: what it learns from, its shape, and how it is trained."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import torch
from torch import nn

from controller.training.boards import KnownBoard, known_boards
from controller.training.examples import FINENESS, Examples, as_taken, joined, variation
from controller.training.onnx_file import write_chain
from controller.training.painted import painted_board
from controller.training.recipe import Tell
from controller.training.shelf import kept
from controller.vision.points import COUNTS
from controller.vision.strips import CHANNELS, COLUMNS, ROWS

SEED = 0
VARIATIONS = 6
PAINTED_BOARDS, PICTURES_EACH = range(50, 170), 9
# The last painted boards are kept aside to measure on.
ASIDE = 4
EPOCHS = 7
BATCH = 64
RATE = 3e-3
PILE = 6
# Piles are rarer than they are difficult, empty points more frequent.
PILE_WEIGHT, EMPTY_WEIGHT = 2.0, 0.5
# Some labels are wrong for what can be seen of a strip.
SMOOTHING = 0.005
# So many things are told of each cell of the strip before all cells are joined.
KINDS = 18
# Channels: light against dark, the shift across, those that show lightness, those of contrast, all that is seen.
LIGHTER, SHIFT_ACROSS = 4, 7
LIGHTNESSES, CONTRASTS, SEEN = [0, 5], slice(1, 3), 5
# While it learns, the network also tells after so many layers in which cells (of so many pixels) upper faces of each
# layer lie: a count alone says little about what to look at.
TRUNK, TRUNK_CHANNELS, CELL, LAYERS = 15, 48, 8, 3
FACES_WEIGHT, FACE_TO_NONE = 3.0, 8.0


def train(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """Train anew; tells its progress and returns the ONNX file with the figures on boards kept aside."""
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    learned, aside = _examples(tell)
    tell(f"{len(learned.counts)} strips to learn from, {len(aside.counts)} to measure on")
    layers = network()
    model = nn.Sequential(*layers)
    _fit(model, learned, tell)
    figures = measure(model, aside)
    tell(f"on boards kept aside: {figures}")
    return write_chain(layers, (CHANNELS, ROWS, COLUMNS)), figures


def network() -> list[nn.Module]:
    """The layers, from a strip to a score for each of ``COUNTS``."""
    steps = (
        (CHANNELS, 16, 2),
        (16, 32, 2),
        (32, 32, 1),
        (32, 48, 2),
        (48, 48, 1),
        (48, 64, (2, 1)),
        (64, 48, 1),
    )
    layers: list[nn.Module] = []
    for inside, outside, stride in steps:
        layers += [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()]
    layers += [nn.Conv2d(48, KINDS, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2)]
    size = KINDS * -(-ROWS // 16) * -(-COLUMNS // 8)
    return [*layers, nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, len(COUNTS))]


def measure(model: nn.Module, examples: Examples) -> dict[str, float]:
    """Shares of right counts on empty points, rows and piles, and the mean surprise in nats."""
    scores = log_probabilities(model, examples)
    truth = torch.from_numpy(examples.counts)
    right = (scores.argmax(1) + COUNTS[0] == truth).numpy()
    size = np.abs(examples.counts)
    kinds = {"empty": size == 0, "rows": (size > 0) & (size < PILE), "piles": size >= PILE}
    figures = {name: round(float(right[kind].mean()), 4) for name, kind in kinds.items() if kind.any()}
    surprise = -scores[torch.arange(len(truth)), truth - COUNTS[0]].mean()
    return figures | {"surprise": round(float(surprise), 4)}


def log_probabilities(model: nn.Module, examples: Examples) -> torch.Tensor:
    """For each strip the log-probability of each of ``COUNTS``."""
    model.eval()
    strips = torch.from_numpy(examples.strips)
    with torch.no_grad():
        parts = [model(part.float() / FINENESS).log_softmax(1) for part in strips.split(4 * BATCH)]
    return torch.cat(parts)


def _examples(tell: Tell) -> tuple[Examples, Examples]:
    """What is learned from and what is measured on."""
    learned = [
        kept(f"board-{known.name}", partial(_varied, known, number), tell)
        for number, known in enumerate(known_boards())
    ]
    painted = [kept(f"painted-{seed}", partial(_painted, seed), tell) for seed in PAINTED_BOARDS]
    return joined(learned + painted[:-ASIDE]), joined(painted[-ASIDE:])


def _varied(known: KnownBoard, number: int) -> Examples:
    turns = (np.random.default_rng([SEED, number, turn]) for turn in range(VARIATIONS))
    return joined([part for random in turns for part in variation(known, random)])


def _painted(seed: int) -> Examples:
    """A painted board as it is and in other colours."""
    board, random = painted_board(seed, PICTURES_EACH), np.random.default_rng([seed, 77])
    return joined([*as_taken(board, random), *variation(board, random)])


def _fit(model: nn.Sequential, examples: Examples, tell: Tell) -> None:
    random = torch.Generator().manual_seed(SEED)
    strips, counts = torch.from_numpy(examples.strips), torch.from_numpy(examples.counts)
    weights = torch.where(counts.abs() >= PILE, PILE_WEIGHT, torch.where(counts == 0, EMPTY_WEIGHT, 1.0))
    steps = EPOCHS * len(counts) // BATCH
    faces = torch.from_numpy(examples.faces).long()
    trunk, head = model[:TRUNK], model[TRUNK:]
    places = nn.Conv2d(TRUNK_CHANNELS, LAYERS, 1).to(memory_format=torch.channels_last)
    parameters = [*model.parameters(), *places.parameters()]
    optimiser = torch.optim.AdamW(parameters, RATE, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps + 1)
    model.to(memory_format=torch.channels_last).train()
    total = 0.0
    for step in range(1, steps + 1):
        pick = torch.multinomial(weights, BATCH, generator=random)
        seen, wanted, where = _twisted(strips[pick], counts[pick], faces[pick], random)
        seen = seen.contiguous(memory_format=torch.channels_last)
        found = trunk(seen)
        loss = nn.functional.cross_entropy(head(found), wanted - COUNTS[0], label_smoothing=SMOOTHING)
        loss = loss + FACES_WEIGHT * _misplaced(places(found), where)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        pace.step()
        total += loss.item()
        if step % 100 == 0:
            tell(f"step {step} of {steps}: loss {total / 100:.4f}")
            total = 0.0


def _misplaced(found: torch.Tensor, faces: torch.Tensor) -> torch.Tensor:
    """How badly upper faces are placed: ``found`` (n, layers, rows, columns) against ``faces`` (n, 15, 3)."""
    wanted = torch.zeros_like(found)
    strip, number = (faces[..., 0] >= 0).nonzero(as_tuple=True)
    layer, row, column = faces[strip, number].T
    row = (row + CELL // 2).div(CELL, rounding_mode="floor").clamp(0, found.shape[2] - 1)
    column = (column + CELL // 2).div(CELL, rounding_mode="floor").clamp(0, found.shape[3] - 1)
    wanted[strip, layer, row, column] = 1.0
    weight = torch.tensor(FACE_TO_NONE)
    return nn.functional.binary_cross_entropy_with_logits(found, wanted, pos_weight=weight)


def _grain(strips: torch.Tensor, random: torch.Generator) -> None:
    """Noise of different strength on the contrast of each strip, all cut from one sheet of noise."""
    rows, columns = strips.shape[2:]
    sheet = torch.randn(2 * rows, 2 * columns, generator=random)
    corners = torch.stack(
        [torch.randint(0, size, (len(strips),), generator=random) for size in (rows, columns)]
    )
    levels = 0.15 * torch.rand(len(strips), generator=random)
    for strip, (top, left), level in zip(strips, corners.T.tolist(), levels.tolist(), strict=True):
        strip[CONTRASTS] += level * sheet[top : top + rows, left : left + columns]


def _twisted(
    strips: torch.Tensor, counts: torch.Tensor, faces: torch.Tensor, random: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Strips, as whole numbers, made real: mirrored, with the sides swapped, shifted, in other light, noisier, or
    with a piece cut out.
    """
    many = len(strips)
    mirrored, swapped, cut = (torch.rand(many, generator=random) < share for share in (0.5, 0.5, 0.15))
    strips = torch.where(mirrored[:, None, None, None], strips.flip(3), strips)
    down, across = (int(torch.randint(-reach, reach + 1, (1,), generator=random)) for reach in (3, 3))
    strips = torch.roll(strips, (down, across), (2, 3)).float() / FINENESS
    strips[mirrored, SHIFT_ACROSS] *= -1
    strips[swapped, LIGHTER] *= -1
    counts = torch.where(swapped, -counts, counts)
    layer, row, column = faces.unbind(2)
    column = torch.where(mirrored[:, None], COLUMNS - 1 - column, column)
    faces = torch.stack([layer, row + down, column + across], dim=2)
    for channel in LIGHTNESSES:
        strips[:, channel] += 0.15 * torch.randn(many, 1, 1, generator=random)
    strips[:, CONTRASTS] *= torch.exp(0.2 * torch.randn(many, 1, 1, 1, generator=random))
    _grain(strips, random)
    for number in cut.nonzero().ravel().tolist():
        height, width = torch.randint(6, 30, (2,), generator=random).tolist()
        top = int(torch.randint(0, ROWS - height, (1,), generator=random))
        left = int(torch.randint(0, COLUMNS - width, (1,), generator=random))
        level = 0.5 * torch.randn(SEEN, 1, 1, generator=random)
        strips[number, :SEEN, top : top + height, left : left + width] = level
    return strips, counts, faces
