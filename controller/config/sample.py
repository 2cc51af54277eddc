"""The configuration explained: a commented file to begin with, and tables for the reference page."""

from collections.abc import Iterator
from textwrap import wrap

from controller.config.config import SECTIONS, all_keys
from controller.tomlfile.checks import Key, Text, shown

HEAD = """\
# Pointsman: the configuration of one table. Save it as pointsman.toml and take the # away from the lines that you
# change. Every line may be left out; then the value shown here holds, unless the comment says otherwise.
"""
MORE = "Few tables need the other keys; `pointsman config --all` prints them too: {}."
SELDOM = "Few tables need these; `pointsman config --all` prints them too:"
COLUMNS = "| key | what it says | what it may be | if left out |\n|---|---|---|---|"
WIDTH = 108


def sample(*, everything: bool = False) -> str:
    """A configuration file with its keys commented out; those for experts only if `everything` is asked for."""
    parts = [HEAD]
    left_out = []
    for section, keys in all_keys().items():
        shown_keys = [key for key in keys if everything or not key.expert]
        if len(shown_keys) < len(keys):
            left_out.append(f"{len(keys) - len(shown_keys)} in [{section}]")
        if shown_keys:
            parts.append(f"\n# {_title(section)}\n[{section}]")
            parts += [line for key in shown_keys for line in _explained(key)]
    if left_out:
        parts += ["", *_wrapped(MORE.format(", ".join(left_out)))]
    return "\n".join(parts) + "\n"


def tables() -> str:
    """For each section a heading, what it is about, and Markdown tables of its keys, those for experts last."""
    parts: list[str] = []
    for section, keys in all_keys().items():
        parts += [f"## `[{section}]`", "", _title(section), ""]
        for expert in (False, True):
            if rows := [_row(key) for key in keys if key.expert is expert]:
                parts += [*([SELDOM, ""] if expert else []), COLUMNS, *rows, ""]
    return "\n".join(parts)


def _title(section: str) -> str:
    return " ".join((SECTIONS[section].__doc__ or "").split("\n\n")[0].split())


def _explained(key: Key) -> Iterator[str]:
    otherwise = f" If left out: {key.otherwise}." if key.otherwise else ""
    allowed = "" if isinstance(key.check, Text) else f" It is {key.check.wording()}."
    yield from _wrapped(f"{key.words}{allowed}{otherwise}")
    yield f"#{key.name} = {shown(key.example if key.otherwise else key.default)}"


def _row(key: Key) -> str:
    otherwise = key.otherwise or f"`{shown(key.default)}`"
    cells = (f"`{key.name}`", key.words, key.check.wording(), otherwise)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _wrapped(text: str) -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )
