"""Stores the weights of a network file at half precision: half the size, the same answers to three digits."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def halved(model: bytes) -> bytes:
    """The ONNX file with its kernels as 16 bit floats, each cast to 32 bits again before it is used.

    Biases stay as they are. Equal files give equal bytes.
    """
    whole = onnx.load_from_string(model)
    graph = whole.graph
    casts, weights = [], []
    for weight in graph.initializer:
        array = numpy_helper.to_array(weight)
        if array.ndim < 2:
            weights.append(weight)
            continue
        short = f"{weight.name}_half"
        weights.append(numpy_helper.from_array(array.astype(np.float16), short))
        casts.append(helper.make_node("Cast", [short], [weight.name], name=short, to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    del graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(weights)
    return bytes(whole.SerializeToString(deterministic=True))
