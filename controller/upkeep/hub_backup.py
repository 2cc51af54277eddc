"""Backups of a club's hub: its store, its tournaments, its keys, the logins of the tables, pictures and reports.

They are packed while the hub runs: databases by SQLite's own backup, all else as it is. What the hub writes anew at
each start is left out. A store in another database is not in the hub's folder: that is backed up where it is.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.hub.folder import KEY, STORE
from controller.hub.schema import VERSION
from controller.locks import hold
from controller.record.table.destination import HELPERS, SQLITE, begins_with
from controller.upkeep.archive import ArchiveError
from controller.upkeep.backup import FORMAT, BackupMade, backup_at
from controller.upkeep.restoration import (
    HUB,
    Restored,
    RestoreError,
    put_in_place,
    refuse_newer,
    unpacked_beside,
)

PICTURES: Final = ("evidence", "reports")
"""Folders that can be left out: pictures of disputes, and reports, which can be made again."""
_ANEW: Final = re.compile(r"lock|pointsman\.log.*|defects\.jsonl.*|pairing/.*|broker/(?!passwords$).*")
"""What the hub makes anew at each start."""
_LOCK: Final = "lock"


def require_hub(folder: Path) -> None:
    """Raises ``ArchiveError`` where a folder is no hub's."""
    if not (folder / KEY).is_file():
        raise ArchiveError(f"There is no hub in {folder}; name its folder with --hub.")


def write_hub_backup(
    folder: Path, out: Path, *, now_s: float, made: str, pictures: bool = True
) -> BackupMade:
    """Pack all that a hub needs to go on elsewhere; it may run meanwhile.

    Args:
        folder: the hub's.
        out: the archive to write.
        now_s: now, in seconds since 1970.
        made: the time of day for people, ISO 8601 in UTC.
        pictures: pack pictures of disputes and reports, too.

    Raises:
        ArchiveError: if it cannot be written, or there is no hub.
        UserError: if something would be lost with what is there.
    """
    require_hub(folder)
    with backup_at(out, "hub", now_s) as backup:
        for name in _files(folder, pictures=pictures):
            backup.add(f"{HUB}/{name}", folder / name)
        if not (folder / STORE).is_file():
            backup.warnings.append(
                f"There is no {STORE} in {folder}: back up the database that --store names by its own means."
            )
        number = backup.close({HUB: VERSION}, made, pictures=pictures)
    return BackupMade(out, number, 0, tuple(backup.warnings))


def restore_hub(archive: Path, folder: Path, *, instead: bool = False) -> Restored:
    """Put a backup of a hub into its folder.

    Args:
        archive: the backup.
        folder: the hub's; it is made if it is not there.
        instead: put what is there aside first.

    Raises:
        ArchiveError: for an archive that is damaged or none of a backup.
        RestoreError: for one of a table or by a newer version, for what is there already, and for a hub that runs.
    """
    place = folder.absolute()
    with unpacked_beside(archive, place.parent, "--hub") as (staged, told):
        if HUB not in told:
            raise RestoreError(
                f"{archive} is no backup of a hub; leave out --hub to put back that of a table."
            )
        refuse_newer(archive, told, {"format": FORMAT, HUB: VERSION}, "pointsman backup --hub")
        _refuse_running(place)
        there = place.is_dir() and any(each.name != _LOCK for each in place.iterdir())
        aside = put_in_place({staged / HUB: place}, [place] if there else [], place.parent, instead=instead)
        try:
            place.chmod(0o700)
        except OSError as error:
            raise RestoreError(
                f"All is put back, but {place} cannot be closed to others ({error.strerror}); change its owner."
            ) from None
    return Restored(str(told["made"]), str(told["version"]), 0, (place,), aside)


def _files(folder: Path, *, pictures: bool) -> Iterator[str]:
    """What belongs to a hub, by the names in its folder; databases last."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(HELPERS)]
    for path in sorted(found, key=lambda each: (begins_with(each, SQLITE), each)):
        name = path.relative_to(folder).as_posix()
        left_out = not pictures and name.startswith(tuple(f"{each}/" for each in PICTURES))
        if (
            not left_out
            and not _ANEW.fullmatch(name)
            and not path.name.startswith(".")
            and not name.endswith(".part")
        ):
            yield name


def _refuse_running(folder: Path) -> None:
    """Refuse to touch the folder of a hub that runs."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        return
    except OSError as error:
        raise RestoreError(f"{folder} cannot be read ({error.strerror}); run it as the hub's user.") from None
    try:
        hold(lock)
    except BlockingIOError:
        raise RestoreError(f"A hub runs in {folder}; end it first.") from None
    finally:
        os.close(lock)
