"""Profiles for tests: the standard with single keys changed."""

from controller.rules.profile.keys import KEYS, Value, parts_from, values_of
from controller.rules.profile.profile import STANDARD, Profile
from controller.tomlfile.checks import NONE


def changed(keys: dict[str, Value] | None = None, base: Profile = STANDARD) -> Profile:
    """``base`` with ``keys`` changed, their values written as in a profile file, None for no limit."""
    new = {
        key: KEYS[key].check.value(NONE if value is None else value) for key, value in (keys or {}).items()
    }
    return Profile(**parts_from({**values_of(base), **new}), name="changed", title="Changed")
