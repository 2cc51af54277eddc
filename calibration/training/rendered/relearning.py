"""Learns on: the network that tells the numbers of dice, made from painted boards, goes on with rendered ones.

Its weights then are a mean of those before and after: so it keeps what it knew, and takes on what is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from calibration.training.accelerator import training_device
from calibration.training.dice.dice_cuts import VIEWS, Patch
from calibration.training.dice.face_network import face_loss, kind_shares, varied_patches
from calibration.training.dice.half import halved
from calibration.training.onnx_file import write_chain
from calibration.training.recipe import Tell
from controller.arrays import FloatArray
from controller.vision.dice.views import PatchView, leeway

SEED = 29
BATCH = 64
TOLD = 100


@dataclass(frozen=True, slots=True)
class Retraining:
    """How a network learns on.

    So many steps, the highest learning rate, and of all patches that are shown the shares of each part. ``share`` is
    how far the weights go from those before to those after, ``nothing`` how much likelier (log odds) nothing is taken
    to be afterwards. A ``deeper`` network gets a layer more first.
    """

    steps: int
    rate: float
    parts: tuple[float, ...]
    share: float
    nothing: float
    deeper: bool


def relearn(
    model: bytes, parts: Sequence[Sequence[Patch]], view: PatchView, course: Retraining, tell: Tell
) -> tuple[bytes, Mapping[str, float]]:
    """Learn on from a model of `face_network.learn_faces` for dice; returns the ONNX file and the last loss.

    ``parts`` are patches cut as `dice_cuts.VIEWS` says, in the order of the course's shares.
    """
    device = training_device()
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    layers = deepened(read_chain(model)) if course.deeper else read_chain(model)
    net = nn.Sequential(*layers).to(device, memory_format=torch.channels_last).train()
    before = [weight.detach().clone() for weight in net.parameters()]
    steps = course.steps
    descent = torch.optim.AdamW(net.parameters(), course.rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(descent, course.rate, steps + 1, pct_start=0.1)
    decks = [_Deck(round(share * BATCH), part) for share, part in zip(course.parts, parts, strict=True)]
    recent: list[float] = []
    for step in range(1, steps + 1):
        shown, kind, cocked, off = (
            torch.cat(one).to(device) for one in zip(*(deck.draw(rng, view) for deck in decks), strict=True)
        )
        with torch.autocast(device.type, torch.bfloat16):
            answers = net(shown.contiguous(memory_format=torch.channels_last)).float()
        loss = face_loss(answers, kind, cocked, off)
        descent.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        descent.step()
        pace.step()
        recent = [*recent[-199:], float(loss.detach())]
        if step % TOLD == 0:
            tell(f"step {step} of {steps}: loss {np.mean(recent):.3f}")
    with torch.no_grad():
        for weight, old in zip(net.parameters(), before, strict=True):
            weight.lerp_(old, 1 - course.share)
        layers[-1].get_parameter("bias")[0] += course.nothing
    net.cpu().eval()
    return halved(write_chain(layers, (3, view.size, view.size))), {"loss": round(float(np.mean(recent)), 4)}


def deepened(layers: Sequence[nn.Module]) -> list[nn.Module]:
    """The layers with one more convolution before the last pooling, which at first changes nothing.

    What comes to it is never negative, so it passes through as it is.
    """
    last = max(number for number, layer in enumerate(layers) if isinstance(layer, nn.MaxPool2d))
    before = next(layer for layer in reversed(layers[:last]) if isinstance(layer, nn.Conv2d))
    added = nn.Conv2d(before.out_channels, before.out_channels, 3, 1, 1)
    nn.init.dirac_(added.weight)
    nn.init.zeros_(added.get_parameter("bias"))
    return [*layers[:last], added, nn.ReLU(), *layers[last:]]


class _Deck:
    """Patches that were cut in the same way, drawn by chance, each value as often as the others."""

    def __init__(self, count: int, patches: Sequence[Patch]) -> None:
        self.count = count
        self.pictures = torch.from_numpy(np.stack([patch.picture for patch in patches]))
        self.kinds = torch.tensor([patch.value for patch in patches])
        self.cocked = torch.tensor([float(patch.cocked) for patch in patches])
        self.ways = torch.from_numpy(leeway(np.array([patch.slant for patch in patches]))).float()
        self.shares: FloatArray = kind_shares(np.ones(len(patches)), self.kinds.numpy())

    def draw(
        self, rng: np.random.Generator, view: PatchView
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Some patches, varied: pictures, values, whether cocked, and where the middles of faces are."""
        chosen = torch.from_numpy(rng.choice(len(self.kinds), self.count, p=self.shares))
        shown, kind, off = varied_patches(
            self.pictures[chosen], self.kinds[chosen], self.ways[chosen], view, VIEWS["die"]
        )
        # In a mirror a die shows the same number, and its sides are still below.
        mirrored = torch.rand(self.count) < 0.5
        shown[mirrored] = shown[mirrored].flip(3)
        off[mirrored, 0] = -off[mirrored, 0]
        return shown, kind, self.cocked[chosen], off


def read_chain(model: bytes) -> list[nn.Module]:
    """The layers of a file of `onnx_file.write_chain`, its weights at half precision or not."""
    graph = onnx.load_from_string(model).graph
    arrays = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).astype(np.float32)) for one in graph.initializer
    }
    arrays |= {node.output[0]: arrays[node.input[0]] for node in graph.node if node.op_type == "Cast"}
    layers: list[nn.Module] = []
    for node in graph.node:
        sizes = {one.name: list(one.ints) for one in node.attribute if one.ints}
        if node.op_type == "Conv":
            kernel, bias = arrays[node.input[1]], arrays[node.input[2]]
            layers.append(
                nn.Conv2d(
                    kernel.shape[1], kernel.shape[0], kernel.shape[2], sizes["strides"][0], sizes["pads"][0]
                )
            )
            _fill(layers[-1], kernel, bias)
        elif node.op_type == "Gemm":
            kernel, bias = arrays[node.input[1]], arrays[node.input[2]]
            layers.append(nn.Linear(kernel.shape[1], kernel.shape[0]))
            _fill(layers[-1], kernel, bias)
        elif node.op_type == "MaxPool":
            layers.append(nn.MaxPool2d(sizes["kernel_shape"][0], sizes["strides"][0], sizes["pads"][0]))
        elif node.op_type in ("Relu", "Flatten"):
            layers.append(nn.ReLU() if node.op_type == "Relu" else nn.Flatten())
    return layers


def _fill(layer: nn.Module, kernel: torch.Tensor, bias: torch.Tensor) -> None:
    with torch.no_grad():
        layer.get_parameter("weight").copy_(kernel)
        layer.get_parameter("bias").copy_(bias)
