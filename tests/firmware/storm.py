"""A long evening at a bad table: presses and rolls while the line is noisy, the cable comes off, all restart."""

import random
from dataclasses import dataclass, field

from controller.devices.link.happenings import (
    ButtonChanged,
    ChipRestarted,
    DiceRolled,
    EventsLost,
    EventsMissing,
    Greeted,
)
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make

ROLL = 0
OTHERS = range(1, 8)
SHORTEST_S = 0.016
"""A press as short as the page promises to see: twice the debounce time."""


@dataclass
class Outcome:
    """What was done at the table and what the journal holds of it."""

    done: list[tuple[int, bool] | str] = field(default_factory=list)
    told: list[tuple[int, bool] | str] = field(default_factory=list)
    lost: int = 0
    missing: int = 0
    memory_lost: int = 0
    restarts: int = 0
    duplicates: int = 0
    bad_frames: int = 0
    chip_s: float = 0.0


def _told(host: Host, outcome: Outcome) -> None:
    for event in host.journal:
        match event.what:
            case ButtonChanged(button, down):
                outcome.told.append((int(button), down))
            case DiceRolled():
                outcome.told.append("dice")
            case EventsLost(count):
                outcome.lost += count
            case ChipRestarted():
                outcome.restarts += 1
            case _:
                pass
    marks = [event.mark for event in host.journal]
    outcome.duplicates = len(marks) - len(set(marks))
    outcome.missing = sum(h.count for h in host.happenings if isinstance(h, EventsMissing))
    outcome.memory_lost = sum(h.memory_lost for h in host.happenings if isinstance(h, Greeted))


def storm(
    make: Make, events: int, *, noise: float, unplugs: int, resets: int, host_restarts: int, seed: int = 1
) -> Outcome:
    """Cause that many events and everything else at chosen moments among them; then wait until all is quiet."""
    chance = random.Random(seed)
    outcome = Outcome()
    with make(noise_seed=seed) as chip:
        cable = Cable(chip, noise=noise, seed=seed)
        host = Host(cable)
        host.until(lambda: host.session.ready)
        moments = sorted(
            (chance.randrange(events), kind)
            for kind, count in (("unplug", unplugs), ("reset", resets), ("restart", host_restarts))
            for _ in range(count)
        )
        while len(outcome.done) < events:
            _act(host, outcome, chance)
            while moments and moments[0][0] <= len(outcome.done):
                _disturb(host, moments.pop(0)[1], chance)
        if not cable.plugged:
            cable.plug()
        host.until(lambda: host.session.ready, 60)
        host.run(2.0)
        outcome.bad_frames = host.session._parser.bad
        outcome.chip_s = chip.now
    _told(host, outcome)
    return outcome


def _act(host: Host, outcome: Outcome, chance: random.Random) -> None:
    """One press, sometimes of the roll button; if the cable is off, it is put back after a while."""
    button = ROLL if chance.random() < 0.05 else chance.choice(OTHERS)
    host.chip.contact(button, True)
    host.run(SHORTEST_S)
    host.chip.contact(button, False)
    host.run(SHORTEST_S)
    outcome.done += [(button, True), (button, False)]
    if button == ROLL:
        host.run(0.62)
        outcome.done.append("dice")
    if not host.cable.plugged and chance.random() < 0.2:
        host.cable.plug()


def _disturb(host: Host, kind: str, chance: random.Random) -> None:
    host.run(chance.random() * 0.005)
    if kind == "unplug":
        host.cable.pull()
    elif kind == "reset":
        host.chip.reset()
        host.run(0.03)
    else:
        host.restart()
