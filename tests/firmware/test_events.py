"""Buttons, dice and what becomes of their events when something goes wrong."""

from collections import Counter

import pytest

from controller.devices.link.happenings import (
    BoardEvent,
    Button,
    ButtonChanged,
    ChipRestarted,
    DiceRolled,
    EventsLost,
    EventsMissing,
    Greeted,
    What,
)
from controller.devices.link.messages import DiceMode, ResetCause
from controller.simulation.electronics.chip import Chip
from controller.simulation.electronics.microcontroller import Microcontroller
from tests.amounts import amount
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make
from tests.firmware.storm import storm


def greeted(chip: Microcontroller) -> Host:
    host = Host(Cable(chip))
    host.until(lambda: host.session.ready)
    return host


def press(host: Host, button: Button, seconds: float = 0.03) -> None:
    host.chip.contact(button, True)
    host.run(seconds)
    host.chip.contact(button, False)
    host.run(0.03)


def whats(host: Host) -> list[What]:
    return [event.what for event in host.journal]


@pytest.mark.parametrize("button", list(Button))
def test_every_button_reports_press_and_release(button: Button, make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        press(host, button)
        assert whats(host)[:2] == [ButtonChanged(button, True), ButtonChanged(button, False)]


def test_a_bouncing_contact_is_one_press_dated_to_when_it_settled(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        began = chip.now
        for _ in range(4):
            chip.contact(Button.TAKE, True)
            host.run(0.002)
            chip.contact(Button.TAKE, False)
            host.run(0.001)
        chip.contact(Button.TAKE, True)
        settled = chip.now
        host.run(0.1)
        (event,) = host.journal
        assert event.what == ButtonChanged(Button.TAKE, True)
        assert began < settled - 0.002 <= event.at_s <= settled + 0.004


def test_a_glitch_shorter_than_the_debounce_is_no_press(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        chip.contact(Button.DROP, True)
        host.run(0.005)
        chip.contact(Button.DROP, False)
        host.run(0.1)
        assert host.journal == []


def test_a_button_held_while_the_chip_gets_its_power_is_not_a_press(make: Make) -> None:
    with make() as chip:
        chip.contact(Button.PAUSE, True)
        chip.power_cut()
        host = greeted(chip)
        host.run(0.2)
        assert ButtonChanged(Button.PAUSE, True) not in whats(host)


def test_presses_are_dated_within_four_milliseconds_after_long_waiting(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.run(1.5)
        host.cable.pull()
        chip.contact(Button.CLOCK_DARK, True)
        pressed = chip.now
        host.run(0.9)
        host.cable.plug()
        host.run(0.4)
        assert abs(host.journal[0].at_s - pressed) < 0.004


def test_the_roll_button_throws_the_dice_and_shows_them(make: Make) -> None:
    leds = {1: 1, 2: 2, 3: 3, 4: 6, 5: 7, 6: 14}
    with make() as chip:
        host = greeted(chip)
        for _ in range(12):
            press(host, Button.ROLL)
            host.run(0.7)
            roll = whats(host)[-1]
            assert isinstance(roll, DiceRolled)
            assert chip.dice == (leds[roll.dice[0]], leds[roll.dice[1]])


def faces_of(raw: int) -> tuple[int, int]:
    """The rule of the protocol page, written anew."""
    groups = [raw >> shift & 7 for shift in range(29, 0, -3)]
    first, second, *_ = (group + 1 for group in groups if group < 6)
    return first, second


def test_dice_follow_from_their_raw_bits_and_are_not_lopsided(make: Make) -> None:
    rolls: list[DiceRolled] = []
    boards = amount(2, 4)
    for seed in range(1, boards + 1):
        with make(noise_seed=seed) as chip:
            host = greeted(chip)
            for _ in range(30):
                press(host, Button.ROLL)
                host.run(0.6, step=0.02)
            rolls += [what for what in whats(host) if isinstance(what, DiceRolled)]
    assert len(rolls) == 30 * boards
    assert all(roll.dice == faces_of(roll.raw) for roll in rolls)
    assert len({roll.raw for roll in rolls}) == len(rolls)
    assert not any(roll.doubtful for roll in rolls)
    faces = Counter(face for roll in rolls for face in roll.dice)
    chi_square = sum((faces[face] - 10 * boards) ** 2 / (10 * boards) for face in range(1, 7))
    assert chi_square < 20.5  # five degrees of freedom: 0.1 % of fair dice are further off


def test_two_boards_with_other_noise_throw_other_dice(make: Make) -> None:
    raws = []
    for seed in (1, 2):
        with make(noise_seed=seed) as chip:
            host = greeted(chip)
            press(host, Button.ROLL)
            host.run(0.7)
            raws += [what.raw for what in whats(host) if isinstance(what, DiceRolled)]
    assert len(set(raws)) == 2


def test_a_dead_noise_input_is_told_with_the_roll(make: Make) -> None:
    with make() as chip:
        chip.silence()
        host = greeted(chip)
        press(host, Button.ROLL)
        host.run(0.7)
        roll = whats(host)[-1]
        assert isinstance(roll, DiceRolled)
        assert roll.doubtful


def test_a_second_press_while_the_dice_tumble_throws_nothing(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        press(host, Button.ROLL)
        press(host, Button.ROLL)
        host.run(1.0)
        assert sum(isinstance(what, DiceRolled) for what in whats(host)) == 1


def test_dice_armed_once_throw_once_until_they_are_armed_again(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)

        def rolls_after(presses: int) -> int:
            before = len(host.journal)
            for _ in range(presses):
                press(host, Button.ROLL)
                host.run(0.7)
            return sum(isinstance(event.what, DiceRolled) for event in host.journal[before:])

        host.session.arm_dice(DiceMode.ONCE)
        host.run(0.1)
        assert rolls_after(3) == 1
        host.session.reopen()
        host.until(lambda: host.session.ready)
        assert rolls_after(2) == 0
        host.session.arm_dice(DiceMode.ONCE)
        host.run(0.1)
        assert rolls_after(2) == 1
        host.session.arm_dice(DiceMode.OFF)
        host.run(0.1)
        assert rolls_after(1) == 0


def test_events_that_waited_outlive_a_reset_and_the_reset_is_told_after_them(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.cable.pull()
        press(host, Button.DOUBLE)
        chip.reset()
        host.run(0.1)
        host.cable.plug()
        host.run(1.0)
        assert whats(host) == [
            ButtonChanged(Button.DOUBLE, True),
            ButtonChanged(Button.DOUBLE, False),
            ChipRestarted(ResetCause.RESET_LINE, 1),
        ]


def test_presses_and_releases_in_the_middle_of_a_restart_are_told_after_it(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        chip.contact(Button.TAKE, True)
        host.run(0.05)
        chip.reset()
        chip.contact(Button.TAKE, False)
        chip.contact(Button.DROP, True)
        host.run(0.5)
        assert whats(host) == [
            ButtonChanged(Button.TAKE, True),
            ChipRestarted(ResetCause.RESET_LINE, 1),
            ButtonChanged(Button.TAKE, False),
            ButtonChanged(Button.DROP, True),
        ]


@pytest.mark.parametrize("part", range(4))
def test_a_reset_at_any_moment_of_a_press_neither_doubles_nor_loses_it(part: int) -> None:
    """The event is written some 8 to 9 ms after the contact closed: resets every 9 microseconds around that."""
    with Chip() as chip:
        host = greeted(chip)
        press(host, Button.TAKE)
        for step in range(60):
            before = len(host.journal)
            chip.contact(Button.TAKE, True)
            chip.run(0.0075 + (60 * part + step) * 9e-6)
            chip.reset()
            host.run(0.06, step=0.003)
            chip.contact(Button.TAKE, False)
            host.run(0.03, step=0.003)
            told = [event.what for event in host.journal[before:]]
            presses = [what for what in told if isinstance(what, ButtonChanged)]
            assert presses == [ButtonChanged(Button.TAKE, True), ButtonChanged(Button.TAKE, False)]
            assert sum(isinstance(what, ChipRestarted) for what in told) == 1
        assert not any(isinstance(happening, EventsMissing) for happening in host.happenings)


def test_a_power_cut_begins_a_new_numbering_and_the_host_says_so(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        press(host, Button.DOUBLE)
        chip.power_cut()
        host.run(0.5)
        press(host, Button.TAKE)
        greetings = [happening for happening in host.happenings if isinstance(happening, Greeted)]
        assert [greeting.memory_lost for greeting in greetings] == [False, True]
        assert greetings[0].chip.board_id == greetings[1].chip.board_id
        assert greetings[1].chip.boot_id == greetings[0].chip.boot_id + 1
        assert whats(host)[-2:] == [ButtonChanged(Button.TAKE, True), ButtonChanged(Button.TAKE, False)]


def test_boot_ids_never_come_again(make: Make) -> None:
    with make() as chip:
        boots = []
        for _ in range(20):
            host = greeted(chip)
            assert host.session.chip is not None
            boots.append(host.session.chip.boot_id)
            chip.power_cut()
        assert boots == list(range(1, 21))


def test_a_full_queue_counts_what_it_drops_and_tells_where(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.cable.pull()
        for _ in range(12):
            press(host, Button.PAUSE)
        host.cable.plug()
        host.run(1.0)
        press(host, Button.DONE)
        told = whats(host)
        assert [isinstance(what, ButtonChanged) for what in told] == [True] * 16 + [False] + [True] * 2
        assert told[16] == EventsLost(8)


def test_a_host_that_lost_its_journal_is_told_how_many_events_it_missed(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        press(host, Button.TAKE)
        mark = host.journal[0].mark
        press(host, Button.TAKE)
        host.journal[:] = [event for event in host.journal if event.mark == mark]
        host.restart()
        host.until(lambda: host.session.ready)
        assert EventsMissing(3) in host.happenings


def test_an_event_that_could_not_be_written_comes_again(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        chip.contact(Button.DROP, True)
        refused: list[BoardEvent] = []
        while not refused:
            host.cable.to_chip(host.session.outgoing(chip.now))
            chip.run(0.001)
            news = host.session.receive(host.cable.from_chip(), chip.now)
            refused = [happening for happening in news if isinstance(happening, BoardEvent)]
        host.session.place.undo(refused[0].mark)
        host.run(0.3)
        assert [event.mark for event in host.journal] == [refused[0].mark]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_a_storm_every_event_comes_once_and_in_order_or_is_counted_as_lost(seed: int, make: Make) -> None:
    outcome = storm(make, 340, noise=0.005, unplugs=2, resets=1, host_restarts=1, seed=seed)
    assert outcome.bad_frames > 0
    assert outcome.duplicates == outcome.missing == outcome.memory_lost == 0
    assert outcome.restarts == 1
    assert len(outcome.done) == len(outcome.told) + outcome.lost
    rest = iter(outcome.done)
    assert all(event in rest for event in outcome.told), "an event came out of its order"
