"""The configuration explained: a commented file to begin with, and tables for the reference page."""

from collections.abc import Iterator

from controller.config.checks import shown
from controller.config.config import CAUTION, SECTIONS, all_keys
from controller.config.keys import ConfigKey
from controller.referee.caution import Caution

HEAD = """\
# Pointsman: the configuration of one table. Save it as pointsman.toml and take the # away from the lines that you
# change. Every line may be left out: then the value holds that is shown here, if nothing else is said.
"""
WIDTH = 108


def sample() -> str:
    """A configuration file with every key, all of them commented out."""
    parts = [HEAD]
    for section, keys in all_keys().items():
        parts.append(f"\n# {_title(section)}\n[{section}]")
        parts += [line for key in keys for line in _explained(key)]
    return "\n".join(parts) + "\n"


def tables() -> str:
    """For each section a heading, what it is about, and a Markdown table of its keys."""
    parts: list[str] = []
    for section, keys in all_keys().items():
        parts += [f"## `[{section}]`", "", _title(section), ""]
        parts += ["| key | what it says | what it may be | if left out |", "|---|---|---|---|"]
        parts += [_row(key) for key in keys]
        parts.append("")
    return "\n".join(parts)


def _title(section: str) -> str:
    described = Caution if section == CAUTION else SECTIONS[section]
    return " ".join((described.__doc__ or "").split("\n\n")[0].split())


def _explained(key: ConfigKey) -> Iterator[str]:
    otherwise = f" If left out: {key.otherwise}." if key.otherwise else ""
    yield from _wrapped(f"{key.words} It is {key.check.wording()}.{otherwise}")
    yield f"#{key.name} = {shown(key.example if key.otherwise else key.default)}"


def _row(key: ConfigKey) -> str:
    otherwise = key.otherwise or f"`{shown(key.default)}`"
    cells = (f"`{key.name}`", key.words, key.check.wording(), otherwise)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _wrapped(text: str) -> Iterator[str]:
    line = "#"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line
