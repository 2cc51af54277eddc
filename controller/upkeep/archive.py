"""Archives (.tar.gz) with a list of what is in them: whole or not there at all, and checked before they are used."""

import gzip
import hashlib
import io
import json
import math
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

from controller.errors import UserError
from controller.record.journal.journal import JsonObject
from controller.whole_file import part_of

LIST: Final = "manifest.json"
"""The last file of an archive: what the others are."""
PRIVATE: Final = 0o600
CHUNK: Final = 1 << 20
_UNREADABLE: Final = (
    *(OSError, EOFError, zlib.error, tarfile.TarError),
    *(ValueError, KeyError, TypeError, RecursionError),
)
"""What comes of reading something that is no archive."""
_Content = Callable[[], Any]


class ArchiveError(UserError):
    """An archive that cannot be written, or that is not what it should be."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One file of an archive: its name in there, SHA-256 (hex) and size in bytes."""

    name: str
    sha256: str
    size: int


class ArchiveWriter:
    """An archive in the making; `archive_at` makes one.

    Attributes:
        packed: what is in it so far.
    """

    def __init__(self, tar: tarfile.TarFile, now_s: float) -> None:
        """``now_s`` is the time of all files in it, in seconds since 1970."""
        self._tar, self._now_s = tar, now_s
        self.packed: list[Packed] = []

    def add(self, name: str, data: bytes) -> None:
        """Put a file in."""
        self._put(name, len(data), hashlib.sha256(data).hexdigest(), lambda: io.BytesIO(data))

    def add_file(self, name: str, path: Path) -> None:
        """Put a file from the disk in, which nobody writes to meanwhile."""
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._put(name, path.stat().st_size, digest, lambda: path.open("rb"))

    def close(self, about: JsonObject) -> None:
        """Put the list in, with what else is told about the archive."""
        files = [{"name": each.name, "sha256": each.sha256, "size": each.size} for each in self.packed]
        text = json.dumps({**about, "files": files}, indent=1, ensure_ascii=False)
        self.add(LIST, f"{text}\n".encode())

    def _put(self, name: str, size: int, digest: str, content: _Content) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, PRIVATE, int(self._now_s)
        with content() as file:
            self._tar.addfile(info, file)
        self.packed.append(Packed(name, digest, size))


@contextmanager
def archive_at(out: Path, now_s: float) -> Iterator[ArchiveWriter]:
    """A new archive that takes the place of `out` at the end, for its owner only; nothing is left where that fails.

    Raises:
        ArchiveError: if it cannot be written.
    """
    try:
        with (
            part_of(out) as part,
            part.open("wb") as file,
            gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=int(now_s)) as packing,
            tarfile.open(fileobj=packing, mode="w|", format=tarfile.PAX_FORMAT) as tar,
        ):
            yield ArchiveWriter(tar, now_s)
    except OSError as error:
        why = error.strerror or error
        raise ArchiveError(f"{out} cannot be written ({why}); name another place, or make room.") from None


class _Bounded(io.RawIOBase):
    """What comes out of a file, up to so many bytes: a small archive may unpack to a full disk."""

    def __init__(self, file: gzip.GzipFile, most: float) -> None:
        self._file, self._left = file, most

    def read(self, size: int = -1) -> bytes:
        """See `io.RawIOBase`."""
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise OSError("it unpacks to more than any bundle has")
        return data


def unpack(archive: Path, folder: Path, most: float = math.inf) -> JsonObject:
    """Put the files of an archive into an empty folder, each checked against the list; what the list tells besides.

    Args:
        archive: the archive.
        folder: the empty folder.
        most: bytes that it may unpack to; a backup fills what disk there is, as its files did.

    Raises:
        ArchiveError: if it cannot be read, or a file is missing, changed, or one that does not belong there.
    """
    found: dict[str, Packed] = {}
    try:
        with gzip.open(archive) as packed, tarfile.open(fileobj=_Bounded(packed, most), mode="r|") as tar:
            for info in tar:
                place = _place(archive, info)
                found[info.name] = _written(tar, info, folder / place)
        told = json.loads((folder / LIST).read_bytes())
        listed = {each["name"]: Packed(each["name"], each["sha256"], each["size"]) for each in told["files"]}
    except FileNotFoundError:
        what = (
            "there is no such file; check the path" if not archive.exists() else "it has no list of its files"
        )
        raise ArchiveError(f"{archive}: {what}.") from None
    except _UNREADABLE as error:
        raise ArchiveError(f"{archive} is not an archive of Pointsman, or is damaged ({error}).") from None
    found.pop(LIST)
    wrong = sorted(name for name in {*listed, *found} if listed.get(name) != found.get(name))
    if wrong:
        raise ArchiveError(f"{archive} is damaged: {wrong[0]} is not as it was packed; take another backup.")
    return dict(told)


def _place(archive: Path, info: tarfile.TarInfo) -> PurePath:
    """Where a file of an archive may go inside its folder, as this system understands its name."""
    place = PurePath(info.name)
    if not info.isfile() or place.anchor or ".." in place.parts or not place.parts:
        raise ArchiveError(f"{archive} holds {info.name!r}, which is no file of a backup; it is not used.")
    return place


def _written(tar: tarfile.TarFile, info: tarfile.TarInfo, to: Path) -> Packed:
    to.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    packed, digest = tar.extractfile(info), hashlib.sha256()
    assert packed is not None
    with packed, open(to, "xb", opener=_private) as file:
        while data := packed.read(CHUNK):
            digest.update(data)
            file.write(data)
    return Packed(info.name, digest.hexdigest(), info.size)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, PRIVATE)
