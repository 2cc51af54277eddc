"""The file of a packet: a ZIP without compression, the same to the byte for the same content.

Its comment ends with the SHA-256 of all before it. It is read more strictly than ZIP programs do: nothing may stand
before, between or behind its files, no name may come twice, nothing may be compressed. So the command and the page
read the same, and no packet takes more memory than a few times the length of its file.
"""

import hashlib
import io
import struct
import zipfile
from collections.abc import Mapping
from typing import Final

WRITING: Final = "pointsman packet 1"
"""The name of the format."""
COMMENT: Final = f"{WRITING} sha256 ".encode()
DIGEST: Final = 64
"""Signs of a SHA-256 in hex."""
LARGEST: Final = 2**32 - 1
"""Bytes of the largest packet: what a ZIP file without the extension for larger ones can hold."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file can name; the same packet is to be the same file."""
_LOCAL: Final = struct.Struct("<4s5H3I2H")
"""Signature, version, flags, method, time, date, CRC, both sizes, lengths of name and extra (APPNOTE 4.3.7)."""
_CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
"""Signature, two versions, flags, method, time, date, CRC, both sizes, lengths of name, extra and comment, disk, two
attributes, place of the file (APPNOTE 4.3.12)."""
_END: Final = struct.Struct("<4s4H2IH")
"""Signature, disk, disk of the list, entries here, entries, size and place of the list, comment (APPNOTE 4.3.16)."""


def pack_file(held: Mapping[str, bytes]) -> bytes:
    """The files one after the other, and in the comment the digest of all that stands before it.

    Raises:
        zipfile.LargeZipFile: if they are too many or too large.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=False) as packed:
        for name, data in held.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr, info.create_system = 0o644 << 16, 3
            packed.writestr(info, data)
        packed.comment = COMMENT + bytes(DIGEST)
    body = out.getvalue()[:-DIGEST]
    return body + hashlib.sha256(body).hexdigest().encode()


def is_whole(data: bytes) -> bool:
    """Whether each bit of a packet is as it was written."""
    end = len(data) - DIGEST
    if end < len(COMMENT) or data[end - len(COMMENT) : end] != COMMENT:
        return False
    return hashlib.sha256(memoryview(data)[:end]).hexdigest().encode() == data[end:]


def files_in(data: bytes) -> dict[str, bytes]:
    """The files of a packet that is whole, by name, in their order.

    Raises:
        ValueError: if it is not written as `pack_file` writes it.
        struct.error: if it ends too soon.
    """
    end = len(data) - DIGEST - len(COMMENT) - _END.size
    if end < 0:
        raise ValueError("it is too short")
    signature, disk, first, here, count, size, at, comment = _END.unpack_from(data, end)
    if (signature, disk, first, here) != (b"PK\x05\x06", 0, 0, count) or comment != len(COMMENT) + DIGEST:
        raise ValueError("its end is not that of a packet")
    listed, place = at, 0
    held: dict[str, bytes] = {}
    for _ in range(count):
        name, content, entry = _file_at(data, at, place)
        if name in held:
            raise ValueError(f"{name} is in it twice")
        held[name] = content
        at, place = at + entry, place + _LOCAL.size + len(name) + len(content)
    if (place, at, listed + size) != (listed, end, end):
        raise ValueError("there is something between its files")
    return held


def _file_at(data: bytes, at: int, place: int) -> tuple[str, bytes, int]:
    """The name and content of the file that lies at `place`, and the length of its entry in the list, at `at`."""
    entry = _CENTRAL.unpack_from(data, at)
    signature, _, _, flags, method, _, _, _, size, length, named, extra, comment, disk, _, _, offset = entry
    if signature != b"PK\x01\x02" or (extra, comment, disk, offset) != (0, 0, 0, place):
        raise ValueError("its list of files is not that of a packet")
    if (flags, method) != (0, 0) or size != length:
        raise ValueError("a file in it is compressed")
    name = data[at + _CENTRAL.size : at + _CENTRAL.size + named]
    local = _LOCAL.unpack_from(data, place)
    if local[0] != b"PK\x03\x04" or (local[2:4], local[7:]) != ((0, 0), (size, length, named, 0)):
        raise ValueError("a file in it is not as its list says")
    start = place + _LOCAL.size + named
    if data[place + _LOCAL.size : start] != name or start + length > len(data):
        raise ValueError("a file in it is not as its list says")
    return name.decode("ascii"), data[start : start + length], _CENTRAL.size + named
