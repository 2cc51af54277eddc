"""Writes a network as an ONNX file of plain operations, which every OpenCV since 4.8 runs."""

import io
import warnings
from collections.abc import Sequence

import torch
from torch import nn

# OpenCV 4.8 reads it, and with it PyTorch writes nothing but the operations themselves.
OPSET = 11


def write_chain(layers: Sequence[nn.Module], shape: Sequence[int], *, any_size: bool = False) -> bytes:
    """The file of a chain that takes float32 (n, *shape); ``n`` is free, with ``any_size`` rows and columns too.

    Normalisations are folded into the convolutions before them. Equal weights give equal bytes.
    """
    chain = nn.Sequential(*layers).cpu().eval()
    free = {0: "n", 2: "rows", 3: "columns"} if any_size else {0: "n"}
    file = io.BytesIO()
    with warnings.catch_warnings():
        # The newer exporter needs one more package, and writes operations of ONNX 18.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            chain,
            (torch.zeros(1, *shape),),
            file,
            opset_version=OPSET,
            dynamo=False,
            input_names=["input"],
            output_names=["output"],
            dynamic_axes={"input": free, "output": free},
        )
    return file.getvalue()
