"""JSON objects in texts that anybody may have written."""

import json
from typing import Any


def parse_object(text: str | bytes) -> dict[str, Any]:
    """The JSON object that a text holds.

    Raises:
        ValueError: it holds none, or one that is nested deeper than Python can read.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it holds another value")
    return value
