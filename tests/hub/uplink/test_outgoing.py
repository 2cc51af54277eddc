"""What is to go on to the other hub: nothing is sent twice without need, and nothing is left behind."""

from controller.club.messages import Confirmation
from controller.hub.uplink.other_hub import Heads
from controller.hub.uplink.outgoing import BACK_S, LOST_S, OutgoingEntries

PLACE = ("table-1", "0123456789abcdef")


def begun(newest: int = 10, there: int = 0) -> OutgoingEntries:
    """A journal of which the other hub said at second 0 how far it is."""
    outgoing = OutgoingEntries()
    outgoing.update_newest({PLACE: newest})
    assert outgoing.waiting(9) == []
    assert outgoing.unknown(0.0) == [PLACE]
    outgoing.learn([PLACE], Heads({PLACE: there}), 0.0)
    return outgoing


def test_entries_go_on_from_where_the_other_hub_is() -> None:
    outgoing = begun(10, 4)
    assert outgoing.waiting(9) == [(PLACE, 4, 0)]
    assert outgoing.left == 6
    outgoing.note(PLACE, 10, 1, 1.0)
    assert outgoing.waiting(9) == []
    assert outgoing.left == 6
    outgoing.confirm("table-1", Confirmation(PLACE[1], 10, "c"), 2.0)
    assert outgoing.left == 0
    assert outgoing.unknown(1000.0) == []


def test_a_journal_that_begins_later_is_sent_without_a_question() -> None:
    outgoing, new = begun(10, 10), ("table-2", "fedcba9876543210")
    outgoing.update_newest({PLACE: 10, new: 2})
    assert outgoing.unknown(1.0) == []
    assert outgoing.waiting(9) == [(new, 0, 0)]


def test_what_still_waits_in_the_stream_is_not_sent_again() -> None:
    outgoing = begun()
    outgoing.note(PLACE, 10, 77, 0.0)
    assert outgoing.unknown(BACK_S) == []
    assert outgoing.unknown(BACK_S + 1) == [PLACE]
    outgoing.learn([PLACE], Heads({PLACE: 0}, 76), BACK_S + 1)
    assert outgoing.waiting(9) == []


def test_what_was_read_and_is_not_there_is_sent_again_in_another_round() -> None:
    outgoing = begun()
    outgoing.note(PLACE, 10, 77, 0.0)
    outgoing.learn([PLACE], Heads({PLACE: 3}, 77), BACK_S + 1)
    assert outgoing.waiting(9) == [(PLACE, 3, 1)]


def test_what_a_lost_stream_held_is_sent_again_after_two_minutes() -> None:
    outgoing = begun()
    outgoing.note(PLACE, 10, 77, 0.0)
    for second in range(11, int(LOST_S), 11):
        outgoing.learn([PLACE], Heads({PLACE: 0}, 5), float(second))
        assert outgoing.waiting(9) == []
    outgoing.learn([PLACE], Heads({PLACE: 0}, 5), LOST_S + 1)
    assert outgoing.waiting(9) == [(PLACE, 0, 1)]


def test_a_hub_that_knows_less_than_it_did_gets_the_rest_again() -> None:
    outgoing = begun(10, 10)
    outgoing.update_newest({PLACE: 11})
    outgoing.note(PLACE, 11, 1, 1.0)
    outgoing.confirm("table-1", Confirmation(PLACE[1], 4, "c"), 2.0)
    assert outgoing.waiting(9) == [(PLACE, 4, 1)]


def test_a_hub_that_does_not_answer_is_asked_again_later_and_nothing_is_gone_back_for() -> None:
    outgoing = OutgoingEntries()
    outgoing.update_newest({PLACE: 3})
    outgoing.wait([PLACE], 0.0)
    assert outgoing.unknown(BACK_S - 1) == []
    assert outgoing.unknown(BACK_S) == [PLACE]
    outgoing.wait([PLACE], 0.0)
    outgoing.forget()
    assert outgoing.unknown(0.0) == [PLACE]


def test_a_journal_that_the_other_hub_refuses_stays() -> None:
    outgoing = begun()
    outgoing.confirm("table-1", Confirmation(PLACE[1], 2, "c", "other_chain"), 1.0)
    assert outgoing.waiting(9) == []
    assert outgoing.unknown(1000.0) == []
    outgoing.confirm("table-9", Confirmation(PLACE[1], 2, "c"), 1.0)
