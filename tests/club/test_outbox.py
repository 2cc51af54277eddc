"""What is sent, and again, until the hub has it: over a way that loses and repeats, to a hub that forgets."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.messages import LARGEST, MOST_UNCONFIRMED, Confirmation, JournalPart
from controller.club.outbox import AGAIN_S, MEMORY, SILENT_S, Outbox
from controller.club.outgoing import JournalFault
from controller.record.journal.copies import copy_journal, rescued_name
from controller.record.journal.journal import Row
from tests.club.writing import WritingTable, rows_in


class Shelf:
    """What a hub has of one journal."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def take(self, part: JournalPart) -> Confirmation:
        assert part.is_whole()
        for row in part.rows:
            before = self.rows[-1][-1] if self.rows else ""
            if row[0] == len(self.rows) + 1 and (row[0] != part.rows[0][0] or part.before == before):
                self.rows.append(row)
        return self.word(part.journal)

    def word(self, journal: str) -> Confirmation:
        return Confirmation(journal, len(self.rows), self.rows[-1][-1] if self.rows else "")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(1, 400)),
        st.tuples(st.sampled_from(["send", "lose", "repeat", "wait", "connect", "confirm"]), st.just(0)),
        st.tuples(st.just("forget"), st.integers(0, 300)),
    ),
    max_size=25,
)


@settings(max_examples=15)
@given(STEPS)
def test_whatever_is_lost_repeated_or_forgotten_the_hub_gets_every_entry_once_and_in_order(
    steps: list[tuple[str, int]],
) -> None:
    with TemporaryDirectory() as place:
        table, outbox, shelf, now = WritingTable(Path(place)), Outbox(Path(place)), Shelf(), 0.0
        path = table.begin(3)
        outbox.write_to(path)
        outbox.connect(now)
        assert outbox.current is not None
        name = outbox.current.name

        def send(*, arrives: bool, heard: bool) -> None:
            while (part := outbox.due(now)) is not None:
                assert outbox.current is not None
                assert outbox.current.under_way <= MOST_UNCONFIRMED
                assert len(part.encode()) <= LARGEST or len(part.rows) == 1
                word = shelf.take(part) if arrives else None
                if word is not None and heard:
                    outbox.confirm(word, now)

        for what, number in steps:
            now += 0.1
            match what:
                case "write":
                    table.write(number)
                case "send":
                    send(arrives=True, heard=True)
                case "lose":
                    send(arrives=False, heard=False)
                case "repeat":
                    send(arrives=True, heard=False)
                case "wait":
                    now += AGAIN_S
                case "connect":
                    outbox.connect(now)
                case "confirm":
                    outbox.confirm(shelf.word(name), now)
                case "forget":  # its disk was restored from an older copy
                    del shelf.rows[number:]
                    outbox.confirm(shelf.word(name), now)
        for _ in range(3):
            now += AGAIN_S + 0.1
            outbox.confirm(shelf.word(name), now)
            send(arrives=True, heard=True)
        assert shelf.rows == rows_in(path)
        assert outbox.waiting == 0
        assert not outbox.stuck


def opened(table: WritingTable, now: float = 0.0) -> Outbox:
    outbox = Outbox(table.folder)
    path = table.journal()
    assert path is not None
    outbox.write_to(path)
    outbox.connect(now)
    return outbox


def name_in(outbox: Outbox) -> str:
    assert outbox.current is not None
    return outbox.current.name


def test_nothing_is_sent_until_the_hub_had_time_to_say_what_it_has(tmp_path: Path) -> None:
    table = WritingTable(tmp_path)
    rows = rows_in(table.begin(30))
    outbox = opened(table)
    assert outbox.due(0.1) is None
    outbox.confirm(Confirmation(name_in(outbox), 20, rows[19][-1]), 0.2)
    part = outbox.due(0.2)
    assert part is not None
    assert [row[0] for row in part.rows] == list(range(21, 32))
    assert part.before == rows[19][-1]


def test_a_hub_that_says_nothing_is_silent_for_as_long_as_something_is_under_way(tmp_path: Path) -> None:
    table = WritingTable(tmp_path)
    table.begin(3)
    outbox = opened(table)
    assert outbox.due(AGAIN_S) is not None
    for second in range(3, 15):
        outbox.due(float(second))
    assert outbox.silent_s(14.0) == 14.0 - AGAIN_S > SILENT_S
    outbox.confirm(
        Confirmation(name_in(outbox), 4, rows_in(tmp_path / "match-1" / "journal.db")[3][-1]), 14.0
    )
    assert outbox.due(15.0) is None
    assert outbox.silent_s(30.0) == 0


def test_a_journal_that_is_rescued_to_another_file_goes_on_where_it_was(tmp_path: Path) -> None:
    table = WritingTable(tmp_path)
    path = table.begin(10)
    outbox = opened(table)
    outbox.confirm(Confirmation(name_in(outbox), 11, rows_in(path)[10][-1]), 0.0)
    table.path = rescued_name(path)
    copy_journal(path, table.path)
    table.write(2)
    assert outbox.write_to(table.path)
    part = outbox.due(3.0)
    assert part is not None
    assert [row[0] for row in part.rows] == [12, 13]
    assert len(outbox.journals) == 1


class OlderCopy:
    """A table whose card was restored from an older copy of a journal, and the hub that has more of it."""

    def __init__(self, folder: Path) -> None:
        self.table = WritingTable(folder)
        path = self.table.begin(4)
        older = shutil.copytree(path.parent, folder / "older")
        self.table.write(4)
        row = rows_in(path)[-1]
        shutil.rmtree(path.parent)
        older.rename(path.parent)
        self.outbox = opened(self.table)
        self.word = Confirmation(name_in(self.outbox), row[0], row[-1])

    def sent(self) -> list[int]:
        """The numbers of the entries that are to be sent now."""
        part = self.outbox.due(1.0)
        return [] if part is None else [row[0] for row in part.rows]


def test_a_hub_that_has_more_is_sent_the_newest_entry_once_to_see_whether_it_is_its_own(
    tmp_path: Path,
) -> None:
    older = OlderCopy(tmp_path)
    older.outbox.confirm(older.word, 1.0)
    assert older.sent() == [5]
    older.outbox.confirm(older.word, 1.0)
    assert older.sent() == []
    assert older.outbox.silent_s(30.0) == 0
    assert [each.fault for each in older.outbox.stuck] == [JournalFault.BEHIND]


def test_an_entry_that_is_written_while_a_hub_that_has_more_speaks_is_sent_to_it(tmp_path: Path) -> None:
    older = OlderCopy(tmp_path)
    older.outbox.confirm(older.word, 1.0)
    assert older.sent() == [5]
    older.table.write(1)
    older.outbox.confirm(older.word, 1.0)  # it answers to the newest, or to what was asked before
    assert older.sent() == [6]


def test_a_journal_that_went_on_from_an_older_copy_before_the_hub_spoke_is_seen_by_the_hub(
    tmp_path: Path,
) -> None:
    older = OlderCopy(tmp_path)
    older.table.write(2)
    older.outbox.confirm(older.word, 1.0)
    assert older.sent() == [7]


def test_a_damaged_journal_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    table = WritingTable(tmp_path)
    damaged = table.begin(50)
    data = bytearray(damaged.read_bytes())
    place = data.rindex(b"match-1 30" if b"match-1 30" in data else b"30 ")
    data[place] ^= 1
    table.begin(5)
    damaged.write_bytes(bytes(data))
    outbox = opened(table)
    sent = []
    for _ in range(4):
        while (part := outbox.due(5.0)) is not None:
            sent.append(part)
    assert [each.fault for each in outbox.stuck] == [JournalFault.DAMAGED]
    assert {part.journal for part in sent} == {name_in(outbox)}


def test_a_memory_that_cannot_be_read_or_is_of_another_hub_counts_for_nothing(tmp_path: Path) -> None:
    table = WritingTable(tmp_path)
    table.begin(5)
    table.begin(5)
    for text in ("", "{", "[]", '{"hub": "other", "journals": {}}', '{"hub": "", "journals": {"a": "x"}}'):
        (tmp_path / MEMORY).write_text(text)
        assert len(opened(table).journals) == 2
