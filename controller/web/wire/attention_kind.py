"""What a matter for the director may be about: table and hub call it by the same names."""

from enum import StrEnum


class AttentionKind(StrEnum):
    """What a matter is about; the most urgent first."""

    DISPUTE = "dispute"
    ILLEGAL = "illegal"
    TIME = "time"
    UNSURE = "unsure"
    DEVICE = "device"
    RESULT = "result"
