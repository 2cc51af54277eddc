"""Which match was begun last: by what the journals say and a counter, never by a name or a clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.desk import Desk
from controller.errors import UserError
from controller.messages.device_words import LocalText
from controller.record.journal.journal import Journal
from controller.record.table import sequence
from controller.record.table.match_folder import JOURNAL, MatchFolder
from controller.record.table.sequence import (
    COUNTER,
    begin_next,
    discard_if_blank,
    find_unfinished,
    list_folders,
    match_journals,
    read_counter,
)
from tests.app.opened import FIVE


def _unheard(words: LocalText) -> None:
    raise AssertionError(words("en"))


def begin(matches: Path, name: str, utc: str = "2026-11-21T12:00:00+00:00") -> Path:
    """Begin a match in a folder of that name while the clock stands like this."""
    path = matches / name
    with MatchFolder(path, lambda: utc, _unheard, begun=begin_next(matches, path)) as folder:
        Desk.open(FIVE, folder.book, folder.follow, names=(name, "Dark"))
    return path


def newest(matches: Path) -> str:
    found = find_unfinished(matches)
    assert found is not None
    assert found.record is not None, found.why
    return found.folder.name


@pytest.mark.parametrize("lost", [(), (COUNTER,), ("damaged",)])
def test_a_clock_that_was_set_back_does_not_change_which_match_was_last(
    tmp_path: Path, lost: tuple[str, ...]
) -> None:
    begin(tmp_path, "2026-11-21-200000-anna-bela", "2026-11-21T20:00:00+00:00")
    begin(tmp_path, "2026-11-21-210000-anna-bela", "2026-11-21T21:00:00+00:00")
    begin(tmp_path, "1970-01-01-000007-anna-bela", "1970-01-01T00:00:07+00:00")
    if COUNTER in lost:
        (tmp_path / COUNTER).unlink()
    elif lost:
        (tmp_path / COUNTER).write_text("{}")
    assert newest(tmp_path) == "1970-01-01-000007-anna-bela"
    assert [path.parent.name[:15] for path in match_journals(tmp_path)] == [
        "2026-11-21-2000",
        "2026-11-21-2100",
        "1970-01-01-0000",
    ]
    begin(tmp_path, "0-first-by-name")
    assert newest(tmp_path) == "0-first-by-name"


def test_a_number_is_never_given_twice_even_if_counter_or_matches_are_lost(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        begin(tmp_path, name)
    (tmp_path / COUNTER).unlink()
    assert begin_next(tmp_path, tmp_path / "d")["number"] == 4
    for path in (tmp_path / "c").iterdir():
        path.unlink()
    assert begin_next(tmp_path, tmp_path / "e")["number"] == 5


def test_matches_from_before_there_were_numbers_are_ordered_by_their_journals(tmp_path: Path) -> None:
    for name, utc in (("a", "2026-03-01T10:00:00+00:00"), ("b", "2026-01-01T10:00:00+00:00")):
        with MatchFolder(tmp_path / name, lambda utc=utc: utc, _unheard) as folder:  # type: ignore[misc]
            Desk.open(FIVE, folder.book, folder.follow, names=("Anna", "Béla"))
    assert newest(tmp_path) == "a"
    begin(tmp_path, "0", "2025-01-01T10:00:00+00:00")
    assert newest(tmp_path) == "0"


@pytest.mark.parametrize("lost", ["the folder", "the journal", "all but the lines"])
def test_a_last_match_that_is_gone_is_told_and_not_passed_over(tmp_path: Path, lost: str) -> None:
    begin(tmp_path, "a")
    last = begin(tmp_path, "b")
    for path in last.iterdir():
        if (
            lost == "the folder"
            or path.name == JOURNAL
            or (lost != "the journal" and path.name != "events.jsonl")
        ):
            path.unlink()
    (last / "events.jsonl").touch()
    if lost == "the folder":
        (last / "events.jsonl").unlink()
        last.rmdir()
    found = find_unfinished(tmp_path)
    assert found is not None
    assert (found.folder, found.record) == (last, None)
    assert found.why
    begun = begin_next(tmp_path, tmp_path / "c", found)
    assert begun == {"number": 3, "after": {"folder": "b", "why": found.why}}


def test_matches_that_belong_to_another_user_are_told_and_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a command with sudo."""
    begin(tmp_path, "mine")
    begin(tmp_path, "of-root")
    exists, entries = Path.exists, Path.iterdir

    def refuse_one(self: Path) -> bool:
        if self.parent.name == "of-root":
            raise PermissionError(13, "Permission denied", str(self))
        return exists(self)

    def refuse_all(self: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "exists", refuse_one)
    found = find_unfinished(tmp_path)
    assert found is not None
    assert (found.folder.name, found.record) == ("of-root", None)
    assert "Permission denied" in found.why
    assert [path.parent.name for path in match_journals(tmp_path)] == ["mine"]
    monkeypatch.setattr(Path, "iterdir", refuse_all)
    with pytest.raises(UserError, match=r"cannot be read \(Permission denied\)"):
        find_unfinished(tmp_path)
    monkeypatch.setattr(Path, "iterdir", entries)


def test_a_match_in_which_nothing_happened_leaves_no_gap_to_be_told(tmp_path: Path) -> None:
    begin(tmp_path, "a")
    blank = begin(tmp_path, "b")
    assert discard_if_blank(blank)
    assert not blank.exists()
    assert newest(tmp_path) == "a"
    count = read_counter(tmp_path)
    assert count is not None
    assert (count.number, count.folder) == (2, "")


def test_only_their_owner_may_look_into_the_files_of_a_match(tmp_path: Path) -> None:
    matches = tmp_path / "matches"
    path = begin(matches, "a")
    assert {each.stat().st_mode & 0o777 for each in (matches, path)} == {0o700}
    files = [each for each in matches.rglob("*") if each.is_file()]
    assert len(files) > 6
    assert {each.stat().st_mode & 0o777 for each in files} == {0o600}


def test_files_that_were_shared_on_purpose_stay_shared(tmp_path: Path) -> None:
    path = begin(tmp_path / "matches", "a")
    for each in (path, *path.iterdir()):
        each.chmod(0o755 if each.is_dir() else 0o644)
    with MatchFolder(path, lambda: "2026-11-21T12:00:00+00:00", _unheard):
        pass
    assert {each.stat().st_mode & 0o777 for each in path.iterdir()} == {0o644}


def test_the_matches_of_years_are_opened_once_and_not_again_for_every_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    class Counted(Journal):
        def __init__(self, path: Path, **given: bool) -> None:
            opened.append(path)
            super().__init__(path, **given)

    monkeypatch.setattr(sequence, "Journal", Counted)
    folders = [begin(tmp_path, f"match-{number}") for number in range(12)]
    assert list_folders(tmp_path) == folders
    opened.clear()
    begin(tmp_path, "one-more")
    assert {path.parent.name for path in opened} <= {"one-more"}
    opened.clear()
    assert newest(tmp_path) == "one-more"
    assert len(opened) <= 2, "of the newest it is looked at how far it has come"


def test_a_journal_that_another_one_has_taken_the_place_of_is_looked_at_anew(tmp_path: Path) -> None:
    first, last = begin(tmp_path, "first"), begin(tmp_path, "last")
    assert list_folders(tmp_path) == [first, last]
    for name in (JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm"):
        mine, other = first / name, last / name
        if mine.exists() and other.exists():
            kept = mine.read_bytes()
            mine.write_bytes(other.read_bytes())
            other.write_bytes(kept)
    assert list_folders(tmp_path) == [last, first]
