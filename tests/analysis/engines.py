"""The engines that this machine has."""

from importlib.util import find_spec
from typing import Final

from controller.analysis.advice import EngineName
from controller.analysis.engine import EngineError
from controller.analysis.gnubg import binary


def _has_gnubg() -> bool:
    try:
        return bool(binary())
    except EngineError:
        return False


_FOUND: Final[dict[EngineName, bool]] = {"gnubg": _has_gnubg(), "bgsage": find_spec("bgsage") is not None}
ENGINES: Final[tuple[EngineName, ...]] = tuple(name for name, there in _FOUND.items() if there)
