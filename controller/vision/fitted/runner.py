"""What computes the networks. It stands apart from them so that who only names it loads neither."""

from enum import StrEnum


class NetworkRunner(StrEnum):
    """What computes the networks."""

    OPENCV = "opencv"
    ONNXRUNTIME = "onnxruntime"
