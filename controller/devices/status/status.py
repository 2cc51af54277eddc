"""How a device stands: a code with arguments. What it means in words is in the catalogues."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

Code = TypeVar("Code", bound=StrEnum, covariant=True)


@dataclass(frozen=True, slots=True)
class DeviceStatus(Generic[Code]):
    """The state of one device and the reason for it.

    Attributes:
        device: the kind of device, as the catalogues call it.
        code: the reason.
        port: where or what the device is, as configured or found.
        arguments: what the words of the code need besides.
    """

    device: ClassVar[str]
    code: Code
    port: str
    arguments: Mapping[str, str] = field(default_factory=dict)
