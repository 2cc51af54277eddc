"""The network that counts checkers on a strip: what it learns from, its shape, and how it is trained."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import torch
from torch import nn

from calibration.training.boards import KnownBoard, known_boards
from calibration.training.examples import FINENESS, Examples, cut_all, joined
from calibration.training.fitting import Batch, Course, fit
from calibration.training.onnx_file import write_chain
from calibration.training.painted import painted_board
from calibration.training.recipe import Tell
from calibration.training.retaken import as_taken, retaken
from calibration.training.shelf import kept
from controller.vision.counting.likelihoods import COUNTS
from controller.vision.counting.strips import CHANNELS, COLUMNS, FINE, ROWS

SEED = 0
VARIATIONS = 6
PAINTED_BOARDS, PICTURES_EACH = range(50, 270), 6
# The last painted boards are kept aside to measure on.
ASIDE = 4
EPOCHS, BATCH = 10, 64
PILE = 6
# Piles are rarer than they are difficult, empty points more frequent.
PILE_WEIGHT, EMPTY_WEIGHT = 2.0, 0.5
# This many things are told of each cell of the strip before all cells are joined.
KINDS = 18
# Channels: light against dark, the shift across, those that show lightness, those of contrast, all that is seen.
LIGHTER, SHIFT_ACROSS = 4, 7
LIGHTNESSES, CONTRASTS, SEEN = [0, 5], slice(1, 3), 5


def train(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """Train anew; tells its progress and returns the ONNX file with the figures on boards kept aside."""
    torch.manual_seed(SEED)
    learned, aside = _examples(tell)
    tell(f"{len(learned.counts)} strips to learn from, {len(aside.counts)} to measure on")
    layers = network()
    model = nn.Sequential(*layers)
    random = torch.Generator().manual_seed(SEED)
    fit(model, _course(len(learned.counts)), partial(_drawn, learned, _weights(learned), random), tell)
    figures = measure(model, aside)
    tell(f"on boards kept aside: {figures}")
    return write_chain(layers, (CHANNELS, ROWS // 2, COLUMNS // 2)), figures


def network() -> list[nn.Module]:
    """The layers, from a strip to a score for each of ``COUNTS``."""
    steps = (
        (CHANNELS, 32, 2),
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


def _course(strips: int) -> Course:
    """How this many strips are learned from; upper faces are told apart by their layer."""
    return Course(EPOCHS * strips // BATCH, rate=3e-3, trunk=12, channels=48, kinds=3, cell=8)


def _weights(examples: Examples) -> torch.Tensor:
    """How often each strip is shown."""
    counts = torch.from_numpy(examples.counts)
    return torch.where(counts.abs() >= PILE, PILE_WEIGHT, torch.where(counts == 0, EMPTY_WEIGHT, 1.0))


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
    return joined([cut_all(retaken(known, random), random) for random in turns])


def _painted(seed: int) -> Examples:
    """A painted board as it is and in other colours."""
    board, random = painted_board(seed, PICTURES_EACH), np.random.default_rng([seed, 77])
    return joined([cut_all(take(board, random), random) for take in (as_taken, retaken)])


def _drawn(examples: Examples, weights: torch.Tensor, random: torch.Generator) -> Batch:
    """Strips drawn by chance and made real."""
    pick = torch.multinomial(weights, BATCH, generator=random)
    strips, counts = torch.from_numpy(examples.strips)[pick], torch.from_numpy(examples.counts)[pick]
    faces = torch.from_numpy(examples.faces)[pick].long()
    seen, wanted, where = _twisted(_whole(strips), counts, faces, random)
    return Batch(_squared(seen), wanted - COUNTS[0], where)


def _whole(strips: torch.Tensor) -> torch.Tensor:
    """Every channel with all its pixels: (n, ``FINE`` + ``COARSE``, ``ROWS``, ``COLUMNS``)."""
    fine = nn.functional.pixel_shuffle(strips[:, : 4 * FINE], 2)
    coarse = strips[:, 4 * FINE :].repeat_interleave(2, 2).repeat_interleave(2, 3)
    return torch.cat([fine, coarse], 1)


def _squared(strips: torch.Tensor) -> torch.Tensor:
    """As the network is given them again."""
    return torch.cat([nn.functional.pixel_unshuffle(strips[:, :FINE], 2), strips[:, FINE:, ::2, ::2]], 1)


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
    down, across = (int(torch.randint(-reach, reach + 1, (1,), generator=random)) for reach in (2, 2))
    strips = torch.roll(strips, (2 * down, 2 * across), (2, 3)).float() / FINENESS
    strips[mirrored, SHIFT_ACROSS] *= -1
    strips[swapped, LIGHTER] *= -1
    counts = torch.where(swapped, -counts, counts)
    layer, row, column = faces.unbind(2)
    column = torch.where(mirrored[:, None], COLUMNS - 1 - column, column)
    faces = torch.stack([layer, row + 2 * down, column + 2 * across], dim=2)
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
