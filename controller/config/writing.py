"""Values put into a configuration file, while all else in it stays as somebody wrote it."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.config.config import parse_config
from controller.config.error import ConfigError
from controller.tomlfile.document import read_text
from controller.whole_file import replace_file

Value = str | bool | float | Sequence[str] | None
"""What a key can be set to; None leaves it out."""
Values = Mapping[str, Mapping[str, Value]]
"""Values by section and key."""
_HEADING: Final = re.compile(r"\s*\[")


def with_values(text: str, section: str, values: Mapping[str, Value]) -> str:
    """A configuration with these keys in a section; a key that stood there, or was commented out, takes its place."""
    lines = text.splitlines()
    found = next((n for n, line in enumerate(lines) if line.strip().startswith(f"[{section}]")), None)
    if found is None:
        lines += ["", f"[{section}]"] if lines else [f"[{section}]"]
        found = len(lines) - 1
    end = next((n for n in range(found + 1, len(lines)) if _HEADING.match(lines[n])), len(lines))
    within = lines[found + 1 : end]
    for name, value in values.items():
        _put(within, name, value)
    return "\n".join([*lines[: found + 1], *within, *lines[end:]]) + "\n"


def _put(lines: list[str], name: str, value: Value) -> None:
    """Put a key among the lines of its section, or comment it out."""
    pattern = re.compile(rf"\s*{name}\s*=")
    places = [n for n, each in enumerate(lines) if pattern.match(each)]
    if value is None:
        for n in places:
            lines[n] = f"#{lines[n]}"
        return
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    places = places or [n for n, each in enumerate(lines) if pattern.match(each.removeprefix("#"))]
    if places:
        lines[places[0]] = line
    else:
        last = max((n for n, each in enumerate(lines) if each.strip()), default=-1)
        lines.insert(last + 1, line)


def write_values(path: Path, values: Values) -> None:
    """Put values into a configuration file, all or none, or begin one.

    Raises:
        ConfigError: if the file cannot be read or written, or would no longer be a configuration; it stays as it was.
    """
    text = read_text(path, ConfigError, "name a configuration file") if path.exists() else ""
    for section, chosen in values.items():
        text = with_values(text, section, chosen)
    parse_config(text, str(path), path.parent)
    try:
        # An installed table has a link to its configuration in its own folder: the file changes, not the link.
        replace_file(path.resolve(), text.encode(), 0o644)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror}); make its folder writable.") from None
