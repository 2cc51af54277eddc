"""Where the keys of a TOML file stand, for messages: `tomllib` tells no lines once the text is parsed."""

import re

KEY_LINE = re.compile(r"""^\s*(?P<key>[\w"'.\s-]+?)\s*=""")
TABLE_LINE = re.compile(r"^\s*\[(?P<table>[^\[\]]+)\]\s*(#.*)?$")


def lines_of_keys(text: str) -> dict[str, int]:
    """The line, from 1, of every heading, table and dotted key of a TOML text, under its full name."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := TABLE_LINE.match(line):
            table = bare_key(header["table"])
            found.setdefault(table, number)
            found.setdefault(table.split(".")[0], number)
            table += "."
        elif key := KEY_LINE.match(line):
            name = f"{table}{bare_key(key['key'])}"
            found.setdefault(name, number)
            found.setdefault(name.split(".")[0], number)
    return found


def bare_key(dotted: str) -> str:
    """A key without the quotation marks and blanks it was written with."""
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))
