"""Numbers that were measured on pictures; the table `fitted.toml` says on which, and what does it again."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


def fitted(table: str, *names: str) -> tuple[float, ...]:
    """The numbers of these names in a table, in their order."""
    return tuple(float(_tables()[table][name]) for name in names)


@cache
def _tables() -> Mapping[str, Mapping[str, float]]:
    return tomllib.loads(
        (resources.files("controller.vision.fitted") / "fitted.toml").read_text(encoding="utf-8")
    )
