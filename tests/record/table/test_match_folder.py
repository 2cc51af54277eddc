"""The folder of a match at a live table."""

import json
from pathlib import Path
from random import Random

import pytest

from controller.app.desk import Desk
from controller.devices.link.happenings import Button, EventMark
from controller.messages.device_words import LocalText
from controller.record.files.formats import read_match_file
from controller.record.files.ogxmfile import codec
from controller.record.journal.seal import check_seals
from controller.record.table.destination import DestinationError, refuse_other_match
from controller.record.table.match_folder import (
    EVENTS,
    JOURNAL,
    JSON,
    MAT,
    OGXM,
    FolderError,
    MatchFolder,
    last_mark,
)
from controller.record.table.sequence import find_unfinished
from controller.referee.actions import Phase
from controller.referee.events import Pressed
from controller.referee.table.settings import Settings
from controller.rules import Terms, load_profile
from tests.app.opened import FIVE, UTC, play
from tests.app.playing import Players
from tests.record.sealing import TABLE_KEY


class Opened(MatchFolder):
    """A folder that remembers what it complained about."""

    def __init__(self, path: Path, number: int = 1) -> None:
        self.said: list[str] = []
        super().__init__(path, lambda: UTC, self._hear, lambda: 0.0, begun={"number": number})

    def _hear(self, words: LocalText) -> None:
        self.said.append(words("en"))


def begun(folder: MatchFolder) -> Desk:
    return Desk.open(FIVE, folder.book, folder.follow, names=("Anna", "Béla"))


def test_the_lines_written_in_play_are_those_that_the_journal_tells(tmp_path: Path) -> None:
    folder = Opened(tmp_path / "a match")
    desk = begun(folder)
    play(desk, Players(Random(4), resigns=0.1, doubles=0.1))
    lines = (folder.path / EVENTS).read_text()
    folder.write_match_aside()
    folder.write_match()
    assert (folder.path / EVENTS).read_text() == lines
    told = [json.loads(line) for line in lines.splitlines()]
    assert told[0]["kind"] == "game_begun"
    assert told[-1]["kind"] == "match_over"
    assert {"player", "dice", "move", "legal", "reasons", "position", "frame", "t"} <= next(
        line for line in told if "ply" in line and "kind" not in line
    ).keys()
    assert folder.said == []
    folder.close()
    found = {path.name for path in folder.path.iterdir()}
    assert found == {EVENTS, JOURNAL, "journal.evidence.db", "journal.head", MAT, OGXM}
    assert desk.table.phase is Phase.MATCH_OVER


def test_the_newest_match_is_unfinished_until_it_is_over(tmp_path: Path) -> None:
    assert find_unfinished(tmp_path) is None
    folder = Opened(tmp_path / "2026-11-20")
    desk = begun(folder)
    found = find_unfinished(tmp_path)
    assert found is not None
    assert found.record is not None
    assert (found.folder, found.record.light, found.record.dark) == (folder.path, "Anna", "Béla")
    play(desk, Players(Random(4), resigns=0.1, doubles=0.1))
    assert find_unfinished(tmp_path) is None
    folder.close()


def test_an_older_match_is_not_gone_on_with_when_a_newer_one_was_begun(tmp_path: Path) -> None:
    first, second = Opened(tmp_path / "2026-11-20"), Opened(tmp_path / "2026-11-19", number=2)
    begun(first)
    begun(second)
    found = find_unfinished(tmp_path)
    assert found is not None
    assert found.folder == second.path
    first.close()
    second.close()


def test_the_last_event_of_the_electronics_is_known(tmp_path: Path) -> None:
    folder = Opened(tmp_path / "m")
    desk = begun(folder)
    assert last_mark(folder.journal) is None
    for seq in (7, 8):
        desk.put(Pressed(1.0, Button.DONE), mark=EventMark(1, 2, seq))
    desk.put(Pressed(2.0, Button.DONE))
    assert last_mark(folder.journal) == EventMark(1, 2, 8)
    folder.close()


def test_a_folder_that_cannot_be_made_costs_the_files_and_not_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    folder = Opened(tmp_path / "file" / "match")
    desk = begun(folder)
    play(desk, Players(Random(4)), most=100)
    folder.write_match()
    assert desk.table.match.game.plays > 0
    assert any("memory" in sentence for sentence in folder.said)
    folder.close()


def test_a_match_that_fits_no_other_programs_file_is_written_in_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> bytes:
        raise codec().OgxmError("json_to_binary", 1)

    monkeypatch.setattr(codec(), "json_to_binary", refuse)
    folder = Opened(tmp_path / "m")
    play(begun(folder), Players(Random(4)), most=100)
    folder.write_match()
    folder.close()
    assert len(folder.said) == 1
    assert OGXM in folder.said[0]
    assert read_match_file((folder.path / JSON).read_bytes(), JSON).games


def test_a_match_is_played_by_one_program_at_a_time(tmp_path: Path) -> None:
    folder = Opened(tmp_path / "m")
    with pytest.raises(FolderError, match="another pointsman"):
        Opened(tmp_path / "m")
    folder.close()
    Opened(tmp_path / "m").close()


def test_each_game_is_sealed_at_its_end_with_all_that_was_written(tmp_path: Path) -> None:
    with MatchFolder(tmp_path / "a match", lambda: UTC, pytest.fail, key=TABLE_KEY) as folder:
        play(begun(folder), Players(Random(4), resigns=0.1, doubles=0.1))
        events = tuple(folder.journal.events())
    report = check_seals(events, TABLE_KEY.public)
    results = [event.id for event in events if event.kind == "result"]
    assert len(report.checks) >= len(results) > 1
    assert not report.faults
    assert report.open == 0
    sealed = [check.seal.statement.event for check in report.checks if check.seal]
    assert all(any(before <= number for number in sealed) for before in results)
    assert "seal" not in (tmp_path / "a match" / EVENTS).read_text()


@pytest.mark.parametrize("name", [EVENTS, JOURNAL, MAT, OGXM, JSON])
def test_no_results_go_into_a_folder_with_a_file_of_another_match(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("of another match")
    with pytest.raises(DestinationError, match=f"holds another match .{name}."):
        refuse_other_match(tmp_path)


def test_the_match_of_a_game_that_nobody_else_knows_is_written_as_json(tmp_path: Path) -> None:
    folder = Opened(tmp_path / "a match")
    settings = Settings(Terms.match(load_profile("fevga"), 1))
    desk = Desk.open(settings, folder.book, folder.follow, names=("Anna", "Béla"))
    play(desk, Players(Random(4)), most=4)
    folder.write_match()
    folder.close()
    found = {path.name for path in folder.path.iterdir()}
    assert JSON in found
    assert OGXM not in found
    assert read_match_file((folder.path / JSON).read_bytes(), JSON).profile(0).name == "fevga"
