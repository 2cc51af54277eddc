"""The examples of the protocol page."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAGE = ROOT / "hardware_docs" / "protocol.md"


@cache
def text() -> str:
    return PAGE.read_text()


@cache
def examples() -> dict[str, tuple[bytes, bytes]]:
    """Name to (payload, bytes on the wire)."""
    block = re.search(r"```frames\n(.*?)```", text(), re.DOTALL)
    assert block is not None
    found = re.findall(r"^(\w+):\n +payload +([0-9a-f ]+)\n +wire +([0-9a-f ]+)$", block[1], re.MULTILINE)
    return {name: (bytes.fromhex(payload), bytes.fromhex(wire)) for name, payload, wire in found}
