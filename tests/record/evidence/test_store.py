"""Pictures are kept within their limit, and a picture that was changed is no evidence."""

import hashlib
import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.record.evidence.store import EvidenceError, EvidenceStore, Worth, evidence_name
from controller.record.evidence.turn_pictures import (
    FRESH,
    MOST,
    MOST_BETWEEN,
    MOVING,
    PictureBuffer,
    PictureRecorder,
    TurnPicture,
)
from controller.record.journal.journal import Journal
from controller.record.match.match_log import MatchLog, read_match
from tests.record.match.test_match_log import noon
from tests.record.matches import random_match


def jpeg(number: int, size: int = 1000) -> bytes:
    return random.Random(number).randbytes(size)


def name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def kept(store: EvidenceStore, numbers: range) -> list[int]:
    return [number for number in numbers if store.picture(name(jpeg(number))) is not None]


def test_pictures_come_back_as_they_were_and_equal_ones_are_kept_once(tmp_path: Path) -> None:
    with EvidenceStore(tmp_path / "e.db") as store:
        first = store.keep(1, [jpeg(1), jpeg(2)])
        store.keep(2, [jpeg(2), jpeg(3)])
        assert [each.size for each in first] == [1000, 1000]
        assert store.picture(first[1].sha256) == jpeg(2)
        assert store.size == 3000
    with EvidenceStore(tmp_path / "e.db", read_only=True) as store:
        assert store.size == 3000
        assert kept(store, range(5)) == [1, 2, 3]
        assert store.picture(name(b"other")) is None


def test_the_oldest_undisputed_pictures_go_first(tmp_path: Path) -> None:
    with EvidenceStore(tmp_path / "e.db", limit_bytes=5000) as store:
        store.keep(1, [jpeg(1)], Worth.FLAGGED)
        for turn in range(2, 6):
            store.keep(turn, [jpeg(turn)])
        store.hold(3)
        store.keep(6, [jpeg(6)])
        assert kept(store, range(10)) == [1, 3, 4, 5, 6]
        store.keep(7, [jpeg(7), jpeg(8)], Worth.FLAGGED)
        assert kept(store, range(10)) == [1, 3, 6, 7, 8]
        store.keep(9, [jpeg(9)], Worth.FLAGGED)
        store.keep(10, [jpeg(10), jpeg(11)], Worth.FLAGGED)
        assert kept(store, range(20)) == [3, 9, 10, 11]
        assert store.size == 4000


def test_a_picture_that_another_turn_still_needs_stays(tmp_path: Path) -> None:
    with EvidenceStore(tmp_path / "e.db", limit_bytes=3000) as store:
        store.keep(1, [jpeg(1), jpeg(2)])
        store.keep(2, [jpeg(2), jpeg(3)], Worth.FLAGGED)
        store.keep(3, [jpeg(4)], Worth.FLAGGED)
        assert kept(store, range(6)) == [2, 3, 4]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from(Worth), st.integers(1, 900)), max_size=30))
def test_the_limit_is_never_exceeded_and_the_size_is_what_is_there(
    tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[int, Worth, int]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "e.db"
    with EvidenceStore(path, limit_bytes=2500) as store:
        for turn, (number, worth, size) in enumerate(turns):
            store.keep(turn, [jpeg(number, size)], worth)
            assert store.size <= 2500
        size = store.size
    with EvidenceStore(path, read_only=True) as store:
        assert store.size == size


def test_a_changed_picture_is_no_evidence(tmp_path: Path) -> None:
    with EvidenceStore(tmp_path / "e.db") as store:
        digest = store.keep(1, [jpeg(1), jpeg(2)])[0].sha256
    with sqlite3.connect(tmp_path / "e.db") as database:
        database.execute("UPDATE picture SET jpeg = ? WHERE sha256 = ?", (jpeg(9), digest))
    database.close()
    with EvidenceStore(tmp_path / "e.db") as store:
        assert store.picture(digest) is None
        assert store.find_changed() == (digest,)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear players, " * 100)
    Journal(tmp_path / "journal.db").close()
    for path in (tmp_path / "letter", tmp_path / "journal.db"):
        content = path.read_bytes()
        with pytest.raises(EvidenceError, match=path.name):
            EvidenceStore(path)
        assert path.read_bytes() == content
    with pytest.raises(EvidenceError, match="There are no pictures"):
        EvidenceStore(tmp_path / "none.db", read_only=True)


def shot(frame: int, shade: int = 0, *, hand: bool = False) -> TurnPicture:
    return TurnPicture(frame, frame / 2, jpeg(frame), {"points": [shade] * 24, "bar": [0, 0], "hand": hand})


def test_a_turn_begins_with_the_end_of_the_one_before() -> None:
    buffer = PictureBuffer()
    for frame in range(3):
        buffer.add(shot(frame, 0))
    buffer.add(shot(3, 1, hand=True))
    buffer.add(shot(4, 2))
    buffer.add(shot(5, 3))
    wrong = buffer.turn(4, over=False)
    assert wrong.before
    assert wrong.after
    assert (wrong.before.frame, wrong.after.frame) == (0, 4)
    assert 3 in [each.frame for each in wrong.between]
    right = buffer.turn(5, over=True)
    assert right.before
    assert right.after
    assert (right.before.frame, right.after.frame) == (0, 5)
    buffer.add(shot(6, 4))
    following = buffer.turn(6, over=True)
    assert following.before == right.after
    assert following.between == ()


def test_what_is_held_is_bounded_however_long_a_turn_takes() -> None:
    buffer = PictureBuffer()
    for frame in range(5000):
        buffer.add(shot(frame, frame % 7, hand=frame % 3 == 0))
        assert len(buffer._shots) <= MOST
    shots = buffer.turn(4990, over=False)
    assert shots.before
    assert shots.after
    assert (shots.before.frame, shots.after.frame) == (0, 4990)
    assert len(shots.between) == MOST_BETWEEN
    still = PictureBuffer()
    for frame in range(5000):
        still.add(shot(frame, 1))
    assert len(still._shots) == 2
    assert FRESH < MOST


def test_pictures_of_movement_are_kept_between_and_never_stand_for_an_end() -> None:
    buffer = PictureBuffer()
    for frame in range(10):
        moving = frame in (0, 4, 5, 9)
        buffer.add(TurnPicture(frame, frame / 2, jpeg(frame), MOVING) if moving else shot(frame, frame))
    shots = buffer.turn(9, over=True)
    assert shots.before
    assert shots.after
    assert (shots.before.frame, shots.after.frame) == (1, 8)
    assert [each.frame for each in shots.between] == [2, 3, 4, 5, 6, 7]


def test_a_buffer_without_pictures_has_none_for_the_turn() -> None:
    assert PictureBuffer().turn(3, over=True).after is None


def test_the_journal_vouches_for_the_pictures_and_the_match_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    match = random_match(1, games=1)
    with Journal(path) as journal, EvidenceStore(evidence_name(path)) as store:
        log = MatchLog(journal, "1", noon)
        recorder = PictureRecorder(log, store)
        log.begin_match("A", "B", match.terms, match.facts)
        log.begin_game(match.games[0].start)
        for number, turn in enumerate(match.games[0].turns[:4]):
            told = log.add(turn)
            assert (recorder.keep(told, turn, None, flagged=False) is None) == (number == 0)
            recorder.add(shot(number, number))
        evidence = [event for event in journal.events("1") if event.kind == "evidence"]
        assert len(evidence) == 3
        assert read_match(journal, "1").games[0].turns == match.games[0].turns[:4]
        journal.verify()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "journal.db",
        "journal.evidence.db",
        "journal.head",
    ]


def test_a_full_disk_costs_pictures_and_not_the_game(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    match = random_match(1, games=1)
    said: list[str] = []
    with Journal(path) as journal, EvidenceStore(evidence_name(path)) as store:
        log = MatchLog(journal, "1", noon)
        recorder = PictureRecorder(log, store, lambda words: said.append(words("en")))
        log.begin_match("A", "B", match.terms, match.facts)
        log.begin_game(match.games[0].start)
        database = store._database
        room = database.execute("PRAGMA page_count").fetchone()[0]
        for number, turn in enumerate(match.games[0].turns[:6]):
            recorder.add(TurnPicture(number, number / 2, jpeg(number, 20_000), shot(number, number).seen))
            database.execute(f"PRAGMA max_page_count = {room if number < 4 else 10**6}")
            assert (recorder.keep(log.add(turn), turn, number, flagged=False) is None) == (number < 4)
        assert len(said) == 2
        assert "full" in said[0]
        assert "kept again" in said[1]
        strict = PictureRecorder(log, store)
        database.execute("PRAGMA max_page_count = 1")
        strict.add(TurnPicture(9, 4.5, jpeg(9, 200_000), shot(9).seen))
        with pytest.raises(EvidenceError, match="full"):
            strict.keep(log.add(turn), turn, 9, flagged=False)
        assert len(read_match(journal, "1").games[0].turns) == 7
