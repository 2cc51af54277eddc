"""A backup holds all that a table needs to go on, and goes back without a loss."""

import io
import json
import os
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.config import Config
from controller.errors import UserError
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.journal.journal import STEPS, Journal
from controller.record.journal.soundness import check_journal
from controller.record.table.match_folder import JOURNAL
from controller.record.table.sequence import find_unfinished, match_journals
from controller.upkeep.archive import LIST, ArchiveError, archive_at, unpack
from controller.upkeep.backup import next_backup, remove_old_backups, write_backup
from controller.upkeep.reproduction import reproduce
from controller.upkeep.restoration import RestoreError, restore_backup
from tests.upkeep.tables import PICTURE, UTC, kept, make_table, playing


def backed_up(config: Config, out: Path, *, pictures: bool = True) -> Path:
    made = write_backup(config, out, now_s=0.0, made=UTC, pictures=pictures)
    assert made.warnings == ()
    return made.path


def test_a_table_goes_on_on_another_card(tmp_path: Path, own: Path) -> None:
    config = make_table(tmp_path / "old")
    (own / "pointsman").mkdir()
    for name in ("quiz.json", "course.json"):
        (own / "pointsman" / name).write_text("{}")
    archive = backed_up(config, tmp_path / "b.tar.gz")
    for name in ("quiz.json", "course.json"):
        (own / "pointsman" / name).unlink()
    assert archive.stat().st_mode & 0o777 == 0o600
    done = restore_backup(archive, tmp_path / "new" / "pointsman.toml")
    assert (done.made, done.matches, done.aside) == (UTC, 2, None)
    assert kept(tmp_path / "new") == kept(tmp_path / "old")
    for name in ("quiz.json", "course.json"):
        assert (own / "pointsman" / name).read_text() == "{}"
    journals = match_journals(tmp_path / "new" / "matches")
    assert [journal.parent.name for journal in journals] == [
        journal.parent.name for journal in match_journals(config.record_folder())
    ]
    for journal in journals:
        check_journal(journal)
        with EvidenceStore(evidence_name(journal), read_only=True) as store:
            assert (store.count, store.size) == (1, len(PICTURE))
    last = find_unfinished(tmp_path / "new" / "matches")
    assert last is not None
    assert last.record is not None
    assert (last.record.light, last.record.dark) == ("Anna Kovács", "Cili")


def test_pictures_may_be_left_out(tmp_path: Path) -> None:
    archive = backed_up(make_table(tmp_path / "old"), tmp_path / "b.tar.gz", pictures=False)
    restore_backup(archive, tmp_path / "new" / "pointsman.toml")
    for journal in match_journals(tmp_path / "new" / "matches"):
        assert not evidence_name(journal).exists()
        check_journal(journal)


def test_a_backup_of_a_match_that_is_being_written_is_whole(tmp_path: Path) -> None:
    config = make_table(tmp_path / "old")
    over = threading.Event()
    with playing(config.record_folder(), "now", "Anna Kovács", "Béla") as desk:

        def write() -> None:
            log = desk.book.log
            while not over.is_set():
                log.append(log.draft("noted", {"text": "x" * 1000}, 1.0))
                desk.book.log.journal.fold()

        # The journal belongs to the thread that made it, so the backups are made in another one.
        made: list[Path] = []

        def back_up() -> None:
            for number in range(5):
                made.append(backed_up(config, tmp_path / f"{number}.tar.gz"))
            over.set()

        thread = threading.Thread(target=back_up)
        thread.start()
        write()
        thread.join()
    lengths = []
    for number, archive in enumerate(made):
        restore_backup(archive, tmp_path / f"new{number}" / "pointsman.toml")
        journal = tmp_path / f"new{number}" / "matches" / "now" / JOURNAL
        lengths.append(len(check_journal(journal)))
        last = find_unfinished(journal.parent.parent)
        assert last is not None
        assert last.record is not None, last.why
    assert len(lengths) == 5
    assert lengths == sorted(lengths)


def test_what_is_there_is_refused_and_with_replace_kept_aside(tmp_path: Path) -> None:
    config = make_table(tmp_path / "old")
    archive = backed_up(config, tmp_path / "b.tar.gz")
    here = tmp_path / "old" / "pointsman.toml"
    here.write_text("# new times\n")
    before = kept(tmp_path / "old")
    with pytest.raises(RestoreError, match=r"pointsman\.toml is there already; with --replace"):
        restore_backup(archive, here)
    assert kept(tmp_path / "old") == before
    first = restore_backup(archive, here, instead=True)
    second = restore_backup(archive, here, instead=True)
    assert first.aside is not None
    assert second.aside is not None
    assert first.aside != second.aside
    assert (first.aside / "pointsman.toml").read_text() == "# new times\n"
    assert sorted(path.name for path in (first.aside / "matches").glob("*/")) == sorted(
        path.name for path in config.record_folder().glob("*/")
    )
    assert "Anna" in here.read_text()


def test_what_was_put_back_is_on_the_disk_when_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = backed_up(make_table(tmp_path / "old"), tmp_path / "b.tar.gz")
    there: list[dict[str, bytes]] = []
    monkeypatch.setattr(os, "sync", lambda: there.append(kept(tmp_path / "new")))
    restore_backup(archive, tmp_path / "new" / "pointsman.toml")
    (seen,) = there
    assert seen.items() >= kept(tmp_path / "old").items()


def test_a_configuration_behind_a_link_is_put_back_behind_it(tmp_path: Path) -> None:
    archive = backed_up(make_table(tmp_path / "old"), tmp_path / "b.tar.gz")
    (tmp_path / "etc").mkdir()
    (tmp_path / "var").mkdir()
    link = tmp_path / "var" / "pointsman.toml"
    link.symlink_to(tmp_path / "etc" / "pointsman.toml")
    restore_backup(archive, link)
    assert link.is_symlink()
    assert "Anna" in (tmp_path / "etc" / "pointsman.toml").read_text()
    assert (tmp_path / "var" / "board.toml").exists()


def test_a_match_that_is_being_played_is_not_touched(tmp_path: Path) -> None:
    config = make_table(tmp_path / "old")
    archive = backed_up(config, tmp_path / "b.tar.gz")
    with (
        playing(config.record_folder(), "now", "Anna", "Béla"),
        pytest.raises(RestoreError, match="now is being played"),
    ):
        restore_backup(archive, tmp_path / "old" / "pointsman.toml", instead=True)


def rewritten(archive: Path, change: Callable[[dict[str, bytes]], None], out: Path) -> Path:
    """An archive with other files in it, as somebody could make it by hand."""
    with tarfile.open(archive) as tar:
        files = {info.name: tar.extractfile(info).read() for info in tar}  # type: ignore[union-attr]
    change(files)
    with tarfile.open(out, "w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out


def _tell(key: str, value: object) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        files[LIST] = json.dumps({**json.loads(files[LIST]), key: value}).encode()

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_tell("format", 2), "bring Pointsman up to date"),
        (_tell("journal", len(STEPS) + 1), "bring Pointsman up to date"),
        (_tell("format", None), "is no backup"),
        (lambda files: files.update({"board.toml": b"other"}), "board.toml is not as it was packed"),
        (lambda files: files.pop("board.toml"), "board.toml is not as it was packed"),
        (lambda files: files.update({"extra": b""}), "extra is not as it was packed"),
        (lambda files: files.update({"../out": b""}), "no file of a backup"),
        (lambda files: files.update({"/out": b""}), "no file of a backup"),
        (lambda files: files.pop(LIST), "has no list"),
        (lambda files: files.update({LIST: b"[" * 60_000}), "is damaged"),
    ],
)
def test_an_archive_that_is_not_as_it_was_made_changes_nothing(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], words: str
) -> None:
    archive = backed_up(make_table(tmp_path / "old"), tmp_path / "b.tar.gz")
    other = rewritten(archive, change, tmp_path / "other.tar.gz")
    with pytest.raises(UserError, match=words):
        restore_backup(other, tmp_path / "new" / "pointsman.toml")
    assert list((tmp_path / "new").iterdir()) == []
    assert not (tmp_path / "out").exists()


def test_a_name_that_leads_elsewhere_on_another_system_is_refused_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = backed_up(make_table(tmp_path / "old"), tmp_path / "b.tar.gz")
    monkeypatch.setattr("controller.upkeep.archive.PurePath", PureWindowsPath)
    for name in ("..\\out", "\\out", "C:out", "a\\..\\..\\out"):
        other = rewritten(archive, lambda files, name=name: files.update({name: b""}), tmp_path / "o.tar.gz")
        with pytest.raises(ArchiveError, match="no file of a backup"):
            restore_backup(other, tmp_path / "new" / "pointsman.toml")


def test_a_small_bundle_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with archive_at(tmp_path / "bundle.tar.gz", 0.0) as archive:
        archive.add("match.jsonl", bytes(3 << 20))
        archive.close({"made": UTC})
    assert (tmp_path / "bundle.tar.gz").stat().st_size < 10_000
    monkeypatch.setattr("controller.upkeep.reproduction.MOST_BYTES", 1 << 20)
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(ArchiveError, match="more than any bundle has"):
        reproduce(tmp_path / "bundle.tar.gz", place)
    assert sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) <= 1 << 20


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two files."""
    out = tmp_path_factory.mktemp("small") / "a.tar.gz"
    with archive_at(out, 0.0) as archive:
        archive.add("one", b"1" * 500)
        archive.add("folder/two", bytes(range(256)))
        archive.close({"made": UTC})
    return out


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_archive_is_refused_or_still_tells_the_same(
    small: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(small.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    folder = tmp_path_factory.mktemp("changed")
    (folder / "a.tar.gz").write_bytes(content)
    (folder / "into").mkdir()
    try:
        unpack(folder / "a.tar.gz", folder / "into")
    except ArchiveError:
        return
    assert (folder / "into" / "one").read_bytes() == b"1" * 500
    assert (folder / "into" / "folder" / "two").read_bytes() == bytes(range(256))


def test_a_damaged_journal_is_packed_as_it_is_and_told(tmp_path: Path) -> None:
    config = make_table(tmp_path / "old")
    journal = match_journals(config.record_folder())[0]
    with Journal(journal):
        pass
    damaged = journal.read_bytes()[:100] + bytes(5000)
    journal.write_bytes(damaged)
    made = write_backup(config, tmp_path / "b.tar.gz", now_s=0.0, made=UTC)
    assert [str(journal) in warning for warning in made.warnings] == [True]
    (tmp_path / "seen").mkdir()
    unpack(made.path, tmp_path / "seen")
    assert (tmp_path / "seen" / "matches" / journal.parent.name / JOURNAL).read_bytes() == damaged


def test_numbers_grow_and_the_newest_are_kept_whatever_the_clock_says(tmp_path: Path) -> None:
    config = Config(folder=tmp_path)
    for day in ("2026-11-22", "1970-01-01", "1970-01-01", "2026-01-01"):
        next_backup(config.folder, day).write_bytes(b"")
    (tmp_path / "backups" / "pointsman-mine.tar.gz").write_bytes(b"")
    remove_old_backups(tmp_path / "backups", 2)
    assert sorted(path.name for path in (tmp_path / "backups").iterdir()) == [
        "pointsman-0003-1970-01-01.tar.gz",
        "pointsman-0004-2026-01-01.tar.gz",
        "pointsman-mine.tar.gz",
    ]


def test_an_empty_folder_makes_no_backup(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nothing to pack"):
        write_backup(Config(folder=tmp_path), tmp_path / "b.tar.gz", now_s=0.0, made=UTC)
    assert list(tmp_path.iterdir()) == []
