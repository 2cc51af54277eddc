"""What waits in line for the table, and who waits for it."""

import os
import signal
import threading
import time
from dataclasses import replace

from controller.app.inbox import Inbox, Item
from controller.referee import Ticked

LONG_S = 600.0


def test_what_is_put_in_comes_out_in_its_order_and_then_nothing() -> None:
    inbox = Inbox()
    for t in (1.0, 2.0, 3.0):
        inbox.put(Ticked(t))
    got = [inbox.get(0.0) for _ in range(5)]
    assert [None if item is None else item.event.t for item in got] == [1.0, 2.0, 3.0, None, None]


def test_somebody_who_waits_gets_what_comes_from_another_thread() -> None:
    inbox = Inbox()
    threading.Timer(0.05, inbox.put, [Ticked(7.0)]).start()
    item = inbox.get(LONG_S)
    assert item is not None
    assert item.event.t == 7.0


def test_a_signal_ends_the_waiting_at_once() -> None:
    inbox = Inbox()
    before = signal.signal(signal.SIGUSR1, lambda *_: inbox.wake())
    try:
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGUSR1]).start()
        assert inbox.get(LONG_S) is None
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_signals_at_any_moment_never_make_it_wait_for_ever() -> None:
    inbox, stop = Inbox(), threading.Event()
    before = signal.signal(signal.SIGUSR1, lambda *_: None)

    def disturb() -> None:
        while not stop.is_set():
            os.kill(os.getpid(), signal.SIGUSR1)
            time.sleep(0.0002)

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(300):
            assert inbox.get(0.001) is None
    finally:
        stop.set()
        thread.join()
        signal.signal(signal.SIGUSR1, before)


def test_many_threads_lose_nothing() -> None:
    inbox, each = Inbox(), 500
    threads = [
        threading.Thread(target=lambda: [inbox.put(Ticked(float(t))) for t in range(each)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    got = 0
    while got < 4 * each:
        got += inbox.get(LONG_S) is not None
    for thread in threads:
        thread.join()
    assert inbox.empty


def test_what_waits_can_be_changed_and_keeps_its_order() -> None:
    inbox, done = Inbox(), list[str]()
    for t in (1.0, 2.0, 3.0):
        inbox.put(Ticked(t))
    inbox.ask(lambda: done.append("asked"))

    def change(item: Item) -> Item | None:
        return None if item.event.t == 2.0 else replace(item, event=Ticked(item.event.t + 10))

    inbox.revise(change)
    inbox.put(Ticked(4.0))
    assert inbox.waiting == 4
    taken = [inbox.get(0.0) for _ in range(4)]
    assert [each.event.t if isinstance(each, Item) else "errand" for each in taken] == [11, 13, "errand", 4]
    assert inbox.empty


def test_what_happens_now_waits_behind_what_was_seen_before_it() -> None:
    inbox = Inbox()
    inbox.put(Ticked(1.0))
    assert inbox.line_up(Ticked(2.0))
    assert taken(inbox) == [1.0, 2.0]


def test_what_happens_while_a_picture_is_read_waits_behind_what_that_shows() -> None:
    inbox = Inbox()
    with inbox.looking():
        assert inbox.line_up(Ticked(2.0))
        assert inbox.empty
        inbox.put(Ticked(1.0))
    assert taken(inbox) == [1.0, 2.0]


def test_what_happens_now_need_not_wait_where_nothing_was_seen_before_it() -> None:
    inbox = Inbox()
    with inbox.looking():
        pass
    assert not inbox.line_up(Ticked(2.0))
    assert inbox.empty


def test_who_takes_out_is_behind_while_busy_with_one_thing_and_another_waits() -> None:
    inbox = Inbox()
    inbox.put(Ticked(1.0))
    assert inbox.behind_s == 0
    inbox.get(0.0)
    assert inbox.behind_s == 0
    inbox.put(Ticked(2.0))
    time.sleep(0.01)
    assert inbox.behind_s > 0
    inbox.get(0.0)
    assert inbox.behind_s == 0


def taken(inbox: Inbox) -> list[float]:
    """When all happened that waits, in the order in which it is taken out."""
    found = []
    while (item := inbox.get(0.0)) is not None:
        found.append(item.event.t)
    return found
