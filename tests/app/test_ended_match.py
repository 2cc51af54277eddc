"""What is said of a match that has ended, and what is left of it."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.room import Room
from controller.config.config import Config
from controller.config.sections import BoardSection, RecordSection
from controller.record.journal.journal import Journal, JournalError
from controller.record.table.match_folder import JOURNAL, NAME


def end_match(
    place: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Room], None]
) -> tuple[list[str], Path]:
    """A match that ends after something happened; what was said at its end, and where it lay."""
    said = list[str]()
    room = Room(
        Config(folder=place, board=BoardSection(port="none"), record=RecordSection(folder=str(place / "m"))),
        None,
        said.append,
    )
    folder = room.open_match().path
    meanwhile(room)
    said.clear()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    room.match.end()
    return said, folder


def test_a_match_in_which_nothing_happened_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, folder = end_match(tmp_path, monkeypatch, lambda _: None)
    assert "".join(said).splitlines() == ["Nothing was played, so no match was kept."]
    assert not folder.exists()


@pytest.mark.parametrize("kind", ["turn", "input"], ids=["played", "nothing played"])
def test_where_the_disk_took_a_part_only_one_sentence_tells_where_the_whole_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def fill_disk(room: Room) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise JournalError("The disk is full.")

        monkeypatch.setattr(Journal, "append_all", refuse)
        live = room.match.live
        assert live is not None
        live.parts.folder.journal.append(NAME, kind, {}, utc="2026-01-01T00:00:00Z")

    said, folder = end_match(tmp_path, monkeypatch, fill_disk)
    assert "no match was kept" not in " ".join(said)
    assert "The match lies in" not in " ".join(said)
    (told,) = (words for words in said if "The whole match is in" in words)
    (saved,) = tmp_path.glob(f"pointsman-*/{JOURNAL}")
    assert str(saved) in told
    assert (folder / JOURNAL).exists()
