"""What a table does without, such as the packages of a hub and of tournaments, and the extra that brings it."""

from collections.abc import Mapping
from typing import Final

EXTRAS: Final[Mapping[str, str]] = {
    "sqlalchemy": "hub",
    "networkx": "hub",
    "bleak": "bluetooth",
    "evdev": "keys",
}
"""Extras of the distribution by the module that is missing without them."""


def extra_sentence(error: ImportError) -> str | None:
    """What to install, if that brings the module that cannot be imported."""
    module = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(module)
    if extra is None:
        return None
    return (
        f"this needs the package {module}, which comes with the extra {extra}: run pip install 'pointsman[{extra}]', "
        f"or ./install.sh --{extra} where that installed Pointsman."
    )
