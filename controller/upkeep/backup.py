"""Backups of a table: configuration, board file, matches, exercises, and the keys; also while a match is on.

In the archive the files have the names below, whatever they are called at the table: so a backup fits any machine.
Journals and pictures are copied by SQLite's own backup, as they stand at one moment. What tells how far a journal had
come is packed before it, so that a copy never looks cut off.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller import __version__
from controller.analysis.lessons.progress import usual_progress
from controller.analysis.quiz import usual_collection
from controller.app.pages import KEYS, TLS
from controller.club.membership import authority_beside
from controller.config import Config
from controller.record.evidence.store import evidence_name
from controller.record.journal.copies import CopyError, copy_database
from controller.record.journal.delivery import make_folder
from controller.record.journal.journal import STEPS, JsonObject
from controller.record.journal.seal import KEY_FILE
from controller.record.table.destination import HELPERS, SQLITE, begins_with, refuse_loss
from controller.record.table.match_folder import JOURNAL
from controller.record.table.sequence import COUNTER, list_folders
from controller.rules.profile.catalogue import SUFFIX
from controller.upkeep.archive import ArchiveError, ArchiveWriter, archive_at
from controller.web.wire.authority import CERTIFICATE, PRIVATE_KEY

FORMAT: Final = 1
"""Of the archive; a later program reads older ones, too."""
FOLDER: Final = "backups"
"""Where backups go that are given no name: beside the configuration."""
CONFIG, BOARD, PAGE_KEYS, CLUB, AUTHORITY, EXERCISES, COURSE, MATCHES = (
    "pointsman.toml",
    "board.toml",
    "keys.json",
    "club.json",
    "club.pem",
    "quiz.json",
    "course.json",
    "matches",
)
PAGE_AUTHORITY: Final = "pages"
"""The folder of the authority that phones have installed: with a new one each of them would warn again."""
NUMBERED: Final = re.compile(r"pointsman-(\d{4,})-\d{4}-\d\d-\d\d\.tar\.gz")
PICTURES: Final = evidence_name(Path(JOURNAL)).name
RESCUE: Final = "`pointsman journal rescue` saves what is good of it."


@dataclass(frozen=True, slots=True)
class BackupMade:
    """What was packed.

    Attributes:
        path: the archive.
        files, matches: how many of each are in it.
        warnings: what could not be packed as it should be, a sentence each.
    """

    path: Path
    files: int
    matches: int
    warnings: tuple[str, ...]


def write_backup(config: Config, out: Path, *, now_s: float, made: str, pictures: bool = True) -> BackupMade:
    """Pack all that a table needs to go on elsewhere.

    Args:
        config: the table's.
        out: the archive to write.
        now_s: now, in seconds since 1970.
        made: the time of day for people, ISO 8601 in UTC.
        pictures: pack the pictures of the matches, too.

    Raises:
        ArchiveError: if it cannot be written, or there is nothing to pack.
        UserError: if something would be lost with what is there.
    """
    folders = list_folders(config.record_folder())
    with backup_at(out, "table", now_s) as backup:
        for name, path in _single_files(config):
            backup.add(name, path)
        for folder in folders:
            _add_match(backup, folder, pictures=pictures)
        if not backup.archive.packed:
            raise ArchiveError(
                f"There is nothing to pack in {config.folder.absolute()}; name the table's --config."
            )
        number = backup.close({"journal": len(STEPS)}, made, pictures=pictures)
    return BackupMade(out, number, len(folders), tuple(backup.warnings))


@dataclass(frozen=True, slots=True)
class BackupWriter:
    """Packs what belongs to a backup: databases by SQLite's own backup, all else as it is.

    Attributes:
        archive: what it is packed into.
        aside: a folder for copies.
        whose: the table's or the hub's, for sentences.
        warnings: what could not be packed as it should be, a sentence each.
    """

    archive: ArchiveWriter
    aside: Path
    whose: str
    warnings: list[str] = field(default_factory=list)

    def add(self, name: str, path: Path, remedy: str = "") -> None:
        """Pack a file as it is now; one that was taken away meanwhile is passed over.

        Args:
            name: its name in the archive.
            path: the file.
            remedy: what to do where it is a database that is damaged, a sentence.

        Raises:
            ArchiveError: if it cannot be read.
        """
        copy = self.aside / "copy.db"
        try:
            if begins_with(path, SQLITE):
                copy_database(path, copy)
                self.archive.add_file(name, copy)
            else:
                self.archive.add(name, path.read_bytes())
        except FileNotFoundError:
            return
        except CopyError:
            self.archive.add(name, path.read_bytes())
            self.warnings.append(f"{path} is damaged; it was packed as it is. {remedy}".rstrip())
        except OSError as error:
            raise ArchiveError(
                f"{path} cannot be read ({error.strerror}); run the command as the {self.whose}'s user."
            ) from None
        finally:
            copy.unlink(missing_ok=True)

    def close(self, about: JsonObject, made: str, *, pictures: bool) -> int:
        """Write what the backup is; how many files are in it."""
        number = len(self.archive.packed)
        told = {"format": FORMAT, "made": made, "pictures": pictures, "version": __version__}
        self.archive.close({**told, **about})
        return number


@contextmanager
def backup_at(out: Path, whose: str, now_s: float) -> Iterator[BackupWriter]:
    """A backup that is there, whole, when the block is left. Raises UserError as `write_backup` does."""
    refuse_loss(out)
    with (
        archive_at(out, now_s) as archive,
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".backup-") as aside,
    ):
        yield BackupWriter(archive, Path(aside), whose)


def next_backup(beside: Path, day: str) -> Path:
    """The name of the next backup that is given none, beside a configuration: numbers grow, whatever the clock says.

    Raises:
        ArchiveError: if its folder cannot be made.
    """
    folder = beside / FOLDER
    try:
        make_folder(folder)
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be made ({error.strerror}); name a file with --out.") from None
    newest = max((number for number, _ in _numbered(folder)), default=0)
    return folder / f"pointsman-{newest + 1:04}-{day}.tar.gz"


def remove_old_backups(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest backups that were given no name; which were removed."""
    old = [path for _, path in sorted(_numbered(folder))[:-keep]]
    for path in old:
        path.unlink(missing_ok=True)
    return old


def profile_files(config: Config) -> tuple[str, ...]:
    """The rule files that the configuration names by a way from where it lies, with those that they may inherit from.

    Named as from there; what lies outside, or is named by its full path, is the user's own affair.
    """
    folder = config.folder.resolve()
    others = {Path(config.label).resolve(), config.board_file().resolve(), folder / CONFIG, folder / BOARD}
    named = ((folder / name).resolve() for name in config.match.profile if name.endswith(SUFFIX))
    found = {path for file in named if file.is_file() for path in file.parent.glob(f"*{SUFFIX}")}
    return tuple(
        sorted(str(path.relative_to(folder)) for path in found - others if path.is_relative_to(folder))
    )


def _numbered(folder: Path) -> Iterator[tuple[int, Path]]:
    for path in folder.glob("pointsman-*.tar.gz"):
        if found := NUMBERED.fullmatch(path.name):
            yield int(found[1]), path


def places_of(config: Config, file: Path | None, profiles: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """What belongs to a table but its matches, by the names in the archive, with where it is.

    Args:
        config: the table's.
        file: where that is written; None if it is not.
        profiles: the files of rules beside it, see `profile_files`.
    """
    if file is not None:
        yield CONFIG, file
    yield BOARD, config.board_file()
    yield PAGE_KEYS, config.folder / KEYS
    yield PAGE_AUTHORITY, config.folder / TLS
    yield CLUB, config.credentials_file()
    yield AUTHORITY, authority_beside(config.credentials_file())
    yield EXERCISES, usual_collection()
    yield COURSE, usual_progress()
    yield from ((name, config.folder / name) for name in profiles)


def _single_files(config: Config) -> Iterator[tuple[str, Path]]:
    """Files of a table that are packed as they are, as far as they are there; each with its name in the archive."""
    file = Path(config.label) if config.label else None
    places = dict(places_of(config, file, profile_files(config)))
    pages, matches = places.pop(PAGE_AUTHORITY), config.record_folder()
    places |= {f"{PAGE_AUTHORITY}/{name}": pages / name for name in (CERTIFICATE, PRIVATE_KEY)}
    places |= {f"{MATCHES}/{name}": matches / name for name in (COUNTER, KEY_FILE)}
    return ((name, path) for name, path in places.items() if path.is_file())


def _add_match(backup: BackupWriter, folder: Path, *, pictures: bool) -> None:
    """Pack one match. Databases come last, pictures after the journal."""
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    for path in sorted(files, key=lambda path: (begins_with(path, SQLITE), path.name == PICTURES, path)):
        if not path.name.endswith(HELPERS) and (pictures or path.name != PICTURES):
            backup.add(f"{MATCHES}/{folder.name}/{path.name}", path, RESCUE)
