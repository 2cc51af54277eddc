"""How patches of dice and cubes are varied for learning."""

import numpy as np
import torch

from controller.training.dice_cuts import VIEWS
from controller.training.face_network import Look, glints, taken, turned
from controller.vision.views import DIE_VIEW

STILL = torch.zeros(64)


def spot(count: int) -> torch.Tensor:
    """Kept patches, black but for a bright spot in the middle."""
    size = VIEWS["die"].size
    down, across = np.mgrid[0:size, 0:size] - (size - 1) / 2
    hill = 255 * np.exp(-0.5 * (down**2 + across**2) / 3.0**2)
    return torch.from_numpy(np.tile(hill.astype(np.float32), (count, 3, 1, 1)))


def test_the_middle_of_a_face_is_told_where_it_is_seen_mirrored_or_not() -> None:
    torch.manual_seed(1)
    seen, off = turned(spot(64), STILL, Look(DIE_VIEW, VIEWS["die"], mirrored=True))
    weights = seen[:, 0].numpy()
    line = (np.arange(DIE_VIEW.size) - (DIE_VIEW.size - 1) / 2) / (DIE_VIEW.size / 2)
    total = weights.sum(axis=(1, 2))
    across = (weights.sum(axis=1) * line).sum(axis=1) / total
    down = (weights.sum(axis=2) * line).sum(axis=1) / total
    assert np.abs(np.stack([across, down], axis=1) - off.numpy()).max() < 0.05
    assert np.abs(off.numpy()).max() > 0.1


def test_glints_add_light_somewhere_and_leave_the_rest() -> None:
    torch.manual_seed(2)
    light = glints(64, 32)
    assert light.shape == (64, 1, 32, 32)
    assert float(light.min()) >= 0
    assert (light.amax(dim=(1, 2, 3)) > 10 * light.mean(dim=(1, 2, 3))).float().mean() > 0.5


def test_a_poorer_lens_lets_bright_pips_outweigh_the_dark_between_them() -> None:
    torch.manual_seed(3)
    stripes = torch.zeros(256, 3, 32, 32)
    stripes[..., ::2] = 255
    seen = taken(stripes)
    assert float(seen.min()) >= 0
    assert float(seen.max()) <= 255.5
    blurred = seen.std(dim=(1, 2, 3)) < 40
    assert blurred.any()
    assert float(seen[blurred].mean()) > 160
