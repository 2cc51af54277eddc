"""Many requests at the same moment, each over a connection of its own."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Form:
    """A form that somebody sends.

    Attributes:
        path: where to.
        fields: what was typed.
        source: the address that it comes from; all of 127.0.0.0/8 are addresses of this machine.
        headers: more headers.
        as_json: whether the fields are sent as JSON, as programs do.
    """

    path: str
    fields: Mapping[str, str]
    source: str = "127.0.0.1"
    headers: Mapping[str, str] = field(default_factory=dict)
    as_json: bool = False


def post_at_once(port: int, forms: Iterable[Form]) -> list[int]:
    """The status of the answer to each form; all are sent before the first answer is read."""
    return asyncio.run(_post_at_once(port, list(forms)))


async def _post_at_once(port: int, forms: list[Form]) -> list[int]:
    connected = [
        await asyncio.open_connection("127.0.0.1", port, local_addr=(each.source, 0)) for each in forms
    ]
    for form, (_, writer) in zip(forms, connected, strict=True):
        writer.write(_text(form, port))
    statuses = [await _status(reader) for reader, _ in connected]
    for _, writer in connected:
        writer.close()
    return statuses


def _text(form: Form, port: int) -> bytes:
    body = json.dumps(form.fields) if form.as_json else urlencode(form.fields)
    headers = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json" if form.as_json else "application/x-www-form-urlencoded",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **form.headers,
    }
    lines = [f"POST {form.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", body]).encode()


async def _status(reader: asyncio.StreamReader) -> int:
    return int((await reader.readline()).split()[1])
