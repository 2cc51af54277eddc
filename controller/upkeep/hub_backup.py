"""Backups of a club's hub: its store, its tournaments, its keys, the logins of the tables, pictures and reports.

They are packed while the hub runs: databases by SQLite's own backup, all else as it is. What the hub writes anew at
each start is left out. A store in another database is not in the hub's folder: that is backed up where it is.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller import __version__
from controller.hub.folder import KEY, STORE
from controller.hub.schema import VERSION
from controller.locks import hold
from controller.record.journal.copies import CopyError, copy_database
from controller.record.journal.delivery import make_folder
from controller.record.table.destination import HELPERS, SQLITE, refuse_loss
from controller.upkeep.archive import ArchiveError, archive_at, unpack
from controller.upkeep.backup import BackupMade
from controller.upkeep.restoration import HUB, Restored, RestoreError, move, put_aside

FORMAT: Final = 1
"""Of the archive; a later program reads older ones, too."""
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
    refuse_loss(out)
    require_hub(folder)
    warnings: list[str] = []
    with (
        archive_at(out, now_s) as archive,
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".backup-") as aside,
    ):
        for name in _files(folder, pictures=pictures):
            path, copy = folder / name, Path(aside) / "copy.db"
            try:
                if _is_database(path):
                    copy_database(path, copy)
                    archive.add_file(f"{HUB}/{name}", copy)
                else:
                    archive.add(f"{HUB}/{name}", path.read_bytes())
            except FileNotFoundError:
                continue  # an old picture that made room meanwhile
            except CopyError:
                archive.add(f"{HUB}/{name}", path.read_bytes())
                warnings.append(f"{path} is damaged; it was packed as it is.")
            except OSError as error:
                raise ArchiveError(
                    f"{path} cannot be read ({error.strerror}); run the command as the hub's user."
                ) from None
            finally:
                copy.unlink(missing_ok=True)
        if not (folder / STORE).is_file():
            warnings.append(
                f"There is no {STORE} in {folder}: back up the database that --store names by its own means."
            )
        number = len(archive.packed)
        archive.close(
            {
                "format": FORMAT,
                HUB: VERSION,
                "made": made,
                "pictures": pictures,
                "version": __version__,
            }
        )
    return BackupMade(out, number, 0, tuple(warnings))


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
    if not archive.is_file():
        raise ArchiveError(f"{archive}: there is no such file; check the path.")
    place = folder.absolute()
    try:
        make_folder(place.parent)
        stage = tempfile.TemporaryDirectory(dir=place.parent, prefix=".restore-")
    except OSError as error:
        raise RestoreError(
            f"{place.parent} cannot be written to ({error.strerror}); name another --hub."
        ) from None
    with stage as name:
        told = unpack(archive, Path(name))
        _check(archive, told)
        _refuse_running(place)
        there = place.is_dir() and any(each.name != _LOCK for each in place.iterdir())
        if there and not instead:
            raise RestoreError(
                f"{place} is there already; with --replace it is put aside first, and nothing of it is lost."
            )
        try:
            aside = put_aside([place], place.parent) if there else None
            move(Path(name) / HUB, place)
            place.chmod(0o700)
        except OSError as error:
            raise RestoreError(
                f"Not all could be put back ({error}); what was there before lies beside {place}."
            ) from None
    return Restored(str(told["made"]), str(told["version"]), 0, (place,), aside)


def _files(folder: Path, *, pictures: bool) -> Iterator[str]:
    """What belongs to a hub, by the names in its folder; databases last."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(HELPERS)]
    for path in sorted(found, key=lambda each: (_is_database(each), each)):
        name = path.relative_to(folder).as_posix()
        left_out = not pictures and name.startswith(tuple(f"{each}/" for each in PICTURES))
        if (
            not left_out
            and not _ANEW.fullmatch(name)
            and not path.name.startswith(".")
            and not name.endswith(".part")
        ):
            yield name


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def _check(archive: Path, told: object) -> None:
    if not isinstance(told, dict) or HUB not in told:
        raise RestoreError(f"{archive} is no backup of a hub; leave out --hub to put back that of a table.")
    try:
        newer = int(told["format"]) > FORMAT or int(told[HUB]) > VERSION
    except (KeyError, ValueError, TypeError):
        raise ArchiveError(f"{archive} is no backup; `pointsman backup --hub` makes one.") from None
    if newer:
        raise RestoreError(
            f"{archive} was made by Pointsman {told.get('version')}, and this is {__version__}, which cannot read "
            "it; bring Pointsman up to date first."
        )


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
