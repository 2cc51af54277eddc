"""Writes a chain of layers as an ONNX file of the plainest operations, which every OpenCV since 4.8 runs."""

from collections.abc import Sequence

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from controller.arrays import Float32Array

OPSET = 11
IR_VERSION = 6


def write_chain(layers: Sequence[nn.Module], shape: Sequence[int]) -> bytes:
    """The file of a chain that takes float32 (n, *shape); ``n`` is free.

    Known layers: Conv2d (a BatchNorm2d after it is folded in), ReLU, MaxPool2d, Flatten, Linear. Others
    raise ``ValueError``. Equal weights give equal bytes.
    """
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []
    name = "input"
    chain = [layer for layer in layers if not isinstance(layer, nn.Dropout | nn.Dropout2d)]
    for number, layer in enumerate(chain):
        if isinstance(layer, nn.BatchNorm2d):
            continue
        after = chain[number + 1] if number + 1 < len(chain) else None
        inputs, attributes, kind = [name], {}, ""
        if isinstance(layer, nn.Conv2d):
            kernel, bias = _folded(layer, after)
            inputs += _constants(weights, number, kernel, bias)
            kind, attributes = "Conv", _window(layer.kernel_size, layer.stride, layer.padding)
            attributes |= {"group": layer.groups, "dilations": _pair(layer.dilation)}
        elif isinstance(layer, nn.MaxPool2d):
            kind, attributes = "MaxPool", _window(layer.kernel_size, layer.stride, layer.padding)
        elif isinstance(layer, nn.Linear):
            inputs += _constants(weights, number, _array(layer.weight), _array(layer.bias))
            kind, attributes = "Gemm", {"transB": 1}
        elif isinstance(layer, nn.ReLU):
            kind = "Relu"
        elif isinstance(layer, nn.Flatten):
            kind, attributes = "Flatten", {"axis": 1}
        else:
            raise ValueError(f"{type(layer).__name__} has no plain ONNX form here")
        name = f"layer{number}"
        nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
    nodes[-1].output[0] = "output"
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", *shape])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["n", *_answer(layers, shape)])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR_VERSION
    model.producer_name = "pointsman"
    return bytes(model.SerializeToString(deterministic=True))


def _answer(layers: Sequence[nn.Module], shape: Sequence[int]) -> list[int]:
    """The shape of one answer."""
    chain = nn.Sequential(*layers).eval()
    with torch.no_grad():
        return list(chain(torch.zeros(1, *shape)).shape[1:])


def _folded(conv: nn.Conv2d, after: nn.Module | None) -> tuple[Float32Array, Float32Array]:
    """Kernel and bias of a convolution, the normalisation that follows it included."""
    kernel = conv.weight.detach()
    bias = conv.bias.detach() if conv.bias is not None else torch.zeros(conv.out_channels)
    if isinstance(after, nn.BatchNorm2d):
        mean, variance = after.running_mean, after.running_var
        if mean is None or variance is None:
            raise ValueError("a normalisation without running averages cannot be folded")
        scale = after.weight.detach() / torch.sqrt(variance + after.eps)
        kernel = kernel * scale[:, None, None, None]
        bias = after.bias.detach() + (bias - mean) * scale
    return _array(kernel), _array(bias)


def _array(tensor: torch.Tensor) -> Float32Array:
    return np.asarray(tensor.detach().cpu().numpy(), np.float32)


def _constants(weights: list[onnx.TensorProto], number: int, *arrays: Float32Array) -> list[str]:
    names = [f"weight{number}_{k}" for k in range(len(arrays))]
    weights += [numpy_helper.from_array(array, name) for array, name in zip(arrays, names, strict=True)]
    return names


def _pair(value: object) -> list[int]:
    if isinstance(value, tuple):
        return [int(v) for v in value]
    if isinstance(value, int):
        return [value, value]
    raise ValueError(f"{value} is not a size along rows and columns")


def _window(kernel: object, stride: object, padding: object) -> dict[str, object]:
    pads = _pair(padding)
    return {"kernel_shape": _pair(kernel), "strides": _pair(stride), "pads": [*pads, *pads]}
