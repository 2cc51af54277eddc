"""How much is logged, and of which packages."""

import logging
from enum import StrEnum
from typing import Final

PACKAGES: Final = ("controller", "calibration")
"""What the program's own code is called where it is imported."""


class LogLevel(StrEnum):
    """How much is written into the log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def number(self) -> int:
        """As `logging` counts it."""
        return logging.getLevelNamesMapping()[self.value.upper()]
