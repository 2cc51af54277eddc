"""What picture files say about themselves before they are decoded: their size, and whether they are whole.

Layouts: PNG (W3C, 5 and 11.2), JPEG (ITU T.81, B.1 and B.2), BMP and WebP (RFC 9649). Other formats say nothing here.
"""

from collections.abc import Iterator

PNG, BMP, JPEG = b"\x89PNG\r\n\x1a\n", b"BM", b"\xff\xd8"
PNG_END = b"IEND\xaeB`\x82"
JPEG_END, SCAN = b"\xff\xd9", 0xDA
# Start-of-frame markers but those for tables (C4), extensions (C8) and arithmetic conditioning (CC).
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
ALONE = frozenset(range(0xD0, 0xD8)) | {0x01}


def claimed_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that a file claims to have, ``None`` if it does not tell."""
    if data.startswith(PNG) and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(BMP) and len(data) >= 26:
        width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(width), abs(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    for marker, at in _jpeg_segments(data):
        if marker in FRAMES and at + 7 <= len(data):
            return int.from_bytes(data[at + 5 : at + 7], "big"), int.from_bytes(data[at + 3 : at + 5], "big")
    return None


def is_cut_short(data: bytes) -> bool:
    """Whether the end of a file is missing that says how it ends."""
    if data.startswith(PNG):
        return PNG_END not in data[-4096:]
    if data.startswith(BMP):
        return len(data) < 6 or int.from_bytes(data[2:6], "little") > len(data)
    if data[:4] == b"RIFF":
        return len(data) < 8 or int.from_bytes(data[4:8], "little") + 8 > len(data)
    scans = [at for marker, at in _jpeg_segments(data) if marker == SCAN]
    return data.startswith(JPEG) and (not scans or data.rfind(JPEG_END) < scans[0])


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    return None


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Markers of a JPEG file with the place of their length, up to the first scan."""
    if not data.startswith(JPEG):
        return
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in ALONE:
            at += 2
        else:
            yield marker, at + 2
            if marker == SCAN:
                return
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
