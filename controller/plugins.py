"""What other packages add to Pointsman, by entry points of their distributions: texts, and devices."""

import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Any, Final

from controller.errors import UserError

_LOGGER: Final = logging.getLogger(__name__)


class PluginKind(StrEnum):
    """What can be added; each is a group of entry points of this name."""

    PROFILES = "pointsman.profiles"
    FORMATS = "pointsman.formats"
    LANGUAGES = "pointsman.languages"
    DICE = "pointsman.dice"
    LIGHTS = "pointsman.lights"


class PluginError(UserError):
    """A plug-in that there is not, or that cannot be loaded; the sentence says what to do."""


@cache
def plugin_texts(kind: PluginKind) -> Mapping[str, str]:
    """The texts that are added, by the names of their entry points.

    An entry point names a package; in it lies the text, in a file called as the entry point, such as `house.toml`.
    One that cannot be read is left out, and the log says why: nothing else is to suffer from it.
    """
    found = {}
    for name, point in sorted(_points(kind).items()):
        try:
            found[name] = files(point.value).joinpath(f"{name}.toml").read_text(encoding="utf-8")
        except Exception:  # it runs the package of somebody else
            _LOGGER.exception("The plug-in %s of %s cannot be read.", name, kind)
    return found


def load_plugin(kind: PluginKind, name: str) -> Callable[..., Any]:
    """What an entry point names, such as a function that opens a device.

    Raises:
        PluginError: for a name that is none, or if it cannot be loaded.
    """
    points = _points(kind)
    if name not in points:
        known = ", ".join(sorted(points)) or "none"
        raise PluginError(
            f'There is no plug-in "{name}" of {kind}; installed are: {known}. Install its package with pip.'
        )
    try:
        made: Callable[..., Any] = points[name].load()
    except Exception as error:
        _LOGGER.exception("The plug-in %s of %s cannot be loaded.", name, kind)
        raise PluginError(
            f'The plug-in "{name}" of {kind} cannot be loaded ({error}); update its package, or remove it.'
        ) from error
    return made


@cache
def _points(kind: PluginKind) -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=kind)}
