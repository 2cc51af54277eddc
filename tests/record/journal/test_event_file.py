"""A file of events is only added to; a torn last line is told, and nothing before it is lost."""

import multiprocessing
import resource
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.record.journal.event_file import (
    START,
    TORN,
    EventFileError,
    change_event_file,
    create_event_file,
    read_event_file,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "cup.jsonl"
    create_event_file(place, {"kind": "tournament"})
    with change_event_file(place) as file:
        file.append([{"name": "Ann"}, {"name": "Bó\u2028"}])
    return place


def test_what_was_added_is_read_in_its_order(path: Path) -> None:
    assert path.read_bytes().startswith(START)
    assert [each["event"] for each in read_event_file(path).records] == [1, 2, 3]
    assert read_event_file(path).records[2]["name"] == "Bó\u2028"


def test_nothing_is_begun_over_what_is_there(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(EventFileError, match="exists already"):
        create_event_file(path, {})
    assert path.read_bytes() == before


@pytest.mark.parametrize("rest", [b'{"event": 4, "na', b'{"event": 4}{', b"\0" * 40, b"\xff\xfe\n"])
def test_a_torn_last_line_is_told_and_set_aside_by_the_next_event(path: Path, rest: bytes) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + rest)
    with change_event_file(path) as file:
        assert len(file.records) == 3
        assert bool(file.torn.strip(b"\0")) is bool(rest.strip(b"\0"))
        file.append([{"name": "Cyd"}])
    assert path.read_bytes().startswith(whole)
    found = read_event_file(path)
    assert [each.get("name") for each in found.records] == [None, "Ann", "Bó\u2028", "Cyd"]
    assert found.torn == b""
    assert path.with_name(path.name + TORN).read_bytes().strip(b"\n") == rest.strip(b"\n")


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 200))
def test_wherever_the_file_is_cut_all_whole_lines_before_it_count(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    place = tmp_path_factory.mktemp("cut") / "cup.jsonl"
    create_event_file(place, {"kind": "tournament"})
    with change_event_file(place) as file:
        file.append({"name": "x" * length} for length in (5, 10, 20))
    data = place.read_bytes()
    place.write_bytes(data[: max(len(START) + 25, len(data) - cut)])
    whole = place.read_bytes().count(b"\n")
    found = read_event_file(place)
    assert len(found.records) in (whole, whole + 1)
    with change_event_file(place) as file:
        file.append([{"name": "new"}])
    assert [each["event"] for each in read_event_file(place).records] == list(
        range(1, len(found.records) + 2)
    )


def test_a_damaged_line_in_the_middle_is_told_and_nothing_is_added(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1][:-4], *lines[2:]]))
    before = path.read_bytes()
    with pytest.raises(EventFileError, match="line 2 is damaged"), change_event_file(path) as file:
        file.append([{}])
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"{}", b"SQLite format 3\0", b"match.mat"])
def test_another_file_is_refused_and_stays(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(EventFileError, match="is no tournament"), change_event_file(path):
        pass
    assert path.read_bytes() == data


def test_a_full_disk_leaves_the_file_as_it_was(path: Path) -> None:
    before = path.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 30, old[1]))
        with pytest.raises(EventFileError, match="nothing was changed"), change_event_file(path) as file:
            file.append([{"name": "x" * 100}])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before


def _add(place: str, count: int) -> None:
    for _ in range(count):
        with change_event_file(Path(place)) as file:
            file.append([{"name": "x"}])


def test_several_programs_add_one_after_the_other(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    programs = [context.Process(target=_add, args=(str(path), 5)) for _ in range(3)]
    for each in programs:
        each.start()
    for each in programs:
        each.join()
    assert len(read_event_file(path).records) == 3 + 15
