"""A backup put back: checked first, never over what is there, and what was there is kept aside."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller import __version__
from controller.config import Config, load_config
from controller.errors import UserError
from controller.locks import FOLDERS, hold
from controller.record.journal.delivery import make_folder
from controller.record.journal.journal import STEPS, JsonObject
from controller.upkeep.archive import ArchiveError, unpack
from controller.upkeep.backup import CONFIG, FORMAT, MATCHES, places_of, profile_files

HUB: Final = "hub"
"""The word in the list of an archive that tells a backup of a hub from one of a table."""
ASIDE: Final = "before-restore"
"""How the folders are called in which what was there is kept."""


class RestoreError(UserError):
    """A backup that is not put back; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back.

    Attributes:
        made, version: when and by which version the backup was made.
        matches: how many there are.
        places: what now lies where.
        aside: the folder that holds what was there before; None if there was nothing.
    """

    made: str
    version: str
    matches: int
    places: tuple[Path, ...]
    aside: Path | None


def restore_backup(archive: Path, file: Path, *, instead: bool = False) -> Restored:
    """Put a backup where a configuration lies, and where that says.

    Args:
        archive: the backup.
        file: where the configuration goes; all other places follow from it.
        instead: put what is there aside first.

    Raises:
        ArchiveError: for an archive that is damaged or none of a backup.
        RestoreError: for one by a newer version, for what is there already, and for a match that is being played.
    """
    folder = file.absolute().parent
    with unpacked_beside(archive, folder, "--config") as (staged, told):
        if HUB in told:
            raise RestoreError(
                f"{archive} is a backup of a hub; put it back with --hub and the hub's folder."
            )
        refuse_newer(archive, told, {"format": FORMAT, "journal": len(STEPS)}, "pointsman backup")
        places = dict(_places(staged, file.absolute()))
        there = [place for place in places.values() if _holds_something(place)]
        _refuse_played(there)
        aside = put_in_place(places, there, folder, instead=instead)
        matches = sum(1 for path in places[staged / MATCHES].glob("*/")) if staged / MATCHES in places else 0
    return Restored(str(told["made"]), str(told["version"]), matches, tuple(places.values()), aside)


@contextmanager
def unpacked_beside(archive: Path, folder: Path, option: str) -> Iterator[tuple[Path, JsonObject]]:
    """A folder in ``folder`` with what a backup holds, and what it says of itself, for as long as the block lasts.

    Raises:
        ArchiveError: for an archive that is damaged or none of a backup.
        RestoreError: if the folder cannot be written to; the sentence names the ``option`` for another one.
    """
    if not archive.is_file():
        raise ArchiveError(f"{archive}: there is no such file; check the path.")
    try:
        make_folder(folder)
        stage = tempfile.TemporaryDirectory(dir=folder, prefix=".restore-")
    except OSError as error:
        raise RestoreError(
            f"{folder} cannot be written to ({error.strerror}); name another {option}."
        ) from None
    with stage as name:
        yield Path(name), unpack(archive, Path(name))


def refuse_newer(archive: Path, told: JsonObject, known: Mapping[str, int], maker: str) -> None:
    """Raises RestoreError for a backup of which a number is greater than is known here.

    Raises ArchiveError where it tells no such number; ``maker`` is the command that makes such backups.
    """
    try:
        newer = any(int(told[name]) > number for name, number in known.items())
        version = str(told["version"])
    except (KeyError, ValueError, TypeError):
        raise ArchiveError(f"{archive} is no backup; `{maker}` makes one.") from None
    if newer:
        raise RestoreError(
            f"{archive} was made by Pointsman {version}, and this is {__version__}, which cannot read it; bring "
            "Pointsman up to date first."
        )


def put_in_place(
    places: Mapping[Path, Path], there: list[Path], folder: Path, *, instead: bool
) -> Path | None:
    """Move what was unpacked to its places; the folder that holds what was there before, None if nothing was.

    All is on the disk when this returns.

    Raises:
        RestoreError: for something that is there, unless it is to be put aside; and if not all can be moved.
    """
    if there and not instead:
        raise RestoreError(
            f"{there[0]} is there already; with --replace it is put aside first, and nothing of it is lost."
        )
    try:
        aside = put_aside(there, folder) if there else None
        for source, place in places.items():
            move(source, place)
        if hasattr(os, "sync"):  # Windows has none
            os.sync()
    except OSError as error:
        raise RestoreError(
            f"Not all could be put back ({error}); what was there before lies in {folder}/{ASIDE}-*."
        ) from None
    return aside


def _places(staged: Path, file: Path) -> Iterator[tuple[Path, Path]]:
    """What was unpacked, each with where it goes."""
    kept = load_config(staged / CONFIG) if (staged / CONFIG).exists() else Config()
    config = replace(kept, folder=file.parent)
    places = dict(places_of(config, file.resolve(), profile_files(replace(kept, folder=staged))))
    places[MATCHES] = config.record_folder()
    return ((staged / name, place) for name, place in places.items() if (staged / name).exists())


def _holds_something(place: Path) -> bool:
    return any(place.iterdir()) if place.is_dir() else place.exists()


def _refuse_played(there: list[Path]) -> None:
    """Refuse to touch a match that another program has open."""
    if not FOLDERS:
        return
    for folder in (folder for place in there if place.is_dir() for folder in place.glob("*/")):
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise RestoreError(
                f"{folder} cannot be read ({error.strerror}); run it as the table's user."
            ) from None
        try:
            hold(descriptor)
        except BlockingIOError:
            raise RestoreError(f"The match in {folder} is being played; end Pointsman first.") from None
        except OSError:  # some network folders know no locks
            continue
        finally:
            os.close(descriptor)


def put_aside(there: list[Path], folder: Path) -> Path:
    """Move what is there into a new folder."""
    number = 1
    while (aside := folder / f"{ASIDE}-{number}").exists():
        number += 1
    make_folder(aside)
    for place in there:
        move(place, aside / place.name)
    return aside


def move(source: Path, to: Path) -> None:
    """Move a file, or what a folder holds: the folder itself may be one that a stick is mounted at."""
    if source.is_dir():
        make_folder(to)
        for each in sorted(source.iterdir()):
            shutil.move(each, to / each.name)
        with suppress(OSError):
            source.rmdir()
        return
    make_folder(to.parent)
    shutil.move(source, to)
