"""What is wrong with a table is named, and only that."""

from controller.club.messages import EntryFlaw, EntryRefusal, TablePresence
from controller.hub.hall import TableFault
from controller.hub.tables.watch import CONTRADICTED_MS, TableWatch

JOURNAL = "0123456789abcdef"
START = 1_000_000


def presence(run: str = "a", newest: int = 0, *, up: bool = True, playing: bool = True) -> TablePresence:
    journals = {JOURNAL: newest} if newest else {}
    return TablePresence(up, journal=JOURNAL if playing else "", journals=journals, run=run)


def watched(newest: int = 0) -> TableWatch:
    watch = TableWatch()
    watch.on_message(START)
    watch.hear_presence(presence(newest=newest), START, kept=False)
    return watch


def names(watch: TableWatch, now: int) -> list[TableFault]:
    return [each.fault for each in watch.faults(now)]


def test_a_table_that_speaks_and_has_all_stored_has_no_fault() -> None:
    watch = watched(7)
    watch.hear_stored(JOURNAL, 7, 7, START + 100)
    assert names(watch, START + 14_000) == []


def test_a_table_that_says_nothing_for_a_while_is_silent_until_it_speaks() -> None:
    watch = watched()
    assert names(watch, START + 15_001) == [TableFault.SILENT]
    watch.on_message(START + 15_500)
    assert names(watch, START + 15_600) == []


def test_a_table_that_leaves_in_a_match_is_silent_and_one_that_leaves_between_matches_is_not() -> None:
    watch = watched()
    watch.hear_presence(presence(up=False), START, kept=False)
    assert names(watch, START + 1) == [TableFault.SILENT]
    assert watch.faults(START + 1, playing=False) == ()
    watch.hear_presence(presence(up=False, playing=False), START, kept=False)
    assert names(watch, START + 1) == []


def test_missing_entries_are_behind_while_others_arrive_and_not_accepted_when_none_does() -> None:
    watch = watched(50)
    watch.on_message(START + 4_000)
    assert names(watch, START + 4_000) == []
    watch.hear_part(START + 5_500)
    watch.hear_stored(JOURNAL, 30, 30, START + 5_500)
    assert names(watch, START + 6_000) == [TableFault.BEHIND]
    assert watch.faults(START + 6_000)[0].arguments == {"events": "20"}
    watch.on_message(START + 15_600)
    assert names(watch, START + 15_600) == [TableFault.NOT_ACCEPTED]
    watch.hear_stored(JOURNAL, 50, 50, START + 16_000)
    assert names(watch, START + 16_000) == []


def test_a_start_of_the_program_that_comes_back_after_another_means_two_tables() -> None:
    watch = watched()
    for run in ("b", "c"):
        watch.hear_presence(presence(run), START + 1, kept=False)
    assert names(watch, START + 2) == []
    watch.hear_presence(presence("b"), START + 3, kept=False)
    assert names(watch, START + 4) == [TableFault.TWO_TABLES]
    watch.on_message(START + 61_000)
    assert names(watch, START + 61_000) == []


def test_what_the_broker_says_for_an_earlier_start_does_not_count() -> None:
    watch = watched()
    watch.hear_presence(presence("b"), START, kept=False)
    assert not watch.hear_presence(presence("a", up=False), START, kept=False)
    assert not watch.hear_presence(presence("a"), START, kept=True)
    assert watch.presence.up
    assert watch.presence.run == "b"
    assert names(watch, START + 1) == []


def test_a_program_that_starts_with_less_than_it_once_sent_plays_on_an_old_card() -> None:
    watch = watched(80)
    watch.hear_stored(JOURNAL, 80, 80, START)
    watch.hear_presence(presence("b", 50), START + 9, kept=False)
    (fault,) = watch.faults(START + 10)
    assert fault.fault is TableFault.OTHER_CHAIN
    assert fault.arguments == {"journal": JOURNAL, "event": "51"}


def test_what_cannot_be_read_is_shown_for_a_minute() -> None:
    watch = watched()
    watch.hear_unreadable("it is no JSON", START)
    assert watch.faults(START + 1)[0].arguments == {"reason": "it is no JSON"}
    watch.on_message(START + 60_001)
    assert names(watch, START + 60_001) == []


def test_a_clock_that_is_ahead_is_as_wrong_as_one_that_is_behind() -> None:
    watch = watched()
    for _ in range(3):
        watch.hear_clock(START + 3_600_000, START)
    (fault,) = watch.faults(START)
    assert (fault.fault, fault.arguments) == (TableFault.CLOCK, {"seconds": "-3600"})


def test_a_clock_is_wrong_when_three_questions_say_so_and_one_late_message_is_none() -> None:
    watch = watched()
    for late in (5_000, 30, 40):
        watch.hear_clock(START - late, START)
    assert names(watch, START) == []
    for _ in range(3):
        watch.hear_clock(START - 3_600_000, START)
    (fault,) = watch.faults(START)
    assert fault.fault is TableFault.CLOCK
    assert fault.arguments == {"seconds": "3600"}


def test_the_most_urgent_fault_comes_first() -> None:
    watch = watched(9)
    watch.hear_contradiction(JOURNAL, 4, START)
    watch.hear_unreadable("why", START)
    assert names(watch, START + 15_001) == [
        TableFault.OTHER_CHAIN,
        TableFault.SILENT,
        TableFault.UNREADABLE,
    ]


def test_what_is_stored_before_a_refused_entry_does_not_end_its_fault() -> None:
    watch = watched(9)
    watch.hear_refused(JOURNAL, EntryRefusal(4, EntryFlaw.SIZE), START)
    watch.hear_stored(JOURNAL, 9, 3, START)
    assert names(watch, START) == [TableFault.ENTRY_REFUSED]


def test_a_refused_entry_is_told_instead_of_missing_ones_until_it_is_stored_or_a_week_has_passed() -> None:
    watch = watched(9)
    watch.hear_stored(JOURNAL, 9, 3, START)
    watch.hear_refused(JOURNAL, EntryRefusal(4, EntryFlaw.SIZE), START)
    watch.hear_refused(JOURNAL, EntryRefusal(4, EntryFlaw.SIZE), START + 5_000)
    watch.on_message(START + 60_000)
    (fault,) = watch.faults(START + 60_000)
    assert (fault.fault, fault.since_ms) == (TableFault.ENTRY_REFUSED, START)
    assert fault.arguments == {"journal": JOURNAL, "event": "4", "why": "size"}
    late = START + CONTRADICTED_MS + 1
    watch.on_message(late)
    assert TableFault.ENTRY_REFUSED not in names(watch, late)
    watch.hear_refused(JOURNAL, EntryRefusal(5, EntryFlaw.FORM), late)
    assert names(watch, late) == [TableFault.ENTRY_REFUSED]
    watch.hear_stored(JOURNAL, 9, 5, late)
    assert TableFault.ENTRY_REFUSED not in names(watch, late)


def test_nothing_is_wrong_or_right_because_the_clock_of_the_hub_was_set() -> None:
    for by in (30 * 86_400_000, -30 * 86_400_000):
        watch = watched(50)
        watch.hear_unreadable("length", START)
        watch.hear_stored(JOURNAL, 50, 30, START + 1_000)
        before = {each.fault for each in watch.faults(START + 10_000)}
        assert before == {TableFault.UNREADABLE, TableFault.BEHIND}
        watch.move_times(START, by)
        assert {each.fault for each in watch.faults(START + by + 10_000)} == before
        assert TableFault.SILENT in {each.fault for each in watch.faults(START + by + 15_001)}
        assert TableFault.UNREADABLE not in {each.fault for each in watch.faults(START + by + 60_001)}


def test_what_an_earlier_run_of_the_hub_has_heard_keeps_its_time() -> None:
    watch = TableWatch()
    watch.hear_contradiction(JOURNAL, 4, START - 5_000)
    watch.move_times(START, 86_400_000)
    (fault,) = watch.faults(START + 86_400_000)
    assert fault.since_ms == START - 5_000


def test_the_clock_of_a_table_is_judged_anew_after_the_hubs_was_set() -> None:
    watch = watched()
    for _ in range(3):
        watch.hear_clock(START + 86_400_000, START)
    assert TableFault.CLOCK in names(watch, START)
    watch.move_times(START, 86_400_000)
    assert names(watch, START + 86_400_000) == []
